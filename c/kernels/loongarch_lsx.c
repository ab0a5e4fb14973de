/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * LoongArch LSX: 64 bytes a step, two operations a vector. vhaddw.du.wu adds the two 32-bit halves
 * of each 64-bit word, and vadd.d adds the result to one of four accumulators. A multiply-add of
 * words saves nothing: it takes the even words or the odd words, never both. The last bytes, fewer
 * than a vector, are summed as 64-bit words.
 *
 * The loop is assembly, with registers that no function has to preserve: the intrinsics exist with
 * -mlsx only, and target("lsx") on a function does not bring them back. The assemblers need no
 * flag.
 *
 * Bound: a vector adds less than 2^33 to a lane. All lanes of a BLOCK together are below 2^60.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_LOONGARCH_LSX

WIRESUM_DECLARE_KERNEL(loongarch_lsx);

enum { BLOCK = 1 << 30 }; /* bytes between two flushes, a multiple of a step */

/* Both compilers know a vector register by the name of the floating-point register that it extends.
 */
#  define CLOBBERED \
      "$f0", "$f1", "$f2", "$f3", "$f4", "$f5", "$f6", "$f7", "$f8", "$f9", "$f10", "$f11", "memory"

#  define ZEROS                   \
      "vxor.v $vr0,$vr0,$vr0\n\t" \
      "vxor.v $vr1,$vr1,$vr1\n\t" \
      "vxor.v $vr2,$vr2,$vr2\n\t" \
      "vxor.v $vr3,$vr3,$vr3\n\t"

#  define FLUSH                         \
      "vadd.d $vr0,$vr0,$vr1\n\t"       \
      "vadd.d $vr2,$vr2,$vr3\n\t"       \
      "vadd.d $vr0,$vr0,$vr2\n\t"       \
      "vpickve2gr.du %[sum],$vr0,0\n\t" \
      "vpickve2gr.du %[half],$vr0,1"

/* Adds the 32-bit words of vector x to accumulator a. y is scratch, and x remains for a store. */
#  define ADD(a, x, y)                                 \
      "vhaddw.du.wu $vr" #y ",$vr" #x ",$vr" #x "\n\t" \
      "vadd.d $vr" #a ",$vr" #a ",$vr" #y "\n\t"

/* Returns the sum of the whole vectors of [p, p + n), n <= BLOCK. */
static inline uint64_t sum_vectors(const uint8_t *p, size_t n)
{
    uint64_t sum, half;
    const uint8_t *const stop = p + (n & ~(size_t)63);
    /* clang-format off */
    __asm__(
        ZEROS
        "beq %[p],%[stop],2f\n"
        "1:\tvld $vr4,%[p],0\n\t"
        "vld $vr5,%[p],16\n\t"
        "vld $vr6,%[p],32\n\t"
        "vld $vr7,%[p],48\n\t"
        "addi.d %[p],%[p],64\n\t"
        ADD(0, 4, 8)
        ADD(1, 5, 9)
        ADD(2, 6, 10)
        ADD(3, 7, 11)
        "bne %[p],%[stop],1b\n"
        "2:\tandi %[half],%[n],32\n\t"
        "beqz %[half],3f\n\t"
        "vld $vr4,%[p],0\n\t"
        "vld $vr5,%[p],16\n\t"
        "addi.d %[p],%[p],32\n\t"
        ADD(0, 4, 8)
        ADD(1, 5, 9)
        "3:\tandi %[half],%[n],16\n\t"
        "beqz %[half],4f\n\t"
        "vld $vr6,%[p],0\n\t"
        ADD(2, 6, 10)
        "4:\t" FLUSH
        : [sum] "=&r"(sum), [half] "=&r"(half), [p] "+&r"(p)
        : [n] "r"(n), [stop] "r"(stop)
        : CLOBBERED);
    /* clang-format on */
    return sum + half;
}

/* Copies the whole vectors of [p, p + n), n <= BLOCK, to out, and returns their sum. */
static inline uint64_t copy_vectors(uint8_t *out, const uint8_t *p, size_t n)
{
    uint64_t sum, half;
    const uint8_t *const stop = p + (n & ~(size_t)63);
    /* clang-format off */
    __asm__ volatile(
        ZEROS
        "beq %[p],%[stop],2f\n"
        "1:\tvld $vr4,%[p],0\n\t"
        "vld $vr5,%[p],16\n\t"
        "vld $vr6,%[p],32\n\t"
        "vld $vr7,%[p],48\n\t"
        "addi.d %[p],%[p],64\n\t"
        ADD(0, 4, 8)
        "vst $vr4,%[out],0\n\t"
        ADD(1, 5, 9)
        "vst $vr5,%[out],16\n\t"
        ADD(2, 6, 10)
        "vst $vr6,%[out],32\n\t"
        ADD(3, 7, 11)
        "vst $vr7,%[out],48\n\t"
        "addi.d %[out],%[out],64\n\t"
        "bne %[p],%[stop],1b\n"
        "2:\tandi %[half],%[n],32\n\t"
        "beqz %[half],3f\n\t"
        "vld $vr4,%[p],0\n\t"
        "vld $vr5,%[p],16\n\t"
        "addi.d %[p],%[p],32\n\t"
        ADD(0, 4, 8)
        ADD(1, 5, 9)
        "vst $vr4,%[out],0\n\t"
        "vst $vr5,%[out],16\n\t"
        "addi.d %[out],%[out],32\n\t"
        "3:\tandi %[half],%[n],16\n\t"
        "beqz %[half],4f\n\t"
        "vld $vr6,%[p],0\n\t"
        ADD(2, 6, 10)
        "vst $vr6,%[out],0\n"
        "\t4:\t" FLUSH
        : [sum] "=&r"(sum), [half] "=&r"(half), [out] "+&r"(out), [p] "+&r"(p)
        : [n] "r"(n), [stop] "r"(stop)
        : CLOBBERED);
    /* clang-format on */
    return sum + half;
}

/* Returns the sum of the n % 16 bytes before end, n >= 16. */
static inline uint64_t sum_last(const uint8_t *end, size_t n)
{
    const uint64_t sum = n % 8 ? wiresum_load_last(end, n % 8) : 0;
    return n & 8 ? wiresum_add64(sum, wiresum_load64(end - n % 16)) : sum;
}

uint64_t wiresum_kernel_loongarch_lsx(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (n < 32)
        return wiresum_partial_short(p, n);
    uint64_t sum = sum_last(p + n, n);
    for (; WIRESUM_UNLIKELY(n > BLOCK); n -= BLOCK, p += BLOCK)
        sum = wiresum_add64(sum, sum_vectors(p, BLOCK));
    return wiresum_add64(sum, sum_vectors(p, n));
}

uint64_t wiresum_kernel_loongarch_lsx_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 32)
        return wiresum_copy_short(out, p, n);
    /* The end is stored first. The loop stores some of its bytes again. */
    const uint64_t x = wiresum_load64_once(p + n - 16), y = wiresum_load64_once(p + n - 8);
    uint64_t sum = wiresum_partial_last16(x, y, n);
    wiresum_store64(out + n - 16, x);
    wiresum_store64(out + n - 8, y);
    for (; WIRESUM_UNLIKELY(n > BLOCK); n -= BLOCK, p += BLOCK, out += BLOCK)
        sum = wiresum_add64(sum, copy_vectors(out, p, BLOCK));
    return wiresum_add64(sum, copy_vectors(out, p, n));
}

#else
typedef int wiresum_loongarch_lsx_is_not_for_this_machine;
#endif
