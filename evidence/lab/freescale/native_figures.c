/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The paper's three functions on this machine, each in three ways: C as the paper has it
 * (figure1.c, and a copy word by word), 64-bit words in C, and this project's kernels with the C
 * library's memcpy. All except figure1.c was written for this laboratory. Cold data are on lines
 * that were flushed from all caches, as the paper did.
 */
#include "wiresum.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

uint64_t wiresum_kernel_x86_adc(const void *, size_t);
unsigned short checksum(unsigned short *addr, int len, unsigned long sum, int byte_swap);

enum { SPAN = 32 << 20 };
static char target[SPAN + 65536 + 64] __attribute__((aligned(64)));

static uint64_t sum_c(const void *p, char *to, size_t n)
{
    (void)to;
    return checksum((void *)p, (int)n, 0, 0);
}
static uint64_t sum_scalar(const void *p, char *to, size_t n)
{
    (void)to;
    return wiresum_kernel_x86_adc(p, n);
}
static uint64_t sum_vector(const void *p, char *to, size_t n)
{
    (void)to;
    return wiresum_sum(p, n);
}
#define PLAIN __attribute__((optimize("no-tree-loop-distribute-patterns,no-tree-vectorize")))

PLAIN static uint64_t copy_c(const void *p, char *to, size_t n)
{
    for (size_t i = 0; i + 4 <= n; i += 4)
        *(uint32_t *)(to + i) = *(const uint32_t *)((const char *)p + i);
    return 0;
}
PLAIN static uint64_t copy_scalar(const void *p, char *to, size_t n)
{
    for (size_t i = 0; i + 8 <= n; i += 8)
        *(uint64_t *)(to + i) = *(const uint64_t *)((const char *)p + i);
    return 0;
}
static uint64_t copy_vector(const void *p, char *to, size_t n)
{
    memcpy(to, p, n);
    return (unsigned char)to[0];
}
static uint64_t both_c(const void *p, char *to, size_t n)
{
    copy_c(p, to, n);
    return sum_c(to, 0, n);
}
static uint64_t both_scalar(const void *p, char *to, size_t n)
{
    uint64_t s = 0;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        uint64_t w = *(const uint64_t *)((const char *)p + i);
        *(uint64_t *)(to + i) = w;
        s += w;
        s += s < w;
    }
    return s;
}
static uint64_t both_vector(const void *p, char *to, size_t n)
{
    return wiresum_copy(to, p, n);
}

#define FIGURE(name)                              \
    uint64_t warm_##name(const void *p, size_t n) \
    {                                             \
        return name(p, target, n);                \
    }
FIGURE(sum_c)
FIGURE(sum_scalar)
FIGURE(sum_vector)
FIGURE(copy_c)
FIGURE(copy_scalar)
FIGURE(copy_vector)
FIGURE(both_c)
FIGURE(both_scalar)
FIGURE(both_vector)

typedef uint64_t way(const void *, char *, size_t);
static way *const ways[] = { sum_c,       sum_scalar, sum_vector,  copy_c,     copy_scalar,
                             copy_vector, both_c,     both_scalar, both_vector };

static void flush(const char *p, size_t n)
{
    for (const char *line = p; line < p + n; line += 64)
        __builtin_ia32_clflush(line);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Nanoseconds of one call on data, and a target, that no cache holds: the least of `rounds`
   means. Before each round all that it will touch is flushed; buffers lie a page and more apart, so
   no prefetcher runs from one into the next. How large a cache is does not matter. */
double cold(unsigned way, const char *p, size_t n, unsigned calls, unsigned rounds)
{
    const size_t step = (n + 4159) & ~(size_t)63;
    double best = 1e300;
    volatile uint64_t sink = 0;
    if (calls * step > SPAN)
        calls = (unsigned)(SPAN / step);
    while (rounds--) {
        for (unsigned i = 0; i < calls; i++) {
            flush(p + i * step, n + 64);
            flush(target + i * step, n + 64);
        }
        __builtin_ia32_mfence();
        const double start = now();
        for (unsigned i = 0; i < calls; i++)
            sink += ways[way](p + i * step, target + i * step, n);
        const double took = (now() - start) / calls;
        if (took < best)
            best = took;
    }
    return best;
}
