/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SSE2, on 64-bit and 32-bit x86: 64 bytes a step. Each vector of two 64-bit words x is added twice: whole, mod 2^64, and as
 * x >> 32. From the two totals both 32-bit halves come back exactly (total - (high << 32) is the low one), so no carry has to
 * be caught in the loop.
 *
 * Bound: a lane of the high total takes 2^32 words before it can overflow, and the low total is below 2^64 as long. BLOCK
 * ends a round long before.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_SSE2

#include <emmintrin.h>

WIRESUM_DECLARE_KERNEL(x86_sse2);

#define TARGET __attribute__((target("sse2")))

enum { BLOCK = 1 << 30 }; /* bytes between two flushes, a multiple of a step */

/* low + high of both lanes, where low = total - (high << 32); each is below 2^59 for a BLOCK, so the sum cannot overflow. */
TARGET static inline uint64_t flush(__m128i total, __m128i high)
{
    __m128i both = _mm_add_epi64(_mm_sub_epi64(total, _mm_slli_epi64(high, 32)), high);
    both = _mm_add_epi64(both, _mm_unpackhi_epi64(both, both));
#if defined(__x86_64__)
    return (uint64_t)_mm_cvtsi128_si64(both);
#else
    return (uint64_t)(uint32_t)_mm_cvtsi128_si32(_mm_srli_epi64(both, 32)) << 32 | (uint32_t)_mm_cvtsi128_si32(both);
#endif
}

TARGET uint64_t wiresum_kernel_x86_sse2(const void *data, size_t n)
{
    const uint8_t *p = data;
    uint64_t sum = 0;

    while (n >= 16) {
        size_t block = n < BLOCK ? n : BLOCK;
        __m128i total0 = _mm_setzero_si128(), total1 = total0, high0 = total0, high1 = total0;
        n -= block & ~(size_t)15;
        for (; block >= 64; block -= 64, p += 64) {
            const __m128i a = _mm_loadu_si128((const __m128i *)p), b = _mm_loadu_si128((const __m128i *)(p + 16));
            const __m128i c = _mm_loadu_si128((const __m128i *)(p + 32)), d = _mm_loadu_si128((const __m128i *)(p + 48));
            total0 = _mm_add_epi64(_mm_add_epi64(total0, a), c);
            total1 = _mm_add_epi64(_mm_add_epi64(total1, b), d);
            high0 = _mm_add_epi64(_mm_add_epi64(high0, _mm_srli_epi64(a, 32)), _mm_srli_epi64(c, 32));
            high1 = _mm_add_epi64(_mm_add_epi64(high1, _mm_srli_epi64(b, 32)), _mm_srli_epi64(d, 32));
        }
        for (; block >= 16; block -= 16, p += 16) {
            const __m128i a = _mm_loadu_si128((const __m128i *)p);
            total0 = _mm_add_epi64(total0, a);
            high0 = _mm_add_epi64(high0, _mm_srli_epi64(a, 32));
        }
        sum = wiresum_add64(sum, flush(_mm_add_epi64(total0, total1), _mm_add_epi64(high0, high1)));
    }
    return wiresum_add64(sum, wiresum_sum_short(p, n));
}

TARGET uint64_t wiresum_kernel_x86_sse2_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    uint64_t sum = 0;

    while (n >= 16) {
        size_t block = n < BLOCK ? n : BLOCK;
        __m128i total = _mm_setzero_si128(), high = total;
        n -= block & ~(size_t)15;
        for (; block >= 64; block -= 64, p += 64, out += 64) {
            const __m128i a = _mm_loadu_si128((const __m128i *)p), b = _mm_loadu_si128((const __m128i *)(p + 16));
            const __m128i c = _mm_loadu_si128((const __m128i *)(p + 32)), d = _mm_loadu_si128((const __m128i *)(p + 48));
            _mm_storeu_si128((__m128i *)out, a);
            _mm_storeu_si128((__m128i *)(out + 16), b);
            _mm_storeu_si128((__m128i *)(out + 32), c);
            _mm_storeu_si128((__m128i *)(out + 48), d);
            total = _mm_add_epi64(_mm_add_epi64(total, _mm_add_epi64(a, b)), _mm_add_epi64(c, d));
            high = _mm_add_epi64(_mm_add_epi64(high, _mm_add_epi64(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32))),
                                 _mm_add_epi64(_mm_srli_epi64(c, 32), _mm_srli_epi64(d, 32)));
        }
        for (; block >= 16; block -= 16, p += 16, out += 16) {
            const __m128i a = _mm_loadu_si128((const __m128i *)p);
            _mm_storeu_si128((__m128i *)out, a);
            total = _mm_add_epi64(total, a);
            high = _mm_add_epi64(high, _mm_srli_epi64(a, 32));
        }
        sum = wiresum_add64(sum, flush(total, high));
    }
    return wiresum_add64(sum, wiresum_copy_short(out, p, n));
}

#else
typedef int wiresum_x86_sse2_is_not_for_this_machine;
#endif
