/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How the functions of checksum.c reach the kernel in use. */
#ifndef WIRESUM_DISPATCH_H
#define WIRESUM_DISPATCH_H

#include "kernel.h"

#if WIRESUM_ONLY_PORTABLE /* call it, with no pointer in between */

WIRESUM_DECLARE_KERNEL(portable);
#  define wiresum_active_sum wiresum_kernel_portable

static inline uint16_t wiresum_active_folded(const void *data, size_t len)
{
    return wiresum_fold(wiresum_kernel_portable(data, len));
}

static inline uint16_t wiresum_active_copy_folded(void *dst, const void *src, size_t len)
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

/* A kernel, and its functions, two with a fold behind them: to jump to one that folds is faster
 * than to call one and then fold. */
struct wiresum_choice {
    struct wiresum_functions functions; /* first: it is what wiresum_active points to */
    const struct wiresum_kernel *kernel;
    size_t (*headers)(const uint8_t *first, size_t stride, size_t n,
                      uint16_t *sums); /* null where the kernel has none: see kernel.h */
};

/* Relaxed is enough: what it points to is constant data, and any kernel that it ever holds gives
   the same sums. On CPUs without atomic instructions (ARM before v6, RISC-V without A) a compiler
   would call a library for them, which may not be there; the load or store of an aligned pointer is
   one instruction there too, and no more is needed. */
#  if __GCC_ATOMIC_POINTER_LOCK_FREE == 2
#    define WIRESUM_RELAXED_LOAD(from)      __atomic_load_n(&(from), __ATOMIC_RELAXED)
#    define WIRESUM_RELAXED_STORE(to, what) __atomic_store_n(&(to), (what), __ATOMIC_RELAXED)
#  else
#    define WIRESUM_RELAXED_LOAD(from) (*(const struct wiresum_functions *volatile *)&(from))
#    define WIRESUM_RELAXED_STORE(to, what) \
        ((void)(*(const struct wiresum_functions *volatile *)&(to) = (what)))
#  endif

#  if !defined(WIRESUM_CALLS_KERNEL) /* else wiresum.h declares it */
WIRESUM_INTERNAL extern const struct wiresum_functions *wiresum_active;
#  endif

static inline const struct wiresum_choice *wiresum_choice(void)
{
    return (const struct wiresum_choice *)WIRESUM_RELAXED_LOAD(wiresum_active);
}

static inline uint16_t wiresum_active_folded(const void *data, size_t len)
{
    return wiresum_choice()->functions.sum(data, len);
}

static inline uint64_t wiresum_active_sum(const void *data, size_t len)
{
    return wiresum_choice()->functions.partial(data, len);
}

static inline uint16_t wiresum_active_copy_folded(void *dst, const void *src, size_t len)
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
