/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Not for callers: this file is the inside of wiresum.h, which alone includes it, twice. The first
 * include defines how functions are declared, and the second one defines the inline functions.
 * wiresum.h documents each function that a caller may use; every other name here may change.
 */
#if !defined(WIRESUM_H) || defined(WIRESUM_INLINE_H)
#  error "wiresum_inline.h is a part of wiresum.h: include <wiresum.h> instead"
#endif

#if !defined(WIRESUM_SHORT)

/** The version of the headers, by the rules of Semantic Versioning: the number before the first
    dot, the one between the dots, and the one after the second dot. */
#  define WIRESUM_VERSION_MAJOR 0
#  define WIRESUM_VERSION_MINOR 1
#  define WIRESUM_VERSION_PATCH 0

/* Whether the compiler has the attributes and builtins of GCC. Clang has them too. For the targets
   of MSVC, Clang does not say that it is GCC. */
#  if (defined(__GNUC__) && !defined(__PCC__)) || defined(__clang__)
#    define WIRESUM_GNU 1
#  else
#    define WIRESUM_GNU 0
#    include <string.h>
#  endif

/* A build may define WIRESUM_API itself, for the library and for its callers. The library defines
   WIRESUM_BUILD_STATIC where its build does not define WIRESUM_BUILD_SHARED. */
#  if !defined(WIRESUM_API)
#    if defined(_WIN32) && defined(WIRESUM_BUILD_SHARED)
#      define WIRESUM_API __declspec(dllexport)
#    elif defined(_WIN32) && defined(WIRESUM_SHARED)
#      define WIRESUM_API __declspec(dllimport)
#    elif !defined(_WIN32) && WIRESUM_GNU && defined(WIRESUM_BUILD_STATIC)
#      define WIRESUM_API __attribute__((visibility("hidden")))
#    elif !defined(_WIN32) && WIRESUM_GNU
#      define WIRESUM_API __attribute__((visibility("default")))
#    else
#      define WIRESUM_API
#    endif
#  endif

/* On x86-64 the short functions are inline and call the kernel in use through its pointer. A call
   of the library, which jumps on to the kernel, is a large part of the time that 20 to 64 bytes
   take. The library exports the short functions on every machine, for other languages, and the
   pointer on every x86-64, whichever compiler and kernels its build has. WIRESUM_EXPORTS_ALL
   declares those exports instead of the inline functions: the library and the test of its exports
   define it. */
#  if (defined(__x86_64__) && !defined(__ILP32__)) || (defined(_M_X64) && !defined(_M_ARM64EC))
#    define WIRESUM_CALLS_KERNEL 1
#  endif
#  if defined(WIRESUM_CALLS_KERNEL) && !defined(WIRESUM_EXPORTS_ALL)
#    define WIRESUM_SHORT static inline
#  else
#    define WIRESUM_SHORT WIRESUM_API
#  endif

/* GCC and Clang assume that pointers to different structs lead to different memory. Other compilers
   do not. */
#  if WIRESUM_GNU
#    define WIRESUM_MAY_ALIAS __attribute__((may_alias))
#  else
#    define WIRESUM_MAY_ALIAS
#  endif

/* A conversion, without a warning of C++ compilers about casts of C. */
#  if defined(__cplusplus)
#    define WIRESUM_CAST(type, value) static_cast<type>(value)
#  else
#    define WIRESUM_CAST(type, value) ((type)(value))
#  endif

/* Stops a program that breaks a contract, if WIRESUM_DEBUG is defined. */
#  if defined(WIRESUM_DEBUG) && WIRESUM_GNU
#    define WIRESUM_REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())
#  else
#    define WIRESUM_REQUIRE(condition) ((void)(condition))
#  endif

#else
#  define WIRESUM_INLINE_H

/* ---- Loads and stores at any alignment ---- */

