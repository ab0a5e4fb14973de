/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sum and averages, a way to keep carries: README.md here explains it. A kernel adds words of W
 * bits, 64 or 32, to lanes that lose carries. Averages of these words, whose top 16 bits count,
 * give an estimate from which the two functions below find the number of lost carries.
 *
 * Let S be the sum of N words, and T its quotient by 2^(W - 16). T is the sum of the top 16 bits
 * of the words, and of what comes up from the bits below: less than N. Averages of k levels make
 * one word of 2^k, and t is the sum of the top 16 bits of such words. An average is rounded up, by
 * 1/2 at most. Level i has N / 2^i averages, and each of them counts 2^i times in 2^k t. So 2^k t
 * is at most k/2 N above the sum of the top words, and never below it:
 *     -N < 2^k t - T <= k/2 N.
 * So with k <= 3 and N <= 2^14 + 2^6 the estimate 2^k t is less than 2^15 from T.
 */
#ifndef WIRESUM_AVERAGES_H
#define WIRESUM_AVERAGES_H

#include "../src/kernel.h"

/*
 * Returns the sum of words of 64 bits, and of rest, mod 2^64 - 1, and 0 only for 0. total is the
 * sum of the words mod 2^64. estimate is less than 2^15 from T: 0 <= estimate + 2^15 - T < 2^16.
 * total has the low 16 bits of T, and not the carries, T >> 16. The difference of estimate + 2^15
 * and these low bits is 2^16 times the carries, and a number from 0 to 2^16 - 1.
 */
static inline uint64_t wiresum_with_carries(uint64_t total, uint64_t estimate, uint64_t rest)
{
    const uint64_t carries = (estimate + (1 << 15) - (total >> 48)) >> 16;
    return wiresum_add64(rest, wiresum_add64(total, carries));
}

/* The same for words of 32 bits, mod 2^32 - 1, and a rest below 2^31. */
static inline uint64_t wiresum_with_carries32(uint32_t total, uint32_t estimate, uint32_t rest)
{
    return (uint64_t)total + (((estimate + (1 << 15) - (total >> 16)) >> 16) + rest);
}

#endif
