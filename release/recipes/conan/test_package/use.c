/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdio.h>
#include <wiresum.h>

/* The example of RFC 1071 section 3: the sum is DDF2. */
int main(void)
{
    static const uint8_t data[] = { 0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7 };
    const uint16_t sum = wiresum_sum(data, sizeof data);
    printf("0x%04x %s\n", wiresum_value(sum), wiresum_kernel_in_use()->name);
    return wiresum_value(sum) != 0xDDF2;
}
