/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The part of algebra.c that tests the functions for headers, segments and whole packets. */
#ifndef ALGEBRA_PACKETS_H
#define ALGEBRA_PACKETS_H

#include "random.h"

/* Writes the bytes of a pseudo-header (RFC 768; RFC 9293 section 3.1; RFC 8200 section 8.1);
   returns their number. */
static size_t pseudo_bytes(uint8_t *p, bool ipv6, const uint8_t *source, const uint8_t *destination,
                           uint8_t protocol, uint32_t len)
{
    const size_t size = ipv6 ? 16 : 4;
    memcpy(p, source, size), memcpy(p + size, destination, size);
    p += 2 * size;
    if (ipv6) {
        const uint8_t high[] = { (uint8_t)(len >> 24), (uint8_t)(len >> 16) };
        const uint8_t low[] = { (uint8_t)(len >> 8), (uint8_t)len, 0, 0, 0, protocol };
        memcpy(p, high, 2), memcpy(p + 2, low, 6);
        return 40;
    }
    /* The upper word of a length is there only if it is not 0. */
    const uint8_t rest[] = {
        0, protocol, (uint8_t)(len >> 8), (uint8_t)len, (uint8_t)(len >> 24), (uint8_t)(len >> 16)
    };
    memcpy(p, rest, len >> 16 ? 6 : 4);
    return len >> 16 ? 14 : 12;
}

static uint16_t make_pseudo(bool ipv6, const uint8_t *source, const uint8_t *destination,
                            uint32_t protocol, uint32_t len)
{
    return ipv6 ? wiresum_pseudo_ipv6(source, destination, protocol, len)
                : wiresum_pseudo_ipv4(source, destination, protocol, len);
}

static void pseudos(void)
{
    EACH_ROUND(state, 6, 40000) {
        const bool ipv6 = below(&state, 2);
        const size_t size = ipv6 ? 16 : 4;
        uint8_t *const source = room(one, &state, size),
                       *const destination = room(two, &state, size), all[40];
        message(&state, source, size);
        message(&state, destination, size);
        const uint8_t protocol = (uint8_t)test_random(&state);
        const uint32_t len = (uint32_t)(test_random(&state) >> (32 + below(&state, 32)));
        const size_t n = pseudo_bytes(all, ipv6, source, destination, protocol, len);
        test_sum("the pseudo-header", make_pseudo(ipv6, source, destination, protocol, len),
                 plain_sum(all, n));
        test_sum("the pseudo-header, length before protocol",
                 make_pseudo(ipv6, source, destination, len, protocol), plain_sum(all, n));
    }
}

enum kind { TCP, UDP, ICMP, ICMPV6, KINDS };
static const struct {
    size_t least, field;
    uint8_t protocol;
} shape[KINDS] = {
    { 20, 16, 6 }, /* RFC 9293 */
    { 8, 6, 17 },  /* RFC 768 */
    { 4, 2, 1 },   /* RFC 792 */
    { 4, 2, 58 },  /* RFC 4443 */
};

static uint16_t checksum_of(enum kind kind, uint16_t pseudo, const void *h, size_t h_len,
                            const void *p, size_t p_len)
{
    return kind == TCP    ? wiresum_tcp(pseudo, h, h_len, p, p_len)
           : kind == UDP  ? wiresum_udp(pseudo, h, h_len, p, p_len)
           : kind == ICMP ? wiresum_icmp(h, h_len, p, p_len)
                          : wiresum_icmpv6(pseudo, h, h_len, p, p_len);
}

static bool is_ok(enum kind kind, uint16_t pseudo, const void *h, size_t h_len, const void *p,
                  size_t p_len)
{
    return kind == TCP    ? wiresum_tcp_ok(pseudo, h, h_len, p, p_len)
           : kind == UDP  ? wiresum_udp_ok(pseudo, h, h_len, p, p_len)
           : kind == ICMP ? wiresum_icmp_ok(h, h_len, p, p_len)
                          : wiresum_icmpv6_ok(pseudo, h, h_len, p, p_len);
}

/* Tests one segment of n bytes, split into header and payload. `before` bytes of pseudo-header come
   before it in all. */
