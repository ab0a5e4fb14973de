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
 * - Up to 64 bytes are one masked vector, or two of 32 bytes.
 * - Up to 256 bytes are four vectors that need no alignment. The last one is masked.
 * - Up to BLOCK bytes are cache lines, since a load across two lines costs twice. A sum masks the
 *   first line and the last line. A copy follows the lines of its destination, where it masks the
 *   last one and stores its first vector unaligned. Of the lines between, the last three are
 *   weighted and the others are added four a step, so that the loop is the only branch that depends
 *   on the length.
 *
 * A masked load beyond a page that is not mapped takes hundreds of cycles. A line never crosses a
 * page, and other masked vectors are used only where they do not. Else the data is taken apart.
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

/* Returns the sum of 1 to 64 bytes, where 64 bytes at p lie in one page. A copy also writes them to
 * out, and 64 bytes at out lie in one page too. */
INLINE uint32_t upto64(uint8_t *out, const uint8_t *p, size_t n, enum kind kind)
{
    const struct constants *const k = constants();
    const __mmask64 mask = in_mask_register(_bzhi_u64(k->all_bytes, (unsigned)n));
    if (kind != SUM) {
        const __m512i top_bits = in_all_lanes(&k->top_bits),
                      x = once(_mm512_maskz_loadu_epi8(mask, p));
        _mm512_mask_storeu_epi8(out, mask, x);
        return join(pairs(biased(x, top_bits), in_all_lanes(&k->one))) + (1 << 20);
    }
    const __m256i ones = _mm256_set1_epi32((int32_t)k->one);
    __m256i x = _mm256_set1_epi32((int32_t)k->top_bits), y = x;
    ADD_BYTES(x, (__mmask32)mask, p, __m256i_u);
    ADD_BYTES(y, (__mmask32)(mask >> 32), p + 32, __m256i_u);
    x = _mm256_madd_epi16(x, ones);
    TO_UPPER_REGISTER(x);
    return join_half(_mm256_dpwssd_epi32(x, y, ones)) + (1 << 20);
}

/* Returns the sum of 65 to 256 bytes, whose last n % 64 bytes, or 64, begin 64 bytes of one page.
 * So do the last bytes of a copy at out. Where there are too few bytes for x or y, the vector
 * repeats one before it, with the weight 0. */
INLINE uint32_t upto256(uint8_t *out, const uint8_t *p, size_t n, enum kind kind)
{
    const struct constants *const k = constants();
    const __m512i top_bits = in_all_lanes(&k->top_bits), ones = in_all_lanes(&k->one);
    const size_t whole = (n - 1) / 64, last = 64 * whole, second = 32 * (whole & 2);
    const uint32_t *const weights = &k->weights[1 + whole];
    const __mmask64 mask = in_mask_register(_bzhi_u64(k->all_bytes, (unsigned)(n - last)));
    __m512i w = load(p), x = load(p + second), y = load(p + last - 64), z;
    if (kind == SUM) {
        z = biased_bytes(mask, p + last, top_bits);
    } else { /* where stores overlap, the last one is of the vector that is summed */
        w = once(w), x = once(x), y = once(y), z = once(_mm512_maskz_loadu_epi8(mask, p + last));
        _mm512_mask_storeu_epi8(out + last, mask, z);
        _mm512_storeu_si512(out + last - 64, y);
        _mm512_storeu_si512(out + second, x);
        _mm512_storeu_si512(out, w);
        z = biased(z, top_bits);
    }
    __m512i a = pairs(biased(w, top_bits), ones);
    __m512i b = pairs(biased(x, top_bits), in_all_lanes(weights));
    b = add(b, biased(y, top_bits), in_all_lanes(weights - 1));
    a = add(a, z, ones);
    return join(_mm512_add_epi32(a, b)) + ((uint32_t)(whole + 1) << 20);
}

/* Returns the sum of 257 to BLOCK bytes, along their cache lines. If p is odd, each byte is in the
 * other half of a word of its line, so the function exchanges the bytes of the sum. */
