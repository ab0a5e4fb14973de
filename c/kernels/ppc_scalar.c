/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * PowerPC, 32 and 64 bits, either byte order: eight words a step (32 or 64 bytes) through one chain
 * of adde. IBM disclosed this shape as an improvement for AIX 3.2. The carry stays in XER from the
 * first word to the last, one addze at the end adds it, a load with update advances the address,
 * and the loop closes on the count register. None of these touches the carry, so a step has nothing
 * but loads and additions. The document updates the address with every load. Here the last load of
 * a step does so for all eight: the number of instructions is the same, and no load waits for
 * another.
 *
 * No compiler keeps the carry across a loop, so the loop is assembly. There is one carry bit,
 * therefore one chain, and the chain is the limit: POWER6 and later take two cycles from one adde
 * to the next. These CPUs have vectors. ppc_vsx uses this sum for short data, so the sum is in
 * ppc_words.h.
 *
 * Bound: none. The next adde adds the carry out of the top bit at bit 0.
 */
#include "ppc_words.h"

#if WIRESUM_HAVE_PPC_SCALAR

#  define LOAD  WIRESUM_PPC_LOAD
#  define SHIFT WIRESUM_PPC_SHIFT
#  define STORE WIRESUM_PPC_STORE

typedef wiresum_ppc_word word;
enum { WORD = WIRESUM_PPC_WORD };

uint64_t wiresum_kernel_ppc_scalar(const void *data, size_t n)
{
    return wiresum_ppc_sum(data, n);
}

/* Copies fewer bytes than a word has, and returns their sum. */
static inline word copy_short(uint8_t *out, const uint8_t *p, size_t n)
{
#  if __SIZEOF_LONG__ == 8
    return wiresum_copy_short(out, p, n);
#  else
    word sum = 0;
    if (n & 2) {
        const uint16_t x = wiresum_load16_once(p);
        wiresum_store16(out, x);
        sum = x;
    }
    if (n & 1) {
        const word x = wiresum_load8_once(p + n - 1);
        out[n - 1] = (uint8_t)x;
        sum += x << (WIRESUM_BIG_ENDIAN ? 8 : 0);
    }
    return sum;
#  endif
}

uint64_t wiresum_kernel_ppc_scalar_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (WIRESUM_UNLIKELY(n < WORD))
        return copy_short(out, p, n);
    /* The end is stored first. The loop stores some of its bytes again. */
    const word last = wiresum_ppc_load(p + n - WORD);
    wiresum_ppc_store(out + n - WORD, last);
    word sum = wiresum_ppc_last_of(last, n % WORD);
    word words = n / WORD, a, b, c, d;
    /* clang-format off */
    __asm__ volatile(
        "addic %[sum],%[sum],0\n\t"
        "addi %[p],%[p],-%[w]\n\t"
        "addi %[out],%[out],-%[w]\n\t"
        SHIFT " %[a],%[words],3\n\t"
        "beq 2f\n\t"
        "mtctr %[a]\n"
        "1:\t" LOAD " %[a],%[w](%[p])\n\t"
        LOAD " %[b],%[w]*2(%[p])\n\t"
        LOAD " %[c],%[w]*3(%[p])\n\t"
        LOAD " %[d],%[w]*4(%[p])\n\t"
        "adde %[sum],%[sum],%[a]\n\t"
        STORE " %[a],%[w](%[out])\n\t"
        "adde %[sum],%[sum],%[b]\n\t"
        STORE " %[b],%[w]*2(%[out])\n\t"
        "adde %[sum],%[sum],%[c]\n\t"
        STORE " %[c],%[w]*3(%[out])\n\t"
        "adde %[sum],%[sum],%[d]\n\t"
        STORE " %[d],%[w]*4(%[out])\n\t"
        LOAD " %[a],%[w]*5(%[p])\n\t"
        LOAD " %[b],%[w]*6(%[p])\n\t"
        LOAD " %[c],%[w]*7(%[p])\n\t"
        LOAD "u %[d],%[w]*8(%[p])\n\t"
        "adde %[sum],%[sum],%[a]\n\t"
        STORE " %[a],%[w]*5(%[out])\n\t"
        "adde %[sum],%[sum],%[b]\n\t"
        STORE " %[b],%[w]*6(%[out])\n\t"
        "adde %[sum],%[sum],%[c]\n\t"
        STORE " %[c],%[w]*7(%[out])\n\t"
        "adde %[sum],%[sum],%[d]\n\t"
        STORE "u %[d],%[w]*8(%[out])\n\t"
        "bdnz 1b\n"
        "2:\tandi. %[words],%[words],7\n\t"
        "beq 4f\n\t"
        "mtctr %[words]\n"
        "3:\t" LOAD "u %[a],%[w](%[p])\n\t"
        "adde %[sum],%[sum],%[a]\n\t"
        STORE "u %[a],%[w](%[out])\n\t"
        "bdnz 3b\n"
        "4:\taddze %[sum],%[sum]"
        : [sum] "+r"(sum), [p] "+b"(p), [out] "+b"(out), [words] "+r"(words),
          [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d)
        : [w] "n"(WORD)
        : "ctr", "cr0", "xer", "memory");
    /* clang-format on */
    return sum;
}

#else
typedef int wiresum_ppc_scalar_is_not_for_this_machine;
#endif
