/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Tests every vector of spec/vectors.json on every kernel, by the kernel itself and by each public
   function that the group is about. huge.c tests the huge vectors. --round is the number of a
   vector in its group. */
#include "test.h"

#ifndef PROGRAM /* exports.c defines another */
#  define PROGRAM "vectors"
#endif

static uint16_t memory_order(uint16_t number)
{
    return test_memory_order(number);
}

static struct test_arena arena, other;

/* Writes the bytes of a recipe before a guard page. */
static uint8_t *build(struct test_arena where, const struct vector_data *data)
{
    uint8_t *const p = where.end - data->length;
    vector_fill(p, data);
    return p;
}

static size_t longest(void)
{
    uint64_t most = 0;
    for (size_t i = 0; i < vectors_sum_count; i++)
        if (!vectors_sum[i].huge && vectors_sum[i].data.length > most)
            most = vectors_sum[i].data.length;
    return (size_t)most + 1;
}

/* Begins vector i of a group; returns whether this run wants it. */
static bool wanted(size_t i)
{
    test_at.round = (int64_t)i;
    return TEST_WANTED(round, i);
}

/* Names a vector in the report of a failure. */
#define SAY(v, what) \
    (snprintf(said, sizeof said, "%s, vector %s (%s)", what, (v)->name, (v)->catches), said)
static char said[512];

#define SUM(v, what, got, expected)                                                      \
    do {                                                                                 \
        const uint16_t got_ = test_value(got), expected_ = (expected);                   \
        test_counted();                                                                  \
        if (got_ != expected_)                                                           \
            test_fail("%s: got 0x%04X, expected 0x%04X", SAY(v, what), got_, expected_); \
    } while (0)

#define TRUE(v, what, holds)                       \
    do {                                           \
        test_counted();                            \
        if (!(holds))                              \
            test_fail("not so: %s", SAY(v, what)); \
    } while (0)

static void sums(const struct wiresum_kernel *k)
{
    for (size_t i = 0; i < vectors_sum_count; i++) {
        const struct vector_sum *const v = &vectors_sum[i];
        if (v->huge || !wanted(i))
            continue;
        const size_t n = (size_t)v->data.length;
        const uint8_t *const p = build(arena, &v->data);
        uint8_t *const to = other.end - n;
        memset(to, 0xA5, n);
        SUM(v, "partial of the kernel", wiresum_fold(k->partial(p, n)), v->sum);
        SUM(v, "copy_partial of the kernel", wiresum_fold(k->copy_partial(to, p, n)), v->sum);
        TRUE(v, "copy_partial of the kernel copies", n == 0 || memcmp(to, p, n) == 0);
        memset(to, 0xA5, n);
        SUM(v, "wiresum_sum", wiresum_sum(p, n), v->sum);
        SUM(v, "wiresum_checksum", wiresum_checksum(p, n), v->checksum);
        SUM(v, "wiresum_copy", wiresum_copy(to, p, n), v->sum);
        TRUE(v, "wiresum_copy copies", n == 0 || memcmp(to, p, n) == 0);
        SUM(v, "wiresum_partial", wiresum_fold(wiresum_partial(p, n, 0)), v->sum);
        const size_t head = n / 2 & ~(size_t)1; /* even: a seed is a sum of whole words */
        const uint64_t seed = wiresum_partial(p, head, 0);
        SUM(v, "wiresum_partial with a seed",
            wiresum_fold(wiresum_partial(p + head, n - head, seed)), v->sum);
        SUM(v, "wiresum_complement", wiresum_complement(wiresum_sum(p, n)), v->checksum);
        TRUE(v, "wiresum_ok is true for 0xFFFF alone", wiresum_ok(p, n) == (v->sum == 0xFFFF));
        TRUE(v, "wiresum_value", wiresum_value(wiresum_sum(p, n)) == v->sum);
        /* The same data after a guard page. */
        memmove(arena.start, p, n);
        SUM(v, "partial of the kernel at a page's beginning",
            wiresum_fold(k->partial(arena.start, n)), v->sum);
    }
}

