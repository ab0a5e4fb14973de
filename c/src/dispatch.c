/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The list of kernels, and the choice of one. */
#include "dispatch.h"

#include "cpu_features.h"

#define KERNEL(isa, features)                                                                   \
    WIRESUM_DECLARE_KERNEL(isa);                                                                \
    static bool isa##_is_supported(void)                                                        \
    {                                                                                           \
        return (features) == 0 || (wiresum_cpu_features() & (features)) == (unsigned)(features); \
    }
#include "kernel_list.h"
#undef KERNEL

#define KERNEL(isa, features) { #isa, isa##_is_supported, wiresum_kernel_##isa, wiresum_kernel_##isa##_copy },
static const struct wiresum_kernel kernels[] = {
#include "kernel_list.h"
};
#undef KERNEL

enum { KERNEL_COUNT = sizeof kernels / sizeof kernels[0] };

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

#if WIRESUM_ONLY_PORTABLE

const struct wiresum_kernel *wiresum_kernel_in_use(void)
{
    return &kernels[0];
}

bool wiresum_use_kernel(const struct wiresum_kernel *kernel)
{
    return kernel == &kernels[0];
}

#else

/* The list ends with portable, so there is always one. Two threads that get here at once store the same pointer. */
static const struct wiresum_kernel *detect(void)
{
    const struct wiresum_kernel *best = kernels;
    while (!best->is_supported())
        best++;
    WIRESUM_RELAXED_STORE(wiresum_active_kernel, best);
    return best;
}

static uint64_t detect_then_sum(const void *data, size_t len)
{
    return detect()->sum(data, len);
}

static uint64_t detect_then_copy(void *dst, const void *src, size_t len)
{
    return detect()->copy_sum(dst, src, len);
}

static const struct wiresum_kernel detector = { "detector", NULL, detect_then_sum, detect_then_copy };

wiresum_kernel_pointer wiresum_active_kernel = &detector;

const struct wiresum_kernel *wiresum_kernel_in_use(void)
{
    const struct wiresum_kernel *const active = WIRESUM_RELAXED_LOAD(wiresum_active_kernel);
    return active == &detector ? detect() : active;
}

bool wiresum_use_kernel(const struct wiresum_kernel *kernel)
{
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (kernel == &kernels[i] && (kernel->is_supported() || (wiresum_cpu_features() & WIRESUM_CPU_UNKNOWN))) {
            WIRESUM_RELAXED_STORE(wiresum_active_kernel, kernel);
            return true;
        }
    }
    return false;
}

#endif
