/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mark that the counted program sets before and after a call. */
#ifndef MARK_H
#define MARK_H

#define MARK 0x5A5A5A /* as a file descriptor: one that no program has open */

#endif
