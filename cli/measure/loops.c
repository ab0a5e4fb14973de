/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The timed loops of the benchmark, and its yardsticks. They are in C, because a yardstick must
 * consist of exactly the instructions that its name says, and because the same loop must call each
 * kernel, rival and yardstick in the same way. src/run/mod.rs decides which loop runs, and how
 * often.
 *
 * Each timed loop returns ticks. A null function pointer names the library's own public function,
 * which the loop calls directly, as a user does; wiresum_bench_partial names wiresum_partial.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <wiresum.h>

#if defined(__x86_64__) || defined(__i386__)
#  include <cpuid.h>
#  include <x86intrin.h>
#  define IS_X86 1
#else
#  include <time.h>
#  define IS_X86 0
#endif
#if defined(__unix__) || defined(__APPLE__)
#  include <sys/mman.h>
#  include <unistd.h>
#  define HAS_MMAP 1
#else
#  include <stdlib.h>
#  define HAS_MMAP 0
#endif

typedef uint64_t sum_function(const void *data, size_t n);
typedef uint64_t copy_function(void *dst, const void *src, size_t n);

/* ---- the clock ---- */

int wiresum_bench_ticks_are_tsc(void)
{
    return IS_X86;
}

/* The fences keep timed instructions on their side. */
uint64_t wiresum_bench_ticks(void)
{
#if IS_X86
    _mm_lfence();
    const uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/*
 * Ticks of reps × 48 cycles of the core: sixteen multiplications, each of which needs the result of
 * the one before it and takes three cycles, on Intel's cores since Nehalem and AMD's since Zen. The
 * newest cores fold additions, so additions would not do. Elsewhere 0: the cycles are not known.
 */
uint64_t wiresum_bench_48_cycles(size_t reps)
{
#if defined(__x86_64__)
    uint64_t x = 3;
    const uint64_t start = wiresum_bench_ticks();
    for (size_t i = 0; i < reps; i++)
        __asm__ volatile(".rept 16\n\timulq %0, %0\n\t.endr" : "+r"(x));
    return wiresum_bench_ticks() - start;
#else
    (void)reps;
    return 0;
#endif
}

/* Ticks of one CPUID instruction, which a hypervisor answers in software; 0 on other CPUs. */
uint64_t wiresum_bench_cpuid(void)
{
#if IS_X86
    unsigned a, b, c, d;
    const uint64_t start = wiresum_bench_ticks();
    __cpuid(0, a, b, c, d);
    __asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d));
    return wiresum_bench_ticks() - start;
#else
    return 0;
#endif
}

/*
 * Ticks of reps copies of 4 KiB by memcpy. It is the same work at the same place in every round of
 * a run, so only the core's other users change its time. Half a page lies between the two places in
 * their pages, so that no load waits for a store that only looks alike.
 */
uint64_t wiresum_bench_watch(size_t reps)
{
    enum { SIZE = 4096, WARM = 4 };
    static _Alignas(SIZE) uint8_t from[SIZE], room[2 * SIZE];
    uint8_t *to = room + SIZE / 2;
    uint64_t start = 0;
    for (size_t i = 0; i < WARM + reps; i++) {
        if (i == WARM)
            start = wiresum_bench_ticks();
        __asm__ volatile("" : "+r"(to) : : "memory");
        memcpy(to, from, SIZE);
        __asm__ volatile("" : : "r"(to) : "memory");
    }
    return wiresum_bench_ticks() - start;
}

/* ---- yardsticks ---- */

/*
 * Loads alone: of every aligned vector that holds a byte of the data, which is the least that any
 * sum must do. An aligned vector may reach beyond the data, but stays in their cache lines.
 */