#  if WIRESUM_GNU
struct __attribute__((packed, may_alias)) wiresum_unaligned16 {
    uint16_t word;
};
struct __attribute__((packed, may_alias)) wiresum_unaligned32 {
    uint32_t word;
};
struct __attribute__((packed, may_alias)) wiresum_unaligned64 {
    uint64_t word;
};
static inline uint16_t wiresum_load16(const void *p)
{
    return WIRESUM_CAST(const struct wiresum_unaligned16 *, p)->word;
}
static inline uint32_t wiresum_load32(const void *p)
{
    return WIRESUM_CAST(const struct wiresum_unaligned32 *, p)->word;
}
static inline uint64_t wiresum_load64(const void *p)
{
    return WIRESUM_CAST(const struct wiresum_unaligned64 *, p)->word;
}
static inline void wiresum_store32(void *p, uint32_t word)
{
    WIRESUM_CAST(struct wiresum_unaligned32 *, p)->word = word;
}
static inline void wiresum_store64(void *p, uint64_t word)
{
    WIRESUM_CAST(struct wiresum_unaligned64 *, p)->word = word;
}

/* Loads for a copy, which sums what it stores even if another thread writes the source at the same
   time. They are volatile, because a compiler may load again what it knows to be in memory, or a
   part of it. */
static inline uint32_t wiresum_load32_once(const void *p)
{
    return WIRESUM_CAST(const volatile struct wiresum_unaligned32 *, p)->word;
}
static inline uint64_t wiresum_load64_once(const void *p)
{
    return WIRESUM_CAST(const volatile struct wiresum_unaligned64 *, p)->word;
}
#  else
static inline uint16_t wiresum_load16(const void *p)
{
    uint16_t word;
    memcpy(&word, p, 2);
    return word;
}
static inline uint32_t wiresum_load32(const void *p)
{
    uint32_t word;
    memcpy(&word, p, 4);
    return word;
}
static inline uint64_t wiresum_load64(const void *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}
static inline void wiresum_store32(void *p, uint32_t word)
{
    memcpy(p, &word, 4);
}
static inline void wiresum_store64(void *p, uint64_t word)
{
    memcpy(p, &word, 8);
}
static inline uint32_t wiresum_load32_once(const void *p)
{
    const volatile uint8_t *const bytes = WIRESUM_CAST(const volatile uint8_t *, p);
    const uint8_t copy[4] = { bytes[0], bytes[1], bytes[2], bytes[3] };
    return wiresum_load32(copy);
}
static inline uint64_t wiresum_load64_once(const void *p)
{
    const volatile uint8_t *const bytes = WIRESUM_CAST(const volatile uint8_t *, p);
    const uint8_t copy[8] = { bytes[0], bytes[1], bytes[2], bytes[3],
                              bytes[4], bytes[5], bytes[6], bytes[7] };
    return wiresum_load64(copy);
}
#  endif

/* ---- Partial sums ---- */

/* Returns the end-around sum of a and b. It is congruent to a + b mod 2^64 - 1, and so mod 0xFFFF,
   and it is 0 only for 0 + 0. */
static inline uint64_t wiresum_add64(uint64_t a, uint64_t b)
{
    const uint64_t s = a + b;
    return s + (s < b);
}

/* Returns the partial sum of 20 bytes: an IPv4 header or a TCP header, without options. Three words
   stay in registers. */
static inline uint64_t wiresum_partial_20(const void *data)
{
    const uint8_t *const p = WIRESUM_CAST(const uint8_t *, data);
#  if UINTPTR_MAX > 0xFFFFFFFFu
    return wiresum_add64(wiresum_add64(wiresum_load64(p), wiresum_load64(p + 8)),
                         wiresum_load32(p + 16));
#  else
    return WIRESUM_CAST(uint64_t, wiresum_load32(p)) + wiresum_load32(p + 4) + wiresum_load32(p + 8)
           + wiresum_load32(p + 12) + wiresum_load32(p + 16);
#  endif
}

