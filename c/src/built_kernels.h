/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Which kernels this build has. WIRESUM_HAVE_<KERNEL> is 1 where the compiler can build the kernel
 * for the target, and the build does not leave it out. A kernel file and its row in kernel_list.h
 * use the same macro. cpu_features.c finds out at run time whether the CPU has the instructions.
 *
 * A build leaves kernels out by macros on the command line of the compiler, the same for every file
 * of the library. Callers need none of them, and need not be compiled again:
 *
 *     -DWIRESUM_ONLY_PORTABLE          no kernel except portable
 *     -DWIRESUM_HAVE_X86_AVX512BW=0    no such kernel, and so for each name of kernel_list.h except
 *                                      portable
 *     -DWIRESUM_MAX_VECTOR_BITS=256    no kernel with longer vectors: 0 (general registers alone),
 *                                      128, 256 or 512. The vectors of arm_sve and riscv_v are as
 *                                      long as the CPU's, to 2048 and 65536 bits.
 *
 * A kernel with vectors must not be in the kernel of an operating system, which does not save the
 * vectors of the program that it interrupts. Such code is compiled without vectors (-mno-sse,
 * -mgeneral-regs-only), and a build with these flags has no kernel with vectors.
 */
#ifndef WIRESUM_BUILT_KERNELS_H
#define WIRESUM_BUILT_KERNELS_H

#if !defined(WIRESUM_MAX_VECTOR_BITS)
#  define WIRESUM_MAX_VECTOR_BITS 65536
#endif

/* Whether a kernel with vectors of so many bits is wanted, and the compiler is one of the two that
   name instructions function by function. */
#if WIRESUM_GNU && !defined(WIRESUM_ONLY_PORTABLE)
#  define WIRESUM_BUILDS(bits) ((bits) <= WIRESUM_MAX_VECTOR_BITS)
#else
#  define WIRESUM_BUILDS(bits) 0
#endif

#if defined(__clang__)
#  define WIRESUM_COMPILER_IS(gcc, clang) (__clang_major__ >= (clang))
#elif defined(__GNUC__)
#  define WIRESUM_COMPILER_IS(gcc, clang) (__GNUC__ >= (gcc))
#else
#  define WIRESUM_COMPILER_IS(gcc, clang) 0
#endif

/* ---- x86 ---- */

#if defined(__x86_64__) && !defined(__ILP32__)
#  define WIRESUM_X86_64 1
#else
#  define WIRESUM_X86_64 0
#endif
#if WIRESUM_GNU && (WIRESUM_X86_64 || defined(__i386__))
#  define WIRESUM_X86 1
#else
#  define WIRESUM_X86 0
#endif

/* Every x86-64 has SSE2, so a build without it is for code that must not use vectors. A 32-bit
   program finds SSE2 at run time; 32-bit code without a hosted C library may be such code. */
#if WIRESUM_X86 \
    && (defined(__SSE2__) || (!WIRESUM_X86_64 && __STDC_HOSTED__ && !defined(_SOFT_FLOAT)))
#  define WIRESUM_X86_VECTORS 1
#else
#  define WIRESUM_X86_VECTORS 0
#endif
#define WIRESUM_X86_64_VECTORS (WIRESUM_X86_64 && WIRESUM_X86_VECTORS)

#if !defined(WIRESUM_HAVE_X86_AVX512VNNI)
#  if WIRESUM_BUILDS(512) && WIRESUM_X86_64_VECTORS
#    define WIRESUM_HAVE_X86_AVX512VNNI 1
#  else
#    define WIRESUM_HAVE_X86_AVX512VNNI 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_X86_AVX512BW)
#  if WIRESUM_BUILDS(512) && WIRESUM_X86_64_VECTORS
#    define WIRESUM_HAVE_X86_AVX512BW 1
#  else
#    define WIRESUM_HAVE_X86_AVX512BW 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_X86_VNNI_INT16)
#  if WIRESUM_BUILDS(256) && WIRESUM_X86_64_VECTORS && WIRESUM_COMPILER_IS(14, 17)
#    define WIRESUM_HAVE_X86_VNNI_INT16 1
#  else
#    define WIRESUM_HAVE_X86_VNNI_INT16 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_X86_AVXVNNI)
#  if WIRESUM_BUILDS(256) && WIRESUM_X86_64_VECTORS && WIRESUM_COMPILER_IS(11, 12)
#    define WIRESUM_HAVE_X86_AVXVNNI 1
#  else
#    define WIRESUM_HAVE_X86_AVXVNNI 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_X86_AVX2)
#  if WIRESUM_BUILDS(256) && WIRESUM_X86_64_VECTORS
#    define WIRESUM_HAVE_X86_AVX2 1
#  else
#    define WIRESUM_HAVE_X86_AVX2 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_X86_SSE2)
#  if WIRESUM_BUILDS(128) && WIRESUM_X86_VECTORS
#    define WIRESUM_HAVE_X86_SSE2 1
#  else
#    define WIRESUM_HAVE_X86_SSE2 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_X86_ADC)
#  if WIRESUM_BUILDS(0) && WIRESUM_X86_64
#    define WIRESUM_HAVE_X86_ADC 1
#  else
#    define WIRESUM_HAVE_X86_ADC 0
#  endif
#endif

/* ---- ARM ---- */

#if !defined(WIRESUM_HAVE_ARM_SVE)
#  if WIRESUM_BUILDS(2048) && defined(__AARCH64EL__) && defined(__ARM_NEON) \
      && WIRESUM_COMPILER_IS(10, 17) /* Clang has no arm_sve.h for big-endian */
#    define WIRESUM_HAVE_ARM_SVE 1
#  else
#    define WIRESUM_HAVE_ARM_SVE 0
#  endif
#endif

