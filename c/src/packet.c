/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The exported functions of wiresum_packet.h. No length or offset that a packet gives is used
   before it has been compared with the bytes that are there. */
#include "kernel.h"

#include "../include/wiresum_packet.h"

enum { ICMP = 1, IGMP = 2, TCP = 6, UDP = 17, ICMPV6 = 58, UDP_LITE = 136 };
enum { HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, AUTHENTICATION = 51, DESTINATION_OPTIONS = 60 };

/* The checksum of a packet's payload: where it is, and what it covers. */
struct payload {
    size_t ipv4_header_len; /* 0 for IPv6 */
    size_t start;           /* the offset of the payload in the packet */
    size_t covers;          /* the number of bytes that the checksum covers */
    size_t field;           /* the offset of the checksum field in the payload, which is even */
    uint16_t pseudo;        /* the sum of the pseudo-header, or 0 if there is none */
    enum wiresum_packet_result zero; /* the result for a field of 0x0000, or BAD to sum it */
};

static size_t number16(const uint8_t *p)
{
    return (size_t)p[0] << 8 | p[1];
}

static void store(uint8_t *field, uint16_t memory_order)
{
    const uint8_t *const bytes = (const uint8_t *)&memory_order;
    field[0] = bytes[0];
    field[1] = bytes[1];
}

/* ---- UDP-Lite ---- */

size_t wiresum_udplite_coverage(const void *datagram, size_t len)
{
    if (len < 8)
        return 0;
    const size_t coverage = number16((const uint8_t *)datagram + 4);
    return coverage == 0 ? len : coverage < 8 || coverage > len ? 0 : coverage;
}

uint16_t wiresum_udplite(uint16_t pseudo, const void *datagram, size_t len)
{
    const size_t covers = wiresum_udplite_coverage(datagram, len);
    return covers ? wiresum_udp(pseudo, datagram, covers, NULL, 0) : 0;
}

bool wiresum_udplite_ok(uint16_t pseudo, const void *datagram, size_t len)
{
    const size_t covers = wiresum_udplite_coverage(datagram, len);
    return covers && wiresum_udp_ok(pseudo, datagram, covers, NULL, 0);
}

/* ---- The walk ---- */

/* Finds the checksum of the payload of a packet p, which has n bytes. */
static enum wiresum_packet_result walk_payload(const uint8_t *p, struct payload *payload,
                                               uint8_t protocol, size_t n, const uint8_t *source,
                                               const uint8_t *destination)
{
    static const struct {
        uint8_t protocol, field, least;
        bool ipv4, ipv6, pseudo;
    } protocols[] = {
        { TCP, 16, 20, true, true, true },    { UDP, 6, 8, true, true, true },
        { ICMPV6, 2, 4, false, true, true },  { ICMP, 2, 4, true, false, false },
        { UDP_LITE, 6, 8, true, true, true }, { IGMP, 2, 8, true, false, false },
    };
    const bool ipv4 = payload->ipv4_header_len != 0;
    const uint8_t *const header = p + payload->start;
    size_t i = 0;
    while (protocols[i].protocol != protocol || !(ipv4 ? protocols[i].ipv4 : protocols[i].ipv6))
        if (++i == sizeof protocols / sizeof *protocols)
            return WIRESUM_PACKET_UNKNOWN;
    if (n < protocols[i].least)
        return WIRESUM_PACKET_MALFORMED;

    payload->zero = WIRESUM_PACKET_BAD;
    payload->field = protocols[i].field;
    payload->covers = n;
    if (protocol == UDP) {
        const size_t length = number16(header + 4);
        payload->zero = ipv4 ? WIRESUM_PACKET_ABSENT : WIRESUM_PACKET_ILLEGAL;
        if (length != 0 || ipv4 || n <= 0xFFFF) { /* else a jumbogram (RFC 2675 section 4) */
            if (length < 8 || length > n)
                return WIRESUM_PACKET_MALFORMED;
            payload->covers = n = length;
        }
    } else if (protocol == UDP_LITE) {
        payload->zero = WIRESUM_PACKET_ILLEGAL;
        payload->covers = wiresum_udplite_coverage(header, n);
        if (payload->covers == 0)
            return WIRESUM_PACKET_ILLEGAL;
    }
    payload->pseudo = !protocols[i].pseudo ? 0
                      : ipv4 ? wiresum_pseudo_ipv4(source, destination, protocol, (uint32_t)n)
                             : wiresum_pseudo_ipv6(source, destination, protocol, (uint32_t)n);
    return WIRESUM_PACKET_GOOD;
}

