/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * VSX (POWER8, 9 and 10, either byte order): 192 bytes a step, one unaligned load and one vmsumuhm
 * a vector. vmsumuhm multiplies eight 16-bit words, here by ones, and adds two neighboring products
 * to a 32-bit lane. Two start each cycle, and each takes 7 cycles, which would need 14
 * accumulators. Twelve leave six registers to load into, so that each vector is loaded six vectors
 * before it is added. No function has to preserve any of these registers.
 *
 * lxvd2x swaps the halves of a vector in little-endian mode, which changes no sum. Below FROM bytes
 * ppc_scalar takes fewer instructions. The last bytes, fewer than a vector, are summed in words:
 * lxvl of POWER9 would save two or three instructions, and would need a kernel of its own.
 *
 * Bound: a vector adds at most 2 × 0xFFFF to a lane. The accumulators are joined before a flush, so
 * all their vectors count together: 32768 × 131070 < 2^32 allows 512 KiB between two flushes.
 */
#include "ppc_words.h"

#if WIRESUM_HAVE_PPC_VSX

WIRESUM_DECLARE_KERNEL(ppc_vsx);

enum {
    BLOCK = 32768 * 16, /* bytes between two flushes */
    FROM = 128,
    AHEAD = 96, /* bytes loaded before the first step of 192 */
};

#  define CLOBBERED                                                                           \
      "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", \
          "v14", "v15", "v16", "v17", "v19", "ctr", "cr0", "memory"

/* Adds v0 to v3, and moves the two halves of the sum to general registers. VSX calls v0
 * register 32. */
#  define FLUSH(first, second)  \
      "vadduwm 0,0,1\n\t"       \
      "vadduwm 2,2,3\n\t"       \
      "vadduwm 0,0,2\n\t"       \
      "xxpermdi 33,32,32,2\n\t" \
      "mfvsrd " first ",32\n\t" \
      "mfvsrd " second ",33\n\t"

