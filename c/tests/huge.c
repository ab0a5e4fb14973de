/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests data that make lanes overflow and carries get lost. Groups:
 *
 *     crafted   the lost-carry buffer, averages that round the most, and bytes of FF, 131,074 to
 *               1,048,594 of these, at every alignment
 *     sum       the huge vectors, and more than 4 GiB of each fill: a few pages, mapped many times
 *     copy      a copy of more than 4 GiB of each fill, to pages that are mapped many times, except
 *               around each GiB, where kernels begin a block: the pages there are mapped once
 *     around    a copy that goes around the caches, to pages that are mapped once
 *     distinct  copies of 20 MiB of random bytes between pages that are mapped once
 *     packet    packets with no length of their own, around the most that a pseudo-header can hold
 *
 * On a machine with 32-bit addresses the same bytes go through wiresum_partial in several calls;
 * the program prints the length of the longest call. --thin leaves out some fills, the shorter
 * vectors, and those far above 4 GiB.
 */
#include "test.h"

#include "../src/cpu_features.h"

#if TEST_POSIX
#  include <sys/types.h>
#endif

/* ---- crafted ---- */

static void crafted_one(const struct wiresum_kernel *k, struct test_arena from,
                        struct test_arena to, const uint8_t *content, size_t n)
{
    const uint16_t sum = plain_sum(content, n);
    test_at.length = (int64_t)n;
    for (size_t offset = 0; offset < 64; offset++) {
        test_at.offset = (int64_t)offset;
        if (!TEST_WANTED(offset, offset) || !test_in_slice(offset))
            continue;
        uint8_t *const p = from.end - n - offset, *const dst = to.end - n - (offset * 29 & 63);
        memcpy(p, content, n);
        memset(dst, 0, n);
        test_sum("sum", wiresum_fold(k->partial(p, n)), sum);
        test_sum("copy_partial", wiresum_fold(k->copy_partial(dst, p, n)), sum);
        test_true(memcmp(dst, content, n) == 0, "copy_partial copies");
    }
}

static void crafted(const struct wiresum_kernel *k)
{
    static const size_t all_ff[] = { 131074, 131076, 131080, 262152, 524298, 1048594 };
    enum { MOST = 1048594 };
    static struct test_arena from, to;
    static uint8_t *content;
    if (!content) {
        content = test_allocate(MOST);
        from = test_arena(MOST + 64);
        to = test_arena(MOST + 64);
    }

    /* 32 bytes of FF, eight little-endian 32-bit words of 1, 32 bytes of FF, and zeros. A kernel
       loses a carry here if it finds carries by a comparison of lanes and adds them as one vector.
       The pattern moves along, so that it meets every lane of every kernel. */
    for (size_t moved = 0; moved <= 256; moved += moved < 64 ? 1 : 32) {
        const size_t n = 256 + moved;
        test_at.round = (int64_t)moved;
        if (!TEST_WANTED(round, moved))
            continue;
        memset(content, 0, n);
        memset(content + moved, 0xFF, 96);
        for (size_t i = 0; i < 32; i++)
            content[moved + 32 + i] = i % 4 == 0;
        crafted_one(k, from, to, content, n);
    }
    /* 64-bit words whose top 16 bits round up in each of three levels of averages of eight vectors
       of 16, 32 or 64 bytes, with zeros or ones below them. A kernel that counts carries by
       averages then is as far from the exact sum as it can be. */
    static const size_t averaged[] = { 4096, 131072, 262144 + 2048 };
    for (size_t vector = 16; vector <= 64; vector *= 2) {
        for (int below = 0; below <= 0xFF; below += 0xFF) {
            static const uint8_t more[8] = { 0, 1, 1, 2, 1, 2, 2, 3 };
            test_at.round = (int64_t)(1000 + vector + (below != 0));
            if (!TEST_WANTED(round, test_at.round))
                continue;
            for (size_t i = 0; i < MOST; i++)
                content[i] = (uint8_t)(i % 8 < 6    ? below
                                       : i % 8 == 6 ? 0xFC + more[i / vector % 8]
                                                    : 0x7F);
            for (size_t i = 0; i < TEST_COUNT(averaged); i++)
                if (TEST_WANTED(length, averaged[i]))
                    crafted_one(k, from, to, content, averaged[i]);
        }
    }
    test_at.round = -1;
    memset(content, 0xFF, MOST);
    for (size_t i = 0; i < TEST_COUNT(all_ff); i++)
        if (TEST_WANTED(length, all_ff[i]))
            crafted_one(k, from, to, content, all_ff[i]);
}