static void splits(void)
{
    for (size_t i = 0; i < vectors_split_count; i++) {
        const struct vector_split *const v = &vectors_split[i];
        if (!wanted(i))
            continue;
        const uint8_t *const p = build(arena, &v->data);
        struct wiresum_piece *const pieces = test_allocate(v->count * sizeof *pieces);
        uint16_t sum = 0, of_given = 0;
        size_t done = 0;
        for (size_t j = 0; j < v->count; j++) {
            const size_t len = (size_t)v->pieces[j].length;
            pieces[j] = (struct wiresum_piece){ p + done, len };
            SUM(v, "a piece", wiresum_sum(p + done, len), v->pieces[j].sum);
            sum = wiresum_append(sum, done, wiresum_sum(p + done, len));
            of_given = wiresum_append(of_given, done, memory_order(v->pieces[j].sum));
            done += len;
        }
        SUM(v, "wiresum_append", sum, v->sum);
        SUM(v, "wiresum_append of the given sums", of_given, v->sum);
        SUM(v, "wiresum_gather", wiresum_gather(pieces, v->count), v->sum);
        uint8_t *const to = other.end - done;
        memset(to, 0xA5, done);
        SUM(v, "wiresum_gather_copy", wiresum_gather_copy(to, pieces, v->count), v->sum);
        TRUE(v, "wiresum_gather_copy copies", done == 0 || memcmp(to, p, done) == 0);
        if (v->count && done) {
            /* The last piece is removed again. An all-zero rest may give 0xFFFF. */
            const struct wiresum_piece *const last = &pieces[v->count - 1];
            const uint16_t rest = test_value(
                wiresum_remove(sum, done - last->len, wiresum_sum(last->data, last->len)));
            const uint16_t plain = plain_sum(p, done - last->len);
            TRUE(v, "wiresum_remove", rest == plain || (rest == 0xFFFF && plain == 0));
        }
        free(pieces);
    }
}

static void subtracts(void)
{
    for (size_t i = 0; i < vectors_subtract_count; i++) {
        const struct vector_subtract *const v = &vectors_subtract[i];
        if (!wanted(i))
            continue;
        const uint16_t whole = memory_order(v->whole), part = memory_order(v->part);
        SUM(v, "wiresum_sub", wiresum_sub(whole, part), v->rest);
        SUM(v, "wiresum_remove, even head", wiresum_remove(whole, 4, part), v->rest);
        SUM(v, "wiresum_remove, odd head", wiresum_remove(whole, 5, wiresum_swap(part)), v->rest);
    }
}

static void updates(void)
{
    for (size_t i = 0; i < vectors_update_count; i++) {
        const struct vector_update *const v = &vectors_update[i];
        if (!wanted(i))
            continue;
        const size_t n = (size_t)v->was.length;
        const uint8_t *const was = build(arena, &v->was), *const is = build(other, &v->is);
        const uint16_t before = memory_order(v->checksum);
        TRUE(v, "the run keeps its length", v->is.length == n);
        SUM(v, "wiresum_update", wiresum_update(before, (size_t)v->offset, was, is, n), v->after);
        SUM(v, "wiresum_udp_update", wiresum_udp_update(before, (size_t)v->offset, was, is, n),
            v->udp_after);
        if (v->offset % 2 == 0 && n == 2) {
            uint16_t a, b;
            memcpy(&a, was, 2), memcpy(&b, is, 2);
            SUM(v, "wiresum_update16", wiresum_update16(before, a, b), v->after);
        }
        if (v->offset % 2 == 0 && n == 4) {
            uint32_t a, b;
            memcpy(&a, was, 4), memcpy(&b, is, 4);
            SUM(v, "wiresum_update32", wiresum_update32(before, a, b), v->after);
        }
        if (v->offset % 2 == 0 && n == 16)
            SUM(v, "wiresum_update128", wiresum_update128(before, was, is), v->after);
    }
}

