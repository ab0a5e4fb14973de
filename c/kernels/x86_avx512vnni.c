/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX-512 with VNNI: 512 bytes a step, two operations a vector, the fewest that a CPU without an
 * unsigned dot product of words (VNNI-INT16) can do. vpdpwssd adds pairs of signed words to 32-bit
 * lanes, so each word is first moved from [0, 2^16) to
 * [-2^15, 2^15) by flipping its top bit; a vector then counts 32 × 2^15 = 2^20 too little, which is
 * added at the end.
 *
 * Up to 256 bytes are at most four vectors, the last of them masked; then comes a loop of two with
 * a masked end. From ALIGN_FROM bytes on the walk goes along cache lines, since a load across two
 * costs twice: the first and the last line are masked. Where the data starts at an odd address,
 * every byte then stands in the other half of its word, and the sum is swapped at the end (RFC 1071
 * 2(B)).
 *
 * A copy goes along the cache lines of its destination. Beyond the caches its stores go around
 * them: a line is then not read before it is overwritten, a third of all traffic.
 *
 * Bound: a vector adds at least -2^16 and at most 2^16 - 2 to a lane, so 2^15 - 1 vectors an
 * accumulator are safe. With eight accumulators that is 16 MiB - 512 B; a lane is never fed more
 * than BLOCK / 512 + 2 vectors between two flushes.
 */
#include "../src/kernel.h"

#if WIRESUM_X86_64

#  include "../src/cpu_features.h"
#  include "x86_avx512.h"

WIRESUM_DECLARE_KERNEL(x86_avx512vnni);
WIRESUM_DECLARE_FOLDING_KERNEL(x86_avx512vnni);

#  define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,bmi2")))

enum {
    STEP = 512,
    BLOCK = 8 << 20, /* bytes between two flushes, a multiple of a step */
    ALIGN_FROM = 1024,
    COPY_ALIGN_FROM = 1280, /* of a destination that is not aligned as it is */
    COPY_ALIGNED_FROM = 2048,
    BIAS_SHIFT = 20, /* a vector counts 2^20 too little */
};

/* What all here is made of, in one cache line. */
static const struct in_memory {
    uint64_t all, to_upper_half, to_upper_word;
    uint32_t top_bits, unbiased[4]; /* by the number of vectors beside the first */
    uint32_t none_or_ones[2];
} in_memory __attribute__((aligned(64))) = {
    ~UINT64_C(0),
    0x0000000100000001,
    0x0001000100010000,
    0x80008000,
    { 0x00010000, 0x00020000, 0x00030000, 0x00040000 },
    { 0, 0x00010001 },
};

struct constants {
    __m512i top_bits, ones;
};

/* Read from memory: GCC 12 would make each in a register and move it by a shuffle, which is what
 * short sums wait for. */
TARGET static inline struct constants constants(void)
{
    const struct in_memory *from = &in_memory;
    __asm__("" : "+r"(from));
    return (struct constants){ _mm512_set1_epi32((int32_t)from->top_bits),
                               _mm512_set1_epi32((int32_t)from->none_or_ones[1]) };
}

/* The words of x, each less 2^15. The empty asm keeps GCC 12 from loading x once for every use. */
TARGET static inline __m512i biased(struct constants c, __m512i x)
{
    x = _mm512_xor_si512(x, c.top_bits);
    __asm__("" : "+v"(x));
    return x;
}

/* The empty asm keeps GCC 12 from moving each accumulator to another register and back. */
TARGET static inline __m512i add(struct constants c, __m512i lanes, __m512i biased)
{
    lanes = _mm512_dpwssd_epi32(lanes, biased, c.ones);
    __asm__("" : "+v"(lanes));
    return lanes;
}

/* What lanes start from so that they end as the sums of unsigned words: what the bias takes from
 * each, a vector's two words being 2^16. */
TARGET static inline __m512i unbiased(size_t vectors)
{
    return _mm512_set1_epi32((int32_t)(vectors << 16));
}

