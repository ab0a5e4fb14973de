/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What a kernel computes on a CPU or in an emulator. It reads lines "LENGTH OFFSET TO SEED COUNT"
 * and prints the partial sums of COUNT inputs with that seed and the next ones. OFFSET and TO are
 * those of the data and of the copy in a page. The build defines KERNEL, the name of the function,
 * and COPIES and FOLDS if it does.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "inputs.h"

#if defined(FOLDS)
typedef uint16_t result;
#else
typedef uint64_t result;
#endif

#if defined(COPIES)
result KERNEL(void *dst, const void *src, size_t n);
#else
result KERNEL(const void *data, size_t n);
#endif

/* What the library asks the CPU for: no copy here is too long for the caches. */
size_t wiresum_copy_around_caches_from(void);
size_t wiresum_copy_around_caches_from(void)
{
    return SIZE_MAX;
}

static uint8_t data[5 * 4096], copy[5 * 4096];

static uint8_t *page(uint8_t *memory)
{
    return memory + (-(uintptr_t)memory & 4095);
}

int main(void)
{
    unsigned length, offset, to, count;
    uint64_t seed;
    while (scanf("%u %u %u %" SCNu64 " %u", &length, &offset, &to, &seed, &count) == 5) {
        if (length + (offset > to ? offset : to) > 4 * 4096)
            return 2;
        for (; count--; seed++) {
            uint8_t *const from = page(data) + offset, *const out = page(copy) + to;
            input_fill(from, length, seed);
#if defined(COPIES)
            printf("%" PRIx64 "\n", (uint64_t)KERNEL(out, from, length));
#else
            (void)out;
            printf("%" PRIx64 "\n", (uint64_t)KERNEL(from, length));
#endif
        }
    }
    return 0;
}