static void verifies(void)
{
    for (size_t i = 0; i < vectors_verify_count; i++) {
        const struct vector_verify *const v = &vectors_verify[i];
        if (!wanted(i))
            continue;
        const size_t n = (size_t)v->data.length;
        const uint8_t *const p = build(arena, &v->data);
        SUM(v, "wiresum_sum", wiresum_sum(p, n), v->sum);
        TRUE(v, "wiresum_ok", wiresum_ok(p, n) == v->ok);
    }
}

static uint16_t pseudo(int family, const uint8_t *source, const uint8_t *destination,
                       uint32_t protocol, uint32_t length)
{
    const size_t size = family == 4 ? 4 : 16;
    /* A read beyond an address faults. */
    uint8_t *const from = arena.end - size, *const to = other.end - size;
    memcpy(from, source, size), memcpy(to, destination, size);
    return family == 4 ? wiresum_pseudo_ipv4(from, to, protocol, length)
                       : wiresum_pseudo_ipv6(from, to, protocol, length);
}

static void pseudos(void)
{
    for (size_t i = 0; i < vectors_pseudo_count; i++) {
        const struct vector_pseudo *const v = &vectors_pseudo[i];
        if (!wanted(i))
            continue;
        SUM(v, "the pseudo-header",
            pseudo(v->family, v->source, v->destination, v->protocol, v->length), v->sum);
        /* A caller may mistake one number for the other, and one address for the other. */
        SUM(v, "the pseudo-header, length before protocol",
            pseudo(v->family, v->source, v->destination, v->length, v->protocol), v->sum);
        SUM(v, "the pseudo-header, destination first",
            pseudo(v->family, v->destination, v->source, v->protocol, v->length), v->sum);
    }
}

static void ipv4_headers(void)
{
    for (size_t i = 0; i < vectors_ipv4_header_count; i++) {
        const struct vector_ipv4_header *const v = &vectors_ipv4_header[i];
        if (!wanted(i))
            continue;
        uint8_t *const h = arena.end - v->length;
        memcpy(h, v->header, v->length);
        SUM(v, "wiresum_ipv4_header", wiresum_ipv4_header(h, v->length), v->checksum);
        TRUE(v, "wiresum_ipv4_header_ok", wiresum_ipv4_header_ok(h, v->length) == v->ok);
        TRUE(v, "wiresum_ok", wiresum_ok(h, v->length) == v->ok);
        if ((size_t)(h[0] & 15) * 4 == v->length) {
            uint16_t sum = 1;
            wiresum_batch_ipv4_headers(h, v->length, 1, &sum);
            TRUE(v, "wiresum_batch_ipv4_headers", (sum == 0xFFFF) == v->ok);
        }
    }
}

typedef uint16_t checksum_function(uint16_t, const void *, size_t, const void *, size_t);
typedef bool ok_function(uint16_t, const void *, size_t, const void *, size_t);

/* ICMP with the parameters of the other protocols. */
static uint16_t icmp(uint16_t none, const void *header, size_t header_len, const void *payload,
                     size_t payload_len)
{
    (void)none;
    return wiresum_icmp(header, header_len, payload, payload_len);
}

static bool icmp_ok(uint16_t none, const void *header, size_t header_len, const void *payload,
                    size_t payload_len)
{
    (void)none;
    return wiresum_icmp_ok(header, header_len, payload, payload_len);
}

/* Tests the segments of one protocol, whose header has at least `least` bytes: in one piece, and
   split into header and payload at several places, with the payload elsewhere in memory. */
