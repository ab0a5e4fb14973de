/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests every public function against a computation by the oracle over the same bytes. Groups that
 * use a kernel run on each kernel.
 */
#include "algebra_packets.h"
#include "random.h"

#if TEST_POSIX
#  include <sys/uio.h>
#endif

/* ---- functions of numbers, which call no kernel ---- */

static void fold(const char *what, uint64_t x)
{
    test_number(what, wiresum_fold(x), plain_fold(x));
    test_true(wiresum_folds_to_ones(x) == (plain_fold(x) == 0xFFFF), what);
}

static void folds(void)
{
    for (uint32_t x = 0; x <= 0xFFFF; x += 1) {
        test_at.length = x;
        if (test_thin > 1 && !test_in_slice(x))
            continue;
        /* A fold is arithmetic on the number, in either byte order. */
        fold("fold of 16 bits", x);
        fold("fold of 16 bits, high", (uint64_t)x << 48);
        fold("fold with every carry", 0xFFFFFFFFFFFF0000u | x);
        test_number("complement", wiresum_complement((uint16_t)x), (uint16_t)(0xFFFF - x));
        test_number("swap", wiresum_swap((uint16_t)x), (uint16_t)(x % 256 * 256 + x / 256));
        test_number("value", wiresum_value(test_memory_order((uint16_t)x)), (uint16_t)x);
        test_number("udp_field", wiresum_udp_field((uint16_t)x), x == 0 ? 0xFFFF : (uint16_t)x);
    }
    test_at.length = -1;
    for (size_t i = 0; i < 256;
         i++) { /* all 64-bit numbers of four words that are 0, 1, FFFE or FFFF */
        static const uint16_t words[] = { 0, 1, 0xFFFE, 0xFFFF };
        const uint64_t x = (uint64_t)words[i & 3] << 48 | (uint64_t)words[i >> 2 & 3] << 32
                           | (uint64_t)words[i >> 4 & 3] << 16 | words[i >> 6];
        fold("fold of edges", x);
    }
    EACH_ROUND(state, 1, 200000) {
        const uint64_t x = test_random(&state) >> below(&state, 64);
        fold("fold", x);
        fold("fold of a multiple", x - x % 0xFFFF);
    }
}

/* a and b are numbers. The library takes them in memory order. */
static void add_and_sub(uint16_t a, uint16_t b)
{
    const uint16_t ma = test_memory_order(a), mb = test_memory_order(b);
    const uint16_t sum = plain_fold((uint64_t)a + b);
    const uint16_t swapped = (uint16_t)(b << 8 | b >> 8);

    test_sum("add", wiresum_add(ma, mb), sum);
    test_sum("append, even head", wiresum_append(ma, 2, mb), sum);
    test_sum("append, odd head", wiresum_append(ma, 1, mb), plain_fold((uint64_t)a + swapped));
    test_sum("append, head of SIZE_MAX", wiresum_append(ma, SIZE_MAX, mb),
             plain_fold((uint64_t)a + swapped));
    /* The result is whole + ~part, or whole if part is 0. */
    test_sum("sub", wiresum_sub(ma, mb), b == 0 ? a : plain_fold((uint64_t)a + (0xFFFFu - b)));
    test_sum("remove, even head", wiresum_remove(ma, 2, mb),
             b == 0 ? a : plain_fold((uint64_t)a + (0xFFFFu - b)));
    test_sum("remove, odd head", wiresum_remove(ma, 3, mb),
             b == 0 ? a : plain_fold((uint64_t)a + (0xFFFFu - swapped)));
    /* sub is the inverse of add, except that 0xFFFF stands for an all-zero rest. */
    const uint16_t back = test_value(wiresum_sub(wiresum_add(ma, mb), mb));
    test_true(back == a || (a == 0 && back == 0xFFFF), "sub undoes add");
    test_true(wiresum_add(ma, mb) == wiresum_add(mb, ma), "add commutes");
    test_true((wiresum_add(ma, mb) == 0) == (a == 0 && b == 0), "only 0 + 0 is 0");
}

