/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests every function with inputs from a fuzzer, against the oracle. Three programs in one:
 *
 *     -DWIRESUM_LIBFUZZER and clang -fsanitize=fuzzer   the target of libFuzzer
 *     file names after the options                      runs each file as an input, once
 *     otherwise                                         makes random inputs; --round repeats one
 *
 * The choices of an input (kernel, function, lengths, offsets) come from its end. The bytes before
 * them are the data.
 */
#include "test.h"

struct input {
    const uint8_t *bytes;
    size_t n;
};

static uint32_t choice(struct input *in, uint32_t limit)
{
    uint32_t x = 0;
    for (uint32_t reach = 1; reach < limit && in->n;
         reach = reach > UINT32_MAX >> 8 ? UINT32_MAX : reach << 8)
        x = x << 8 | in->bytes[--in->n];
    return limit ? x % limit : 0;
}

/* A separate block of memory with the bytes at any alignment, so that ASan detects every access
   outside of them. */
struct block {
    uint8_t *all, *p;
};

static struct block block(const uint8_t *bytes, size_t n, size_t offset)
{
    struct block b;
    b.all = test_allocate(offset + n);
    b.p = b.all + offset;
    if (n && bytes)
        memcpy(b.p, bytes, n);
    test_forbid(b.all, offset);
    return b;
}

static void release(struct block b, size_t offset)
{
    test_allow(b.all, offset);
    free(b.all);
}

/* Returns the data. Some inputs ask for data that repeat their bytes, longer than fuzzers make. */
static struct block stretched(struct input *in, size_t *n, size_t *offset)
{
    const size_t times = choice(in, 16) == 0 ? 1 + choice(in, 100) : 1;
    *offset = choice(in, 64);
    *n = in->n * times;
    const struct block b = block(NULL, *n, *offset);
    for (size_t i = 0; i < *n; i++)
        b.p[i] = in->bytes[i % in->n];
    return b;
}

