/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the 256-bit kernels share: loads, and the end of the data, which is masked in a register because AVX2 has no byte masks. */
#ifndef WIRESUM_X86_AVX2_H
#define WIRESUM_X86_AVX2_H

#include "../src/kernel.h"

#include <immintrin.h>

#define WIRESUM_AVX2 __attribute__((target("avx2,bmi2")))

WIRESUM_AVX2 static inline __m256i wiresum_load256(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

WIRESUM_AVX2 static inline void wiresum_store256(uint8_t *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}

/* The last r bytes before end, 0 <= r <= 32, at the upper end of a vector of zeros; reads [end - 32, end). */
WIRESUM_AVX2 static inline __m256i wiresum_load_last256(const uint8_t *end, size_t r)
{
    static const uint8_t mask[64] = {
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    };
    return _mm256_and_si256(wiresum_load256(end - 32), wiresum_load256(mask + r));
}

/* The sum of four 64-bit lanes. */
WIRESUM_AVX2 static inline uint64_t wiresum_sum_lanes256(__m256i x)
{
    const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

#endif
