/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The paper's "Linux assembly": a scalar chain of additions with carry, and the same chain while
   copying. On x86-64 lwIP calls this project's kernel x86_adc, without dispatch; elsewhere the
   portable kernel, 64 bits at a time. */
#ifndef TCP_BENCH_SCALAR_H
#define TCP_BENCH_SCALAR_H

#include <wiresum.h>

#if defined(__x86_64__)
#  define SCALAR_KERNEL(suffix) wiresum_kernel_x86_adc##suffix
#else
#  define SCALAR_KERNEL(suffix) wiresum_kernel_portable##suffix
#endif
uint64_t SCALAR_KERNEL()(const void *, size_t);
uint64_t SCALAR_KERNEL(_copy)(void *, const void *, size_t);

#define LWIP_CHECKSUM_ON_COPY  1
#define LWIP_CHKSUM(data, len) wiresum_fold(SCALAR_KERNEL()((data), (size_t)(len)))
#define LWIP_CHKSUM_COPY(dst, src, len) \
    wiresum_fold(SCALAR_KERNEL(_copy)((dst), (src), (size_t)(len)))

#endif
