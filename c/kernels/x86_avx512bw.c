/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-512 without VNNI: 256 bytes a step, three operations a vector. Each vector holds eight 64-bit
 * words x. The kernel adds x to a total mod 2^64, and x >> 32 to a second total, high. The low
 * halves of all x add up to total - (high << 32). Up to 64 bytes are one masked load. The last
 * vectors of longer data, two after the main loop, are loaded so that they end with the data, and
 * masks clear the bytes that are counted already. No branch depends on how many these are.
 *
 * Bound: high takes 2^32 words before it overflows, and the sum of the low halves is below 2^64 for
 * as many. A BLOCK has far fewer.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_AVX512BW

#  include "x86_avx512.h"

WIRESUM_DECLARE_KERNEL(x86_avx512bw);

enum { BLOCK = 1 << 30 }; /* bytes between two flushes, a multiple of a step */

struct totals {
    __m512i total, high;
};

/* The empty asm keeps GCC 12 from loading x twice. */
WIRESUM_AVX512 static inline void add(struct totals *t, __m512i x)
{
    __asm__("" : "+v"(x));
    t->total = _mm512_add_epi64(t->total, x);
    t->high = _mm512_add_epi64(t->high, _mm512_srli_epi64(x, 32));
}

/* Returns the sum of low + high of all lanes, where low = total - (high << 32). Each is below 2^61
 * for a BLOCK, so the sum cannot overflow. */
WIRESUM_AVX512 static inline uint64_t flush(struct totals t)
{
    const __m512i both =
        _mm512_add_epi64(_mm512_sub_epi64(t.total, _mm512_slli_epi64(t.high, 32)), t.high);
    const __m256i half =
        _mm256_add_epi64(_mm512_castsi512_si256(both), _mm512_extracti64x4_epi64(both, 1));
    const __m128i quarter =
        _mm_add_epi64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return (uint64_t)_mm_cvtsi128_si64(quarter) + (uint64_t)_mm_extract_epi64(quarter, 1);
}

WIRESUM_AVX512 uint64_t wiresum_kernel_x86_avx512bw(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (WIRESUM_LIKELY(n - 1 < 64 && wiresum_is_in_page512(p)))
        return wiresum_partial_vector512(
            _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)n), p));
    if (n <= 64)
        return wiresum_partial_at_page_end512(p, n);

    struct totals a = { _mm512_setzero_si512(), _mm512_setzero_si512() }, b = a;
    uint64_t sum = wiresum_odd_byte(p, n);
    const size_t even = n & ~(size_t)1;
    const uint8_t *const end = p + even;
    if (even < 128) {
        add(&a, _mm512_loadu_si512(p));
        add(&a, wiresum_last_of512(_mm512_loadu_si512(end - 64), even - 64));
        return wiresum_add64(sum, flush(a));
    }
    for (;;) {
        const size_t left = (size_t)(end - p);
        const uint8_t *const stop = p + ((left < BLOCK ? left : BLOCK) & ~(size_t)127);
        for (; p < stop; p += 256) {
            add(&a, _mm512_loadu_si512(p));
            add(&b, _mm512_loadu_si512(p + 64));
            if (p == stop - 128)
                break;
            add(&a, _mm512_loadu_si512(p + 128));
            add(&b, _mm512_loadu_si512(p + 192));
        }
        p = stop;
        if (left <= BLOCK && p != end) {
            const size_t rest = (size_t)(end - p), in_last = rest < 64 ? rest : 64;
            add(&a, wiresum_last_of512(_mm512_loadu_si512(end - 128), rest - in_last));
            add(&b, wiresum_last_of512(_mm512_loadu_si512(end - 64), in_last));
        }
        const struct totals both = { _mm512_add_epi64(a.total, b.total),
                                     _mm512_add_epi64(a.high, b.high) };
        sum = wiresum_add64(sum, flush(both));
        if (left <= BLOCK)
            return sum;
        a.total = a.high = b.total = b.high = _mm512_setzero_si512();
    }
}

WIRESUM_AVX512 uint64_t wiresum_kernel_x86_avx512bw_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 64)
        return wiresum_copy_upto64(out, p, n);

    struct totals t = { _mm512_setzero_si512(), _mm512_setzero_si512() };
    const size_t even = n & ~(size_t)1;
    uint64_t sum = wiresum_copy_odd_byte(out, p, n);
    const uint8_t *const end = p + even;
    /* The end is stored first. The loop stores some of its bytes again. */
    const __m512i last = _mm512_loadu_si512(end - 64);
    _mm512_storeu_si512(out + even - 64, last);
    for (;;) {
        const size_t left = (size_t)(end - p);
        const uint8_t *const stop = p + ((left < BLOCK ? left : BLOCK) & ~(size_t)63);
        for (; p != stop; p += 64, out += 64) {
            const __m512i x = _mm512_loadu_si512(p);
            _mm512_storeu_si512(out, x);
            add(&t, x);
        }
        if (left <= BLOCK)
            add(&t, wiresum_last_of512(last, (size_t)(end - p)));
        sum = wiresum_add64(sum, flush(t));
        if (left <= BLOCK)
            return sum;
        t.total = t.high = _mm512_setzero_si512();
    }
}

#else
typedef int wiresum_x86_avx512bw_is_not_for_this_machine;
#endif
