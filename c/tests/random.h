/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Random rounds of a test: their bytes, where the bytes lie, and a loop over them. A round takes
 * its numbers from the seed and its own number, so --round repeats one round alone.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include "test.h"

enum { MOST = 400 }; /* bytes of a random message */

static struct test_arena one, two, three;

static size_t below(uint64_t *state, size_t limit)
{
    return (size_t)(test_random(state) % limit);
}

/* Makes random bytes, often those that matter: all FF, all 00, or nearly so. */
static void message(uint64_t *state, uint8_t *p, size_t n)
{
    const size_t kind = below(state, 6);
    test_random_bytes(state, p, n);
    if (kind == 0)
        memset(p, 0x00, n);
    else if (kind == 1)
        memset(p, 0xFF, n);
    else if (kind == 2)
        for (size_t i = 0; i < n; i++)
            p[i] = p[i] < 16 ? p[i] : (uint8_t)-(p[i] & 1);
}

/* Returns a place for n bytes in an arena: before a guard page, after one, or at any alignment. */
static uint8_t *room(struct test_arena arena, uint64_t *state, size_t n)
{
    const size_t kind = below(state, 4);
    return kind == 0   ? arena.start
           : kind == 1 ? arena.start + below(state, 64)
                       : arena.end - n - (kind == 2 ? 0 : below(state, 64));
}

static uint64_t rounds(uint64_t all)
{
    return test_thin > 1 ? all / test_thin + 16 : all;
}

/* Begins a round of a random group; returns whether this run wants the round. */
static bool begin_round(uint64_t *state, uint64_t group, uint64_t round)
{
    test_at.round = (int64_t)round;
    test_at.length = test_at.offset = test_at.to = -1;
    *state = test_random_state(group, round);
    return TEST_WANTED(round, round);
}

/* The head of a loop over the rounds of a group. */
#define EACH_ROUND(state, group, count)                                                   \
    for (uint64_t round_ = 0, most_ = rounds(count), state = 0; round_ < most_; round_++) \
        if (begin_round(&state, group, round_))

/* Words that matter. */
static const uint16_t edges[] = { 0x0000, 0x0001, 0x00FF, 0x0100, 0x7FFF, 0x8000,
                                  0x8001, 0xFF00, 0xFFFE, 0xFFFF, 0x1234, 0xEDCB };

#endif
