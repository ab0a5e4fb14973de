/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests the list of kernels and the choice of one. Groups:
 *
 *     first-call   many threads make the first call of a new process at the same time
 *     list         names, order and look-up
 *     detect       the features of CPUs and operating systems that answer from a table
 *     refuse       wiresum_use_kernel refuses everything that is not a supported kernel
 *     force        the chosen kernel is the one that runs: it gives the partial sums, and it has
 *                  the instruction that reads the data
 *     race         threads sum while another thread chooses kernels
 *     between      a second call comes between any two steps of a choice
 *     features     the choice on CPUs that have more features, or fewer
 */
#include "test.h"

#if TEST_POSIX
#  include <pthread.h>
#  include <setjmp.h>
#  include <stdatomic.h>
#  include <sys/types.h>
#  include <sys/wait.h>
#  if defined(__linux__)
#    include <ucontext.h>
#  endif
#endif

#include "../src/built_kernels.h"

/* The features that this build of the tests adds to the features of the CPU. */
#if defined(WIRESUM_ADD_CPU_FEATURES)
enum { ADDED_FEATURES = WIRESUM_ADD_CPU_FEATURES };
#else
enum { ADDED_FEATURES = 0 };
#endif

/* The choice once more, under other names, on a CPU with any features, and with a function that
   runs before each atomic access. */
#if defined(WIRESUM_CALLS_KERNEL) && !WIRESUM_ONE_KERNEL
#  include "../src/cpu_features.h"
static unsigned given_features;
static void step(void);
#  define __atomic_load_n(from, order)      (step(), __atomic_load_n(from, order))
#  define __atomic_store_n(to, what, order) (step(), __atomic_store_n(to, what, order))
#  define __atomic_compare_exchange_n(at, expected, what, weak, done, not_done) \
      (step(), __atomic_compare_exchange_n(at, expected, what, weak, done, not_done))
#  define wiresum_kernels        stepped_kernels
#  define wiresum_kernel_by_name stepped_kernel_by_name
#  define wiresum_kernel_in_use  stepped_kernel_in_use
#  define wiresum_use_kernel     stepped_use_kernel
#  define wiresum_chosen         stepped_chosen
#  define wiresum_active_v1      stepped_active
#  define wiresum_cpu_features() given_features
extern const struct wiresum_functions_v1 *stepped_active;
#  include "../src/dispatch.c"
#  undef __atomic_load_n
#  undef __atomic_store_n
#  undef __atomic_compare_exchange_n
#  undef wiresum_kernels
#  undef wiresum_kernel_by_name
#  undef wiresum_kernel_in_use
#  undef wiresum_use_kernel
#  undef wiresum_chosen
#  undef wiresum_active_v1
#  undef wiresum_cpu_features
#endif

/* The detection once more, under other names, with a CPU that answers from a table. */
#if WIRESUM_HAVE_X86_SSE2
static unsigned asked;
static int table_cpuid(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c,
                       unsigned *d);
static uint64_t table_xcr0(void);
#  undef WIRESUM_HIDE_CPU_FEATURES
#  undef WIRESUM_ADD_CPU_FEATURES
#  define WIRESUM_CPUID                   table_cpuid
#  define WIRESUM_XCR0                    table_xcr0
#  define wiresum_cpu_features            features_of_table
#  define wiresum_copy_around_caches_from around_caches_of_table
#  include "../src/cpu_features.c"
#  undef wiresum_cpu_features
#  undef wiresum_copy_around_caches_from
#endif

enum { BYTES = 3000, THREADS = 8 };

static uint8_t data[BYTES], *copy_to[THREADS];
static uint16_t right; /* sum of data, in memory order */

/* Whether the clock of this CPU falls where vectors have 512 bits: family 6, model 85 (Skylake-SP,
   Cascade Lake). A build of the tests says so by WIRESUM_ADD_CPU_FEATURES, on any CPU. */
static bool slows_at_512(void)
{
    if (ADDED_FEATURES & 1 << 13)
        return true;
#if defined(__x86_64__) && defined(__GNUC__)
    unsigned eax = 1, ebx, ecx = 0, edx;
    __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    const unsigned family = (eax >> 8 & 15) + (eax >> 20 & 255);
    const unsigned model = (eax >> 4 & 15) + 16 * (eax >> 16 & 15);
    return family == 6 && model == 85;
#else
    return false;
#endif
}

