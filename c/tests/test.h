/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The parts that all test programs share: the oracle, memory between guard pages, the loop over the
 * kernels, and reports that print the command to run a failed check again. Each program includes
 * this file once. spec/make_vectors.py makes vectors.h.
 *
 *     program [OPTION VALUE]...
 *
 *     --seed N         the seed of random data; WIRESUM_SEED sets it too
 *     --thin N         run one cell in N of the large grids, for emulators; the seed chooses which
 *     --kernel NAME    run this kernel alone; WIRESUM_KERNEL sets it too
 *     --group NAME, --fill NAME, --round N, --length N, --offset N, --to N
 *                      run only the checks with this place, as the report of a failure names it
 *
 * Exit status: 0 all checks pass, 1 a check failed or nothing was checked, 2 the command line is
 * wrong.
 */
#ifndef WIRESUM_TEST_H
#define WIRESUM_TEST_H

#if !defined(_GNU_SOURCE)
#  define _GNU_SOURCE 1 /* memfd_create, MAP_ANONYMOUS, the program counter in ucontext */
#endif

#include <wiresum.h>
#include <wiresum_packet.h>
#include <wiresum_stream.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vectors.h"

/* Guard pages, signals and processes need POSIX. Without them, as on WASI and Windows, the
   tests print which checks they leave out. */
#if defined(__unix__) || defined(__APPLE__)
#  define TEST_POSIX 1
#  include <signal.h>
#  include <sys/mman.h>
#  include <unistd.h>
#else
#  define TEST_POSIX 0
#endif

#if defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define TEST_ASAN 1
#  endif
#elif defined(__SANITIZE_ADDRESS__)
#  define TEST_ASAN 1
#endif
#if defined(TEST_ASAN)
#  include <sanitizer/asan_interface.h>
#endif
#if defined(__has_include)
#  if __has_include(<valgrind/memcheck.h>)
#    include <valgrind/memcheck.h>
#    define TEST_VALGRIND 1
#  endif
#endif

#define TEST_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#if defined(__GNUC__)
#  define TEST_MAYBE_UNUSED __attribute__((unused))
#  define TEST_PRINTF       __attribute__((format(printf, 1, 2)))
#else
#  define TEST_MAYBE_UNUSED
#  define TEST_PRINTF
#endif

enum { TEST_MOST_FAILURES = 20, TEST_MOST_KERNELS = 64 };

/* The place of the current check, for the report of a failure or a crash. The names are string
   constants. A name of null and a number of -1 are not in use. */
struct test_place {
    const char *kernel, *group, *fill;
    int64_t round, length, offset, to;
};
static struct test_place test_at = { NULL, NULL, NULL, -1, -1, -1, -1 };
static struct test_place test_only = { NULL, NULL, NULL, -1, -1, -1, -1 };

static const char *test_program, *test_command;
static uint64_t test_seed, test_thin = 1, test_checks, test_failures,
                           test_kernel_checks[TEST_MOST_KERNELS];
/* The index of the current kernel, or TEST_MOST_KERNELS if there is none. */
static size_t test_kernel_index = TEST_MOST_KERNELS;

/* ---- reports ---- */

