/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Plain C for every machine and either byte order: 32 bytes a step. Each 64-bit word is added as
 * two 32-bit halves to 64-bit totals, so that no carry gets lost. Compilers vectorize this shape
 * well.
 *
 * Bound: a total of 64 bits takes 2^32 halves. It gets at most two halves for each 8 bytes of a
 * BLOCK, so a BLOCK may have 2^34 bytes.
 */
#include "../src/kernel.h"

WIRESUM_DECLARE_KERNEL(portable);

enum { BLOCK = 1 << 30 }; /* bytes between two flushes */

static inline uint64_t halves(uint64_t word)
{
    return (word >> 32) + (uint32_t)word;
}

uint64_t wiresum_kernel_portable(const void *data, size_t n)
{
    const uint8_t *p = data;
    uint64_t sum = 0;

    while (n >= 8) {
        size_t block = n < BLOCK ? n : BLOCK;
        uint64_t low = 0, high = 0;
        n -= block & ~(size_t)7;
        for (; block >= 32; block -= 32, p += 32) {
            const uint64_t a = wiresum_load64(p), b = wiresum_load64(p + 8);
            const uint64_t c = wiresum_load64(p + 16), d = wiresum_load64(p + 24);
            low += (uint64_t)(uint32_t)a + (uint32_t)b + (uint32_t)c + (uint32_t)d;
            high += (a >> 32) + (b >> 32) + (c >> 32) + (d >> 32);
        }
        for (; block >= 8; block -= 8, p += 8)
            low += halves(wiresum_load64(p));
        sum = wiresum_add64(sum, wiresum_add64(low, high));
    }
    return wiresum_add64(sum, wiresum_load_short(p, n));
}

uint64_t wiresum_kernel_portable_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    uint64_t sum = 0;

    for (; n >= 32; n -= 32, p += 32, out += 32) {
        const uint64_t a = wiresum_load64_once(p), b = wiresum_load64_once(p + 8);
        const uint64_t c = wiresum_load64_once(p + 16), d = wiresum_load64_once(p + 24);
        wiresum_store64(out, a);
        wiresum_store64(out + 8, b);
        wiresum_store64(out + 16, c);
        wiresum_store64(out + 24, d);
        sum = wiresum_add64(sum, halves(a) + halves(b) + halves(c) + halves(d));
    }
    return wiresum_add64(sum, wiresum_copy_short(out, p, n));
}
