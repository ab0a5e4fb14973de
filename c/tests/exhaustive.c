/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests every length at every offset, on every kernel, as a sum and as a copy. Groups:
 *
 *     sum            each length to 1100, each offset to 63 and each fill, from the start of a page
 *                    and up to its end, between guard pages. The bytes around the data are not
 *                    zero, so that a read of one of them changes the sum
 *     copy           the same; the destination has other offsets than the source, and no byte
 *                    outside of it may change
 *     copy-offsets   each pair of source and destination offset, for lengths to 130. For each
 *                    length to 4200 and each source offset, one destination offset, which the seed
 *                    moves on through all 64
 *     split          each cut of each length to 130: append, gather and remove
 *     stored         copies whose source changes meanwhile: the sum must be the sum of the bytes
 *                    stored
 *     middle         lengths from 1101 to 65533, one in eleven from the seed on; with
 *                    WIRESUM_TEST_EVERY_LENGTH each of them
 *     large          lengths around 64, 128 and 512 KiB and 1 MiB, where lanes overflow
 *
 * In reports, --to counts from the start of a page, or is 64 more and counts from its end.
 */
#include "test.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(WIRESUM_TEST_EMULATE)
#  include "step.h"
#  include <ucontext.h>
#  define STEPS 1 /* this system lets a program trap after each of its instructions */
#else
#  define STEPS 0
#endif

enum { LONGEST = 1100, LONGEST_COPY = 4200, OFFSETS = 64, SHORT = 130, AROUND = 192 };

static struct test_arena from, to;
static uint8_t data[TEST_FILLS][LONGEST_COPY];
static uint16_t expected[TEST_FILLS][LONGEST_COPY + 1];

/* Returns the value of the bytes around the data: not 00, and not FF around a fill of FF. */
static uint8_t other_than(size_t fill)
{
    return fill == 1 ? 0x5A : 0xFF;
}

/* Returns the place of n bytes in an arena: at an offset from its start, or, if the offset is 64 or
   more, before its end. */
static uint8_t *place(struct test_arena arena, size_t offset, size_t n)
{
    return offset < OFFSETS ? arena.start + offset : arena.end - (offset - OFFSETS) - n;
}

/* Writes the data to their place, and other bytes around them. */
static const uint8_t *put(size_t fill, size_t offset, size_t n)
{
    uint8_t *const p = place(from, offset, n);
    const size_t before = (size_t)(p - from.start), after = (size_t)(from.end - p) - n;
    test_allow_all(from);
    memset(p - (before < AROUND ? before : AROUND), other_than(fill),
           before < AROUND ? before : AROUND);
    memset(p + n, other_than(fill), after < AROUND ? after : AROUND);
    memcpy(p, data[fill], n);
    test_allow_only(from, p, n);
    return p;
}

/* Runs each wanted cell of length, offset and fill, with its data in place. */
static void grid(const struct wiresum_kernel *k,
                 void (*cell)(const struct wiresum_kernel *, size_t fill, const uint8_t *p,
                              size_t offset, size_t n))
{
    for (size_t fill = 0; fill < TEST_FILLS; fill++) {
        if (!test_want_fill(fill))
            continue;
        for (size_t n = 0; n <= LONGEST; n++) {
            test_at.length = (int64_t)n;
            if (!TEST_WANTED(length, n))
                continue;
            for (size_t offset = 0; offset < 2 * OFFSETS; offset++) {
                test_at.offset = (int64_t)offset;
                if (TEST_WANTED(offset, offset) && test_in_slice(7 * n + 11 * offset + 3 * fill))
                    cell(k, fill, put(fill, offset, n), offset, n);
            }
        }
    }
}

static void sum_cell(const struct wiresum_kernel *k, size_t fill, const uint8_t *p, size_t offset,
                     size_t n)
{
    (void)offset;
    test_sum("sum", wiresum_fold(k->partial(p, n)), expected[fill][n]);
    test_sum("wiresum_sum", wiresum_sum(p, n), expected[fill][n]);
}

static uint64_t copy_by_library(void *dst, const void *src, size_t n)
{
    return wiresum_copy(dst, src, n);
}

