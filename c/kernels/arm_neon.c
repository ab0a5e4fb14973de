/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * This kernel uses NEON, on A64 and A32. A step of a sum takes 128 bytes, and a step of a copy 64.
 * uadalp (A32: vpadal.u32) adds two neighboring 32-bit words to a 64-bit lane. This is one
 * operation a vector, and the loop need not flush the lanes. Some cores take four cycles from one
 * uadalp to the next of the same lanes, so four accumulators take turns.
 *
 * A branch on the remainder of a length costs 9 to 16 cycles where lengths vary. So a fixed number
 * of vectors that end with the data takes the remainder, and masks clear the bytes that are counted
 * already: one of the two vectors of up to 32 bytes, two of four up to 64, four of eight up to 128,
 * and as many as a step has after the main loop. The last byte of an odd length is added alone.
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

TARGET static inline void store_two(uint8_t *p, struct two x)
{
    store(p, x.first);
    store(p + 16, x.second);
}

/* pairs() adds neighboring words of x. add() adds such sums to lanes. */
TARGET static inline uint64x2_t pairs(uint32x4_t x)
{
    return vpaddlq_u32(x);
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

struct lanes {
    uint64x2_t a, b, c, d;
};

TARGET static inline uint64_t flush_four(struct lanes s)
{
    return flush(vaddq_u64(vaddq_u64(s.a, s.b), vaddq_u64(s.c, s.d)));
}

TARGET static inline struct lanes add_four(struct lanes s, struct two x, struct two y)
{
    return (struct lanes){ add(s.a, x.first), add(s.b, x.second), add(s.c, y.first),
                           add(s.d, y.second) };
}

/* Returns a pointer to masks of the vectors before the end of data, of which the last r bytes,
 * r <= 128, still count. The mask of a vector is as far before the pointer as the vector is before
 * the end. */
static inline const uint8_t *masks_of(size_t r)
{
#  define ALL_64 ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)
    static const uint64_t none_then_all[32] = { [16] = ALL_64, ALL_64, ALL_64, ALL_64 };
    return (const uint8_t *)(none_then_all + 16) + r;
}

TARGET static inline struct two masked(struct two x, const uint8_t *masks)
{
    const struct two m = next(&masks);
    return (struct two){ vandq_u32(x.first, m.first), vandq_u32(x.second, m.second) };
}

/* Adds the 64 bytes at p, without what the masks clear. */
TARGET static inline struct lanes add_masked(struct lanes s, const uint8_t *p, const uint8_t *masks)
{
    const struct two x = next(&p), y = next(&p);
    return add_four(s, masked(x, masks), masked(y, masks + 32));
}

/* Returns the sum of more than 128 bytes. Out of line, so that a compiler loads nothing ahead for
 * shorter data. */
TARGET static WIRESUM_NOINLINE uint64_t sum_steps(const uint8_t *p, size_t n)
{
    if (WIRESUM_IS_HUGE(n))
        return wiresum_partial_in_blocks(wiresum_kernel_arm_neon, WIRESUM_HUGE_BLOCK, p, n);
    const size_t even = n & ~(size_t)1, steps = (even - 1) & ~(size_t)127;
    const uint8_t *const stop = p + steps, *const masks = masks_of(even - steps);
    const uint8_t *end = p + even;
    const uint64_t odd = wiresum_odd_byte(p, n);
    const uint64x2_t zero = vdupq_n_u64(0);
    struct lanes s = { zero, zero, zero, zero };
    do {
        const struct two w = next(&p), x = next(&p), y = next(&p), z = next(&p);
        s = add_four(s, w, x);
        s = add_four(s, y, z);
    } while (p != stop);
    s = add_masked(s, end - 128, masks - 128);
#  if !defined(__aarch64__)
    /* A32 has too few registers to load all of the last 128 bytes and their masks at once. */
    __asm__("" : "+r"(end), "+w"(s.a), "+w"(s.b), "+w"(s.c), "+w"(s.d));
#  endif
    s = add_masked(s, end - 64, masks - 64);
    return odd + flush_four(s);
}

TARGET uint64_t wiresum_kernel_arm_neon(const void *data, size_t n)
{
    const uint8_t *p = data;
    const size_t even = n & ~(size_t)1;
    const uint8_t *const end = p + even;
    if (n < 16)
        return wiresum_partial_short(p, n);
    if (even <= 32) {
        const uint32x4_t last = vandq_u32(load(end - 16), load(masks_of(even - 16) - 16));
        return wiresum_odd_byte(p, n) + flush(add(pairs(load(p)), last));
    }
    if (even <= 64) {
        const uint64_t odd = wiresum_odd_byte(p, n);
        const uint8_t *tail = end - 32;
        const struct two x = next(&p), y = masked(next(&tail), masks_of(even - 32) - 32);
        return odd + flush(vaddq_u64(add(pairs(x.first), y.first), add(pairs(x.second), y.second)));
    }
    if (even > 128)
        return sum_steps(p, n);
    const uint64_t odd = wiresum_odd_byte(p, n);
    const struct two x = next(&p), y = next(&p);
    const struct lanes s = { pairs(x.first), pairs(x.second), pairs(y.first), pairs(y.second) };
    return odd + flush_four(add_masked(s, end - 64, masks_of(even - 64) - 64));
}

/* Stores the last vectors first. A later store overwrites the bytes that it counts. */
TARGET uint64_t wiresum_kernel_arm_neon_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 16)
        return wiresum_copy_short(out, p, n);
    if (WIRESUM_IS_HUGE(n))
        return wiresum_copy_in_blocks(wiresum_kernel_arm_neon_copy, WIRESUM_HUGE_BLOCK, out, p, n);

    const size_t even = n & ~(size_t)1;
    const uint8_t *tail = p + even;
    uint8_t *const out_end = out + even;
    const uint64_t odd = wiresum_copy_odd_byte(out, p, n);
    if (even <= 32) {
        const uint32x4_t x = load(p), y = load(tail - 16);
        store(out_end - 16, y);
        store(out, x);
        const uint32x4_t last = vandq_u32(y, load(masks_of(even - 16) - 16));
        return odd + flush(add(pairs(x), last));
    }
    if (even <= 64) {
        tail -= 32;
        const struct two x = next(&p), y = next(&tail);
        store_two(out_end - 32, y);
        store_two(out, x);
        const struct two last = masked(y, masks_of(even - 32) - 32);
        return odd
               + flush(
                   vaddq_u64(add(pairs(x.first), last.first), add(pairs(x.second), last.second)));
    }
    const size_t steps = (even - 1) & ~(size_t)63;
    const uint8_t *const stop = p + steps, *const masks = masks_of(even - steps);
    tail -= 64;
    const struct two y = next(&tail), z = next(&tail);
    store_two(out_end - 64, y);
    store_two(out_end - 32, z);
    const struct two last_y = masked(y, masks - 64), last_z = masked(z, masks - 32);
    struct lanes s = { pairs(last_y.first), pairs(last_y.second), pairs(last_z.first),
                       pairs(last_z.second) };
    do {
        const struct two w = next(&p), x = next(&p);
        store_two(out, w);
        store_two(out + 32, x);
        s = add_four(s, w, x);
        out += 64;
    } while (p != stop);
    return odd + flush_four(s);
}

#else
typedef int wiresum_arm_neon_is_not_for_this_machine;
#endif
