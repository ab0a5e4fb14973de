/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-VNNI-INT16: 128 bytes a step, one operation a vector, which no other extension of x86
 * reaches. vpdpwuud multiplies unsigned words, here by ones, and adds two neighboring products to a
 * 32-bit lane. The walk over the data and the bound of the lanes are in x86_avxvnni.h. GCC 14 and
 * Clang 17 are the first compilers that know the instruction. Older compilers leave the kernel out
 * of the list.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_VNNI_INT16

WIRESUM_DECLARE_KERNEL(x86_vnni_int16);

#  define TARGET __attribute__((target("avxvnniint16,avx2,bmi2")))

enum { BIAS = 0 };

#  include "x86_avxvnni.h"

/* The empty asm does the same as in x86_avxvnni.c. */
TARGET static inline __m256i add(__m256i lanes, __m256i x, struct constants k)
{
    lanes = _mm256_dpwuud_epi32(lanes, k.one, x);
    __asm__("" : "+x"(lanes));
    return lanes;
}

TARGET static inline __m256i pairs(__m256i x, struct constants k)
{
    return add(_mm256_setzero_si256(), x, k);
}

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