/* Checks one copy: its sum, each byte of it, and the bytes around it. */
static void copy_by(uint64_t (*copy)(void *dst, const void *src, size_t n), size_t fill,
                    const uint8_t *p, size_t to_offset, size_t n)
{
    static const uint8_t canary = 0xA5;
    uint8_t *const dst = place(to, to_offset, n);
    uint8_t *const first = (size_t)(dst - to.start) < AROUND ? to.start : dst - AROUND;
    uint8_t *const last = (size_t)(to.end - dst) - n < AROUND ? to.end : dst + n + AROUND;

    test_at.to = (int64_t)to_offset;
    test_allow_all(to);
    memset(first, canary, (size_t)(last - first));
    test_allow_only(to, dst, n);
    const uint64_t sum = copy(dst, p, n);
    test_allow_all(to);
    test_sum("copy_partial", wiresum_fold(sum), expected[fill][n]);

    test_counted();
    if (n && memcmp(dst, data[fill], n) != 0) {
        size_t i = 0;
        while (dst[i] == data[fill][i])
            i++;
        test_fail("byte %lu of the copy: got 0x%02X, expected 0x%02X", (unsigned long)i, dst[i],
                  data[fill][i]);
    }
    for (const uint8_t *b = first; b < last; b++) {
        if (b == dst)
            b += n;
        if (b < last && *b != canary) {
            test_fail("byte %ld, outside of the copy, was written: 0x%02X", (long)(b - dst), *b);
            return;
        }
    }
}

static void copy_one(const struct wiresum_kernel *k, size_t fill, const uint8_t *p,
                     size_t to_offset, size_t n)
{
    copy_by(k->copy_partial, fill, p, to_offset, n);
    copy_by(copy_by_library, fill, p, to_offset, n);
}

/* Copies from both sides of a page. As the length grows, the offset of the destination takes all 64
   values against the offset of the source. */
static void copy_cell(const struct wiresum_kernel *k, size_t fill, const uint8_t *p, size_t offset,
                      size_t n)
{
    const size_t walk = (offset * 29 + n * 5 + fill) % OFFSETS;
    const bool library = (offset + fill) & 1;
    copy_by(library ? copy_by_library : k->copy_partial, fill, p, n % 3 == 0 ? 0 : walk, n);
    copy_by(library ? k->copy_partial : copy_by_library, fill, p, OFFSETS + (n % 3 == 1 ? 0 : walk),
            n);
}

static void copy_offsets(const struct wiresum_kernel *k)
{
    const size_t fill = 3;
    test_at.fill = test_fills[fill];
    for (size_t n = 0; n <= SHORT; n++) {
        test_at.length = (int64_t)n;
        if (!TEST_WANTED(length, n))
            continue;
        for (size_t offset = 0; offset < OFFSETS; offset++) {
            test_at.offset = (int64_t)offset;
            if (!TEST_WANTED(offset, offset) || !test_in_slice(7 * n + 11 * offset))
                continue;
            const uint8_t *const p = put(fill, offset, n);
            for (size_t to_offset = 0; to_offset < OFFSETS; to_offset++)
                if (TEST_WANTED(to, to_offset))
                    copy_one(k, fill, p, to_offset, n);
        }
    }
}

/* Copies longer data, from both ends of a page to both ends of another. */
static void copy_offsets_of_longer(const struct wiresum_kernel *k)
{
    const size_t fill = 3;
    test_at.fill = test_fills[fill];
    for (size_t n = SHORT + 1; n <= LONGEST_COPY; n++) {
        test_at.length = (int64_t)n;
        if (!TEST_WANTED(length, n))
            continue;
        for (size_t i = 0; i < OFFSETS; i++) {
            const size_t offset = (n & 1) * OFFSETS + i;
            const size_t to_offset = (i * 29 + n * 5 + (size_t)test_seed) % OFFSETS;
            test_at.offset = (int64_t)offset;
            if (TEST_WANTED(offset, offset) && test_in_slice(7 * n + 11 * i))
                copy_by((n + i) & 2 ? copy_by_library : k->copy_partial, fill, put(fill, offset, n),
                        (n + i) % 2 * OFFSETS + to_offset, n);
        }
    }
}