static const struct wiresum_kernel *best(void)
{
    size_t count;
    const struct wiresum_kernel *k = wiresum_kernels(&count);
    while (!k->is_supported() || (strstr(k->name, "avx512") != NULL && slows_at_512()))
        k++;
    return k;
}

/* ---- first calls ---- */

#if TEST_POSIX

/* Without an atomic exchange, wiresum_use_kernel does not promise what a choice at the same time as
   the first calls of other threads does. */
#  if defined(__GCC_ATOMIC_POINTER_LOCK_FREE) && __GCC_ATOMIC_POINTER_LOCK_FREE < 2
#    define ATOMIC_EXCHANGE 0
#  else
#    define ATOMIC_EXCHANGE 1
#  endif

enum { WAYS = 8 };

/* Calls one function of the library; returns whether its result is right. */
static bool first_call(unsigned way, uint8_t *to)
{
    static const uint8_t headers[2][20] = { { 0x45, 0, 0, 1 }, { 0x45, 0, 0, 2 } };
    const struct wiresum_piece pieces[] = { { data, 1001 }, { data + 1001, BYTES - 1001 } };
    uint16_t batch = 0, sums[2] = { 0 };
    switch (way % WAYS) {
    case 0:
        return wiresum_sum(data, BYTES) == right;
    case 1:
        return wiresum_copy(to, data, BYTES) == right && memcmp(to, data, BYTES) == 0;
    case 2:
        return wiresum_fold(wiresum_partial(data, BYTES, 0)) == right;
    case 3:
        return wiresum_gather(pieces, 2) == right;
    case 4:
        return wiresum_gather_copy(to, pieces, 2) == right && memcmp(to, data, BYTES) == 0;
    case 5:
        wiresum_batch(pieces, 1, &batch);
        return batch == wiresum_sum(data, 1001);
    case 6:
        wiresum_batch_ipv4_headers(headers, 20, 2, sums);
        return test_value(sums[0]) == 0x4501 && test_value(sums[1]) == 0x4502;
    default:
        return wiresum_kernel_in_use() == best();
    }
}

static atomic_uint waiting;

static void *first_thread(void *which)
{
    const unsigned me = *(const unsigned *)which;
    bool all_right = true;
    atomic_fetch_sub(&waiting, 1);
    while (atomic_load(&waiting) != 0) /* all threads start together */
        ;
    for (unsigned i = 0; i < WAYS; i++)
        all_right = all_right && first_call(me + i, copy_to[me % THREADS]);
    return all_right ? which : NULL;
}

/* Runs in a new process; returns its exit status. */
static int first_process(unsigned round)
{
    pthread_t threads[THREADS];
    unsigned ways[THREADS] = { round / 2 }; /* of the even rounds */
    bool all_right = true;

    if (round == 0) { /* the library does not read the environment */
        size_t count;
        const struct wiresum_kernel *const list = wiresum_kernels(&count);
        setenv("WIRESUM_KERNEL", list[count - 1].name, 1);
        return wiresum_kernel_in_use() == best() ? 0 : 3;
    }
    if (round == 1) { /* a choice before the first call is kept */
        const struct wiresum_kernel *const last = wiresum_kernel_by_name("portable");
        return wiresum_use_kernel(last) && wiresum_sum(data, BYTES) == right
                       && wiresum_kernel_in_use() == last
                   ? 0
                   : 4;
    }
    if (ATOMIC_EXCHANGE && round % 2 == 0) { /* a choice during the first calls is kept */
        const struct wiresum_kernel *const last = wiresum_kernel_by_name("portable");
        atomic_store(&waiting, 2);
        if (pthread_create(&threads[0], NULL, first_thread, &ways[0]) != 0)
            return 5;
        atomic_fetch_sub(&waiting, 1);
        while (atomic_load(&waiting) != 0)
            ;
        for (volatile unsigned delay = round * 5; delay > 0; delay--)
            ;
        const bool chosen = wiresum_use_kernel(last);
        pthread_join(threads[0], NULL);
        return chosen && wiresum_kernel_in_use() == last ? 0 : 8;
    }
    atomic_store(&waiting, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        ways[i] = i + round * THREADS;
        if (pthread_create(&threads[i], NULL, first_thread, &ways[i]) != 0)
            return 5;
    }
    for (unsigned i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        all_right = all_right && result != NULL;
    }
    return !all_right ? 6 : wiresum_kernel_in_use() != best() ? 7 : 0;
}