static void segments(const struct vector_segment *vectors, size_t count, size_t least,
                     checksum_function *checksum, ok_function *ok, bool is_udp)
{
    for (size_t i = 0; i < count; i++) {
        const struct vector_segment *const v = &vectors[i];
        if (!wanted(i))
            continue;
        const size_t n = (size_t)v->segment.length;
        const bool good = v->status == VECTOR_GOOD;
        uint16_t seed = memory_order(v->seed);

        if (v->protocol != 1) {
            seed = pseudo(v->family, v->source, v->destination, v->protocol, (uint32_t)n);
            SUM(v, "the pseudo-header", seed, v->seed);
        }
        uint8_t *const p = build(arena, &v->segment);
        const size_t splits[] = { n,         least,      least + 1, least + 2,
                                  least + 3, least + 12, n - 1,     n - 2 };
        for (size_t j = 0; j < TEST_COUNT(splits); j++) {
            const size_t header = splits[j];
            if (header < least || header > n)
                continue;
            test_at.length = (int64_t)header;
            const uint8_t *payload = p + header;
            if (header < n) {
                memcpy(other.end - (n - header), p + header, n - header);
                payload = other.end - (n - header);
            }
            SUM(v, "the checksum", checksum(seed, p, header, payload, n - header), v->field);
            TRUE(v, "_ok", ok(seed, p, header, payload, n - header) == good);
        }
        test_at.length = -1;
        TRUE(v, "_ok with no payload, null", ok(seed, p, n, NULL, 0) == good);
        if (is_udp)
            TRUE(v, "wiresum_udp_absent",
                 wiresum_udp_absent(p)
                     == (v->status == VECTOR_ABSENT || v->status == VECTOR_ILLEGAL));

        /* A device finds the seed in the field. */
        const uint16_t in_field = v->protocol == 1 ? 0 : seed;
        memcpy(p + v->field_offset, &in_field, 2);
        const uint16_t finished = wiresum_partial_finish(p, n);
        SUM(v, "wiresum_partial_finish", finished, v->checksum);
        if (is_udp)
            SUM(v, "wiresum_udp_field", wiresum_udp_field(finished), v->field);
        /* The finished segment is right. */
        const uint16_t right = checksum(seed, p, n, NULL, 0);
        memcpy(p + v->field_offset, &right, 2);
        TRUE(v, "_ok of the finished segment", ok(seed, p, n, NULL, 0));
    }
}

/* A chain of pieces in the caller's own form. */
struct link {
    struct wiresum_piece piece;
    struct link *next;
};

static bool next_link(void *position, struct wiresum_piece *piece)
{
    struct link **const link = position;
    if (!*link)
        return false;
    *piece = (*link)->piece;
    *link = (*link)->next;
    return true;
}

