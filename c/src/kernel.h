/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Each kernel file includes this header, which declares kernels and accesses unaligned memory. The
 * header is not installed.
 *
 * A kernel is two functions, wiresum_kernel_<isa> and wiresum_kernel_<isa>_copy. Each returns the
 * partial sum of n bytes, in native order, for any n and any alignment, and keeps no state. The
 * result is congruent to the sum mod 0xFFFF, and it is 0 only for all-zero data. The two functions
 * need not fold, swap or join sums: wiresum_inline.h and checksum.c do that.
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

/* Each function of a kernel has these attributes. noinline also keeps GCC from splitting the
   function: a split moves everything except the short path a jump away. On x86-64 a function begins
   at a cache line, so that its short path crosses the fewest lines. */
#if defined(__x86_64__)
#  define WIRESUM_KERNEL_FUNCTION WIRESUM_INTERNAL __attribute__((noinline, aligned(64)))
#else
#  define WIRESUM_KERNEL_FUNCTION WIRESUM_INTERNAL __attribute__((noinline))
#endif
#define WIRESUM_DECLARE_KERNEL(isa)                                                          \
    WIRESUM_KERNEL_FUNCTION uint64_t wiresum_kernel_##isa(const void *data, size_t n);       \
    WIRESUM_KERNEL_FUNCTION uint64_t wiresum_kernel_##isa##_copy(void *dst, const void *src, \
                                                                 size_t n)

/* Declares three more functions of a kernel that folds. A kernel folds if its sum of short data
   takes little more time than a call. _folded and _copy_folded do what wiresum_sum and wiresum_copy
   do. _headers sums headers as wiresum_batch_ipv4_headers does. It may stop before any header, and
   always stops before a header with options. It returns the number of headers that it summed. */
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
 * The next macros say which kernels this compiler can build for this target. A kernel file and its
 * row in kernel_list.h use the same macro. cpu_features.c finds out at run time whether the CPU has
 * the instructions.
 */
#if (defined(__x86_64__) && !defined(__ILP32__)) || defined(__i386__)
#  define WIRESUM_HAVE_X86_SSE2 1
#endif
#if defined(__x86_64__) && !defined(__ILP32__)
#  define WIRESUM_X86_64 1
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
/* GCC builds NEON code without a flag; Clang and the soft-float ABI need one. In big-endian mode, a
   load of words would need alignment. */
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

#if defined(__wasm_simd128__) /* the flag -msimd128: a machine without SIMD refuses the module */
#  define WIRESUM_HAVE_WASM_SIMD128 1
#endif

#if defined(__loongarch64) \
    && (defined(__loongarch_sx) || (defined(__clang__) ? __clang_major__ >= 18 : __GNUC__ >= 14))
#  define WIRESUM_HAVE_LOONGARCH_LSX 1
#endif

#if !(WIRESUM_HAVE_X86_SSE2 || WIRESUM_HAVE_ARM_A32 || WIRESUM_HAVE_ARM_NEON             \
      || WIRESUM_HAVE_PPC_SCALAR || WIRESUM_HAVE_RISCV_SCALAR || WIRESUM_HAVE_S390X_CKSM \
      || WIRESUM_HAVE_WASM_SIMD128 || WIRESUM_HAVE_LOONGARCH_LSX)
#  define WIRESUM_ONLY_PORTABLE 1 /* nothing to choose from */
#endif

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#  define WIRESUM_BIG_ENDIAN 1
#else
#  define WIRESUM_BIG_ENDIAN 0
#endif

#define WIRESUM_LIKELY(x)   __builtin_expect(!!(x), 1)
#define WIRESUM_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Native stores at any alignment; the loads are in wiresum_inline.h. The stores use a packed type,
   because memcpy may become a call, and a freestanding program has no memcpy. */
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

/* Returns a word whose first n bytes are those at p and whose other bytes are 0, for n < 8. Each
   read stays within [p, p + n). */
static inline uint64_t wiresum_load_short(const uint8_t *p, size_t n)
{
    if (n >= 4) {
        const uint64_t first = wiresum_load32(p), last = wiresum_load32(p + n - 4);
        const unsigned gap = (unsigned)(8 * (8 - n)); /* the two loads overlap by so many bits */
        return WIRESUM_BIG_ENDIAN ? first << 32 | (last << gap & 0xFFFFFFFFu)
                                  : first | last >> gap << 32;
    }
    if (n == 0)
        return 0;
    const uint64_t b0 = p[0], b1 = n > 1 ? p[1] : 0, b2 = n > 2 ? p[2] : 0;
    return WIRESUM_BIG_ENDIAN ? b0 << 56 | b1 << 48 | b2 << 40 : b0 | b1 << 8 | b2 << 16;
}

/* Returns a word whose first n bytes are the last n before end and whose other bytes are 0, for
   1 <= n <= 8. Reads [end - 8, end). */
static inline uint64_t wiresum_load_last(const uint8_t *end, size_t n)
{
    const unsigned gap = (unsigned)(8 * (8 - n));
    return WIRESUM_BIG_ENDIAN ? wiresum_load64(end - 8) << gap : wiresum_load64(end - 8) >> gap;
}

/* Returns the partial sum of n < 32 bytes, for a kernel whose vectors are longer. */
static inline uint64_t wiresum_partial_short(const uint8_t *p, size_t n)
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

/* Copies n bytes, and returns their partial sum. Two stores overlap where one store would reach
   beyond [dst, dst + n). */
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

/* The next two functions split data for a kernel whose accumulators hold the sum of a block, and
   could overflow beyond it. block is even, so that no 16-bit word is split. The functions are not
   inlined, so that shorter data takes no more than one branch. */
#define WIRESUM_OUT_OF_LINE static __attribute__((noinline, cold, unused))

WIRESUM_OUT_OF_LINE uint64_t wiresum_partial_in_blocks(uint64_t (*sum)(const void *, size_t),
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

/* Says whether n is 4 GiB or more, so that 64-bit lanes could overflow. On a 32-bit machine n is
   always less. */
#define WIRESUM_IS_HUGE(n) WIRESUM_UNLIKELY((uint64_t)(n) >> 32 != 0)
enum { WIRESUM_HUGE_BLOCK = 1 << 30 };

/* Returns what the last byte of n > 0 bytes adds as the first byte of its word: 0 if n is even. */
static inline uint64_t wiresum_odd_byte(const uint8_t *p, size_t n)
{
    const uint64_t byte = p[n - 1] & (0u - (unsigned)(n & 1));
    return WIRESUM_BIG_ENDIAN ? byte << 8 : byte;
}

#endif
