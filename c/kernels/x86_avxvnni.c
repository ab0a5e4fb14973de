/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-VNNI, the 256-bit form of VNNI for CPUs without AVX-512: 128 bytes a step, two operations a
 * vector where AVX2 needs three. vpdpwssd multiplies signed words, here by ones, and adds two
 * neighboring products to a 32-bit lane. So the kernel flips the top bit of each word, which moves
 * the word from [0, 2^16) to [-2^15, 2^15). Each word then counts 2^15 too little, and the flush
 * adds this bias. The walk over the data and the bound of the lanes are in x86_avxvnni.h.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_AVXVNNI

WIRESUM_DECLARE_KERNEL(x86_avxvnni);

#  define TARGET __attribute__((target("avxvnni,avx2,bmi2")))

enum { BIAS = 1 << 15 };

#  include "x86_avxvnni.h"

/* The empty asm keeps GCC 12 from copying accumulators to other registers and to the stack. */
TARGET static inline __m256i add(__m256i lanes, __m256i x, struct constants k)
{
    lanes = _mm256_dpwssd_avx_epi32(lanes, _mm256_xor_si256(x, k.top_bit), k.one);
    __asm__("" : "+x"(lanes));
    return lanes;
}

TARGET static inline __m256i pairs(__m256i x, struct constants k)
{
    return add(_mm256_setzero_si256(), x, k);
}

TARGET uint64_t wiresum_kernel_x86_avxvnni(const void *data, size_t n)
{
    return sum_words(data, n);
}

TARGET uint64_t wiresum_kernel_x86_avxvnni_copy(void *dst, const void *src, size_t n)
{
    return copy_words(dst, src, n);
}

#else
typedef int wiresum_x86_avxvnni_is_not_for_this_machine;
#endif
