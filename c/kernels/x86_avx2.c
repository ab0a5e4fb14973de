/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * AVX2, in two ways to add words.
 *
 * Pairs: three operations a vector, for sums of up to LONG bytes, and copies of up to 512. vpmaddwd
 * multiplies signed words by weights, and adds two neighboring products to a lane of 32 bits. So
 * the kernel flips the top bit of each word, which moves the word from [0, 2^16) to [-2^15, 2^15).
 * Each word that counts is then 2^15 too little. Data of n bytes is 2^14 n too little in all.
 *
 * Sum and averages: 2.1 operations a vector, for longer data. Lanes add 64-bit words and lose the
 * carries. vpavgw, three levels deep, makes one vector of eight, whose top words give the number of
 * lost carries exactly: join_wide in x86_avx2.h. c/kernels/README.md explains the method.
 *
 * A branch on the remainder of a length costs some 20 cycles where lengths vary, and a remainder
 * after the loop delays the join. So a fixed number of vectors that end with the data comes before
 * the loop. They give the weight 0 to, or mask, the words that are counted elsewhere. Up to 68
 * bytes of a sum take two masked loads, without a branch on the length. A masked load that touches
 * an unmapped page takes hundreds of cycles, so data at the end of a page goes another way.
 *
 * A load or a store across two lines costs up to twice as much, so the loops follow the vectors of
 * the source, or of the destination of a copy. Data at an odd address does so after its first
 * byte. A sum of pairs does not.
 *
 * Bound: pairs are exact in 32 bits, because at most 2^14 words are below 2^30. Sum and averages
 * are exact for a BLOCK and the 288 bytes outside of the loop. Then totals have 64 bits, with
 * end-around carry.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_AVX2

#  include "x86_avx2_headers.h"

WIRESUM_DECLARE_KERNEL(x86_avx2);
WIRESUM_DECLARE_FOLDING_KERNEL(x86_avx2);

enum { BLOCK = 128 << 10 }; /* bytes between two joins of sum and averages: a multiple of 256 */
enum { LONG = 1664 };

/* Returns a folded sum, or its complement, from one path of a function. The asm names the path, so
 * that no compiler lets two paths share their ends: each jump there costs a cycle or two. */
#  define RETURN_FOLDED(path, flip, sum)                  \
      do {                                                \
          uint32_t folded = wiresum_fold32(sum) ^ (flip); \
          __asm__("" : "+r"(folded) : "i"(path));         \
          return (uint16_t)folded;                        \
      } while (0)

/* ---- Sums ---- */

/* Returns the sum of 4 to 68 bytes, where 64 bytes at p lie in one page: two vectors of whole
 * double words, and the 1 to 4 bytes after them. */
INLINE uint32_t sum_masked(const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const uint8_t *const masks = first_masks(t, (n - 1) & ~(size_t)3);
    const uint32_t last = wiresum_load32(p + n - 4) >> ((0 - 8 * (unsigned)n) & 31);
    const __m256i x = _mm256_maskload_epi32((const int *)p, load(masks));
    const __m256i y = _mm256_maskload_epi32((const int *)(p + 32), load(masks + 32));
    const __m256i both = _mm256_add_epi32(pairs(x, k.one, k), pairs(y, k.one, k));
    const uint32_t sum = join(both) + (1 << 20) + last;
    return sum + (sum < last);
}

/* Returns the sum of 64 bytes or less at any address. */
OUT_OF_LINE uint16_t sum_at_page_end(const uint8_t *p, size_t n)
{
    if (n < 32)
        return wiresum_fold(wiresum_partial_short(p, n));
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const size_t even = n & ~(size_t)1;
    const uint8_t *const weights = weights_of(t, even - 32);
    const __m256i x = pairs(load(p), k.one, k);
    const __m256i y = pairs(load(p + even - 32), load(weights - 32), k);
    const uint32_t sum = join(_mm256_add_epi32(x, y)) + ((uint32_t)even << 14);
    return wiresum_fold32(sum + (uint32_t)wiresum_odd_byte(p, n));
}

/* Returns the sum of 64 to 128 bytes. */
INLINE uint32_t sum_upto128(const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const size_t even = n & ~(size_t)1;
    const uint8_t *const end = p + even, *const weights = weights_of(t, even - 64);
    const struct four s = { pairs(load(p), k.one, k), pairs(load(p + 32), k.one, k),
                            pairs(load(end - 64), load(weights - 64), k),
                            pairs(load(end - 32), load(weights - 32), k) };
    return (uint32_t)wiresum_odd_byte(p, n) + join_four(s) + ((uint32_t)even << 14);
}