static int test_print_place(char *to, size_t room, const char *dash, const char *sep)
{
    int n = 0;
#define TEST_NAME(field) \
    if (test_at.field)   \
    n += snprintf(to + n, room - (size_t)n, " %s" #field "%s%s", dash, sep, test_at.field)
#define TEST_NUMBER(field)  \
    if (test_at.field >= 0) \
    n += snprintf(to + n, room - (size_t)n, " %s" #field "%s%" PRId64, dash, sep, test_at.field)
    to[0] = 0;
    TEST_NAME(kernel);
    TEST_NAME(group);
    TEST_NAME(fill);
    TEST_NUMBER(round);
    TEST_NUMBER(length);
    TEST_NUMBER(offset);
    TEST_NUMBER(to);
#undef TEST_NAME
#undef TEST_NUMBER
    return n;
}

static void test_report(const char *what)
{
    char place[512], options[512];
    test_print_place(place, sizeof place, "", " ");
    test_print_place(options, sizeof options, "--", " ");
    fflush(stdout);
    fprintf(stderr, "FAILED %s:%s: %s\n", test_program, place, what);
    fprintf(stderr, "  again: %s --seed 0x%" PRIX64 " --thin %" PRIu64 "%s\n", test_command,
            test_seed, test_thin, options);
    fflush(stderr);
}

TEST_PRINTF TEST_MAYBE_UNUSED static void test_fail(const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    test_report(what);
    if (++test_failures >= TEST_MOST_FAILURES) {
        fprintf(stderr, "%s: that many failures are enough\n", test_program);
        exit(1);
    }
}

TEST_MAYBE_UNUSED static inline void test_counted(void)
{
    test_checks++;
    if (test_kernel_index < TEST_MOST_KERNELS)
        test_kernel_checks[test_kernel_index]++;
}

/* Checks a condition. what describes the condition that should hold. */
TEST_MAYBE_UNUSED static inline void test_true(bool holds, const char *what)
{
    test_counted();
    if (!holds)
        test_fail("not so: %s", what);
}

/* Checks a number: a sum or checksum, read big-endian from the wire. */
TEST_MAYBE_UNUSED static inline void test_number(const char *what, uint16_t got, uint16_t expected)
{
    test_counted();
    if (got != expected)
        test_fail("%s: got 0x%04X, expected 0x%04X", what, got, expected);
}

#if TEST_POSIX
/* Reports a crash like any failure. Some functions that it calls are not safe in a signal handler,
   but the program ends here in any case. */
static void test_crashed(int signal_number)
{
    signal(signal_number, SIG_DFL);
    test_report(signal_number == SIGILL ? "crashed: an illegal instruction"
                                        : "crashed: an access outside the data");
    _exit(1);
}
#endif

#if defined(WIRESUM_TEST_EMULATE)
#  include "emulate.h"

static void test_emulate(int signal_number, siginfo_t *information, void *context)
{
    (void)information;
    if (!emulate(context))
        test_crashed(signal_number);
}
#endif

#if defined(TEST_ASAN)
void __asan_on_error(void);
void __asan_on_error(void)
{
    test_report("AddressSanitizer's report follows");
}
#endif

/* ---- numbers and memory order, without the library's own functions ---- */

/* Returns the number of a sum in memory order: its two bytes, read big-endian. */
TEST_MAYBE_UNUSED static inline uint16_t test_value(uint16_t memory_order)
{
    uint8_t bytes[2];
    memcpy(bytes, &memory_order, 2);
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

TEST_MAYBE_UNUSED static inline uint16_t test_memory_order(uint16_t number)
{
    const uint8_t bytes[2] = { (uint8_t)(number >> 8), (uint8_t)number };
    uint16_t word;
    memcpy(&word, bytes, 2);
    return word;
}

/* Checks a sum or checksum in memory order, as the library returns it, against a number. */
TEST_MAYBE_UNUSED static inline void test_sum(const char *what, uint16_t memory_order,
                                              uint16_t expected)
{
    test_number(what, test_value(memory_order), expected);
}

/* ---- the oracle: RFC 1071 section 1 in plain C; test_begin() checks it with the vectors ---- */

/* Returns the integer sum of the 16-bit words of n bytes. The last byte of an odd length is the
   high byte of its word. */
TEST_MAYBE_UNUSED static uint64_t plain_total(const uint8_t *p, uint64_t n)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < n; i += 2)
        total += (uint64_t)p[i] << 8 | (i + 1 < n ? p[i + 1] : 0u);
    return total;
}

TEST_MAYBE_UNUSED static uint16_t plain_fold(uint64_t total)
{
    while (total > 0xFFFF)
        total = (total & 0xFFFF) + (total >> 16);
    return (uint16_t)total;
}

TEST_MAYBE_UNUSED static uint16_t plain_sum(const uint8_t *p, uint64_t n)
{
    return plain_fold(plain_total(p, n));
}

TEST_MAYBE_UNUSED static uint16_t plain_checksum(const uint8_t *p, uint64_t n)
{
    return (uint16_t)(0xFFFF - plain_sum(p, n));
}

/* ---- memory ---- */

static void *test_allocate(size_t size)
{
    void *const p = malloc(size ? size : 1);
    if (!p) {
        fprintf(stderr, "%s: no memory for %lu bytes\n", test_program, (unsigned long)size);
        exit(1);
    }
    return p;
}

/* Memory between two pages that fault at every access. */
struct test_arena {
    uint8_t *start, *end;
};

TEST_MAYBE_UNUSED static struct test_arena test_arena(size_t least)
{
    struct test_arena arena;
#if TEST_POSIX
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = (least + page - 1) / page * page;
    uint8_t *const all = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, size, PROT_READ | PROT_WRITE) != 0) {
        perror("mmap");
        exit(1);
    }
    arena.start = all + page;
