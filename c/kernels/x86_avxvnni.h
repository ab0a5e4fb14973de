/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The walk of the two kernels with a 256-bit dot product of words, x86_avxvnni.c and x86_vnni_int16.c: 256 bytes a step through
 * eight accumulators, enough to hide the five cycles that each dot product takes at two a cycle. The file that includes this
 * one has defined TARGET, add(lanes, x), which adds pairs of words to 32-bit lanes, and flush(lanes, vectors), the sum of lanes
 * that that many vectors went into.
 *
 * Bound: a vector moves a lane by less than 2^17, or 2^16 either way where words are signed. The eight accumulators are joined
 * before a lane of the whole has seen BLOCK / 32 + 8 vectors: less than 2^31 + 2^20, or 2^30 + 2^19 either way.
 */
#ifndef WIRESUM_X86_AVXVNNI_H
#define WIRESUM_X86_AVXVNNI_H

#include "x86_avx2.h"

enum { BLOCK = 512 << 10 }; /* bytes between two flushes, a multiple of a step */

TARGET static inline uint64_t sum_words(const uint8_t *p, size_t n)
{
    if (n < 32)
        return wiresum_sum_short(p, n);

    const uint8_t *const end = p + (n & ~(size_t)1);
    uint64_t sum = wiresum_odd_byte(p, n);
    for (;;) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left : BLOCK;
        __m256i a = _mm256_setzero_si256(), b = a;
        if (block >= 256) {
            const uint8_t *const stop = p + (block & ~(size_t)255);
            __m256i c = a, d = a, e = a, f = a, g = a, h = a;
            for (; p != stop; p += 256) {
                a = add(a, wiresum_load256(p));
                b = add(b, wiresum_load256(p + 32));
                c = add(c, wiresum_load256(p + 64));
                d = add(d, wiresum_load256(p + 96));
                e = add(e, wiresum_load256(p + 128));
                f = add(f, wiresum_load256(p + 160));
                g = add(g, wiresum_load256(p + 192));
                h = add(h, wiresum_load256(p + 224));
            }
            a = _mm256_add_epi32(_mm256_add_epi32(a, c), _mm256_add_epi32(e, g));
            b = _mm256_add_epi32(_mm256_add_epi32(b, d), _mm256_add_epi32(f, h));
        }
        if (left > BLOCK) {
            sum = wiresum_add64(sum, flush(_mm256_add_epi32(a, b), BLOCK / 32));
            continue;
        }
        for (; end - p >= 64; p += 64) {
            a = add(a, wiresum_load256(p));
            b = add(b, wiresum_load256(p + 32));
        }
        if (end - p >= 32) {
            a = add(a, wiresum_load256(p));
            p += 32;
        }
        b = add(b, wiresum_load_last256(end, (size_t)(end - p)));
        return wiresum_add64(sum, flush(_mm256_add_epi32(a, b), left / 32 + 1));
    }
}

TARGET static inline uint64_t copy_words(uint8_t *out, const uint8_t *p, size_t n)
{
    if (n < 32)
        return wiresum_copy_short(out, p, n);

    const uint8_t *const end = p + (n & ~(size_t)1);
    uint64_t sum = wiresum_odd_byte(p, n);
    /* The end first: what it rewrites of the last whole vector is the same bytes. */
    wiresum_store256(out + n - 32, wiresum_load256(p + n - 32));
    for (;;) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left : BLOCK;
        const uint8_t *const stop = p + (block & ~(size_t)127);
        __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
        for (; p != stop; p += 128, out += 128) {
            const __m256i w = wiresum_load256(p), x = wiresum_load256(p + 32);
            const __m256i y = wiresum_load256(p + 64), z = wiresum_load256(p + 96);
            wiresum_store256(out, w);
            wiresum_store256(out + 32, x);
            wiresum_store256(out + 64, y);
            wiresum_store256(out + 96, z);
            a = add(a, w);
            b = add(b, x);
            c = add(c, y);
            d = add(d, z);
        }
        a = _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d));
        if (left > BLOCK) {
            sum = wiresum_add64(sum, flush(a, BLOCK / 32));
            continue;
        }
        for (; end - p >= 32; p += 32, out += 32) {
            const __m256i x = wiresum_load256(p);
            wiresum_store256(out, x);
            a = add(a, x);
        }
        a = add(a, wiresum_load_last256(end, (size_t)(end - p)));
        return wiresum_add64(sum, flush(a, left / 32 + 1));
    }
}

#endif