/* Returns the length of the extension header at p, of which n bytes are there, or 0 if it is longer
   than that. */
static size_t extension_len(uint8_t type, const uint8_t *p, size_t n)
{
    if (n < 8)
        return 0;
    const size_t len = type == FRAGMENT         ? 8
                       : type == AUTHENTICATION ? 4u * p[1] + 8u
                                                : 8u * p[1] + 8u;
    return len <= n ? len : 0;
}

/* Walks IPv4 options, and points *destination to the last address of an unfinished source route.
   Returns whether the options are well formed. */
static bool walk_options(const uint8_t *options, size_t len, const uint8_t **destination)
{
    enum { END = 0, NO_OPERATION = 1, LOOSE = 131, STRICT = 137 };
    for (size_t i = 0; i < len && options[i] != END;) {
        const uint8_t *const option = options + i;
        if (option[0] == NO_OPERATION) {
            i++;
            continue;
        }
        if (len - i < 2 || option[1] < 2 || option[1] > len - i)
            return false;
        i += option[1];
        if (option[0] != LOOSE && option[0] != STRICT)
            continue;
        /* The type, the length, the pointer, and addresses. The pointer counts from 1. */
        if (option[1] < 3 || (option[1] & 3) != 3 || option[2] < 4)
            return false;
        if (option[2] < option[1])
            *destination = option + option[1] - 4;
    }
    return true;
}

static enum wiresum_packet_result walk_ipv4(const uint8_t *p, size_t len, bool verify,
                                            struct payload *payload)
{
    if (len < 20)
        return WIRESUM_PACKET_SHORT;
    const size_t header_len = 4u * (p[0] & 15u);
    if (header_len < 20)
        return WIRESUM_PACKET_MALFORMED;
    if (len < header_len)
        return WIRESUM_PACKET_SHORT;
    if (verify && !wiresum_ipv4_header_ok(p, header_len))
        return WIRESUM_PACKET_BAD_HEADER;

    size_t total = number16(p + 2);
    if (total == 0 && len > 0xFFFF && p[9] == TCP)
        total = len;
    if (total < header_len || total >> 16 >> 16)
        return WIRESUM_PACKET_MALFORMED;
    if (total > len)
        return WIRESUM_PACKET_SHORT;
    if (number16(p + 6) & 0x3FFF) /* more fragments, or an offset */
        return WIRESUM_PACKET_FRAGMENT;
    const uint8_t *destination = p + 16;
    if (!walk_options(p + 20, header_len - 20, &destination))
        return WIRESUM_PACKET_MALFORMED;

    uint8_t protocol = p[9];
    size_t at = header_len;
    while (protocol == AUTHENTICATION) {
        const size_t here = extension_len(protocol, p + at, total - at);
        if (here == 0)
            return WIRESUM_PACKET_MALFORMED;
        protocol = p[at];
        at += here;
    }
    payload->ipv4_header_len = header_len;
    payload->start = at;
    return walk_payload(p, payload, protocol, total - at, p + 12, destination);
}

/* Walks the options of an extension header of len bytes. Points *value to the value of the option
   of this type, which has size bytes, or leaves it as it is. Returns whether the options are well
   formed, with that option once at most. */
