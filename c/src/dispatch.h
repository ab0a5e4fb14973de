/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How the functions of checksum.c reach the kernel in use. */
#ifndef WIRESUM_DISPATCH_H
#define WIRESUM_DISPATCH_H

#include "kernel.h"

#if WIRESUM_ONLY_PORTABLE /* call it, with no pointer in between */

WIRESUM_DECLARE_KERNEL(portable);
#define wiresum_active_sum wiresum_kernel_portable

static inline uint16_t wiresum_active_folded(const void *data, size_t len)
{
    return wiresum_fold(wiresum_kernel_portable(data, len));
}

static inline uint16_t wiresum_active_copy_folded(void *dst, const void *src, size_t len)
{
    return wiresum_fold(wiresum_kernel_portable_copy(dst, src, len));
}

static inline size_t wiresum_active_headers(const uint8_t *first, size_t stride, size_t n, uint16_t *sums)
{
    (void)first, (void)stride, (void)n, (void)sums;
    return 0;
}

#else

/* A kernel, and its functions with a fold behind them: to jump to one that folds is faster than to call one and then fold. */
struct wiresum_choice {
    const struct wiresum_kernel *kernel;
    uint16_t (*folded)(const void *data, size_t len);
    uint16_t (*copy_folded)(void *dst, const void *src, size_t len);
    size_t (*headers)(const uint8_t *first, size_t stride, size_t n, uint16_t *sums); /* null where the kernel has none: see kernel.h */
};

/* Relaxed is enough: what it points to is constant data, and any kernel that it ever holds gives the same sums. On CPUs without
   atomic instructions (ARM before v6, RISC-V without A) a compiler would call a library for them, which may not be there;
   the load or store of an aligned pointer is one instruction there too, and no more is needed. */
#if __GCC_ATOMIC_POINTER_LOCK_FREE == 2
#  include <stdatomic.h>
typedef _Atomic(const struct wiresum_choice *) wiresum_choice_pointer;
#  define WIRESUM_RELAXED_LOAD(from)      atomic_load_explicit(&(from), memory_order_relaxed)
#  define WIRESUM_RELAXED_STORE(to, what) atomic_store_explicit(&(to), (what), memory_order_relaxed)
#else
typedef const struct wiresum_choice *volatile wiresum_choice_pointer;
#  define WIRESUM_RELAXED_LOAD(from)      (from)
#  define WIRESUM_RELAXED_STORE(to, what) ((void)((to) = (what)))
#endif

WIRESUM_INTERNAL extern wiresum_choice_pointer wiresum_active;

static inline uint16_t wiresum_active_folded(const void *data, size_t len)
{
    return WIRESUM_RELAXED_LOAD(wiresum_active)->folded(data, len);
}

static inline uint64_t wiresum_active_sum(const void *data, size_t len)
{
    return WIRESUM_RELAXED_LOAD(wiresum_active)->kernel->sum(data, len);
}

static inline uint16_t wiresum_active_copy_folded(void *dst, const void *src, size_t len)
{
    return WIRESUM_RELAXED_LOAD(wiresum_active)->copy_folded(dst, src, len);
}

static inline size_t wiresum_active_headers(const uint8_t *first, size_t stride, size_t n, uint16_t *sums)
{
    const struct wiresum_choice *const active = WIRESUM_RELAXED_LOAD(wiresum_active);
    return active->headers ? active->headers(first, stride, n, sums) : 0;
}

#endif

#endif
