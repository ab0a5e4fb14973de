/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SVE, at any vector length: eight vectors a step. udot against ones adds four 16-bit words to a
 * 64-bit lane. This is one operation a vector, and the lanes need no flush. Only one or two of the
 * vector pipes of a Neoverse core execute udot. So every fourth vector x takes other pipes: the
 * kernel adds x to a total mod 2^64, and x >> 32 to a second total, high. The low halves of all x
 * add up to total - (high << 32).
 *
 * Predicates replace a tail: the last loads give zeros behind the end of the data, and do not
 * access the bytes there.
 *
 * Bound: udot adds less than 2^18 to a lane, and x >> 32 less than 2^32. All lanes of 4 GiB
 * together are below 2^62, and the sum of the low halves is below 2^64. Longer data is summed in
 * blocks.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_ARM_SVE

#  include <arm_sve.h>

WIRESUM_DECLARE_KERNEL(arm_sve);

#  if defined(__clang__)
#    define TARGET __attribute__((target("sve")))
#  else
#    define TARGET __attribute__((target("+sve")))
#  endif

TARGET static inline svuint64_t add(svuint64_t lanes, svuint8_t x)
{
    return svdot_n_u64(lanes, svreinterpret_u16_u8(x), 1);
}

TARGET static inline svuint64_t plus(svuint64_t a, svuint64_t b)
{
    return svadd_u64_x(svptrue_b64(), a, b);
}

/* Returns the sum of the low and the high halves of all words x, where total is the sum of x mod
 * 2^64, and high the sum of x >> 32. */
TARGET static inline svuint64_t halves(svuint64_t total, svuint64_t high)
{
    const svbool_t all = svptrue_b64();
    return plus(svsub_u64_x(all, total, svlsl_n_u64_x(all, high, 32)), high);
}

TARGET static inline svuint64_t upper(svuint8_t x)
{
    return svlsr_n_u64_x(svptrue_b64(), svreinterpret_u64_u8(x), 32);
}

TARGET static inline svuint8_t load(const uint8_t *p, int64_t vectors)
{
    return svld1_vnum_u8(svptrue_b8(), p, vectors);
}

/* Out of line, so that short data saves no register for it. */
TARGET static __attribute__((noinline)) uint64_t sum_long(const uint8_t *p, size_t n)
{
    if (WIRESUM_IS_HUGE(n))
        return wiresum_partial_in_blocks(wiresum_kernel_arm_sve, WIRESUM_HUGE_BLOCK, p, n);

    const size_t vector = svcntb();
    svuint64_t a = svdup_u64(0), b = a;
    if (n >= 8 * vector) {
        svuint64_t c = a, d = a, e = a, f = a, total0 = a, high0 = a, total1 = a, high1 = a;
        do {
            const svuint8_t x0 = load(p, 0), x1 = load(p, 1), x2 = load(p, 2), x3 = load(p, 3);
            const svuint8_t x4 = load(p, 4), x5 = load(p, 5), x6 = load(p, 6), x7 = load(p, 7);
            a = add(a, x0);
            b = add(b, x1);
            c = add(c, x2);
            total0 = plus(total0, svreinterpret_u64_u8(x3));
            high0 = plus(high0, upper(x3));
            d = add(d, x4);
            e = add(e, x5);
            f = add(f, x6);
            total1 = plus(total1, svreinterpret_u64_u8(x7));
            high1 = plus(high1, upper(x7));
            n -= 8 * vector;
            p += 8 * vector;
        } while (n >= 8 * vector);
        a = plus(plus(a, c), plus(e, halves(total0, high0)));
        b = plus(plus(b, d), plus(f, halves(total1, high1)));
    }
    if (n >= 4 * vector) {
        const svuint8_t x0 = load(p, 0), x1 = load(p, 1), x2 = load(p, 2), x3 = load(p, 3);
        a = add(add(a, x0), x1);
        b = add(add(b, x2), x3);
        n -= 4 * vector;
        p += 4 * vector;
    }
    const svbool_t all = svptrue_b8();
    size_t i = 0;
    for (svbool_t left = svwhilelt_b8_u64(i, n); svptest_first(all, left);
         left = svwhilelt_b8_u64(i, n)) {
        a = add(a, svld1_u8(left, p + i));
        i += vector;
    }
    return svaddv_u64(svptrue_b64(), plus(a, b));
}

/* Up to two vectors are two loads, whatever the length. */
TARGET uint64_t wiresum_kernel_arm_sve(const void *data, size_t n)
{
    const uint8_t *const p = data;
    const size_t vector = svcntb();
    if (n > 2 * vector)
        return sum_long(p, n);
    const svbool_t first = svwhilelt_b8_u64(0, n), second = svwhilelt_b8_u64(vector, n);
    const svuint8_t x = svld1_u8(first, p), y = svld1_vnum_u8(second, p, 1);
    return svaddv_u64(first, add(add(svdup_u64(0), x), y)); /* lanes outside of first are zero */
}

TARGET uint64_t wiresum_kernel_arm_sve_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (WIRESUM_IS_HUGE(n))
        return wiresum_copy_in_blocks(wiresum_kernel_arm_sve_copy, WIRESUM_HUGE_BLOCK, out, p, n);

    const svbool_t all = svptrue_b8();
    const size_t vector = svcntb();
    svuint64_t a = svdup_u64(0), b = a, c = a, d = a;
    for (; n >= 4 * vector; n -= 4 * vector, p += 4 * vector, out += 4 * vector) {
        const svuint8_t x0 = load(p, 0), x1 = load(p, 1), x2 = load(p, 2), x3 = load(p, 3);
        svst1_u8(all, out, x0);
        svst1_vnum_u8(all, out, 1, x1);
        svst1_vnum_u8(all, out, 2, x2);
        svst1_vnum_u8(all, out, 3, x3);
        a = add(a, x0);
        b = add(b, x1);
        c = add(c, x2);
        d = add(d, x3);
    }
    size_t i = 0;
    for (svbool_t left = svwhilelt_b8_u64(i, n); svptest_first(all, left);
         left = svwhilelt_b8_u64(i, n)) {
        const svuint8_t x = svld1_u8(left, p + i);
        svst1_u8(left, out + i, x);
        a = add(a, x);
        i += vector;
    }
    return svaddv_u64(svptrue_b64(), plus(plus(a, b), plus(c, d)));
}

#else
typedef int wiresum_arm_sve_is_not_for_this_machine;
#endif
