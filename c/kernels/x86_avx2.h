/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The arithmetic of x86_avx2.c, whose head explains it: tables, pairs of words, and the sum and
 * averages of 64-bit words.
 */
#ifndef WIRESUM_X86_AVX2_H
#define WIRESUM_X86_AVX2_H

#include "averages.h"

#include "x86_intrinsics.h"

#define TARGET      __attribute__((target("avx2,bmi2")))
#define INLINE      TARGET static inline __attribute__((always_inline))
#define OUT_OF_LINE TARGET static __attribute__((noinline))

#define EIGHT(x)   x, x, x, x, x, x, x, x
#define SIXTEEN(x) EIGHT(x), EIGHT(x)
#define ALL_64     EIGHT(~UINT64_C(0))

/* Windows on these tables choose which bytes of a vector count. */
struct tables {
    uint16_t none_then_one[64 + 64 + 16]; /* weights of words, and zeros after them */
    uint16_t top_bit[16];
    uint64_t none_then_all[32 + 32 + 8]; /* masks, and zeros after them */
};

/* GCC 12 would load a constant that it knows from a place of its own. The empty asm hides from the
 * compiler that the pointer leads to constants. */
INLINE const struct tables *tables(void)
{
    static const struct tables values __attribute__((aligned(64))) = {
        { [64] = SIXTEEN(1), SIXTEEN(1), SIXTEEN(1), SIXTEEN(1) },
        { SIXTEEN(0x8000) },
        { [32] = ALL_64, ALL_64, ALL_64, ALL_64 },
    };
    const struct tables *t = &values;
    __asm__("" : "+r"(t));
    return t;
}

/* Returns a pointer to weights of the vectors before the end of data, of which the last r bytes,
 * r <= 128, still count. The weights of a vector are as far before the pointer as the vector is
 * before the end. masks_of returns masks so, for r <= 256. */
INLINE const uint8_t *weights_of(const struct tables *t, size_t r)
{
    return (const uint8_t *)(t->none_then_one + 64) + r;
}

INLINE const uint8_t *masks_of(const struct tables *t, size_t r)
{
    return (const uint8_t *)(t->none_then_all + 32) + r;
}

/* Return the weights, or the mask, of data of which the first r bytes count. */
INLINE const uint8_t *first_weights(const struct tables *t, size_t r)
{
    return (const uint8_t *)(t->none_then_one + 128) - r;
}

INLINE const uint8_t *first_masks(const struct tables *t, size_t r)
{
    return (const uint8_t *)(t->none_then_all + 64) - r;
}

INLINE __m256i load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

/* The empty asm keeps a compiler from loading the vector once for each of its uses. */
INLINE __m256i load_once(const uint8_t *p)
{
    __m256i x = load(p);
    __asm__("" : "+x"(x));
    return x;
}

INLINE __m128i load16_once(const uint8_t *p)
{
    __m128i x = _mm_loadu_si128((const __m128i *)p);
    __asm__("" : "+x"(x));
    return x;
}

INLINE void store(uint8_t *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}

/* ---- Pairs of words ---- */

/* What a weight of one and a flip of the top bit need. */
struct constants {
    __m256i one, top_bit;
};

INLINE struct constants constants(const struct tables *t)
{
    return (struct constants){ load(t->none_then_one + 64), load(t->top_bit) };
}

/* Returns the weighted sums of two neighboring words each, of words that are 2^15 too small. */
INLINE __m256i pairs(__m256i x, __m256i weights, struct constants k)
{
    return _mm256_madd_epi16(_mm256_xor_si256(x, k.top_bit), weights);
}

/* add and add64 are assembly because GCC 12 would copy each accumulator to another register. */
INLINE __m256i add(__m256i lanes, __m256i x)
{
    __asm__("vpaddd %1, %0, %0" : "+x"(lanes) : "x"(x));
    return lanes;
}

INLINE uint32_t join_half(__m128i x)
{
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4E));
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(x);
}

/* The sum of all lanes, mod 2^32. */
INLINE uint32_t join(__m256i x)
{
    return join_half(_mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1)));
}

struct four {
    __m256i a, b, c, d;
};

INLINE uint32_t join_four(struct four s)
{
    return join(_mm256_add_epi32(_mm256_add_epi32(s.a, s.b), _mm256_add_epi32(s.c, s.d)));
}

/* What is used once is an operand in memory of its use: a loop of pairs takes 15 instructions in
 * place of 19, three cycles of a CPU that starts six a cycle. */
INLINE struct four load_four(const uint8_t *p)
{
    return (struct four){ load(p), load(p + 32), load(p + 64), load(p + 96) };
}

