/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * This kernel uses AVX-512 with VNNI. A step of a sum takes 512 bytes, and a step of a copy 256. A
 * vector takes two operations, the fewest on a CPU without an unsigned dot product of words
 * (AVX-VNNI-INT16). vpdpwssd multiplies signed words, and adds two neighboring products to a lane
 * of 32 bits. The kernel flips the top bit of each word, which moves the word from [0, 2^16) to
 * [-2^15, 2^15), and multiplies the word by 1. The sum of a vector is then too small by the bias
 * 32 × 2^15 = 2^20. The kernel adds this bias to the total.
 *
 * Where lengths vary, a branch on the remainder of a length costs some 20 cycles, in which the
 * kernel could sum 1000 bytes. The kernel multiplies by 0 instead: outside the loop it always adds
 * the same number of vectors, and gives the weight 0 to those that are too many. The length chooses
 * one of three shapes:
 *
 * - Up to 64 bytes are one masked vector.
 * - Up to 256 bytes are four vectors that need no alignment. Of the last 64 bytes, a mask takes the
 *   words that no other vector holds.
 * - Up to BLOCK bytes are cache lines, since a load across two lines costs twice. A sum masks the
 *   first line and the last line. A copy follows the lines of its destination, and stores its first
 *   and its last vector unaligned. Of the lines between, the last three are weighted and the
 *   others are added four a step, so that the loop is the only branch that depends on the length.
 *
 * A dot product takes four or five cycles, and a Zen 5 starts two each cycle: a sum has eight
 * accumulators. A copy has four. Its stores allow no more than one dot product a cycle, and a Zen 5
 * stores more slowly with more accumulators.
 *
 * Bound: all totals are exact mod 2^32, with the bias and without. BLOCK = 2^17 bytes are 2^16
 * words of at most 2^16 - 1. If the data begins at an odd address, they are 2^16 bytes of weight 1
 * and 2^16 bytes of weight 2^8, with the same maximum. The total is therefore below 2^32, and
 * exact. Longer data is summed in blocks.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_AVX512VNNI

#  include "../src/cpu_features.h"
#  include "x86_avx512vnni_headers.h"

WIRESUM_DECLARE_KERNEL(x86_avx512vnni);
WIRESUM_DECLARE_FOLDING_KERNEL(x86_avx512vnni);

enum { BLOCK = 128 << 10 };

/* Returns the sum of 1 to 64 bytes, where a whole vector at p lies in one page. With copies, also
 * writes them to out, and a whole vector at out lies in one page too. */
INLINE uint32_t upto64(uint8_t *out, const uint8_t *p, size_t n, bool copies)
{
    const struct constants *const k = constants();
    const __mmask64 mask = _bzhi_u64(k->all_bytes, (unsigned)n);
    __m512i x = _mm512_maskz_loadu_epi8(mask, p);
    TO_UPPER_REGISTER(x);
    if (copies)
        _mm512_mask_storeu_epi8(out, mask, x);
    x = biased(x, _mm512_set1_epi32((int32_t)k->top_bits));
    return join(pairs(x, _mm512_load_si512(k->ones))) + (1 << 20);
}

/* Returns the sum of 65 to 256 bytes. z holds the last 64 bytes, without the last byte of an odd
 * length. The mask tail selects the words of z that w, x and y do not hold. Where there are too few
 * bytes for x or y, it repeats a vector before it, with the weight 0. */
INLINE uint32_t upto256(uint8_t *out, const uint8_t *p, size_t n, bool copies)
{
    const struct constants *const k = constants();
    const __m512i top_bits = in_all_lanes(k->top_bits), ones = in_all_lanes(k->ones[0]);
    const size_t whole = (n - 1) & ~(size_t)63, second = (whole & 128) / 2, third = whole - 64;
    const size_t last = (n & ~(size_t)1) - 64;
    const uint32_t *const counted = counted_before(k, whole);
    const uint32_t tail = (uint32_t)(~(uint64_t)UINT32_MAX >> (n - whole) / 2);

    const __m512i w = load(p), x = load(p + second), y = load(p + third), z = load(p + last);
    const uint8_t byte = wiresum_load8_once(p + n - 1);
    if (copies) { /* where stores overlap, the last one is of the vector that is summed */
        out[n - 1] = byte;
        _mm512_storeu_si512(out + last, z);
        _mm512_storeu_si512(out + third, y);
        _mm512_storeu_si512(out + second, x);
        _mm512_storeu_si512(out, w);
    }
    __m512i a = pairs(biased(w, top_bits), ones), b = pairs(biased_in(tail, z, top_bits), ones);
    a = add(a, biased(x, top_bits), in_all_lanes(counted[0]));
    b = add(b, biased(y, top_bits), in_all_lanes(counted[1]));
    return join(_mm512_add_epi32(a, b)) + bias_and_odd(byte, n);
}

static inline const uint8_t *line_of(const uint8_t *p)
{
    return (const uint8_t *)((uintptr_t)p & ~(uintptr_t)63);
}