/* An unfolded sum of sixteen unsigned lanes that cannot overflow together: fewer than 2^11 vectors
 * in all. */
TARGET static inline uint64_t join(__m512i lanes)
{
    const __m256i half =
        _mm256_add_epi32(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1));
    const __m128i quarter =
        _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_add_epi32(quarter, _mm_unpackhi_epi64(quarter, quarter)));
}

/* The lanes of eight accumulators, for join: of all their vectors together there are so few. */
TARGET static inline __m512i add_up(__m512i a0, __m512i a1, __m512i a2, __m512i a3, __m512i a4,
                                    __m512i a5, __m512i a6, __m512i a7)
{
    return _mm512_add_epi32(_mm512_add_epi32(_mm512_add_epi32(a0, a1), _mm512_add_epi32(a2, a3)),
                            _mm512_add_epi32(_mm512_add_epi32(a4, a5), _mm512_add_epi32(a6, a7)));
}

/* The sum of sixteen signed lanes. */
TARGET static inline int64_t flush(__m512i lanes)
{
    const __m512i wide =
        _mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(lanes)),
                         _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(lanes, 1)));
    const __m256i half =
        _mm256_add_epi64(_mm512_castsi512_si256(wide), _mm512_extracti64x4_epi64(wide, 1));
    const __m128i quarter =
        _mm_add_epi64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return _mm_cvtsi128_si64(quarter) + _mm_extract_epi64(quarter, 1);
}

/*
 * Short data, in assembly: a call takes 7 to 8 cycles then, where it took 9. Compilers would use
 * the first sixteen registers, and so have to end with vzeroupper; would not see that a masked
 * addition loads and biases at once; and would fold by shifts, on one of the two units that all the
 * rest waits for, where multiplications have one of their own.
 *
 * zmm16 is the sum, zmm17 a vector to add, zmm18 and k1 as below. n becomes the mask while other
 * operands are still to be read: hence its "&".
 */
/* wiresum_fold of what join or SHORT_JOIN made: two halves that do not overflow together. The first
   product has their sum as its upper half. If that is h × 2^16 + l, the second has l + h in its
   uppermost word and in the next, from which the carry comes around. */
static inline uint16_t fold_joined(uint64_t x)
{
    __asm__(
        "imulq %[to_upper_half], %[x]\n\t"
        "shrq $32, %[x]\n\t"
        "imulq %[to_upper_word], %[x]\n\t"
        "shrq $48, %[x]"
        : [x] "+r"(x)
        : [to_upper_half] "m"(in_memory.to_upper_half), [to_upper_word] "m"(in_memory.to_upper_word)
        : "cc");
    return (uint16_t)x;
}

#  define SHORT_CONSTANTS(vectors)                                  \
      [all] "m"(in_memory.all), [top_bits] "m"(in_memory.top_bits), \
          [ones] "m"(in_memory.none_or_ones[1]), [unbiased] "m"(in_memory.unbiased[(vectors) - 1])
#  define SHORT_CLOBBERS "xmm16", "xmm17", "xmm18", "k1", "cc"

/* k1: the first n bytes. zmm16: a sum of nothing. */
#  define SHORT_START               \
      "bzhi %[n], %[all], %[n]\n\t" \
      "kmovq %[n], %%k1\n\t"        \
      "vpbroadcastd %[unbiased], %%zmm16\n\t"

/* zmm17: the bytes in k1, biased, and words of zeros, biased too. Bytes are added, which is the
 * same here: the top bit alone changes. */
#  define SHORT_LOAD_MASKED(bytes)            \
      "vpbroadcastd %[top_bits], %%zmm18\n\t" \
      "vmovdqa64 %%zmm18, %%zmm17\n\t"        \
      "vpaddb %[" #bytes "], %%zmm18, %%zmm17%{%%k1%}\n\t"

