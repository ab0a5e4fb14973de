/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Prints which kernels this build has, best first, which of them this CPU supports, and which one
 * the library chose. */
#include <wiresum.h>

#include <stdio.h>

int main(void)
{
    size_t count;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);
    for (size_t i = 0; i < count; i++)
        printf("%s %s\n", list[i].name,
               &list[i] == wiresum_kernel_in_use() ? "in-use"
               : list[i].is_supported()            ? "supported"
                                                   : "unsupported");
    return 0;
}
