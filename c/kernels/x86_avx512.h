/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the AVX-512 kernels share: the ends of the data. A masked load that touches an unmapped page
 * takes about 1000 cycles on Zen 4, although the load reads no masked byte. So no load here reaches
 * beyond the data into the next page. */
#ifndef WIRESUM_X86_AVX512_H
#define WIRESUM_X86_AVX512_H

#include "../src/kernel.h"

#include "x86_intrinsics.h"

#define WIRESUM_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,bmi2")))

/* Returns x with zeros in place of all bytes except the last r, 0 <= r <= 64. */
WIRESUM_AVX512 static inline __m512i wiresum_last_of512(__m512i x, size_t r)
{
    return _mm512_maskz_mov_epi8(~_bzhi_u64(~UINT64_C(0), (unsigned)(64 - r)), x);
}

/* Returns the sum of the low and the high halves of the eight 64-bit words of x: below 2^36. */
WIRESUM_AVX512 static inline uint64_t wiresum_partial_vector512(__m512i x)
{
    const __m512i both =
        _mm512_add_epi64(_mm512_srli_epi64(x, 32), _mm512_maskz_mov_epi32(0x5555, x));
    const __m256i half =
        _mm256_add_epi64(_mm512_castsi512_si256(both), _mm512_extracti64x4_epi64(both, 1));
    const __m128i quarter =
        _mm_add_epi64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return (uint64_t)_mm_cvtsi128_si64(quarter) + (uint64_t)_mm_extract_epi64(quarter, 1);
}

/* Returns the sum of 32 to 64 bytes, an even number: the first 32 and the last 32, which overlap.
 */
WIRESUM_AVX512 static inline uint64_t wiresum_partial_halves512(__m256i first, __m256i last,
                                                                size_t even)
{
    const __mmask32 uncounted = (__mmask32)(~UINT64_C(0) << (64 - even));
    return wiresum_partial_vector512(_mm512_inserti64x4(_mm512_castsi256_si512(first),
                                                        _mm256_maskz_mov_epi8(uncounted, last), 1));
}

/* Returns whether a vector at p touches one page only. */
static inline bool wiresum_is_in_page512(const uint8_t *p)
{
    return ((uintptr_t)p & 4095) <= 4096 - 64;
}

/* Returns the sum of n <= 64 bytes at any address. */
WIRESUM_AVX512 static inline uint64_t wiresum_partial_at_page_end512(const void *data, size_t n)
{
    const uint8_t *const p = data;
    if (n < 32)
        return wiresum_partial_short(p, n);
    const size_t even = n & ~(size_t)1;
    return wiresum_partial_halves512(_mm256_loadu_si256((const __m256i *)p),
                                     _mm256_loadu_si256((const __m256i *)(p + even - 32)), even)
           + wiresum_odd_byte(p, n);
}

/* Copies n <= 64 bytes, and returns their sum. Stores overlap, since a masked store to an unmapped
 * page is as slow as a masked load. */
WIRESUM_AVX512 static inline uint64_t wiresum_copy_upto64(void *dst, const void *src, size_t n)
{
    uint8_t *const out = dst;
    const uint8_t *const p = src;
    if (n < 32)
        return wiresum_copy_short(out, p, n);
    const size_t even = n & ~(size_t)1;
    const uint64_t odd = wiresum_copy_odd_byte(out, p, n);
    const __m256i first = _mm256_loadu_si256((const __m256i *)p),
                  last = _mm256_loadu_si256((const __m256i *)(p + even - 32));
    _mm256_storeu_si256((__m256i *)(out + even - 32), last);
    _mm256_storeu_si256((__m256i *)out, first);
    return wiresum_partial_halves512(first, last, even) + odd;
}

#endif
