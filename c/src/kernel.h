/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What a kernel file includes: how it declares itself, and unaligned access. Not installed.
 *
 * A kernel is two functions, wiresum_kernel_<isa> and wiresum_kernel_<isa>_copy: the native-order
 * unfolded sum of [p, p + n), for any n and any alignment, with no state. The result is congruent
 * to the sum mod 0xFFFF, and 0 only for data that is all zero. Folding, swapping and joining stand
 * once, in checksum.c.
 */
#ifndef WIRESUM_KERNEL_H
#define WIRESUM_KERNEL_H

#define WIRESUM_EXPORTS_ALL
#include "../include/wiresum.h"

#if defined(_WIN32)
#  define WIRESUM_INTERNAL
#else
#  define WIRESUM_INTERNAL __attribute__((visibility("hidden")))
#endif

/* Not inlined, and so not split either: GCC would make a function of its own of all but the short
   path, a jump away from it. On x86-64 at the start of a cache line, whatever lies before it: where
   a short path crosses one line more, its calls took up to a tenth longer. */
#if defined(__x86_64__)
#  define WIRESUM_KERNEL_FUNCTION WIRESUM_INTERNAL __attribute__((noinline, aligned(64)))
#else
#  define WIRESUM_KERNEL_FUNCTION WIRESUM_INTERNAL __attribute__((noinline))
#endif
#define WIRESUM_DECLARE_KERNEL(isa)                                                          \
    WIRESUM_KERNEL_FUNCTION uint64_t wiresum_kernel_##isa(const void *data, size_t n);       \
    WIRESUM_KERNEL_FUNCTION uint64_t wiresum_kernel_##isa##_copy(void *dst, const void *src, \
                                                                 size_t n)

/* And of one that folds by itself: the same two, as wiresum_sum and wiresum_copy; and headers,
   which begins what wiresum_batch_ipv4_headers is to do, and returns how many it did: as many as it
   can of those that have 20 bytes. */
#define WIRESUM_DECLARE_FOLDING_KERNEL(isa)                                                     \
    WIRESUM_KERNEL_FUNCTION uint16_t wiresum_kernel_##isa##_folded(const void *data, size_t n); \
    WIRESUM_KERNEL_FUNCTION uint16_t wiresum_kernel_##isa##_copy_folded(                        \
        void *dst, const void *src, size_t n);                                                  \
    WIRESUM_KERNEL_FUNCTION size_t wiresum_kernel_##isa##_headers(                              \
        const uint8_t *first, size_t stride, size_t n, uint16_t *sums)

#if !defined(__GNUC__)
#  error "the kernels are written for GCC and Clang: they use function-level target attributes"
#endif

/*
 * What this compiler can build for this target, decided once: each kernel file and its line in
 * kernel_list.h ask the same macro. Whether the CPU has the instructions is asked at run time, in
 * cpu_features.c.
 */
#if (defined(__x86_64__) && !defined(__ILP32__)) || defined(__i386__)
#  define WIRESUM_HAVE_X86_SSE2 1
#endif
#if defined(__x86_64__) && !defined(__ILP32__)
#  define WIRESUM_X86_64 1 /* x86_adc, x86_avx2, x86_avx512bw, x86_avx512vnni */
#  if defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 11
#    define WIRESUM_HAVE_X86_AVXVNNI 1
#  endif
#  if defined(__clang__) ? __clang_major__ >= 17 : __GNUC__ >= 14
#    define WIRESUM_HAVE_X86_VNNI_INT16 1
#  endif
#endif

#if defined(__aarch64__) && defined(__ARM_NEON)
#  define WIRESUM_HAVE_ARM_NEON 1
#  if defined(__AARCH64EL__) && (defined(__clang__) ? __clang_major__ >= 17 : __GNUC__ >= 10)
#    define WIRESUM_HAVE_ARM_SVE 1 /* Clang has no arm_sve.h for big-endian */
#  endif
#elif defined(__arm__)
#  if defined(__thumb2__) \
      || (defined(__ARM_ARCH_ISA_ARM) && (!defined(__thumb__) || !defined(__clang__)))