/* Returns the sum of the whole vectors of [p, p + n), n <= BLOCK. */
static inline uint64_t sum_vectors(const uint8_t *p, size_t n)
{
    const uint8_t *ahead;
    size_t steps = 0;
    if (n >= AHEAD + 192) {
        steps = (uint32_t)(n - AHEAD) / 192;
        n -= AHEAD + 192 * steps;
    }
    __asm__(".machine push\n\t"
            ".machine power8\n\t"
            "vspltish 19,1\n\t"
            "vspltisw 0,0\n\t"
            "vspltisw 1,0\n\t"
            "vspltisw 2,0\n\t"
            "vspltisw 3,0\n\t"
            "cmpldi %[steps],0\n\t"
            "beq 2f\n\t"
            "mtctr %[steps]\n\t"
            "lxvd2x 44,0,%[p]\n\t"
            "lxvd2x 45,%[p],%[i1]\n\t"
            "lxvd2x 46,%[p],%[i2]\n\t"
            "lxvd2x 47,%[p],%[i3]\n\t"
            "lxvd2x 48,%[p],%[i4]\n\t"
            "lxvd2x 49,%[p],%[i5]\n\t"
            "addi %[ahead],%[p],96\n\t"
            "vspltisw 4,0\n\t"
            "vspltisw 5,0\n\t"
            "vspltisw 6,0\n\t"
            "vspltisw 7,0\n\t"
            "vspltisw 8,0\n\t"
            "vspltisw 9,0\n\t"
            "vspltisw 10,0\n\t"
            "vspltisw 11,0\n"
            "1:\tvmsumuhm 0,12,19,0\n\t"
            "lxvd2x 44,0,%[ahead]\n\t"
            "vmsumuhm 1,13,19,1\n\t"
            "lxvd2x 45,%[ahead],%[i1]\n\t"
            "vmsumuhm 2,14,19,2\n\t"
            "lxvd2x 46,%[ahead],%[i2]\n\t"
            "vmsumuhm 3,15,19,3\n\t"
            "lxvd2x 47,%[ahead],%[i3]\n\t"
            "vmsumuhm 4,16,19,4\n\t"
            "lxvd2x 48,%[ahead],%[i4]\n\t"
            "vmsumuhm 5,17,19,5\n\t"
            "lxvd2x 49,%[ahead],%[i5]\n\t"
            "addi %[p],%[p],192\n\t"
            "vmsumuhm 6,12,19,6\n\t"
            "lxvd2x 44,0,%[p]\n\t"
            "vmsumuhm 7,13,19,7\n\t"
            "lxvd2x 45,%[p],%[i1]\n\t"
            "vmsumuhm 8,14,19,8\n\t"
            "lxvd2x 46,%[p],%[i2]\n\t"
            "vmsumuhm 9,15,19,9\n\t"
            "lxvd2x 47,%[p],%[i3]\n\t"
            "vmsumuhm 10,16,19,10\n\t"
            "lxvd2x 48,%[p],%[i4]\n\t"
            "vmsumuhm 11,17,19,11\n\t"
            "lxvd2x 49,%[p],%[i5]\n\t"
            "addi %[ahead],%[ahead],192\n\t"
            "bdnz 1b\n\t"
            "addi %[p],%[p],96\n\t"
            "vmsumuhm 0,12,19,0\n\t"
            "vmsumuhm 1,13,19,1\n\t"
            "vmsumuhm 2,14,19,2\n\t"
            "vmsumuhm 3,15,19,3\n\t"
            "vmsumuhm 4,16,19,4\n\t"
            "vmsumuhm 5,17,19,5\n\t"
            "vadduwm 6,6,8\n\t"
            "vadduwm 7,7,9\n\t"
            "vadduwm 2,2,10\n\t"
            "vadduwm 3,3,11\n\t"
            "vadduwm 0,0,4\n\t"
            "vadduwm 1,1,5\n\t"
            "vadduwm 2,2,6\n\t"
            "vadduwm 3,3,7\n"
            "2:\tsrdi. %[steps],%[n],6\n\t"
            "beq 4f\n\t"
            "mtctr %[steps]\n"
            "3:\tlxvd2x 44,0,%[p]\n\t"
            "lxvd2x 45,%[p],%[i1]\n\t"
            "lxvd2x 46,%[p],%[i2]\n\t"
            "lxvd2x 47,%[p],%[i3]\n\t"
            "addi %[p],%[p],64\n\t"
            "vmsumuhm 0,12,19,0\n\t"
            "vmsumuhm 1,13,19,1\n\t"
            "vmsumuhm 2,14,19,2\n\t"
            "vmsumuhm 3,15,19,3\n\t"
            "bdnz 3b\n"
            "4:\tandi. %[steps],%[n],32\n\t"
            "beq 5f\n\t"
            "lxvd2x 44,0,%[p]\n\t"
            "lxvd2x 45,%[p],%[i1]\n\t"
            "addi %[p],%[p],32\n\t"
            "vmsumuhm 0,12,19,0\n\t"
            "vmsumuhm 1,13,19,1\n"
            "5:\tandi. %[steps],%[n],16\n\t"
            "beq 6f\n\t"
            "lxvd2x 46,0,%[p]\n\t"
            "vmsumuhm 2,14,19,2\n"
            "6:\t" FLUSH("%[n]", "%[steps]") ".machine pop"
            : [p] "+b"(p), [ahead] "=&b"(ahead), [n] "+r"(n), [steps] "+r"(steps)
            : [i1] "r"(16), [i2] "r"(32), [i3] "r"(48), [i4] "r"(64), [i5] "r"(80)
            : CLOBBERED);
    return wiresum_ppc_add(n, steps); /* FLUSH left the halves here */
}

