/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * SVE, at any vector length: eight vectors a step. udot against ones adds four 16-bit words to a
 * 64-bit lane. This is one operation a vector, and the lanes need no flush. Only one or two of the
 * vector pipes of a Neoverse core execute udot. So every fourth vector x takes other pipes: the
 * kernel adds x to a total mod 2^64, and x >> 32 to a second total, high. The low halves of all x
 * add up to total - (high << 32).
 *
 * Predicates replace a tail: the last loads give zeros after the end of the data, and do not
 * access the bytes there. A branch on the remainder of a length costs some ten cycles where lengths
 * vary, as much as ten predicates. So a fixed number of vectors takes the remainder: two of up to
 * two vectors, four of up to four, eight beyond, and four at the end of a copy.
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

/* Which bytes of the vector with that number are among n bytes. */
TARGET static inline svbool_t left(size_t n, unsigned vectors)
{
    return svwhilelt_b8_u64(vectors * svcntb(), n);
}

TARGET static inline svuint8_t load_left(const uint8_t *p, size_t n, unsigned vectors)
{
    return svld1_vnum_u8(left(n, vectors), p, vectors);
}

/* Out of line, so that short data saves no register for it. */
TARGET static WIRESUM_NOINLINE uint64_t sum_long(const uint8_t *p, size_t n)
{
    if (WIRESUM_IS_HUGE(n))
        return wiresum_partial_in_blocks(wiresum_kernel_arm_sve, WIRESUM_HUGE_BLOCK, p, n);

    const size_t step = 8 * svcntb();
    svuint64_t a = svdup_u64(0), b = a, c = a, d = a;
    if (n > step) {
        svuint64_t e = a, f = a, total0 = a, high0 = a, total1 = a, high1 = a;
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
            n -= step;
            p += step;
        } while (n > step);
        a = plus(plus(a, e), halves(total0, high0));
        b = plus(plus(b, f), halves(total1, high1));
    }
    a = add(add(a, load_left(p, n, 0)), load_left(p, n, 4));
    b = add(add(b, load_left(p, n, 1)), load_left(p, n, 5));
    c = add(add(c, load_left(p, n, 2)), load_left(p, n, 6));
    d = add(add(d, load_left(p, n, 3)), load_left(p, n, 7));
    return svaddv_u64(svptrue_b64(), plus(plus(a, b), plus(c, d)));
}

TARGET uint64_t wiresum_kernel_arm_sve(const void *data, size_t n)
{
    const uint8_t *const p = data;
    const size_t vector = svcntb();
    const svuint64_t zero = svdup_u64(0);
    if (n <= 2 * vector) {
        const svbool_t first = left(n, 0); /* lanes outside of it are zero */
        return svaddv_u64(first, add(add(zero, svld1_u8(first, p)), load_left(p, n, 1)));
    }
    if (n > 4 * vector)
        return sum_long(p, n);
    const svuint64_t a = add(add(zero, load(p, 0)), load_left(p, n, 2));
    const svuint64_t b = add(add(zero, load(p, 1)), load_left(p, n, 3));
    return svaddv_u64(svptrue_b64(), plus(a, b));
}

TARGET uint64_t wiresum_kernel_arm_sve_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    const size_t step = 4 * svcntb();
    const svbool_t all = svptrue_b8();
    svuint64_t a = svdup_u64(0), b = a;
    if (n <= step / 2) {
        const svbool_t first = left(n, 0), second = left(n, 1);
        const svuint8_t x = svld1_u8(first, p), y = svld1_vnum_u8(second, p, 1);
        svst1_u8(first, out, x);
        svst1_vnum_u8(second, out, 1, y);
        return svaddv_u64(first, add(add(a, x), y)); /* lanes outside of first are zero */
    }
    if (WIRESUM_IS_HUGE(n))
        return wiresum_copy_in_blocks(wiresum_kernel_arm_sve_copy, WIRESUM_HUGE_BLOCK, out, p, n);
    svuint64_t c = a, d = a;
    for (; n > step; n -= step, p += step, out += step) {
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
    const svbool_t l0 = left(n, 0), l1 = left(n, 1), l2 = left(n, 2), l3 = left(n, 3);
    const svuint8_t x0 = svld1_u8(l0, p), x1 = svld1_vnum_u8(l1, p, 1);
    const svuint8_t x2 = svld1_vnum_u8(l2, p, 2), x3 = svld1_vnum_u8(l3, p, 3);
    svst1_u8(l0, out, x0);
    svst1_vnum_u8(l1, out, 1, x1);
    svst1_vnum_u8(l2, out, 2, x2);
    svst1_vnum_u8(l3, out, 3, x3);
    a = plus(add(a, x0), add(b, x1));
    c = plus(add(c, x2), add(d, x3));
    return svaddv_u64(svptrue_b64(), plus(a, c));
}

#else
typedef int wiresum_arm_sve_is_not_for_this_machine;
#endif