/* zmm17: a whole vector, after such a one. */
#  define SHORT_LOAD(bytes) "vpaddb %[" #bytes "], %%zmm18, %%zmm17\n\t"

#  define SHORT_ADD "vpdpwssd %[ones]%{1to16%}, %%zmm17, %%zmm16\n\t"

#  define SHORT_JOIN                              \
      "vextracti64x4 $1, %%zmm16, %%ymm17\n\t"    \
      "vpaddd %%ymm17, %%ymm16, %%ymm16\n\t"      \
      "vextracti32x4 $1, %%ymm16, %%xmm17\n\t"    \
      "vpaddd %%xmm17, %%xmm16, %%xmm16\n\t"      \
      "vpunpckhqdq %%xmm16, %%xmm16, %%xmm17\n\t" \
      "vpaddd %%xmm17, %%xmm16, %%xmm16\n\t"      \
      "vmovq %%xmm16, %[sum]"

/* As an operand: the compiler then knows what is read or written. */
#  define VECTOR_AT(p) (*(uint8_t (*)[64])(p))

/* 1 to 64 bytes, none of them at a page's end. */
TARGET static inline uint64_t sum_masked(const uint8_t *p, size_t n)
{
    uint64_t sum;
    __asm__(SHORT_START SHORT_LOAD_MASKED(bytes) SHORT_ADD SHORT_JOIN
            : [sum] "=r"(sum), [n] "+&r"(n)
            : [bytes] "m"(VECTOR_AT(p)), SHORT_CONSTANTS(1)
            : SHORT_CLOBBERS);
    return sum;
}

/* 65 to 128 bytes, the last 64 of them so too. */
TARGET static inline uint64_t sum_two_masked(const uint8_t *p, size_t n)
{
    uint64_t sum;
    n -= 64;
    __asm__(SHORT_START SHORT_LOAD_MASKED(bytes) SHORT_ADD SHORT_LOAD(first) SHORT_ADD SHORT_JOIN
            : [sum] "=r"(sum), [n] "+&r"(n)
            : [first] "m"(VECTOR_AT(p)), [bytes] "m"(VECTOR_AT(p + 64)), SHORT_CONSTANTS(2)
            : SHORT_CLOBBERS);
    return sum;
}

/* 129 to 256 bytes, what is left of them behind the last whole vector so too: three vectors, or
   four. With three, the last but one is the second again, and counts for nothing. */
TARGET static inline uint64_t sum_four_masked(const uint8_t *p, size_t n)
{
    const size_t before = (n - 1) / 64;
    const uint8_t *const last = p + 64 * before;
    uint64_t sum;
    n -= 64 * before;
    __asm__(SHORT_START SHORT_LOAD_MASKED(bytes) SHORT_ADD SHORT_LOAD(first)
                SHORT_ADD SHORT_LOAD(second) SHORT_ADD SHORT_LOAD(
                    third) "vpdpwssd %[none_or_ones]%{1to16%}, %%zmm17, %%zmm16\n\t" SHORT_JOIN
            : [sum] "=r"(sum), [n] "+&r"(n)
            : [first] "m"(VECTOR_AT(p)), [second] "m"(VECTOR_AT(p + 64)),
              [third] "m"(VECTOR_AT(last - 64)), [bytes] "m"(VECTOR_AT(last)),
              [none_or_ones] "m"(in_memory.none_or_ones[before - 2]), SHORT_CONSTANTS(before + 1)
            : SHORT_CLOBBERS);
    return sum;
}

/* 64 < n < ALIGN_FROM: as the data lies. */
TARGET static inline __attribute__((always_inline)) uint64_t sum_unaligned(const uint8_t *p,
                                                                           size_t n)
{
    const struct constants c = constants();
    const uint8_t *const end = p + (n & ~(size_t)1);
    const uint64_t odd = wiresum_odd_byte(p, n);
    __m512i a = unbiased((size_t)(end - p + 63) / 64), b = _mm512_setzero_si512();

    for (; end - p > 128; p += 128) {
        a = add(c, a, biased(c, _mm512_loadu_si512(p)));
        b = add(c, b, biased(c, _mm512_loadu_si512(p + 64)));
    }
    if (end - p > 64) {
        a = add(c, a, biased(c, _mm512_loadu_si512(p)));
        p += 64;
    }
    b = add(c, b, biased(c, wiresum_load_last512(end, (size_t)(end - p))));
    return join(_mm512_add_epi32(a, b)) + odd;
}