#else
    const size_t size = (least + 4095) / 4096 * 4096;
    uint8_t *const all = test_allocate(size + 4096);
    arena.start = all + (4096 - (uintptr_t)all % 4096);
#endif
    arena.end = arena.start + size;
    return arena;
}

/* Forbids an access to n bytes. Guard pages fault beyond a page; this detects an access outside of
   the data within a page too. ASan detects those that the compiler emitted, exact to the byte after
   the data and to 8 bytes before it. valgrind detects all. Other builds detect none. */
TEST_MAYBE_UNUSED static inline void test_forbid(const void *p, size_t n)
{
#if defined(TEST_ASAN)
    __asan_poison_memory_region(p, n);
#endif
#if defined(TEST_VALGRIND)
    (void)VALGRIND_MAKE_MEM_NOACCESS(p, n);
#endif
    (void)p, (void)n;
}

TEST_MAYBE_UNUSED static inline void test_allow(const void *p, size_t n)
{
#if defined(TEST_ASAN)
    __asan_unpoison_memory_region(p, n);
#endif
#if defined(TEST_VALGRIND)
    (void)VALGRIND_MAKE_MEM_DEFINED(p, n);
#endif
    (void)p, (void)n;
}

/* Allows [p, p + n) of an arena, and forbids the rest of it. */
TEST_MAYBE_UNUSED static inline void test_allow_only(struct test_arena arena, const void *p,
                                                     size_t n)
{
    test_forbid(arena.start, (size_t)(arena.end - arena.start));
    test_allow(p, n);
}

TEST_MAYBE_UNUSED static inline void test_allow_all(struct test_arena arena)
{
    test_allow(arena.start, (size_t)(arena.end - arena.start));
}

/* ---- pseudo-random numbers: splitmix64, so that a seed gives the same numbers everywhere ---- */

TEST_MAYBE_UNUSED static uint64_t test_random(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* Returns the state for one round of one group, so that a round can run again without the rounds
   before it. */
TEST_MAYBE_UNUSED static uint64_t test_random_state(uint64_t group, uint64_t round)
{
    uint64_t state = test_seed ^ group << 56;
    state = test_random(&state) + round;
    return test_random(&state);
}

TEST_MAYBE_UNUSED static void test_random_bytes(uint64_t *state, uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)test_random(state);
}

/* The fills of the grids. The period of 251 is prime, so lanes, vectors and blocks never repeat in
   step with it. */
static const char *const test_fills[] = { "00", "ff", "period-251", "random" };
enum { TEST_FILLS = TEST_COUNT(test_fills) };

TEST_MAYBE_UNUSED static void test_fill(size_t fill, uint8_t *p, size_t n)
{
    uint64_t state = test_random_state(255, 0);
    for (size_t i = 0; i < n; i++)
        p[i] = fill == 0   ? 0x00
               : fill == 1 ? 0xFF
               : fill == 2 ? (uint8_t)(i % 251)
                           : (uint8_t)test_random(&state);
}

/* ---- the choice of the checks ---- */

#define TEST_WANTED(field, value) (test_only.field < 0 || test_only.field == (int64_t)(value))

/* Begins a group of checks; returns whether this run wants the group. */
TEST_MAYBE_UNUSED static bool test_group(const char *name)
{
    test_at.group = name;
    test_at.fill = NULL;
    test_at.round = test_at.length = test_at.offset = test_at.to = -1;
    return !test_only.group || strcmp(test_only.group, name) == 0;
}