static void first_calls(void)
{
    static const char *const meanings[] = { "",
                                            "",
                                            "",
                                            "the environment was read",
                                            "a choice before the first call was lost",
                                            "no thread",
                                            "a wrong answer",
                                            "not the best kernel in use",
                                            "a choice during the first calls was lost" };
    const unsigned rounds = test_thin > 1 ? 24 : 240;
    for (unsigned round = 0; round < rounds; round++) {
        test_at.round = round;
        if (!TEST_WANTED(round, round))
            continue;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0)
            _exit(first_process(round));
        int status = 0;
        test_counted();
        if (child < 0 || waitpid(child, &status, 0) != child)
            test_fail("no process");
        else if (WIFSIGNALED(status))
            test_fail("signal %d", WTERMSIG(status));
        else if (WEXITSTATUS(status) != 0)
            test_fail("%s", WEXITSTATUS(status) < (int)TEST_COUNT(meanings)
                                ? meanings[WEXITSTATUS(status)]
                                : "another exit status");
    }
}

/* ---- races ---- */

static atomic_bool stop;
static atomic_uint wrong;

static void *summing(void *which)
{
    uint8_t *const to = copy_to[*(const unsigned *)which];
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        if (wiresum_sum(data, BYTES) != right || wiresum_copy(to, data, BYTES) != right
            || !wiresum_kernel_in_use()->is_supported())
            atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

static void races(void)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    size_t count;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);

    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, summing, &numbers[i]) != 0) {
            test_fail("no thread");
            exit(1);
        }
    }
    for (unsigned i = 0, most = test_thin > 1 ? 200 : 5000; i < most; i++) {
        const struct wiresum_kernel *const k = &list[i % count];
        test_true(wiresum_use_kernel(k) == k->is_supported(),
                  "use_kernel accepts the supported kernels alone");
        test_true(wiresum_sum(data, i % BYTES) == test_memory_order(plain_sum(data, i % BYTES)),
                  "a sum between two choices");
    }
    atomic_store(&stop, true);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    test_true(atomic_load(&wrong) == 0, "every sum is right while another thread chooses kernels");
    wiresum_use_kernel(best());
}

#endif

/* Checks that the inline functions call the kernel itself. They would give the same sums if they
   went on to ask the library for the choice at each call. */
static void calls_kernel(const struct wiresum_kernel *k)
{
#if defined(WIRESUM_CALLS_KERNEL) && !WIRESUM_ONE_KERNEL
    test_true(wiresum_active_v1->partial == k->partial, "the inline functions call the kernel");
#else
    (void)k;
#endif
}

/* ---- the list ---- */

static void lists(void)
{
    size_t count = 0, again = 0;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);

    test_true(list != NULL && count >= 1, "there is a kernel");
    test_true(wiresum_kernels(&again) == list && again == count, "the list is always the same");
    test_true(strcmp(list[count - 1].name, "portable") == 0, "portable is last");
    test_true(list[count - 1].is_supported(), "portable is supported");
    for (size_t i = 0; i < count; i++) {
        const char *const name = list[i].name;
        test_at.kernel = name;
        test_kernel_index = i;
        test_true(name && name[0]
                      && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name),
                  "a name of [a-z0-9_]");
        test_true(list[i].is_supported && list[i].partial && list[i].copy_partial, "nothing null");
        test_true(list[i].is_supported() == list[i].is_supported(), "support does not change");
        test_true(wiresum_kernel_by_name(name) == &list[i],
                  "found by its name, so the name is unique");
        for (size_t j = 0; j < i; j++)
            test_true(list[j].partial != list[i].partial
                          && list[j].copy_partial != list[i].copy_partial,
                      "no kernel twice");

        char other[80];
        snprintf(other, sizeof other, "%s_", name);
        test_true(wiresum_kernel_by_name(other) == NULL, "not found by a longer name");
        snprintf(other, sizeof other, "%.*s", (int)strlen(name) - 1, name);
        test_true(wiresum_kernel_by_name(other) == NULL, "not found by a shorter name");
        snprintf(other, sizeof other, "%s", name);
        other[0] = (char)(other[0] - 'a' + 'A');
        test_true(wiresum_kernel_by_name(other) == NULL, "not found in capitals");
    }
    test_at.kernel = NULL;
    test_kernel_index = TEST_MOST_KERNELS;
    test_true(wiresum_kernel_by_name("") == NULL, "not found by an empty name");
    test_true(wiresum_kernel_by_name("detector") == NULL, "the detector is not a kernel");
    test_true(wiresum_kernel_in_use() == best(), "the first supported kernel is in use");
    calls_kernel(best());
}