/* n >= 64, along cache lines. */
TARGET static inline uint64_t sum_aligned(const uint8_t *p, size_t n)
{
    const struct constants c = constants();
    const size_t head = (uintptr_t)p & 63;
    const uint8_t *const end = p + n;
    const uint8_t *line = p - head + 64;
    __m512i a0 = add(c, _mm512_setzero_si512(),
                     biased(c, _mm512_maskz_loadu_epi8(~UINT64_C(0) << head, p - head)));
    __m512i a1 = _mm512_setzero_si512(), a2 = a1, a3 = a1, a4 = a1, a5 = a1, a6 = a1, a7 = a1;
    uint64_t vectors = 1;
    int64_t sum = 0;

    for (;;) {
        const size_t left = (size_t)(end - line);
        const uint8_t *const stop = line + ((left < BLOCK ? left : BLOCK) & ~(size_t)(STEP - 1));
        vectors += (size_t)(stop - line) / 64;
        for (; line != stop; line += STEP) {
            /* All loads first: they then reach the cache in the order of the addresses. */
            const __m512i x0 = biased(c, _mm512_load_si512(line)),
                          x1 = biased(c, _mm512_load_si512(line + 64));
            const __m512i x2 = biased(c, _mm512_load_si512(line + 128)),
                          x3 = biased(c, _mm512_load_si512(line + 192));
            const __m512i x4 = biased(c, _mm512_load_si512(line + 256)),
                          x5 = biased(c, _mm512_load_si512(line + 320));
            const __m512i x6 = biased(c, _mm512_load_si512(line + 384)),
                          x7 = biased(c, _mm512_load_si512(line + 448));
            a0 = add(c, a0, x0);
            a1 = add(c, a1, x1);
            a2 = add(c, a2, x2);
            a3 = add(c, a3, x3);
            a4 = add(c, a4, x4);
            a5 = add(c, a5, x5);
            a6 = add(c, a6, x6);
            a7 = add(c, a7, x7);
        }
        if (left <= BLOCK)
            break;
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6)
               + flush(a7);
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = _mm512_setzero_si512();
    }
    for (; end - line >= 128; line += 128, vectors += 2) {
        a1 = add(c, a1, biased(c, _mm512_load_si512(line)));
        a2 = add(c, a2, biased(c, _mm512_load_si512(line + 64)));
    }
    if (end - line >= 64) {
        a3 = add(c, a3, biased(c, _mm512_load_si512(line)));
        line += 64, vectors++;
    }
    if (line != end) {
        a4 = add(c, a4,
                 biased(c, _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)(end - line)),
                                                   line)));
        vectors++;
    }
    uint64_t total;
    if (n < BLOCK / 128) { /* 2^10 vectors and a line */
        total = join(_mm512_add_epi32(unbiased(vectors), add_up(a0, a1, a2, a3, a4, a5, a6, a7)));
    } else {
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6)
               + flush(a7);
        total = (uint64_t)sum + (vectors << BIAS_SHIFT);
    }
    return head & 1 ? wiresum_swap(wiresum_fold(total)) : total;
}

/* 64 < n < ALIGN_FROM. Always inlined: to jump there once more would show. */
TARGET static inline __attribute__((always_inline)) uint64_t sum_upto_align_from(const uint8_t *p,
                                                                                 size_t n)
{
    if (WIRESUM_UNLIKELY(n <= 256) && wiresum_is_in_page512(p + ((n - 1) & ~(size_t)63)))
        return n <= 128 ? sum_two_masked(p, n) : sum_four_masked(p, n);
    return sum_unaligned(p, n);
}

