/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The software that the engine is compared with, written for this laboratory. The paper prints none
 * of its own: it has C, a checksum of N bytes from a fixed address, by a textbook (Forouzan) that
 * adds 16-bit words and folds the carries. `paper` does so in the way of the engine: words made of
 * bytes, carries kept in 32 bits, two folds. The driver's routine comes from rtl/driver, the
 * kernels from c/. All return the checksum's numeric value.
 */
#include <stddef.h>
#include <stdint.h>

uint64_t wiresum_kernel_ppc_scalar(const void *, size_t);
uint64_t wiresum_kernel_portable(const void *, size_t);
uint16_t tcoe_software_sum(const void *, size_t);

unsigned paper(const unsigned char *p, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i + 1 < n; i += 2)
        sum += (p[i] << 8) + p[i + 1];
    if (n & 1)
        sum += p[n - 1] << 8;
    sum = (sum >> 16) + (sum & 0xFFFF);
    sum += sum >> 16;
    return ~sum & 0xFFFF;
}

/* The other textbook way: the carry folded as it comes. */
unsigned paper_folding(const unsigned char *p, size_t n)
{
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i + 1 < n; i += 2) {
        sum += (p[i] << 8) + p[i + 1];
        if (sum > 0xFFFF)
            sum = (sum & 0xFFFF) + 1;
    }
    if (n & 1)
        sum += p[n - 1] << 8;
    if (sum > 0xFFFF)
        sum = (sum & 0xFFFF) + 1;
    return ~sum & 0xFFFF;
}

static unsigned folded(uint64_t sum)
{
    uint32_t half = (uint32_t)(sum >> 32), low = (uint32_t)sum;
    low += half;
    low += low < half;
    low = (low >> 16) + (low & 0xFFFF);
    low += low >> 16;
    return ~low & 0xFFFF;
}

unsigned driver(const void *p, size_t n)
{
    return ~tcoe_software_sum(p, n) & 0xFFFF;
}
unsigned words(const void *p, size_t n)
{
    return folded(wiresum_kernel_portable(p, n));
}
unsigned ppc_scalar(const void *p, size_t n)
{
    return folded(wiresum_kernel_ppc_scalar(p, n));
}
