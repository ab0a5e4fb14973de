/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the PowerPC kernels share: sums of words, as wide as a register. The vector kernels sum in
 * words the bytes that their vectors leave at either end. */
#ifndef WIRESUM_PPC_WORDS_H
#define WIRESUM_PPC_WORDS_H

#include "../src/kernel.h"

#if WIRESUM_PPC

/* The kernel for data too short for vectors. Its sums fit in a word. */
WIRESUM_DECLARE_KERNEL(ppc_scalar);

/* A word, as wide as a register. A sum of words with end-around carry is congruent mod 0xFFFF to
 * the sum of their 16-bit words. */
typedef unsigned long wiresum_ppc_word;
enum { WIRESUM_PPC_WORD = sizeof(wiresum_ppc_word) };

#  if __SIZEOF_LONG__ == 8
#    define WIRESUM_PPC_LOAD  "ld"
#    define WIRESUM_PPC_STORE "std"
#    define WIRESUM_PPC_SHIFT "srdi."
#  else
#    define WIRESUM_PPC_LOAD  "lwz"
#    define WIRESUM_PPC_STORE "stw"
#    define WIRESUM_PPC_SHIFT "srwi."
#  endif

struct __attribute__((packed, may_alias)) wiresum_ppc_unaligned {
    wiresum_ppc_word word;
};
static inline wiresum_ppc_word wiresum_ppc_load(const void *p)
{
    return ((const struct wiresum_ppc_unaligned *)p)->word;
}
static inline void wiresum_ppc_store(void *p, wiresum_ppc_word x)
{
    ((struct wiresum_ppc_unaligned *)p)->word = x;
}

/* End-around addition, in two instructions. */
static inline wiresum_ppc_word wiresum_ppc_add(wiresum_ppc_word a, wiresum_ppc_word b)
{
    __asm__("addc %0,%0,%1\n\taddze %0,%0" : "+r"(a) : "r"(b) : "xer");
    return a;
}

/* Returns the last r bytes of x as the first bytes of a word of zeros, r < a word. Shifts twice,
 * since C does not define a shift by all bits of a word. */
static inline wiresum_ppc_word wiresum_ppc_last_of(wiresum_ppc_word x, size_t r)
{
    const unsigned gap = 8 * (unsigned)(~r & (WIRESUM_PPC_WORD - 1));
    return WIRESUM_BIG_ENDIAN ? x << gap << 8 : x >> gap >> 8;
}

/* Returns the last r bytes before end so, r < a word. Reads the word before end. */
static inline wiresum_ppc_word wiresum_ppc_load_last(const uint8_t *end, size_t r)
{
    return wiresum_ppc_last_of(wiresum_ppc_load(end - WIRESUM_PPC_WORD), r);
}

/* Returns the first r bytes at p as the last bytes of a word of zeros, r < a word. Reads the word
 * at p. */
static inline wiresum_ppc_word wiresum_ppc_load_first(const uint8_t *p, size_t r)
{
    const wiresum_ppc_word x = wiresum_ppc_load(p);
    const unsigned gap = 8 * (unsigned)(~r & (WIRESUM_PPC_WORD - 1));
    return WIRESUM_BIG_ENDIAN ? x >> gap >> 8 : x << gap << 8;
}

/* Returns the sum of fewer bytes than a word has. */
static inline wiresum_ppc_word wiresum_ppc_sum_short(const uint8_t *p, size_t n)
{
#  if __SIZEOF_LONG__ == 8
    return wiresum_load_short(p, n);
#  else
    wiresum_ppc_word sum = n & 2 ? wiresum_load16(p) : 0;
    if (n & 1)
        sum += (wiresum_ppc_word)p[n - 1] << (WIRESUM_BIG_ENDIAN ? 8 : 0);
    return sum;
#  endif
}

/* Sums eight words a step, and the rest one by one, all in one carry chain: see ppc_scalar.c. */
static inline wiresum_ppc_word wiresum_ppc_sum(const uint8_t *p, size_t n)
{
    if (WIRESUM_UNLIKELY(n < WIRESUM_PPC_WORD))
        return wiresum_ppc_sum_short(p, n);

    wiresum_ppc_word sum = wiresum_ppc_load_last(p + n, n % WIRESUM_PPC_WORD);
    wiresum_ppc_word words = n / WIRESUM_PPC_WORD, a, b, c, d;
    /* clang-format off */
    __asm__(
        "addic %[sum],%[sum],0\n\t" /* clears the carry */
        "addi %[p],%[p],-%[w]\n\t" /* a load with update steps first */
        WIRESUM_PPC_SHIFT " %[a],%[words],3\n\t"
        "beq 2f\n\t"
        "mtctr %[a]\n"
        "1:\t" WIRESUM_PPC_LOAD " %[a],%[w](%[p])\n\t"
        WIRESUM_PPC_LOAD " %[b],%[w]*2(%[p])\n\t"
        WIRESUM_PPC_LOAD " %[c],%[w]*3(%[p])\n\t"
        WIRESUM_PPC_LOAD " %[d],%[w]*4(%[p])\n\t"
        "adde %[sum],%[sum],%[a]\n\t"
        "adde %[sum],%[sum],%[b]\n\t"
        "adde %[sum],%[sum],%[c]\n\t"
        "adde %[sum],%[sum],%[d]\n\t"
        WIRESUM_PPC_LOAD " %[a],%[w]*5(%[p])\n\t"
        WIRESUM_PPC_LOAD " %[b],%[w]*6(%[p])\n\t"
        WIRESUM_PPC_LOAD " %[c],%[w]*7(%[p])\n\t"
        WIRESUM_PPC_LOAD "u %[d],%[w]*8(%[p])\n\t"
        "adde %[sum],%[sum],%[a]\n\t"
        "adde %[sum],%[sum],%[b]\n\t"
        "adde %[sum],%[sum],%[c]\n\t"
        "adde %[sum],%[sum],%[d]\n\t"
        "bdnz 1b\n"
        "2:\tandi. %[words],%[words],7\n\t"
        "beq 4f\n\t"
        "mtctr %[words]\n"
        "3:\t" WIRESUM_PPC_LOAD "u %[a],%[w](%[p])\n\t"
        "adde %[sum],%[sum],%[a]\n\t"
        "bdnz 3b\n"
        "4:\taddze %[sum],%[sum]"
        : [sum] "+r"(sum), [p] "+b"(p), [words] "+r"(words), [a] "=&r"(a), [b] "=&r"(b),
          [c] "=&r"(c), [d] "=&r"(d)
        : [w] "n"(WIRESUM_PPC_WORD)
        : "ctr", "cr0", "xer", "memory");
    /* clang-format on */
    return sum;
}

#endif

#endif