static void adds(void)
{
    for (size_t i = 0; i < TEST_COUNT(edges); i++)
        for (size_t j = 0; j < TEST_COUNT(edges); j++)
            add_and_sub(edges[i], edges[j]);
    for (uint32_t a = 0; a <= 0xFFFF; a++)
        if (test_in_slice(a) && test_only.round < 0)
            add_and_sub((uint16_t)a, edges[a % TEST_COUNT(edges)]);
    EACH_ROUND(state, 2, 200000) {
        const uint16_t a = (uint16_t)test_random(&state), b = (uint16_t)test_random(&state),
                       c = (uint16_t)test_random(&state);
        add_and_sub(a, b);
        test_true(wiresum_add(wiresum_add(a, b), c) == wiresum_add(a, wiresum_add(b, c)),
                  "add associates");
    }
}

/* ---- functions that read bytes ---- */

static void partials(void)
{
    static const uint64_t seeds[] = {
        0, 1, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFE, 0x8000000000000000
    };
    EACH_ROUND(state, 3, 20000) {
        /* A chain of pieces: each except the last has an even length. */
        uint8_t all[4 * MOST];
        size_t done = 0;
        uint64_t sum = 0;
        for (size_t piece = 0; piece < 4; piece++) {
            size_t n = below(&state, MOST);
            if (piece < 3)
                n &= ~(size_t)1;
            uint8_t *const p = room(one, &state, n);
            message(&state, p, n);
            memcpy(all + done, p, n);
            done += n;
            sum = wiresum_partial(p, n, sum);
        }
        test_sum("a chain of partial", wiresum_fold(sum), plain_sum(all, done));

        /* Any number is a seed. */
        const uint64_t seed = round_ < TEST_COUNT(seeds) ? seeds[round_] : test_random(&state);
        const uint16_t folded = test_value(wiresum_fold(seed));
        const uint64_t got = wiresum_partial(all, done, seed);
        test_sum("partial with a seed", wiresum_fold(got),
                 plain_fold(folded + plain_total(all, done)));
        test_true(wiresum_partial(NULL, 0, seed) == seed, "partial of nothing is the seed");
    }
}

static void gathers(void)
{
    EACH_ROUND(state, 4, 20000) {
        enum { PIECES = 12 };
        static uint8_t all[PIECES * MOST];
        struct wiresum_piece pieces[PIECES];
        uint8_t *store[PIECES];
        const size_t count = below(&state, PIECES + 1);
        size_t done = 0;
        uint16_t chained = 0;

        for (size_t i = 0; i < count; i++) {
            const size_t kind = below(&state, 4), n = kind == 0   ? 0
                                                      : kind == 1 ? below(&state, 8)
                                                                  : below(&state, MOST);
            store[i] = test_allocate(n + 16); /* for ASan and valgrind */
            uint8_t *const p = n == 0 && below(&state, 2) ? NULL : store[i] + 16;
            if (p)
                message(&state, p, n);
            if (n)
                memcpy(all + done, p, n);
            pieces[i] = (struct wiresum_piece){ p, n };
            chained = wiresum_append(chained, done, wiresum_sum(p, n));
            done += n;
        }
        const uint16_t expected = plain_sum(all, done);
        test_sum("a chain of append", chained, expected);
        test_sum("gather", wiresum_gather(count ? pieces : NULL, count), expected);

        uint8_t *const to = test_allocate(done + 32);
        memset(to, 0xA5, done + 32);
        test_sum("gather_copy", wiresum_gather_copy(done ? to + 16 : NULL, pieces, count),
                 expected);
        test_true(done == 0 || memcmp(to + 16, all, done) == 0, "gather_copy copies");
        for (size_t i = 0; i < 16; i++)
            test_true(to[i] == 0xA5 && to[16 + done + i] == 0xA5,
                      "gather_copy writes nothing around");

        /* Removes the pieces from the last one on. */
        uint16_t rest = chained;
        for (size_t i = count; i-- > 0;) {
            done -= pieces[i].len;
            rest = wiresum_remove(rest, done, wiresum_sum(pieces[i].data, pieces[i].len));
            const uint16_t value = test_value(rest), plain = plain_sum(all, done);
            test_true(value == plain || (value == 0xFFFF && plain == 0), "remove");
        }
        free(to);
        for (size_t i = 0; i < count; i++)
            free(store[i]);
    }
    test_true(wiresum_gather(NULL, 0) == 0, "gather of no pieces is 0");
    test_true(wiresum_gather_copy(NULL, NULL, 0) == 0, "gather_copy of no pieces is 0");
}

