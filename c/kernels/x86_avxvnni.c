/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-VNNI, the 256-bit form of VNNI for CPUs without AVX-512: 256 bytes a step. vpdpwssd adds pairs of signed words to 32-bit
 * lanes, so each word is first moved from [0, 2^16) to [-2^15, 2^15) by flipping its top bit; a vector then counts
 * 16 × 2^15 = 2^19 too little, which flush adds. Two operations a vector, against three of plain AVX2. The walk over the data, and
 * the bound of the lanes, are in x86_avxvnni.h.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_AVXVNNI

#define TARGET __attribute__((target("avxvnni,avx2,bmi2")))

#include "x86_avx2.h"

WIRESUM_DECLARE_KERNEL(x86_avxvnni);

/* The empty asm keeps GCC 12 from copying accumulators to other registers, and out of those to the stack. */
TARGET static inline __m256i add(__m256i lanes, __m256i x)
{
    lanes = _mm256_dpwssd_avx_epi32(lanes, _mm256_xor_si256(x, _mm256_set1_epi16(INT16_MIN)), _mm256_set1_epi16(1));
    __asm__("" : "+x"(lanes));
    return lanes;
}

TARGET static inline uint64_t flush(__m256i lanes, uint64_t vectors)
{
    const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(lanes));
    const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(lanes, 1));
    return wiresum_sum_lanes256(_mm256_add_epi64(low, high)) + (vectors << 19);
}

#include "x86_avxvnni.h"

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