INLINE struct four load_four_once(const uint8_t *p)
{
    return (struct four){ load_once(p), load_once(p + 32), load_once(p + 64), load_once(p + 96) };
}

INLINE void store_four(uint8_t *p, struct four x)
{
    store(p, x.a), store(p + 32, x.b), store(p + 64, x.c), store(p + 96, x.d);
}

/* Adds the words of four vectors. */
INLINE struct four add_pairs(struct four s, struct four x, struct constants k)
{
    return (struct four){ add(s.a, pairs(x.a, k.one, k)), add(s.b, pairs(x.b, k.one, k)),
                          add(s.c, pairs(x.c, k.one, k)), add(s.d, pairs(x.d, k.one, k)) };
}

/* Returns the weighted pairs of the four vectors before an end. */
INLINE struct four last_pairs(struct four x, const uint8_t *weights, struct constants k)
{
    return (struct four){ pairs(x.a, load(weights - 128), k), pairs(x.b, load(weights - 96), k),
                          pairs(x.c, load(weights - 64), k), pairs(x.d, load(weights - 32), k) };
}

/* ---- Sum and averages ---- */

/* lanes have sums of 64-bit words mod 2^64. The sum of all lanes of tops is an eighth of the sum of
 * the top 16 bits of these words. */
struct wide {
    struct four lanes;
    __m256i tops;
};

INLINE __m256i add64(__m256i lanes, __m256i x)
{
    __asm__("vpaddq %1, %0, %0" : "+x"(lanes) : "x"(x));
    return lanes;
}

INLINE struct four add_words(struct four s, struct four x)
{
    return (struct four){ add64(s.a, x.a), add64(s.b, x.b), add64(s.c, x.c), add64(s.d, x.d) };
}

INLINE struct four masked(struct four x, __m256i a, __m256i b, __m256i c, __m256i d)
{
    return (struct four){ _mm256_and_si256(x.a, a), _mm256_and_si256(x.b, b),
                          _mm256_and_si256(x.c, c), _mm256_and_si256(x.d, d) };
}

/* Returns the vectors before an end, without the bytes that are counted already. */
INLINE struct four last_words(struct four x, const uint8_t *masks)
{
    return masked(x, load(masks - 128), load(masks - 96), load(masks - 64), load(masks - 32));
}

INLINE __m256i average(struct four x)
{
    return _mm256_avg_epu16(_mm256_avg_epu16(x.a, x.b), _mm256_avg_epu16(x.c, x.d));
}

/* Return the sum of one vector, and of four. */
INLINE struct wide first_words(__m256i x)
{
    const __m256i zero = _mm256_setzero_si256();
    return (struct wide){ { x, zero, zero, zero }, _mm256_srli_epi64(x, 51) };
}

INLINE struct wide first_four(struct four x)
{
    return (struct wide){ x, _mm256_srli_epi64(average(x), 49) };
}

INLINE struct wide add_four(struct wide s, struct four x)
{
    return (struct wide){ add_words(s.lanes, x), add64(s.tops, _mm256_srli_epi64(average(x), 49)) };
}

INLINE struct wide add_eight(struct wide s, struct four x, struct four y)
{
    const __m256i eighth = _mm256_avg_epu16(average(x), average(y));
    return (struct wide){ add_words(add_words(s.lanes, x), y),
                          add64(s.tops, _mm256_srli_epi64(eighth, 48)) };
}

/* Returns the sum of the N words that were added, mod 2^64 - 1, and 0 only for 0. The estimate of
 * averages.h is 8 tops. The shifts of first_words, first_four and add_four round down. Eight times
 * what they lose is less than 8 in each of four lanes. A copy of LONG bytes has 14 such shifts, and
 * nothing has more: they lose at most 448. With N <= 2^14 + 2^6 for a BLOCK and its ends, the
 * estimate is less than 2^15 from T. */
INLINE uint64_t join_wide(struct wide s)
{
    const __m256i sum = _mm256_add_epi64(_mm256_add_epi64(s.lanes.a, s.lanes.b),
                                         _mm256_add_epi64(s.lanes.c, s.lanes.d));
    const __m256i both =
        _mm256_add_epi64(_mm256_unpacklo_epi64(sum, s.tops), _mm256_unpackhi_epi64(sum, s.tops));
    const __m128i x =
        _mm_add_epi64(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    const uint64_t total = (uint64_t)_mm_cvtsi128_si64(x);
    const uint64_t eighth = (uint64_t)_mm_extract_epi64(x, 1);
    return wiresum_with_carries(total, 8 * eighth, 0);
}

#endif