/* Not inlined, nor the next: GCC would make room on the stack for them on the way in of short data.
 */
TARGET __attribute__((noinline)) static uint64_t sum_others(const uint8_t *p, size_t n)
{
    return n <= 64 ? wiresum_sum_at_page_end512(p, n) : sum_aligned(p, n);
}

TARGET __attribute__((noinline)) static uint16_t fold_others(const uint8_t *p, size_t n)
{
    return wiresum_fold(sum_others(p, n));
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni(const void *data, size_t n)
{
    if (WIRESUM_LIKELY(n - 1 < 64 && wiresum_is_in_page512(data)))
        return sum_masked(data, n);
    return n - 65 < ALIGN_FROM - 65 ? sum_upto_align_from(data, n) : sum_others(data, n);
}

TARGET uint16_t wiresum_kernel_x86_avx512vnni_folded(const void *data, size_t n)
{
    if (WIRESUM_LIKELY(n - 1 < 64 && wiresum_is_in_page512(data)))
        return fold_joined(sum_masked(data, n));
    return n - 65 < ALIGN_FROM - 65 ? fold_joined(sum_upto_align_from(data, n))
                                    : fold_others(data, n);
}

/* 1 to 64 bytes, none of them at a page's end, on either side. */
TARGET static inline uint64_t copy_masked(uint8_t *out, const uint8_t *p, size_t n)
{
    uint64_t sum;
    __asm__(SHORT_START "vmovdqu8 %[bytes], %%zmm17%{%%k1%}%{z%}\n\t"
                        "vmovdqu8 %%zmm17, %[to]%{%%k1%}\n\t"
                        "vpxord %[top_bits]%{1to16%}, %%zmm17, %%zmm17\n\t" SHORT_ADD SHORT_JOIN
            : [sum] "=r"(sum), [n] "+&r"(n), [to] "+m"(VECTOR_AT(out))
            : [bytes] "m"(VECTOR_AT(p)), SHORT_CONSTANTS(1)
            : SHORT_CLOBBERS);
    return sum;
}

/* 64 <= n <= 128: two vectors, which overlap. */
TARGET static inline uint64_t copy_upto128(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct constants c = constants();
    const size_t even = n & ~(size_t)1;
    const __m512i first = _mm512_loadu_si512(p), last = _mm512_loadu_si512(p + n - 64);
    _mm512_storeu_si512(out, first);
    _mm512_storeu_si512(out + n - 64, last);
    const __m512i a = add(c, add(c, unbiased(2), biased(c, first)),
                          biased(c, wiresum_load_last512(p + even, even - 64)));
    return join(a) + wiresum_odd_byte(p, n);
}

/* 128 < n <= 256: two vectors from the start and two from the end, which overlap. */
TARGET static inline uint64_t copy_upto256(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct constants c = constants();
    const uint8_t *const end = p + (n & ~(size_t)1);
    const size_t rest = (size_t)(end - p) - 128; /* what the first two leave to be summed */
    const __m512i w = _mm512_loadu_si512(p), x = _mm512_loadu_si512(p + 64);
    const __m512i y = _mm512_loadu_si512(p + n - 128), z = _mm512_loadu_si512(p + n - 64);
    _mm512_storeu_si512(out, w);
    _mm512_storeu_si512(out + 64, x);
    _mm512_storeu_si512(out + n - 128, y);
    _mm512_storeu_si512(out + n - 64, z);
    const __m512i a = add(c, add(c, unbiased(4), biased(c, w)),
                          biased(c, wiresum_load_last512(end - 64, rest > 64 ? rest - 64 : 0)));
    const __m512i b = add(c, add(c, _mm512_setzero_si512(), biased(c, x)),
                          biased(c, wiresum_load_last512(end, rest < 64 ? rest : 64)));
    return join(_mm512_add_epi32(a, b)) + wiresum_odd_byte(p, n);
}

TARGET static inline uint64_t copy_from_both_ends(uint8_t *out, const uint8_t *p, size_t n)
{
    return n <= 128 ? copy_upto128(out, p, n) : copy_upto256(out, p, n);
}

/* 256 < n < COPY_ALIGNED_FROM, as the data lies. */
TARGET static inline uint64_t copy_unaligned(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct constants c = constants();
    const uint8_t *const end = p + (n & ~(size_t)1);
    const uint64_t odd = wiresum_odd_byte(p, n);
    __m512i a0 = unbiased((size_t)(end - p + 63) / 64), a1 = _mm512_setzero_si512(), a2 = a1,
            a3 = a1;

    /* The end first: what it rewrites of the last whole vector is the same bytes. */
    _mm512_storeu_si512(out + n - 64, _mm512_loadu_si512(p + n - 64));
    for (; end - p >= 256; p += 256, out += 256) {
        const __m512i w = _mm512_loadu_si512(p), x = _mm512_loadu_si512(p + 64);
        const __m512i y = _mm512_loadu_si512(p + 128), z = _mm512_loadu_si512(p + 192);
        _mm512_storeu_si512(out, w);
        _mm512_storeu_si512(out + 64, x);
        _mm512_storeu_si512(out + 128, y);
        _mm512_storeu_si512(out + 192, z);
        a0 = add(c, a0, biased(c, w));
        a1 = add(c, a1, biased(c, x));
        a2 = add(c, a2, biased(c, y));
        a3 = add(c, a3, biased(c, z));
    }
    for (; end - p >= 64; p += 64, out += 64) {
        const __m512i x = _mm512_loadu_si512(p);
        _mm512_storeu_si512(out, x);
        a0 = add(c, a0, biased(c, x));
    }
    if (p != end)
        a1 = add(c, a1, biased(c, wiresum_load_last512(end, (size_t)(end - p))));
    a0 = _mm512_add_epi32(_mm512_add_epi32(a0, a1), _mm512_add_epi32(a2, a3));
    return join(a0) + odd;
}

/* Copies a vector to where out is aligned, and adds it. */
TARGET static inline __m512i copy_vector(struct constants c, __m512i lanes, uint8_t *out,
                                         const uint8_t *p, bool around_caches)
{
    const __m512i x = _mm512_loadu_si512(p);
    if (around_caches)
        _mm512_stream_si512((void *)out, x);
    else
        _mm512_store_si512(out, x);
    return add(c, lanes, biased(c, x));
}

/* n >= COPY_ALIGN_FROM, along the cache lines of out: a store across two costs more than a load
   does. Eight accumulators, as two would wait for their own dot products: five cycles each. */
TARGET static inline __attribute__((always_inline)) uint64_t copy_along_lines(uint8_t *out,
                                                                              const uint8_t *p,
                                                                              size_t n,
                                                                              bool around_caches)
{
    const struct constants c = constants();
    const size_t head = -(uintptr_t)out & 63;
    const __m512i first = _mm512_loadu_si512(p);
    const __m512i head_bytes =
        _mm512_maskz_mov_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)head), first);

    _mm512_storeu_si512(out + n - 64, _mm512_loadu_si512(p + n - 64)); /* the end, as above */
    _mm512_storeu_si512(out, first);
    p += head, out += head, n -= head;

    const uint8_t *const end = p + (n & ~(size_t)1);
    const uint64_t odd = wiresum_odd_byte(p, n);
    uint64_t vectors = ((n & ~(size_t)1) + 63) / 64, head_sum = 0;
    __m512i a0 = _mm512_setzero_si512(), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0,
            a7 = a0;
    int64_t sum = 0;
    if (WIRESUM_UNLIKELY(head & 1)) /* its words are not those of the rest */
        head_sum = wiresum_sum_vector512(head_bytes);
    else
        a0 = add(c, a0, biased(c, head_bytes)), vectors++;
    for (;;) {
        const size_t left = (size_t)(end - p);
        const uint8_t *const stop = p + ((left < BLOCK ? left : BLOCK) & ~(size_t)(STEP - 1));
        for (; p != stop; p += STEP, out += STEP) {
            a0 = copy_vector(c, a0, out, p, around_caches);
            a1 = copy_vector(c, a1, out + 64, p + 64, around_caches);
            a2 = copy_vector(c, a2, out + 128, p + 128, around_caches);
            a3 = copy_vector(c, a3, out + 192, p + 192, around_caches);
            a4 = copy_vector(c, a4, out + 256, p + 256, around_caches);
            a5 = copy_vector(c, a5, out + 320, p + 320, around_caches);
            a6 = copy_vector(c, a6, out + 384, p + 384, around_caches);
            a7 = copy_vector(c, a7, out + 448, p + 448, around_caches);
        }
        if (left <= BLOCK)
            break;
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6)
               + flush(a7);
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = _mm512_setzero_si512();
    }
    for (; end - p >= 128; p += 128, out += 128) {
        const __m512i x = _mm512_loadu_si512(p), y = _mm512_loadu_si512(p + 64);
        _mm512_store_si512(out, x);
        _mm512_store_si512(out + 64, y);
        a1 = add(c, a1, biased(c, x));
        a2 = add(c, a2, biased(c, y));
    }
    if (end - p >= 64) {
        const __m512i x = _mm512_loadu_si512(p);
        _mm512_store_si512(out, x);
        a3 = add(c, a3, biased(c, x));
        p += 64;
    }
    if (p != end)
        a4 = add(c, a4, biased(c, wiresum_load_last512(end, (size_t)(end - p))));
    if (around_caches)
        _mm_sfence(); /* whoever is told of the copy must find it */
    uint64_t rest;
    if (n < BLOCK / 128) {
        rest = join(_mm512_add_epi32(unbiased(vectors), add_up(a0, a1, a2, a3, a4, a5, a6, a7)));
    } else {
        sum += flush(a0) + flush(a1) + flush(a2) + flush(a3) + flush(a4) + flush(a5) + flush(a6)
               + flush(a7);
        rest = (uint64_t)sum + (vectors << BIAS_SHIFT);
    }
    rest = wiresum_add64(rest, odd);
    return head & 1 ? wiresum_add64(head_sum, wiresum_swap(wiresum_fold(rest))) : rest;
}