#    define WIRESUM_HAVE_ARM_A32 1
#  endif
/* GCC needs no flag for NEON; Clang does, and so does the soft-float ABI. Big-endian, a load of
 * words would need alignment. */
#  if defined(__ARMEL__)      \
      && (defined(__ARM_NEON) \
          || (defined(__ARM_FP) && defined(__ARM_ARCH_ISA_ARM) && !defined(__clang__)))
#    define WIRESUM_HAVE_ARM_NEON 1
#  endif
#endif

#if (defined(__powerpc__) || defined(__POWERPC__) || defined(__ppc__)) \
    && defined(__ELF__) /* AIX's assembler reads another syntax */
#  define WIRESUM_HAVE_PPC_SCALAR  1
#  define WIRESUM_HAVE_PPC_ALTIVEC 1
#  if defined(__powerpc64__) || defined(__ppc64__)
#    define WIRESUM_HAVE_PPC_VSX 1
#  endif
#endif

#if defined(__riscv)
#  define WIRESUM_HAVE_RISCV_SCALAR 1
#  if __riscv_xlen == 64 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ \
      && !(defined(__clang__) && __clang_major__ < 17)
#    define WIRESUM_HAVE_RISCV_V 1 /* older Clang does not know the vector registers by name */
#  endif
#endif

#if defined(__s390x__)
#  define WIRESUM_HAVE_S390X_CKSM 1
#  define WIRESUM_HAVE_S390X_VX   1
#endif

#if defined(__wasm_simd128__)
#  define WIRESUM_HAVE_WASM_SIMD128 \
      1 /* a module either has SIMD or has not: the flag -msimd128 says which */
#endif

#if defined(__loongarch64) \
    && (defined(__loongarch_sx) || (defined(__clang__) ? __clang_major__ >= 18 : __GNUC__ >= 14))
#  define WIRESUM_HAVE_LOONGARCH_LSX 1
#endif

#if !(WIRESUM_HAVE_X86_SSE2 || WIRESUM_HAVE_ARM_A32 || WIRESUM_HAVE_ARM_NEON             \
      || WIRESUM_HAVE_PPC_SCALAR || WIRESUM_HAVE_RISCV_SCALAR || WIRESUM_HAVE_S390X_CKSM \
      || WIRESUM_HAVE_WASM_SIMD128 || WIRESUM_HAVE_LOONGARCH_LSX)
#  define WIRESUM_ONLY_PORTABLE 1
#endif

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#  define WIRESUM_BIG_ENDIAN 1
#else
#  define WIRESUM_BIG_ENDIAN 0
#endif

#define WIRESUM_LIKELY(x)   __builtin_expect(!!(x), 1)
#define WIRESUM_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Native stores at any alignment; the loads are in wiresum.h. A packed type, not memcpy:
 * freestanding means no call can be left over. */
static inline void wiresum_store64(void *p, uint64_t word)
{
    ((struct wiresum_unaligned64 *)p)->word = word;
}
static inline void wiresum_store32(void *p, uint32_t word)
{
    ((struct wiresum_unaligned32 *)p)->word = word;
}
static inline void wiresum_store16(void *p, uint16_t word)
{
    ((struct wiresum_unaligned16 *)p)->word = word;
}

/* The word whose first n bytes are those at p and whose others are 0, for n < 8. Each read stays
 * within [p, p + n). */
static inline uint64_t wiresum_load_short(const uint8_t *p, size_t n)
{
    if (n >= 4) {
        const uint64_t first = wiresum_load32(p), last = wiresum_load32(p + n - 4);
        const unsigned gap = (unsigned)(8 * (8 - n)); /* how many bits the two loads overlap by */
        return WIRESUM_BIG_ENDIAN ? first << 32 | (last << gap & 0xFFFFFFFFu)
                                  : first | last >> gap << 32;
    }
    if (n == 0)
        return 0;
    const uint64_t b0 = p[0], b1 = n > 1 ? p[1] : 0, b2 = n > 2 ? p[2] : 0;
    return WIRESUM_BIG_ENDIAN ? b0 << 56 | b1 << 48 | b2 << 40 : b0 | b1 << 8 | b2 << 16;
}