/* Returns the checksum that an update must give: the checksum of the new data, except that data
   which become all zero get 0x0000. */
static uint16_t updated(const uint8_t *before, const uint8_t *after, size_t n)
{
    const bool becomes_zero = plain_total(after, n) == 0 && plain_total(before, n) != 0;
    return becomes_zero ? 0x0000 : plain_checksum(after, n);
}

static void updates(void)
{
    EACH_ROUND(state, 5, 40000) {
        uint8_t before[MOST], after[MOST];
        const size_t n = 1 + below(&state, MOST), offset = below(&state, n),
                     len = below(&state, n - offset + 1);
        message(&state, before, n);
        if (below(&state, 8) == 0) /* all may become zero */
            memset(before, 0, offset), memset(before + offset + len, 0, n - offset - len);
        memcpy(after, before, n);
        message(&state, after + offset, len);
        test_at.length = (int64_t)len;
        test_at.offset = (int64_t)offset;

        uint8_t *const was = room(one, &state, len), *const is = room(two, &state, len);
        memcpy(was, before + offset, len);
        memcpy(is, after + offset, len);
        const uint16_t old = test_memory_order(plain_checksum(before, n));
        const uint16_t expected = updated(before, after, n);
        test_sum("update", wiresum_update(old, offset, was, is, len), expected);

        /* UDP: "not computed" stays, and a computed 0 is 0xFFFF. An old field of 0xFFFF may stand
           for 0x0000. */
        test_sum("udp_update", wiresum_udp_update(old, offset, was, is, len),
                 old == 0        ? 0
                 : expected == 0 ? 0xFFFF
                                 : expected);
        test_sum("udp_update of not computed", wiresum_udp_update(0, offset, was, is, len), 0);
        if (old == 0 && plain_total(after, n) != 0)
            test_sum("udp_update of 0xFFFF for 0", wiresum_udp_update(0xFFFF, offset, was, is, len),
                     expected == 0 ? 0xFFFF : expected);

        /* The inverse update gives the old checksum. */
        const uint16_t there = wiresum_update(old, offset, was, is, len);
        if (plain_total(before, n) != 0 && plain_total(after, n) != 0)
            test_sum("update and back", wiresum_update(there, offset, is, was, len),
                     test_value(old));

        /* A wrong checksum stays wrong by the same difference. */
        const uint16_t wrong = (uint16_t)test_random(&state);
        const uint16_t moved = wiresum_update(wrong, offset, was, is, len);
        const uint64_t shift = offset & 1; /* the bytes at their place in words */
        uint8_t in_place_was[MOST + 1] = { 0 }, in_place_is[MOST + 1] = { 0 };
        memcpy(in_place_was + shift, was, len), memcpy(in_place_is + shift, is, len);
        const uint64_t difference =
            0xFFFFu - plain_sum(in_place_was, len + shift) + plain_sum(in_place_is, len + shift);
        test_true((0xFFFFu - test_value(wrong) + difference) % 0xFFFF
                      == (0xFFFFu - test_value(moved)) % 0xFFFFu,
                  "update of a wrong checksum adds the difference");

        /* The updates of fixed widths, at an even offset. */
        const size_t even = offset & ~(size_t)1;
        test_at.offset = (int64_t)even;
        for (size_t width = 2; width <= 16; width += width == 4 ? 12 : 2) {
            if (n - even < width)
                continue;
            memcpy(after, before, n);
            message(&state, after + even, width);
            uint8_t *const a = one.end - width, *const b = two.end - width;
            memcpy(a, before + even, width), memcpy(b, after + even, width);
            const uint16_t want = updated(before, after, n);
            uint16_t a16, b16;
            uint32_t a32, b32;
            test_at.length = (int64_t)width;
            if (width == 2) {
                memcpy(&a16, a, 2), memcpy(&b16, b, 2);
                test_sum("update16", wiresum_update16(old, a16, b16), want);
            } else if (width == 4) {
                memcpy(&a32, a, 4), memcpy(&b32, b, 4);
                test_sum("update32", wiresum_update32(old, a32, b32), want);
            } else {
                test_sum("update128", wiresum_update128(old, a, b), want);
            }
        }
    }
    test_true(wiresum_update(0x1234, 1, NULL, NULL, 0) == 0x1234,
              "an update of nothing changes nothing");
    test_true(wiresum_update(0xFFFF, 0, NULL, NULL, 0) == 0xFFFF,
              "an update of nothing leaves 0xFFFF");
    test_true(wiresum_udp_update(0x1234, 1, NULL, NULL, 0) == 0x1234,
              "an update of nothing changes nothing for UDP");
    for (unsigned was = 0; was <= 0xFFFF; was++) {
        const uint16_t now[5] = { 0, 1, (uint16_t)was, (uint16_t)~was, 0xFFFF };
        for (size_t i = 0; i < 5; i++) {
            const uint16_t of_zero = wiresum_update16(0x0000, (uint16_t)was, now[i]);
            const bool stays = (was == 0 || was == 0xFFFF) && now[i] == 0;
            test_true(wiresum_update16(0xFFFF, (uint16_t)was, now[i]) == (stays ? 0xFFFF : of_zero),
                      "an update of 0xFFFF has the result of 0x0000, or stays");
        }
    }
}