TARGET __attribute__((noinline)) static uint64_t copy_around_caches(uint8_t *out, const uint8_t *p,
                                                                    size_t n)
{
    return copy_along_lines(out, p, n, true);
}

/* Not inlined, nor the next: as with sums. */
TARGET __attribute__((noinline)) static uint64_t copy_others(uint8_t *out, const uint8_t *p,
                                                             size_t n)
{
    if (n < 64)
        return wiresum_copy_upto63(out, p, n);
    if (n < COPY_ALIGN_FROM || (n < COPY_ALIGNED_FROM && ((uintptr_t)out & 63) == 0))
        return copy_unaligned(out, p, n);
    if (WIRESUM_UNLIKELY(n >= WIRESUM_ASK_CACHES_FROM) && n >= wiresum_copy_around_caches_from())
        return copy_around_caches(out, p, n);
    return copy_along_lines(out, p, n, false);
}

TARGET __attribute__((noinline)) static uint16_t copy_others_folded(uint8_t *out, const uint8_t *p,
                                                                    size_t n)
{
    return wiresum_fold(copy_others(out, p, n));
}

TARGET static inline bool is_short_copy(const void *dst, const void *src, size_t n)
{
    return n - 1 < 64 && wiresum_is_in_page512(dst) && wiresum_is_in_page512(src);
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni_copy(void *dst, const void *src, size_t n)
{
    if (WIRESUM_LIKELY(is_short_copy(dst, src, n)))
        return copy_masked(dst, src, n);
    return n - 64 <= 256 - 64 ? copy_from_both_ends(dst, src, n) : copy_others(dst, src, n);
}

TARGET uint16_t wiresum_kernel_x86_avx512vnni_copy_folded(void *dst, const void *src, size_t n)
{
    if (WIRESUM_LIKELY(is_short_copy(dst, src, n)))
        return fold_joined(copy_masked(dst, src, n));
    return n - 64 <= 256 - 64 ? fold_joined(copy_from_both_ends(dst, src, n))
                              : copy_others_folded(dst, src, n);
}

/* Lane i holds 16 bytes at p + 4 × i × stride. */
TARGET static inline __m512i load_every_fourth(const uint8_t *p, size_t stride)
{
    __m512i x = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(p + 4 * stride)), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(p + 8 * stride)), 2);
    return _mm512_inserti32x4(x, _mm_loadu_si128((const __m128i *)(p + 12 * stride)), 3);
}

