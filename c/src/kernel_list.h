/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The kernels of this build, best first: KERNEL(isa, the CPU features that it needs). Included by dispatch.c with
 * KERNEL defined as what it wants of each line; so there is no include guard.
 */
#if WIRESUM_X86_64
KERNEL(x86_avx512vnni, WIRESUM_CPU_AVX512 | WIRESUM_CPU_AVX512VNNI)
KERNEL(x86_avx512bw, WIRESUM_CPU_AVX512)
KERNEL(x86_avx2, WIRESUM_CPU_AVX2)
KERNEL(x86_sse2, 0)
KERNEL(x86_adc, 0)
#endif
KERNEL(portable, 0)