/* GCC builds NEON code for A32 without a flag; Clang and the soft-float ABI need one. In big-endian
   mode of A32, a load of words would need alignment. */
#if !defined(WIRESUM_HAVE_ARM_NEON)
#  if WIRESUM_BUILDS(128)                               \
      && ((defined(__aarch64__) && defined(__ARM_NEON)) \
          || (defined(__ARMEL__)                        \
              && (defined(__ARM_NEON)                   \
                  || (defined(__ARM_FP) && defined(__ARM_ARCH_ISA_ARM) && !defined(__clang__)))))
#    define WIRESUM_HAVE_ARM_NEON 1
#  else
#    define WIRESUM_HAVE_ARM_NEON 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_ARM_A32)
#  if WIRESUM_BUILDS(0) && defined(__arm__) \
      && (defined(__thumb2__)               \
          || (defined(__ARM_ARCH_ISA_ARM) && (!defined(__thumb__) || !defined(__clang__))))
#    define WIRESUM_HAVE_ARM_A32 1
#  else
#    define WIRESUM_HAVE_ARM_A32 0
#  endif
#endif

/* ---- PowerPC, with an assembler whose syntax is not AIX's ---- */

#if (defined(__powerpc__) || defined(__POWERPC__) || defined(__ppc__)) && defined(__ELF__)
#  define WIRESUM_PPC 1
#else
#  define WIRESUM_PPC 0
#endif

#if !defined(WIRESUM_HAVE_PPC_VSX)
#  if WIRESUM_BUILDS(128) && WIRESUM_PPC && (defined(__powerpc64__) || defined(__ppc64__))
#    define WIRESUM_HAVE_PPC_VSX 1
#  else
#    define WIRESUM_HAVE_PPC_VSX 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_PPC_ALTIVEC)
#  if WIRESUM_BUILDS(128) && WIRESUM_PPC
#    define WIRESUM_HAVE_PPC_ALTIVEC 1
#  else
#    define WIRESUM_HAVE_PPC_ALTIVEC 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_PPC_SCALAR)
#  if WIRESUM_BUILDS(0) && WIRESUM_PPC
#    define WIRESUM_HAVE_PPC_SCALAR 1
#  else
#    define WIRESUM_HAVE_PPC_SCALAR 0
#  endif
#endif

/* ---- other machines ---- */

/* Clang before 17 does not know the vector registers of RISC-V by name. */
#if defined(__riscv)
#  define WIRESUM_RISCV_XLEN __riscv_xlen
#else
#  define WIRESUM_RISCV_XLEN 0
#endif

#if !defined(WIRESUM_HAVE_RISCV_V)
#  if WIRESUM_BUILDS(65536) && WIRESUM_RISCV_XLEN == 64 \
      && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && WIRESUM_COMPILER_IS(0, 17)
#    define WIRESUM_HAVE_RISCV_V 1
#  else
#    define WIRESUM_HAVE_RISCV_V 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_RISCV_SCALAR)
#  if WIRESUM_BUILDS(0) && WIRESUM_RISCV_XLEN != 0
#    define WIRESUM_HAVE_RISCV_SCALAR 1
#  else
#    define WIRESUM_HAVE_RISCV_SCALAR 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_S390X_VX)
#  if WIRESUM_BUILDS(128) && defined(__s390x__)
#    define WIRESUM_HAVE_S390X_VX 1
#  else
#    define WIRESUM_HAVE_S390X_VX 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_S390X_CKSM)
#  if WIRESUM_BUILDS(0) && defined(__s390x__)
#    define WIRESUM_HAVE_S390X_CKSM 1
#  else
#    define WIRESUM_HAVE_S390X_CKSM 0
#  endif
#endif

/* The flag -msimd128: a machine without SIMD refuses the module. */
#if !defined(WIRESUM_HAVE_WASM_SIMD128)
#  if WIRESUM_BUILDS(128) && defined(__wasm_simd128__)
#    define WIRESUM_HAVE_WASM_SIMD128 1
#  else
#    define WIRESUM_HAVE_WASM_SIMD128 0
#  endif
#endif

#if !defined(WIRESUM_HAVE_LOONGARCH_LSX)
#  if WIRESUM_BUILDS(128) && defined(__loongarch64) \
      && (defined(__loongarch_sx) || WIRESUM_COMPILER_IS(14, 18))
#    define WIRESUM_HAVE_LOONGARCH_LSX 1
#  else
#    define WIRESUM_HAVE_LOONGARCH_LSX 0
#  endif
#endif

/* Whether portable is the only kernel, so that there is nothing to choose. */
#define WIRESUM_ONE_KERNEL                                                                     \
    (!(WIRESUM_HAVE_X86_AVX512VNNI || WIRESUM_HAVE_X86_AVX512BW || WIRESUM_HAVE_X86_VNNI_INT16 \
       || WIRESUM_HAVE_X86_AVXVNNI || WIRESUM_HAVE_X86_AVX2 || WIRESUM_HAVE_X86_SSE2           \
       || WIRESUM_HAVE_X86_ADC || WIRESUM_HAVE_ARM_SVE || WIRESUM_HAVE_ARM_NEON                \
       || WIRESUM_HAVE_ARM_A32 || WIRESUM_HAVE_PPC_VSX || WIRESUM_HAVE_PPC_ALTIVEC             \
       || WIRESUM_HAVE_PPC_SCALAR || WIRESUM_HAVE_RISCV_V || WIRESUM_HAVE_RISCV_SCALAR         \
       || WIRESUM_HAVE_S390X_VX || WIRESUM_HAVE_S390X_CKSM || WIRESUM_HAVE_WASM_SIMD128        \
       || WIRESUM_HAVE_LOONGARCH_LSX))

#endif
