/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What lwIP asks of the compiler and of the system beyond its own definitions. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#include <stdlib.h>

#define LWIP_RAND() ((u32_t)rand())

#endif
