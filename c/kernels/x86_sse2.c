/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SSE2, on 64-bit and 32-bit x86: 256 bytes a step, three operations a vector. pmaddwd multiplies
 * signed words, here by ones, and adds two neighboring products. So the kernel flips the top bit of
 * each word, which moves the word from [0, 2^16) to [-2^15, 2^15). A vector then counts 8 × 2^15 =
 * 2^18 too little, and the flush adds this bias. The last bytes, fewer than a vector, come from a
 * load that ends with the data. A mask clears the bytes that are counted already.
 *
 * Bound: a BLOCK has 2^15 words, so all lanes together stay between -2^30 and 2^30, and are exact
 * in 32 bits. Longer data is summed in blocks.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_SSE2

#  include <emmintrin.h>

WIRESUM_DECLARE_KERNEL(x86_sse2);

#  define TARGET __attribute__((target("sse2")))

enum { BLOCK = 64 << 10 };

/* Both are made from a vector that the compiler cannot see through: it would make a constant that
 * it knows anew at each use. */
struct constants {
    __m128i one, top_bit; /* in every word */
};

TARGET static inline struct constants constants(void)
{
    __m128i all;
    __asm__("pcmpeqd %0, %0" : "=x"(all));
    return (struct constants){ _mm_srli_epi16(all, 15), _mm_slli_epi16(all, 15) };
}

TARGET static inline __m128i load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

TARGET static inline void store(uint8_t *p, __m128i x)
{
    _mm_storeu_si128((__m128i *)p, x);
}

/* Adds pairs of the words of x to lanes. In assembly: GCC 12 would copy accumulators and products
 * to other registers. */
TARGET static inline __m128i add(__m128i lanes, __m128i x, struct constants k)
{
    __asm__("pxor %[top_bit], %[x]\n\t"
            "pmaddwd %[one], %[x]\n\t"
            "paddd %[x], %[lanes]"
            : [lanes] "+x"(lanes), [x] "+x"(x)
            : [top_bit] "x"(k.top_bit), [one] "x"(k.one));
    return lanes;
}

/* Adds the last r < 16 bytes of x to lanes, r even. */
TARGET static inline __m128i add_last_of(__m128i lanes, __m128i x, size_t r, struct constants k)
{
    static const uint8_t mask[32] = {
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    };
    return add(lanes, _mm_and_si128(x, load(mask + r)), k);
}

/* Adds the last r < 16 bytes before end to lanes: an even number of them in a masked vector, and an
 * odd last byte alone. */
TARGET static inline __m128i add_last(__m128i lanes, const uint8_t *end, size_t r,
                                      struct constants k)
{
    if (r & 1) {
        lanes = _mm_add_epi32(lanes, _mm_cvtsi32_si128(*--end));
        r--;
    }
    return add_last_of(lanes, load(end - 16), r, k);
}

/* Returns the sum of lanes to which n bytes were added, rounded up to vectors. Each vector counts
 * 2^18 too little. */
TARGET static inline uint64_t flush(__m128i lanes, size_t n)
{
    lanes = _mm_add_epi32(lanes, _mm_shuffle_epi32(lanes, 0x4E));
    lanes = _mm_add_epi32(lanes, _mm_shuffle_epi32(lanes, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(lanes) + ((uint32_t)((n + 15) & ~(size_t)15) << 14);
}

struct lanes {
    __m128i a, b;
};

TARGET static inline struct lanes add64(struct lanes l, const uint8_t *p, struct constants k)
{
    l.a = add(l.a, load(p), k);
    l.b = add(l.b, load(p + 16), k);
    l.a = add(l.a, load(p + 32), k);
    l.b = add(l.b, load(p + 48), k);
    return l;
}

/* Out of line, so that longer data saves no register for it. */
__attribute__((noinline)) static uint64_t sum_short(const uint8_t *p, size_t n)
{
    return wiresum_partial_short(p, n);
}

TARGET uint64_t wiresum_kernel_x86_sse2(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (n < 16)
        return sum_short(p, n);

    const struct constants k = constants();
    struct lanes l = { _mm_setzero_si128(), _mm_setzero_si128() };
    if (n >= 256) {
        if (n > BLOCK)
            return wiresum_partial_in_blocks(wiresum_kernel_x86_sse2, BLOCK, p, n);
        const uint8_t *const stop = p + (n & ~(size_t)255);
        do {
            l = add64(l, p, k);
            l = add64(l, p + 64, k);
            l = add64(l, p + 128, k);
            l = add64(l, p + 192, k);
            p += 256;
        } while (p != stop);
    }
    if (n & 128) {
        l = add64(l, p, k);
        l = add64(l, p + 64, k);
        p += 128;
    }
    if (n & 64) {
        l = add64(l, p, k);
        p += 64;
    }
    if (n & 63) {
        if (n & 32) {
            l.a = add(l.a, load(p), k);
            l.b = add(l.b, load(p + 16), k);
            p += 32;
        }
        if (n & 16) {
            l.a = add(l.a, load(p), k);
            p += 16;
        }
        if (n & 15)
            l.b = add_last(l.b, p + (n & 15), n & 15, k);
    }
    return flush(_mm_add_epi32(l.a, l.b), n);
}

TARGET uint64_t wiresum_kernel_x86_sse2_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 16)
        return wiresum_copy_short(out, p, n);
    if (n > BLOCK)
        return wiresum_copy_in_blocks(wiresum_kernel_x86_sse2_copy, BLOCK, out, p, n);

    const struct constants k = constants();
    const uint8_t *const end = p + n;
    const size_t even = n & ~(size_t)1;
    __m128i lanes = _mm_cvtsi32_si128((int)wiresum_copy_odd_byte(out, p, n));
    /* The end is stored first. The loop stores some of its bytes again. */
    const __m128i last = load(p + even - 16);
    store(out + even - 16, last);
    if (n >= 64) {
        const uint8_t *const stop = p + (n & ~(size_t)63);
        __m128i a = lanes, b = _mm_setzero_si128();
        do {
            const __m128i w = load(p), x = load(p + 16), y = load(p + 32), z = load(p + 48);
            store(out, w);
            store(out + 16, x);
            store(out + 32, y);
            store(out + 48, z);
            a = add(a, w, k);
            b = add(b, x, k);
            a = add(a, y, k);
            b = add(b, z, k);
            p += 64, out += 64;
        } while (p != stop);
        lanes = _mm_add_epi32(a, b);
    }
    for (; end - p >= 16; p += 16, out += 16) {
        const __m128i x = load(p);
        store(out, x);
        lanes = add(lanes, x, k);
    }
    if (p != end)
        lanes = add_last_of(lanes, last, even & 15, k);
    return flush(lanes, n);
}

#else
typedef int wiresum_x86_sse2_is_not_for_this_machine;
#endif
