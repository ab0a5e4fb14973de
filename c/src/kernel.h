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

/* What the library exports: all that wiresum.h declares, if the build says that it makes a shared
   library. Otherwise the symbols are hidden: a plugin that holds the library does not export it, so
   that two plugins in one process cannot take each other's copy. */
#if !defined(WIRESUM_BUILD_SHARED)
#  define WIRESUM_BUILD_STATIC
#endif
#define WIRESUM_EXPORTS_ALL
#include "../include/wiresum.h"
#include "built_kernels.h"

/* Attributes and builtins of GCC and Clang, and what other compilers have in their place. */
#if WIRESUM_GNU
#  define WIRESUM_NOINLINE    __attribute__((noinline))
#  define WIRESUM_OUT_OF_LINE static __attribute__((noinline, cold, unused))
#  define WIRESUM_LIKELY(x)   __builtin_expect(!!(x), 1)
#  define WIRESUM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#  define WIRESUM_PREFETCH(p) __builtin_prefetch(p)
#else
#  define WIRESUM_NOINLINE
#  define WIRESUM_OUT_OF_LINE static inline /* inline: no warning where nobody calls it */
#  define WIRESUM_LIKELY(x)   (x)
#  define WIRESUM_UNLIKELY(x) (x)
#  define WIRESUM_PREFETCH(p) ((void)(p))
#endif

#if defined(_WIN32) || !WIRESUM_GNU
#  define WIRESUM_INTERNAL
#else
#  define WIRESUM_INTERNAL __attribute__((visibility("hidden")))
#endif

/* Each function of a kernel has these attributes. noinline also keeps GCC from splitting the
   function: a split moves everything except the short path a jump away. On x86-64 a function begins
   at a cache line, so that its short path crosses the fewest lines. */
#if WIRESUM_X86_64 && WIRESUM_GNU
#  define WIRESUM_KERNEL_FUNCTION WIRESUM_INTERNAL __attribute__((noinline, aligned(64)))
#else
#  define WIRESUM_KERNEL_FUNCTION WIRESUM_INTERNAL WIRESUM_NOINLINE
#endif
#define WIRESUM_DECLARE_KERNEL(isa)                                                          \
    WIRESUM_KERNEL_FUNCTION uint64_t wiresum_kernel_##isa(const void *data, size_t n);       \
    WIRESUM_KERNEL_FUNCTION uint64_t wiresum_kernel_##isa##_copy(void *dst, const void *src, \
                                                                 size_t n)

/* Declares four more functions of a kernel that folds. A kernel folds if its sum of short data
   takes little more time than a call. _folded, _checksum and _copy_folded do what wiresum_sum,
   wiresum_checksum and wiresum_copy do. _headers sums headers as wiresum_batch_ipv4_headers does.
   It may stop before any header, and always stops before a header with options. It returns the
   number of headers that it summed. */
#define WIRESUM_DECLARE_FOLDING_KERNEL(isa)                                                       \
    WIRESUM_KERNEL_FUNCTION uint16_t wiresum_kernel_##isa##_folded(const void *data, size_t n);   \
    WIRESUM_KERNEL_FUNCTION uint16_t wiresum_kernel_##isa##_checksum(const void *data, size_t n); \
    WIRESUM_KERNEL_FUNCTION uint16_t wiresum_kernel_##isa##_copy_folded(                          \
        void *dst, const void *src, size_t n);                                                    \
    WIRESUM_KERNEL_FUNCTION size_t wiresum_kernel_##isa##_headers(                                \
        const uint8_t *first, size_t stride, size_t n, uint16_t *sums)

/* wiresum_fold of a sum of 32 bits. The asm keeps Clang from adding up the sum twice. */
static inline uint16_t wiresum_fold32(uint32_t sum)
{
#if WIRESUM_GNU
    __asm__("" : "+r"(sum));
#endif
    return (uint16_t)((sum + (sum << 16 | sum >> 16)) >> 16);
}

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#  if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#    define WIRESUM_BIG_ENDIAN 1
#  else
#    define WIRESUM_BIG_ENDIAN 0
#  endif
#else
#  define WIRESUM_BIG_ENDIAN (wiresum_value(1) == 1) /* a constant, for the optimizer */
#endif

/* A native store at any alignment; wiresum_inline.h has the loads and the other stores. They use a
   packed type, because memcpy may become a call, and a freestanding program has no memcpy. */
#if WIRESUM_GNU
static inline void wiresum_store16(void *p, uint16_t word)
{
    ((struct wiresum_unaligned16 *)p)->word = word;
}
#else
static inline void wiresum_store16(void *p, uint16_t word)
{
    memcpy(p, &word, 2);
}
#endif

/* Returns a word whose first n bytes come from first and last, which overlap, for 4 <= n < 8. */
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
#if WIRESUM_GNU
static inline uint16_t wiresum_load16_once(const void *p)
{
    return ((const volatile struct wiresum_unaligned16 *)p)->word;
}
#endif
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
