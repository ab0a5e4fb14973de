/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SSE2, on 64-bit and 32-bit x86: 128 bytes a step, 2.1 operations a vector, by sum and averages.
 * The words that are added have 32 bits: on an Intel Silvermont an addition of words of 64 bits
 * takes four times as long.
 *
 * Bound: a BLOCK and the zeros of masks have N <= 2^14 + 2^6 words, as averages.h asks for. Longer
 * data is summed in blocks.
 */
#include "averages.h"

#if WIRESUM_HAVE_X86_SSE2

#  include <emmintrin.h>

WIRESUM_DECLARE_KERNEL(x86_sse2);

#  define KERNEL x86_sse2
#  define TARGET __attribute__((target("sse2")))
#  define INLINE TARGET static inline __attribute__((always_inline))
#  define STEP   8

enum { BLOCK = 64 << 10 };

typedef __m128i vector;

/* The empty asm keeps a compiler from loading the vector once for each of its uses. */
INLINE vector load(const uint8_t *p)
{
    vector x = _mm_loadu_si128((const __m128i *)p);
    __asm__("" : "+x"(x));
    return x;
}

INLINE void store(uint8_t *p, vector x)
{
    _mm_storeu_si128((__m128i *)p, x);
}

/* In assembly: GCC 12 would average first, and copy what is still to be added. */
INLINE vector add(vector x, vector y)
{
    __asm__("paddd %1, %0" : "+x"(x) : "x"(y));
    return x;
}

INLINE vector masked(vector x, const uint8_t *mask)
{
    return _mm_and_si128(x, _mm_loadu_si128((const __m128i *)mask));
}

INLINE vector average(vector x, vector y)
{
    return _mm_avg_epu16(x, y);
}

INLINE vector top(vector x)
{
    return _mm_srli_epi32(x, 16);
}

INLINE uint64_t join(vector lanes, vector tops, unsigned times, uint64_t odd)
{
    const vector two = add(_mm_unpacklo_epi32(lanes, tops), _mm_unpackhi_epi32(lanes, tops));
    const vector one = add(two, _mm_shuffle_epi32(two, 0x4E));
    const uint32_t total = (uint32_t)_mm_cvtsi128_si32(one);
    const uint32_t estimate = times * (uint32_t)_mm_cvtsi128_si32(_mm_srli_epi64(one, 32));
    return wiresum_with_carries32(total, estimate, (uint32_t)odd);
}

#  include "averages_walk.h"

/* Out of line, so that longer data saves no register for it. */
static WIRESUM_NOINLINE uint64_t sum_short(const uint8_t *p, size_t n)
{
    return wiresum_partial_short(p, n);
}

TARGET uint64_t wiresum_kernel_x86_sse2(const void *data, size_t n)
{
    if (n < 16)
        return sum_short(data, n);
    return walk((struct data){ false, NULL, data }, n);
}

TARGET uint64_t wiresum_kernel_x86_sse2_copy(void *dst, const void *src, size_t n)
{
    if (n < 16)
        return wiresum_copy_short(dst, src, n);
    return walk((struct data){ true, dst, src }, n);
}

#else
typedef int wiresum_x86_sse2_is_not_for_this_machine;
#endif