#if defined(__x86_64__)
#  define LOADS(name, bytes, instruction, reg, features)                                           \
      __attribute__((target(features), aligned(64))) uint64_t name(const void *data, size_t n)     \
      {                                                                                            \
          const uintptr_t from = (uintptr_t)data & ~(uintptr_t)((bytes) - 1),                      \
                          end = (uintptr_t)data + n;                                               \
          uintptr_t p = from;                                                                      \
          for (; p + 8 * (bytes) <= end; p += 8 * (bytes))                                         \
              __asm__ volatile(instruction                                                         \
                               " 0*" #bytes "(%0), %%" reg "0\n\t" instruction " 1*" #bytes        \
                               "(%0), %%" reg "1\n\t" instruction " 2*" #bytes "(%0), %%" reg      \
                               "2\n\t" instruction " 3*" #bytes "(%0), %%" reg "3\n\t" instruction \
                               " 4*" #bytes "(%0), %%" reg "4\n\t" instruction " 5*" #bytes        \
                               "(%0), %%" reg "5\n\t" instruction " 6*" #bytes "(%0), %%" reg      \
                               "6\n\t" instruction " 7*" #bytes "(%0), %%" reg "7\n\t"             \
                               :                                                                   \
                               : "r"(p)                                                            \
                               : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");  \
          for (; p < end; p += (bytes))                                                            \
              __asm__ volatile(instruction " (%0), %%" reg "0" : : "r"(p) : "xmm0");               \
          __asm__ volatile("vzeroupper");                                                          \
          return 0;                                                                                \
      }
LOADS(wiresum_bench_load256, 32, "vmovdqa", "ymm", "avx")
LOADS(wiresum_bench_load512, 64, "vmovdqa64", "zmm", "avx512f")
#else
typedef uint64_t vector __attribute__((vector_size(16), may_alias));
uint64_t wiresum_bench_load128(const void *data, size_t n)
{
    const uintptr_t end = (uintptr_t)data + n;
    uintptr_t p = (uintptr_t)data & ~(uintptr_t)15;
    for (; p + 128 <= end; p += 128) /* volatile: a load each, and nothing done with it */
        for (int i = 0; i < 8; i++)
            (void)((const volatile vector *)p)[i];
    for (; p < end; p += 16)
        (void)*(const volatile vector *)p;
    return 0;
}
#endif

/*
 * Loads alone, without a branch that depends on the length: of as many aligned vectors as data of
 * `longest` bytes touch at most. After the last vector of shorter data it loads that one again. No
 * length is mispredicted, so this is the limit of a mix. The one branch is for data of no bytes,
 * which are a line of zeros.
 */
#define INLINE static inline __attribute__((always_inline))
INLINE void each_vector(void load(uintptr_t at, uintptr_t last), size_t bytes, size_t longest,
                        const void *data, size_t n)
{
    static _Alignas(64) const uint8_t none[64];
    const uintptr_t start = (uintptr_t)(n ? data : none), first = start & ~(uintptr_t)(bytes - 1),
                    last = (start + n - (n != 0)) & ~(uintptr_t)(bytes - 1);
    const size_t vectors = (longest + bytes - 2) / bytes + 1;
#pragma GCC unroll 96
    for (size_t i = 0; i < vectors; i++)
        load(first + i * bytes, last);
}

#if defined(__x86_64__)
#  define LOAD_UP_TO(name, instruction, reg)                                                  \
      INLINE void name(uintptr_t at, uintptr_t last)                                          \
      {                                                                                       \
          __asm__ volatile("cmpq %1, %0\n\tcmovaq %1, %0\n\t" instruction " (%0), %%" reg "0" \
                           : "+r"(at)                                                         \
                           : "r"(last)                                                        \
                           : "xmm0", "cc");                                                   \
      }
LOAD_UP_TO(load256, "vmovdqa", "ymm")
LOAD_UP_TO(load512, "vmovdqa64", "zmm")
#  define END_OF_VECTORS() __asm__ volatile("vzeroupper")
#else
INLINE void load128(uintptr_t at, uintptr_t last)
{
    (void)*(const volatile vector *)(at < last ? at : last);
}
#  define END_OF_VECTORS() (void)0
#endif

#define UNBRANCHED(bits, longest)                                                  \
    __attribute__((aligned(64))) uint64_t wiresum_bench_load##bits##_to_##longest( \
        const void *data, size_t n)                                                \
    {                                                                              \
        each_vector(load##bits, (bits) / 8, longest, data, n);                     \
        END_OF_VECTORS();                                                          \
        return 0;                                                                  \
    }
#define UNBRANCHED_FOR_EACH_MIX(bits) \
    UNBRANCHED(bits, 64)              \
    UNBRANCHED(bits, 256)             \
    UNBRANCHED(bits, 1500)
#if defined(__x86_64__)
UNBRANCHED_FOR_EACH_MIX(256)
UNBRANCHED_FOR_EACH_MIX(512)
#else
UNBRANCHED_FOR_EACH_MIX(128)
#endif

/* For a test: the vectors that each_vector hands to a load, and their number. */
static uintptr_t *note_to;
static void note(uintptr_t at, uintptr_t last)
{
    *note_to++ = at < last ? at : last;
}

size_t wiresum_bench_note_vectors(size_t bytes, size_t longest, const void *data, size_t n,
                                  uintptr_t *notes)
{
    note_to = notes;
    each_vector(note, bytes, longest, data, n);
    return (size_t)(note_to - notes);
}

/* One load a packet: the least wait for packets that lie scattered. */
uint64_t wiresum_bench_touch(const void *data, size_t n)
{
    (void)n;
    return *(const volatile uint8_t *)data;
}

/* A jump to memcpy, whose result is in the same register as this function's. */
uint64_t wiresum_bench_memcpy(void *dst, const void *src, size_t n)
{
    return (uint64_t)(uintptr_t)memcpy(dst, src, n);
}

/* ---- timed loops ---- */

/* The place of all results, so that no compiler drops a call. */
volatile uint64_t wiresum_bench_sink;

static inline uint64_t public_sum(const void *data, size_t n)
{
    return wiresum_sum(data, n);
}

/* Unfolded, as kernels and some rivals return it. */
static inline uint64_t public_partial(const void *data, size_t n)
{
    return wiresum_partial(data, n, 0);
}

/* Names the inline function for the timed loops; only untimed code calls it. */
uint64_t wiresum_bench_partial(const void *data, size_t n)
{
    return public_partial(data, n);
}

/* wiresum_sum through a pointer, as each rival is called: folded, and not inline in the loop. */
__attribute__((aligned(64))) uint64_t wiresum_bench_sum_by_pointer(const void *data, size_t n)
{
    return public_sum(data, n);
}

static inline uint64_t public_copy(void *dst, const void *src, size_t n)
{
    return wiresum_copy(dst, src, n);
}

/* Each loop is a function of its own, so that its variables, and no others, stay in registers from
   call to call. It begins with a cache line, as the yardsticks do, so that its place in memory does
   not decide. */
#define TIMED_LOOP static __attribute__((noinline, aligned(64))) uint64_t
#define TIMED(name, type, library, partial, parameters, arguments, ...)                        \
    static inline __attribute__((always_inline)) uint64_t name##_of(type *const f, parameters) \
        __VA_ARGS__ TIMED_LOOP name##_by(type *const f, parameters)                            \
    {                                                                                          \
        return name##_of(f, arguments);                                                        \
    }                                                                                          \
    TIMED_LOOP name##_public(parameters)                                                       \
    {                                                                                          \
        return name##_of(library, arguments);                                                  \
    }                                                                                          \
    TIMED_LOOP name##_partial(parameters)                                                      \
    {                                                                                          \
        return name##_of(partial, arguments);                                                  \
    }                                                                                          \
    uint64_t wiresum_bench_##name(type *f, parameters)                                         \
    {                                                                                          \
        const bool is_partial = (void (*)(void))f == (void (*)(void))wiresum_bench_partial;    \
        const uint64_t start = wiresum_bench_ticks();                                          \
        wiresum_bench_sink = !f           ? name##_public(arguments)                           \
                             : is_partial ? name##_partial(arguments)                          \
                                          : name##_by(f, arguments);                           \
        return wiresum_bench_ticks() - start;                                                  \
    }
#define AND ,

/* Keeps a compiler from using the values of one call of an inline function in the next call. */
#define FORGET(pointer, len) __asm__ volatile("" : "+r"(pointer), "+r"(len) : : "memory")

/* The same buffer again and again: the throughput of calls. */
TIMED(sum, sum_function, public_sum, public_partial, const uint8_t *p AND size_t n AND size_t reps,
      p AND n AND reps, {
          uint64_t x = 0;
          while (reps--) {
              FORGET(p, n);
              x += f(p, n);
          }
          return x;
      })

/* Each call waits for the result of the one before it: the latency of a call. zero is 0, which the
 * compiler does not know. */
static volatile uint64_t zero;
TIMED(chain, sum_function, public_sum, public_partial,
      const uint8_t *p AND size_t n AND size_t reps, p AND n AND reps, {
          const uint64_t mask = zero;
          uint64_t x = 0;
          while (reps--) {
              FORGET(p, n);
              x = f(p + (x & mask), n);
          }
          return x;
      })

TIMED(packets, sum_function, public_sum, public_partial,
      const struct wiresum_piece *packets AND size_t n, packets AND n, {
          uint64_t x = 0;
          for (const struct wiresum_piece *const end = packets + n; packets != end; packets++)
              x += f(packets->data, packets->len);
          return x;
      })

TIMED(copy, copy_function, public_copy, public_copy,
      uint8_t *dst AND const uint8_t *p AND size_t n AND size_t reps, dst AND p AND n AND reps, {
          uint64_t x = 0;
          while (reps--) {
              FORGET(p, n);
              x += f(dst, p, n);
          }
          return x;
      })

/* A packet goes to the place in dst that it has after base, so source and destination are aligned
   alike if dst and base are. */
TIMED(copies, copy_function, public_copy, public_copy,
      uint8_t *dst AND const uint8_t *base AND const struct wiresum_piece *packets AND size_t n,
      dst AND base AND packets AND n, {
          uint64_t x = 0;
          for (const struct wiresum_piece *const end = packets + n; packets != end; packets++) {
              const uint8_t *const p = packets->data;
              x += f(dst + (p - base), p, packets->len);
          }
          return x;
      })

uint64_t wiresum_bench_batch(const struct wiresum_piece *packets, size_t n, uint16_t *sums)
{
    const uint64_t start = wiresum_bench_ticks();
    wiresum_batch(packets, n, sums);
    return wiresum_bench_ticks() - start;
}

/* n headers of 20 bytes, one after the other. */
uint64_t wiresum_bench_headers_inline(const uint8_t *headers, size_t n, uint16_t *sums)
{
    uint64_t wrong = 0;
    (void)sums;
    const uint64_t start = wiresum_bench_ticks();
    for (size_t i = 0; i < n; i++)
        wrong += !wiresum_ipv4_header_ok(headers + 20 * i, 20);
    const uint64_t ticks = wiresum_bench_ticks() - start;
    wiresum_bench_sink = wrong;
    return ticks;
}

uint64_t wiresum_bench_headers_batch(const uint8_t *headers, size_t n, uint16_t *sums)
{
    const uint64_t start = wiresum_bench_ticks();
    wiresum_batch_ipv4_headers(headers, 20, n, sums);
    return wiresum_bench_ticks() - start;
}

/* ---- memory ---- */

size_t wiresum_bench_page(void)
{
#if HAS_MMAP
    return (size_t)sysconf(_SC_PAGESIZE);
#else
    return 4096;
#endif
}

/* Returns size zeroed bytes, on large pages where the system has them, with a page after them that
   cannot be read. size is a multiple of a page. Null if there is no such memory. The memory lives
   as long as the program. */
uint8_t *wiresum_bench_map(size_t size)
{
#if HAS_MMAP
    enum { LARGE = 2 << 20 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *const all =
        mmap(NULL, size + LARGE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    uint8_t *const p = (uint8_t *)(((uintptr_t)all + LARGE - 1) & ~(uintptr_t)(LARGE - 1));
#  if defined(MADV_HUGEPAGE)
    madvise(p, size, MADV_HUGEPAGE);
#  endif
    return mprotect(p + size, page, PROT_NONE) == 0 ? p : NULL;
#else
    enum { LARGE = 2 << 20 };
    uint8_t *const all = calloc(1, size + LARGE);
    return all ? (uint8_t *)(((uintptr_t)all + LARGE - 1) & ~(uintptr_t)(LARGE - 1)) : NULL;
#endif
}

/* Puts fresh pages of the usual size in the place of a map's: the next access to each page is the
   first one. Returns 0 where the system has no such call, or it failed. */
int wiresum_bench_renew(uint8_t *map, size_t size)
{
#if HAS_MMAP
    void *const again =
        mmap(map, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (again == MAP_FAILED)
        return 0;
#  if defined(MADV_NOHUGEPAGE)
    madvise(map, size, MADV_NOHUGEPAGE);
#  endif
    return 1;
#else
    (void)map;
    (void)size;
    return 0;
#endif
}

/* Reads or writes one byte of each page, in their order. */
uint64_t wiresum_bench_first_loads(uint8_t *map, size_t size)
{
    const size_t page = wiresum_bench_page();
    const uint64_t start = wiresum_bench_ticks();
    for (size_t at = 0; at < size; at += page)
        (void)*(const volatile uint8_t *)(map + at);
    return wiresum_bench_ticks() - start;
}

uint64_t wiresum_bench_first_stores(uint8_t *map, size_t size)
{
    const size_t page = wiresum_bench_page();
    const uint64_t start = wiresum_bench_ticks();
    for (size_t at = 0; at < size; at += page)
        *(volatile uint8_t *)(map + at) = 1;
    return wiresum_bench_ticks() - start;
}

/* Whether the page after a map cannot be read. */
int wiresum_bench_map_has_guard(void)
{
    return HAS_MMAP;
}