/* ---- detection ---- */

#if WIRESUM_HAVE_X86_SSE2

/* What a CPU answers: Intel SDM volume 2A, CPUID. */
struct cpu {
    const char *what;
    unsigned most;                      /* the highest leaf */
    unsigned leaf1_c, leaf1_d;          /* OSXSAVE is bit 27 of ECX, SSE2 bit 26 of EDX */
    unsigned leaf7_a, leaf7_b, leaf7_c; /* AVX2 5, BMI2 8, F 16, BW 30, VL 31; VNNI is 11 of ECX */
    unsigned leaf71_a, leaf71_d;        /* AVX-VNNI is bit 4 of EAX, AVX-VNNI-INT16 10 of EDX */
    uint64_t xcr0;                      /* SSE 1, AVX 2, opmask 5, ZMM 6 and 7 (volume 1, 13.3) */
    unsigned features;
};

enum {
    OSXSAVE = 1 << 27,
    SSE2 = 1 << 26,
    AVX2_BMI2 = 1 << 5 | 1 << 8,
    AVX512_F_BW = 1 << 16 | 1 << 30,
    VNNI = 1 << 11,
};
#  define AVX512_VL (1u << 31)
#  define ALL_B     (AVX2_BMI2 | AVX512_F_BW | AVX512_VL)
#  define ALL_YMM \
      (WIRESUM_CPU_SSE2 | WIRESUM_CPU_AVX2 | WIRESUM_CPU_AVXVNNI | WIRESUM_CPU_VNNI_INT16)
#  define ALL (ALL_YMM | WIRESUM_CPU_AVX512 | WIRESUM_CPU_AVX512VNNI)

