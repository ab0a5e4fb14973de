/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The Linux kernel's sum in the shape that count.c calls, and folded, as its users need it.
 * FUNCTION is do_csum(data, n), which folds, or csum_partial(data, n, seed), which does not. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t rival_linux(const void *data, size_t n);
uint64_t rival_linux_folded(const void *data, size_t n);

#if defined(DO_CSUM)

unsigned do_csum(const unsigned char *data, int n);

uint64_t rival_linux(const void *data, size_t n)
{
    return do_csum(data, (int)n);
}

uint64_t rival_linux_folded(const void *data, size_t n)
{
    return do_csum(data, (int)n);
}

#else

uint32_t FUNCTION(const void *data, int n, uint32_t seed);

uint64_t rival_linux(const void *data, size_t n)
{
    return FUNCTION(data, (int)n, 0);
}

uint64_t rival_linux_folded(const void *data, size_t n)
{
    const uint32_t partial = FUNCTION(data, (int)n, 0), sum = (partial >> 16) + (partial & 0xFFFF);
    return (uint16_t)(sum + (sum >> 16));
}

#endif

#if defined(__s390x__)
#  include <sys/auxv.h>
bool linux_has_vx;
__attribute__((constructor)) static void detect(void)
{
    linux_has_vx = getauxval(16) & 1ul << 11; /* AT_HWCAP, HWCAP_S390_VXRS */
}
#endif