TEST_MAYBE_UNUSED static bool test_want_fill(size_t fill)
{
    test_at.fill = test_fills[fill];
    return !test_only.fill || strcmp(test_only.fill, test_at.fill) == 0;
}

/* Returns whether --thin keeps this cell of a grid. */
TEST_MAYBE_UNUSED static inline bool test_in_slice(uint64_t cell)
{
    return test_thin == 1 || (cell + test_seed) % test_thin == 0;
}

/* Returns the next kernel that this CPU supports and this run wants, and makes it the kernel in
   use. Null stands for the kernel before the first one and for the one after the last. */
TEST_MAYBE_UNUSED static const struct wiresum_kernel *
test_next_kernel(const struct wiresum_kernel *kernel)
{
    size_t count;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);
    for (size_t i = kernel ? (size_t)(kernel - list) + 1 : 0; i < count; i++) {
        if (!list[i].is_supported()
            || (test_only.kernel && strcmp(test_only.kernel, list[i].name) != 0))
            continue;
        test_at.kernel = list[i].name;
        test_kernel_index = i;
        if (!wiresum_use_kernel(&list[i]))
            test_fail("wiresum_use_kernel refuses a supported kernel");
        return &list[i];
    }
    test_at.kernel = NULL;
    test_kernel_index = TEST_MOST_KERNELS;
    return NULL;
}

#define TEST_EACH_KERNEL(k) \
    for (const struct wiresum_kernel *k = test_next_kernel(NULL); k; k = test_next_kernel(k))

/* ---- begin and end ---- */

static const char *test_architecture(void)
{
#if defined(__x86_64__) && defined(__ILP32__)
    return "x32";
#elif defined(__x86_64__)
    return "x86_64";
#elif defined(__i386__)
    return "i386";
#elif defined(__aarch64__)
    return "aarch64";
#elif defined(__arm__)
    return "arm";
#elif defined(__powerpc64__)
    return "ppc64";
#elif defined(__powerpc__)
    return "ppc";
#elif defined(__riscv)
    return sizeof(void *) == 8 ? "riscv64" : "riscv32";
#elif defined(__s390x__)
    return "s390x";
#elif defined(__loongarch__)
    return "loongarch64";
#elif defined(__wasm__)
    return "wasm";
#elif defined(__mips__)
    return "mips";
#elif defined(__sparc__)
    return "sparc";
#else
    return "unknown";
#endif
}

static uint64_t test_parse(const char *option, const char *text)
{
    char *end;
    const uint64_t number = text ? strtoull(text, &end, 0) : 0;
    if (!text || !*text || *end) {
        fprintf(stderr, "%s: %s wants a number\n", test_program, option);
        exit(2);
    }
    return number;
}

static void test_check_oracle(void)
{
    for (size_t i = 0; i < vectors_sum_count; i++) {
        const struct vector_sum *const v = &vectors_sum[i];
        if (v->huge)
            continue; /* huge.c checks the oracle on those */
        uint8_t *const p = test_allocate((size_t)v->data.length);
        vector_fill(p, &v->data);
        if (plain_sum(p, v->data.length) != v->sum
            || plain_checksum(p, v->data.length) != v->checksum) {
            fprintf(stderr, "%s: the oracle of the tests is wrong about vector %s (%s)\n",
                    test_program, v->name, v->catches);
            exit(1);
        }
        free(p);
    }
}