static void ranges(void)
{
    for (size_t i = 0; i < vectors_range_count; i++) {
        const struct vector_range *const v = &vectors_range[i];
        if (!wanted(i))
            continue;
        const size_t offset = (size_t)v->offset, length = (size_t)v->length,
                     all = (size_t)v->data.length, n = v->count;
        const uint8_t *const p = build(arena, &v->data);
        struct wiresum_piece *const pieces = test_allocate((n + 1) * sizeof *pieces);
        struct link *const links = test_allocate((n + 1) * sizeof *links);
        struct wiresum_stream stream, joined;
        size_t done = 0;
        wiresum_stream_init(&joined);
        for (size_t j = 0; j < n; j++) {
            const size_t len = (size_t)v->pieces[j].length;
            pieces[j] = (struct wiresum_piece){ len ? p + done : NULL, len };
            links[j] = (struct link){ pieces[j], j + 1 < n ? &links[j + 1] : NULL };
            wiresum_stream_init(&stream);
            wiresum_stream_push(&stream, pieces[j].data, len);
            SUM(v, "wiresum_stream_push", wiresum_stream_sum(&stream), v->pieces[j].sum);
            wiresum_stream_join(&joined, &stream);
            done += len;
        }
        TRUE(v, "the length of a stream", joined.len == all);
        SUM(v, "wiresum_stream_join", wiresum_stream_sum(&joined), plain_sum(p, all));
        SUM(v, "wiresum_stream_checksum", wiresum_stream_checksum(&joined), plain_checksum(p, all));

        wiresum_stream_init(&stream);
        TRUE(v, "wiresum_stream_push_range finds the range",
             wiresum_stream_push_range(&stream, n ? pieces : NULL, n, offset, length));
        SUM(v, "wiresum_stream_push_range", wiresum_stream_sum(&stream), v->sum);
        TRUE(v, "wiresum_stream_push_range counts", stream.len == length);
        struct link *at = n ? links : NULL;
        wiresum_stream_init(&stream);
        TRUE(v, "wiresum_stream_push_chain finds the range",
             wiresum_stream_push_chain(&stream, next_link, &at, offset, length));
        SUM(v, "wiresum_stream_push_chain", wiresum_stream_sum(&stream), v->sum);

        /* A range that is longer than the chain changes nothing. */
        const struct wiresum_stream before = stream;
        const size_t beyond[][2] = { { offset, all - offset + 1 },
                                     { all + 1, 0 },
                                     { 0, SIZE_MAX },
                                     { SIZE_MAX, SIZE_MAX },
                                     { SIZE_MAX, 1 } };
        for (size_t j = 0; j < TEST_COUNT(beyond); j++) {
            TRUE(v, "a range beyond the chain is refused",
                 !wiresum_stream_push_range(&stream, pieces, n, beyond[j][0], beyond[j][1]));
            TRUE(v, "a range beyond the chain changes nothing",
                 stream.sum == before.sum && stream.len == before.len);
        }

        struct wiresum_room *const rooms = test_allocate((v->rooms_count + 1) * sizeof *rooms);
        size_t space = 0;
        for (size_t j = 0; j < v->rooms_count; j++)
            space += (size_t)v->rooms[j].length;
        uint8_t *to = other.end - space;
        memset(to, 0xA5, space);
        for (size_t j = 0; j < v->rooms_count; j++) {
            const size_t len = (size_t)v->rooms[j].length;
            rooms[j] = (struct wiresum_room){ len ? to : NULL, len };
            to += len;
        }
        to = other.end - space;
        wiresum_stream_init(&stream);
        const size_t copied =
            wiresum_stream_copy(&stream, rooms, v->rooms_count, pieces, n, offset);
        TRUE(v, "wiresum_stream_copy counts", copied == v->copied && stream.len == copied);
        SUM(v, "wiresum_stream_copy", wiresum_stream_sum(&stream), v->copied_sum);
        TRUE(v, "wiresum_stream_copy copies", copied == 0 || memcmp(to, p + offset, copied) == 0);
        for (size_t j = copied; j < space; j++)
            TRUE(v, "wiresum_stream_copy writes nothing more", to[j] == 0xA5);
        for (size_t j = 0; j < v->rooms_count && copied == space; j++)
            SUM(v, "a room", wiresum_sum(rooms[j].data, rooms[j].len), v->rooms[j].sum);
        free(rooms), free(links), free(pieces);
    }
}

static void removals(void)
{
    for (size_t i = 0; i < vectors_remove_head_count; i++) {
        const struct vector_remove_head *const v = &vectors_remove_head[i];
        if (!wanted(i))
            continue;
        const uint16_t whole = memory_order(v->whole), head = memory_order(v->head);
        struct wiresum_stream stream = { v->length, whole }, part = { v->head_length, head };
        if (v->head_length < v->length) /* else a difference gives 0xFFFF for no bytes */
            SUM(v, "wiresum_remove_head", wiresum_remove_head(whole, (size_t)v->head_length, head),
                v->rest);
        TRUE(v, "wiresum_stream_remove_head", wiresum_stream_remove_head(&stream, &part));
        SUM(v, "wiresum_stream_remove_head", wiresum_stream_sum(&stream), v->rest);
        TRUE(v, "the length of the rest", stream.len == v->length - v->head_length);
        /* What is joined again is the whole, in either form of zero. */
        struct wiresum_stream again = part;
        wiresum_stream_join(&again, &stream);
        TRUE(v, "wiresum_stream_join of head and rest",
             again.len == v->length && again.sum % 0xFFFF == whole % 0xFFFF);
        part.len = stream.len + 1;
        const struct wiresum_stream before = stream;
        TRUE(v, "a head longer than the stream is refused",
             !wiresum_stream_remove_head(&stream, &part) && stream.len == before.len
                 && stream.sum == before.sum);
        TRUE(v, "a tail longer than the stream is refused",
             !wiresum_stream_remove_tail(&stream, &part) && stream.len == before.len
                 && stream.sum == before.sum);
        /* The tail taken away leaves the head. */
        stream = (struct wiresum_stream){ v->length, whole };
        TRUE(v, "wiresum_stream_remove_tail", wiresum_stream_remove_tail(&stream, &before));
        TRUE(v, "wiresum_stream_remove_tail leaves the head",
             stream.len == v->head_length && stream.sum % 0xFFFF == head % 0xFFFF
                 && (stream.len > 0 || stream.sum == 0));
    }
}

