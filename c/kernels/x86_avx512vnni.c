/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-512 with VNNI: 512 bytes a step, two operations a vector, the fewest that a CPU without an unsigned dot product of words
 * (VNNI-INT16) can do. vpdpwssd adds pairs of signed words to 32-bit lanes, so each word is first moved from [0, 2^16) to
 * [-2^15, 2^15) by flipping its top bit; a vector then counts 32 × 2^15 = 2^20 too little, which is added at the end.
 *
 * Short data is one masked vector, or a loop of two with a masked end. From ALIGN_FROM bytes on the walk goes along cache lines,
 * since a load across two costs twice: the first and the last line are masked. Where the data starts at an odd address,
 * every byte then stands in the other half of its word, and the sum is swapped at the end (RFC 1071 2(B)).
 *
 * A copy goes along the cache lines of its destination. Beyond the caches its stores go around them: a line is then not read before
 * it is overwritten, a third of all traffic.
 *
 * Bound: a vector adds at least -2^16 and at most 2^16 - 2 to a lane, so 2^15 - 1 vectors an accumulator are safe. With eight
 * accumulators that is 16 MiB - 512 B; a lane is never fed more than BLOCK / 512 + 2 vectors between two flushes.
 */
#include "../src/kernel.h"

#if WIRESUM_X86_64

#include "../src/cpu_features.h"
#include "x86_avx512.h"

WIRESUM_DECLARE_KERNEL(x86_avx512vnni);

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,bmi2")))

enum {
    STEP = 512,
    BLOCK = 8 << 20,  /* bytes between two flushes, a multiple of a step */
    ALIGN_FROM = 1024,
    COPY_ALIGN_FROM = 1280,   /* of a destination that is not aligned as it is */
    COPY_ALIGNED_FROM = 2048,
    BIAS_SHIFT = 20,  /* a vector counts 2^20 too little */
};

/* The words of x, each less 2^15. The empty asm keeps GCC 12 from loading x once for every use. */
TARGET static inline __m512i biased(__m512i x)
{
    x = _mm512_xor_si512(x, _mm512_set1_epi16(INT16_MIN));
    __asm__("" : "+v"(x));
    return x;
}

TARGET static inline __m512i add(__m512i lanes, __m512i x)
{
    return _mm512_dpwssd_epi32(lanes, x, _mm512_set1_epi16(1));
}

/* The sum of sixteen signed lanes. */
TARGET static inline int64_t flush(__m512i lanes)
{
    const __m512i wide = _mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(lanes)),
                                          _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(lanes, 1)));
    const __m256i half = _mm256_add_epi64(_mm512_castsi512_si256(wide), _mm512_extracti64x4_epi64(wide, 1));
    const __m128i quarter = _mm_add_epi64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return _mm_cvtsi128_si64(quarter) + _mm_extract_epi64(quarter, 1);
}

/* The same for lanes so small that no two of them overflow together: fewer than 2^11 vectors in all. */
TARGET static inline int64_t flush_small(__m512i lanes)
{
    const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1));
    __m128i quarter = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    quarter = _mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, 0x4E));
    quarter = _mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, 0xB1));
    return _mm_cvtsi128_si32(quarter);
}

/* 64 < n < 2^16: as the data lies. */
TARGET static inline uint64_t sum_unaligned(const uint8_t *p, size_t n)
{
    const uint8_t *const end = p + (n & ~(size_t)1);
    const uint64_t vectors = (uint64_t)(end - p + 63) / 64;
    __m512i a = _mm512_setzero_si512(), b = a;

    for (; end - p > 128; p += 128) {
        a = add(a, biased(_mm512_loadu_si512(p)));
        b = add(b, biased(_mm512_loadu_si512(p + 64)));
    }
    if (end - p > 64) {
        a = add(a, biased(_mm512_loadu_si512(p)));
        p += 64;
    }
    b = add(b, biased(wiresum_load_last512(end, (size_t)(end - p))));
    return (uint64_t)(flush_small(_mm512_add_epi32(a, b)) + (int64_t)(vectors << BIAS_SHIFT));
}

