/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One of the loops, by -DKERNEL=listing6 and the like: a file each, so that flags can differ. */
#include "kernels.h"

__attribute__((noipa)) uint checksum(uchar *data, int len)
{
    return KERNEL(data, len);
}

#ifdef PROGRAM /* under qemu-user: the data on stdin, a length an argument, the checksums out */
#  include <stdio.h>
#  include <stdlib.h>

static uchar buffer[1 << 17] __attribute__((aligned(4096)));

int main(int argc, char **argv)
{
    fread(buffer, 1, sizeof buffer, stdin);
    for (int n = 1; n < argc; n++)
        printf("%u\n", checksum(buffer, atoi(argv[n])));
    return 0;
}
#endif
