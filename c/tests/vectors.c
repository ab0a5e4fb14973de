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
        SUM(v, "wiresum_complement", wiresum_complement(wiresum_sum(p, n)), v->checksum);
        TRUE(v, "wiresum_ok is true for 0xFFFF alone", wiresum_ok(p, n) == (v->sum == 0xFFFF));
        TRUE(v, "wiresum_value", wiresum_value(wiresum_sum(p, n)) == v->sum);
        /* The same data behind a guard page. */
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
                       uint8_t protocol, uint32_t length)
{
    const size_t size = family == 4 ? 4 : 16;
    /* A read beyond an address faults. */
    uint8_t *const from = arena.end - size, *const to = other.end - size;
    memcpy(from, source, size), memcpy(to, destination, size);
    return family == 4 ? wiresum_pseudo_ipv4(from, to, protocol, (uint16_t)length)
                       : wiresum_pseudo_ipv6(from, to, protocol, length);
}

static void pseudos(void)
{
    for (size_t i = 0; i < vectors_pseudo_count; i++) {
        const struct vector_pseudo *const v = &vectors_pseudo[i];
        if (wanted(i))
            SUM(v, "the pseudo-header",
                pseudo(v->family, v->source, v->destination, v->protocol, v->length), v->sum);
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
    }
    return test_end();
}