/* Each of the first rows is a CPU with everything, under a system that saves less. */
static const struct cpu cpus[] = {
    { "everything", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 0xE7, ALL },
    { "a system that uses no XSAVE", 7, 0, SSE2, 1, ALL_B, VNNI, 16, 1024, 0xE7, WIRESUM_CPU_SSE2 },
    { "x87 state alone", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 1, WIRESUM_CPU_SSE2 },
    { "SSE state alone", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 3, WIRESUM_CPU_SSE2 },
    { "AVX state without SSE", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 5, WIRESUM_CPU_SSE2 },
    { "no opmask or ZMM state", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 7, ALL_YMM },
    { "no opmask state", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 0xC7, ALL_YMM },
    { "no upper ZMM state", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 0xA7, ALL_YMM },
    { "no ZMM16 to ZMM31", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 0x67, ALL_YMM },
    { "ZMM state without AVX", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 0xE3, WIRESUM_CPU_SSE2 },
    { "no leaf 7", 6, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 0xE7, WIRESUM_CPU_SSE2 },
    { "no leaf at all", 0, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 1024, 0xE7, 0 },
    { "no SSE2", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
    { "no subleaf 1", 7, OSXSAVE, SSE2, 0, ALL_B, VNNI, 16, 1024, 0xE7,
      ALL & ~(WIRESUM_CPU_AVXVNNI | WIRESUM_CPU_VNNI_INT16) },
    { "AVX2 without BMI2", 7, OSXSAVE, SSE2, 1, ALL_B & ~0x100u, VNNI, 16, 1024, 0xE7,
      WIRESUM_CPU_SSE2 },
    { "AVX-512 without BW", 7, OSXSAVE, SSE2, 1, ALL_B & ~(1u << 30), VNNI, 16, 1024, 0xE7,
      ALL_YMM },
    { "AVX-512 without VL", 7, OSXSAVE, SSE2, 1, ALL_B & ~AVX512_VL, VNNI, 16, 1024, 0xE7,
      ALL_YMM },
    { "AVX-512 without VNNI", 7, OSXSAVE, SSE2, 1, ALL_B, 0, 16, 1024, 0xE7,
      ALL & ~WIRESUM_CPU_AVX512VNNI },
    { "AVX2 alone", 7, OSXSAVE, SSE2, 1, AVX2_BMI2, 0, 0, 0, 0x07,
      WIRESUM_CPU_SSE2 | WIRESUM_CPU_AVX2 },
    { "AVX-VNNI alone", 7, OSXSAVE, SSE2, 1, ALL_B, VNNI, 16, 0, 0xE7,
      ALL & ~WIRESUM_CPU_VNNI_INT16 },
};
/* EAX of leaf 1: stepping in bits 0 to 3, model in 4 to 7 and 16 to 19, family from 8 and from 20.
   Intel SDM volume 4, table 2-1, has the models. */
static const struct {
    const char *what;
    unsigned leaf1_a, features;
} models[] = {
    { "Skylake-SP", 0x50654, WIRESUM_CPU_SLOWS_AT_512 },
    { "Cascade Lake", 0x50657, WIRESUM_CPU_SLOWS_AT_512 },
    { "Ice Lake-SP", 0x606A6, 0 },
    { "Rocket Lake", 0xA0671, 0 },
    { "AMD Zen 4", 0xA60F12, 0 },
};
static unsigned leaf1_a;
static const struct cpu *cpu;
static unsigned leaf_of_caches; /* 4 on CPUs of Intel, 8000001D on CPUs of AMD, or 0 */

static int table_cpuid(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c,
                       unsigned *d)
{
    asked++;
    *a = *b = *c = *d = 0;
    if (leaf_of_caches && leaf == leaf_of_caches && subleaf < 5) {
        /* Data 32 KiB, instructions 64 MiB, unified 30 MiB, unified 1 MiB: 64 bytes a line, and
           ways, partitions and sets less one. Type 0 says that there is no other cache, and the
           other numbers then say nothing. */
        static const unsigned types[] = { 1, 2, 3, 3, 0 }, ways[] = { 8, 16, 15, 16, 1024 },
                              partitions[] = { 1, 1, 2, 1, 1024 },
                              sets[] = { 64, 65536, 16384, 1024, 65536 };
        *a = 1 << 5 | types[subleaf];
        *b = (ways[subleaf] - 1) << 22 | (partitions[subleaf] - 1) << 12 | 63;
        *c = sets[subleaf] - 1;
        return 1;
    }
    if (leaf >= 0x80000000u || leaf > cpu->most)
        return 0;
    if (leaf == 1)
        *a = leaf1_a, *c = cpu->leaf1_c, *d = cpu->leaf1_d;
    if (leaf == 7 && subleaf == 0)
        *a = cpu->leaf7_a, *b = cpu->leaf7_b, *c = cpu->leaf7_c;
    if (leaf == 7 && subleaf == 1)
        *a = cpu->leaf71_a, *d = cpu->leaf71_d;
    return 1;
}

static uint64_t table_xcr0(void)
{
    if (!(cpu->leaf1_c & OSXSAVE))
        test_fail("%s: xgetbv, which faults on a system that uses no XSAVE", cpu->what);
    return cpu->xcr0;
}

static void detections(void)
{
    static const unsigned bits[] = {
        WIRESUM_CPU_SSE2,    WIRESUM_CPU_AVX2,         WIRESUM_CPU_AVX512,  WIRESUM_CPU_AVX512VNNI,
        WIRESUM_CPU_AVXVNNI, WIRESUM_CPU_VNNI_INT16,   WIRESUM_CPU_NEON,    WIRESUM_CPU_SVE,
        WIRESUM_CPU_ALTIVEC, WIRESUM_CPU_VSX,          WIRESUM_CPU_RISCV_V, WIRESUM_CPU_S390X_VX,
        WIRESUM_CPU_LSX,     WIRESUM_CPU_SLOWS_AT_512, WIRESUM_CPU_UNKNOWN,
    };
    unsigned taken = 0;
    for (size_t i = 0; i < TEST_COUNT(bits); i++) {
        test_true(bits[i] && !(bits[i] & (bits[i] - 1)) && !(bits[i] & taken),
                  "each feature has one bit of its own");
        taken |= bits[i];
    }
    for (size_t i = 0; i < TEST_COUNT(cpus); i++) {
        test_at.round = (int64_t)i;
        cpu = &cpus[i];
        const unsigned features = features_of_table();
        test_counted();
        if (features != cpu->features)
            test_fail("%s: features 0x%X, expected 0x%X", cpu->what, features, cpu->features);
    }
    test_at.round = -1;

    cpu = &cpus[0];
    for (size_t i = 0; i < TEST_COUNT(models); i++) {
        leaf1_a = models[i].leaf1_a;
        test_true(features_of_table() == (cpu->features | models[i].features), models[i].what);
    }

    static const unsigned leaves[] = { 4, 0x8000001D, 0 };
    for (size_t i = 0; i < TEST_COUNT(leaves); i++) {
        test_at.round = (int64_t)i;
        leaf_of_caches = leaves[i];
        around_caches_from = 0;
        const size_t around = around_caches_of_table();
        test_true(around == (leaves[i] ? (size_t)30 * 1024 * 1024 / 4 * 3 : SIZE_MAX),
                  "three quarters of the largest cache, or no limit that a copy reaches");
        asked = 0;
        test_true(around_caches_of_table() == around && asked == 0, "the CPU is asked once");
    }
    test_at.round = -1;
}

#endif

/* ---- refusals ---- */

static void refusals(void)
{
    size_t count;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);
    TEST_EACH_KERNEL(k) {
        const struct wiresum_kernel copy = *k;
        test_true(wiresum_kernel_in_use() == k, "the chosen kernel is in use");
        calls_kernel(k);
        test_true(!wiresum_use_kernel(NULL), "null is refused");
        test_true(!wiresum_use_kernel(&copy), "a copy of a kernel is refused");
        test_true(!wiresum_use_kernel(list + count), "a kernel after the list is refused");
        test_true(
            !wiresum_use_kernel((const struct wiresum_kernel *)(const void *)((const char *)k + 1)),
            "an address within a kernel of the list is refused");
        for (size_t i = 0; i < count; i++)
            if (!list[i].is_supported())
                test_true(!wiresum_use_kernel(&list[i]), "an unsupported kernel is refused");
        test_true(wiresum_kernel_in_use() == k, "a refusal changes nothing");
        test_true(wiresum_sum(data, BYTES) == right, "a refusal breaks nothing");
    }
    wiresum_use_kernel(best());
}

