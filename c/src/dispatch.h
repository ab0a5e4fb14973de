/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How the functions of checksum.c reach the kernel in use. */
#ifndef WIRESUM_DISPATCH_H
#define WIRESUM_DISPATCH_H

#include "kernel.h"

#if WIRESUM_ONE_KERNEL /* direct calls, with no pointer in between */

WIRESUM_DECLARE_KERNEL(portable);

static inline uint16_t wiresum_active_sum(const void *data, size_t len)
{
    return wiresum_fold(wiresum_kernel_portable(data, len));
}

static inline uint16_t wiresum_active_checksum(const void *data, size_t len)
{
    return wiresum_complement(wiresum_active_sum(data, len));
}

static inline uint64_t wiresum_active_partial(const void *data, size_t len)
{
    return wiresum_kernel_portable(data, len);
}

static inline uint16_t wiresum_active_copy(void *dst, const void *src, size_t len)
{
    return wiresum_fold(wiresum_kernel_portable_copy(dst, src, len));
}

static inline size_t wiresum_active_headers(const uint8_t *first, size_t stride, size_t n,
                                            uint16_t *sums)
{
    (void)first, (void)stride, (void)n, (void)sums;
    return 0;
}

#else

/* A kernel and the functions that the library calls in its place. Three of them fold: a jump to a
   function that folds takes less time than a call of the kernel and a fold after it. */
struct wiresum_choice {
    struct wiresum_functions_v1 functions;
    const struct wiresum_kernel *kernel;
    uint16_t (*checksum)(const void *data, size_t len); /* as wiresum_checksum */
    /* Null if the kernel has no such function: see WIRESUM_DECLARE_FOLDING_KERNEL in kernel.h. */
    size_t (*headers)(const uint8_t *first, size_t stride, size_t n, uint16_t *sums);
};

/* Relaxed order is enough: a pointer only ever points to constant data, and every kernel gives the
   same sums. On CPUs without atomic instructions (ARM before v6, RISC-V without A) the builtins
   are calls of libatomic, which a freestanding program does not have. The load or store of an
   aligned pointer is one instruction there too, so a volatile access is enough. Only the exchange
   is two: between them a thread can lose its choice to another one's first call. Clang for MSVC's
   targets says the same as GCC under a name of its own. */
#  if defined(__GCC_ATOMIC_POINTER_LOCK_FREE)
#    define WIRESUM_HAS_ATOMIC_BUILTINS (__GCC_ATOMIC_POINTER_LOCK_FREE == 2)
#  elif defined(__CLANG_ATOMIC_POINTER_LOCK_FREE)
#    define WIRESUM_HAS_ATOMIC_BUILTINS (__CLANG_ATOMIC_POINTER_LOCK_FREE == 2)
#  else
#    define WIRESUM_HAS_ATOMIC_BUILTINS 0
#  endif
#  if WIRESUM_HAS_ATOMIC_BUILTINS
#    define WIRESUM_RELAXED_LOAD(from)      __atomic_load_n(&(from), __ATOMIC_RELAXED)
#    define WIRESUM_RELAXED_STORE(to, what) __atomic_store_n(&(to), (what), __ATOMIC_RELAXED)
#    define WIRESUM_RELAXED_REPLACE(at, expected, what)                                  \
        __atomic_compare_exchange_n(&(at), &(expected), (what), false, __ATOMIC_RELAXED, \
                                    __ATOMIC_RELAXED)
#  else
#    define WIRESUM_RELAXED_LOAD(from) (*(const struct wiresum_choice *volatile *)&(from))
#    define WIRESUM_RELAXED_STORE(to, what) \
        ((void)(*(const struct wiresum_choice *volatile *)&(to) = (what)))
#    define WIRESUM_RELAXED_REPLACE(at, expected, what) \
        (WIRESUM_RELAXED_LOAD(at) == (expected) ? (WIRESUM_RELAXED_STORE(at, what), true) : false)
#  endif

/* The choice of this copy of the library. No other copy sees the pointer: wiresum_active_v1 alone
   is exported, and the library never reads a choice through that one. */
WIRESUM_INTERNAL extern const struct wiresum_choice *wiresum_chosen;

static inline const struct wiresum_choice *wiresum_choice(void)
{
    return WIRESUM_RELAXED_LOAD(wiresum_chosen);
}

static inline uint16_t wiresum_active_sum(const void *data, size_t len)
{
    return wiresum_choice()->functions.sum(data, len);
}

static inline uint16_t wiresum_active_checksum(const void *data, size_t len)
{
    return wiresum_choice()->checksum(data, len);
}

static inline uint64_t wiresum_active_partial(const void *data, size_t len)
{
    return wiresum_choice()->functions.partial(data, len);
}

static inline uint16_t wiresum_active_copy(void *dst, const void *src, size_t len)
{
    return wiresum_choice()->functions.copy(dst, src, len);
}

static inline size_t wiresum_active_headers(const uint8_t *first, size_t stride, size_t n,
                                            uint16_t *sums)
{
    const struct wiresum_choice *const active = wiresum_choice();
    return active->headers ? active->headers(first, stride, n, sums) : 0;
}

#endif

#endif