/* If odd is an odd number, exchanges the bytes of each word in a sum: a rotation by 8 or 24 bits
 * does so (RFC 1071, 2(B)). If odd is 2 mod 4, the rotation is by 16 bits, which does not change
 * the sum mod 0xFFFF. */
static inline uint32_t exchanged(uint32_t sum, unsigned odd)
{
    const unsigned by = 8 * odd & 31;
    return sum << by | sum >> (-by & 31);
}

struct lanes {
    __m512i a, b, c, d;
};

INLINE struct lanes add_four(struct lanes s, const uint8_t *line, __m512i top_bits, __m512i ones)
{
    const __m512i w = biased(load(line), top_bits), x = biased(load(line + 64), top_bits);
    const __m512i y = biased(load(line + 128), top_bits), z = biased(load(line + 192), top_bits);
    return (struct lanes){ add(s.a, w, ones), add(s.b, x, ones), add(s.c, y, ones),
                           add(s.d, z, ones) };
}

/* Returns the sum of 257 to BLOCK bytes, along their cache lines. If p is odd, each byte is in the
 * other half of a word of its line, so the function exchanges the bytes of the sum. */
OUT_OF_LINE uint16_t sum_block(const uint8_t *p, size_t n)
{
    const struct constants *const k = constants();
    const __m512i top_bits = in_all_lanes(k->top_bits), ones = in_all_lanes(k->ones[0]);
    const uint8_t *const end = p + n, *const first = line_of(p), *const last = line_of(end - 1);
    const uint32_t *const counted = counted_before(k, (size_t)(last - first));

    const __m512i head = _mm512_maskz_loadu_epi8(k->all_bytes << ((uintptr_t)p & 63), first);
    const __m512i tail = _mm512_maskz_loadu_epi8(k->all_bytes >> (-(uintptr_t)end & 63), last);
    const __m512i zero = _mm512_setzero_si512();
    struct lanes s = { pairs(biased(head, top_bits), ones), pairs(biased(tail, top_bits), ones),
                       pairs(biased(load(last - 64), top_bits), in_all_lanes(counted[0])),
                       pairs(biased(load(last - 128), top_bits), in_all_lanes(counted[1])) };
    struct lanes t = { pairs(biased(load(last - 192), top_bits), in_all_lanes(counted[2])), zero,
                       zero, zero };

    const uint8_t *line = first + 64, *const stop = last - 192;
    for (; line < stop; line += 256) {
        s = add_four(s, line, top_bits, ones);
        line += 256;
        if (line >= stop)
            break;
        t = add_four(t, line, top_bits, ones);
    }
    s.a = _mm512_add_epi32(s.a, t.a), s.b = _mm512_add_epi32(s.b, t.b);
    s.c = _mm512_add_epi32(s.c, t.c), s.d = _mm512_add_epi32(s.d, t.d);
    const uint32_t sum = join_four(s.a, s.b, s.c, s.d) + ((uint32_t)(last - first + 64) << 14);
    return fold32(exchanged(sum, (unsigned)(uintptr_t)p));
}

/* Copies 257 to BLOCK bytes along the cache lines of the destination, and returns their sum. All
 * offsets count from the first of these lines. If out is odd, the first byte is copied alone. Loads
 * come before stores, because a load waits for an earlier store to the same offset in a page. */
INLINE uint32_t copy_lines(uint8_t *out, const uint8_t *p, size_t n, bool around_caches)
{
    const unsigned odd = (uintptr_t)out & 1;
    uint32_t sum = 0;
    if (WIRESUM_UNLIKELY(odd)) {
        const uint8_t byte = wiresum_load8_once(p++);
        *out++ = byte, n--;
        sum = (uint32_t)byte << 8;
    }
    const uint8_t byte = wiresum_load8_once(p + n - 1);
    out[n - 1] = byte;
    sum += bias_and_odd(byte, n);

    const struct constants *const k = constants();
    const __m512i top_bits = in_all_lanes(k->top_bits), ones = in_all_lanes(k->ones[0]);
    const size_t begin = (uintptr_t)out & 63, end = begin + (n & ~(size_t)1);
    const size_t last = (end - 1) & ~(size_t)63;
    const uint8_t *from = p - begin;
    uint8_t *to = out - begin;
    const __m512i v = load(from + begin), w = load(from + last - 192), x = load(from + last - 128);
    const __m512i y = load(from + last - 64), z = load(from + end - 64);
    _mm512_storeu_si512(to + begin, v);
    _mm512_storeu_si512(to + end - 64, z); /* before y, which is summed where they overlap */
    store(to + last - 192, w, false);
    store(to + last - 128, x, false);
    store(to + last - 64, y, false);

    const uint32_t head = UINT32_MAX >> begin / 2;
    const uint32_t tail = (uint32_t)(~(uint64_t)UINT32_MAX >> (end - last) / 2);
    const uint32_t *const counted = counted_before(k, last);
    __m512i a = pairs(biased_in(head, v, top_bits), ones);
    __m512i b = pairs(biased_in(tail, z, top_bits), ones);
    __m512i c = pairs(biased(y, top_bits), in_all_lanes(counted[0]));
    __m512i d = pairs(biased(x, top_bits), in_all_lanes(counted[1]));
    a = add(a, biased(w, top_bits), in_all_lanes(counted[2]));

    const uint8_t *const stop = from + last - 192;
    for (from += 64, to += 64; from < stop; from += 256, to += 256) {
        const __m512i e = load(from), f = load(from + 64);
        const __m512i g = load(from + 128), h = load(from + 192);
        store(to, e, around_caches);
        store(to + 64, f, around_caches);
        store(to + 128, g, around_caches);
        store(to + 192, h, around_caches);
        a = add(a, biased(e, top_bits), ones);
        b = add(b, biased(f, top_bits), ones);
        c = add(c, biased(g, top_bits), ones);
        d = add(d, biased(h, top_bits), ones);
    }
    return exchanged(sum + join_four(a, b, c, d), odd);
}