/* Copies 20 bytes, and returns their partial sum. */
static inline uint64_t wiresum_copy_20(void *dst, const void *src)
{
    uint8_t *const out = WIRESUM_CAST(uint8_t *, dst);
    const uint8_t *const p = WIRESUM_CAST(const uint8_t *, src);
#  if UINTPTR_MAX > 0xFFFFFFFFu
    const uint64_t a = wiresum_load64_once(p), b = wiresum_load64_once(p + 8);
    const uint32_t c = wiresum_load32_once(p + 16);
    wiresum_store64(out, a);
    wiresum_store64(out + 8, b);
    wiresum_store32(out + 16, c);
    return wiresum_add64(wiresum_add64(a, b), c);
#  else
    uint64_t s = 0;
    for (size_t i = 0; i < 20; i += 4) {
        const uint32_t word = wiresum_load32_once(p + i);
        wiresum_store32(out + i, word);
        s += word;
    }
    return s;
#  endif
}

/* Returns the partial sum of an IPv4 header of 20 bytes without its checksum field. */
static inline uint64_t wiresum_partial_ipv4_header_20(const void *header)
{
    const uint8_t *const h = WIRESUM_CAST(const uint8_t *, header);
#  if UINTPTR_MAX > 0xFFFFFFFFu
    const union {
        uint8_t bytes[8];
        uint64_t word;
    } field = { { 0, 0, 0xFF, 0xFF, 0, 0, 0, 0 } };
    return wiresum_add64(wiresum_add64(wiresum_load64(h), wiresum_load64(h + 8) & ~field.word),
                         wiresum_load32(h + 16));
#  else
    return WIRESUM_CAST(uint64_t, wiresum_load32(h)) + wiresum_load32(h + 4) + wiresum_load16(h + 8)
           + wiresum_load32(h + 12) + wiresum_load32(h + 16);
#  endif
}

static inline uint16_t wiresum_fold(uint64_t partial)
{
    /* A number plus the same number with its halves exchanged has the end-around sum of the halves
       in its upper half. */
    const uint64_t twice = partial + (partial << 32 | partial >> 32);
    const uint32_t half = WIRESUM_CAST(uint32_t, twice >> 32);
    return WIRESUM_CAST(uint16_t, (half + (half << 16 | half >> 16)) >> 16);
}

/* Returns whether wiresum_fold(partial) == 0xFFFF. One multiplication shows whether 65535 divides a
   number: the number times the inverse of 65535 mod 2^64 is then at most (2^64 - 1) / 65535
   (Granlund and Montgomery 1994, section 9). The subtraction excludes 0, which folds to 0. */
static inline bool wiresum_folds_to_ones(uint64_t partial)
{
    return partial * UINT64_C(0xFFFEFFFEFFFEFFFF) - 1 < UINT64_C(0x0001000100010001);
}

/* ---- The kernel in use ---- */

/* What the inline functions call. The layout is part of the binary interface (c/abi.md): another
   layout gets another number, here and in the name of the pointer. */
struct wiresum_functions_v1 {
    uint16_t (*sum)(const void *data, size_t len);            /* as wiresum_sum */
    uint16_t (*copy)(void *dst, const void *src, size_t len); /* as wiresum_copy */
    uint64_t (*partial)(const void *data, size_t len);        /* as wiresum_partial, seed 0 */
};

#  if defined(WIRESUM_CALLS_KERNEL)
/* The functions of the kernel in use. Only the library writes the pointer: at the first call, and
   in wiresum_use_kernel. */
WIRESUM_API extern const struct wiresum_functions_v1 *wiresum_active_v1;

/* A relaxed load. Elsewhere than in GCC and Clang a volatile access: one instruction on x86-64. */
#    if WIRESUM_GNU
#      define WIRESUM_IN_USE __atomic_load_n(&wiresum_active_v1, __ATOMIC_RELAXED)
#    elif defined(__cplusplus)
#      define WIRESUM_IN_USE \
          (*const_cast<const struct wiresum_functions_v1 *const volatile *>(&wiresum_active_v1))
#    else
#      define WIRESUM_IN_USE \
          (*(const struct wiresum_functions_v1 *const volatile *)&wiresum_active_v1)
#    endif
#  endif