OUT_OF_LINE uint16_t sum_block(const uint8_t *p, size_t n)
{
    const struct constants *const k = constants();
    const __m512i top_bits = in_all_lanes(&k->top_bits), ones = in_all_lanes(&k->one);
    const size_t begin = (uintptr_t)p & 63, last = (begin + n - 1) & ~(size_t)63;
    const uint8_t *line = p - begin, *const stop = line + last - 192;
    const uint32_t *const weights = &k->weights[2 + (last / 64 - 1) % 4];
    const __mmask64 head = k->all_bytes << begin;
    const __mmask64 tail = k->all_bytes >> (-((uintptr_t)p + n) & 63);

    const __m512i zero = _mm512_setzero_si512();
    struct lanes s = { pairs(biased_bytes(head, line, top_bits), ones),
                       pairs(biased_bytes(tail, line + last, top_bits), ones),
                       pairs(biased(load(stop + 128), top_bits), in_all_lanes(weights)),
                       pairs(biased(load(stop + 64), top_bits), in_all_lanes(weights - 1)) };
    struct lanes t = { pairs(biased(load(stop), top_bits), in_all_lanes(weights - 2)), zero, zero,
                       zero };
    line += 64;
    for (; line < stop; line += 256) {
        s = step(s, NULL, line, top_bits, ones, SUM);
        line += 256;
        if (line >= stop)
            break;
        t = step(t, NULL, line, top_bits, ones, SUM);
    }
    s.a = once(_mm512_add_epi32(s.a, t.a)), s.b = once(_mm512_add_epi32(s.b, t.b));
    s.c = once(_mm512_add_epi32(s.c, t.c)), s.d = once(_mm512_add_epi32(s.d, t.d));
    const uint32_t sum = join_four(s) + ((uint32_t)(last + 64) << 14);
    return wiresum_fold32(exchanged(sum, (unsigned)(uintptr_t)p));
}

/* Copies 257 to BLOCK bytes to an even address, along the cache lines of the destination, and
 * returns their sum. Loads come before stores, because a load waits for an earlier store to the
 * same offset in a page. */
INLINE uint32_t copy_all(uint8_t *out, const uint8_t *p, size_t n, enum kind kind)
{
    const struct constants *const k = constants();
    const __m512i top_bits = in_all_lanes(&k->top_bits), ones = in_all_lanes(&k->one);
    const size_t begin = (uintptr_t)out & 63, last = (begin + n - 1) & ~(size_t)63;
    const uint32_t *const weights = &k->weights[2 + (last / 64 - 1) % 4];
    const __mmask64 head = k->all_bytes >> begin;
    const __mmask64 tail = in_mask_register(k->all_bytes >> (-((uintptr_t)out + n) & 63));
    const uint8_t *from = p - begin, *const stop = from + last - 192;
    const __m512i v = once(load(p)), w = once(load(stop)), x = once(load(stop + 64));
    const __m512i y = once(load(stop + 128)), z = once(_mm512_maskz_loadu_epi8(tail, stop + 192));
    _mm512_storeu_si512(out, v);
    uint8_t *to = out - begin;
    store(to + last - 192, w, COPY);
    store(to + last - 128, x, COPY);
    store(to + last - 64, y, COPY);
    _mm512_mask_storeu_epi8(to + last, tail, z);
    struct lanes s = { pairs(biased(_mm512_maskz_mov_epi8(head, v), top_bits), ones),
                       pairs(biased(z, top_bits), ones),
                       pairs(biased(y, top_bits), in_all_lanes(weights)),
                       pairs(biased(x, top_bits), in_all_lanes(weights - 1)) };
    s.a = add(s.a, biased(w, top_bits), in_all_lanes(weights - 2));
    for (from += 64, to += 64; from < stop; from += 256, to += 256)
        s = step(s, to, from, top_bits, ones, kind);
    return join_four(s) + ((uint32_t)(last + 64) << 14);
}

INLINE bool is_upto64(const uint8_t *p, size_t n)
{
    return n - 1 < 64 && wiresum_is_in_page512(p);
}

INLINE bool is_upto256(const uint8_t *p, size_t n)
{
    return n - 65 <= 256 - 65 && WIRESUM_LIKELY(wiresum_is_in_page512(p + ((n - 1) & ~(size_t)63)));
}

/* Rare lengths are out of line: the compiler would save registers for them at every length. */
OUT_OF_LINE uint16_t sum_others(const uint8_t *p, size_t n)
{
    return wiresum_fold(
        n <= 256 ? wiresum_partial_in_blocks(wiresum_partial_at_page_end512, 64, p, n)
                 : wiresum_partial_in_blocks(wiresum_kernel_x86_avx512vnni, BLOCK, p, n));
}

/* The sum of n bytes, folded. flip is 0, or 0xFFFF for the complement: a constant of the caller. */
INLINE uint16_t sum_any(const uint8_t *p, size_t n, unsigned flip)
{
    if (WIRESUM_LIKELY(is_upto64(p, n)))
        return (uint16_t)(wiresum_fold32(upto64(NULL, p, n, SUM)) ^ flip);
    if (is_upto256(p, n))
        return (uint16_t)(wiresum_fold32(upto256(NULL, p, n, SUM)) ^ flip);
    return (uint16_t)((n - 257 <= BLOCK - 257 ? sum_block(p, n) : sum_others(p, n)) ^ flip);
}

TARGET uint16_t wiresum_kernel_x86_avx512vnni_folded(const void *data, size_t n)
{
    return sum_any(data, n, 0);
}