/* ---- batches ---- */

static void batches(void)
{
    EACH_ROUND(state, 12, 4000) {
        enum { PACKETS = 40 };
        static uint8_t all[PACKETS * MOST];
        const size_t n = below(&state, PACKETS + 1), least = below(&state, 50);
        /* The array begins or ends at a guard page: a batch that looks ahead stays in the array. */
        struct wiresum_piece *const packets =
            below(&state, 2) ? (struct wiresum_piece *)(void *)two.end - n : (void *)two.start;
        int32_t offsets32[PACKETS + 1];
        int64_t offsets64[PACKETS + 1];
        uint16_t sums[PACKETS + 1], expected[PACKETS + 1];
        size_t done = least;

        message(&state, all, least);
        offsets32[0] = (int32_t)done, offsets64[0] = (int64_t)done;
        for (size_t i = 0; i < n; i++) {
            const size_t len = below(&state, 3) == 0 ? below(&state, 4) : below(&state, MOST - 2);
            message(&state, all + done, len);
            expected[i] = plain_sum(all + done, len);
            done += len;
            offsets32[i + 1] = (int32_t)done, offsets64[i + 1] = (int64_t)done;
        }
        uint8_t *const base = three.end - done; /* the last packet ends at a guard page */
        memcpy(base, all, done);
        for (size_t i = 0; i < n; i++) { /* an empty packet is null */
            const size_t len = (size_t)(offsets64[i + 1] - offsets64[i]);
            packets[i] = (struct wiresum_piece){ len ? base + offsets64[i] : NULL, len };
        }
        for (size_t form = 0; form < 3; form++) {
            static const char *const names[] = { "batch", "batch_offsets32", "batch_offsets64" };
            memset(sums, 0xA5, sizeof sums);
            if (form == 0)
                wiresum_batch(packets, n, sums);
            else if (form == 1)
                wiresum_batch_offsets32(base, offsets32, n, sums);
            else
                wiresum_batch_offsets64(base, offsets64, n, sums);
            for (size_t i = 0; i < n; i++) {
                test_at.length = (int64_t)i;
                test_sum(names[form], sums[i], expected[i]);
            }
            test_true(sums[n] == 0xA5A5, "a batch writes n sums and no more");
        }
    }

    EACH_ROUND(state, 13, 4000) {
        enum { HEADERS = 70, STRIDES = 10 };
        static const size_t strides[STRIDES] = { 0, 20, 21, 24, 40, 60, 61, 64, 65, 1514 };
        const size_t n = below(&state, HEADERS + 1), stride = strides[below(&state, STRIDES)];
        uint16_t sums[HEADERS + 1];

        test_at.offset = (int64_t)stride;
        memset(sums, 0xA5, sizeof sums);
        if (n == 0) {
            wiresum_batch_ipv4_headers(NULL, stride, 0, sums);
        } else {
            /* The last header, of the length that its IHL says, ends at a guard page. A header with
               an IHL below 5 is one byte. */
            const uint8_t last = (uint8_t)(below(&state, 2) ? 0x45 : 0x40 + below(&state, 16));
            const size_t last_len = (last & 15) < 5 ? 1 : 4u * (last & 15);
            const size_t span = (n - 1) * stride + last_len;
            uint8_t *const first = three.end - span;
            message(&state, first, span);
            /* In one case of two, nearly all headers have 20 bytes, which kernels sum together. */
            const bool alike = below(&state, 2);
            for (size_t i = 0; i + 1 < n; i++)
                if (alike && stride >= 20 && below(&state, 40))
                    first[i * stride] = 0x45;
                else if (i * stride + 60 <= span)
                    first[i * stride] =
                        (uint8_t)(test_random(&state) % 6 == 0 ? test_random(&state)
                                                               : 0x45 + below(&state, 11));
                else
                    first[i * stride] =
                        stride >= 20 ? 0x45 : last; /* too near the end for options */
            first[(n - 1) * stride] = last;
            /* Some headers that do not overlap get a right checksum. */
            for (size_t i = 0; i < n && stride >= 60; i++) {
                uint8_t *const h = first + i * stride;
                const size_t len = 4u * (h[0] & 15);
                if (len < 20 || below(&state, 2))
                    continue;
                h[10] = h[11] = 0;
                const uint16_t right = plain_checksum(h, len);
                h[10] = (uint8_t)(right >> 8), h[11] = (uint8_t)right;
            }
            wiresum_batch_ipv4_headers(first, stride, n, sums);
            for (size_t i = 0; i < n; i++) {
                const uint8_t *const h = first + i * stride;
                const size_t len = 4u * (h[0] & 15);
                test_at.length = (int64_t)i;
                test_sum("batch_ipv4_headers", sums[i], len < 20 ? 0x0000 : plain_sum(h, len));
                test_true((sums[i] == 0xFFFF) == (len >= 20 && wiresum_ipv4_header_ok(h, len)),
                          "as ipv4_header_ok");
            }
        }
        test_true(sums[n] == 0xA5A5, "a batch writes n sums and no more");
    }
}