/* Returns the sum of 128 to 256 bytes. */
INLINE uint32_t sum_upto256(const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const size_t even = n & ~(size_t)1;
    const struct four s = last_pairs(load_four(p + even - 128), weights_of(t, even - 128), k);
    return (uint32_t)wiresum_odd_byte(p, n) + join_four(add_pairs(s, load_four(p), k))
           + ((uint32_t)even << 14);
}

/* Returns the sum of 256 to LONG bytes. At an odd address the loop walks one byte after the vectors
 * of the source. */
INLINE uint32_t sum_pairs(const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const size_t even = n & ~(size_t)1, head = -(uintptr_t)p & 30, rest = (even - head) & 127;
    const uint32_t odd = (uint32_t)wiresum_odd_byte(p, n);
    const uint8_t *const stop = p + even - rest;
    struct four s = last_pairs(load_four(p + even - 128), weights_of(t, rest), k);
    s.a = add(s.a, pairs(load(p), load(first_weights(t, head)), k));
    p += head;
    do {
        s = add_pairs(s, load_four(p), k);
        p += 128;
    } while (p != stop);
    return odd + join_four(s) + ((uint32_t)even << 14);
}

/* Returns the sum of 512 bytes and more at an even address. */
OUT_OF_LINE uint16_t sum_averages(const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const size_t even = n & ~(size_t)1, head = -(uintptr_t)p & 30, rest = (even - head) & 255;
    const uint8_t *const end = p + even, *const masks = masks_of(t, rest);
    uint64_t total = wiresum_odd_byte(p, n);
    struct wide s = first_words(_mm256_and_si256(load(p), load(first_masks(t, head))));
    s = add_eight(s, last_words(load_four_once(end - 256), masks - 128),
                  last_words(load_four_once(end - 128), masks));
    p += head;
    for (size_t left = even - head - rest;;) {
        const size_t block = left < BLOCK ? left : BLOCK;
        for (const uint8_t *const stop = p + block; p != stop; p += 256)
            s = add_eight(s, load_four_once(p), load_four_once(p + 128));
        total = wiresum_add64(total, join_wide(s));
        left -= block;
        if (WIRESUM_LIKELY(left == 0))
            return wiresum_fold(total);
        s = first_words(_mm256_setzero_si256());
    }
}

/* Returns the sum of data at an odd address: the first byte apart from the others. */
OUT_OF_LINE uint16_t sum_odd(const uint8_t *p, size_t n)
{
    return wiresum_append(*p, 1, sum_averages(p + 1, n - 1));
}

/* Says whether sum_masked takes the data. */
INLINE bool is_upto68(const uint8_t *p, size_t n)
{
    return n - 4 <= 64 && ((uintptr_t)p & 4095) <= 4096 - 64;
}

/* The sum of n bytes, folded. flip is 0, or 0xFFFF for the complement: a constant of the caller. */
INLINE uint16_t sum_any(const uint8_t *p, size_t n, unsigned flip)
{
    if (WIRESUM_LIKELY(is_upto68(p, n)))
        RETURN_FOLDED(1, flip, sum_masked(p, n));
    if (n <= 64)
        return (uint16_t)(sum_at_page_end(p, n) ^ flip);
    if (WIRESUM_LIKELY(n <= 128))
        RETURN_FOLDED(2, flip, sum_upto128(p, n));
    if (WIRESUM_LIKELY(n <= 256))
        RETURN_FOLDED(3, flip, sum_upto256(p, n));
    if (WIRESUM_LIKELY(n <= LONG))
        RETURN_FOLDED(4, flip, sum_pairs(p, n));
    return (uint16_t)(((uintptr_t)p & 1 ? sum_odd(p, n) : sum_averages(p, n)) ^ flip);
}

TARGET uint16_t wiresum_kernel_x86_avx2_folded(const void *data, size_t n)
{
    return sum_any(data, n, 0);
}

TARGET uint16_t wiresum_kernel_x86_avx2_checksum(const void *data, size_t n)
{
    return sum_any(data, n, 0xFFFF);
}