/* ---- one call between two steps of another ---- */

#if defined(WIRESUM_CALLS_KERNEL) && !WIRESUM_ONE_KERNEL

static unsigned steps, second_call_at;             /* counted from 1; 0: no second call */
static const struct wiresum_kernel *second_choice; /* null: the call is a first one */

/* Chooses the kernel; null stands for the choice that a first call makes. Returns the choice. */
static const struct wiresum_kernel *choose(const struct wiresum_kernel *kernel)
{
    if (!kernel)
        return stepped_kernel_in_use();
    test_true(stepped_use_kernel(kernel), "a supported kernel is accepted");
    return kernel;
}

static void step(void)
{
    if (++steps == second_call_at)
        choose(second_choice);
}

static void forget_choice(void)
{
    stepped_chosen = &undecided;
    stepped_active = &undecided.functions;
}

/* The second call is as one of another thread that runs while the first one waits. */
static void calls_between_steps(void)
{
    given_features = wiresum_cpu_features();
    size_t count;
    const struct wiresum_kernel *const list = stepped_kernels(&count);
    const struct wiresum_kernel *const last = &list[count - 1], *const before = last - 1;
    /* Two rows each: the first call and the second one. */
    const struct wiresum_kernel *const calls[][2] = {
        { NULL, last }, { NULL, NULL }, { last, before }, { last, NULL }
    };
    test_true(before->is_supported(), "two kernels that every CPU of this build supports");
    for (size_t i = 0; i < TEST_COUNT(calls); i++) {
        bool had_second_call = true;
        for (unsigned at = 1; had_second_call; at++) {
            test_at.round = (int64_t)i, test_at.offset = at;
            forget_choice();
            steps = 0, second_call_at = at, second_choice = calls[i][1];
            const struct wiresum_kernel *const made = choose(calls[i][0]);
            had_second_call = steps >= at;
            second_call_at = 0;
            test_true(had_second_call || at > 4, "a choice has steps");

            const struct wiresum_kernel *const in_use = stepped_kernel_in_use();
            test_true(stepped_active->partial == in_use->partial,
                      "the inline functions call the kernel in use");
            /* A first call never takes the place of a choice. The later choice is kept: the first
               step of a choice is its store. */
            const struct wiresum_kernel *expected = calls[i][0];
            if (had_second_call && calls[i][1] && (at > 1 || !calls[i][0]))
                expected = calls[i][1];
            /* A first call has two steps, a load and an exchange, in which it can find a choice. */
            if (!calls[i][0] && calls[i][1] && at <= 2)
                test_true(made == calls[i][1], "a first call finds the choice of another one");
            const char *const name = expected ? expected->name : best()->name;
            test_true(strcmp(in_use->name, name) == 0, "the last choice is kept");
        }
    }
    test_at.round = test_at.offset = -1;
}