static void segment(enum kind kind, uint16_t pseudo, uint8_t *all, size_t before, size_t n,
                    size_t header_len, uint64_t *state)
{
    uint8_t *const s = all + before, *const field = s + shape[kind].field;
    uint8_t *const h = room(one, state, header_len);
    const bool null = header_len == n && below(state, 2);
    uint8_t *const p = null ? NULL : room(two, state, n - header_len);
    test_at.length = (int64_t)n;
    test_at.offset = (int64_t)header_len;

    memcpy(h, s, header_len); /* with any value in the field */
    if (p)
        memcpy(p, s + header_len, n - header_len);
    const uint8_t found[2] = { field[0], field[1] };
    field[0] = field[1] = 0;
    const uint16_t computed = plain_checksum(all, before + n),
                   right = kind == UDP && computed == 0 ? 0xFFFF : computed;
    test_sum("the checksum", checksum_of(kind, pseudo, h, header_len, p, n - header_len), right);

    /* A segment is right if it sums to 0xFFFF and, for UDP, its field is not 0x0000. */
    field[0] = found[0], field[1] = found[1];
    const bool absent = kind == UDP && found[0] == 0 && found[1] == 0;
    test_true(is_ok(kind, pseudo, h, header_len, p, n - header_len)
                  == (plain_sum(all, before + n) == 0xFFFF && !absent),
              "_ok of what the field held");
    if (kind == UDP)
        test_true(wiresum_udp_absent(h) == absent, "udp_absent");

    h[shape[kind].field] = (uint8_t)(right >> 8), h[shape[kind].field + 1] = (uint8_t)right;
    test_true(is_ok(kind, pseudo, h, header_len, p, n - header_len), "_ok of the right checksum");
    h[shape[kind].field + 1] ^= 1;
    test_true(!is_ok(kind, pseudo, h, header_len, p, n - header_len), "_ok of a flipped bit");

    /* CHECKSUM_PARTIAL: the device finds the seed in the field, and needs no other information. */
    const uint8_t seed[2] = { (uint8_t)(test_value(pseudo) >> 8), (uint8_t)test_value(pseudo) };
    uint8_t *const whole = room(three, state, n);
    memcpy(whole, s, n);
    memcpy(whole + shape[kind].field, seed, 2);
    const uint16_t finished = wiresum_partial_finish(whole, n);
    test_sum("partial_finish", kind == UDP ? wiresum_udp_field(finished) : finished, right);
}

static void segments(void)
{
    for (enum kind kind = TCP; kind < KINDS; kind++) {
        EACH_ROUND(state, 7u + kind, 10000) {
            uint8_t all[40 + 60 + MOST + 60];
            const size_t least = shape[kind].least, n = least + below(&state, 60 + MOST);
            const size_t most = n - least < 60 ? n - least : 60,
                         header_len = least + below(&state, most + 1);
            const bool ipv6 = kind == ICMPV6 || (kind != ICMP && below(&state, 2));
            uint8_t source[16], destination[16];
            message(&state, source, 16), message(&state, destination, 16);
            size_t before = 0;
            uint16_t pseudo = 0;
            if (kind != ICMP) {
                before =
                    pseudo_bytes(all, ipv6, source, destination, shape[kind].protocol, (uint32_t)n);
                pseudo = make_pseudo(ipv6, source, destination, shape[kind].protocol, (uint32_t)n);
            }
            message(&state, all + before, n);
            segment(kind, pseudo, all, before, n, header_len, &state);

            /* The field is 0, then FFFF; then the bytes around it sum to a multiple of FFFF. */
            uint8_t *const field = all + before + shape[kind].field;
            field[0] = field[1] = 0;
            segment(kind, pseudo, all, before, n, header_len, &state);
            field[0] = field[1] = 0xFF;
            segment(kind, pseudo, all, before, n, header_len, &state);
            if (n >= shape[kind].field + 4u || shape[kind].field >= 2) {
                uint8_t *const word =
                    all + before; /* the first word of the header: any value will do */
                field[0] = field[1] = word[0] = word[1] = 0;
                const uint16_t missing = plain_checksum(all, before + n);
                word[0] = (uint8_t)(missing >> 8), word[1] = (uint8_t)missing;
                message(&state, field, 2);
                segment(kind, pseudo, all, before, n, header_len, &state);
            }
        }
    }

    /* All-zero data without a pseudo-header sum to 0x0000, so the checksum is 0xFFFF, whatever the
       field holds. */
    uint64_t state = test_random_state(20, 0);
    test_at.round = -1;
    for (enum kind kind = TCP; kind < KINDS; kind++) {
        for (size_t n = shape[kind].least; n < 80; n++) {
            for (size_t held = 0; held < TEST_COUNT(edges); held++) {
                uint8_t all[80] = { 0 };
                all[shape[kind].field] = (uint8_t)(edges[held] >> 8),
                all[shape[kind].field + 1] = (uint8_t)edges[held];
                segment(kind, 0, all, 0, n, shape[kind].least + (n - shape[kind].least) / 2,
                        &state);
            }
        }
    }
}