TARGET uint64_t wiresum_kernel_x86_avx2(const void *data, size_t n)
{
    if (WIRESUM_LIKELY(is_upto68(data, n)))
        return sum_masked(data, n);
    return wiresum_kernel_x86_avx2_folded(data, n);
}

/* ---- Copies: what is stored twice is stored by the loop last, and counted there ---- */

/* Copies four vectors, and returns them. */
INLINE struct four copy_four(uint8_t *out, const uint8_t *p)
{
    const struct four x = load_four_once(p);
    store_four(out, x);
    return x;
}

/* Copies 16 to 32 bytes. */
INLINE uint32_t copy_upto32(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const size_t even = n & ~(size_t)1;
    const uint8_t *const weights = weights_of(t, even - 16);
    const uint32_t odd = (uint32_t)wiresum_copy_odd_byte(out, p, n);
    const __m128i x = load16_once(p), y = load16_once(p + even - 16);
    _mm_storeu_si128((__m128i *)(out + even - 16), y);
    _mm_storeu_si128((__m128i *)out, x);
    const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(x), y, 1);
    const __m256i ones =
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(t->none_then_one + 64)));
    const __m256i w =
        _mm256_inserti128_si256(ones, _mm_loadu_si128((const __m128i *)(weights - 16)), 1);
    return odd + join(pairs(both, w, constants(t))) + ((uint32_t)even << 14);
}

/* Copies 32 to 64 bytes. */
INLINE uint32_t copy_upto64(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const size_t even = n & ~(size_t)1;
    const uint8_t *const weights = weights_of(t, even - 32);
    const uint32_t odd = (uint32_t)wiresum_copy_odd_byte(out, p, n);
    const __m256i x = load_once(p), y = load_once(p + even - 32);
    store(out + even - 32, y);
    store(out, x);
    const __m256i both = _mm256_add_epi32(pairs(x, k.one, k), pairs(y, load(weights - 32), k));
    return odd + join(both) + ((uint32_t)even << 14);
}

/* Copies 64 to 128 bytes. */
INLINE uint32_t copy_upto128(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const size_t even = n & ~(size_t)1;
    const uint8_t *const end = p + even, *const weights = weights_of(t, even - 64);
    const uint32_t odd = (uint32_t)wiresum_copy_odd_byte(out, p, n);
    const struct four x = { load_once(p), load_once(p + 32), load_once(end - 64),
                            load_once(end - 32) };
    store(out + even - 64, x.c), store(out + even - 32, x.d);
    store(out, x.a), store(out + 32, x.b);
    const struct four s = { pairs(x.a, k.one, k), pairs(x.b, k.one, k),
                            pairs(x.c, load(weights - 64), k), pairs(x.d, load(weights - 32), k) };
    return odd + join_four(s) + ((uint32_t)even << 14);
}

/* Copies 128 to 256 bytes, or, with more blocks, 256 to 384 or 384 to 512 bytes. */
INLINE uint32_t copy_blocks(unsigned blocks, uint8_t *out, const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const struct constants k = constants(t);
    const size_t even = n & ~(size_t)1;
    const uint32_t odd = (uint32_t)wiresum_copy_odd_byte(out, p, n);
    const struct four last = load_four_once(p + even - 128), first = load_four_once(p);
    store_four(out + even - 128, last);
    store_four(out, first);
    struct four s = add_pairs(last_pairs(last, weights_of(t, even - 128 * blocks), k), first, k);
    if (blocks >= 2)
        s = add_pairs(s, copy_four(out + 128, p + 128), k);
    if (blocks >= 3)
        s = add_pairs(s, copy_four(out + 256, p + 256), k);
    return odd + join_four(s) + ((uint32_t)even << 14);
}

/* Copies 384 to 512 bytes. */
OUT_OF_LINE uint16_t copy_upto512(uint8_t *out, const uint8_t *p, size_t n)
{
    return wiresum_fold32(copy_blocks(3, out, p, n));
}

/* Copies 512 to LONG bytes to an even address. The first 128 bytes end inside of the first vector
 * that the loop stores. The loop counts the bytes that are in both. */
