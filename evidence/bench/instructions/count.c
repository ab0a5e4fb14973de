/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Calls every kernel that this CPU supports, and every rival that was linked in, once for each
 * size, between two marks. A counter outside sees the marks: plugin.c under QEMU, step.c on the CPU
 * itself, fuel.py under wasmtime. The program prints each call, in order: "call CODE FORM SIZE".
 * Its arguments are the kernels to call (default: all). If the first argument is every-length, it
 * calls kernels only, once for each length from 0 to LONGEST. The first call is of a function that
 * only returns 0: it counts the marks and the call.
 *
 * RIVALS(X) is a list of X(name, kernel): a function uint64_t rival_NAME(const void *, size_t). The
 * program calls it only if the CPU supports that kernel, and so has the instructions that the rival
 * was compiled for.
 */
#include <wiresum.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"

#if defined(__wasm__)
__attribute__((import_module("count"), import_name("mark"))) void mark(void);
#elif defined(MARK_BY_SIGNAL)
#  include <signal.h>
#  include <sys/syscall.h>
#  include <unistd.h>
static void mark(void)
{
    syscall(SYS_kill, getpid(), SIGUSR1);
}
#else
#  include <unistd.h>
static void mark(void)
{
    close(MARK);
}
#endif

#if !defined(RIVALS)
#  define RIVALS(X)
#endif

enum { LARGEST = 65536, LONGEST = 1500 };
/* The difference between 16384 and 32768 is the main loop without its ends. */
static const size_t sizes[] = { 64, 1500, 16384, 32768, LARGEST };
static bool every_length;

static size_t size_count(void)
{
    return every_length ? LONGEST + 1 : sizeof sizes / sizeof sizes[0];
}

static size_t size_at(size_t i)
{
    return every_length ? i : sizes[i];
}

static uint8_t from[LARGEST] __attribute__((aligned(4096))),
    to[LARGEST] __attribute__((aligned(4096)));

typedef uint64_t sum_function(const void *, size_t);
typedef uint64_t copy_function(void *, const void *, size_t);

static uint64_t empty_sum(const void *data, size_t n)
{
    (void)data, (void)n;
    return 0;
}

static uint64_t empty_copy(void *dst, const void *data, size_t n)
{
    (void)dst, (void)data, (void)n;
    return 0;
}

/* Called through volatile pointers, so that no compiler inlines, hoists or drops a call. */
static sum_function *volatile sum_call;
static copy_function *volatile copy_call;
static volatile uint64_t result;

static void check(const char *code, size_t n, uint64_t sum, const void *data)
{
    uint64_t expected = 0;
    for (size_t i = 0; i + 2 <= n; i += 2)
        expected += wiresum_load16((const uint8_t *)data + i);
    if (n % 2)
        expected += wiresum_load16((const uint8_t[2]){ ((const uint8_t *)data)[n - 1], 0 });
    if (wiresum_fold(sum) != wiresum_fold(expected)) {
        printf("%s is wrong for %lu bytes\n", code, (unsigned long)n);
        exit(1);
    }
}

static void count_sum(const char *code, sum_function *f, bool right)
{
    for (size_t i = 0; i < size_count(); i++) {
        const size_t n = size_at(i);
        sum_call = f;
        result = sum_call(from, n);
        if (right)
            check(code, n, result, from);
        printf("call %s sum %lu\n", code, (unsigned long)n);
        fflush(stdout);
        mark();
        result = sum_call(from, n);
        mark();
    }
}

static void count_copy(const char *code, copy_function *f, bool right)
{
    for (size_t i = 0; i < size_count(); i++) {
        const size_t n = size_at(i);
        copy_call = f;
        memset(to, 0, every_length ? LONGEST : LARGEST);
        result = copy_call(to, from, n);
        if (right)
            check(code, n, result, to);
        printf("call %s copy %lu\n", code, (unsigned long)n);
        fflush(stdout);
        mark();
        result = copy_call(to, from, n);
        mark();
    }
}

#define X(name, kernel) uint64_t rival_##name(const void *data, size_t n);
RIVALS(X)
#undef X

/* Whether to count a kernel: all, or those that the command line names. */
static bool wanted(const char *kernel, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], kernel) == 0)
            return true;
    return argc == 1;
}

static bool runs(const char *kernel)
{
    const struct wiresum_kernel *const k = wiresum_kernel_by_name(kernel);
    return k && k->is_supported();
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "every-length") == 0) {
        every_length = true;
        argc--, argv++;
    }
    uint32_t state = 1;
    for (size_t i = 0; i < LARGEST; i++)
        from[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);

    count_sum("empty", empty_sum, false);
    count_copy("empty", empty_copy, false);
    size_t kernel_count;
    const struct wiresum_kernel *const kernels = wiresum_kernels(&kernel_count);
    for (size_t i = 0; i < kernel_count; i++) {
        if (kernels[i].is_supported() && wanted(kernels[i].name, argc, argv)) {
            count_sum(kernels[i].name, kernels[i].partial, true);
            count_copy(kernels[i].name, kernels[i].copy_partial, true);
        }
    }
#define X(name, kernel)                                                \
    if (!every_length && wanted(#kernel, argc, argv) && runs(#kernel)) \
        count_sum("rival:" #name, rival_##name, true);
    RIVALS(X)
#undef X
    return 0;
}
