/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The walk of the kernels with 256-bit dot products: 128 bytes a step. The file that includes this
 * one defines TARGET and BIAS before it, and pairs() and add() after it. BIAS is what a word counts
 * too little. A dot product takes up to five cycles, and up to two start each cycle, so eight
 * accumulators take turns: four of them in one step, and four in the next.
 *
 * A branch on the remainder of a length costs some 20 cycles where lengths vary. So a fixed number
 * of vectors that end with the data takes the remainder, and gives the weight 0 to the words that
 * are counted already: one of the two vectors of up to 64 bytes, two of the four of up to 128, and
 * four after the main loop.
 *
 * Bound: the lanes take at most BLOCK + 128 bytes between two flushes, 2^15 + 2^6 words. All lanes
 * together are below 2^32, or between -2^31 and 2^31 where words are signed, so that the sum of all
 * lanes is exact in 32 bits.
 */
#ifndef WIRESUM_X86_AVXVNNI_H
#define WIRESUM_X86_AVXVNNI_H

#include "x86_intrinsics.h"

enum { BLOCK = 64 << 10 }; /* bytes between two flushes, a multiple of two steps */

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
    __m256i one, top_bit; /* in every word; one is the weight of a word */
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

/* Returns a pointer to weights of the vectors before the end of data, of which the last r bytes,
 * r <= 128, still count. The weights of a vector are as far before the pointer as the vector is
 * before the end. */
TARGET static inline const uint8_t *weights_of(size_t r)
{
#define EIGHT(x) x, x, x, x, x, x, x, x
#define ONES     EIGHT(1), EIGHT(1)
    static const uint16_t none_then_one[128] = { [64] = ONES, ONES, ONES, ONES };
    return (const uint8_t *)(none_then_one + 64) + r;
}

/* Returns the constants with other weights. */
TARGET static inline struct constants weighted(struct constants k, const uint8_t *weights)
{
    return (struct constants){ load(weights), k.top_bit };
}

/* Returns the sum of lanes to which n bytes were added, an even number. */
TARGET static inline uint64_t flush(__m256i lanes, size_t n)
{
    __m128i x = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4E));
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(x) + (uint32_t)n * (BIAS / 2);
}

struct lanes {
    __m256i a, b, c, d;
};

TARGET static inline uint64_t flush_four(struct lanes s, size_t n)
{
    return flush(_mm256_add_epi32(_mm256_add_epi32(s.a, s.b), _mm256_add_epi32(s.c, s.d)), n);
}

TARGET static inline struct lanes add_step(struct lanes s, const uint8_t *p, struct constants k)
{
    return (struct lanes){ add(s.a, load(p), k), add(s.b, load(p + 32), k),
                           add(s.c, load(p + 64), k), add(s.d, load(p + 96), k) };
}

/* Adds w, x, y and z, the last 128 bytes of data, of which the last r still count. */
TARGET static inline struct lanes add_last(struct lanes s, __m256i w, __m256i x, __m256i y,
                                           __m256i z, size_t r, struct constants k)
{
    const uint8_t *const weights = weights_of(r);
    return (struct lanes){ add(s.a, w, weighted(k, weights - 128)),
                           add(s.b, x, weighted(k, weights - 96)),
                           add(s.c, y, weighted(k, weights - 64)),
                           add(s.d, z, weighted(k, weights - 32)) };
}

/* Returns the sum of n bytes, an even number. */
TARGET static inline uint64_t sum_steps(const uint8_t *p, size_t n, struct constants k)
{
    const __m256i zero = _mm256_setzero_si256();
    const uint8_t *const end = p + n;
    uint64_t sum = 0;
    for (;;) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left & ~(size_t)127 : BLOCK;
        const uint8_t *const stop = p + block;
        struct lanes s = { zero, zero, zero, zero }, t = s;
        for (; p < stop; p += 256) {
            s = add_step(s, p, k);
            if (p == stop - 128)
                break;
            t = add_step(t, p + 128, k);
        }
        p = stop;
        s.a = _mm256_add_epi32(s.a, t.a), s.b = _mm256_add_epi32(s.b, t.b);
        s.c = _mm256_add_epi32(s.c, t.c), s.d = _mm256_add_epi32(s.d, t.d);
        if (end - p < 128) {
            if (p != end)
                s = add_last(s, load(end - 128), load(end - 96), load(end - 64), load(end - 32),
                             (size_t)(end - p), k);
            return wiresum_add64(sum, flush_four(s, left));
        }
        sum += flush_four(s, block);
    }
}