/* ---- streams and chains ---- */

/* The pieces that a walk of a chain has not met yet. */
struct walk {
    const struct wiresum_piece *pieces;
    size_t n, met;
};

static bool next_piece(void *position, struct wiresum_piece *piece)
{
    struct walk *const walk = position;
    if (walk->met == walk->n)
        return false;
    *piece = walk->pieces[walk->met++];
    return true;
}

/* Cuts len bytes into n pieces, some of them empty. */
static void cut(uint64_t *state, size_t len, size_t n, size_t *lengths)
{
    for (size_t i = 0; i < n; i++) {
        lengths[i] = i + 1 == n ? len : below(state, 3) ? below(state, len + 1) : 0;
        len -= lengths[i];
    }
}

static void streams(void)
{
    enum { PIECES = 9 };
    EACH_ROUND(state, 14, 20000) {
        uint8_t all[MOST];
        const size_t len = below(&state, MOST + 1), n = 1 + below(&state, PIECES),
                     rooms_n = 1 + below(&state, PIECES);
        size_t lengths[PIECES], spaces[PIECES];
        struct wiresum_piece pieces[PIECES];
        struct wiresum_room rooms[PIECES];
        uint8_t *store[PIECES], *target[PIECES];
        struct wiresum_stream stream, whole;

        message(&state, all, len);
        cut(&state, len, n, lengths);
        wiresum_stream_init(&whole);
        for (size_t i = 0, done = 0; i < n; done += lengths[i++]) {
            store[i] = test_allocate(lengths[i] + 1); /* for ASan and valgrind */
            if (lengths[i])
                memcpy(store[i] + 1, all + done, lengths[i]);
            pieces[i] = (struct wiresum_piece){ lengths[i] ? store[i] + 1 : NULL, lengths[i] };
            wiresum_stream_push(&whole, pieces[i].data, lengths[i]);
        }
        test_sum("stream_push", wiresum_stream_sum(&whole), plain_sum(all, len));
        test_true(whole.len == len, "a stream counts its bytes");

        const size_t offset = below(&state, len + 1), range = below(&state, len - offset + 1);
        test_at.offset = (int64_t)offset, test_at.length = (int64_t)range;
        /* The range goes after a head of any length. */
        uint8_t joined[2 * MOST];
        const size_t head_len = below(&state, len < 4 ? len + 1 : 4);
        memcpy(joined, all, head_len);
        memcpy(joined + head_len, all + offset, range);
        const uint16_t expected = plain_sum(joined, head_len + range);
        wiresum_stream_init(&stream);
        wiresum_stream_push(&stream, all, head_len);
        const struct wiresum_stream begun = stream;
        test_true(wiresum_stream_push_range(&stream, pieces, n, offset, range), "a range is there");
        test_sum("stream_push_range", wiresum_stream_sum(&stream), expected);
        test_true(stream.len == head_len + range, "stream_push_range counts");
        struct walk walk = { pieces, n, 0 };
        stream = begun;
        test_true(wiresum_stream_push_chain(&stream, next_piece, &walk, offset, range),
                  "a range of a chain is there");
        test_sum("stream_push_chain", wiresum_stream_sum(&stream), expected);
        size_t reached = 0, needed = 0;
        while (reached < offset + range)
            reached += lengths[needed++];
        test_true(walk.met == needed, "no piece after the last byte is asked for");
        stream = begun;
        test_true(!wiresum_stream_push_range(&stream, pieces, n, offset, len - offset + 1),
                  "a range beyond the end is not there");
        test_true(stream.sum == begun.sum && stream.len == begun.len, "a refusal changes nothing");

        /* A copy in two calls, between guard bytes. */
        const size_t space = below(&state, MOST + 1);
        cut(&state, space, rooms_n, spaces);
        for (size_t i = 0; i < rooms_n; i++) {
            target[i] = test_allocate(spaces[i] + 2);
            memset(target[i], 0xA5, spaces[i] + 2);
            rooms[i] = (struct wiresum_room){ spaces[i] ? target[i] + 1 : NULL, spaces[i] };
        }
        const size_t first = below(&state, rooms_n + 1);
        stream = begun;
        size_t copied = wiresum_stream_copy(&stream, rooms, first, pieces, n, offset), room_at = 0;
        for (size_t i = 0; i < first; i++)
            room_at += spaces[i];
        const size_t left = len - offset;
        test_true(copied == (room_at < left ? room_at : left), "stream_copy copies what it can");
        copied += wiresum_stream_copy(&stream, rooms + first, rooms_n - first, pieces, n,
                                      offset + copied);
        memcpy(joined + head_len, all + offset, copied);
        test_sum("stream_copy", wiresum_stream_sum(&stream), plain_sum(joined, head_len + copied));
        test_true(stream.len == head_len + copied, "stream_copy counts");
        size_t at = 0;
        for (size_t i = 0; i < rooms_n; i++) {
            /* A first call whose source ended leaves its rooms open; the second fills its own. */
            const size_t here = i < first && room_at >= left ? (at < left ? left - at : 0)
                                : at < copied                ? copied - at
                                                             : 0,
                         filled = here < spaces[i] ? here : spaces[i];
            test_true(filled == 0 || memcmp(target[i] + 1, all + offset + at, filled) == 0,
                      "stream_copy copies");
            for (size_t j = filled + 1; j < spaces[i] + 2; j++)
                test_true(target[i][j] == 0xA5, "stream_copy writes nothing around");
            test_true(target[i][0] == 0xA5, "stream_copy writes nothing before");
            at += filled;
        }

        /* A head and a tail are taken away again. */
        struct wiresum_stream front, back;
        wiresum_stream_init(&front), wiresum_stream_init(&back);
        wiresum_stream_push(&front, all, offset);
        wiresum_stream_push(&back, all + offset, len - offset);
        stream = whole;
        test_true(wiresum_stream_remove_head(&stream, &front), "a head can be removed");
        test_true(stream.len == back.len
                      && (stream.sum == back.sum || (stream.sum == 0xFFFF && back.sum == 0)),
                  "stream_remove_head leaves the tail");
        test_true(back.len > 0 || stream.sum == 0, "no bytes sum to 0x0000");
        stream = whole;
        test_true(wiresum_stream_remove_tail(&stream, &back), "a tail can be removed");
        test_true(stream.len == front.len
                      && (stream.sum == front.sum || (stream.sum == 0xFFFF && front.sum == 0)),
                  "stream_remove_tail leaves the head");
        test_true(front.len > 0 || stream.sum == 0, "no bytes sum to 0x0000");
        stream = front;
        wiresum_stream_join(&stream, &back);
        test_true(stream.sum == whole.sum && stream.len == whole.len, "stream_join");

        for (size_t i = 0; i < n; i++)
            free(store[i]);
        for (size_t i = 0; i < rooms_n; i++)
            free(target[i]);
    }
}

