/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The shims of shims.c for IPv4 headers, with a kernel that sums several headers a step. The file
 * that includes this one includes the kernel, and defines KERNEL(), which adds what a function of
 * the kernel is named after its wiresum_kernel_<isa>. */
#ifndef WIRESUM_PROOF_SHIMS_HEADERS_H
#define WIRESUM_PROOF_SHIMS_HEADERS_H

static const struct wiresum_choice choice = {
    { KERNEL(_folded), KERNEL(_copy_folded), KERNEL() },
    NULL,
    KERNEL(_checksum),
    KERNEL(_headers),
};
const struct wiresum_choice *wiresum_chosen = &choice;

enum { MOST_HEADERS = 50 };

/* The sum of the header i. To read a sum that the function did not store is a fault. */
uint64_t prove_sum_of_headers(const uint8_t *p, size_t n, size_t stride, size_t headers, size_t i)
{
    (void)n;
    uint16_t sums[MOST_HEADERS];
    KERNEL(_headers)(p, stride, headers, sums);
    return sums[i];
}

/* The number of headers that the function sums before it stops. */
uint64_t prove_end_of_headers(const uint8_t *p, size_t n, size_t stride, size_t headers)
{
    (void)n;
    uint16_t sums[MOST_HEADERS];
    return KERNEL(_headers)(p, stride, headers, sums);
}

uint64_t prove_wiresum_batch_ipv4_headers(const uint8_t *p, size_t n, size_t stride, size_t headers,
                                          size_t i)
{
    (void)n;
    uint16_t sums[MOST_HEADERS];
    wiresum_batch_ipv4_headers(p, stride, headers, sums);
    return sums[i];
}

#endif
