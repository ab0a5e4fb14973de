/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX2: 128 bytes a step, three operations a vector. vpmaddwd multiplies signed words, here by
 * ones, and adds two neighboring products. So the kernel flips the top bit of each word, which
 * moves the word from [0, 2^16) to [-2^15, 2^15). Each word then counts 2^15 too little, and the
 * flush adds this bias. The scheme of x86_avx512bw takes as many operations and one more
 * instruction, since a shift of AVX2 cannot load. The walk over the data and the bound of the lanes
 * are in x86_avx2.h.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_AVX2

WIRESUM_DECLARE_KERNEL(x86_avx2);

#  define TARGET __attribute__((target("avx2,bmi2")))

enum { BIAS = 1 << 15 };

#  include "x86_avx2.h"

TARGET static inline __m256i pairs(__m256i x, struct constants k)
{
    return _mm256_madd_epi16(_mm256_xor_si256(x, k.top_bit), k.one);
}

/* In assembly: GCC 12 would copy each accumulator to another register and back. */
TARGET static inline __m256i add(__m256i lanes, __m256i x, struct constants k)
{
    __asm__("vpaddd %1, %0, %0" : "+x"(lanes) : "x"(pairs(x, k)));
    return lanes;
}

TARGET uint64_t wiresum_kernel_x86_avx2(const void *data, size_t n)
{
    return sum_words(data, n);
}

TARGET uint64_t wiresum_kernel_x86_avx2_copy(void *dst, const void *src, size_t n)
{
    return copy_words(dst, src, n);
}

#else
typedef int wiresum_x86_avx2_is_not_for_this_machine;
#endif