/* Each CPU has the features of all rows above its own. */
static void choices_by_features(void)
{
    static const struct {
        unsigned more;
        const char *chosen, *chosen_if_slow;
    } rows[] = {
        { 0, "x86_adc", "x86_adc" },
        { WIRESUM_CPU_SSE2, "x86_sse2", "x86_sse2" },
        { WIRESUM_CPU_AVX2, "x86_avx2", "x86_avx2" },
        { WIRESUM_CPU_AVX512, "x86_avx512bw", "x86_avx2" },
        { WIRESUM_CPU_AVX512VNNI, "x86_avx512vnni", "x86_avx2" },
        { WIRESUM_CPU_AVXVNNI, "x86_avx512vnni", "x86_avxvnni" },
    };
    size_t count;
    const struct wiresum_kernel *const list = stepped_kernels(&count);
    unsigned features = 0;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        features |= rows[i].more;
        for (int slow = 0; slow < 2; slow++) {
            const char *const name = slow ? rows[i].chosen_if_slow : rows[i].chosen;
            test_at.round = (int64_t)i, test_at.offset = slow;
            given_features = features | (slow ? WIRESUM_CPU_SLOWS_AT_512 : 0);
            forget_choice();
            if (features == 0) { /* x86_adc, which every CPU runs, sums no headers together */
                uint16_t sum;
                test_true(stepped_chosen->headers(data, 20, 1, &sum) == 0,
                          "a first call for headers leaves them to the batch");
                forget_choice();
            }
            if (stepped_kernel_by_name(name)) /* an older compiler cannot build each kernel */
                test_true(strcmp(stepped_kernel_in_use()->name, name) == 0, name);

            /* All kernels of the rows so far are accepted, also slow ones, and no other. */
            for (size_t k = 0; k < count; k++) {
                bool expected = strcmp(list[k].name, "portable") == 0;
                for (size_t j = 0; j <= i; j++)
                    expected = expected || strcmp(list[k].name, rows[j].chosen) == 0
                               || strcmp(list[k].name, rows[j].chosen_if_slow) == 0;
                test_true(stepped_use_kernel(&list[k]) == expected,
                          "a kernel is accepted if the CPU has its features");
                given_features |= WIRESUM_CPU_UNKNOWN;
                test_true(stepped_use_kernel(&list[k]), "where nothing says, each is accepted");
                given_features &= ~(unsigned)WIRESUM_CPU_UNKNOWN;
            }
        }
    }
    test_at.round = test_at.offset = -1;
}

#endif

/* ---- force ---- */

#if TEST_POSIX

static sigjmp_buf back;
static volatile uintptr_t fault_at;

static uintptr_t program_counter(const void *context)
{
    const ucontext_t *const c = context;
#  if !defined(__linux__)
    return (void)c, (uintptr_t)0;
#  elif defined(__x86_64__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#  elif defined(__i386__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_EIP];
#  elif defined(__aarch64__)
    return (uintptr_t)c->uc_mcontext.pc;
#  elif defined(__arm__)
    return (uintptr_t)c->uc_mcontext.arm_pc;
#  elif defined(__powerpc64__)
    return (uintptr_t)c->uc_mcontext.gp_regs[32];
#  elif defined(__powerpc__) && defined(__GLIBC__)
    return (uintptr_t)c->uc_mcontext.uc_regs->gregs[32];
#  elif defined(__riscv)
    return (uintptr_t)c->uc_mcontext.__gregs[0];
#  elif defined(__s390x__)
    return (uintptr_t)c->uc_mcontext.psw.addr;
#  elif defined(__loongarch__)
    return (uintptr_t)c->uc_mcontext.__pc;
#  else
    return (void)c, (uintptr_t)0;
#  endif
}

static void faulted(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)info;
    fault_at = program_counter(context);
    siglongjmp(back, 1);
}

/* Returns the address of the instruction that first reads unreadable memory, or 0 if this system
   does not tell it. */
