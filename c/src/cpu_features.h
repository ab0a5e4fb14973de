/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef WIRESUM_CPU_FEATURES_H
#define WIRESUM_CPU_FEATURES_H

#include "kernel.h"

enum {
    WIRESUM_CPU_SSE2 = 1 << 0,
    WIRESUM_CPU_AVX2 = 1 << 1,       /* AVX2 and BMI2 */
    WIRESUM_CPU_AVX512 = 1 << 2,     /* AVX-512 F, BW and VL, with AVX2 and BMI2 */
    WIRESUM_CPU_AVX512VNNI = 1 << 3, /* the EVEX forms of VNNI */
    WIRESUM_CPU_AVXVNNI = 1 << 4,    /* the VEX forms of VNNI */
    WIRESUM_CPU_VNNI_INT16 = 1 << 5, /* AVX-VNNI-INT16 */
    WIRESUM_CPU_NEON = 1 << 6,
    WIRESUM_CPU_SVE = 1 << 7,
    WIRESUM_CPU_ALTIVEC = 1 << 8,
    WIRESUM_CPU_VSX = 1 << 9,           /* VSX as in POWER8, Power ISA 2.07 */
    WIRESUM_CPU_RISCV_V = 1 << 10,      /* V 1.0 */
    WIRESUM_CPU_S390X_VX = 1 << 11,     /* the vector facility of z13 */
    WIRESUM_CPU_LSX = 1 << 12,          /* the 128-bit vectors of LoongArch */
    WIRESUM_CPU_SLOWS_AT_512 = 1 << 13, /* vectors of 512 bits lower its clock */
    WIRESUM_CPU_UNKNOWN = 1 << 30,      /* nothing says what the CPU has beyond the other bits */
};

/* Returns the features that this CPU has and whose registers its operating system saves. Each call
   asks again. Where nothing can be asked (no operating system, or an unknown one), the function
   returns what the compiler was told to assume, and WIRESUM_CPU_UNKNOWN. A build of the tests may
   define the numbers WIRESUM_HIDE_CPU_FEATURES and WIRESUM_ADD_CPU_FEATURES, which change the
   answer. */
WIRESUM_INTERNAL unsigned wiresum_cpu_features(void);

#if WIRESUM_X86
/* Returns the least length in bytes of a copy that non-temporal stores make faster: three quarters
   of the largest cache, as in glibc, or SIZE_MAX if the CPU does not tell its size. The first call
   asks the CPU, which takes microseconds under a hypervisor; so copies of less than
   WIRESUM_ASK_CACHES_FROM bytes do not call this function. */
WIRESUM_INTERNAL size_t wiresum_copy_around_caches_from(void);
#  define WIRESUM_ASK_CACHES_FROM ((size_t)8 << 20)
#endif

#endif
