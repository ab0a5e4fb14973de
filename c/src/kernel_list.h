/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The kernels of this build, best first. Each row is
 *
 *     KERNEL(name, CPU features,
 *            "instructions of the main loop", "idea")
 *
 * or begins with KERNEL_THAT_FOLDS, if the kernel also has the functions of
 * WIRESUM_DECLARE_FOLDING_KERNEL. The file of the kernel is c/kernels/<name>.c. built_kernels.h
 * decides which rows a build has. dispatch.c defines KERNEL and includes this file several times,
 * so the file has no include guard. The table in c/kernels/README.md is made of the two strings,
 * which are not in the binary.
 */
/* Two lines a row, because Python reads this table too. */
/* clang-format off */
#if WIRESUM_HAVE_X86_AVX512VNNI
KERNEL_THAT_FOLDS(x86_avx512vnni, WIRESUM_CPU_AVX512 | WIRESUM_CPU_AVX512VNNI,
       "vpdpwssd", "as x86_avxvnni, with 64-byte vectors along cache lines")
#endif
#if WIRESUM_HAVE_X86_AVX512BW
KERNEL(x86_avx512bw, WIRESUM_CPU_AVX512,
       "vpaddq, vpsrlq", "each 64-bit word is added whole, and its high half once more")
#endif
#if WIRESUM_HAVE_X86_VNNI_INT16
KERNEL(x86_vnni_int16, WIRESUM_CPU_AVX2 | WIRESUM_CPU_VNNI_INT16,
       "vpdpwuud", "a dot product with ones adds pairs of unsigned 16-bit words to 32-bit lanes")
#endif
#if WIRESUM_HAVE_X86_AVXVNNI
KERNEL(x86_avxvnni, WIRESUM_CPU_AVX2 | WIRESUM_CPU_AVXVNNI,
       "vpdpwssd", "as x86_sse2, with 32-byte vectors, and multiplication and addition in one")
#endif
#if WIRESUM_HAVE_X86_AVX2
KERNEL_THAT_FOLDS(x86_avx2, WIRESUM_CPU_AVX2,
       "vpaddq, vpavgw", "64-bit lanes lose carries, and averages of the top words count them")
#endif
#if WIRESUM_HAVE_X86_SSE2
KERNEL(x86_sse2, WIRESUM_CPU_SSE2,
       "pmaddwd", "a product with ones adds pairs of signed, biased 16-bit words to 32-bit lanes")
#endif
#if WIRESUM_HAVE_X86_ADC
KERNEL(x86_adc, 0,
       "adc", "one chain of additions keeps the carry in the flag")
#endif
#if WIRESUM_HAVE_ARM_SVE
KERNEL(arm_sve, WIRESUM_CPU_SVE,
       "udot", "a dot product with ones adds four 16-bit words to each 64-bit lane")
#endif
#if WIRESUM_HAVE_ARM_NEON
KERNEL(arm_neon, WIRESUM_CPU_NEON,
       "uadalp", "pairs of 32-bit words are added to 64-bit lanes, on A64 and A32")
#endif
#if WIRESUM_HAVE_ARM_A32
KERNEL(arm_a32, 0,
       "ldm, adcs", "one load reads eight words, and the carry stays in the flag")
#endif
#if WIRESUM_HAVE_PPC_VSX
KERNEL(ppc_vsx, WIRESUM_CPU_VSX,
       "vmsumuhm", "as ppc_altivec, with unaligned loads and twelve accumulators")
#endif
#if WIRESUM_HAVE_PPC_ALTIVEC
KERNEL(ppc_altivec, WIRESUM_CPU_ALTIVEC,
       "vmsumuhm", "a product with ones adds pairs of 16-bit words to 32-bit lanes")
#endif
#if WIRESUM_HAVE_PPC_SCALAR
KERNEL(ppc_scalar, 0,
       "adde, bdnz", "one chain of additions keeps the carry in XER")
#endif
#if WIRESUM_HAVE_RISCV_V
KERNEL(riscv_v, WIRESUM_CPU_RISCV_V,
       "vwaddu.wv", "32-bit words are added to 64-bit lanes, and vsetvli replaces the tail")
#endif
#if WIRESUM_HAVE_RISCV_SCALAR
KERNEL(riscv_scalar, 0,
       "add, sltu", "one register counts the carries out of the total")
#endif
#if WIRESUM_HAVE_S390X_VX
KERNEL(s390x_vx, WIRESUM_CPU_S390X_VX,
       "vcksm", "each instruction adds four 32-bit words with end-around carry")
#endif
#if WIRESUM_HAVE_S390X_CKSM
KERNEL(s390x_cksm, 0,
       "cksm", "one instruction sums a whole buffer with end-around carry")
#endif
#if WIRESUM_HAVE_WASM_SIMD128
KERNEL(wasm_simd128, 0,
       "extadd_pairwise", "pairs of 16-bit words are added to 32-bit lanes, then to 64-bit ones")
#endif
#if WIRESUM_HAVE_LOONGARCH_LSX
KERNEL(loongarch_lsx, WIRESUM_CPU_LSX,
       "vhaddw", "the two halves of each 64-bit word are added to a 64-bit lane")
#endif
KERNEL(portable, 0,
       "", "each 64-bit word is added as two 32-bit halves, in C, so no carry is lost")
/* clang-format on */
