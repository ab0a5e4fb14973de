/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The same chain on this machine, each mbuf by a kernel of this project: today's counterpart of the
 * assembly routine. */
#include <stddef.h>
#include <stdint.h>

#include "mbuf.h"
#include "wiresum.h"

uint64_t wiresum_kernel_x86_adc(const void *, size_t);

unsigned chain_wiresum(const struct mbuf *m, int len)
{
    uint16_t sum = 0;
    size_t at = 0;
    for (; m && len > 0; m = m->next) {
        const int n = m->len < len ? m->len : len;
        sum = wiresum_append(sum, at, wiresum_sum(m->data, (size_t)n));
        at += (size_t)n;
        len -= n;
    }
    return wiresum_complement(sum);
}

unsigned chain_adc(const struct mbuf *m, int len)
{
    uint16_t sum = 0;
    size_t at = 0;
    for (; m && len > 0; m = m->next) {
        const int n = m->len < len ? m->len : len;
        sum = wiresum_append(sum, at, wiresum_fold(wiresum_kernel_x86_adc(m->data, (size_t)n)));
        at += (size_t)n;
        len -= n;
    }
    return wiresum_complement(sum);
}