TARGET static inline uint64_t sum_words(const uint8_t *p, size_t n)
{
    if (n < 32)
        return wiresum_partial_short(p, n);
    const struct constants k = constants();
    const size_t even = n & ~(size_t)1;
    const uint8_t *const end = p + even;
    const uint64_t sum = wiresum_odd_byte(p, n);
    if (WIRESUM_LIKELY(n <= 64))
        return sum
               + flush(
                   add(pairs(load(p), k), load(end - 32), weighted(k, weights_of(even - 32) - 32)),
                   even);
    if (n > 128)
        return wiresum_add64(sum, sum_steps(p, even, k));
    const uint8_t *const weights = weights_of(even - 64);
    return sum
           + flush_four((struct lanes){ pairs(load(p), k), pairs(load(p + 32), k),
                                        pairs(load(end - 64), weighted(k, weights - 64)),
                                        pairs(load(end - 32), weighted(k, weights - 32)) },
                        even);
}

/* Copies n bytes, an even number of 128 at least. The end is stored first. The loop stores some of
 * its bytes again, and counts those. */
TARGET static inline uint64_t copy_steps(uint8_t *out, const uint8_t *p, size_t n,
                                         struct constants k)
{
    const __m256i zero = _mm256_setzero_si256();
    const uint8_t *const end = p + n;
    __m256i e = zero, f = zero, g = zero, h = zero;
    uint64_t sum = 0;
    if (n % 128 != 0) {
        e = load(end - 128), f = load(end - 96), g = load(end - 64), h = load(end - 32);
        store(out + n - 128, e);
        store(out + n - 96, f);
        store(out + n - 64, g);
        store(out + n - 32, h);
    }
    for (;;) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left & ~(size_t)127 : BLOCK;
        const uint8_t *const stop = p + block;
        struct lanes s = { zero, zero, zero, zero };
        for (; p != stop; p += 128, out += 128) {
            const __m256i w = load(p), x = load(p + 32), y = load(p + 64), z = load(p + 96);
            store(out, w);
            store(out + 32, x);
            store(out + 64, y);
            store(out + 96, z);
            s = (struct lanes){ add(s.a, w, k), add(s.b, x, k), add(s.c, y, k), add(s.d, z, k) };
        }
        if (end - p < 128) {
            if (p != end)
                s = add_last(s, e, f, g, h, (size_t)(end - p), k);
            return wiresum_add64(sum, flush_four(s, left));
        }
        sum += flush_four(s, block);
    }
}

TARGET static inline uint64_t copy_words(uint8_t *out, const uint8_t *p, size_t n)
{
    if (n < 32)
        return wiresum_copy_short(out, p, n);
    const struct constants k = constants();
    const size_t even = n & ~(size_t)1;
    const uint64_t sum = wiresum_copy_odd_byte(out, p, n);
    if (n > 128)
        return wiresum_add64(sum, copy_steps(out, p, even, k));
    const __m256i w = load(p), z = load(p + even - 32);
    if (WIRESUM_LIKELY(n <= 64)) {
        store(out + even - 32, z);
        store(out, w);
        return sum + flush(add(pairs(w, k), z, weighted(k, weights_of(even - 32) - 32)), even);
    }
    const __m256i x = load(p + 32), y = load(p + even - 64);
    const uint8_t *const weights = weights_of(even - 64);
    store(out + even - 64, y);
    store(out + even - 32, z);
    store(out, w);
    store(out + 32, x);
    return sum
           + flush_four((struct lanes){ pairs(w, k), pairs(x, k),
                                        pairs(y, weighted(k, weights - 64)),
                                        pairs(z, weighted(k, weights - 32)) },
                        even);
}

#endif