/* ---- the same few pages, over and over ---- */

struct repeated {
    uint8_t *all;
    size_t unit_size, size; /* size is a multiple of unit_size */
};

/* Returns the length of the mapped pages. It is even and a multiple of 251, so that each pattern
   goes on from one mapping to the next. */
static size_t unit_size(void)
{
#if TEST_POSIX
    return (size_t)sysconf(_SC_PAGESIZE) * 251;
#else
    return 4096 * 251;
#endif
}

#if TEST_POSIX
static int anonymous_file(size_t size)
{
#  if defined(MFD_CLOEXEC)
    const int file = memfd_create("wiresum", MFD_CLOEXEC);
#  else
    FILE *const stream = tmpfile();
    const int file = stream ? fileno(stream) : -1;
#  endif
    if (file < 0 || ftruncate(file, (off_t)size) != 0) {
        perror("a file to map");
        exit(1);
    }
    return file;
}

static struct repeated repeat(uint64_t wanted)
{
    const size_t unit = unit_size();
    const int file = anonymous_file(unit);
    struct repeated r = { NULL, unit, 0 };

    /* Maps all that is wanted, or as much as the address space has. */
    uint64_t size = (wanted + unit - 1) / unit * unit;
    /* With 32-bit addresses 1.125 GiB: two of these fit, and kernels flush. */
    const uint64_t sensible = (SIZE_MAX >> 5) * 9ull / unit * unit;
    if (size > sensible)
        size = sensible;
    for (;; size = size / 2 / unit * unit) {
        r.all =
            mmap(NULL, (size_t)size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (r.all != MAP_FAILED)
            break;
        if (size <= unit) {
            perror("mmap");
            exit(1);
        }
    }
    r.size = (size_t)size;
    for (size_t at = 0; at < r.size; at += unit) {
        if (mmap(r.all + at, unit, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0)
            == MAP_FAILED) {
            perror("mmap of the same page again");
            exit(1);
        }
    }
    return r;
}
#else
static struct repeated repeat(uint64_t wanted)
{
    /* No page can be mapped twice here, so the buffer is only large enough that kernels flush. */
    const size_t unit = unit_size(), size = unit * 16;
    (void)wanted;
    return (struct repeated){ test_allocate(size), unit, size };
}
#endif

static void fill_repeated(struct repeated r, const uint8_t *pattern, size_t period)
{
    size_t n = r.unit_size;
#if !TEST_POSIX
    n = r.size;
#endif
    for (size_t i = 0; i < n; i++)
        r.all[i] = pattern[i % period];
}

/* Returns the integer sum of n bytes. The totals of the units add up, because unit_size is even. */
static uint64_t repeated_total(struct repeated r, uint64_t n)
{
    return n / r.unit_size * plain_total(r.all, r.unit_size) + plain_total(r.all, n % r.unit_size);
}

static uint16_t sum_repeated(struct repeated r, uint64_t n)
{
    uint64_t sum = 0;
    for (; n > r.size; n -= r.size)
        sum = wiresum_partial(r.all, r.size, sum);
    return wiresum_fold(wiresum_partial(r.all, (size_t)n, sum));
}

static uint16_t copy_repeated(struct repeated to, struct repeated from, uint64_t n)
{
    const size_t most = to.size < from.size ? to.size : from.size;
    uint16_t sum = 0;
    for (; n > most; n -= most)
        sum = wiresum_append(sum, most, wiresum_copy(to.all, from.all, most));
    return wiresum_append(sum, 0, wiresum_copy(to.all, from.all, (size_t)n));
}

static const uint64_t FOUR_GIB = (uint64_t)1 << 32;

/* ---- pages around each GiB that are mapped once ---- */

/* A kernel sums at most a GiB at once, and goes on after it. If it went on at another place,
   repeated pages would not show it. */
static const uint64_t GIB = (uint64_t)1 << 30;
enum { SEAM = 128 << 10, MOST_SEAMS = 4 };

static size_t seams(struct repeated r)
{
    size_t n = 0;
    while (TEST_POSIX && n < MOST_SEAMS && (n + 1) * GIB + SEAM / 2 <= r.size)
        n++;
    return n;
}

static uint8_t *seam(struct repeated r, size_t i)
{
    return r.all + (size_t)((i + 1) * GIB) - SEAM / 2;
}

static void map_seams(struct repeated r)
{
#if TEST_POSIX
    for (size_t i = 0; i < seams(r); i++) {
        if (mmap(seam(r, i), SEAM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                 -1, 0)
            == MAP_FAILED) {
            perror("mmap of pages around a GiB");
            exit(1);
        }
    }
#else
    (void)r;
#endif
}

/* Returns the integer sum of the first n <= r.size bytes, of which some are in seams. */
static uint64_t total_with_seams(struct repeated r, uint64_t n)
{
    uint64_t total = repeated_total(r, n);
    for (size_t i = 0; i < seams(r); i++) {
        const uint64_t begin = (i + 1) * GIB - SEAM / 2;
        if (n <= begin)
            break;
        const uint64_t inside = n - begin < SEAM ? n - begin : SEAM;
        total -= repeated_total(r, begin + inside) - repeated_total(r, begin);
        total += plain_total(seam(r, i), inside);
    }
    return total;
}

/* Writes a fill of the other tests as a pattern whose period divides the unit; returns the sum of
   the first n bytes. */
static uint16_t fill_with(struct repeated from, size_t fill, uint64_t n)
{
    static uint8_t bytes[251 * 2];
    test_fill(fill, bytes, sizeof bytes);
    fill_repeated(from, bytes, fill < 2 ? 1 : sizeof bytes);
    return plain_fold(repeated_total(from, n));
}

static void vectors_of_sums(struct repeated from)
{
    for (size_t i = 0; i < vectors_sum_count; i++) {
        const struct vector_sum *const v = &vectors_sum[i];
        test_at.round = (int64_t)i;
        if (!v->huge || !TEST_WANTED(round, i))
            continue;
        if (test_thin > 1
            && (v->data.length > FOUR_GIB + 1024
                || (v->data.length != FOUR_GIB + 4 && !test_in_slice(i))))
            continue;
        if (v->data.count != 1 || from.unit_size % v->data.parts[0].size != 0) {
            test_fail("vector %s is not a pattern whose period divides %lu", v->name,
                      (unsigned long)from.unit_size);
            continue;
        }
        fill_repeated(from, v->data.parts[0].bytes, v->data.parts[0].size);
        test_number("the oracle", plain_fold(repeated_total(from, v->data.length)), v->sum);
        TEST_EACH_KERNEL(k) {
            test_at.length = (int64_t)v->data.length;
            test_sum(v->name, sum_repeated(from, v->data.length), v->sum);
        }
    }
    test_at.round = -1;
}

static void fills_of_sums(struct repeated from)
{
    for (size_t fill = 0; fill < TEST_FILLS; fill++) {
        if (!test_want_fill(fill) || (test_thin > 1 && fill != 3 && !test_in_slice(fill)))
            continue;
        const uint64_t n = FOUR_GIB + 131 + fill;
        const uint16_t sum = fill_with(from, fill, n);
        TEST_EACH_KERNEL(k) {
            test_at.length = (int64_t)n;
            if (TEST_WANTED(length, n))
                test_sum("sum", sum_repeated(from, n), sum);
        }
    }
}

static void fills_of_copies(struct repeated from, struct repeated to)
{
    uint64_t state = test_random_state(40, 0);
    const size_t most = to.size < from.size ? to.size : from.size;
    map_seams(from);
    map_seams(to);
    for (size_t i = 0; i < seams(from); i++)
        test_random_bytes(&state, seam(from, i), SEAM);
    for (size_t fill = 0; fill < TEST_FILLS; fill++) {
        if (!test_want_fill(fill) || (test_thin > 1 && fill != 1 && !test_in_slice(fill)))
            continue;
        const uint64_t n = FOUR_GIB + 131 + fill, calls = (n - 1) / most;
        fill_with(from, fill, n);
        const uint16_t sum = plain_fold(calls * plain_fold(total_with_seams(from, most))
                                        + total_with_seams(from, n - calls * most));
        TEST_EACH_KERNEL(k) {
            static const uint8_t none = 0xA5;
            test_at.length = (int64_t)n;
            if (!TEST_WANTED(length, n))
                continue;
            fill_repeated(to, &none, 1);
            for (size_t i = 0; i < seams(to); i++)
                memset(seam(to, i), none, SEAM);
            test_sum("copy", copy_repeated(to, from, n), sum);
            test_true(memcmp(to.all, from.all, to.unit_size) == 0,
                      "the copy has the bytes of its source");
            for (size_t i = 0; i < seams(to); i++) {
                const uint64_t begin = (i + 1) * GIB - SEAM / 2;
                const uint64_t here = n < most ? n : most;
                const size_t copied = here - begin < SEAM ? (size_t)(here - begin) : SEAM;
                test_true(memcmp(seam(to, i), seam(from, i), copied) == 0,
                          "the copy has the bytes of its source around a GiB");
                test_true(copied == SEAM || seam(to, i)[copied] == none,
                          "nothing after the copy was written");
            }
        }
    }
}

/* ---- copies around the caches ---- */

/* Each line of the destination is a page of its own memory, so that none can be lost. */
static void around_caches(struct repeated from)
{
    enum { LEAST = 9 << 20, MORE = 5 << 20, OFFSET = 37, BEHIND = 64 };
    const size_t sensible = (size_t)1 << 30;
    size_t n = LEAST + MORE + 77;
#if WIRESUM_HAVE_X86_SSE2
    if (test_thin > 1 || wiresum_copy_around_caches_from() > sensible)
        printf("left out: a copy of three quarters of the largest cache\n");
    else if (wiresum_copy_around_caches_from() > LEAST)
        n += wiresum_copy_around_caches_from() - LEAST;
#endif
    if (n > from.size || n > sensible)
        n = from.size;
    const uint16_t sum = fill_with(from, 3, n);
    const struct test_arena to = test_arena(OFFSET + n + BEHIND);
    uint8_t *const dst = to.start + OFFSET;
    test_at.fill = test_fills[3];
    test_at.length = (int64_t)n;
    TEST_EACH_KERNEL(k) {
        memset(to.start, 0xA5, OFFSET + n + BEHIND);
        test_sum("copy", wiresum_copy(dst, from.all, n), sum);
        test_true(memcmp(dst, from.all, n) == 0, "the copy has the bytes of its source");
        test_true(dst[-1] == 0xA5 && dst[n] == 0xA5, "nothing around the copy was written");
    }
}

/* ---- copies between pages that are mapped once ---- */

/* No two places have the same bytes, so that a block of a kernel that is read from another place,
   or written to one, changes the copy. */
static void distinct(void)
{
    static const size_t offsets[][2] = { { 0, 0 }, { 1, 0 }, { 14, 37 }, { 63, 62 } };
    enum { BEHIND = 64 };
    const size_t n = (test_thin > 1 ? (size_t)2 << 20 : (size_t)20 << 20) + 77;
    const struct test_arena from = test_arena(n + BEHIND), to = test_arena(2 * BEHIND + n);
    uint64_t state = test_random_state(41, 0);
    test_random_bytes(&state, from.start, n + BEHIND);
    test_at.length = (int64_t)n;
    for (size_t i = 0; i < TEST_COUNT(offsets); i++) {
        const uint8_t *const p = from.start + offsets[i][0];
        uint8_t *const dst = to.start + offsets[i][1] + 1;
        const uint16_t sum = plain_sum(p, n);
        test_at.offset = (int64_t)offsets[i][0];
        test_at.to = (int64_t)offsets[i][1];
        TEST_EACH_KERNEL(k) {
            memset(to.start, 0xA5, 2 * BEHIND + n);
            test_sum("copy_partial", wiresum_fold(k->copy_partial(dst, p, n)), sum);
            test_true(memcmp(dst, p, n) == 0, "the copy has the bytes of its source");
            test_true(dst[-1] == 0xA5 && dst[n] == 0xA5, "nothing around the copy was written");
        }
    }
    test_at.offset = test_at.to = -1;
}

/* ---- packets ---- */

/* TCP packets before segmentation, whose length is the length of the data. All bytes of TCP are 0,
   except the checksum. The kernel in use sums them. */
static void packets(void)
{
#if TEST_POSIX && SIZE_MAX > 0xFFFFFFFF
    /* The length of 2^32 - 1 in the pseudo-headers below is the length of an IPv6 payload. The
       total length of IPv4 has the same limit, and counts the header of 20 bytes. */
    static const uint8_t headers[2][40] = {
        { 0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, 64, 6, 0, 0, 192, 0, 2, 1, 198, 51, 100, 2 },
        { 0x60, [6] = 6, 64, 0x20, 1, 0x0D, 0xB8, [23] = 1, 0x20, 1, 0x0D, 0xB8, [39] = 2 },
    };
    const size_t header_len[2] = { 20, 40 };
    const size_t mapped = (size_t)FOUR_GIB + 4096, page = (size_t)sysconf(_SC_PAGESIZE);
    if (test_thin > 1) {
        printf("left out: packets of 4 GiB\n");
        return;
    }
    uint8_t *const p = mmap(NULL, mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, page, PROT_READ | PROT_WRITE) != 0) {
        perror("mmap");
        exit(1);
    }
    for (size_t i = 0; i < 2; i++) {
        const size_t begin = header_len[i];
        const size_t most = i ? begin + 0xFFFFFFFF : 0xFFFFFFFF, payload = most - begin;
        test_at.round = (int64_t)i;
        memset(p, 0, 100);
        memcpy(p, headers[i], begin);
        const uint16_t header = plain_checksum(p, 20);
        if (i == 0)
            p[10] = (uint8_t)(header >> 8), p[11] = (uint8_t)header;
        const uint64_t pseudo = (i ? plain_total(p + 8, 32) : plain_total(p + 12, 8)) + 6
                                + (payload >> 16) + (payload & 0xFFFF);
        const uint16_t right = (uint16_t)(0xFFFF - plain_fold(pseudo));
        p[begin + 16] = (uint8_t)(right >> 8), p[begin + 17] = (uint8_t)right;
        test_true(wiresum_packet_verify(p, most) == WIRESUM_PACKET_GOOD,
                  "the longest packet is good");
        test_true(wiresum_packet_verify(p, most + 1) == WIRESUM_PACKET_MALFORMED
                      && wiresum_packet_fill(p, most + 1) == WIRESUM_PACKET_MALFORMED,
                  "a packet whose length no pseudo-header can hold is malformed");
    }
    test_at.round = -1;
    munmap(p, mapped);
#else
    printf("left out: packets of 4 GiB\n");
#endif
}

int main(int argc, char **argv)
{
    test_begin("huge", argc, argv);
    if (test_group("packet"))
        packets();
    if (test_group("crafted"))
        TEST_EACH_KERNEL(k)
            crafted(k);

    uint64_t longest = FOUR_GIB + 1024;
    for (size_t i = 0; i < vectors_sum_count && test_thin == 1; i++)
        if (vectors_sum[i].data.length > longest)
            longest = vectors_sum[i].data.length;
    const struct repeated from = repeat(longest), to = repeat(FOUR_GIB + 1024);
    printf("longest call: sum %" PRIu64 " bytes, copy %" PRIu64 " bytes\n",
           longest < from.size ? longest : (uint64_t)from.size,
           FOUR_GIB + 134 < to.size ? FOUR_GIB + 134 : (uint64_t)to.size);
    fflush(stdout);
    if (test_group("sum")) {
        vectors_of_sums(from);
        fills_of_sums(from);
    }
    if (test_group("distinct"))
        distinct();
    if (test_group("around"))
        around_caches(from); /* before the next group maps other pages there */
    if (test_group("copy"))
        fills_of_copies(from, to);
    return test_end();
}
