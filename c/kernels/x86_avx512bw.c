/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-512 without VNNI: 256 bytes a step, 2.25 operations a vector, by sum and averages of words of
 * 64 bits. A step of 512 bytes would take 2.1 operations, and longer remainders. Up to 64 bytes are
 * one masked load.
 *
 * Bound: a BLOCK and the zeros of masks have N <= 2^14 + 2^6 words, as averages.h asks for. Longer
 * data is summed in blocks.
 */
#include "averages.h"

#if WIRESUM_HAVE_X86_AVX512BW

#  include "x86_avx512.h"

WIRESUM_DECLARE_KERNEL(x86_avx512bw);

#  define KERNEL x86_avx512bw
#  define TARGET WIRESUM_AVX512
#  define INLINE TARGET static inline __attribute__((always_inline))
#  define STEP   4

enum { BLOCK = 128 << 10 };

typedef __m512i vector;

/* The empty asm keeps a compiler from loading the vector once for each of its uses. */
INLINE vector load(const uint8_t *p)
{
    vector x = _mm512_loadu_si512(p);
    __asm__("" : "+v"(x));
    return x;
}

INLINE void store(uint8_t *p, vector x)
{
    _mm512_storeu_si512(p, x);
}

INLINE vector add(vector x, vector y)
{
    return _mm512_add_epi64(x, y);
}

INLINE vector masked(vector x, const uint8_t *mask)
{
    return _mm512_and_si512(x, _mm512_loadu_si512(mask));
}

INLINE vector average(vector x, vector y)
{
    return _mm512_avg_epu16(x, y);
}

INLINE vector top(vector x)
{
    return _mm512_srli_epi64(x, 48);
}

INLINE uint64_t join(vector lanes, vector tops, unsigned times, uint64_t odd)
{
    const __m512i four =
        add(_mm512_unpacklo_epi64(lanes, tops), _mm512_unpackhi_epi64(lanes, tops));
    const __m256i two =
        _mm256_add_epi64(_mm512_castsi512_si256(four), _mm512_extracti64x4_epi64(four, 1));
    const __m128i one =
        _mm_add_epi64(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));
    return wiresum_with_carries((uint64_t)_mm_cvtsi128_si64(one),
                                times * (uint64_t)_mm_extract_epi64(one, 1), odd);
}

#  include "averages_walk.h"

WIRESUM_AVX512 uint64_t wiresum_kernel_x86_avx512bw(const void *data, size_t n)
{
    if (WIRESUM_LIKELY(n - 1 < 64 && wiresum_is_in_page512(data)))
        return wiresum_partial_vector512(
            _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)n), data));
    if (n <= 64)
        return wiresum_partial_at_page_end512(data, n);
    return walk((struct data){ false, NULL, data }, n);
}

WIRESUM_AVX512 uint64_t wiresum_kernel_x86_avx512bw_copy(void *dst, const void *src, size_t n)
{
    if (n <= 64)
        return wiresum_copy_upto64(dst, src, n);
    return walk((struct data){ true, dst, src }, n);
}

#else
typedef int wiresum_x86_avx512bw_is_not_for_this_machine;
#endif
