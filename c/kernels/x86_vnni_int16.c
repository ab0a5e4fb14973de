/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-VNNI-INT16: 256 bytes a step, one operation a vector, which no other extension of x86 reaches. vpdpwuud adds pairs of
 * unsigned words, each times a word of 1, to 32-bit lanes. The walk over the data, and the bound of the lanes, are in
 * x86_avxvnni.h. GCC 14 and Clang 17 are the first compilers to know the instruction; without them the kernel is not in the list.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_VNNI_INT16

#define TARGET __attribute__((target("avxvnniint16,avx2,bmi2")))

#include "x86_avx2.h"

WIRESUM_DECLARE_KERNEL(x86_vnni_int16);

/* The empty asm: as in x86_avxvnni.c. */
TARGET static inline __m256i add(__m256i lanes, __m256i x)
{
    lanes = _mm256_dpwuud_epi32(lanes, _mm256_set1_epi16(1), x);
    __asm__("" : "+x"(lanes));
    return lanes;
}

TARGET static inline uint64_t flush(__m256i lanes, uint64_t vectors)
{
    (void)vectors;
    const __m256i low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(lanes));
    const __m256i high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(lanes, 1));
    return wiresum_sum_lanes256(_mm256_add_epi64(low, high));
}

#include "x86_avxvnni.h"

TARGET uint64_t wiresum_kernel_x86_vnni_int16(const void *data, size_t n)
{
    return sum_words(data, n);
}

TARGET uint64_t wiresum_kernel_x86_vnni_int16_copy(void *dst, const void *src, size_t n)
{
    return copy_words(dst, src, n);
}

#else
typedef int wiresum_x86_vnni_int16_is_not_for_this_machine;
#endif
