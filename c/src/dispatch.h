/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How the functions of checksum.c reach the kernel in use. */
#ifndef WIRESUM_DISPATCH_H
#define WIRESUM_DISPATCH_H

#include "kernel.h"

#if WIRESUM_X86_64

#include <stdatomic.h>

/* Relaxed is enough: what it points to is constant data, and any kernel that it ever holds gives the same sums. */
WIRESUM_INTERNAL extern _Atomic(const struct wiresum_kernel *) wiresum_active_kernel;

static inline uint64_t wiresum_active_sum(const void *data, size_t len)
{
    return atomic_load_explicit(&wiresum_active_kernel, memory_order_relaxed)->sum(data, len);
}

static inline uint64_t wiresum_active_copy(void *dst, const void *src, size_t len)
{
    return atomic_load_explicit(&wiresum_active_kernel, memory_order_relaxed)->copy_sum(dst, src, len);
}

#else /* only portable can exist: call it, with no pointer in between */

#define WIRESUM_ONLY_PORTABLE 1
WIRESUM_DECLARE_KERNEL(portable);
#define wiresum_active_sum  wiresum_kernel_portable
#define wiresum_active_copy wiresum_kernel_portable_copy

#endif

#endif
