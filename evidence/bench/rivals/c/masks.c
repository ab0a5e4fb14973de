/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The sum with AVX2 as BESS does it (core/utils/checksum.h), written anew: masks take the even and
 * the odd 32-bit words of a vector apart, and two additions count them in lanes of 64 bits. The
 * bytes after the last 64 go through the carry flag, eight at a time. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

uint64_t rival_masks(const void *data, size_t n);

static uint64_t add_around(uint64_t a, uint64_t b)
{
    return a + b + (a + b < b);
}

static uint64_t word_at(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

__attribute__((target("avx2"))) uint64_t rival_masks(const void *data, size_t n)
{
    const uint8_t *p = data;
    uint64_t sum = 0;
    if (n >= 64) {
        const __m256i low = _mm256_set1_epi64x(0xFFFFFFFF);
        __m256i a = _mm256_setzero_si256(), b = a;
        for (; n >= 64; n -= 64, p += 64) {
            const __m256i x = _mm256_loadu_si256((const __m256i *)p);
            const __m256i y = _mm256_loadu_si256((const __m256i *)(p + 32));
            a = _mm256_add_epi64(a, _mm256_and_si256(x, low));
            b = _mm256_add_epi64(b, _mm256_srli_epi64(x, 32));
            a = _mm256_add_epi64(a, _mm256_and_si256(y, low));
            b = _mm256_add_epi64(b, _mm256_srli_epi64(y, 32));
        }
        a = _mm256_add_epi64(a, b);
        const __m128i x = _mm_add_epi64(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
        sum = (uint64_t)_mm_cvtsi128_si64(x) + (uint64_t)_mm_extract_epi64(x, 1);
    }
    for (; n >= 32; n -= 32, p += 32)
        __asm__("addq %1, %0\n\tadcq 8%1, %0\n\tadcq 16%1, %0\n\tadcq 24%1, %0\n\tadcq $0, %0"
                : "+r"(sum)
                : "o"(*(const char (*)[32])p)
                : "cc");
    for (; n >= 8; n -= 8, p += 8)
        sum = add_around(sum, word_at(p));
    if (n) {
        uint64_t last = 0;
        memcpy(&last, p, n);
        sum = add_around(sum, last);
    }
    sum = (sum >> 32) + (uint32_t)sum;
    sum = (sum >> 32) + (uint32_t)sum;
    sum = (sum >> 16) + (sum & 0xFFFF);
    return (sum >> 16) + (sum & 0xFFFF);
}
