/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What a kernel or a shim computes on a CPU or in an emulator. It reads lines "LENGTH OFFSET TO
 * SEED COUNT" and prints the partial sums of COUNT inputs with that seed and the next ones. OFFSET
 * and TO are the offsets of the data and of the copy in a page. The build defines KERNEL, the name
 * of the function, COPIES and FOLDS if it does so, and COMPLEMENTS if it returns a checksum.
 *
 * A word of the command line is a number or a byte that is fixed, as the engine has them: N, A=V or
 * A=V/15. The build defines NUMBERS as the arguments after the length, which are number[0] and so
 * on, and NUMBER_TYPES as their types.
 */
#if defined(WIRESUM_TEST_EMULATE)
#  define _GNU_SOURCE 1 /* the registers of emulate.h */
#endif
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(WIRESUM_TEST_EMULATE)
#  include <signal.h>

#  include "../../../c/tests/emulate.h"
#endif
#include "inputs.h"

#if defined(FOLDS)
typedef uint16_t result;
#else
typedef uint64_t result;
#endif

#if !defined(NUMBERS)
#  define NUMBERS
#  define NUMBER_TYPES
#endif

#if defined(COPIES)
result KERNEL(void *dst, const void *src, size_t n NUMBER_TYPES);
#else
result KERNEL(const void *data, size_t n NUMBER_TYPES);
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

static size_t number[8];
static size_t numbers;

/* Bytes of the data that are not random. */
static struct {
    size_t at;
    uint8_t value, random_bits;
} fixed[64];
static size_t fixed_bytes;

static void read_words(char **words)
{
    for (; *words; words++) {
        char *end;
        const size_t first = (size_t)strtoull(*words, &end, 10);
        if (*end != '=') {
            number[numbers++] = first;
            continue;
        }
        fixed[fixed_bytes].at = first;
        fixed[fixed_bytes].value = (uint8_t)strtoul(end + 1, &end, 10);
        fixed[fixed_bytes++].random_bits = *end == '/' ? 0xF0 : 0;
    }
}

#if defined(WIRESUM_TEST_EMULATE)
static void at_illegal_instruction(int signal_number, siginfo_t *information, void *context)
{
    (void)information;
    if (!emulate(context))
        signal(signal_number, SIG_DFL); /* the instruction raises the signal again */
}
#endif

int main(int argc, char **argv)
{
    if (argc > 1)
        read_words(argv + 1);
#if defined(WIRESUM_TEST_EMULATE)
    struct sigaction action = { .sa_sigaction = at_illegal_instruction, .sa_flags = SA_SIGINFO };
    sigaction(SIGILL, &action, NULL);
#endif
    unsigned length, offset, to, count;
    uint64_t seed;
    while (scanf("%u %u %u %" SCNu64 " %u", &length, &offset, &to, &seed, &count) == 5) {
        if (length + (offset > to ? offset : to) > 4 * 4096)
            return 2;
        for (; count--; seed++) {
            uint8_t *const from = page(data) + offset, *const out = page(copy) + to;
            input_fill(from, length, seed);
            for (size_t i = 0; i < fixed_bytes; i++)
                if (fixed[i].at < length)
                    from[fixed[i].at] =
                        (uint8_t)(fixed[i].value | (from[fixed[i].at] & fixed[i].random_bits));
#if defined(COPIES)
            printf("%" PRIx64 "\n", (uint64_t)KERNEL(out, from, length NUMBERS));
#else
            (void)out;
            result sum = KERNEL(from, length NUMBERS);
#  if defined(COMPLEMENTS)
            sum = (result)~sum;
#  endif
            printf("%" PRIx64 "\n", (uint64_t)sum);
#endif
        }
    }
    return 0;
}