/* A part with one sum gives way to a part with another, which may be longer. */
static void replacements(void)
{
    EACH_ROUND(state, 16, 20000) {
        uint8_t was[2 * MOST], is[2 * MOST];
        const size_t was_len = 2 * below(&state, 30), is_len = 2 * below(&state, 30),
                     rest = 1 + below(&state, MOST);
        message(&state, was, was_len), message(&state, is, is_len);
        message(&state, was + was_len, rest);
        was[was_len] |= 1; /* neither is all zero */
        memcpy(is + is_len, was + was_len, rest);
        const uint16_t before = test_memory_order(plain_checksum(was, was_len + rest)),
                       old_sum = wiresum_sum(was, was_len), new_sum = wiresum_sum(is, is_len),
                       expected = plain_checksum(is, is_len + rest);
        test_sum("update_sum", wiresum_update_sum(before, old_sum, new_sum), expected);
        test_sum("update_sum of a difference",
                 wiresum_update_sum(before, 0, wiresum_sub(new_sum, old_sum)), expected);
        test_sum("udp_update_sum", wiresum_udp_update_sum(before, old_sum, new_sum),
                 before == 0     ? 0
                 : expected == 0 ? 0xFFFF
                                 : expected);
    }
}

/* ---- nothing at all ---- */