static void splits(void)
{
    for (size_t fill = 0; fill < TEST_FILLS; fill++) {
        if (!test_want_fill(fill))
            continue;
        for (size_t n = 0; n <= SHORT; n++) {
            test_at.length = (int64_t)n;
            if (!TEST_WANTED(length, n))
                continue;
            for (size_t cut = 0; cut <= n; cut++) {
                test_at.offset = (int64_t)cut;
                if (!TEST_WANTED(offset, cut) || !test_in_slice(7 * n + 11 * cut + 3 * fill))
                    continue;
                const uint8_t *const p = put(fill, (n + cut) % OFFSETS, n), *const q = p + cut;
                const uint16_t head = wiresum_sum(p, cut), tail = wiresum_sum(q, n - cut);
                const uint16_t whole = wiresum_append(head, cut, tail);
                test_sum("the head", head, expected[fill][cut]);
                test_sum("append", whole, expected[fill][n]);

                /* The result may differ for an all-zero rest alone, which a sum does not show. */
                const uint16_t rest = test_value(wiresum_remove(whole, cut, tail));
                test_true(rest == expected[fill][cut]
                              || (rest == 0xFFFF && expected[fill][cut] == 0),
                          "remove gives the head");

                /* Two pieces, and then four: the tail is cut again, and a null piece is empty. */
                const size_t half = (n - cut) / 2;
                const struct wiresum_piece two[] = { { p, cut }, { q, n - cut } };
                const struct wiresum_piece four[] = {
                    { p, cut }, { NULL, 0 }, { q, half }, { q + half, n - cut - half }
                };
                uint8_t *const dst = place(to, OFFSETS + cut % 3, n);
                test_sum("gather of two", wiresum_gather(two, 2), expected[fill][n]);
                test_sum("gather of four", wiresum_gather(four, 4), expected[fill][n]);
                test_allow_all(to);
                memset(to.end - n - AROUND, 0xA5, n + AROUND);
                test_sum("gather_copy", wiresum_gather_copy(dst, four, 4), expected[fill][n]);
                test_true(n == 0 || memcmp(dst, data[fill], n) == 0, "gather_copy copies");
                test_true(dst[-1] == 0xA5, "gather_copy writes nothing before");
                for (const uint8_t *b = dst + n; b < to.end; b++)
                    test_true(*b == 0xA5, "gather_copy writes nothing after");

                if (cut % 2 == 0)
                    test_sum("partial",
                             wiresum_fold(wiresum_partial(q, n - cut, wiresum_partial(p, cut, 0))),
                             expected[fill][n]);
            }
        }
    }
}

/* ---- a source that changes while it is copied ---- */

/* Checks that a copy to dst returned the sum of what it left there. */
static void stored_is(const char *what, const uint8_t *dst, size_t n, uint64_t sum)
{
    test_sum(what, wiresum_fold(sum), plain_sum(dst, n));
}

/* The destination overlaps the source, so that each store may change bytes that are loaded later.
   The contract forbids it, because the copy is then not one of the source. It is still the cheapest
   source that changes at the same moments in every run and on every machine: a kernel that loads a
   byte once to store it, and once more to sum it, returns a wrong sum here. */
static void stored_overlap(const struct wiresum_kernel *k)
{
    enum { MOST = 600, ROOM = 320 };
    static uint8_t content[MOST + 2 * ROOM + OFFSETS];
    static const int far[] = { 96, 127, 128, 129, 160, 192, 250, 255, 256, 257, 300 };
    const size_t fill = 3;
    test_at.fill = test_fills[fill];
    test_fill(fill, content, sizeof content);
    for (size_t n = 0; n <= MOST; n++) {
        test_at.length = (int64_t)n;
        if (!TEST_WANTED(length, n))
            continue;
        for (size_t i = 0; i < 2 * (70 + TEST_COUNT(far)); i++) {
            const int by = i / 2 < 70 ? (int)(i / 2) + 1 : far[i / 2 - 70];
            const int moved = i & 1 ? by : -by;
            const size_t offset = ROOM + (7 * n + 11 * i) % OFFSETS;
            test_at.offset = (int64_t)i;
            if (!TEST_WANTED(offset, i) || !test_in_slice(7 * n + 11 * i))
                continue;
            uint8_t *const src = from.start + offset, *const dst = src + moved;
            memcpy(from.start, content, sizeof content);
            const bool library = (n + i / 2) & 1;
            const uint64_t sum =
                library ? copy_by_library(dst, src, n) : k->copy_partial(dst, src, n);
            stored_is("a copy that overlaps its source", dst, n, sum);
        }
    }
}

