/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The walk of the 256-bit kernels: 256 bytes a step. The file that includes this one defines TARGET
 * and BIAS before it, and pairs() and add() after it. BIAS is what a vector counts too little. Up
 * to 64 bytes are two vectors. The last vector is loaded so that it ends with the data, and a mask
 * clears the bytes that are counted already. A dot product takes up to five cycles, and up to two
 * start each cycle, so eight accumulators take turns.
 *
 * Bound: the lanes take at most BLOCK + 256 bytes between two flushes, 2^15 + 2^7 words. All lanes
 * together are below 2^32, or between -2^31 and 2^31 where words are signed, so that the sum of all
 * lanes is exact in 32 bits.
 */
#ifndef WIRESUM_X86_AVX2_H
#define WIRESUM_X86_AVX2_H

#include "x86_intrinsics.h"

enum { BLOCK = 64 << 10 }; /* bytes between two flushes, a multiple of a step */

TARGET static inline __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

TARGET static inline void store(uint8_t *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}

/* Both are made from a vector that the compiler cannot see through: it would make a constant that
 * it knows anew at each use. */
struct constants {
    __m256i one, top_bit; /* in every word */
};

/* pairs() adds neighboring words of x to sums of two, one a lane. add() adds such sums to lanes. */
TARGET static inline __m256i pairs(__m256i x, struct constants k);
TARGET static inline __m256i add(__m256i lanes, __m256i x, struct constants k);

TARGET static inline struct constants constants(void)
{
    __m256i all;
    __asm__("vpcmpeqd %0, %0, %0" : "=x"(all));
    return (struct constants){ _mm256_srli_epi16(all, 15), _mm256_slli_epi16(all, 15) };
}

/* Returns x with zeros in place of all bytes except the last r, 0 <= r <= 32. */
TARGET static inline __m256i last_of(__m256i x, size_t r)
{
    static const uint8_t mask[64] = {
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    };
    return _mm256_and_si256(x, load(mask + r));
}

/* Returns the last r bytes before end so. Reads [end - 32, end). */
TARGET static inline __m256i load_last(const uint8_t *end, size_t r)
{
    return last_of(load(end - 32), r);
}

/* Returns the sum of lanes to which so many vectors were added. */
TARGET static inline uint64_t flush(__m256i lanes, size_t vectors)
{
    __m128i x = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4E));
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(x) + (uint32_t)vectors * BIAS;
}

TARGET static inline uint64_t sum_words(const uint8_t *p, size_t n)
{
    if (n < 32)
        return wiresum_partial_short(p, n);

    const struct constants k = constants();
    const __m256i zero = _mm256_setzero_si256();
    const uint8_t *const end = p + (n & ~(size_t)1);
    uint64_t sum = wiresum_odd_byte(p, n);
    if (n <= 64)
        return sum + flush(add(pairs(load(p), k), load_last(end, (size_t)(end - p) - 32), k), 2);

    __m256i a = zero, b = zero;
    size_t vectors = 0;
    while (end - p >= 256) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left & ~(size_t)255 : BLOCK;
        const uint8_t *const stop = p + block;
        __m256i c = zero, d = zero, e = zero, f = zero, g = zero, h = zero;
        for (; p != stop; p += 256) {
            a = add(a, load(p), k);
            b = add(b, load(p + 32), k);
            c = add(c, load(p + 64), k);
            d = add(d, load(p + 96), k);
            e = add(e, load(p + 128), k);
            f = add(f, load(p + 160), k);
            g = add(g, load(p + 192), k);
            h = add(h, load(p + 224), k);
        }
        a = _mm256_add_epi32(_mm256_add_epi32(a, c), _mm256_add_epi32(e, g));
        b = _mm256_add_epi32(_mm256_add_epi32(b, d), _mm256_add_epi32(f, h));
        vectors = block / 32;
        if (end - p >= 256) {
            sum = wiresum_add64(sum, flush(_mm256_add_epi32(a, b), vectors));
            a = b = zero;
        }
    }
    vectors += (size_t)(end - p) / 32 + 1;
    for (; end - p >= 64; p += 64) {
        a = add(a, load(p), k);
        b = add(b, load(p + 32), k);
    }
    if (end - p >= 32) {
        a = add(a, load(p), k);
        p += 32;
    }
    b = add(b, load_last(end, (size_t)(end - p)), k);
    return wiresum_add64(sum, flush(_mm256_add_epi32(a, b), vectors));
}

TARGET static inline uint64_t copy_words(uint8_t *out, const uint8_t *p, size_t n)
{
    if (n < 32)
        return wiresum_copy_short(out, p, n);

    const struct constants k = constants();
    const __m256i zero = _mm256_setzero_si256();
    const size_t even = n & ~(size_t)1;
    const uint8_t *const end = p + even;
    uint64_t sum = wiresum_copy_odd_byte(out, p, n);
    /* The end is stored first. The loop stores some of its bytes again. */
    const __m256i last = load(end - 32);
    store(out + even - 32, last);
    if (n <= 64) {
        const __m256i x = load(p);
        store(out, x);
        return sum + flush(add(pairs(x, k), last_of(last, even - 32), k), 2);
    }

    __m256i a = zero, b = zero;
    size_t vectors = 0;
    while (end - p >= 256) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left & ~(size_t)127 : BLOCK;
        const uint8_t *const stop = p + block;
        __m256i c = zero, d = zero;
        for (; p != stop; p += 128, out += 128) {
            const __m256i w = load(p), x = load(p + 32), y = load(p + 64), z = load(p + 96);
            store(out, w);
            store(out + 32, x);
            store(out + 64, y);
            store(out + 96, z);
            a = add(a, w, k);
            b = add(b, x, k);
            c = add(c, y, k);
            d = add(d, z, k);
        }
        a = _mm256_add_epi32(a, c);
        b = _mm256_add_epi32(b, d);
        vectors = block / 32;
        if (end - p >= 256) {
            sum = wiresum_add64(sum, flush(_mm256_add_epi32(a, b), vectors));
            a = b = zero;
        }
    }
    vectors += (size_t)(end - p) / 32 + 1;
    for (; end - p >= 64; p += 64, out += 64) {
        const __m256i x = load(p), y = load(p + 32);
        store(out, x);
        store(out + 32, y);
        a = add(a, x, k);
        b = add(b, y, k);
    }
    if (end - p >= 32) {
        const __m256i x = load(p);
        store(out, x);
        a = add(a, x, k);
        p += 32;
    }
    b = add(b, last_of(last, (size_t)(end - p)), k);
    return wiresum_add64(sum, flush(_mm256_add_epi32(a, b), vectors));
}

#endif
