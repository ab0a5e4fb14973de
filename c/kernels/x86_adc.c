/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * x86-64 add-with-carry: 64 bytes a step through one chain of adc. The carry stays in the flag from
 * step to step, since lea and dec do not change it. No other kernel of x86 takes as short a time
 * from the last byte to the result, so this one is the best for short data on which the next
 * address depends. No compiler keeps the carry across a loop, so the loop is assembly.
 *
 * Bound: none. The next adc adds the carry out of bit 63 at bit 0.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_X86_ADC

WIRESUM_DECLARE_KERNEL(x86_adc);

/* wiresum_add64 with adc, one instruction less than compilers make of it. */
static inline uint64_t add_carry(uint64_t a, uint64_t b)
{
    __asm__("addq %1, %0\n\tadcq $0, %0" : "+r"(a) : "rm"(b) : "cc");
    return a;
}

uint64_t wiresum_kernel_x86_adc(const void *data, size_t n)
{
    const uint8_t *p = data;
    uint64_t sum = 0;

    if (n >= 64) {
        size_t steps = n / 64;
        __asm__("clc\n"
                "1:\tadcq   (%[p]), %[sum]\n\t"
                "adcq  8(%[p]), %[sum]\n\t"
                "adcq 16(%[p]), %[sum]\n\t"
                "adcq 24(%[p]), %[sum]\n\t"
                "adcq 32(%[p]), %[sum]\n\t"
                "adcq 40(%[p]), %[sum]\n\t"
                "adcq 48(%[p]), %[sum]\n\t"
                "adcq 56(%[p]), %[sum]\n\t"
                "leaq 64(%[p]), %[p]\n\t"
                "decq %[steps]\n\t"
                "jnz 1b\n\t"
                "adcq $0, %[sum]"
                : [sum] "+r"(sum), [p] "+r"(p), [steps] "+r"(steps)
                : "m"(*(const uint8_t (*)[n])(uintptr_t)data)
                : "cc");
        n %= 64;
    }
    for (; n >= 8; n -= 8, p += 8)
        sum = add_carry(sum, wiresum_load64(p));
    return add_carry(sum, wiresum_load_short(p, n));
}

uint64_t wiresum_kernel_x86_adc_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    uint64_t sum = 0;

    if (n >= 32) {
        size_t steps = n / 32;
        uint64_t a, b, c, d;
        __asm__ volatile("clc\n"
                         "1:\tmovq   (%[p]), %[a]\n\t"
                         "movq  8(%[p]), %[b]\n\t"
                         "movq 16(%[p]), %[c]\n\t"
                         "movq 24(%[p]), %[d]\n\t"
                         "adcq %[a], %[sum]\n\t"
                         "movq %[a],   (%[out])\n\t"
                         "adcq %[b], %[sum]\n\t"
                         "movq %[b],  8(%[out])\n\t"
                         "adcq %[c], %[sum]\n\t"
                         "movq %[c], 16(%[out])\n\t"
                         "adcq %[d], %[sum]\n\t"
                         "movq %[d], 24(%[out])\n\t"
                         "leaq 32(%[p]), %[p]\n\t"
                         "leaq 32(%[out]), %[out]\n\t"
                         "decq %[steps]\n\t"
                         "jnz 1b\n\t"
                         "adcq $0, %[sum]"
                         : [sum] "+r"(sum), [p] "+r"(p), [out] "+r"(out), [steps] "+r"(steps),
                           [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d)
                         :
                         : "cc", "memory");
        n %= 32;
    }
    return add_carry(sum, wiresum_copy_short(out, p, n));
}

#else
typedef int wiresum_x86_adc_is_not_for_this_machine;
#endif
