/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Calls each public function that takes data of any length, with each kernel: exhaustive.c calls
 * the kernels themselves. The groups:
 *
 *     short   each length to 4,096 bytes
 *     middle  lengths to 65,535 bytes, one in 61; WIRESUM_TEST_EVERY_LENGTH takes all
 *     random  lengths of 65 KiB to 1 MiB, and those around each power of two of at least 8 KiB
 *     long    gather lists, batches and streams of some 4 MiB
 */
#include "test.h"

enum {
    SHORT = 4096,
    MIDDLE = 65535,
    LONGEST = 1 << 20,
    ROOM = LONGEST + 8192,
    LENGTHS = 24, /* random ones of a kernel */
    PIECES = 5,
};

static uint8_t *content; /* random bytes */
static struct test_arena copy;
/* totals[odd][i] is the integer sum of the first i words from offset odd on. */
static uint64_t totals[2][ROOM / 2 + 1];

/* Returns the integer sum of n bytes of content. */
static uint64_t total(size_t offset, size_t n)
{
    const size_t odd = offset & 1, first = offset / 2;
    const uint64_t words = totals[odd][first + n / 2] - totals[odd][first];
    return words + (n & 1 ? (uint64_t)content[offset + n - 1] << 8 : 0);
}

static uint16_t swapped(uint16_t sum)
{
    return (uint16_t)(sum << 8 | sum >> 8);
}