static bool walk_options6(const uint8_t *header, size_t len, uint8_t type, size_t size,
                          const uint8_t **value)
{
    enum { PAD_ONE = 0 };
    for (size_t i = 2; i < len;) {
        if (header[i] == PAD_ONE) {
            i++;
            continue;
        }
        if (len - i < 2 || header[i + 1] > len - i - 2)
            return false;
        if (header[i] == type) {
            if (header[i + 1] != size || *value)
                return false;
            *value = header + i + 2;
        }
        i += 2u + header[i + 1];
    }
    return true;
}

/* Points *destination to the final destination of a routing header of len bytes. */
static enum wiresum_packet_result walk_routing(const uint8_t *header, size_t len,
                                               const uint8_t **destination)
{
    enum { SOURCE_ROUTE = 0, MOBILE = 2, SEGMENT_ROUTING = 4 };
    const size_t left = header[3], addresses = (len - 8) >> 4; /* of 16 bytes */
    if (left == 0)
        return WIRESUM_PACKET_GOOD;
    switch (header[2]) {
    case SOURCE_ROUTE:
        if ((len & 15) != 8 || left > addresses)
            return WIRESUM_PACKET_MALFORMED;
        *destination = header + len - 16;
        return WIRESUM_PACKET_GOOD;
    case MOBILE:
        if (len != 24 || left != 1)
            return WIRESUM_PACKET_MALFORMED;
        *destination = header + 8;
        return WIRESUM_PACKET_GOOD;
    case SEGMENT_ROUTING: /* header[4] is the index of the last entry; entry 0 is the final one */
        if (header[4] >= addresses || left > header[4] + 1u)
            return WIRESUM_PACKET_MALFORMED;
        *destination = header + 8;
        return WIRESUM_PACKET_GOOD;
    default:
        return WIRESUM_PACKET_ROUTED;
    }
}

static enum wiresum_packet_result walk_ipv6(const uint8_t *p, size_t len, struct payload *payload)
{
    enum { JUMBO_PAYLOAD = 0xC2, HOME_ADDRESS = 0xC9 };
    if (len < 40)
        return WIRESUM_PACKET_SHORT;
    uint8_t next = p[6];
    size_t at = 40, end = 40 + number16(p + 4);
    if (end == 40 && next == HOP_BY_HOP) {
        const size_t here = extension_len(next, p + at, len - at);
        const uint8_t *jumbo = NULL;
        if (here == 0)
            return WIRESUM_PACKET_SHORT;
        if (!walk_options6(p + at, here, JUMBO_PAYLOAD, 4, &jumbo) || !jumbo
            || number16(jumbo) == 0)
            return WIRESUM_PACKET_MALFORMED;
        const uint32_t n = (uint32_t)number16(jumbo) << 16 | (uint32_t)number16(jumbo + 2);
        if (n > len - 40)
            return WIRESUM_PACKET_SHORT;
        end = 40 + (size_t)n;
    } else if (end == 40 && next == TCP && len - 40 > 0xFFFF) {
        end = len;
    }
    if (end > len)
        return WIRESUM_PACKET_SHORT;
    if ((end - 40) >> 16 >> 16)
        return WIRESUM_PACKET_MALFORMED;

    const uint8_t *source = p + 8, *destination = p + 24, *home = NULL;
    while (next == ROUTING || next == FRAGMENT || next == AUTHENTICATION
           || next == DESTINATION_OPTIONS || (next == HOP_BY_HOP && at == 40)) {
        const uint8_t *const header = p + at;
        const size_t here = extension_len(next, header, end - at);
        if (here == 0)
            return WIRESUM_PACKET_MALFORMED;
        if (next == FRAGMENT && (number16(header + 2) & 0xFFF9)) /* an offset, or more fragments */
            return WIRESUM_PACKET_FRAGMENT;
        if (next == DESTINATION_OPTIONS && !walk_options6(header, here, HOME_ADDRESS, 16, &home))
            return WIRESUM_PACKET_MALFORMED;
        if (next == ROUTING) {
            const enum wiresum_packet_result route = walk_routing(header, here, &destination);
            if (route != WIRESUM_PACKET_GOOD)
                return route;
        }
        next = header[0];
        at += here;
    }
    payload->ipv4_header_len = 0;
    payload->start = at;
    return walk_payload(p, payload, next, end - at, home ? home : source, destination);
}

