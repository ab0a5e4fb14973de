/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The walk of kernels that sum by averages alone: see averages.h. Before a kernel includes this
 * file, it defines
 *
 *     KERNEL         its name
 *     BLOCK          how many bytes it sums at once, at most
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

#define PASTE(a, b)     a##b
#define NAMED(a, b)     PASTE(a, b)
#define WALK_SUM        NAMED(wiresum_kernel_, KERNEL)
#define WALK_COPY       NAMED(WALK_SUM, _copy)
#define WALK_SUM_STEPS  NAMED(KERNEL, _sum_steps)
#define WALK_COPY_STEPS NAMED(KERNEL, _copy_steps)

enum { VECTOR = sizeof(vector) };

/* What is summed. A copy has a destination. */
struct data {
    bool copies;
    uint8_t *out;
    const uint8_t *p;
};

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

/* Returns a vector of the data. A copy stores it. */
INLINE vector take(struct data d, size_t at)
{
    const vector x = load(d.p + at);
    if (d.copies)
        store(d.out + at, x);
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
INLINE vector add_two_at(struct sums *s, struct data d, size_t at, const uint8_t *masks)
{
    const vector x = take(d, at), y = take(d, at + VECTOR);
    return masks ? add_two(s, masked(x, masks), masked(y, masks + VECTOR)) : add_two(s, x, y);
}

/* Adds four vectors, and returns their average. */
INLINE vector add_four_at(struct sums *s, struct data d, size_t at, const uint8_t *masks)
{
    const vector x = add_two_at(s, d, at, masks);
    return average(x, add_two_at(s, d, at + 2 * VECTOR, masks ? masks + 2 * VECTOR : NULL));
}

/* Adds the vectors of a step. */
INLINE void add_step_at(struct sums *s, struct data d, size_t at, const uint8_t *masks)
{
    vector x = add_four_at(s, d, at, masks);
    if (STEP == 8)
        x = average(x, add_four_at(s, d, at + 4 * VECTOR, masks ? masks + 4 * VECTOR : NULL));
    s->tops = add(s->tops, top(x));
}

INLINE uint64_t odd_byte(struct data d, size_t n)
{
    return d.copies ? wiresum_copy_odd_byte(d.out, d.p, n) : wiresum_odd_byte(d.p, n);
}

/* Returns the sum of more bytes than a step has. */
INLINE uint64_t walk_steps(struct data d, size_t n)
{
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return d.copies ? wiresum_copy_in_blocks(WALK_COPY, BLOCK, d.out, d.p, n)
                        : wiresum_partial_in_blocks(WALK_SUM, BLOCK, d.p, n);
    const size_t even = n & ~(size_t)1, steps = (even - 1) & ~(size_t)(STEP * VECTOR - 1);
    const uint64_t odd = odd_byte(d, n);
    vector zero = { 0 }; /* not const: Clang without -O would call memset */
    struct sums s = { zero, zero, zero };
    add_step_at(&s, d, even - STEP * VECTOR, masks_of(even - steps) - STEP * VECTOR);
    for (size_t at = 0; at != steps; at += STEP * VECTOR)
        add_step_at(&s, d, at, NULL);
    return join(add(s.a, s.b), s.tops, STEP, odd);
}

/* Out of line, so that shorter data saves no register for them. */
TARGET static WIRESUM_NOINLINE uint64_t WALK_SUM_STEPS(const uint8_t *p, size_t n)
{
    return walk_steps((struct data){ false, NULL, p }, n);
}

TARGET static WIRESUM_NOINLINE uint64_t WALK_COPY_STEPS(uint8_t *out, const uint8_t *p, size_t n)
{
    return walk_steps((struct data){ true, out, p }, n);
}

/* Returns the sum of VECTOR bytes and more. */
INLINE uint64_t walk(struct data d, size_t n)
{
    const size_t even = n & ~(size_t)1;
    if (even > STEP * VECTOR)
        return d.copies ? WALK_COPY_STEPS(d.out, d.p, n) : WALK_SUM_STEPS(d.p, n);
    const uint64_t odd = odd_byte(d, n);
    if (even <= 2 * VECTOR) {
        const vector y = masked(take(d, even - VECTOR), masks_of(even - VECTOR) - VECTOR);
        const vector x = take(d, 0);
        return join(add(x, y), top(average(x, y)), 2, odd);
    }
    if (STEP == 4 || even <= 4 * VECTOR) {
        const size_t rest = even - 2 * VECTOR;
        const uint8_t *const masks = masks_of(rest) - 2 * VECTOR;
        const vector x = masked(take(d, rest), masks);
        const vector y = masked(take(d, rest + VECTOR), masks + VECTOR);
        struct sums s = { x, y, average(x, y) };
        const vector quarter = average(s.tops, add_two_at(&s, d, 0, NULL));
        return join(add(s.a, s.b), top(quarter), 4, odd);
    }
    vector zero = { 0 }; /* not const, as above */
    struct sums s = { zero, zero, zero };
    const size_t rest = even - 4 * VECTOR;
    const vector x = add_four_at(&s, d, rest, masks_of(rest) - 4 * VECTOR);
    const vector eighth = average(x, add_four_at(&s, d, 0, NULL));
    return join(add(s.a, s.b), top(eighth), 8, odd);
}

#endif
