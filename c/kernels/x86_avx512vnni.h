/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The arithmetic of x86_avx512vnni.c, whose head explains it: constants, biased words, their
 * weighted sums, and the sum of all lanes.
 */
#ifndef WIRESUM_X86_AVX512VNNI_H
#define WIRESUM_X86_AVX512VNNI_H

#include "x86_avx512.h"

#define TARGET      __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,bmi2")))
#define INLINE      TARGET static inline __attribute__((always_inline))
#define OUT_OF_LINE TARGET static __attribute__((noinline))

/* Each constant fills a lane of 32 bits, two words. */
#define ONE      0x00010001
#define TOP_BITS 0x80008000

struct constants {
    uint32_t ones[16];
    uint32_t counted[4][4]; /* see counted_before */
    uint64_t all_bytes;
    uint32_t top_bits;
};

/* GCC 12 would build a constant that it knows in a general register, and then move it. The empty
 * asm hides from the compiler that the pointer leads to constants. */
INLINE const struct constants *constants(void)
{
    static const struct constants values __attribute__((aligned(64))) = {
        { ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE },
        { { ONE, ONE, ONE, 0 }, { 0, 0, 0, 0 }, { ONE, 0, 0, 0 }, { ONE, ONE, 0, 0 } },
        ~UINT64_C(0),
        TOP_BITS,
    };
    const struct constants *k = &values;
    __asm__("" : "+r"(k));
    return k;
}

/* Returns the weights of the three vectors before the last one, the nearest first. before is the
 * offset of the last vector from the first. A weight is 0 if its vector is the first one or belongs
 * to the loop, because these vectors are counted elsewhere. */
INLINE const uint32_t *counted_before(const struct constants *k, size_t before)
{
    return k->counted[before / 64 % 4];
}

/* Forces a vector into registers 16 to 31, which need no vzeroupper at the end of a function. The
 * asm also keeps GCC 12 from loading a vector once for each use. On Windows a function has to
 * preserve xmm6 to xmm15, so there the asm does not clobber them. */
#define CLOBBERS_0_TO_5 "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5"
#if defined(_WIN32)
#  define TO_UPPER_REGISTER(x) __asm__("" : "+v"(x) : : CLOBBERS_0_TO_5)
#else
#  define CLOBBERS_6_TO_15 \
      "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#  define TO_UPPER_REGISTER(x) __asm__("" : "+v"(x) : : CLOBBERS_0_TO_5, CLOBBERS_6_TO_15)
#endif

INLINE __m512i in_all_lanes(uint32_t lane)
{
    __m512i x = _mm512_set1_epi32((int32_t)lane);
    TO_UPPER_REGISTER(x);
    return x;
}

INLINE __m512i load(const uint8_t *p)
{
    return _mm512_loadu_si512(p);
}

/* The words of x, each less 2^15. */
INLINE __m512i biased(__m512i x, __m512i top_bits)
{
    x = _mm512_xor_si512(x, top_bits);
    TO_UPPER_REGISTER(x);
    return x;
}

/* Returns the words of x in the mask, each less 2^15. All other words are 0, and have no bias. */
INLINE __m512i biased_in(uint32_t mask, __m512i x, __m512i top_bits)
{
    x = _mm512_maskz_add_epi16(mask, x, top_bits);
    TO_UPPER_REGISTER(x);
    return x;
}

/* pairs returns the weighted sums of two neighboring words each. add adds such sums to lanes. */
INLINE __m512i pairs(__m512i x, __m512i weights)
{
    x = _mm512_madd_epi16(x, weights);
    TO_UPPER_REGISTER(x);
    return x;
}

INLINE __m512i add(__m512i lanes, __m512i x, __m512i weights)
{
    lanes = _mm512_dpwssd_epi32(lanes, x, weights);
    TO_UPPER_REGISTER(lanes);
    return lanes;
}

/* The sum of all lanes, mod 2^32. */
INLINE uint32_t join(__m512i lanes)
{
    TO_UPPER_REGISTER(lanes);
    __m256i upper = _mm512_extracti64x4_epi64(lanes, 1);
    TO_UPPER_REGISTER(upper);
    __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(lanes), upper);
    TO_UPPER_REGISTER(half);
    __m128i above = _mm256_extracti32x4_epi32(half, 1);
    TO_UPPER_REGISTER(above);
    __m128i quarter = _mm_add_epi32(_mm256_castsi256_si128(half), above);
    TO_UPPER_REGISTER(quarter);
    above = _mm_unpackhi_epi64(quarter, quarter);
    TO_UPPER_REGISTER(above);
    quarter = _mm_add_epi32(quarter, above);
    TO_UPPER_REGISTER(quarter);
    const uint64_t two = (uint64_t)_mm_cvtsi128_si64(quarter);
    return (uint32_t)two + (uint32_t)(two >> 32);
}

INLINE uint32_t join_four(__m512i a, __m512i b, __m512i c, __m512i d)
{
    return join(_mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d)));
}

/* wiresum_fold of a sum of 32 bits. The asm keeps Clang from adding up the sum twice. */
static inline uint16_t fold32(uint32_t sum)
{
    __asm__("" : "+r"(sum));
    return (uint16_t)((sum + (sum << 16 | sum >> 16)) >> 16);
}

/* What the total of n bytes lacks: 2^15 for each whole word, and the last byte where n is odd. */
static inline uint32_t bias_and_odd(uint8_t last, size_t n)
{
    return ((uint32_t)(n / 2) << 15) + (uint32_t)wiresum_odd(last, n);
}

INLINE void store(uint8_t *line, __m512i x, bool around_caches)
{
    if (around_caches)
        _mm512_stream_si512((void *)line, x);
    else
        _mm512_store_si512(line, x);
}

#endif
