/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The example of RFC 1071 section 3, and the checksum that a packet of these bytes would hold. */
#include <stdio.h>
#include <wiresum.h>

int main(void)
{
    static const uint8_t data[] = { 0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7 };

    printf("sum 0x%04x, checksum 0x%04x, kernel %s\n",
           wiresum_value(wiresum_sum(data, sizeof data)),
           wiresum_value(wiresum_checksum(data, sizeof data)), wiresum_kernel_in_use()->name);
    return 0;
}