/* The word whose first n bytes are the last n before end and whose others are 0, for 1 <= n <= 8;
 * reads [end - 8, end). */
static inline uint64_t wiresum_load_last(const uint8_t *end, size_t n)
{
    const unsigned gap = (unsigned)(8 * (8 - n));
    return WIRESUM_BIG_ENDIAN ? wiresum_load64(end - 8) << gap : wiresum_load64(end - 8) >> gap;
}

/* The sum of n < 32 bytes: what is left to a kernel whose vectors are too long for it. */
static inline uint64_t wiresum_sum_short(const uint8_t *p, size_t n)
{
    if (n < 8)
        return wiresum_load_short(p, n);
    const uint8_t *const end = p + n;
    uint64_t s = wiresum_load64(p);
    if (n >= 16)
        s = wiresum_add64(s, wiresum_load64(p + 8));
    if (n >= 24)
        s = wiresum_add64(s, wiresum_load64(p + 16));
    return n % 8 ? wiresum_add64(s, wiresum_load_last(end, n % 8)) : s;
}

/* The same of a copy. Stores overlap instead of reaching beyond [dst, dst + n). */
static inline uint64_t wiresum_copy_short(uint8_t *dst, const uint8_t *src, size_t n)
{
    if (n >= 8) {
        uint64_t s = 0;
        size_t i = 0;
        for (; n - i >= 8; i += 8) {
            const uint64_t x = wiresum_load64(src + i);
            wiresum_store64(dst + i, x);
            s = wiresum_add64(s, x);
        }
        if (i < n) {
            wiresum_store64(dst + n - 8, wiresum_load64(src + n - 8));
            s = wiresum_add64(s, wiresum_load_last(src + n, n - i));
        }
        return s;
    }
    const uint64_t s = wiresum_load_short(src, n);
    if (n >= 4) {
        const uint32_t first = wiresum_load32(src), last = wiresum_load32(src + n - 4);
        wiresum_store32(dst, first);
        wiresum_store32(dst + n - 4, last);
    } else {
        for (size_t i = 0; i < n; i++)
            dst[i] = src[i];
    }
    return s;
}

/* What kernels do whose accumulators take no more than so many bytes: block is even. Not inlined,
   so that it costs the way in of other lengths one branch and no more. */
#define WIRESUM_OUT_OF_LINE static __attribute__((noinline, cold, unused))

WIRESUM_OUT_OF_LINE uint64_t wiresum_sum_in_blocks(uint64_t (*sum)(const void *, size_t),
                                                   size_t block, const uint8_t *p, size_t n)
{
    uint64_t s = 0;
    for (; n > block; n -= block, p += block)
        s = wiresum_add64(s, sum(p, block));
    return wiresum_add64(s, sum(p, n));
}

WIRESUM_OUT_OF_LINE uint64_t wiresum_copy_in_blocks(uint64_t (*copy)(void *, const void *, size_t),
                                                    size_t block, uint8_t *out, const uint8_t *p,
                                                    size_t n)
{
    uint64_t s = 0;
    for (; n > block; n -= block, p += block, out += block)
        s = wiresum_add64(s, copy(out, p, block));
    return wiresum_add64(s, copy(out, p, n));
}

/* 4 GiB and more, where 64-bit lanes could overflow: never so on a 32-bit machine. */
#define WIRESUM_IS_HUGE(n) WIRESUM_UNLIKELY((uint64_t)(n) >> 32 != 0)
enum { WIRESUM_HUGE_BLOCK = 1 << 30 };

/* The sum of the last byte where n is odd, in place for a stream of even parity, and 0 where n is
 * even; n > 0. */
static inline uint64_t wiresum_odd_byte(const uint8_t *p, size_t n)
{
    const uint64_t byte = p[n - 1] & (0u - (unsigned)(n & 1));
    return WIRESUM_BIG_ENDIAN ? byte << 8 : byte;
}

#endif
