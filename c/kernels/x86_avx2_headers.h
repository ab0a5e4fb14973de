/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The IPv4 headers of x86_avx2.c: eight headers of 20 bytes a step. */
#ifndef WIRESUM_X86_AVX2_HEADERS_H
#define WIRESUM_X86_AVX2_HEADERS_H

#include "x86_avx2.h"

/* Loads 16 bytes at p, and 16 bytes four strides further. */
INLINE __m256i load_two(const uint8_t *p, size_t stride)
{
    const __m128i *const first = (const __m128i *)p, *const second =
                                                         (const __m128i *)(p + 4 * stride);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(first)),
                                   _mm_loadu_si128(second), 1);
}

/*
 * Puts the sums of the headers that begin every stride bytes, the first of n at first, into sums,
 * eight a step. Returns how many sums it has stored: it stops before a step in which a header has
 * options, or is none. One vector holds bytes 0 to 15 of two headers, and a second one their bytes
 * 4 to 19, of which only the last four count. Four such pairs are transposed, so that one vector
 * holds eight sums, which are folded together.
 *
 * Of each header 20 bytes are read before its IHL is known. They are inside the array, since stride
 * is at least 20. Of the last header, the IHL is looked at first.
 */
INLINE size_t sum_headers(const uint8_t *first, size_t stride, size_t n, uint16_t *sums)
{
    const __m256i ones = _mm256_set1_epi16(1), top_bit = _mm256_slli_epi16(ones, 15);
    const struct constants k = { ones, top_bit };
    const __m256i last_pair = _mm256_slli_si256(_mm256_srli_si256(ones, 12), 12);
    const __m256i bias = _mm256_slli_epi32(_mm256_add_epi16(ones, last_pair), 16);
    const __m256i ihl_of_20 = _mm256_set1_epi32(5);
    const __m256i ihl = _mm256_srli_si256(_mm256_set1_epi32(15), 12); /* of two headers */
    size_t done = 0;
    if (stride < 20)
        return 0;
    for (; n - done > 8 || (n - done == 8 && (first[(n - 1) * stride] & 15) >= 5); done += 8) {
        const uint8_t *const p = first + done * stride;
        __m256i sum[4], other = _mm256_setzero_si256();
        for (size_t i = 0; i < 4; i++) {
            const __m256i x = load_two(p + i * stride, stride),
                          y = load_two(p + i * stride + 4, stride);
            other = _mm256_or_si256(other, _mm256_xor_si256(x, ihl_of_20));
            sum[i] =
                _mm256_add_epi32(_mm256_add_epi32(bias, pairs(x, ones, k)), pairs(y, last_pair, k));
        }
        if (WIRESUM_UNLIKELY(!_mm256_testz_si256(other, ihl)))
            break; /* options, or no header */
        const __m256i s01 = _mm256_add_epi32(_mm256_unpacklo_epi32(sum[0], sum[1]),
                                             _mm256_unpackhi_epi32(sum[0], sum[1]));
        const __m256i s23 = _mm256_add_epi32(_mm256_unpacklo_epi32(sum[2], sum[3]),
                                             _mm256_unpackhi_epi32(sum[2], sum[3]));
        const __m256i all =
            _mm256_add_epi32(_mm256_unpacklo_epi64(s01, s23), _mm256_unpackhi_epi64(s01, s23));
        const __m256i exchanged =
            _mm256_or_si256(_mm256_slli_epi32(all, 16), _mm256_srli_epi32(all, 16));
        const __m256i folded = _mm256_srli_epi32(_mm256_add_epi32(all, exchanged), 16);
        _mm_storeu_si128(
            (__m128i *)(sums + done),
            _mm_packus_epi32(_mm256_castsi256_si128(folded), _mm256_extracti128_si256(folded, 1)));
    }
    return done;
}

#endif