static void nothing(const struct wiresum_kernel *k)
{
    uint16_t untouched = 0xA5A5;
    const struct wiresum_piece empty[] = { { NULL, 0 }, { NULL, 0 } };
    const int32_t offset32 = 0;
    const int64_t offset64 = 0;

    test_true(k->partial(NULL, 0) == 0, "the kernel's sum of nothing is 0");
    test_true(k->copy_partial(NULL, NULL, 0) == 0, "the kernel's copy of nothing is 0");
    test_true(wiresum_sum(NULL, 0) == 0, "the sum of nothing is 0");
    test_true(wiresum_checksum(NULL, 0) == 0xFFFF, "the checksum of nothing is 0xFFFF");
    test_true(!wiresum_ok(NULL, 0), "nothing is not ok");
    test_true(wiresum_copy(NULL, NULL, 0) == 0, "a copy of nothing");
    test_true(wiresum_partial(NULL, 0, 0) == 0, "a partial sum of nothing");
    test_true(wiresum_gather(empty, 2) == 0, "empty pieces");
    test_true(wiresum_gather_copy(NULL, empty, 2) == 0, "a copy of empty pieces");
    wiresum_batch(NULL, 0, NULL);
    wiresum_batch(NULL, 0, &untouched);
    wiresum_batch_offsets32(NULL, &offset32, 0, &untouched);
    wiresum_batch_offsets64(NULL, &offset64, 0, &untouched);
    wiresum_batch_ipv4_headers(NULL, 20, 0, &untouched);
    test_true(untouched == 0xA5A5, "empty batches write nothing");
    /* The end and the start of the readable bytes. */
    test_true(wiresum_sum(one.end, 0) == 0, "no byte is read of none, before a guard page");
    test_true(wiresum_sum(one.start, 0) == 0, "no byte is read of none, after a guard page");
    test_true(wiresum_copy(two.end, one.end, 0) == 0, "no byte is copied of none");
    /* The two forms of zero. */
    memset(one.start, 0, 200);
    memset(two.start, 0xFF, 200);
    for (size_t n = 0; n < 200; n++) {
        test_at.length = (int64_t)n;
        test_true(wiresum_sum(one.start, n) == 0x0000 && !wiresum_ok(one.start, n),
                  "zeros sum to 0x0000, and are not ok");
        test_true(n % 2 || n == 0 || wiresum_ok(two.start, n), "an even number of FF is ok");
    }
}

/* ---- struct iovec as pieces and rooms ---- */

#if TEST_POSIX

/* Returns the sum of n pieces, as wiresum_gather does. A build that compiles the library and its
   caller as one sees both sides of the cast, as here. */
static inline uint16_t gather_inline(const struct wiresum_piece *pieces, size_t n)
{
    uint16_t sum = 0;
    size_t done = 0;
    for (size_t i = 0; i < n; i++) {
        sum = wiresum_append(sum, done, wiresum_sum(pieces[i].data, pieces[i].len));
        done += pieces[i].len;
    }
    return sum;
}