static void one_input(const uint8_t *bytes, size_t size)
{
    struct input in = { bytes, size };
    size_t count, n, offset;
    const struct wiresum_kernel *const list = wiresum_kernels(&count),
                                       *k = &list[choice(&in, (uint32_t)count)];
    if (!k->is_supported() || (test_only.kernel && strcmp(test_only.kernel, k->name) != 0)) {
        k = test_only.kernel ? wiresum_kernel_by_name(test_only.kernel) : &list[count - 1];
    }
    test_at.kernel = k->name;
    test_kernel_index = (size_t)(k - list);
    test_true(wiresum_use_kernel(k), "a supported kernel is accepted");

    const uint32_t function = choice(&in, 15);
    const struct block b = stretched(&in, &n, &offset);
    const uint8_t *const p = b.p;
    const uint16_t sum = plain_sum(p, n);
    test_at.length = (int64_t)n;
    test_at.offset = (int64_t)offset;

    switch (function) {
    case 0:
        test_sum("partial of the kernel", wiresum_fold(k->partial(p, n)), sum);
        test_sum("sum", wiresum_sum(p, n), sum);
        test_sum("checksum", wiresum_checksum(p, n), (uint16_t)(0xFFFF - sum));
        test_true(wiresum_ok(p, n) == (sum == 0xFFFF), "ok");
        test_true(wiresum_value(wiresum_sum(p, n)) == sum, "value");
        break;
    case 1: {
        const size_t to = choice(&in, 64);
        const struct block copy = block(NULL, n, to);
        test_sum("copy", wiresum_copy(copy.p, p, n), sum);
        test_true(n == 0 || memcmp(copy.p, p, n) == 0, "copy copies");
        release(copy, to);
        break;
    }
    case 2: {
        const size_t cut = choice(&in, (uint32_t)n + 1);
        const uint16_t head = wiresum_sum(p, cut), tail = wiresum_sum(p + cut, n - cut),
                       whole = wiresum_append(head, cut, tail);
        test_sum("append", whole, sum);
        const uint16_t rest = test_value(wiresum_remove(whole, cut, tail));
        test_true(rest == plain_sum(p, cut) || (rest == 0xFFFF && plain_sum(p, cut) == 0),
                  "remove");
        test_sum("partial",
                 wiresum_fold(wiresum_partial(p + (cut & ~(size_t)1), n - (cut & ~(size_t)1),
                                              wiresum_partial(p, cut & ~(size_t)1, 0))),
                 sum);
        break;
    }
    case 3: {
        enum { PIECES = 20 };
        struct wiresum_piece pieces[PIECES];
        struct wiresum_piece batch[PIECES];
        int32_t offsets32[PIECES + 1] = { 0 };
        int64_t offsets64[PIECES + 1] = { 0 };
        uint16_t sums[PIECES], sums32[PIECES], sums64[PIECES];
        const size_t most = choice(&in, PIECES);
        size_t done = 0;
        for (size_t i = 0; i <= most; i++) {
            const size_t len = i == most ? n - done : choice(&in, (uint32_t)(n - done) + 1);
            pieces[i] = batch[i] = (struct wiresum_piece){ p + done, len };
            done += len;
            offsets32[i + 1] = (int32_t)done, offsets64[i + 1] = (int64_t)done;
        }
        const struct block copy = block(NULL, n, 0);
        test_sum("gather", wiresum_gather(pieces, most + 1), sum);
        test_sum("gather_copy", wiresum_gather_copy(copy.p, pieces, most + 1), sum);
        test_true(n == 0 || memcmp(copy.p, p, n) == 0, "gather_copy copies");
        release(copy, 0);
        wiresum_batch(batch, most + 1, sums);
        wiresum_batch_offsets32(p, offsets32, most + 1, sums32);
        wiresum_batch_offsets64(p, offsets64, most + 1, sums64);
        for (size_t i = 0; i <= most; i++) {
            const uint16_t expected = plain_sum(pieces[i].data, pieces[i].len);
            test_sum("batch", sums[i], expected);
            test_sum("batch_offsets32", sums32[i], expected);
            test_sum("batch_offsets64", sums64[i], expected);
        }
        break;
    }
    case 4:
    case 5: { /* some bytes change: to other bytes of the input, to zeros, or to FF */
        if (n == 0)
            break;
        const size_t at = choice(&in, (uint32_t)n), len = choice(&in, (uint32_t)(n - at) + 1),
                     how = choice(&in, 4);
        const struct block after = block(p, n, 0), was = block(p + at, len, 0),
                           is = block(NULL, len, 0);
        for (size_t i = 0; i < len; i++)
            is.p[i] = how == 0 ? 0
                      : how == 1
                          ? 0xFF
                          : (uint8_t)(p[(at * 7 + i + how) % n] ^ (uint8_t)(how == 2 ? 0 : i * 37));
        memcpy(after.p + at, is.p, len);
        const uint16_t old = test_memory_order((uint16_t)(0xFFFF - sum));
        const bool becomes_zero = plain_total(after.p, n) == 0 && plain_total(p, n) != 0;
        const uint16_t expected = becomes_zero ? 0 : plain_checksum(after.p, n);
        test_sum("update", wiresum_update(old, at, was.p, is.p, len), expected);
        test_sum("udp_update", wiresum_udp_update(old, at, was.p, is.p, len),
                 old == 0        ? 0
                 : expected == 0 ? 0xFFFF
                                 : expected);
        if (at % 2 == 0 && len >= 2) {
            uint16_t a, c;
            uint32_t a4 = 0, c4 = 0;
            memcpy(&a, was.p, 2), memcpy(&c, is.p, 2);
            uint16_t step = wiresum_update16(old, a, c);
            size_t done = 2;
            if (len >= 6)
                memcpy(&a4, was.p + 2, 4), memcpy(&c4, is.p + 2, 4),
                    step = wiresum_update32(step, a4, c4), done = 6;
            if (len >= 22)
                step = wiresum_update128(step, was.p + 6, is.p + 6), done = 22;
            step = wiresum_update(step, at + done, was.p + done, is.p + done, len - done);
            /* Between two steps the data may be all zero. 0x0000 and 0xFFFF are equal then. */
            const uint16_t got = test_value(step);
            test_true(got == expected || (got % 0xFFFF == 0 && expected % 0xFFFF == 0),
                      "update in steps");
        }
        release(after, 0), release(was, 0), release(is, 0);
        break;
    }
    case 6: { /* a pseudo-header, made of the first bytes */
        const bool ipv6 = choice(&in, 2);
        const size_t width = ipv6 ? 16 : 4;
        const uint8_t protocol = (uint8_t)choice(&in, 256);
        const uint32_t len = choice(&in, choice(&in, 2) ? UINT32_MAX : 65536);
        if (n < 2 * width)
            break;
        const struct block source = block(p, width, 0), destination = block(p + width, width, 0);
        const uint64_t expected =
            plain_total(p, 2 * width) + protocol + (len >> 16) + (len & 0xFFFF);
        test_sum("the pseudo-header",
                 ipv6 ? wiresum_pseudo_ipv6(source.p, destination.p, protocol, len)
                      : wiresum_pseudo_ipv4(source.p, destination.p, protocol, len),
                 plain_fold(expected));
        release(source, 0), release(destination, 0);
        break;
    }
    case 7:
    case 8:
    case 9:
    case 10: { /* segments */
        static const size_t least[] = { 20, 8, 4, 4 }, fields[] = { 16, 6, 2, 2 };
        const size_t kind = function - 7, field = fields[kind];
        const uint16_t pseudo = kind == 2 ? 0 : (uint16_t)choice(&in, 65536);
        if (n < least[kind])
            break;
        const size_t header_len = least[kind] + choice(&in, (uint32_t)(n - least[kind]) + 1);
        const struct block h = block(p, header_len, 0),
                           rest = block(p + header_len, n - header_len, offset % 3),
                           zeroed = block(p, n, 0);
        const void *const payload = n == header_len && (offset & 1) ? NULL : rest.p;
        zeroed.p[field] = zeroed.p[field + 1] = 0;
        uint16_t right =
            (uint16_t)(0xFFFF - plain_fold(test_value(pseudo) + plain_total(zeroed.p, n)));
        bool good = plain_fold(test_value(pseudo) + plain_total(p, n)) == 0xFFFF;
        const size_t p_len = n - header_len;
        uint16_t got;
        bool ok;
        if (kind == 0) {
            got = wiresum_tcp(pseudo, h.p, header_len, payload, p_len);
            ok = wiresum_tcp_ok(pseudo, h.p, header_len, payload, p_len);
        } else if (kind == 1) {
            const bool absent = p[6] == 0 && p[7] == 0;
            right = right ? right : 0xFFFF;
            good = good && !absent;
            test_true(wiresum_udp_absent(h.p) == absent, "udp_absent");
            got = wiresum_udp(pseudo, h.p, header_len, payload, p_len);
            ok = wiresum_udp_ok(pseudo, h.p, header_len, payload, p_len);
        } else if (kind == 2) {
            got = wiresum_icmp(h.p, header_len, payload, p_len);
            ok = wiresum_icmp_ok(h.p, header_len, payload, p_len);
        } else {
            got = wiresum_icmpv6(pseudo, h.p, header_len, payload, p_len);
            ok = wiresum_icmpv6_ok(pseudo, h.p, header_len, payload, p_len);
        }
        test_sum("the checksum of a segment", got, right);
        test_true(ok == good, "_ok of a segment");
        release(h, 0), release(rest, offset % 3), release(zeroed, 0);
        break;
    }
    case 11: { /* a range of a chain, and its copy into rooms */
        enum { PIECES = 12 };
        struct wiresum_piece pieces[PIECES];
        struct wiresum_room rooms[PIECES];
        const size_t from = choice(&in, (uint32_t)n + 1),
                     len = choice(&in, (uint32_t)(n - from) + 1), space = choice(&in, 2) ? n : len;
        const struct block copy = block(NULL, space, 0);
        size_t done = 0, given = 0;
        for (size_t i = 0; i < PIECES; i++) {
            const bool last = i + 1 == PIECES;
            const size_t piece = last ? n - done : choice(&in, (uint32_t)(n - done) + 1),
                         room = last ? space - given : choice(&in, (uint32_t)(space - given) + 1);
            pieces[i] = (struct wiresum_piece){ p + done, piece };
            rooms[i] = (struct wiresum_room){ copy.p + given, room };
            done += piece, given += room;
        }
        struct wiresum_stream stream, head, tail;
        wiresum_stream_init(&stream);
        test_true(wiresum_stream_push_range(&stream, pieces, PIECES, from, len), "a range");
        test_sum("stream_push_range", wiresum_stream_sum(&stream), plain_sum(p + from, len));
        test_true(!wiresum_stream_push_range(&stream, pieces, PIECES, from, n - from + 1),
                  "a range beyond the end");
        test_true(stream.len == len, "a refusal changes nothing");
        wiresum_stream_init(&head);
        wiresum_stream_push(&head, p, from);
        wiresum_stream_init(&tail);
        const size_t copied = wiresum_stream_copy(&tail, rooms, PIECES, pieces, PIECES, from),
                     most = n - from < space ? n - from : space;
        test_true(copied == most, "stream_copy counts");
        test_sum("stream_copy", wiresum_stream_sum(&tail), plain_sum(p + from, most));
        test_true(most == 0 || memcmp(copy.p, p + from, most) == 0, "stream_copy copies");
        stream = head;
        wiresum_stream_join(&stream, &tail);
        test_sum("stream_join", wiresum_stream_sum(&stream), plain_sum(p, from + most));
        test_true(wiresum_stream_remove_head(&stream, &head), "stream_remove_head");
        const uint16_t rest = test_value(wiresum_stream_sum(&stream)),
                       plain = plain_sum(p + from, most);
        test_true(rest == plain || (rest == 0xFFFF && plain == 0), "the rest");
        release(copy, 0);
        break;
    }
    case 12:
    case 13: { /* a packet, or the bytes of a vector with some changed */
        uint8_t *to = NULL;
        size_t len = n;
        struct block whole = { NULL, NULL };
        const struct vector_packet *const v =
            &vectors_packet[choice(&in, (uint32_t)vectors_packet_count)];
        if (function == 13 && v->packet.length <= 600) {
            len = (size_t)v->packet.length;
            whole = block(NULL, len, offset);
            vector_fill(whole.p, &v->packet);
            for (size_t i = 0; i + 2 < n && i < 30 && len; i += 3)
                whole.p[(p[i] << 8 | p[i + 1]) % len] = p[i + 2];
        } else {
            whole = block(p, n, offset);
            if (len && choice(&in, 2))
                whole.p[0] = (uint8_t)(choice(&in, 2) ? 0x60 : 0x40 | (p[0] & 15));
        }
        to = whole.p;
        const struct block was = block(to, len, 0);
        const enum wiresum_packet_result verified = wiresum_packet_verify(to, len);
        test_true(len == 0 || memcmp(to, was.p, len) == 0, "packet_verify writes nothing");
        const enum wiresum_packet_result filled = wiresum_packet_fill(to, len);
        size_t changed = 0;
        for (size_t i = 0; i < len; i++)
            changed += to[i] != was.p[i];
        test_true(changed <= (filled == WIRESUM_PACKET_GOOD ? 4 : 0), "packet_fill");
        if (filled == WIRESUM_PACKET_GOOD)
            test_true(wiresum_packet_verify(to, len) == WIRESUM_PACKET_GOOD, "filled is good");
        else
            test_true(verified != WIRESUM_PACKET_GOOD && verified != WIRESUM_PACKET_BAD
                          && verified != WIRESUM_PACKET_ABSENT,
                      "what cannot be filled is not judged");
        test_true(wiresum_packet_text(verified) != NULL, "packet_text");
        release(was, 0), release(whole, offset);
        break;
    }
    case 14: { /* a device's finish, UDP-Lite, and an exchange of sums */
        const size_t start = choice(&in, (uint32_t)n + 2), at = choice(&in, 40);
        const uint16_t pseudo = (uint16_t)choice(&in, 65536), is = (uint16_t)choice(&in, 65536);
        const struct block frame = block(p, n, offset);
        const bool fits = at % 2 == 0 && start + at + 2 <= n;
        test_true(wiresum_packet_finish(frame.p, n, start, at) == fits, "packet_finish");
        if (fits) {
            const uint16_t right = plain_checksum(p + start, n - start);
            test_sum("packet_finish", wiresum_load16(frame.p + start + at), right ? right : 0xFFFF);
        }
        release(frame, offset);
        const size_t covers = wiresum_udplite_coverage(p, n);
        test_true(covers <= n && (covers == 0 || covers >= 8), "udplite_coverage");
        if (covers)
            test_true(wiresum_udplite_ok(pseudo, p, n)
                          == (plain_fold(test_value(pseudo) + plain_total(p, covers)) == 0xFFFF
                              && (p[6] || p[7])),
                      "udplite_ok");
        test_true((wiresum_udplite(pseudo, p, n) == 0) == (covers == 0), "udplite");
        test_sum("update_sum", wiresum_update_sum(pseudo, test_memory_order(sum), is),
                 (uint16_t)(0xFFFF
                            - plain_fold((0xFFFFu - test_value(pseudo)) + (sum ? 0xFFFFu - sum : 0)
                                         + test_value(is))));
        break;
    }
    default: { /* IPv4 headers at a stride, in a batch and one by one */
        const size_t stride = choice(&in, 70), most = choice(&in, 20);
        uint16_t sums[20];
        size_t headers = 0, end = 0;
        while (headers < most && headers * stride < n) {
            const size_t len = 4u * (p[headers * stride] & 15);
            const size_t needs = headers * stride + (len < 20 ? 1 : len);
            if (needs > n)
                break;
            end = needs > end ? needs : end;
            headers++;
        }
        const struct block exact = block(p, end, 0);
        wiresum_batch_ipv4_headers(exact.p, stride, headers, sums);
        for (size_t i = 0; i < headers; i++) {
            const uint8_t *const h = p + i * stride;
            const size_t len = 4u * (h[0] & 15);
            test_sum("batch_ipv4_headers", sums[i], len < 20 ? 0 : plain_sum(h, len));
            if (len >= 20) {
                test_true(wiresum_ipv4_header_ok(h, len) == (plain_sum(h, len) == 0xFFFF),
                          "ipv4_header_ok");
                const uint64_t field = (uint64_t)h[10] << 8 | h[11];
                test_sum("ipv4_header", wiresum_ipv4_header(h, len),
                         (uint16_t)(0xFFFF - plain_fold(plain_total(h, len) - field)));
            }
        }
        release(exact, 0);
        break;
    }
    }
    release(b, offset);
}

