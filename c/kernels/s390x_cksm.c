/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * CKSM, which every z/Architecture machine has: one instruction is the whole checksum, with the
 * end-around carry, any alignment, and the padding of the last word. The machine may stop it early,
 * after as many bytes as the machine chooses. Condition code 3 then says so, and address, length
 * and sum are ready to go on. The copy goes by pieces that stay in the first-level cache: mvc
 * copies 256 bytes at a time, and CKSM sums the copy.
 *
 * Bound: none. CKSM adds each carry at the lower end.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_S390X_CKSM

WIRESUM_DECLARE_KERNEL(s390x_cksm);

/* Bytes copied before they are summed: a multiple of 4, so that no word is cut. */
enum { PIECE = 4096 };

/* Adds the words of [p, p + n) to sum. CKSM takes address and length in an even register and the
 * odd one after it. */
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

/* Copies n > 0 bytes. An mvc contains its length less one. ex executes the last mvc with the length
 * that is left. */
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