/* Fills a struct iovec, sums it, and clears it again. pieces is the same address: a compiler that
   takes the two for different memory leaves out the first two stores. */
static __attribute__((noinline)) uint16_t fill_sum_clear(struct iovec *v,
                                                         const struct wiresum_piece *pieces,
                                                         uint8_t *p, size_t n)
{
    v->iov_base = p;
    v->iov_len = n;
    const uint16_t sum = gather_inline(pieces, 1);
    v->iov_base = NULL;
    v->iov_len = 0;
    return sum;
}

/* Copies rooms as wiresum_stream_copy does, as far as the first room goes, where a compiler sees
   both sides of the cast. */
static inline size_t copy_inline(const struct wiresum_room *rooms, const uint8_t *p, size_t n)
{
    const size_t len = rooms[0].len < n ? rooms[0].len : n;
    if (len)
        memcpy(rooms[0].data, p, len);
    return len;
}

/* Fills a struct iovec, copies to it, and clears it again. rooms is the same address. */
static __attribute__((noinline)) size_t fill_copy_clear(struct iovec *v,
                                                        const struct wiresum_room *rooms,
                                                        uint8_t *dst, const uint8_t *p, size_t n)
{
    v->iov_base = dst;
    v->iov_len = n;
    const size_t copied = copy_inline(rooms, p, n);
    v->iov_base = NULL;
    v->iov_len = 0;
    return copied;
}

static void iovecs(void)
{
    struct iovec v = { NULL, 0 };
    uint64_t state = test_random_state(70, 0);
    test_random_bytes(&state, one.start, MOST);
    for (size_t n = 0; n <= MOST; n++) {
        test_at.length = (int64_t)n;
        const uint16_t sum = plain_sum(one.start, n);
        test_sum("a struct iovec as a piece",
                 fill_sum_clear(&v, (const struct wiresum_piece *)&v, one.start, n), sum);
        v = (struct iovec){ one.start, n };
        test_sum("wiresum_gather of a struct iovec",
                 wiresum_gather((const struct wiresum_piece *)&v, 1), sum);
        v = (struct iovec){ NULL, 0 };

        memset(two.start, 0, n);
        test_true(fill_copy_clear(&v, (const struct wiresum_room *)&v, two.start, one.start, n) == n
                      && memcmp(two.start, one.start, n) == 0,
                  "a struct iovec as a room");
        memset(two.start, 0, n);
        v = (struct iovec){ two.start, n };
        const struct wiresum_piece piece = { one.start, n };
        struct wiresum_stream stream;
        wiresum_stream_init(&stream);
        const struct wiresum_room *const room = (const struct wiresum_room *)&v;
        test_true(wiresum_stream_copy(&stream, room, 1, &piece, 1, 0) == n
                      && memcmp(two.start, one.start, n) == 0,
                  "wiresum_stream_copy to a struct iovec");
        test_sum("wiresum_stream_copy to a struct iovec", wiresum_stream_sum(&stream), sum);
        v = (struct iovec){ NULL, 0 };
    }
}

#endif

int main(int argc, char **argv)
{
    test_begin("algebra", argc, argv);
    one = test_arena(2 * MOST), two = test_arena(2 * MOST), three = test_arena(72 * 1514);
    if (test_group("fold"))
        folds();
    if (test_group("add"))
        adds();
#if defined(WIRESUM_DEBUG) && TEST_POSIX
    if (test_group("trap"))
        traps_of_short_headers();
#endif
    if (test_group("pseudo")) /* pseudo-headers call no kernel */
        pseudos();
    TEST_EACH_KERNEL(k) {
        if (test_group("nothing"))
            nothing(k);
        if (test_group("partial"))
            partials();
        if (test_group("gather"))
            gathers();
#if TEST_POSIX
        if (test_group("iovec"))
            iovecs();
#endif
        if (test_group("update"))
            updates();
        if (test_group("segment"))
            segments();
        if (test_group("short_header"))
            short_headers();
        if (test_group("ipv4_header"))
            ipv4_headers();
        if (test_group("batch"))
            batches();
        if (test_group("stream"))
            streams();
        if (test_group("packet"))
            packets();
        if (test_group("replace"))
            replacements();
    }
    return test_end();
}
