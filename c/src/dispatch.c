/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The list of kernels, and the choice of one. */
#include "dispatch.h"

#include "cpu_features.h"

#define KERNEL_THAT_FOLDS KERNEL

#define KERNEL(isa, features, instruction, idea)                                                 \
    WIRESUM_DECLARE_KERNEL(isa);                                                                 \
    static bool isa##_is_supported(void)                                                         \
    {                                                                                            \
        return (features) == 0 || (wiresum_cpu_features() & (features)) == (unsigned)(features); \
    }
#include "kernel_list.h"
#undef KERNEL

#define KERNEL(isa, features, instruction, idea) isa##_at,
enum {
#include "kernel_list.h"
    KERNEL_COUNT
};
#undef KERNEL

#define KERNEL(isa, features, instruction, idea) \
    { #isa, isa##_is_supported, wiresum_kernel_##isa, wiresum_kernel_##isa##_copy },
static const struct wiresum_kernel kernels[] = {
#include "kernel_list.h"
};
#undef KERNEL

const struct wiresum_kernel *wiresum_kernels(size_t *count)
{
    *count = KERNEL_COUNT;
    return kernels;
}

static bool same_name(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

const struct wiresum_kernel *wiresum_kernel_by_name(const char *name)
{
    for (size_t i = 0; i < KERNEL_COUNT; i++)
        if (same_name(kernels[i].name, name))
            return &kernels[i];
    return NULL;
}

#if WIRESUM_ONE_KERNEL

const struct wiresum_kernel *wiresum_kernel_in_use(void)
{
    return &kernels[0];
}

bool wiresum_use_kernel(const struct wiresum_kernel *kernel)
{
    return kernel == &kernels[0];
}

#  if defined(WIRESUM_CALLS_KERNEL)
/* Callers do not know that the build has one kernel: their inline functions load the pointer. */
static const struct wiresum_functions_v1 functions = { wiresum_active_sum, wiresum_active_copy,
                                                       wiresum_active_partial };
const struct wiresum_functions_v1 *wiresum_active_v1 = &functions;
#  endif

#else

#  define KERNEL(isa, features, instruction, idea)                         \
      static uint16_t isa##_sum(const void *data, size_t len)              \
      {                                                                    \
          return wiresum_fold(wiresum_kernel_##isa(data, len));            \
      }                                                                    \
      static uint16_t isa##_checksum(const void *data, size_t len)         \
      {                                                                    \
          return wiresum_complement(isa##_sum(data, len));                 \
      }                                                                    \
      static uint16_t isa##_copy(void *dst, const void *src, size_t len)   \
      {                                                                    \
          return wiresum_fold(wiresum_kernel_##isa##_copy(dst, src, len)); \
      }
#  undef KERNEL_THAT_FOLDS
#  define KERNEL_THAT_FOLDS(isa, features, instruction, idea) WIRESUM_DECLARE_FOLDING_KERNEL(isa);
#  include "kernel_list.h"
#  undef KERNEL
#  undef KERNEL_THAT_FOLDS

#  define KERNEL(isa, features, instruction, idea) \
      { { isa##_sum, isa##_copy, wiresum_kernel_##isa }, &kernels[isa##_at], isa##_checksum, NULL },
#  define KERNEL_THAT_FOLDS(isa, features, instruction, idea)                \
      { { wiresum_kernel_##isa##_folded, wiresum_kernel_##isa##_copy_folded, \
          wiresum_kernel_##isa },                                            \
        &kernels[isa##_at],                                                  \
        wiresum_kernel_##isa##_checksum,                                     \
        wiresum_kernel_##isa##_headers },
static const struct wiresum_choice choices[] = {
#  include "kernel_list.h"
};
#  undef KERNEL
#  undef KERNEL_THAT_FOLDS

static const struct wiresum_choice undecided;

#  if defined(WIRESUM_CALLS_KERNEL)

/* Says whether functions are of this copy of the library. */
static bool is_own(const struct wiresum_functions_v1 *functions)
{
    bool own = functions == &undecided.functions;
    for (size_t i = 0; i < KERNEL_COUNT; i++)
        own = own || functions == &choices[i].functions;
    return own;
}

/* Makes wiresum_active_v1 follow wiresum_chosen. Where the symbol of another copy of the library
   took the place of this one, the pointer is left to that copy. The order is total: where
   several threads choose at once, the last one to look sees what all of them wrote. */
static void publish(void)
{
    for (;;) {
        const struct wiresum_choice *const choice =
            __atomic_load_n(&wiresum_chosen, __ATOMIC_SEQ_CST);
        const struct wiresum_functions_v1 *active =
            __atomic_load_n(&wiresum_active_v1, __ATOMIC_SEQ_CST);
        if (!is_own(active))
            return;
        if (__atomic_compare_exchange_n(&wiresum_active_v1, &active, &choice->functions, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
            && choice == __atomic_load_n(&wiresum_chosen, __ATOMIC_SEQ_CST))
            return;
    }
}

#  else

static void publish(void) {}

#  endif

/* Compilers for AArch64 make an atomic exchange a call of their library, which asks getauxval for
   LSE. A function with this attribute must not be inlined into one without it. */
#  if defined(__aarch64__)
#    define NO_CALL __attribute__((noinline, target("no-outline-atomics")))
#  else
#    define NO_CALL
#  endif

#  define KERNEL(isa, features, instruction, idea)            (features),
#  define KERNEL_THAT_FOLDS(isa, features, instruction, idea) (features),
static const unsigned features_of[] = {
#  include "kernel_list.h"
};
#  undef KERNEL
#  undef KERNEL_THAT_FOLDS

/* Whether the first call may choose the kernel: wiresum_use_kernel accepts more. */
static bool is_chosen(size_t at)
{
    return kernels[at].is_supported()
           && !((features_of[at] & WIRESUM_CPU_AVX512)
                && (wiresum_cpu_features() & WIRESUM_CPU_SLOWS_AT_512));
}

/* Returns the choice in use. At first it chooses the best kernel that this CPU supports, unless
   wiresum_use_kernel of another thread is faster. The list ends with portable, which every CPU
   supports. */
NO_CALL static const struct wiresum_choice *detect(void)
{
    const struct wiresum_choice *chosen = wiresum_choice();
    if (chosen != &undecided)
        return chosen;
    size_t at = 0;
    while (!is_chosen(at))
        at++;
    const struct wiresum_choice *best = &choices[at];
    if (!WIRESUM_RELAXED_REPLACE(wiresum_chosen, chosen, best))
        best = wiresum_choice();
    publish();
    return best;
}

/* A caller may come here often: a program with a copy relocation of wiresum_active_v1 has a pointer
   of its own, which a library linked with -Bsymbolic cannot write. detect returns at once then. */
static uint16_t detect_then_sum(const void *data, size_t len)
{
    return detect()->functions.sum(data, len);
}

static uint16_t detect_then_checksum(const void *data, size_t len)
{
    return detect()->checksum(data, len);
}

static uint16_t detect_then_copy(void *dst, const void *src, size_t len)
{
    return detect()->functions.copy(dst, src, len);
}

static size_t detect_then_headers(const uint8_t *first, size_t stride, size_t n, uint16_t *sums)
{
    const struct wiresum_choice *const choice = detect();
    return choice->headers ? choice->headers(first, stride, n, sums) : 0;
}

static uint64_t detect_then_partial(const void *data, size_t len)
{
    return detect()->functions.partial(data, len);
}

static const struct wiresum_choice undecided = { { detect_then_sum, detect_then_copy,
                                                   detect_then_partial },
                                                 NULL,
                                                 detect_then_checksum,
                                                 detect_then_headers };

const struct wiresum_choice *wiresum_chosen = &undecided;

#  if defined(WIRESUM_CALLS_KERNEL)
const struct wiresum_functions_v1 *wiresum_active_v1 = &undecided.functions;
#  endif

const struct wiresum_kernel *wiresum_kernel_in_use(void)
{
    return detect()->kernel;
}

bool wiresum_use_kernel(const struct wiresum_kernel *kernel)
{
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (kernel == &kernels[i]
            && (kernel->is_supported() || (wiresum_cpu_features() & WIRESUM_CPU_UNKNOWN))) {
            WIRESUM_RELAXED_STORE(wiresum_chosen, &choices[i]);
            publish();
            return true;
        }
    }
    return false;
}

#endif