/* n >= 64, along cache lines. Not inlined: GCC would make room on the stack for it on the way in of short data. */
TARGET __attribute__((noinline)) static uint64_t sum_aligned(const uint8_t *p, size_t n)
{
    const size_t head = (uintptr_t)p & 63;
    const uint8_t *const end = p + n;
    const uint8_t *line = p - head + 64;
    __m512i a0 = add(_mm512_setzero_si512(), biased(_mm512_maskz_loadu_epi8(~UINT64_C(0) << head, p - head)));
    __m512i a1 = _mm512_setzero_si512(), a2 = a1, a3 = a1, a4 = a1, a5 = a1, a6 = a1, a7 = a1;
    uint64_t vectors = 1;
    int64_t sum = 0;

    for (;;) {
        const size_t left = (size_t)(end - line);
        const uint8_t *const stop = line + ((left < BLOCK ? left : BLOCK) & ~(size_t)(STEP - 1));
        vectors += (size_t)(stop - line) / 64;
        for (; line != stop; line += STEP) {
            /* All loads first: they then reach the cache in the order of the addresses. */
            const __m512i x0 = biased(_mm512_load_si512(line)), x1 = biased(_mm512_load_si512(line + 64));
            const __m512i x2 = biased(_mm512_load_si512(line + 128)), x3 = biased(_mm512_load_si512(line + 192));
            const __m512i x4 = biased(_mm512_load_si512(line + 256)), x5 = biased(_mm512_load_si512(line + 320));
            const __m512i x6 = biased(_mm512_load_si512(line + 384)), x7 = biased(_mm512_load_si512(line + 448));
            a0 = add(a0, x0);
            a1 = add(a1, x1);
            a2 = add(a2, x2);
            a3 = add(a3, x3);
            a4 = add(a4, x4);
            a5 = add(a5, x5);
            a6 = add(a6, x6);
            a7 = add(a7, x7);
        }
        if (left <= BLOCK)
            break;
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6) + flush(a7);
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = _mm512_setzero_si512();
    }
    for (; end - line >= 128; line += 128, vectors += 2) {
        a1 = add(a1, biased(_mm512_load_si512(line)));
        a2 = add(a2, biased(_mm512_load_si512(line + 64)));
    }
    if (end - line >= 64) {
        a3 = add(a3, biased(_mm512_load_si512(line)));
        line += 64, vectors++;
    }
    if (line != end) {
        a4 = add(a4, biased(_mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)(end - line)), line)));
        vectors++;
    }
    if (n < BLOCK / 128) { /* 2^10 vectors and a line */
        a0 = _mm512_add_epi32(_mm512_add_epi32(_mm512_add_epi32(a0, a1), _mm512_add_epi32(a2, a3)),
                              _mm512_add_epi32(_mm512_add_epi32(a4, a5), _mm512_add_epi32(a6, a7)));
        sum = flush_small(a0);
    } else {
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6) + flush(a7);
    }
    const uint64_t total = (uint64_t)sum + (vectors << BIAS_SHIFT);
    return head & 1 ? wiresum_swap(wiresum_fold(total)) : total;
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni(const void *data, size_t n)
{
    const uint8_t *const p = data;
    if (n <= 64)
        return wiresum_sum_upto64(p, n);
    if (n < ALIGN_FROM)
        return wiresum_add64(sum_unaligned(p, n), wiresum_odd_byte(p, n));
    return sum_aligned(p, n);
}

