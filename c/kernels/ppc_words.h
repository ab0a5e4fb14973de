/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the PowerPC kernels share: the machine's word. The vector kernels take what their vectors leave at either end in words. */
#ifndef WIRESUM_PPC_WORDS_H
#define WIRESUM_PPC_WORDS_H

#include "../src/kernel.h"

#if WIRESUM_HAVE_PPC_SCALAR

/* For data too short for vectors. Its sums fit in a word. */
WIRESUM_DECLARE_KERNEL(ppc_scalar);

/* The machine's word: sums grow in words with end-around carry, congruent mod 0xFFFF like everything else. */
typedef unsigned long wiresum_ppc_word;
enum { WIRESUM_PPC_WORD = sizeof(wiresum_ppc_word) };

struct __attribute__((packed, may_alias)) wiresum_ppc_unaligned { wiresum_ppc_word word; };
static inline wiresum_ppc_word wiresum_ppc_load(const void *p) { return ((const struct wiresum_ppc_unaligned *)p)->word; }
static inline void wiresum_ppc_store(void *p, wiresum_ppc_word x) { ((struct wiresum_ppc_unaligned *)p)->word = x; }

/* End-around addition, in two instructions. */
static inline wiresum_ppc_word wiresum_ppc_add(wiresum_ppc_word a, wiresum_ppc_word b)
{
    __asm__("addc %0,%0,%1\n\taddze %0,%0" : "+r"(a) : "r"(b) : "xer");
    return a;
}

/* The word whose first r bytes are the last r before end and whose others are 0, r < a word; reads the word before end. Two
   shifts, since one by all bits of a word is not C's to do. */
static inline wiresum_ppc_word wiresum_ppc_load_last(const uint8_t *end, size_t r)
{
    const wiresum_ppc_word x = wiresum_ppc_load(end - WIRESUM_PPC_WORD);
    const unsigned gap = 8 * (unsigned)(~r & (WIRESUM_PPC_WORD - 1));
    return WIRESUM_BIG_ENDIAN ? x << gap << 8 : x >> gap >> 8;
}

/* The word whose last r bytes are the first r at p and whose others are 0, r < a word; reads the word at p. */
static inline wiresum_ppc_word wiresum_ppc_load_first(const uint8_t *p, size_t r)
{
    const wiresum_ppc_word x = wiresum_ppc_load(p);
    const unsigned gap = 8 * (unsigned)(~r & (WIRESUM_PPC_WORD - 1));
    return WIRESUM_BIG_ENDIAN ? x >> gap >> 8 : x << gap << 8;
}

#endif

#endif
