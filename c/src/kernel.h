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

/* A native store at any alignment; wiresum_inline.h has the loads and the other stores. They use a
   packed type, because memcpy may become a call, and a freestanding program has no memcpy. */
static inline void wiresum_store16(void *p, uint16_t word)
{
    ((struct wiresum_unaligned16 *)p)->word = word;
}

/* Returns a word whose first n bytes are those of first and last, which overlap, for 4 <= n < 8. */
static inline uint64_t wiresum_join_overlap(uint64_t first, uint64_t last, size_t n)
{
    const unsigned gap = (unsigned)(8 * (8 - n)); /* the two overlap by so many bits */
    return WIRESUM_BIG_ENDIAN ? first << 32 | (last << gap & 0xFFFFFFFFu)
                              : first | last >> gap << 32;
}

/* Returns a word whose first n bytes are those at p and whose other bytes are 0, for n < 8. Each
   read stays within [p, p + n). */
static inline uint64_t wiresum_load_short(const uint8_t *p, size_t n)
{
    if (n >= 4)
        return wiresum_join_overlap(wiresum_load32(p), wiresum_load32(p + n - 4), n);
    if (n == 0)
        return 0;
    const uint64_t b0 = p[0], b1 = n > 1 ? p[1] : 0, b2 = n > 2 ? p[2] : 0;
    return WIRESUM_BIG_ENDIAN ? b0 << 56 | b1 << 48 | b2 << 40 : b0 | b1 << 8 | b2 << 16;
}

/* Returns a word whose first n bytes are the last n of word and whose other bytes are 0, for
   1 <= n <= 8. */
static inline uint64_t wiresum_last_of(uint64_t word, size_t n)
{
    const unsigned gap = (unsigned)(8 * (8 - n));
    return WIRESUM_BIG_ENDIAN ? word << gap : word >> gap;
}

/* Returns the last n bytes before end so, for 1 <= n <= 8. Reads [end - 8, end). */
static inline uint64_t wiresum_load_last(const uint8_t *end, size_t n)
{
    return wiresum_last_of(wiresum_load64(end - 8), n);
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

/*
 * A copy returns the sum of the bytes that it stored, even if another thread writes the source at
 * the same time, as in a ring that a guest shares with its host. So a copy loads for a byte of the
 * destination what it sums, once: where two stores overlap, it sums the later one. A store of the
 * last bytes therefore comes before the loop that stores some of them again. wiresum_inline.h has
 * the longer loads, and says why they are volatile.
 */
static inline uint16_t wiresum_load16_once(const void *p)
{
    return ((const volatile struct wiresum_unaligned16 *)p)->word;
}
static inline uint8_t wiresum_load8_once(const uint8_t *p)
{
    return *(const volatile uint8_t *)p;
}

/* Copies n bytes, and returns their partial sum. Two stores overlap where one store would reach
   beyond [dst, dst + n). */
static inline uint64_t wiresum_copy_short(uint8_t *dst, const uint8_t *src, size_t n)
{
    if (n >= 8) {
        const uint64_t last = wiresum_load64_once(src + n - 8);
        uint64_t s = n % 8 ? wiresum_last_of(last, n % 8) : 0;
        wiresum_store64(dst + n - 8, last);
        for (size_t i = 0; n - i >= 8; i += 8) {
            const uint64_t x = wiresum_load64_once(src + i);
            wiresum_store64(dst + i, x);
            s = wiresum_add64(s, x);
        }
        return s;
    }
    if (n >= 4) {
        const uint32_t first = wiresum_load32_once(src), last = wiresum_load32_once(src + n - 4);
        wiresum_store32(dst + n - 4, last);
        wiresum_store32(dst, first);
        return wiresum_join_overlap(first, last, n);
    }
    uint64_t s = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t byte = wiresum_load8_once(src + i);
        dst[i] = byte;
        s |= (uint64_t)byte << 8 * (WIRESUM_BIG_ENDIAN ? 7 - i : i);
    }
    return s;
}

/* Returns the partial sum of the last n % 16 bytes of the two words first and second, which a copy
   stored at its end. */
static inline uint64_t wiresum_partial_last16(uint64_t first, uint64_t second, size_t n)
{
    if (n % 8 == 0)
        return n & 8 ? second : 0;
    const unsigned kept = (unsigned)(8 * (n % 8));
    const uint64_t s = wiresum_last_of(second, n % 8), before = wiresum_last_of(first, n % 8);
    return n & 8 ? wiresum_add64(s, before | (WIRESUM_BIG_ENDIAN ? second >> kept : second << kept))
                 : s;
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

/* Returns what last, the last byte of n > 0 bytes, adds as the first byte of its word: 0 if n is
   even. */
static inline uint64_t wiresum_odd(uint8_t last, size_t n)
{
    const uint64_t byte = last & (0u - (unsigned)(n & 1));
    return WIRESUM_BIG_ENDIAN ? byte << 8 : byte;
}
static inline uint64_t wiresum_odd_byte(const uint8_t *p, size_t n)
{
    return wiresum_odd(p[n - 1], n);
}

/* Copies the last of n > 0 bytes, and returns what it adds. If n is even it adds 0, and a later
   store has to write that byte with the value that is summed. */
static inline uint64_t wiresum_copy_odd_byte(uint8_t *out, const uint8_t *p, size_t n)
{
    const uint8_t last = wiresum_load8_once(p + n - 1);
    out[n - 1] = last;
    return wiresum_odd(last, n);
}

#endif