#  if defined(WIRESUM_CALLS_KERNEL) && !defined(WIRESUM_EXPORTS_ALL)

static inline uint16_t wiresum_sum(const void *data, size_t len)
{
    return len == 20 ? wiresum_fold(wiresum_partial_20(data)) : WIRESUM_IN_USE->sum(data, len);
}

static inline uint16_t wiresum_checksum(const void *data, size_t len)
{
    return wiresum_complement(wiresum_sum(data, len));
}

static inline bool wiresum_ok(const void *data, size_t len)
{
    return wiresum_sum(data, len) == 0xFFFF;
}

static inline uint16_t wiresum_copy(void *dst, const void *src, size_t len)
{
    return len == 20 ? wiresum_fold(wiresum_copy_20(dst, src))
                     : WIRESUM_IN_USE->copy(dst, src, len);
}

static inline uint64_t wiresum_partial(const void *data, size_t len, uint64_t seed)
{
    return wiresum_add64(len == 20 ? wiresum_partial_20(data) : WIRESUM_IN_USE->partial(data, len),
                         seed);
}

#  endif

/* ---- The algebra of sums ---- */

static inline uint16_t wiresum_complement(uint16_t sum)
{
    return WIRESUM_CAST(uint16_t, ~sum);
}

static inline uint16_t wiresum_swap(uint16_t sum)
{
    return WIRESUM_CAST(uint16_t, sum << 8 | sum >> 8);
}

static inline uint16_t wiresum_value(uint16_t memory_order)
{
    const union {
        uint16_t word;
        uint8_t first;
    } one = { 1 };
    return one.first ? wiresum_swap(memory_order) : memory_order;
}

static inline uint16_t wiresum_add(uint16_t a, uint16_t b)
{
    const uint32_t s = WIRESUM_CAST(uint32_t, a) + b;
    return WIRESUM_CAST(uint16_t, (s >> 16) + s);
}

static inline uint16_t wiresum_sub(uint16_t whole, uint16_t part)
{
    return part ? wiresum_add(whole, wiresum_complement(part)) : whole;
}

static inline uint16_t wiresum_append(uint16_t head, size_t head_len, uint16_t tail)
{
    return wiresum_add(head, head_len & 1 ? wiresum_swap(tail) : tail);
}

static inline uint16_t wiresum_remove(uint16_t whole, size_t head_len, uint16_t tail)
{
    return wiresum_sub(whole, head_len & 1 ? wiresum_swap(tail) : tail);
}

/* ---- Updates, fields and headers ---- */

static inline uint16_t wiresum_update16(uint16_t checksum, uint16_t was, uint16_t is)
{
    return wiresum_complement(wiresum_add(wiresum_sub(wiresum_complement(checksum), was), is));
}

static inline uint16_t wiresum_update32(uint16_t checksum, uint32_t was, uint32_t is)
{
    return wiresum_update16(checksum, wiresum_fold(was), wiresum_fold(is));
}

static inline uint16_t wiresum_udp_field(uint16_t checksum)
{
    return checksum ? checksum : 0xFFFF;
}

static inline uint16_t wiresum_partial_finish(const void *data, size_t len)
{
    return wiresum_checksum(data, len);
}

static inline uint16_t wiresum_ipv4_header(const void *header, size_t len)
{
    WIRESUM_REQUIRE(len >= 20);
    uint64_t s = wiresum_partial_ipv4_header_20(header);
    if (len > 20)
        s = wiresum_add64(s, wiresum_sum(WIRESUM_CAST(const uint8_t *, header) + 20, len - 20));
    return wiresum_complement(wiresum_fold(s));
}

static inline bool wiresum_ipv4_header_ok(const void *header, size_t len)
{
    if (len < 20)
        return false;
    uint64_t s = wiresum_partial_20(header);
    if (len > 20)
        s = wiresum_add64(s, wiresum_sum(WIRESUM_CAST(const uint8_t *, header) + 20, len - 20));
    return wiresum_folds_to_ones(s);
}

#endif