/*
 * Sixteen at a time: a vector holds bytes 0 to 15 of four headers, a second bytes 4 to 19, of which
 * only the last word pair counts. Four such pairs are transposed, so that the sixteen sums are one
 * vector and fold together.
 *
 * Of each 20 bytes are read before its IHL is known. That is within the array, since stride is at
 * least that; of the last header the IHL is looked at first.
 */
TARGET size_t wiresum_kernel_x86_avx512vnni_headers(const uint8_t *first, size_t stride, size_t n,
                                                    uint16_t *sums)
{
    const struct constants c = constants();
    const __m512i last_pair = _mm512_maskz_mov_epi32(0x8888, c.ones);
    const __m512i bias = _mm512_add_epi32(unbiased(1), _mm512_maskz_mov_epi32(0x8888, unbiased(1)));
    const __m512i ihl = _mm512_set1_epi32(15), ihl_of_20 = _mm512_set1_epi32(5);

    size_t done = 0;
    if (stride < 20)
        return 0;
    for (; n - done > 16 || (n - done == 16 && (first[(n - 1) * stride] & 15) >= 5); done += 16) {
        const uint8_t *const p = first + done * stride;
        __m512i sum[4], other = _mm512_setzero_si512();
        for (size_t i = 0; i < 4; i++) {
            const __m512i x = load_every_fourth(p + i * stride, stride),
                          y = load_every_fourth(p + i * stride + 4, stride);
            other =
                _mm512_ternarylogic_epi32(other, x, ihl_of_20, 0xF6); /* other | (x ^ ihl_of_20) */
            sum[i] = _mm512_dpwssd_epi32(
                _mm512_dpwssd_epi32(bias, _mm512_xor_si512(x, c.top_bits), c.ones),
                _mm512_xor_si512(y, c.top_bits), last_pair);
        }
        if (WIRESUM_UNLIKELY(_mm512_mask_test_epi32_mask(0x1111, other, ihl) != 0))
            break; /* options, or no header */
        const __m512i s01 = _mm512_add_epi32(_mm512_unpacklo_epi32(sum[0], sum[1]),
                                             _mm512_unpackhi_epi32(sum[0], sum[1]));
        const __m512i s23 = _mm512_add_epi32(_mm512_unpacklo_epi32(sum[2], sum[3]),
                                             _mm512_unpackhi_epi32(sum[2], sum[3]));
        const __m512i all =
            _mm512_add_epi32(_mm512_unpacklo_epi64(s01, s23), _mm512_unpackhi_epi64(s01, s23));
        const __m512i folded =
            _mm512_srli_epi32(_mm512_add_epi32(all, _mm512_rol_epi32(all, 16)), 16);
        _mm256_storeu_si256((__m256i *)(sums + done), _mm512_cvtepi32_epi16(folded));
    }
    return done;
}

#else
typedef int wiresum_x86_avx512vnni_is_not_for_this_machine;
#endif
