/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * This kernel uses NEON, on A64 and A32. A step of a sum takes 128 bytes, and a step of a copy 64.
 * uadalp (A32: vpadal.u32) adds two neighboring 32-bit words to a 64-bit lane. This is one
 * operation a vector, and the loop need not flush the lanes. Some cores take four cycles from one
 * uadalp to the next of the same lanes, so four accumulators take turns.
 *
 * The last bytes, fewer than a vector, come from a load that ends with the data. A table lookup
 * moves them to the front and puts zeros behind them, so one branch asks only whether there are
 * any. A big-endian machine sums them in words.
 *
 * Bound: a vector adds less than 2^33 to a lane, so a lane holds the sum of 2^31 vectors. After
 * 4 GiB, all lanes together are below 2^62. Longer data is summed in blocks.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_ARM_NEON

#  include <arm_neon.h>

WIRESUM_DECLARE_KERNEL(arm_neon);

#  if defined(__aarch64__) || defined(__clang__)
#    define TARGET
#  else
#    define TARGET __attribute__((target("fpu=neon")))
#  endif

/* Loads sixteen bytes as four native words. On a little-endian machine a load of bytes gives the
 * same words, and needs no alignment. */
TARGET static inline uint32x4_t load(const uint8_t *p)
{
    return WIRESUM_BIG_ENDIAN ? vld1q_u32((const uint32_t *)(const void *)p)
                              : vreinterpretq_u32_u8(vld1q_u8(p));
}

struct two {
    uint32x4_t first, second;
};

/* Loads the 32 bytes at *p, and advances *p. A32 loads them with one instruction, for which GCC has
 * an intrinsic from version 14 on. */
TARGET static inline struct two next(const uint8_t **p)
{
#  if defined(__aarch64__)
    const struct two x = { load(*p), load(*p + 16) };
    *p += 32;
    return x;
#  else
    uint8x16x2_t x;
#    if defined(__clang__)
    x = vld1q_u8_x2(*p);
    *p += 32;
#    else
    const uint8_t *const from = *p;
    __asm__("vld1.8 %h0, [%1]!" : "=w"(x), "+r"(*p) : "m"(*(const uint8_t (*)[32])from));
#    endif
    return (struct two){ vreinterpretq_u32_u8(x.val[0]), vreinterpretq_u32_u8(x.val[1]) };
#  endif
}

TARGET static inline void store(uint8_t *p, uint32x4_t x)
{
    if (WIRESUM_BIG_ENDIAN)
        vst1q_u32((uint32_t *)(void *)p, x);
    else
        vst1q_u8(p, vreinterpretq_u8_u32(x));
}

TARGET static inline uint64x2_t add(uint64x2_t lanes, uint32x4_t x)
{
    return vpadalq_u32(lanes, x);
}

TARGET static inline uint64_t flush(uint64x2_t lanes)
{
#  if defined(__aarch64__)
    return vaddvq_u64(lanes);
#  else
    /* Two lanes of 32 bits are read, because GCC moves a lane of 64 bits through the stack. */
    const uint32x4_t sum = vreinterpretq_u32_u64(vaddq_u64(lanes, vextq_u64(lanes, lanes, 1)));
    return (uint64_t)vgetq_lane_u32(sum, 1) << 32 | vgetq_lane_u32(sum, 0);
#  endif
}

/* Returns the last r < 16 bytes of x, and zeros behind them. */
TARGET static inline uint32x4_t last_of(uint8x16_t x, size_t r)
{
    static const uint8_t from[32] = {
        0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,
        11,   12,   13,   14,   15,   0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    };
    const uint8x16_t index = vld1q_u8(from + 16 - r);
#  if defined(__aarch64__)
    return vreinterpretq_u32_u8(vqtbl1q_u8(x, index));
#  else
    const uint8x8x2_t table = { { vget_low_u8(x), vget_high_u8(x) } };
    return vreinterpretq_u32_u8(
        vcombine_u8(vtbl2_u8(table, vget_low_u8(index)), vtbl2_u8(table, vget_high_u8(index))));
#  endif
}