#if defined(WIRESUM_LIBFUZZER)

static void at_exit(void)
{
    test_at.round = test_at.length = test_at.offset = -1;
    (void)test_end();
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    char *none[] = { (*argv)[0], NULL };
    (void)argc;
    test_begin("fuzz", 1, none);
#  if TEST_POSIX
    signal(SIGSEGV, SIG_DFL), signal(SIGBUS, SIG_DFL),
        signal(SIGILL, SIG_DFL); /* libFuzzer saves the input that crashed */
#  endif
    atexit(at_exit);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    one_input(bytes, size);
    if (test_failures)
        abort();
    return 0;
}

#else

static void replay(const char *path)
{
    FILE *const file = fopen(path, "rb");
    static uint8_t bytes[1 << 20];
    if (!file) {
        perror(path);
        exit(2);
    }
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    printf("input %s\n", path);
    fflush(stdout);
    one_input(bytes, n);
}

int main(int argc, char **argv)
{
    int options = 1; /* options come before file names, in pairs */
    while (options + 1 < argc && strncmp(argv[options], "--", 2) == 0)
        options += 2;
    test_begin("fuzz", options, argv);
    for (int i = options; i < argc; i++)
        replay(argv[i]);
    if (options < argc)
        test_only.round = 0; /* some kernels may not run */

    const uint64_t rounds = options < argc ? 0 : test_thin > 1 ? 60000 / test_thin + 500 : 60000;
    test_group("made-up");
    for (uint64_t round = 0; round < rounds; round++) {
        uint8_t bytes[600];
        if (!TEST_WANTED(round, round))
            continue;
        uint64_t state = test_random_state(31, round);
        const size_t n = (size_t)(test_random(&state) % sizeof bytes);
        const uint64_t kind = test_random(&state) % 4;
        test_random_bytes(&state, bytes, n);
        for (size_t i = 0; kind < 2 && i + 24 < n;
             i++) /* mostly 00 or mostly FF; the choices stay random */
            bytes[i] = bytes[i] < 8 ? bytes[i] : kind ? 0xFF : 0x00;
        test_at.round = (int64_t)round;
        one_input(bytes, n);
        test_at.kernel = NULL;
        test_kernel_index = TEST_MOST_KERNELS;
        test_at.length = test_at.offset = -1;
    }
    return test_end();
}

#endif