static void replacements(void)
{
    for (size_t i = 0; i < vectors_replace_count; i++) {
        const struct vector_replace *const v = &vectors_replace[i];
        if (!wanted(i))
            continue;
        const uint16_t before = memory_order(v->checksum), was = memory_order(v->was),
                       is = memory_order(v->is);
        SUM(v, "wiresum_update_sum", wiresum_update_sum(before, was, is), v->after);
        SUM(v, "wiresum_udp_update_sum", wiresum_udp_update_sum(before, was, is), v->udp_after);
        if (v->checksum != 0xFFFF) /* a difference of sums: in memory, not of all-zero data */
            SUM(v, "wiresum_update_sum of a difference",
                wiresum_update_sum(before, 0, wiresum_sub(is, was)), v->after);
    }
}

static void finishes(void)
{
    for (size_t i = 0; i < vectors_finish_count; i++) {
        const struct vector_finish *const v = &vectors_finish[i];
        if (!wanted(i))
            continue;
        const size_t n = (size_t)v->frame.length, start = (size_t)v->start,
                     offset = (size_t)v->offset;
        const uint8_t *const was = build(other, &v->frame);
        uint8_t *const p = build(arena, &v->frame);
        TRUE(v, "wiresum_packet_finish", wiresum_packet_finish(p, n, start, offset) == v->ok);
        for (size_t j = 0; j < n; j++)
            if (!v->ok || (j != start + offset && j != start + offset + 1))
                TRUE(v, "wiresum_packet_finish writes the field alone", p[j] == was[j]);
        if (v->ok)
            SUM(v, "the field", wiresum_load16(p + start + offset), v->field);
    }
}

static void udplites(void)
{
    for (size_t i = 0; i < vectors_udplite_count; i++) {
        const struct vector_udplite *const v = &vectors_udplite[i];
        if (!wanted(i))
            continue;
        const size_t n = (size_t)v->segment.length;
        const uint16_t seed = pseudo(v->family, v->source, v->destination, 136, (uint32_t)n);
        const uint8_t *const p = build(arena, &v->segment);
        SUM(v, "the pseudo-header", seed, v->seed);
        TRUE(v, "wiresum_udplite_coverage", wiresum_udplite_coverage(p, n) == v->coverage);
        SUM(v, "wiresum_udplite", wiresum_udplite(seed, p, n), v->field);
        TRUE(v, "wiresum_udplite_ok", wiresum_udplite_ok(seed, p, n) == v->ok);
        for (size_t cut = 0; cut < 8; cut++) { /* a header that is not whole */
            const uint8_t *const end = arena.end - cut;
            memmove(arena.end - cut, p, cut);
            TRUE(v, "wiresum_udplite_coverage of a cut header",
                 wiresum_udplite_coverage(end, cut) == 0);
            TRUE(v, "wiresum_udplite of a cut header", wiresum_udplite(seed, end, cut) == 0);
            TRUE(v, "wiresum_udplite_ok of a cut header", !wiresum_udplite_ok(0xFFFF, end, cut));
        }
    }
}

static const enum wiresum_packet_result results[] = {
    [VECTOR_GOOD] = WIRESUM_PACKET_GOOD,
    [VECTOR_BAD] = WIRESUM_PACKET_BAD,
    [VECTOR_BAD_HEADER] = WIRESUM_PACKET_BAD_HEADER,
    [VECTOR_ABSENT] = WIRESUM_PACKET_ABSENT,
    [VECTOR_ILLEGAL] = WIRESUM_PACKET_ILLEGAL,
    [VECTOR_FRAGMENT] = WIRESUM_PACKET_FRAGMENT,
    [VECTOR_UNKNOWN] = WIRESUM_PACKET_UNKNOWN,
    [VECTOR_ROUTED] = WIRESUM_PACKET_ROUTED,
    [VECTOR_SHORT] = WIRESUM_PACKET_SHORT,
    [VECTOR_MALFORMED] = WIRESUM_PACKET_MALFORMED,
};

