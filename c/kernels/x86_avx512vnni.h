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
#define OUT_OF_LINE TARGET static __attribute__((noinline, aligned(64)))

/* Each constant fills a lane of 32 bits, two words. */
#define ONE      0x00010001
#define TOP_BITS 0x80008000

struct constants {
    uint64_t all_bytes;
    uint32_t top_bits, one;
    uint32_t weights[6]; /* &weights[2 + r] points at the weights of the three vectors before the
                            last one, the nearest first: 1 for r of them. The others are the first
                            vector, or belong to the loop, and are counted elsewhere. */
};

/* GCC 12 would build a constant that it knows in a general register, and then move it. The empty
 * asm hides from the compiler that the pointer leads to constants. */
INLINE const struct constants *constants(void)
{
    static const struct constants values
        __attribute__((aligned(64))) = { ~UINT64_C(0), TOP_BITS, ONE, { 0, 0, 0, ONE, ONE, ONE } };
    const struct constants *k = &values;
    __asm__("" : "+r"(k));
    return k;
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

/* Clang 14 crashes where AddressSanitizer takes a mask apart that a general register holds. The asm
 * puts the mask into a register for masks. */
INLINE __mmask64 in_mask_register(__mmask64 mask)
{
#if defined(__clang__) && defined(__has_feature)
#  if __clang_major__ < 15 && __has_feature(address_sanitizer)
    __asm__("" : "+Yk"(mask));
#  endif
#endif
    return mask;
}

INLINE __m512i in_all_lanes(const uint32_t *lane)
{
    __m512i x = _mm512_set1_epi32((int32_t)*lane);
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

/* Adds to x the bytes at p that are in the mask, and reads no others. Assembly, because a compiler
 * takes two instructions: a masked load, and the addition. */
#define ADD_BYTES(x, mask, p, type) \
    __asm__("vpaddb %2, %0, %0%{%1%}" : "+v"(x) : "Yk"(mask), "m"(*(const type *)(p)))

/* Returns the bytes at p that are in the mask, and zeros in place of the others, as words less 2^15
 * each: to add the top bit of a word is to flip it. */
INLINE __m512i biased_bytes(__mmask64 mask, const uint8_t *p, __m512i top_bits)
{
    ADD_BYTES(top_bits, mask, p, __m512i_u);
    TO_UPPER_REGISTER(top_bits);
    return top_bits;
}

/* Keeps a compiler from loading what a copy stores once more for the sum. */
INLINE __m512i once(__m512i x)
{
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
INLINE uint32_t join_half(__m256i half)
{
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

INLINE uint32_t join(__m512i lanes)
{
    TO_UPPER_REGISTER(lanes);
    __m256i upper = _mm512_extracti64x4_epi64(lanes, 1);
    TO_UPPER_REGISTER(upper);
    return join_half(_mm256_add_epi32(_mm512_castsi512_si256(lanes), upper));
}

/* If odd is an odd number, exchanges the bytes of each word in a sum: a rotation by 8 or 24 bits
 * does so (RFC 1071, 2(B)). If odd is 2 mod 4, the rotation is by 16 bits, which does not change
 * the sum mod 0xFFFF. */
static inline uint32_t exchanged(uint32_t sum, unsigned odd)
{
    const unsigned by = 8 * odd & 31;
    return sum << by | sum >> (-by & 31);
}

/* What a function does. The compiler makes a function of its own for each kind. */
enum kind { SUM, COPY, COPY_AROUND_CACHES };

INLINE void store(uint8_t *line, __m512i x, enum kind kind)
{
    if (kind == COPY_AROUND_CACHES)
        _mm512_stream_si512((void *)line, x);
    else
        _mm512_store_si512(line, x);
}

struct lanes {
    __m512i a, b, c, d;
};

/* once keeps Clang from another order of additions, in lower registers. */
INLINE uint32_t join_four(struct lanes s)
{
    const __m512i x = once(_mm512_add_epi32(s.a, s.b)), y = once(_mm512_add_epi32(s.c, s.d));
    return join(_mm512_add_epi32(x, y));
}

/* Adds four vectors at from to the lanes. A copy stores them at to. */
INLINE struct lanes step(struct lanes s, uint8_t *to, const uint8_t *from, __m512i top_bits,
                         __m512i ones, enum kind kind)
{
    __m512i w = load(from), x = load(from + 64), y = load(from + 128), z = load(from + 192);
    if (kind != SUM) {
        w = once(w), x = once(x), y = once(y), z = once(z);
        store(to, w, kind), store(to + 64, x, kind);
        store(to + 128, y, kind), store(to + 192, z, kind);
    }
    w = biased(w, top_bits), x = biased(x, top_bits);
    y = biased(y, top_bits), z = biased(z, top_bits);
    return (struct lanes){ add(s.a, w, ones), add(s.b, x, ones), add(s.c, y, ones),
                           add(s.d, z, ones) };
}

#endif
