/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The shims of shims.c for IPv4 headers, with the kernel that sums sixteen headers a step. */
#include "src/checksum.c"

#include "kernels/x86_avx512vnni.c"

static const struct wiresum_choice choice = {
    { wiresum_kernel_x86_avx512vnni_folded, wiresum_kernel_x86_avx512vnni_copy_folded,
      wiresum_kernel_x86_avx512vnni },
    NULL,
    wiresum_kernel_x86_avx512vnni_checksum,
    wiresum_kernel_x86_avx512vnni_headers,
};
const struct wiresum_choice *wiresum_chosen = &choice;

enum { MOST_HEADERS = 50 };

/* The sum of the header i. To read a sum that the function did not store is a fault. */
uint64_t prove_sum_of_headers(const uint8_t *p, size_t n, size_t stride, size_t headers, size_t i)
{
    (void)n;
    uint16_t sums[MOST_HEADERS];
    wiresum_kernel_x86_avx512vnni_headers(p, stride, headers, sums);
    return sums[i];
}

/* The number of headers that the function sums before it stops. */
uint64_t prove_end_of_headers(const uint8_t *p, size_t n, size_t stride, size_t headers)
{
    (void)n;
    uint16_t sums[MOST_HEADERS];
    return wiresum_kernel_x86_avx512vnni_headers(p, stride, headers, sums);
}

uint64_t prove_wiresum_batch_ipv4_headers(const uint8_t *p, size_t n, size_t stride, size_t headers,
                                          size_t i)
{
    (void)n;
    uint16_t sums[MOST_HEADERS];
    wiresum_batch_ipv4_headers(p, stride, headers, sums);
    return sums[i];
}