static uint16_t word_at(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static void set_word(uint8_t *p, uint16_t number)
{
    p[0] = (uint8_t)(number >> 8), p[1] = (uint8_t)number;
}

/* What a copy of n bytes left at dst. */
static void check_copy(const uint8_t *dst, const uint8_t *p, size_t n, const char *what)
{
    test_true(n == 0 || memcmp(dst, p, n) == 0, what);
    test_true(dst == copy.start || dst[-1] == 0xA5, "a copy writes nothing before");
    test_true(dst + n == copy.end || dst[n] == 0xA5, "a copy writes nothing after");
}

static void clear(uint8_t *dst, size_t n)
{
    memset(dst, 0xA5, n);
    if (dst > copy.start)
        dst[-1] = 0xA5;
    if (dst + n < copy.end)
        dst[n] = 0xA5;
}

static bool next_piece(void *position, struct wiresum_piece *piece)
{
    const struct wiresum_piece **const at = position;
    if ((*at)->data == NULL)
        return false;
    *piece = *(*at)++;
    return true;
}

static void buffers(size_t offset, size_t n, uint8_t *dst)
{
    const uint8_t *const p = content + offset;
    const uint16_t sum = plain_fold(total(offset, n)), checksum = (uint16_t)(0xFFFF - sum);
    test_sum("sum", wiresum_sum(p, n), sum);
    test_sum("checksum", wiresum_checksum(p, n), checksum);
    test_sum("partial_finish", wiresum_partial_finish(p, n), checksum);
    test_true(wiresum_ok(p, n) == (sum == 0xFFFF), "ok says whether the sum is 0xFFFF");
    test_sum("partial", wiresum_fold(wiresum_partial(p, n, 0x123456789)),
             plain_fold(test_value(wiresum_fold(0x123456789)) + (uint64_t)sum));
    clear(dst, n);
    test_sum("copy", wiresum_copy(dst, p, n), sum);
    check_copy(dst, p, n, "copy copies");

    /* data that give way to others, at an even or an odd offset */
    const size_t other = offset + 4001, odd = n / 2 % 2;
    const uint16_t m = odd ? swapped(sum) : sum, other_sum = plain_fold(total(other, n));
    const uint16_t m_after = odd ? swapped(other_sum) : other_sum;
    const uint16_t after =
        n == 0 ? 0x1234
               : (uint16_t)(0xFFFF - plain_fold(0xEDCBu + 0xFFFFu - m + (uint64_t)m_after));
    test_sum("update", wiresum_update(test_memory_order(0x1234), odd, p, content + other, n),
             after);
    test_sum("udp_update",
             wiresum_udp_update(test_memory_order(0x1234), odd, p, content + other, n),
             after ? after : 0xFFFF);
}

static void lists(size_t offset, size_t n, uint8_t *dst)
{
    const uint8_t *const p = content + offset;
    const uint16_t sum = plain_fold(total(offset, n));
    const size_t a = n / 3, b = n - n / 5;
    const struct wiresum_piece pieces[4] = {
        { p, a }, { p + a, b - a }, { p + b, n - b }, { NULL, 0 }
    };
    test_sum("gather", wiresum_gather(pieces, 3), sum);
    clear(dst, n);
    test_sum("gather_copy", wiresum_gather_copy(dst, pieces, 3), sum);
    check_copy(dst, p, n, "gather_copy copies");

    const uint16_t parts[3] = { plain_fold(total(offset, a)), plain_fold(total(offset + a, b - a)),
                                plain_fold(total(offset + b, n - b)) };
    const int32_t offsets32[4] = { 0, (int32_t)a, (int32_t)b, (int32_t)n };
    const int64_t offsets64[4] = { 0, (int64_t)a, (int64_t)b, (int64_t)n };
    const struct wiresum_piece whole[2] = { { p, n }, { p + a, n - a } };
    uint16_t sums[3];
    wiresum_batch(whole, 2, sums);
    test_sum("batch", sums[0], sum);
    test_sum("batch", sums[1], plain_fold(total(offset + a, n - a)));
    wiresum_batch_offsets32(p, offsets32, 3, sums);
    for (size_t i = 0; i < 3; i++)
        test_sum("batch_offsets32", sums[i], parts[i]);
    wiresum_batch_offsets64(p, offsets64, 3, sums);
    for (size_t i = 0; i < 3; i++)
        test_sum("batch_offsets64", sums[i], parts[i]);

    struct wiresum_stream stream;
    wiresum_stream_init(&stream);
    wiresum_stream_push(&stream, p, n);
    test_sum("stream_push", wiresum_stream_sum(&stream), sum);
    wiresum_stream_init(&stream);
    const size_t skipped = n / 7;
    test_true(wiresum_stream_push_range(&stream, pieces, 3, skipped, n - skipped),
              "push_range finds its bytes");
    test_sum("stream_push_range", wiresum_stream_sum(&stream),
             plain_fold(total(offset + skipped, n - skipped)));
    wiresum_stream_init(&stream);
    const struct wiresum_piece *position = pieces;
    test_true(wiresum_stream_push_chain(&stream, next_piece, &position, skipped, n - skipped),
              "push_chain finds its bytes");
    test_sum("stream_push_chain", wiresum_stream_sum(&stream),
             plain_fold(total(offset + skipped, n - skipped)));
    const struct wiresum_room rooms[2] = { { dst, n / 4 }, { dst + n / 4, n - n / 4 } };
    wiresum_stream_init(&stream);
    clear(dst, n);
    test_true(wiresum_stream_copy(&stream, rooms, 2, pieces, 3, 0) == n, "stream_copy fills rooms");
    test_sum("stream_copy", wiresum_stream_sum(&stream), sum);
    check_copy(dst, p, n, "stream_copy copies");
}

typedef uint16_t segment_function(uint16_t pseudo, const void *header, size_t header_len,
                                  const void *payload, size_t payload_len);
typedef bool segment_ok_function(uint16_t pseudo, const void *header, size_t header_len,
                                 const void *payload, size_t payload_len);

static uint16_t icmp(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                     size_t payload_len)
{
    (void)pseudo;
    return wiresum_icmp(header, header_len, payload, payload_len);
}
static bool icmp_ok(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                    size_t payload_len)
{
    (void)pseudo;
    return wiresum_icmp_ok(header, header_len, payload, payload_len);
}

static void segments(size_t offset, size_t n, uint8_t *dst)
{
    static const struct {
        const char *name;
        size_t header, field;
        segment_function *checksum;
        segment_ok_function *ok;
        bool is_udp, has_pseudo;
    } protocols[] = {
        { "tcp", 20, 16, wiresum_tcp, wiresum_tcp_ok, false, true },
        { "udp", 8, 6, wiresum_udp, wiresum_udp_ok, true, true },
        { "icmp", 4, 2, icmp, icmp_ok, false, false },
        { "icmpv6", 4, 2, wiresum_icmpv6, wiresum_icmpv6_ok, false, true },
    };
    for (size_t i = 0; i < TEST_COUNT(protocols); i++) {
        if (n < protocols[i].header)
            continue;
        const size_t more = n - protocols[i].header, field = protocols[i].field;
        const size_t header = protocols[i].header + (more < 41 ? more : n % 41);
        const uint16_t pseudo = protocols[i].has_pseudo ? 0x4321 : 0;
        memcpy(dst, content + offset, n);
        const uint16_t found = word_at(dst + field);
        uint16_t right =
            (uint16_t)(0xFFFF - plain_fold(pseudo + total(offset, n) - (uint64_t)found));
        if (protocols[i].is_udp && right == 0)
            right = 0xFFFF;
        const uint16_t seed = test_memory_order(pseudo);
        test_sum(protocols[i].name,
                 protocols[i].checksum(seed, dst, header, dst + header, n - header), right);
        set_word(dst + field, right);
        test_true(protocols[i].ok(seed, dst, header, dst + header, n - header),
                  "a right field is right");
        dst[n - 1] ^= 1;
        test_true(!protocols[i].ok(seed, dst, header, dst + header, n - header),
                  "a wrong byte is seen");
    }
    if (n < 28)
        return;
    memcpy(dst, content + offset, n);
    set_word(dst + 4, 0); /* the coverage of UDP-Lite: all */
    const uint16_t lite = (uint16_t)(0xFFFF
                                     - plain_fold(0x4321 + total(offset, n) - word_at(dst + 6)
                                                  - word_at(content + offset + 4)));
    test_sum("udplite", wiresum_udplite(test_memory_order(0x4321), dst, n), lite ? lite : 0xFFFF);
    set_word(dst + 6, lite ? lite : 0xFFFF);
    test_true(wiresum_udplite_ok(test_memory_order(0x4321), dst, n), "a right field is right");
    dst[n - 1] ^= 1;
    test_true(!wiresum_udplite_ok(test_memory_order(0x4321), dst, n), "a wrong byte is seen");
    dst[n - 1] ^= 1;
    if (n > 65535)
        return;
    static const uint8_t header[20] = { 0x45, 0, 0,   0, 0, 0,  0, 0, 64, 17,
                                        0,    0, 192, 0, 2, 33, 0, 0, 0,  7 };
    memcpy(dst, header, 20);
    set_word(dst + 2, (uint16_t)n), set_word(dst + 24, (uint16_t)(n - 20));
    test_true(wiresum_packet_fill(dst, n) == WIRESUM_PACKET_GOOD, "a packet is filled in");
    test_number("the header that packet_fill wrote", plain_sum(dst, 20), 0xFFFF);
    const uint64_t seed = plain_total(dst + 12, 8) + 17 + (n - 20);
    const uint64_t old = total(offset + 28, n - 28) + plain_total(dst + 20, 8);
    test_number("the datagram that packet_fill wrote", plain_fold(seed + old), 0xFFFF);
    test_true(wiresum_packet_verify(dst, n) == WIRESUM_PACKET_GOOD, "a filled packet is good");
    dst[n - 1] ^= 1;
    test_true(wiresum_packet_verify(dst, n) == WIRESUM_PACKET_BAD, "a wrong byte is seen");
}

static void length(size_t n)
{
    const size_t offset = 7 * n % 64 + n % 1009;
    uint8_t *const dst = n % 2 ? copy.end - n : copy.start + 5 * n % 64;
    test_at.length = (int64_t)n;
    test_at.offset = (int64_t)offset;
    if (!TEST_WANTED(length, n))
        return;
    buffers(offset, n, dst);
    lists(offset, n, dst);
    segments(offset, n, dst);
}

/* Pieces whose offsets in the whole are larger than a megabyte. */
static void long_lists(void)
{
    struct wiresum_piece pieces[PIECES];
    int32_t offsets32[PIECES + 1] = { 0 };
    int64_t offsets64[PIECES + 1] = { 0 };
    uint16_t parts[PIECES], sums[PIECES];
    uint64_t joined = 0;
    size_t done = 0;
    for (size_t i = 0; i < PIECES; i++) {
        const size_t n = LONGEST - 1000 * i - (i != 2);
        pieces[i] = (struct wiresum_piece){ content + i, n };
        parts[i] = plain_fold(total(i, n));
        joined += done & 1 ? swapped(parts[i]) : parts[i];
        done += n;
        offsets32[i + 1] = (int32_t)done, offsets64[i + 1] = (int64_t)done;
    }
    uint8_t *const out = test_allocate(done);
    struct wiresum_stream stream;
    for (int streams = 0; streams < 2; streams++) {
        memset(out, 0xA5, done);
        if (streams) {
            const struct wiresum_room rooms[2] = { { out, done / 3 },
                                                   { out + done / 3, done - done / 3 } };
            wiresum_stream_init(&stream);
            test_true(wiresum_stream_copy(&stream, rooms, 2, pieces, PIECES, 0) == done,
                      "stream_copy copies all");
            test_sum("stream_copy", wiresum_stream_sum(&stream), plain_fold(joined));
        } else {
            test_sum("gather_copy", wiresum_gather_copy(out, pieces, PIECES), plain_fold(joined));
        }
        for (size_t i = 0; i < PIECES; i++)
            test_true(memcmp(out + offsets64[i], pieces[i].data, pieces[i].len) == 0,
                      "each piece is copied after the one before");
    }
    test_sum("gather", wiresum_gather(pieces, PIECES), plain_fold(joined));
    wiresum_batch_offsets32(out, offsets32, PIECES, sums);
    for (size_t i = 0; i < PIECES; i++)
        test_sum("batch_offsets32", sums[i], parts[i]);
    wiresum_batch_offsets64(out, offsets64, PIECES, sums);
    for (size_t i = 0; i < PIECES; i++)
        test_sum("batch_offsets64", sums[i], parts[i]);
    free(out);
}

int main(int argc, char **argv)
{
#if defined(WIRESUM_TEST_EVERY_LENGTH)
    enum { EVERY = 1 };
#else
    enum { EVERY = 61 };
#endif
    test_begin("lengths", argc, argv);
    content = test_allocate(ROOM);
    copy = test_arena(LONGEST + 64);
    test_fill(3, content, ROOM);
    for (size_t odd = 0; odd < 2; odd++)
        for (size_t i = 0; i < (ROOM - odd) / 2; i++)
            totals[odd][i + 1] = totals[odd][i] + plain_total(content + odd + 2 * i, 2);

    TEST_EACH_KERNEL(k) {
        if (test_group("short"))
            for (size_t n = 0; n <= SHORT; n++)
                if (test_in_slice(n))
                    length(n);
        if (test_group("middle"))
            for (size_t n = SHORT + 1 + test_seed % EVERY; n <= MIDDLE; n += EVERY)
                if (test_in_slice(n / EVERY))
                    length(n);
        if (test_group("random")) {
            uint64_t state = test_random_state(1, 0);
            for (size_t power = 8192; power < LONGEST; power *= 2)
                for (size_t n = power - 1; n <= power + 1; n++)
                    if (test_in_slice(n))
                        length(n);
            for (size_t i = 0; i < LENGTHS; i++) {
                const size_t n = 65536 + (size_t)(test_random(&state) % (LONGEST - 65535));
                if (test_in_slice(i))
                    length(n);
            }
        }
        if (test_group("long"))
            long_lists();
    }
    free(content);
    return test_end();
}
