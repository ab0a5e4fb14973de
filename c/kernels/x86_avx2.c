/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX2: 128 bytes a step. Each vector of four 64-bit words x is added twice: whole, mod 2^64, and as x >> 32. From the two
 * totals both 32-bit halves come back exactly (total - (high << 32) is the low one): three operations a vector, where
 * splitting by mask and shift takes four, and nothing to flush. The last vector is loaded so that it ends with the
 * data, and what was counted before is masked off: no ladder of branches on the length of the tail.
 *
 * Bound: a lane of the high total takes 2^32 words before it can overflow, and the low total is below 2^64 as long. BLOCK
 * ends a round long before.
 */
#include "../src/kernel.h"

#if WIRESUM_X86_64

#include <immintrin.h>

WIRESUM_DECLARE_KERNEL(x86_avx2);

#define TARGET __attribute__((target("avx2,bmi2")))

enum { BLOCK = 1 << 30 }; /* bytes between two flushes, a multiple of a step */

struct totals {
    __m256i total, high;
};

TARGET static inline __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

TARGET static inline void add(struct totals *t, __m256i x)
{
    t->total = _mm256_add_epi64(t->total, x);
    t->high = _mm256_add_epi64(t->high, _mm256_srli_epi64(x, 32));
}

/* The last r bytes before end, 0 <= r <= 32, at the upper end of a vector of zeros; reads [end - 32, end). */
TARGET static inline __m256i load_last(const uint8_t *end, size_t r)
{
    static const uint8_t mask[64] = {
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    };
    return _mm256_and_si256(load(end - 32), load(mask + r));
}

/* low + high of all lanes, where low = total - (high << 32); each is below 2^60 for a BLOCK, so the sum cannot overflow. */
TARGET static inline uint64_t flush(struct totals t)
{
    const __m256i both = _mm256_add_epi64(_mm256_sub_epi64(t.total, _mm256_slli_epi64(t.high, 32)), t.high);
    const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

TARGET static inline struct totals join(struct totals a, struct totals b)
{
    return (struct totals){ _mm256_add_epi64(a.total, b.total), _mm256_add_epi64(a.high, b.high) };
}

TARGET uint64_t wiresum_kernel_x86_avx2(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (n < 32)
        return wiresum_sum_short(p, n);

    uint64_t sum = wiresum_odd_byte(p, n);
    const struct totals zero = { _mm256_setzero_si256(), _mm256_setzero_si256() };
    const uint8_t *const end = p + (n & ~(size_t)1);
    for (;;) {
        const size_t left = (size_t)(end - p);
        const uint8_t *const stop = p + ((left < BLOCK ? left : BLOCK) & ~(size_t)127);
        struct totals a = zero, b = zero;
        for (; p != stop; p += 128) {
            add(&a, load(p));
            add(&b, load(p + 32));
            add(&a, load(p + 64));
            add(&b, load(p + 96));
        }
        if (left <= BLOCK) {
            for (; end - p >= 32; p += 32)
                add(&a, load(p));
            add(&b, load_last(end, (size_t)(end - p)));
            return wiresum_add64(sum, flush(join(a, b)));
        }
        sum = wiresum_add64(sum, flush(join(a, b)));
    }
}

TARGET uint64_t wiresum_kernel_x86_avx2_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 32)
        return wiresum_copy_short(out, p, n);

    const uint8_t *const end = p + (n & ~(size_t)1);
    uint64_t sum = wiresum_odd_byte(p, n);
    /* The end first: what it rewrites of the last whole vector is the same bytes. */
    _mm256_storeu_si256((__m256i *)(out + n - 32), load(p + n - 32));
    for (;;) {
        const size_t left = (size_t)(end - p);
        const uint8_t *const stop = p + ((left < BLOCK ? left : BLOCK) & ~(size_t)63);
        struct totals t = { _mm256_setzero_si256(), _mm256_setzero_si256() };
        for (; p != stop; p += 64, out += 64) {
            const __m256i a = load(p), b = load(p + 32);
            _mm256_storeu_si256((__m256i *)out, a);
            _mm256_storeu_si256((__m256i *)(out + 32), b);
            add(&t, a);
            add(&t, b);
        }
        if (left <= BLOCK) {
            if (end - p >= 32) {
                const __m256i a = load(p);
                _mm256_storeu_si256((__m256i *)out, a);
                add(&t, a);
                p += 32;
            }
            add(&t, load_last(end, (size_t)(end - p)));
            return wiresum_add64(sum, flush(t));
        }
        sum = wiresum_add64(sum, flush(t));
    }
}

#else
typedef int wiresum_x86_avx2_is_not_for_this_machine;
#endif
