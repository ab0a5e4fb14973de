/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * WebAssembly SIMD: 64 bytes a step, two operations a vector. extadd_pairwise turns eight words
 * into four sums of two words, which are added to 32-bit lanes. A flush widens the lanes to 64
 * bits. The last bytes, fewer than a vector, come from a load that ends with the data. swizzle
 * moves them to the front and puts zeros after them, with no branch on their number.
 *
 * A runtime without SIMD refuses each module that contains a vector instruction. So the flag
 * -msimd128 chooses this kernel when the library is compiled.
 *
 * Bound: a vector adds at most 2^17 - 2 to a lane. The accumulators are joined after BLOCK / 16 =
 * 2^15 vectors, so that each lane stays below 2^32.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_WASM_SIMD128

#  include <wasm_simd128.h>

WIRESUM_DECLARE_KERNEL(wasm_simd128);

enum { BLOCK = 512 << 10 }; /* bytes between two flushes, a multiple of a step */

static inline v128_t add(v128_t lanes, v128_t x)
{
    return wasm_i32x4_add(lanes, wasm_u32x4_extadd_pairwise_u16x8(x));
}

static inline uint64_t flush(v128_t a, v128_t b, v128_t c, v128_t d)
{
    const v128_t lanes = wasm_i32x4_add(wasm_i32x4_add(a, b), wasm_i32x4_add(c, d));
    const v128_t wide =
        wasm_i64x2_add(wasm_u64x2_extend_low_u32x4(lanes), wasm_u64x2_extend_high_u32x4(lanes));
    return (uint64_t)wasm_i64x2_extract_lane(wide, 0) + (uint64_t)wasm_i64x2_extract_lane(wide, 1);
}

/* Returns the last r < 16 bytes of x, and zeros after them. */
static inline v128_t last_of(v128_t x, size_t r)
{
    static const uint8_t from[32] = {
        0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,
        11,   12,   13,   14,   15,   0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    };
    return wasm_i8x16_swizzle(x, wasm_v128_load(from + 16 - r));
}

uint64_t wiresum_kernel_wasm_simd128(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (n < 16)
        return wiresum_partial_short(p, n);

    const uint8_t *const end = p + n;
    uint64_t sum = 0;
    for (;;) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left : BLOCK;
        v128_t a = wasm_i64x2_const(0, 0), b = a, c = a, d = a;
        for (const uint8_t *const stop = p + (block & ~(size_t)63); p != stop; p += 64) {
            a = add(a, wasm_v128_load(p));
            b = add(b, wasm_v128_load(p + 16));
            c = add(c, wasm_v128_load(p + 32));
            d = add(d, wasm_v128_load(p + 48));
        }
        if (left >= BLOCK) {
            sum = wiresum_add64(sum, flush(a, b, c, d));
            continue;
        }
        if (n & 32) {
            a = add(a, wasm_v128_load(p));
            b = add(b, wasm_v128_load(p + 16));
            p += 32;
        }
        if (n & 16)
            c = add(c, wasm_v128_load(p));
        d = add(d, last_of(wasm_v128_load(end - 16), n & 15));
        return wiresum_add64(sum, flush(a, b, c, d));
    }
}

uint64_t wiresum_kernel_wasm_simd128_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < 16)
        return wiresum_copy_short(out, p, n);

    const uint8_t *const end = p + n;
    uint64_t sum = 0;
    /* The end is stored first. The loop stores some of its bytes again. */
    const v128_t last = wasm_v128_load(end - 16);
    wasm_v128_store(out + n - 16, last);
    for (;;) {
        const size_t left = (size_t)(end - p), block = left < BLOCK ? left : BLOCK;
        v128_t a = wasm_i64x2_const(0, 0), b = a, c = a, d = a;
        for (const uint8_t *const stop = p + (block & ~(size_t)63); p != stop; p += 64, out += 64) {
            const v128_t x0 = wasm_v128_load(p), x1 = wasm_v128_load(p + 16);
            const v128_t x2 = wasm_v128_load(p + 32), x3 = wasm_v128_load(p + 48);
            wasm_v128_store(out, x0);
            wasm_v128_store(out + 16, x1);
            wasm_v128_store(out + 32, x2);
            wasm_v128_store(out + 48, x3);
            a = add(a, x0);
            b = add(b, x1);
            c = add(c, x2);
            d = add(d, x3);
        }
        if (left >= BLOCK) {
            sum = wiresum_add64(sum, flush(a, b, c, d));
            continue;
        }
        for (; end - p >= 16; p += 16, out += 16) {
            const v128_t x = wasm_v128_load(p);
            wasm_v128_store(out, x);
            a = add(a, x);
        }
        d = add(d, last_of(last, n & 15));
        return wiresum_add64(sum, flush(a, b, c, d));
    }
}

#else
typedef int wiresum_wasm_simd128_is_not_for_this_machine;
#endif