TEST_MAYBE_UNUSED static void test_begin(const char *program, int argc, char **argv)
{
    const char *const seed = getenv("WIRESUM_SEED"), *const kernel = getenv("WIRESUM_KERNEL");
    const char *const command = getenv("WIRESUM_TEST_COMMAND"); /* how c/tests/run was called */

    test_program = program;
    test_command = command && *command ? command : argv[0];
    test_seed = seed && *seed ? test_parse("WIRESUM_SEED", seed) : (uint64_t)time(NULL) * 1000003u;
#if TEST_POSIX
    if (!(seed && *seed))
        test_seed ^= (uint64_t)getpid() << 32;
#endif
    test_only.kernel = kernel && *kernel ? kernel : NULL;

    for (int i = 1; i < argc; i += 2) {
        const char *const option = argv[i], *const value = i + 1 < argc ? argv[i + 1] : NULL;
        const struct {
            const char *name, **text;
            uint64_t *number;
            int64_t *place;
        } options[] = {
            { "--seed", NULL, &test_seed, NULL },
            { "--thin", NULL, &test_thin, NULL },
            { "--kernel", &test_only.kernel, NULL, NULL },
            { "--group", &test_only.group, NULL, NULL },
            { "--fill", &test_only.fill, NULL, NULL },
            { "--round", NULL, NULL, &test_only.round },
            { "--length", NULL, NULL, &test_only.length },
            { "--offset", NULL, NULL, &test_only.offset },
            { "--to", NULL, NULL, &test_only.to },
        };
        size_t j = 0;
        while (j < TEST_COUNT(options) && strcmp(option, options[j].name) != 0)
            j++;
        if (j == TEST_COUNT(options) || !value) {
            fprintf(stderr, "%s: %s is not an option, or lacks its value\n", program, option);
            exit(2);
        }
        if (options[j].text)
            *options[j].text = value;
        else if (options[j].number)
            *options[j].number = test_parse(option, value);
        else
            *options[j].place = (int64_t)test_parse(option, value);
    }
    if (test_thin == 0)
        test_thin = 1;

    size_t count;
    (void)wiresum_kernels(&count);
    if (count > TEST_MOST_KERNELS) {
        fprintf(stderr, "%s: raise TEST_MOST_KERNELS\n", program);
        exit(1);
    }
    if (test_only.kernel) {
        const struct wiresum_kernel *const k = wiresum_kernel_by_name(test_only.kernel);
        if (!k || !k->is_supported()) {
            fprintf(stderr, "%s: kernel %s is %s\n", program, test_only.kernel,
                    k ? "not supported by this CPU" : "unknown");
            exit(2);
        }
    }

    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    printf("program %s: %s, %s-endian, %d-bit pointers, seed 0x%" PRIX64 ", thin %" PRIu64 "\n",
           program, test_architecture(), first ? "little" : "big", (int)(8 * sizeof(void *)),
           test_seed, test_thin);
    fflush(stdout);

#if TEST_POSIX
    static char stack[1 << 16]; /* so that a stack overflow is reported too */
    const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = test_crashed;
    action.sa_flags = SA_ONSTACK;
    sigaltstack(&alternative, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
#  if defined(WIRESUM_TEST_EMULATE)
    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
    action.sa_sigaction = test_emulate;
#  endif
    sigaction(SIGILL, &action, NULL);
#endif
    test_check_oracle();
}

/* Prints a line for each kernel and the number of checks; returns the exit status of the program.
 */
TEST_MAYBE_UNUSED static int test_end(void)
{
    const bool narrowed = test_only.group || test_only.fill || test_only.round >= 0
                          || test_only.length >= 0 || test_only.offset >= 0 || test_only.to >= 0;
    size_t count;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);

    test_group("");
    test_at.group = NULL;
    for (size_t i = 0; i < count; i++) {
        if (test_only.kernel && strcmp(test_only.kernel, list[i].name) != 0)
            continue;
        if (!list[i].is_supported()) {
            printf("kernel %s unsupported\n", list[i].name);
        } else if (test_kernel_checks[i]) {
#if defined(WIRESUM_TEST_EMULATE)
            printf("kernel %s ran this CPU%s\n", list[i].name,
                   emulate_is_native() ? "" : ", its instruction emulated");
#else
            printf("kernel %s ran %" PRIu64 " checks\n", list[i].name, test_kernel_checks[i]);
#endif
        } else if (!narrowed) {
            test_at.kernel = list[i].name;
            test_fail("nothing was checked on this kernel");
        }
    }
    test_at.kernel = NULL;
    if (test_checks == 0)
        test_fail("nothing was checked");
#if defined(WIRESUM_TEST_EMULATE)
    printf("emulated %" PRIu64 " instructions\n", emulate_executed);
    if (emulate_executed == 0 && !emulate_is_native())
        test_fail("no instruction was emulated");
#endif
    printf("program %s: %" PRIu64 " checks, %" PRIu64 " failures\n", test_program, test_checks,
           test_failures);
    return test_failures != 0;
}

#endif