/* Copies the whole vectors of [p, p + n), n <= BLOCK, to out, and returns their sum. */
static inline uint64_t copy_vectors(uint8_t *out, const uint8_t *p, size_t n)
{
    size_t steps;
    __asm__ volatile(".machine push\n\t"
                     ".machine power8\n\t"
                     "vspltish 19,1\n\t"
                     "vspltisw 0,0\n\t"
                     "vspltisw 1,0\n\t"
                     "vspltisw 2,0\n\t"
                     "vspltisw 3,0\n\t"
                     "srdi. %[steps],%[n],7\n\t"
                     "beq 2f\n\t"
                     "mtctr %[steps]\n\t"
                     "vspltisw 4,0\n\t"
                     "vspltisw 5,0\n\t"
                     "vspltisw 6,0\n\t"
                     "vspltisw 7,0\n"
                     "1:\tlxvd2x 40,0,%[p]\n\t"
                     "lxvd2x 41,%[p],%[i1]\n\t"
                     "lxvd2x 42,%[p],%[i2]\n\t"
                     "lxvd2x 43,%[p],%[i3]\n\t"
                     "lxvd2x 44,%[p],%[i4]\n\t"
                     "lxvd2x 45,%[p],%[i5]\n\t"
                     "lxvd2x 46,%[p],%[i6]\n\t"
                     "lxvd2x 47,%[p],%[i7]\n\t"
                     "addi %[p],%[p],128\n\t"
                     "vmsumuhm 0,8,19,0\n\t"
                     "stxvd2x 40,0,%[out]\n\t"
                     "vmsumuhm 1,9,19,1\n\t"
                     "stxvd2x 41,%[out],%[i1]\n\t"
                     "vmsumuhm 2,10,19,2\n\t"
                     "stxvd2x 42,%[out],%[i2]\n\t"
                     "vmsumuhm 3,11,19,3\n\t"
                     "stxvd2x 43,%[out],%[i3]\n\t"
                     "vmsumuhm 4,12,19,4\n\t"
                     "stxvd2x 44,%[out],%[i4]\n\t"
                     "vmsumuhm 5,13,19,5\n\t"
                     "stxvd2x 45,%[out],%[i5]\n\t"
                     "vmsumuhm 6,14,19,6\n\t"
                     "stxvd2x 46,%[out],%[i6]\n\t"
                     "vmsumuhm 7,15,19,7\n\t"
                     "stxvd2x 47,%[out],%[i7]\n\t"
                     "addi %[out],%[out],128\n\t"
                     "bdnz 1b\n\t"
                     "vadduwm 0,0,4\n\t"
                     "vadduwm 1,1,5\n\t"
                     "vadduwm 2,2,6\n\t"
                     "vadduwm 3,3,7\n"
                     "2:\trldicl. %[steps],%[n],60,61\n\t" /* n / 16 % 8 */
                     "beq 4f\n\t"
                     "mtctr %[steps]\n"
                     "3:\tlxvd2x 40,0,%[p]\n\t"
                     "addi %[p],%[p],16\n\t"
                     "vmsumuhm 0,8,19,0\n\t"
                     "stxvd2x 40,0,%[out]\n\t"
                     "addi %[out],%[out],16\n\t"
                     "bdnz 3b\n"
                     "4:\t" FLUSH("%[n]", "%[steps]") ".machine pop"
                     : [out] "+b"(out), [p] "+b"(p), [n] "+r"(n), [steps] "=&r"(steps)
                     : [i1] "r"(16), [i2] "r"(32), [i3] "r"(48), [i4] "r"(64), [i5] "r"(80),
                       [i6] "r"(96), [i7] "r"(112)
                     : CLOBBERED);
    return wiresum_ppc_add(n, steps);
}

/* Returns the sum of the n % 16 bytes before end, n >= 8. */
static inline uint64_t sum_rest(const uint8_t *end, size_t n)
{
    const uint64_t sum = wiresum_ppc_load_last(end, n % 8);
    return n & 8 ? wiresum_ppc_add(sum, wiresum_load64(end - n % 16)) : sum;
}

uint64_t wiresum_kernel_ppc_vsx(const void *data, size_t n)
{
    const uint8_t *const p = data;
    if (n < FROM)
        return wiresum_ppc_sum(p, n); /* inlined: a call is never a jump in the 64-bit ABIs */
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return wiresum_partial_in_blocks(wiresum_kernel_ppc_vsx, BLOCK, p, n);
    const uint64_t rest = sum_rest(p + n, n);
    return wiresum_ppc_add(sum_vectors(p, n), rest);
}

uint64_t wiresum_kernel_ppc_vsx_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *const p = src;
    uint8_t *const out = dst;
    if (n < FROM)
        return wiresum_kernel_ppc_scalar_copy(out, p, n);
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return wiresum_copy_in_blocks(wiresum_kernel_ppc_vsx_copy, BLOCK, out, p, n);
    /* The end is stored first. The loop stores some of its bytes again. */
    const uint64_t x = wiresum_load64_once(p + n - 16), y = wiresum_load64_once(p + n - 8);
    const uint64_t rest = wiresum_partial_last16(x, y, n);
    wiresum_store64(out + n - 16, x);
    wiresum_store64(out + n - 8, y);
    return wiresum_ppc_add(copy_vectors(out, p, n), rest);
}

#else
typedef int wiresum_ppc_vsx_is_not_for_this_machine;
#endif
