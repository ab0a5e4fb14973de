/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A memset for POWER5+ and the 970 under QEMU. Their dcbz clears 128 bytes, as the kernel reports
 * to programs (AT_DCACHEBSIZE), and so glibc's memset has one dcbz for each 128 bytes; but QEMU's
 * clears 32, and three quarters of what was to be zero stay as they were (7.2 and 10.0; POWER7 and
 * later are right). calloc, and with it threads, depend on it. Linked before the C library.
 */
#include <stddef.h>

__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memset(void *to, int byte,
                                                                           size_t n)
{
    unsigned char *p = to;
    while (n--)
        *p++ = (unsigned char)byte;
    return to;
}
