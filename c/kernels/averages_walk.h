/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The walk of kernels that sum by averages alone: see averages.h. Before a kernel includes this
 * file, it defines
 *
 *     SUM, COPY      its two functions, and BLOCK, the most bytes that they sum at once
 *     TARGET         the attribute of its instruction set, or nothing; INLINE begins with it
 *     STEP           how many vectors a step takes: 4 or 8
 *     vector         the type of a vector
 *     load, store    at any address
 *     masked         a vector without the bits that a mask in memory clears
 *     add            the sums of words of W bits
 *     average, top   averages of words of 16 bits, and the top 16 bits of words of W bits
 *     join           the sum of all words and an odd byte, from lanes of words, and from lanes of
 *                    which the sum, times a number, is the estimate
 *
 * A branch on the remainder of a length costs some 20 cycles where lengths vary. So a fixed number
 * of vectors that end with the data takes the remainder, and masks clear the bytes that are counted
 * already: one of the two vectors of short data, two of four, four of eight, and as many as a step
 * has before the loop. The last byte of an odd length is added alone. A copy stores the vectors
 * that end with the data first. A later store of the same bytes counts them.
 */
#ifndef WIRESUM_AVERAGES_WALK_H
#define WIRESUM_AVERAGES_WALK_H

#include "averages.h"



enum { VECTOR = sizeof(vector) };

/* Two accumulators of words take turns. The third one has the top 16 bits of averages. */
struct sums {
    vector a, b, tops;
};

/* Returns a pointer to masks of the vectors before the end of data, of which the last r bytes,
 * r <= 256, still count. The mask of a vector is as far before the pointer as the vector is before
 * the end. */
static inline const uint8_t *masks_of(size_t r)
{
#define ALL_256 ALL_64, ALL_64
#define ALL_64  ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)
    static const uint64_t none_then_all[64] = { [32] = ALL_256, ALL_256, ALL_256, ALL_256 };
    return (const uint8_t *)(none_then_all + 32) + r;
}

/* Returns the vector at p. A copy, which has a destination, stores it. */
INLINE vector take(uint8_t *out, const uint8_t *p, size_t at)
{
    const vector x = load(p + at);
    if (out)
        store(out + at, x);
    return x;
}

/* Adds two vectors, and returns their average. */
INLINE vector add_two(struct sums *s, vector x, vector y)
{
    s->a = add(s->a, x);
    s->b = add(s->b, y);
    return average(x, y);
}

/* The same with two vectors at a place of the data, or two without the bytes that masks clear. */
INLINE vector add_two_at(struct sums *s, uint8_t *out, const uint8_t *p, size_t at,
                         const uint8_t *masks)
{
    const vector x = take(out, p, at), y = take(out, p, at + VECTOR);
    return masks ? add_two(s, masked(x, masks), masked(y, masks + VECTOR))
                 : add_two(s, x, y);
}

/* Adds four vectors, and returns their average. */
INLINE vector add_four_at(struct sums *s, uint8_t *out, const uint8_t *p, size_t at,
                          const uint8_t *masks)
{
    const vector x = add_two_at(s, out, p, at, masks);
    return average(x, add_two_at(s, out, p, at + 2 * VECTOR, masks ? masks + 2 * VECTOR : NULL));
}

/* Adds the vectors of a step. */
INLINE void add_step_at(struct sums *s, uint8_t *out, const uint8_t *p, size_t at,
                        const uint8_t *masks)
{
    vector x = add_four_at(s, out, p, at, masks);
    if (STEP == 8)
        x = average(x, add_four_at(s, out, p, at + 4 * VECTOR, masks ? masks + 4 * VECTOR : NULL));
    s->tops = add(s->tops, top(x));
}

/* Returns the sum of more bytes than a step has. A copy, which has a destination, stores them. */
INLINE uint64_t walk_steps(uint8_t *out, const uint8_t *p, size_t n)
{
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return out ? wiresum_copy_in_blocks(COPY, BLOCK, out, p, n)
                   : wiresum_partial_in_blocks(SUM, BLOCK, p, n);
    const size_t even = n & ~(size_t)1, steps = (even - 1) & ~(size_t)(STEP * VECTOR - 1);
    const uint64_t odd = out ? wiresum_copy_odd_byte(out, p, n) : wiresum_odd_byte(p, n);
    struct sums s = { { 0 }, { 0 }, { 0 } };
    add_step_at(&s, out, p, even - STEP * VECTOR, masks_of(even - steps) - STEP * VECTOR);
    for (size_t at = 0; at != steps; at += STEP * VECTOR)
        add_step_at(&s, out, p, at, NULL);
    return join(add(s.a, s.b), s.tops, STEP, odd);
}

/* Out of line, so that shorter data saves no register for them. */
TARGET static WIRESUM_NOINLINE uint64_t sum_steps(const uint8_t *p, size_t n)
{
    return walk_steps(NULL, p, n);
}

TARGET static WIRESUM_NOINLINE uint64_t copy_steps(uint8_t *out, const uint8_t *p, size_t n)
{
    return walk_steps(out, p, n);
}

/* Returns the sum of VECTOR bytes and more. A copy stores them. */
INLINE uint64_t walk(uint8_t *out, const uint8_t *p, size_t n)
{
    const size_t even = n & ~(size_t)1;
    if (even > STEP * VECTOR)
        return out ? copy_steps(out, p, n) : sum_steps(p, n);
    const uint64_t odd = out ? wiresum_copy_odd_byte(out, p, n) : wiresum_odd_byte(p, n);
    if (even <= 2 * VECTOR) {
        const vector y = masked(take(out, p, even - VECTOR), masks_of(even - VECTOR) - VECTOR);
        const vector x = take(out, p, 0);
        return join(add(x, y), top(average(x, y)), 2, odd);
    }
    if (STEP == 4 || even <= 4 * VECTOR) {
        const size_t rest = even - 2 * VECTOR;
        const uint8_t *const masks = masks_of(rest) - 2 * VECTOR;
        const vector x = masked(take(out, p, rest), masks);
        const vector y = masked(take(out, p, rest + VECTOR), masks + VECTOR);
        struct sums s = { x, y, average(x, y) };
        const vector quarter = average(s.tops, add_two_at(&s, out, p, 0, NULL));
        return join(add(s.a, s.b), top(quarter), 4, odd);
    }
    struct sums s = { { 0 }, { 0 }, { 0 } };
    const size_t rest = even - 4 * VECTOR;
    const vector x = add_four_at(&s, out, p, rest, masks_of(rest) - 4 * VECTOR);
    const vector eighth = average(x, add_four_at(&s, out, p, 0, NULL));
    return join(add(s.a, s.b), top(eighth), 8, odd);
}

#endif