/* 64 <= n <= 128: two vectors, which overlap. */
TARGET static inline uint64_t copy_upto128(uint8_t *out, const uint8_t *p, size_t n)
{
    const size_t even = n & ~(size_t)1;
    const __m512i first = _mm512_loadu_si512(p), last = _mm512_loadu_si512(p + n - 64);
    _mm512_storeu_si512(out, first);
    _mm512_storeu_si512(out + n - 64, last);
    const __m512i a = add(add(_mm512_setzero_si512(), biased(first)), biased(wiresum_load_last512(p + even, even - 64)));
    return (uint64_t)(flush_small(a) + (INT64_C(2) << BIAS_SHIFT)) + wiresum_odd_byte(p, n);
}

/* 64 <= n < COPY_ALIGNED_FROM, as the data lies. */
TARGET static inline uint64_t copy_unaligned(uint8_t *out, const uint8_t *p, size_t n)
{
    const uint8_t *const end = p + (n & ~(size_t)1);
    const uint64_t vectors = ((n & ~(size_t)1) + 63) / 64, odd = wiresum_odd_byte(p, n);
    __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;

    /* The end first: what it rewrites of the last whole vector is the same bytes. */
    _mm512_storeu_si512(out + n - 64, _mm512_loadu_si512(p + n - 64));
    for (; end - p >= 256; p += 256, out += 256) {
        const __m512i w = _mm512_loadu_si512(p), x = _mm512_loadu_si512(p + 64);
        const __m512i y = _mm512_loadu_si512(p + 128), z = _mm512_loadu_si512(p + 192);
        _mm512_storeu_si512(out, w);
        _mm512_storeu_si512(out + 64, x);
        _mm512_storeu_si512(out + 128, y);
        _mm512_storeu_si512(out + 192, z);
        a = add(a, biased(w));
        b = add(b, biased(x));
        c = add(c, biased(y));
        d = add(d, biased(z));
    }
    for (; end - p >= 64; p += 64, out += 64) {
        const __m512i x = _mm512_loadu_si512(p);
        _mm512_storeu_si512(out, x);
        a = add(a, biased(x));
    }
    if (p != end)
        b = add(b, biased(wiresum_load_last512(end, (size_t)(end - p))));
    a = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
    return wiresum_add64((uint64_t)(flush_small(a) + (int64_t)(vectors << BIAS_SHIFT)), odd);
}

TARGET static inline void store(uint8_t *out, __m512i x, bool around_caches)
{
    if (around_caches)
        _mm512_stream_si512((void *)out, x);
    else
        _mm512_store_si512(out, x);
}

/* The empty asm keeps GCC 12 from moving each accumulator to another register and back. */
TARGET static inline __m512i add_in_place(__m512i lanes, __m512i x)
{
    lanes = add(lanes, x);
    __asm__("" : "+v"(lanes));
    return lanes;
}

/* n >= COPY_ALIGN_FROM, along the cache lines of out: a store across two costs more than a load does. Eight accumulators, as two would wait for
   their own dot products: five cycles each. */
