/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef WIRESUM_CPU_FEATURES_H
#define WIRESUM_CPU_FEATURES_H

#include "kernel.h"

enum {
    WIRESUM_CPU_AVX2 = 1 << 0,       /* AVX2 and BMI2                                */
    WIRESUM_CPU_AVX512 = 1 << 1,     /* AVX-512 F, BW, VL, with AVX2 and BMI2        */
    WIRESUM_CPU_AVX512VNNI = 1 << 2,
};

/* What this CPU has and its operating system saves; asks the CPU anew at each call. */
WIRESUM_INTERNAL unsigned wiresum_cpu_features(void);

#endif