OUT_OF_LINE uint16_t copy_upto_long(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const size_t even = n & ~(size_t)1, past = (uintptr_t)out & 30, rest = (even + past) & 127;
    const uint64_t odd = wiresum_copy_odd_byte(out, p, n);
    const uint8_t *const stop = p + even - rest;
    const struct four last = load_four_once(p + even - 128);
    struct four first = load_four_once(p);
    store_four(out + even - 128, last);
    store_four(out, first);
    first.d = _mm256_and_si256(first.d, load(first_masks(t, 32 - past)));
    struct wide s = add_four(first_four(last_words(last, masks_of(t, rest))), first);
    p += 128 - past, out += 128 - past;
    do {
        s = add_four(s, copy_four(out, p));
        p += 128, out += 128;
    } while (p != stop);
    return wiresum_fold(wiresum_add64(odd, join_wide(s)));
}

/* Copies more than LONG bytes to an even address. The loop takes 256 bytes a step. A step of half
 * as many comes before it, and counts if the loop does not take its bytes, too. */
OUT_OF_LINE uint16_t copy_long(uint8_t *out, const uint8_t *p, size_t n)
{
    const struct tables *const t = tables();
    const size_t even = n & ~(size_t)1, head = -(uintptr_t)out & 30, rest = (even - head) & 127;
    uint64_t total = wiresum_copy_odd_byte(out, p, n);
    const __m256i first = load_once(p);
    const struct four last = copy_four(out + even - 128, p + even - 128);
    store(out, first);
    struct wide s = first_words(_mm256_and_si256(first, load(first_masks(t, head))));
    s = add_four(s, last_words(last, masks_of(t, rest)));
    p += head, out += head;
    size_t left = even - head - rest;
    const size_t half = left & 128;
    const __m256i mask = load((const uint8_t *)t->none_then_all + 2 * half);
    s = add_four(s, masked(copy_four(out, p), mask, mask, mask, mask));
    p += half, out += half, left -= half;
    for (;;) {
        const size_t block = left < BLOCK ? left : BLOCK;
        for (const uint8_t *const stop = p + block; p != stop; p += 256, out += 256) {
            const struct four x = copy_four(out, p);
            s = add_eight(s, x, copy_four(out + 128, p + 128));
        }
        total = wiresum_add64(total, join_wide(s));
        left -= block;
        if (WIRESUM_LIKELY(left == 0))
            return wiresum_fold(total);
        s = first_words(_mm256_setzero_si256());
    }
}

/* Copies data of more than 512 bytes to an odd address: the first byte apart from the others. */
OUT_OF_LINE uint16_t copy_odd(uint8_t *out, const uint8_t *p, size_t n)
{
    const uint8_t first = wiresum_load8_once(p);
    *out = first;
    return wiresum_append(first, 1, wiresum_kernel_x86_avx2_copy_folded(out + 1, p + 1, n - 1));
}

OUT_OF_LINE uint16_t copy_upto31(uint8_t *out, const uint8_t *p, size_t n)
{
    if (n >= 16)
        return wiresum_fold32(copy_upto32(out, p, n));
    return wiresum_fold(wiresum_copy_short(out, p, n));
}

TARGET uint16_t wiresum_kernel_x86_avx2_copy_folded(void *dst, const void *src, size_t n)
{
    uint8_t *const out = dst;
    const uint8_t *const p = src;
    if (WIRESUM_LIKELY(n - 32 <= 32))
        RETURN_FOLDED(1, 0, copy_upto64(out, p, n));
    if (n < 32)
        return copy_upto31(out, p, n);
    if (WIRESUM_LIKELY(n <= 128))
        RETURN_FOLDED(2, 0, copy_upto128(out, p, n));
    if (WIRESUM_LIKELY(n <= 256))
        RETURN_FOLDED(3, 0, copy_blocks(1, out, p, n));
    if (WIRESUM_LIKELY(n <= 384))
        RETURN_FOLDED(4, 0, copy_blocks(2, out, p, n));
    if (n <= 512)
        return copy_upto512(out, p, n);
    if ((uintptr_t)out & 1)
        return copy_odd(out, p, n);
    return n <= LONG ? copy_upto_long(out, p, n) : copy_long(out, p, n);
}

TARGET uint64_t wiresum_kernel_x86_avx2_copy(void *dst, const void *src, size_t n)
{
    return wiresum_kernel_x86_avx2_copy_folded(dst, src, n);
}

TARGET size_t wiresum_kernel_x86_avx2_headers(const uint8_t *first, size_t stride, size_t n,
                                              uint16_t *sums)
{
    return sum_headers(first, stride, n, sums);
}

#else
typedef int wiresum_x86_avx2_is_not_for_this_machine;
#endif
