/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vectors once more, through the functions as the library exports them: those that wiresum.h
   has inline for C are functions too, which other languages call. */
#define WIRESUM_EXPORTS_ALL
#define PROGRAM "exports"
#include "vectors.c"