/* Headers that are shorter than their protocol's, at the end of readable memory. Their fields hold
   what would be right if they were whole. */
static void short_headers(void)
{
    test_allow_all(one);
    for (size_t n = 0; n < 20; n++) {
        uint8_t *const header = one.end - n;
        test_at.length = (int64_t)n;
        for (unsigned fill = 0; fill < 2; fill++) {
            memset(header, fill ? 0xFF : 0, n);
            test_true(!wiresum_ipv4_header_ok(header, n), "a cut IPv4 header is not ok");
            test_true(!wiresum_tcp_ok(0xFFFF, header, n, NULL, 0), "a cut TCP header is not ok");
            test_true(n >= 8 || !wiresum_udp_ok(0xFFFF, header, n, NULL, 0),
                      "a cut UDP header is not ok");
            test_true(n >= 4 || !wiresum_icmp_ok(header, n, NULL, 0),
                      "a cut ICMP header is not ok");
            test_true(n >= 4 || !wiresum_icmpv6_ok(0xFFFF, header, n, NULL, 0),
                      "a cut ICMPv6 header is not ok");
        }
    }
}

static void ipv4_headers(void)
{
    EACH_ROUND(state, 11, 40000) {
        uint8_t all[60];
        const size_t n = 20 + 4 * below(&state, 11);
        message(&state, all, n);
        if (round_ < 11)
            memset(all, 0, sizeof all), all[10] = (uint8_t)round_; /* only the field is not zero */
        uint8_t *const h = room(one, &state, n);
        memcpy(h, all, n);
        test_at.length = (int64_t)n;

        test_true(wiresum_ipv4_header_ok(h, n) == (plain_sum(all, n) == 0xFFFF),
                  "ipv4_header_ok of any bytes");
        all[10] = all[11] = 0;
        const uint16_t right = plain_checksum(all, n);
        test_sum("ipv4_header", wiresum_ipv4_header(h, n), right);
        h[10] = (uint8_t)(right >> 8), h[11] = (uint8_t)right;
        test_true(wiresum_ipv4_header_ok(h, n), "ipv4_header_ok of the right checksum");
        h[n - 1] ^= 0x10;
        test_true(!wiresum_ipv4_header_ok(h, n), "ipv4_header_ok of a flipped bit");
    }
}

/* ---- whole packets ---- */

/* Tests the laws of one packet, whose bytes may be any: a fill writes checksum fields alone, and
   what it has filled is good; a refusal writes nothing; what is good, a fill leaves as it is. */
static void packet(const uint8_t *bytes, size_t n, uint64_t *state)
{
    uint8_t *const p = room(one, state, n);
    memcpy(p, bytes, n);
    test_at.length = (int64_t)n;
    const enum wiresum_packet_result verified = wiresum_packet_verify(p, n);
    test_true(verified <= WIRESUM_PACKET_MALFORMED, "packet_verify has a result");
    test_true(memcmp(p, bytes, n) == 0, "packet_verify writes nothing");
    const enum wiresum_packet_result filled = wiresum_packet_fill(p, n);
    if (filled == WIRESUM_PACKET_GOOD) {
        test_true(wiresum_packet_verify(p, n) == WIRESUM_PACKET_GOOD, "what was filled is good");
        size_t changed = 0;
        for (size_t i = 0; i < n; i++)
            changed += p[i] != bytes[i];
        test_true(changed <= 4, "packet_fill writes two fields at most");
        if (p[0] >> 4 == 4)
            test_true(plain_sum(p, 4u * (p[0] & 15)) == 0xFFFF, "the header sums to 0xFFFF");
        if (verified == WIRESUM_PACKET_GOOD) /* 0xFFFF may stand for 0x0000 */
            for (size_t i = 0; i < n; i++)
                test_true(p[i] == bytes[i] || (uint8_t)(p[i] + bytes[i]) == 0xFF,
                          "what is good stays");
        else
            test_true(changed > 0, "what is not good changes");
    } else {
        test_true(memcmp(p, bytes, n) == 0, "a refusal writes nothing");
        test_true(filled >= WIRESUM_PACKET_FRAGMENT, "a refusal has a reason");
        test_true(verified == filled || verified == WIRESUM_PACKET_BAD_HEADER
                      || (verified == WIRESUM_PACKET_ILLEGAL && filled == WIRESUM_PACKET_MALFORMED),
                  "verify gives the same reason");
    }
}

