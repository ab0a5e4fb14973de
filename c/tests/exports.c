/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Runs the vectors through the functions that the library exports. wiresum.h has some of them
   inline for C; other languages call the exports. */
#define WIRESUM_EXPORTS_ALL
#define PROGRAM "exports"
#include "vectors.c"
