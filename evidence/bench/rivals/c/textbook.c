/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The loop of RFC 1071 section 4.1, written after the RFC. build.rs compiles it once for each level
 * of optimization. */
#include <stddef.h>
#include <stdint.h>

uint64_t NAME(const void *data, size_t n);

uint64_t NAME(const void *data, size_t n)
{
    const uint8_t *p = data;
    long count = (long)n, sum = 0;
    while (count > 1) {
        uint16_t word;
        __builtin_memcpy(&word, p, 2);
        sum += word;
        p += 2;
        count -= 2;
    }
    if (count > 0)
        sum += __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? *p << 8 : *p;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint64_t)sum;
}