INLINE bool is_short(const uint8_t *p, size_t n)
{
    return n - 1 < 64 && wiresum_is_in_page512(p);
}

/* Rare lengths are out of line: the compiler would save registers for them at every length. */
OUT_OF_LINE uint16_t sum_others(const uint8_t *p, size_t n)
{
    return wiresum_fold(
        n <= 64 ? wiresum_partial_at_page_end512(p, n)
                : wiresum_partial_in_blocks(wiresum_kernel_x86_avx512vnni, BLOCK, p, n));
}

TARGET uint16_t wiresum_kernel_x86_avx512vnni_folded(const void *data, size_t n)
{
    if (WIRESUM_LIKELY(is_short(data, n)))
        return fold32(upto64(NULL, data, n, false));
    if (n - 65 <= 256 - 65)
        return fold32(upto256(NULL, data, n, false));
    return n - 257 <= BLOCK - 257 ? sum_block(data, n) : sum_others(data, n);
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni(const void *data, size_t n)
{
    if (WIRESUM_LIKELY(is_short(data, n)))
        return upto64(NULL, data, n, false);
    if (n - 65 <= 256 - 65)
        return upto256(NULL, data, n, false);
    return wiresum_kernel_x86_avx512vnni_folded(data, n);
}

OUT_OF_LINE uint16_t copy_block(uint8_t *out, const uint8_t *p, size_t n)
{
    return fold32(copy_lines(out, p, n, false));
}

/* Copies a block of data that is too long for the caches, with stores that go around them. The CPU
 * then reads no line of the destination before it overwrites the line, which saves a third of all
 * traffic. */
OUT_OF_LINE uint64_t copy_block_around_caches(void *dst, const void *src, size_t n)
{
    return n <= 256 ? wiresum_kernel_x86_avx512vnni_copy(dst, src, n)
                    : copy_lines(dst, src, n, true);
}

OUT_OF_LINE uint16_t copy_others(uint8_t *out, const uint8_t *p, size_t n)
{
    if (n <= 64)
        return wiresum_fold(wiresum_copy_upto64(out, p, n));
    if (n < WIRESUM_ASK_CACHES_FROM || n < wiresum_copy_around_caches_from())
        return wiresum_fold(
            wiresum_copy_in_blocks(wiresum_kernel_x86_avx512vnni_copy, BLOCK, out, p, n));
    const uint64_t sum = wiresum_copy_in_blocks(copy_block_around_caches, BLOCK, out, p, n);
    _mm_sfence(); /* a thread that learns of the copy must see all of it */
    return wiresum_fold(sum);
}

INLINE bool is_short_copy(const void *dst, const void *src, size_t n)
{
    return is_short(src, n) && wiresum_is_in_page512(dst);
}

TARGET uint16_t wiresum_kernel_x86_avx512vnni_copy_folded(void *dst, const void *src, size_t n)
{
    if (WIRESUM_LIKELY(is_short_copy(dst, src, n)))
        return fold32(upto64(dst, src, n, true));
    if (n - 65 <= 256 - 65)
        return fold32(upto256(dst, src, n, true));
    return n - 257 <= BLOCK - 257 ? copy_block(dst, src, n) : copy_others(dst, src, n);
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni_copy(void *dst, const void *src, size_t n)
{
    if (WIRESUM_LIKELY(is_short_copy(dst, src, n)))
        return upto64(dst, src, n, true);
    if (n - 65 <= 256 - 65)
        return upto256(dst, src, n, true);
    return wiresum_kernel_x86_avx512vnni_copy_folded(dst, src, n);
}

TARGET size_t wiresum_kernel_x86_avx512vnni_headers(const uint8_t *first, size_t stride, size_t n,
                                                    uint16_t *sums)
{
    return sum_headers(first, stride, n, sums);
}

#else
typedef int wiresum_x86_avx512vnni_is_not_for_this_machine;
#endif