static enum wiresum_packet_result walk(const uint8_t *p, size_t len, bool verify,
                                       struct payload *payload)
{
    if (len == 0)
        return WIRESUM_PACKET_SHORT;
    return p[0] >> 4 == 4   ? walk_ipv4(p, len, verify, payload)
           : p[0] >> 4 == 6 ? walk_ipv6(p, len, payload)
                            : WIRESUM_PACKET_MALFORMED;
}

/* ---- Packets ---- */

enum wiresum_packet_result wiresum_packet_verify(const void *packet, size_t len)
{
    const uint8_t *const p = packet;
    struct payload payload;
    const enum wiresum_packet_result result = walk(p, len, true, &payload);
    if (result != WIRESUM_PACKET_GOOD)
        return result;
    const uint8_t *const start = p + payload.start;
    if (payload.zero != WIRESUM_PACKET_BAD && number16(start + payload.field) == 0)
        return payload.zero;
    return wiresum_add(payload.pseudo, wiresum_sum(start, payload.covers)) == 0xFFFF
               ? WIRESUM_PACKET_GOOD
               : WIRESUM_PACKET_BAD;
}

enum wiresum_packet_result wiresum_packet_fill(void *packet, size_t len)
{
    uint8_t *const p = packet;
    struct payload payload;
    const enum wiresum_packet_result result = walk(p, len, false, &payload);
    if (result != WIRESUM_PACKET_GOOD)
        return result == WIRESUM_PACKET_ILLEGAL ? WIRESUM_PACKET_MALFORMED : result;
    uint8_t *const start = p + payload.start;
    store(start + payload.field, 0);
    const uint16_t checksum =
        wiresum_complement(wiresum_add(payload.pseudo, wiresum_sum(start, payload.covers)));
    store(start + payload.field,
          payload.zero != WIRESUM_PACKET_BAD ? wiresum_udp_field(checksum) : checksum);
    if (payload.ipv4_header_len)
        store(p + 10, wiresum_ipv4_header(p, payload.ipv4_header_len));
    return WIRESUM_PACKET_GOOD;
}

const char *wiresum_packet_text(enum wiresum_packet_result result)
{
    switch (result) {
    case WIRESUM_PACKET_GOOD:
        return "each checksum is right";
    case WIRESUM_PACKET_BAD:
        return "the checksum of the payload is wrong";
    case WIRESUM_PACKET_BAD_HEADER:
        return "the checksum of the IPv4 header is wrong";
    case WIRESUM_PACKET_ABSENT:
        return "the sender computed no UDP checksum, as it may over IPv4";
    case WIRESUM_PACKET_ILLEGAL:
        return "the checksum field or the coverage has a value that no sender may send";
    case WIRESUM_PACKET_FRAGMENT:
        return "the packet is a fragment, and its checksum covers other packets too";
    case WIRESUM_PACKET_UNKNOWN:
        return "the protocol of the payload has no known checksum";
    case WIRESUM_PACKET_ROUTED:
        return "the routing header does not tell the final destination";
    case WIRESUM_PACKET_SHORT:
        return "the data end before the packet does";
    case WIRESUM_PACKET_MALFORMED:
        return "a version, length or option of the packet is wrong";
    }
    return "no such result";
}

bool wiresum_packet_finish(void *frame, size_t len, size_t start, size_t offset)
{
    if (start > len || len - start < 2 || offset > len - start - 2 || offset & 1)
        return false;
    uint8_t *const from = (uint8_t *)frame + start;
    store(from + offset, wiresum_udp_field(wiresum_partial_finish(from, len - start)));
    return true;
}