static void packets(void)
{
    EACH_ROUND(state, 15, 40000) {
        uint8_t all[MOST];
        size_t n = below(&state, MOST);
        const struct vector_packet *const v = &vectors_packet[below(&state, vectors_packet_count)];
        if (v->packet.length <= MOST && below(&state, 4)) { /* a packet with bytes that changed */
            n = (size_t)v->packet.length;
            vector_fill(all, &v->packet);
            for (size_t changes = below(&state, 4); changes > 0 && n; changes--)
                all[below(&state, below(&state, 2) ? n
                                  : n < 64         ? n
                                                   : 64)] =
                    (uint8_t)(below(&state, 2) ? test_random(&state) : below(&state, 8));
            n -= below(&state, 4) ? 0 : below(&state, n + 1);
        } else {
            message(&state, all, n);
            if (n)
                all[0] = (uint8_t)(below(&state, 2) ? 0x45 + below(&state, 4) : 0x60);
        }
        packet(all, n, &state);

        /* A device's finish, at any place. */
        const size_t start = below(&state, n + 3), offset = below(&state, 24);
        uint8_t *const p = room(two, &state, n);
        memcpy(p, all, n);
        const bool fits = offset % 2 == 0 && start + offset + 2 <= n;
        test_true(wiresum_packet_finish(p, n, start, offset) == fits, "packet_finish");
        for (size_t i = 0; i < n; i++)
            test_true(p[i] == all[i] || (fits && i - start - offset < 2),
                      "packet_finish writes the field alone");
        if (fits) {
            const uint16_t right = plain_checksum(all + start, n - start);
            test_sum("packet_finish", wiresum_load16(p + start + offset), right ? right : 0xFFFF);
        }

        /* UDP-Lite covers a part of any bytes. */
        const uint16_t pseudo = (uint16_t)test_random(&state);
        const size_t covers = n < 8 ? 0 : (size_t)all[4] << 8 | all[5], legal = n < 8         ? 0
                                                                                : covers == 0 ? n
                                                                                : covers < 8  ? 0
                                                                                : covers <= n
                                                                                    ? covers
                                                                                    : 0;
        memcpy(p, all, n);
        test_true(wiresum_udplite_coverage(p, n) == legal, "udplite_coverage");
        if (legal) {
            const bool absent = all[6] == 0 && all[7] == 0;
            const uint64_t total = test_value(pseudo) + plain_total(all, legal);
            test_true(wiresum_udplite_ok(pseudo, p, n) == (plain_fold(total) == 0xFFFF && !absent),
                      "udplite_ok");
            all[6] = all[7] = 0;
            const uint16_t right =
                (uint16_t)(0xFFFF - plain_fold(test_value(pseudo) + plain_total(all, legal)));
            test_sum("udplite", wiresum_udplite(pseudo, p, n), right ? right : 0xFFFF);
        } else {
            test_true(!wiresum_udplite_ok(pseudo, p, n), "udplite_ok of an illegal coverage");
            test_true(wiresum_udplite(pseudo, p, n) == 0, "udplite of an illegal coverage");
        }
    }
}

#if defined(WIRESUM_DEBUG) && TEST_POSIX
#  include <sys/wait.h>

/* Returns whether a child process that calls a function with a header of n bytes is stopped. */
static bool traps(int function, size_t n)
{
    fflush(stdout);
    fflush(stderr);
    const pid_t child = fork();
    if (child == 0) {
        static const int signals[] = { SIGILL, SIGTRAP, SIGABRT, SIGSEGV };
        for (size_t i = 0; i < TEST_COUNT(signals); i++)
            signal(signals[i], SIG_DFL);
        uint8_t header[64] = { 0 };
        volatile uint16_t result = function == 0   ? wiresum_ipv4_header(header, n)
                                   : function == 1 ? wiresum_tcp(0, header, n, NULL, 0)
                                   : function == 2 ? wiresum_udp(0, header, n, NULL, 0)
                                   : function == 3 ? wiresum_icmp(header, n, NULL, 0)
                                                   : wiresum_icmpv6(0, header, n, NULL, 0);
        (void)result;
        _exit(0);
    }
    int status = 0;
    test_true(child > 0 && waitpid(child, &status, 0) == child, "a child process runs");
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void traps_of_short_headers(void)
{
    static const size_t least[] = { 20, 20, 8, 4, 4 };
    for (int function = 0; function < 5; function++) {
        test_at.round = function;
        test_true(traps(function, least[function] - 1), "a cut header traps");
        test_true(!traps(function, least[function]), "a whole header does not trap");
    }
    test_at.round = -1;
}
#endif

#endif