static void packets(void)
{
    for (size_t i = 0; i < vectors_packet_count; i++) {
        const struct vector_packet *const v = &vectors_packet[i];
        if (!wanted(i))
            continue;
        const size_t n = (size_t)v->packet.length;
        uint8_t *const p = build(arena, &v->packet), *const expected = other.end - n;
        vector_fill(expected, v->filled.count ? &v->filled : &v->packet);
        TRUE(v, "wiresum_packet_verify", wiresum_packet_verify(p, n) == results[v->result]);
        TRUE(v, "wiresum_packet_fill", wiresum_packet_fill(p, n) == results[v->fill]);
        TRUE(v, "wiresum_packet_fill writes the fields alone", memcmp(p, expected, n) == 0);
        if (v->fill == VECTOR_GOOD)
            TRUE(v, "wiresum_packet_verify of what was filled",
                 wiresum_packet_verify(p, n) == WIRESUM_PACKET_GOOD);

        /* Every beginning of the packet, at the end of readable memory. */
        vector_fill(expected, &v->packet);
        for (size_t cut = 0; cut < n; cut += n > 1000 ? 997 : 1) {
            uint8_t *const start = arena.end - cut;
            memcpy(start, expected, cut);
            test_at.length = (int64_t)cut;
            const enum wiresum_packet_result verified = wiresum_packet_verify(start, cut),
                                             filled = wiresum_packet_fill(start, cut);
            TRUE(v, "a result", verified <= WIRESUM_PACKET_MALFORMED);
            if (cut < v->end && v->result == VECTOR_GOOD) {
                TRUE(v, "a cut packet is short", verified == WIRESUM_PACKET_SHORT);
                TRUE(v, "a cut packet is not filled", filled == WIRESUM_PACKET_SHORT);
            }
            if (filled != WIRESUM_PACKET_GOOD)
                TRUE(v, "a refusal writes nothing", memcmp(start, expected, cut) == 0);
        }
        test_at.length = -1;
    }
    /* Each result has a sentence of its own, and any other number one that says so. */
    for (int a = 0; a <= WIRESUM_PACKET_MALFORMED + 1; a++)
        for (int b = 0; b < a; b++)
            test_true(strcmp(wiresum_packet_text((enum wiresum_packet_result)a),
                             wiresum_packet_text((enum wiresum_packet_result)b))
                          != 0,
                      "each result has a sentence of its own");
}

int main(int argc, char **argv)
{
    test_begin(PROGRAM, argc, argv);
    arena = test_arena(longest());
    other = test_arena(longest());
    TEST_EACH_KERNEL(k) {
        if (test_group("sum"))
            sums(k);
        if (test_group("split"))
            splits();
        if (test_group("subtract"))
            subtracts();
        if (test_group("update"))
            updates();
        if (test_group("verify"))
            verifies();
        if (test_group("pseudo"))
            pseudos();
        if (test_group("ipv4_header"))
            ipv4_headers();
        if (test_group("tcp"))
            segments(vectors_tcp, vectors_tcp_count, 20, wiresum_tcp, wiresum_tcp_ok, false);
        if (test_group("udp"))
            segments(vectors_udp, vectors_udp_count, 8, wiresum_udp, wiresum_udp_ok, true);
        if (test_group("icmp"))
            segments(vectors_icmp, vectors_icmp_count, 4, icmp, icmp_ok, false);
        if (test_group("icmpv6"))
            segments(vectors_icmpv6, vectors_icmpv6_count, 4, wiresum_icmpv6, wiresum_icmpv6_ok,
                     false);
        if (test_group("range"))
            ranges();
        if (test_group("remove_head"))
            removals();
        if (test_group("replace"))
            replacements();
        if (test_group("finish"))
            finishes();
        if (test_group("udplite"))
            udplites();
        if (test_group("packet"))
            packets();
    }
    return test_end();
}