TARGET static inline uint64_t copy_along_lines(uint8_t *out, const uint8_t *p, size_t n, bool around_caches)
{
    const size_t head = -(uintptr_t)out & 63;
    const __m512i first = _mm512_loadu_si512(p);
    const uint64_t head_sum = wiresum_sum_vector512(_mm512_maskz_mov_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)head), first));

    _mm512_storeu_si512(out + n - 64, _mm512_loadu_si512(p + n - 64)); /* the end, as above */
    _mm512_storeu_si512(out, first);
    p += head, out += head, n -= head;

    const uint8_t *const end = p + (n & ~(size_t)1);
    const uint64_t vectors = ((n & ~(size_t)1) + 63) / 64, odd = wiresum_odd_byte(p, n);
    __m512i a0 = _mm512_setzero_si512(), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
    int64_t sum = 0;
    for (;;) {
        const size_t left = (size_t)(end - p);
        const uint8_t *const stop = p + ((left < BLOCK ? left : BLOCK) & ~(size_t)(STEP - 1));
        for (; p != stop; p += STEP, out += STEP) {
            const __m512i x0 = _mm512_loadu_si512(p), x1 = _mm512_loadu_si512(p + 64);
            const __m512i x2 = _mm512_loadu_si512(p + 128), x3 = _mm512_loadu_si512(p + 192);
            const __m512i x4 = _mm512_loadu_si512(p + 256), x5 = _mm512_loadu_si512(p + 320);
            const __m512i x6 = _mm512_loadu_si512(p + 384), x7 = _mm512_loadu_si512(p + 448);
            store(out, x0, around_caches);
            store(out + 64, x1, around_caches);
            store(out + 128, x2, around_caches);
            store(out + 192, x3, around_caches);
            store(out + 256, x4, around_caches);
            store(out + 320, x5, around_caches);
            store(out + 384, x6, around_caches);
            store(out + 448, x7, around_caches);
            a0 = add_in_place(a0, biased(x0));
            a1 = add_in_place(a1, biased(x1));
            a2 = add_in_place(a2, biased(x2));
            a3 = add_in_place(a3, biased(x3));
            a4 = add_in_place(a4, biased(x4));
            a5 = add_in_place(a5, biased(x5));
            a6 = add_in_place(a6, biased(x6));
            a7 = add_in_place(a7, biased(x7));
        }
        if (left <= BLOCK)
            break;
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6) + flush(a7);
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = _mm512_setzero_si512();
    }
    for (; end - p >= 128; p += 128, out += 128) {
        const __m512i x = _mm512_loadu_si512(p), y = _mm512_loadu_si512(p + 64);
        _mm512_store_si512(out, x);
        _mm512_store_si512(out + 64, y);
        a1 = add(a1, biased(x));
        a2 = add(a2, biased(y));
    }
    if (end - p >= 64) {
        const __m512i x = _mm512_loadu_si512(p);
        _mm512_store_si512(out, x);
        a3 = add(a3, biased(x));
        p += 64;
    }
    if (p != end)
        a4 = add(a4, biased(wiresum_load_last512(end, (size_t)(end - p))));
    if (around_caches)
        _mm_sfence(); /* whoever is told of the copy must find it */
    if (n < BLOCK / 128) {
        a0 = _mm512_add_epi32(_mm512_add_epi32(_mm512_add_epi32(a0, a1), _mm512_add_epi32(a2, a3)),
                              _mm512_add_epi32(_mm512_add_epi32(a4, a5), _mm512_add_epi32(a6, a7)));
        sum = flush_small(a0);
    } else {
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6) + flush(a7);
    }
    const uint64_t rest = wiresum_add64((uint64_t)sum + (vectors << BIAS_SHIFT), odd);
    return wiresum_add64(head_sum, head & 1 ? wiresum_swap(wiresum_fold(rest)) : rest);
}

TARGET __attribute__((noinline)) static uint64_t copy_in_caches(uint8_t *out, const uint8_t *p, size_t n)
{
    return copy_along_lines(out, p, n, false);
}

TARGET __attribute__((noinline)) static uint64_t copy_around_caches(uint8_t *out, const uint8_t *p, size_t n)
{
    return copy_along_lines(out, p, n, true);
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni_copy(void *dst, const void *src, size_t n)
{
    if (n < 64)
        return wiresum_copy_upto63(dst, src, n);
    if (n <= 128)
        return copy_upto128(dst, src, n);
    if (n < ((uintptr_t)dst & 63 ? COPY_ALIGN_FROM : COPY_ALIGNED_FROM))
        return copy_unaligned(dst, src, n);
    if (WIRESUM_UNLIKELY(n >= WIRESUM_ASK_CACHES_FROM) && n >= wiresum_copy_around_caches_from())
        return copy_around_caches(dst, src, n);
    return copy_in_caches(dst, src, n);
}

#else
typedef int wiresum_x86_avx512vnni_is_not_for_this_machine;
#endif
