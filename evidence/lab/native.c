/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Times a function of this machine: the best round, for a round can only be lengthened by what else
 * goes on. */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef uint64_t (*kernel)(const void *, size_t);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Nanoseconds of one call, the least of `rounds` means over `calls` calls. */
double lab_time(kernel f, const void *data, size_t length, unsigned calls, unsigned rounds)
{
    double best = 1e300;
    volatile uint64_t sink = 0;
    while (rounds--) {
        const double start = now();
        for (unsigned n = 0; n < calls; n++)
            sink += f(data, length);
        const double took = (now() - start) / calls;
        if (took < best)
            best = took;
    }
    return best;
}
