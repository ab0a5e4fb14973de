/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the CPU can do: Intel SDM volume 2A (CPUID), volume 1 sections 14.3 and 15.2 (what the operating system must save). */
#include "cpu_features.h"

#if WIRESUM_X86_64

#include <cpuid.h>

/* XGETBV as an instruction: the intrinsic would need a target attribute, and this runs only after OSXSAVE was seen. */
static uint64_t xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

unsigned wiresum_cpu_features(void)
{
    unsigned a, b, c, d, features = 0;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return 0;
    const uint64_t saved = xcr0();
    const bool ymm_saved = (saved & 0x06) == 0x06; /* SSE and AVX state                    */
    const bool zmm_saved = (saved & 0xE6) == 0xE6; /* and opmask, upper ZMM, ZMM16 to 31 */

    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    if (ymm_saved && (b & bit_AVX2) && (b & bit_BMI2))
        features |= WIRESUM_CPU_AVX2;
    if ((features & WIRESUM_CPU_AVX2) && zmm_saved && (b & bit_AVX512F) && (b & bit_AVX512BW) && (b & bit_AVX512VL)) {
        features |= WIRESUM_CPU_AVX512;
        if (c & bit_AVX512VNNI)
            features |= WIRESUM_CPU_AVX512VNNI;
    }
    return features;
}

#else

unsigned wiresum_cpu_features(void)
{
    return 0;
}

#endif
