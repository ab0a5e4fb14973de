/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The IPv4 headers of x86_avx512vnni.c: sixteen headers of 20 bytes a step. */
#ifndef WIRESUM_X86_AVX512VNNI_HEADERS_H
#define WIRESUM_X86_AVX512VNNI_HEADERS_H

#include "x86_avx512vnni.h"

/* Loads four times 16 bytes: the i-th at p + 4 × i × stride. */
TARGET static inline __m512i load_every_fourth(const uint8_t *p, size_t stride)
{
    __m512i x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(p + 4 * stride)), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(p + 8 * stride)), 2);
    return _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(p + 12 * stride)), 3);
}

/*
 * Puts the sums of the headers that begin every stride bytes, the first of n at first, into sums,
 * sixteen a step. Returns how many sums it has stored: it stops before a step in which a header has
 * options, or is none. One vector holds bytes 0 to 15 of four headers, and a second one their bytes
 * 4 to 19, of which only the last four count. Four such pairs are transposed, so that one vector
 * holds sixteen sums, which are folded together.
 *
 * Of each header 20 bytes are read before its IHL is known. They are inside the array, since stride
 * is at least 20. Of the last header, the IHL is looked at first.
 */
INLINE size_t sum_headers(const uint8_t *first, size_t stride, size_t n, uint16_t *sums)
{
    const __m512i top_bits = _mm512_set1_epi32((int32_t)TOP_BITS), ones = _mm512_set1_epi32(ONE);
    const __m512i last_pair = _mm512_maskz_mov_epi32(0x8888, ones);
    const __m512i bias = _mm512_slli_epi32(_mm512_add_epi16(ones, last_pair), 16);
    const __m512i ihl = _mm512_set1_epi32(15), ihl_of_20 = _mm512_set1_epi32(5);

    size_t done = 0;
    if (stride < 20)
        return 0;
    for (; n - done > 16 || (n - done == 16 && (first[(n - 1) * stride] & 15) >= 5); done += 16) {
        const uint8_t *const p = first + done * stride;
        __m512i sum[4], other = _mm512_setzero_si512();
        for (size_t i = 0; i < 4; i++) {
            const __m512i x = load_every_fourth(p + i * stride, stride),
                          y = load_every_fourth(p + i * stride + 4, stride);
            other =
                _mm512_ternarylogic_epi32(other, x, ihl_of_20, 0xF6); /* other | (x ^ ihl_of_20) */
            sum[i] =
                _mm512_dpwssd_epi32(_mm512_dpwssd_epi32(bias, _mm512_xor_si512(x, top_bits), ones),
                                    _mm512_xor_si512(y, top_bits), last_pair);
        }
        if (WIRESUM_UNLIKELY(_mm512_mask_test_epi32_mask(0x1111, other, ihl) != 0))
            break; /* options, or no header */
        const __m512i s01 = _mm512_add_epi32(_mm512_unpacklo_epi32(sum[0], sum[1]),
                                             _mm512_unpackhi_epi32(sum[0], sum[1]));
        const __m512i s23 = _mm512_add_epi32(_mm512_unpacklo_epi32(sum[2], sum[3]),
                                             _mm512_unpackhi_epi32(sum[2], sum[3]));
        const __m512i all =
            _mm512_add_epi32(_mm512_unpacklo_epi64(s01, s23), _mm512_unpackhi_epi64(s01, s23));
        const __m512i folded =
            _mm512_srli_epi32(_mm512_add_epi32(all, _mm512_rol_epi32(all, 16)), 16);
        _mm256_storeu_si256((__m256i *)(sums + done), _mm512_cvtepi32_epi16(folded));
    }
    return done;
}

#endif
