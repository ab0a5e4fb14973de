/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The plain loop in the two forms that everybody writes, for the compiler to vectorize with -O3 and
 * the flags of an instruction set. Both take aligned data only, and words16 is right only below 128
 * KiB. The kernels are right for all data, and must still need fewer instructions.
 */
#include <stddef.h>
#include <stdint.h>

#define JOIN(a, b, c)      a##b##c
#define NAME(form, suffix) JOIN(rival_, form, suffix)

uint64_t NAME(words16_, SUFFIX)(const void *data, size_t n);
uint64_t NAME(words32_, SUFFIX)(const void *data, size_t n);

static uint16_t odd_byte(const uint8_t *p, size_t n)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? (uint16_t)(p[n - 1] << 8) : p[n - 1];
}

uint64_t NAME(words16_, SUFFIX)(const void *data, size_t n)
{
    const uint16_t *const words = data;
    uint32_t sum = 0;
    for (size_t i = 0; i < n / 2; i++)
        sum += words[i];
    return n & 1 ? (uint64_t)sum + odd_byte(data, n) : sum;
}

uint64_t NAME(words32_, SUFFIX)(const void *data, size_t n)
{
    const uint32_t *const words = data;
    uint64_t sum = 0;
    for (size_t i = 0; i < n / 4; i++)
        sum += words[i];
    if (n & 2)
        sum += ((const uint16_t *)data)[n / 2 - 1];
    return n & 1 ? sum + odd_byte(data, n) : sum;
}
