/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * CKSM, which every z/Architecture machine has: one instruction is the whole checksum, end-around
 * carry, any alignment and the padding of the last word included. It may stop early, after as many
 * bytes as the machine chooses, and then says so by condition code 3, with address, length and sum
 * ready to go on. The copy goes by pieces that stay in the first-level cache: mvc, 256 bytes at a
 * time, and then CKSM over what was written.
 *
 * Bound: none. Each carry comes back in at the lower end.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_S390X_CKSM

WIRESUM_DECLARE_KERNEL(s390x_cksm);

enum {
    PIECE = 4096
}; /* bytes copied before they are summed: a multiple of 4, so that no word is cut */

/* sum and the words of [p, p + n). CKSM takes address and length in an even register and the odd
 * one after it. */
static inline uint64_t add(uint64_t sum, const uint8_t *p, size_t n)
{
    __extension__ typedef unsigned __int128 register_pair;
    register_pair place = (register_pair)(uintptr_t)p << 64 | n;
    __asm__("0:\tcksm %[sum], %[place]\n\t"
            "jo 0b"
            : [sum] "+d"(sum), [place] "+d"(place)
            : "m"(*(const uint8_t (*)[n])p)
            : "cc");
    return sum;
}

/* n > 0. The length of an mvc is in the instruction, one less than it is; ex puts the one of the
 * last in. */
static inline void copy(uint8_t *out, const uint8_t *p, size_t n)
{
    for (; n > 256; n -= 256, p += 256, out += 256)
        __asm__ volatile("mvc 0(256,%[out]), 0(%[p])" : : [out] "a"(out), [p] "a"(p) : "memory");
    __asm__ volatile("larl %%r1, 1f\n\t"
                     "ex %[less], 0(%%r1)\n\t"
                     "j 2f\n"
                     "1:\tmvc 0(1,%[out]), 0(%[p])\n"
                     "2:"
                     :
                     : [out] "a"(out), [p] "a"(p), [less] "a"(n - 1)
                     : "r1", "memory");
}

uint64_t wiresum_kernel_s390x_cksm(const void *data, size_t n)
{
    return add(0, data, n);
}

uint64_t wiresum_kernel_s390x_cksm_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    uint64_t sum = 0;

    for (; n > PIECE; n -= PIECE, p += PIECE, out += PIECE) {
        copy(out, p, PIECE);
        sum = add(sum, out, PIECE);
    }
    if (n) {
        copy(out, p, n);
        sum = add(sum, out, n);
    }
    return sum;
}

#else
typedef int wiresum_s390x_cksm_is_not_for_this_machine;
#endif