static uintptr_t where_it_reads(const struct wiresum_kernel *k, bool copying, uint8_t *to,
                                const uint8_t *unreadable)
{
    fault_at = 0;
    if (sigsetjmp(back, 1) == 0) {
        uint64_t sum;
        if (copying)
            sum = k ? k->copy_partial(to, unreadable, 2048) : wiresum_copy(to, unreadable, 2048);
        else
            sum = k ? k->partial(unreadable, 2048) : wiresum_sum(unreadable, 2048);
        test_fail("memory that cannot be read gave the sum 0x%" PRIX64, sum);
    }
    return fault_at;
}

#endif

static void forces(void)
{
    size_t count;
    const struct wiresum_kernel *const list = wiresum_kernels(&count);
    size_t alike = 0;

    /* Partial sums differ between kernels at some length. wiresum_partial must return the partial
       sums of the chosen kernel, except of 20 bytes, which no kernel sums. */
    TEST_EACH_KERNEL(k) {
        for (size_t n = 0; n <= 600; n++) {
            test_at.length = (int64_t)n;
            const uint64_t kernel = n == 20 ? wiresum_partial_20(data) : k->partial(data, n);
            test_true(wiresum_partial(data, n, 0) == kernel,
                      "wiresum_partial is the partial sum of the kernel");
        }
        test_at.length = -1;
        for (const struct wiresum_kernel *other = list; other < k; other++) {
            bool differs = !other->is_supported();
            for (size_t n = 0; n <= 600 && !differs; n++)
                differs = other->partial(data, n) != k->partial(data, n);
            alike += !differs;
        }
    }
    printf("pairs of kernels whose partial sums are all alike: %lu\n", (unsigned long)alike);

#if TEST_POSIX
    /* The instruction that faults is in the chosen kernel, and no two kernels share it. */
    uintptr_t places[2][TEST_MOST_KERNELS] = { { 0 } };
    const struct test_arena to = test_arena(4096);
    uint8_t *const unreadable = test_arena(4096).end; /* the start of a guard page */
    struct sigaction action, previous[2];
    memset(&action, 0, sizeof action);
    action.sa_sigaction = faulted;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
#  if defined(TEST_VALGRIND)
    VALGRIND_DISABLE_ERROR_REPORTING; /* the accesses are deliberate */
#  endif
    sigaction(SIGSEGV, &action, &previous[0]);
    sigaction(SIGBUS, &action, &previous[1]);
    bool known = true;
    TEST_EACH_KERNEL(k) {
        for (int copying = 0; copying < 2; copying++) {
            const uintptr_t own = where_it_reads(k, copying, to.start, unreadable);
            const uintptr_t chosen = where_it_reads(NULL, copying, to.start, unreadable);
            known = known && own && chosen;
            test_true(own == chosen, copying ? "wiresum_copy runs the chosen kernel"
                                             : "wiresum_sum runs the chosen kernel");
            places[copying][k - list] = own;
            for (size_t i = 0; known && i < (size_t)(k - list); i++)
                test_true(places[0][i] != own && places[1][i] != own,
                          "no two kernels are the same code");
        }
    }
    sigaction(SIGSEGV, &previous[0], NULL);
    sigaction(SIGBUS, &previous[1], NULL);
#  if defined(TEST_VALGRIND)
    VALGRIND_ENABLE_ERROR_REPORTING;
#  endif
    if (!known)
        printf("left out: the instruction that reads the data, which this system does not tell\n");
#endif
    wiresum_use_kernel(best());
}

int main(int argc, char **argv)
{
    test_begin("dispatch", argc, argv);
    uint64_t state = test_random_state(30, 0);
    test_random_bytes(&state, data, BYTES);
    right = test_memory_order(plain_sum(data, BYTES));
    for (size_t i = 0; i < THREADS; i++)
        copy_to[i] = test_allocate(BYTES);

#if TEST_POSIX
    if (test_group("first-call")) /* this process has made no call yet */
        first_calls();
#else
    printf("left out: threads and processes, which this system lacks\n");
#endif
    if (test_group("list"))
        lists();
#if WIRESUM_HAVE_X86_SSE2
    if (test_group("detect"))
        detections();
#endif
    if (test_group("refuse"))
        refusals();
    if (test_group("force"))
        forces();
#if defined(WIRESUM_CALLS_KERNEL) && !WIRESUM_ONE_KERNEL
    if (test_group("between"))
        calls_between_steps();
    if (test_group("features"))
        choices_by_features();
#endif
#if TEST_POSIX
    if (test_group("race"))
        races();
#endif
    return test_end();
}
