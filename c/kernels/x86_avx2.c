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

#include "x86_avx2.h"

WIRESUM_DECLARE_KERNEL(x86_avx2);

enum { BLOCK = 1 << 30 }; /* bytes between two flushes, a multiple of a step */

struct totals {
    __m256i total, high;
};

WIRESUM_AVX2 static inline void add(struct totals *t, __m256i x)
{
    t->total = _mm256_add_epi64(t->total, x);
    t->high = _mm256_add_epi64(t->high, _mm256_srli_epi64(x, 32));
}

/* low + high of all lanes, where low = total - (high << 32); each is below 2^60 for a BLOCK, so the sum cannot overflow. */
WIRESUM_AVX2 static inline uint64_t flush(struct totals t)
{
    return wiresum_sum_lanes256(_mm256_add_epi64(_mm256_sub_epi64(t.total, _mm256_slli_epi64(t.high, 32)), t.high));
}

WIRESUM_AVX2 static inline struct totals join(struct totals a, struct totals b)
{
    return (struct totals){ _mm256_add_epi64(a.total, b.total), _mm256_add_epi64(a.high, b.high) };
}

WIRESUM_AVX2 uint64_t wiresum_kernel_x86_avx2(const void *data, size_t n)
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
            add(&a, wiresum_load256(p));
            add(&b, wiresum_load256(p + 32));
            add(&a, wiresum_load256(p + 64));
            add(&b, wiresum_load256(p + 96));
        }
        if (left <= BLOCK) {
            for (; end - p >= 32; p += 32)
                add(&a, wiresum_load256(p));
            add(&b, wiresum_load_last256(end, (size_t)(end - p)));
            return wiresum_add64(sum, flush(join(a, b)));
        }
        sum = wiresum_add64(sum, flush(join(a, b)));
    }
}

WIRESUM_AVX2 uint64_t wiresum_kernel_x86_avx2_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 32)
        return wiresum_copy_short(out, p, n);

    const uint8_t *const end = p + (n & ~(size_t)1);
    uint64_t sum = wiresum_odd_byte(p, n);
    /* The end first: what it rewrites of the last whole vector is the same bytes. */
    wiresum_store256(out + n - 32, wiresum_load256(p + n - 32));
    for (;;) {
        const size_t left = (size_t)(end - p);
        const uint8_t *const stop = p + ((left < BLOCK ? left : BLOCK) & ~(size_t)63);
        struct totals t = { _mm256_setzero_si256(), _mm256_setzero_si256() };
        for (; p != stop; p += 64, out += 64) {
            const __m256i a = wiresum_load256(p), b = wiresum_load256(p + 32);
            wiresum_store256(out, a);
            wiresum_store256(out + 32, b);
            add(&t, a);
            add(&t, b);
        }
        if (left <= BLOCK) {
            if (end - p >= 32) {
                const __m256i a = wiresum_load256(p);
                wiresum_store256(out, a);
                add(&t, a);
                p += 32;
            }
            add(&t, wiresum_load_last256(end, (size_t)(end - p)));
            return wiresum_add64(sum, flush(t));
        }
        sum = wiresum_add64(sum, flush(t));
    }
}

#else
typedef int wiresum_x86_avx2_is_not_for_this_machine;
#endif
