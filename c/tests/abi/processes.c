/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A program of a shared library, for the cases in which the program and the library do not share
 * wiresum_active_v1, or two copies of the library do: see check, which builds and runs it.
 *
 *     processes [OTHER]     OTHER is the file of a second copy of the library
 *
 * Exit status: 0 all is right, 1 not.
 */
#if !defined(_GNU_SOURCE)
#  define _GNU_SOURCE 1 /* the names of registers in ucontext */
#endif

#include <wiresum.h>

#include "../step.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

enum { BYTES = 300 };
static uint8_t data[BYTES], copied[BYTES];
static int failures;

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    failures++;
}

/* The sum of the first n bytes by RFC 1071 section 1, as a number. */
static unsigned plain_sum(size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += i & 1 ? data[i] : (unsigned)data[i] << 8;
    while (sum > 0xFFFF)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return sum;
}

/* ---- which instructions a call executes ---- */

static volatile sig_atomic_t cpuids, instructions;

static void after_instruction(int signal_number, siginfo_t *information, void *context)
{
    const ucontext_t *const c = context;
    const uint8_t *const next = (const uint8_t *)c->uc_mcontext.gregs[REG_RIP];
    (void)signal_number, (void)information;
    instructions++;
    cpuids += next[0] == 0x0F && next[1] == 0xA2;
}

static void calls_ask_no_cpu(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = after_instruction;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, NULL);
    cpuids = instructions = 0;
    step(true);
    const uint16_t sum = wiresum_sum(data, BYTES), copy = wiresum_copy(copied, data, BYTES);
    const uint64_t partial = wiresum_partial(data, BYTES, 0);
    step(false);
    check(sum == copy && sum == wiresum_fold(partial), "sum, copy and partial agree");
    check(instructions > 0, "the instructions of a call are seen");
    check(cpuids == 0, "no call after the first one asks the CPU for its features");
}

/* ---- the checks ---- */

static const struct wiresum_kernel *best_of(const struct wiresum_kernel *list)
{
    while (!list->is_supported())
        list++;
    return list;
}

static void sums_are_right(void)
{
    for (size_t n = 0; n <= BYTES; n++) {
        check(wiresum_value(wiresum_sum(data, n)) == plain_sum(n), "wiresum_sum");
        check(wiresum_value(wiresum_copy(copied, data, n)) == plain_sum(n), "wiresum_copy");
        check(wiresum_value(wiresum_fold(wiresum_partial(data, n, 0))) == plain_sum(n),
              "wiresum_partial");
    }
}

static void choices_are_kept(void)
{
    size_t count;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);
    check(wiresum_kernel_in_use() == best_of(list), "the best kernel is in use");
    for (size_t i = 0; i < count; i++) {
        if (!list[i].is_supported())
            continue;
        check(wiresum_use_kernel(&list[i]), "a supported kernel is accepted");
        check(wiresum_kernel_in_use() == &list[i], "the chosen kernel is in use");
        for (size_t n = 21; n <= BYTES; n++)
            check(wiresum_partial(data, n, 0) == list[i].partial(data, n),
                  "an inline call runs the chosen kernel");
        calls_ask_no_cpu();
    }
    wiresum_use_kernel(best_of(list));
}

/* Each copy of the library has a choice of its own, also before the other one has made any. */
static void other_copy(const char *file)
{
    void *const other = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!other) {
        check(false, dlerror());
        return;
    }
    const struct wiresum_kernel *(*kernels)(size_t *);
    const struct wiresum_kernel *(*in_use)(void);
    bool (*use)(const struct wiresum_kernel *);
    uint16_t (*gather)(const struct wiresum_piece *, size_t);
    *(void **)&kernels = dlsym(other, "wiresum_kernels");
    *(void **)&in_use = dlsym(other, "wiresum_kernel_in_use");
    *(void **)&use = dlsym(other, "wiresum_use_kernel");
    *(void **)&gather = dlsym(other, "wiresum_gather");
    size_t count, own_count;
    const struct wiresum_kernel *const list = kernels(&count);
    const struct wiresum_kernel *const own = wiresum_kernels(&own_count);
    const struct wiresum_piece piece = { data, BYTES };
    check(list != own, "the other copy is another copy");
    check(in_use() == best_of(list), "the other copy uses the best kernel of its own");
    check(wiresum_value(gather(&piece, 1)) == plain_sum(BYTES), "the other copy sums");
    check(use(&list[count - 1]) && in_use() == &list[count - 1], "the other copy chooses");
    check(wiresum_kernel_in_use() == best_of(own), "a choice of the other copy stays there");
    check(wiresum_use_kernel(&own[own_count - 1]), "this copy chooses");
    check(in_use() == &list[count - 1], "a choice of this copy stays here");
    wiresum_use_kernel(best_of(own));
    dlclose(other);
    sums_are_right(); /* nothing leads to the code that dlclose unmapped */
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i * i + 77);
    if (argc > 1)
        other_copy(argv[1]);
    sums_are_right();
    choices_are_kept();
    calls_ask_no_cpu();
    return failures != 0;
}