TARGET uint16_t wiresum_kernel_x86_avx512vnni_checksum(const void *data, size_t n)
{
    return sum_any(data, n, 0xFFFF);
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni(const void *data, size_t n)
{
    if (WIRESUM_LIKELY(is_upto64(data, n)))
        return upto64(NULL, data, n, SUM);
    if (is_upto256(data, n))
        return upto256(NULL, data, n, SUM);
    return wiresum_kernel_x86_avx512vnni_folded(data, n);
}

/* Says whether the masked vector of copy_all reaches into a page of the source without data. */
INLINE bool is_past_page(const uint8_t *out, const uint8_t *p, size_t n)
{
    const uintptr_t end = (uintptr_t)p + n - 1, past = ~((uintptr_t)out + n - 1) & 63;
    return ((end ^ (end + past)) >> 12) != 0;
}

/* Copies the bytes before the first whole line of the destination apart from the others, and also
 * the bytes after the last one if a vector would reach past the page. */
OUT_OF_LINE uint16_t copy_apart(uint8_t *out, const uint8_t *p, size_t n)
{
    const size_t head = -(uintptr_t)out & 63;
    const size_t tail = is_past_page(out, p, n) ? ((uintptr_t)out + n) & 63 : 0;
    const size_t rest = n - head - tail;
    const uint64_t first = wiresum_copy_upto64(out, p, head);
    const uint64_t last = wiresum_copy_upto64(out + n - tail, p + n - tail, tail);
    const uint16_t sum = wiresum_kernel_x86_avx512vnni_copy_folded(out + head, p + head, rest);
    return wiresum_append(wiresum_fold(first), head, wiresum_fold(wiresum_add64(sum, last)));
}

OUT_OF_LINE uint16_t copy_block(uint8_t *out, const uint8_t *p, size_t n);

/* Copies the first byte apart from the others. */
OUT_OF_LINE uint16_t copy_odd(uint8_t *out, const uint8_t *p, size_t n)
{
    const uint8_t byte = wiresum_load8_once(p);
    const uint16_t rest = n > 257
                              ? copy_block(out + 1, p + 1, n - 1)
                              : wiresum_kernel_x86_avx512vnni_copy_folded(out + 1, p + 1, n - 1);
    *out = byte; /* last: a load of the same offset in a page would wait for it */
    return wiresum_append(byte, 1, rest);
}

OUT_OF_LINE uint16_t copy_block(uint8_t *out, const uint8_t *p, size_t n)
{
    if (WIRESUM_LIKELY(!((uintptr_t)out & 1) && !is_past_page(out, p, n)))
        return wiresum_fold32(copy_all(out, p, n, COPY));
    return (uintptr_t)out & 1 ? copy_odd(out, p, n) : copy_apart(out, p, n);
}

/* Copies a block of data that is too long for the caches, with stores that go around them. The CPU
 * then reads no line of the destination before it overwrites the line, which saves a third of all
 * traffic. */
OUT_OF_LINE uint64_t copy_block_around_caches(void *dst, const void *src, size_t n)
{
    return n <= 256 || is_past_page(dst, src, n) ? wiresum_kernel_x86_avx512vnni_copy(dst, src, n)
                                                 : copy_all(dst, src, n, COPY_AROUND_CACHES);
}

OUT_OF_LINE uint16_t copy_others(uint8_t *out, const uint8_t *p, size_t n)
{
    if (n <= 256)
        return wiresum_fold(wiresum_copy_in_blocks(wiresum_copy_upto64, 64, out, p, n));
    if ((uintptr_t)out & 63)
        return copy_apart(out, p, n);
    if (n < WIRESUM_ASK_CACHES_FROM || n < wiresum_copy_around_caches_from())
        return wiresum_fold(
            wiresum_copy_in_blocks(wiresum_kernel_x86_avx512vnni_copy, BLOCK, out, p, n));
    const uint64_t sum = wiresum_copy_in_blocks(copy_block_around_caches, BLOCK, out, p, n);
    _mm_sfence(); /* a thread that learns of the copy must see all of it */
    return wiresum_fold(sum);
}

TARGET uint16_t wiresum_kernel_x86_avx512vnni_copy_folded(void *dst, const void *src, size_t n)
{
    if (WIRESUM_LIKELY(is_upto64(src, n) && wiresum_is_in_page512(dst)))
        return wiresum_fold32(upto64(dst, src, n, COPY));
    if (is_upto256(src, n) && is_upto256(dst, n))
        return wiresum_fold32(upto256(dst, src, n, COPY));
    return n - 257 <= BLOCK - 257 ? copy_block(dst, src, n) : copy_others(dst, src, n);
}

TARGET uint64_t wiresum_kernel_x86_avx512vnni_copy(void *dst, const void *src, size_t n)
{
    if (WIRESUM_LIKELY(is_upto64(src, n) && wiresum_is_in_page512(dst)))
        return upto64(dst, src, n, COPY);
    if (is_upto256(src, n) && is_upto256(dst, n))
        return upto256(dst, src, n, COPY);
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
