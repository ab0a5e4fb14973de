/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random bytes from a seed, the same in C and C++ and on every machine: the proofs are compared
 * with CPUs and emulators on them. Half of the inputs are rich in bytes at which lanes wrap. */
#ifndef WIRESUM_PROOF_INPUTS_H
#define WIRESUM_PROOF_INPUTS_H

#include <stddef.h>
#include <stdint.h>

/* Steele, Lea and Flood 2014: SplitMix. */
static inline uint64_t input_random(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static inline void input_fill(uint8_t *bytes, size_t n, uint64_t seed)
{
    static const uint8_t edges[8] = { 0xFF, 0x00, 0x80, 0x7F, 0xFF, 0xFF, 0x01, 0xFE };
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = input_random(&state);
        bytes[i] = seed % 2 == 0 || x % 8 == 0 ? (uint8_t)(x >> 32) : edges[x >> 61];
    }
}

#endif