#if STEPS

static volatile uint8_t *stepped;
static volatile size_t stepped_bytes, steps;

/* Runs after each instruction, and changes each byte of the source. */
static void after_step(int signal_number, siginfo_t *information, void *context)
{
    (void)signal_number, (void)information, (void)context;
    for (size_t i = 0; i < stepped_bytes; i++)
        stepped[i] = (uint8_t)(stepped[i] + 0x35);
    steps++;
}

/* The source changes between any two instructions, as another thread could change it. */
static void stored_steps(const struct wiresum_kernel *k)
{
    static const uint8_t offsets[] = { 0, 1, 31, 62 };
    struct sigaction action, previous;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = after_step;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, &previous);
    for (size_t n = 0; n <= LONGEST; n += n < 140 ? 1 : n < 330 ? 7 : 61) {
        const size_t offset = offsets[n / 2 % TEST_COUNT(offsets)];
        test_at.length = (int64_t)n;
        test_at.offset = (int64_t)offset;
        if (!TEST_WANTED(length, n) || !TEST_WANTED(offset, offset) || !test_in_slice(n))
            continue;
        uint8_t *const src = from.start + offset, *const dst = place(to, n * 29 % OFFSETS, n);
        stepped = src, stepped_bytes = n, steps = 0;
        step(true);
        const uint64_t sum = n & 4 ? wiresum_copy(dst, src, n) : k->copy_partial(dst, src, n);
        step(false);
        if (steps == 0) {
            printf("left out: a source that changes after each instruction: no trap here\n");
            break;
        }
        stored_is("a copy whose source changes after each instruction", dst, n, sum);
    }
    sigaction(SIGTRAP, &previous, NULL);
}

#endif

static void stored(const struct wiresum_kernel *k)
{
    test_allow_all(from);
    test_allow_all(to);
    stored_overlap(k);
#if STEPS
#  if defined(TEST_VALGRIND)
    if (RUNNING_ON_VALGRIND)
        return; /* it does not know the trap flag */
#  endif
    stored_steps(k);
#endif
}

/* ---- lengths between the grid and the large ones ---- */

static void middle(const struct wiresum_kernel *k)
{
    enum { FIRST = LONGEST + 1, MOST = 65533, ROOM = 68 << 10 };
#if defined(WIRESUM_TEST_EVERY_LENGTH)
    enum { EVERY = 1 };
#else
    enum { EVERY = 11 };
#endif
    /* totals[odd][i] is the integer sum of the first i words from offset odd on. */
    static uint64_t totals[2][ROOM / 2 + 1];
    static struct test_arena source, copy;
    static uint8_t *content; /* the last bytes before a guard page */
    const size_t fill = 3;
    test_at.fill = test_fills[fill];
    if (!content) {
        source = test_arena(ROOM);
        copy = test_arena(ROOM);
        content = source.end - ROOM;
        test_fill(fill, content, ROOM);
        for (size_t odd = 0; odd < 2; odd++)
            for (size_t i = 0; i < (ROOM - odd) / 2; i++)
                totals[odd][i + 1] = totals[odd][i] + plain_total(content + odd + 2 * i, 2);
    }
    for (size_t n = FIRST + test_seed % EVERY; n <= MOST; n += EVERY) {
        test_at.length = (int64_t)n;
        if (!TEST_WANTED(length, n) || !test_in_slice(n / EVERY))
            continue;
        /* One end or the other touches a guard page, the source's or the destination's. */
        const bool end = n / EVERY & 1;
        const size_t offset = end ? ROOM - n : n * 7 % OFFSETS, odd = offset & 1;
        const uint8_t *const p = content + offset;
        uint8_t *const dst = end ? copy.start + n * 29 % OFFSETS : copy.end - n;
        test_at.offset = (int64_t)offset;
        const uint64_t total =
            totals[odd][(offset - odd + n) / 2] - totals[odd][(offset - odd) / 2];
        const uint16_t sum = plain_fold(total + (n & 1 ? (uint64_t)p[n - 1] << 8 : 0));
        test_sum("sum", wiresum_fold(k->partial(p, n)), sum);
        memset(copy.start, 0xA5, (size_t)(copy.end - copy.start));
        test_sum("copy_partial", wiresum_fold(k->copy_partial(dst, p, n)), sum);
        test_true(memcmp(dst, p, n) == 0, "copy_partial copies");
        test_true(dst == copy.start || dst[-1] == 0xA5, "copy_partial writes nothing before");
        test_true(dst + n == copy.end || dst[n] == 0xA5, "copy_partial writes nothing after");
    }
}