/* Returns the sum of the lanes and of the last r < 16 bytes before end. The table lookup is for
 * little-endian registers. */
TARGET static inline uint64_t finish(uint64x2_t lanes, const uint8_t *end, size_t r)
{
    if (WIRESUM_BIG_ENDIAN)
        return wiresum_add64(flush(lanes), wiresum_partial_short(end - r, r));
    return flush(r ? add(lanes, last_of(vld1q_u8(end - 16), r)) : lanes);
}

TARGET uint64_t wiresum_kernel_arm_neon(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (n < 16)
        return wiresum_partial_short(p, n);
    if (WIRESUM_IS_HUGE(n))
        return wiresum_partial_in_blocks(wiresum_kernel_arm_neon, WIRESUM_HUGE_BLOCK, p, n);

    const uint8_t *const end = p + n;
    uint64x2_t a = vdupq_n_u64(0), b = a, c = a, d = a;
    if (n >= 128) {
        const uint8_t *const stop = p + (n & ~(size_t)127);
        do {
            const struct two w = next(&p), x = next(&p), y = next(&p), z = next(&p);
            a = add(a, w.first);
            b = add(b, w.second);
            c = add(c, x.first);
            d = add(d, x.second);
            a = add(a, y.first);
            b = add(b, y.second);
            c = add(c, z.first);
            d = add(d, z.second);
        } while (p != stop);
    }
    if (n & 64) {
        const struct two w = next(&p), x = next(&p);
        a = add(a, w.first);
        b = add(b, w.second);
        c = add(c, x.first);
        d = add(d, x.second);
    }
    if (n & 32) {
        const struct two w = next(&p);
        b = add(b, w.first);
        c = add(c, w.second);
    }
    if (n & 16)
        d = add(d, load(p));
    return finish(vaddq_u64(vaddq_u64(a, b), vaddq_u64(c, d)), end, n & 15);
}

TARGET uint64_t wiresum_kernel_arm_neon_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 16)
        return wiresum_copy_short(out, p, n);
    if (WIRESUM_IS_HUGE(n))
        return wiresum_copy_in_blocks(wiresum_kernel_arm_neon_copy, WIRESUM_HUGE_BLOCK, out, p, n);

    const uint8_t *const end = p + n;
    uint64x2_t a = vdupq_n_u64(0), b = a, c = a, d = a;
    /* The end is stored first. The loop stores some of its bytes again. */
#  if WIRESUM_BIG_ENDIAN
    const uint64_t first = wiresum_load64_once(end - 16);
    const uint64_t second = wiresum_load64_once(end - 8);
    wiresum_store64(out + n - 16, first);
    wiresum_store64(out + n - 8, second);
#  else
    const uint8x16_t last = vld1q_u8(end - 16);
    vst1q_u8(out + n - 16, last);
#  endif
    if (n >= 64) {
        const uint8_t *const stop = p + (n & ~(size_t)63);
        do {
            const uint32x4_t x0 = load(p), x1 = load(p + 16), x2 = load(p + 32), x3 = load(p + 48);
            store(out, x0);
            store(out + 16, x1);
            store(out + 32, x2);
            store(out + 48, x3);
            a = add(a, x0);
            b = add(b, x1);
            c = add(c, x2);
            d = add(d, x3);
            p += 64, out += 64;
        } while (p != stop);
    }
    for (; end - p >= 16; p += 16, out += 16) {
        const uint32x4_t x = load(p);
        store(out, x);
        a = add(a, x);
    }
    const uint64x2_t lanes = vaddq_u64(vaddq_u64(a, b), vaddq_u64(c, d));
#  if WIRESUM_BIG_ENDIAN
    return wiresum_add64(flush(lanes), wiresum_partial_last16(first, second, n));
#  else
    return flush(n & 15 ? add(lanes, last_of(last, n & 15)) : lanes);
#  endif
}

#else
typedef int wiresum_arm_neon_is_not_for_this_machine;
#endif
