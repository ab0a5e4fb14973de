/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The kernels of this build, best first: KERNEL(isa, the CPU features that it needs). Included by
 * dispatch.c with KERNEL and KERNEL_THAT_FOLDS defined as what it wants of each line; so there is
 * no include guard. What a build can hold is decided in kernel.h. KERNEL_THAT_FOLDS is one that
 * brings the functions of WIRESUM_DECLARE_FOLDING_KERNEL along: it sums short data in little more
 * time than another call would take.
 */
#if WIRESUM_X86_64
KERNEL_THAT_FOLDS(x86_avx512vnni, WIRESUM_CPU_AVX512 | WIRESUM_CPU_AVX512VNNI)
KERNEL(x86_avx512bw, WIRESUM_CPU_AVX512)
#endif
#if WIRESUM_HAVE_X86_VNNI_INT16
KERNEL(x86_vnni_int16, WIRESUM_CPU_AVX2 | WIRESUM_CPU_VNNI_INT16)
#endif
#if WIRESUM_HAVE_X86_AVXVNNI
KERNEL(x86_avxvnni, WIRESUM_CPU_AVX2 | WIRESUM_CPU_AVXVNNI)
#endif
#if WIRESUM_X86_64
KERNEL(x86_avx2, WIRESUM_CPU_AVX2)
#endif
#if WIRESUM_HAVE_X86_SSE2
KERNEL(x86_sse2, WIRESUM_CPU_SSE2)
#endif
#if WIRESUM_X86_64
KERNEL(x86_adc, 0)
#endif
#if WIRESUM_HAVE_ARM_SVE
KERNEL(arm_sve, WIRESUM_CPU_SVE)
#endif
#if WIRESUM_HAVE_ARM_NEON
KERNEL(arm_neon, WIRESUM_CPU_NEON)
#endif
#if WIRESUM_HAVE_ARM_A32
KERNEL(arm_a32, 0)
#endif
#if WIRESUM_HAVE_PPC_VSX
KERNEL(ppc_vsx, WIRESUM_CPU_VSX)
#endif
#if WIRESUM_HAVE_PPC_ALTIVEC
KERNEL(ppc_altivec, WIRESUM_CPU_ALTIVEC)
#endif
#if WIRESUM_HAVE_PPC_SCALAR
KERNEL(ppc_scalar, 0)
#endif
#if WIRESUM_HAVE_RISCV_V
KERNEL(riscv_v, WIRESUM_CPU_RISCV_V)
#endif
#if WIRESUM_HAVE_RISCV_SCALAR
KERNEL(riscv_scalar, 0)
#endif
#if WIRESUM_HAVE_S390X_VX
KERNEL(s390x_vx, WIRESUM_CPU_S390X_VX)
#endif
#if WIRESUM_HAVE_S390X_CKSM
KERNEL(s390x_cksm, 0)
#endif
#if WIRESUM_HAVE_WASM_SIMD128
KERNEL(wasm_simd128, 0)
#endif
#if WIRESUM_HAVE_LOONGARCH_LSX
KERNEL(loongarch_lsx, WIRESUM_CPU_LSX)
#endif
KERNEL(portable, 0)