static void large(void)
{
    static const struct {
        size_t around, by;
    } sizes[] = { { 65536, 2 }, { 131072, 16 }, { 524288, 64 }, { 1048577, 1 } };
    static const size_t offsets[] = { 0, 1, 31, 62, 63 };
    enum { MOST = 1048578 };
    const struct test_arena source = test_arena(MOST + OFFSETS), copy = test_arena(MOST + OFFSETS);
    uint8_t *const content = test_allocate(MOST);

    for (size_t fill = 0; fill < TEST_FILLS; fill++) {
        if (!test_want_fill(fill))
            continue;
        test_fill(fill, content, MOST);
        for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
            const size_t least = sizes[i].around - sizes[i].by,
                         most = sizes[i].around + sizes[i].by;
            /* The totals of two parts add up, because least is even. */
            const uint64_t total = plain_total(content, least);
            for (size_t n = least; n <= most; n++) {
                if (!TEST_WANTED(length, n) || !test_in_slice(n + fill))
                    continue;
                const uint16_t sum = plain_fold(total + plain_total(content + least, n - least));
                TEST_EACH_KERNEL(k) {
                    /* Each length ends at a guard page, its start at whatever alignment that
                     * gives; one more offset in turn. */
                    const size_t choice = offsets[n % TEST_COUNT(offsets)];
                    for (int end = 0; end < 2; end++) {
                        uint8_t *const p = end ? source.end - n : source.start + choice;
                        uint8_t *const dst = end ? copy.start + choice : copy.end - n;
                        test_at.length = (int64_t)n;
                        test_at.offset = end ? -1 : (int64_t)choice;
                        memcpy(p, content, n);
                        test_sum("sum", wiresum_fold(k->partial(p, n)), sum);
                        if (end != (int)(n & 1))
                            continue; /* every other one is copied */
                        memset(dst, 0xA5, n);
                        if (dst > copy.start)
                            dst[-1] = 0xA5;
                        test_sum("copy_partial", wiresum_fold(k->copy_partial(dst, p, n)), sum);
                        test_true(memcmp(dst, content, n) == 0, "copy_partial copies");
                        test_true(dst == copy.start || dst[-1] == 0xA5,
                                  "copy_partial writes nothing before");
                    }
                }
            }
        }
    }
    free(content);
}

int main(int argc, char **argv)
{
    test_begin("exhaustive", argc, argv);
    from = test_arena(2 * AROUND + LONGEST_COPY + OFFSETS);
    to = test_arena(2 * AROUND + LONGEST_COPY + OFFSETS);
    memset(from.start, 0xFF, (size_t)(from.end - from.start));
    for (size_t fill = 0; fill < TEST_FILLS; fill++) {
        const size_t most = fill == 3 ? LONGEST_COPY : LONGEST;
        test_fill(fill, data[fill], most);
        for (size_t n = 0; n <= most; n++)
            expected[fill][n] = plain_sum(data[fill], n);
    }
    TEST_EACH_KERNEL(k) {
        if (test_group("sum"))
            grid(k, sum_cell);
        if (test_group("copy"))
            grid(k, copy_cell);
        if (test_group("copy-offsets"))
            copy_offsets(k), copy_offsets_of_longer(k);
        if (test_group("split"))
            splits();
        if (test_group("stored"))
            stored(k);
        if (test_group("middle"))
            middle(k);
    }
    if (test_group("large"))
        large();
    return test_end();
}
