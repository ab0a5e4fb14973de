/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/** @file
 * wiresum: the checksums of whole packets, which may hold any bytes.
 *
 * This file adds to wiresum.h, whose words, byte order and rules hold here. The functions for whole
 * packets find the checksum fields themselves. They read no byte outside of [packet, packet + len),
 * whatever the packet says about its lengths. They write no bytes except checksum fields.
 */
#ifndef WIRESUM_PACKET_H
#define WIRESUM_PACKET_H

#include "wiresum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Whole packets ----
 *
 * A packet begins with its IPv4 or IPv6 header. Bytes after the end that the header gives, such as
 * the padding of Ethernet, do not count. The functions know the checksums of the IPv4 header, TCP,
 * UDP, UDP-Lite (RFC 3828), ICMP and IGMP over IPv4, and ICMPv6 over IPv6. A packet in a tunnel is
 * a packet of its own.
 *
 * The walk passes IPv4 options, the authentication header, and the extension headers Hop-by-Hop
 * Options, Routing, Fragment and Destination Options. What they change in the pseudo-header counts:
 *
 *   - The last address of an unfinished source route is the destination: in IPv4 options (RFC 791
 *     section 3.1), and in routing headers of types 0 (RFC 8200 section 8.1), 2 (RFC 6275 section
 *     6.4) and 4 (RFC 8754 section 2).
 *   - The Home Address option is the source (RFC 6275 section 11.3.1).
 *   - The Jumbo Payload option is the length (RFC 2675). A TCP packet without the option that is
 *     longer than 65,535 bytes, with a length of 0, is one before segmentation (Linux's BIG TCP):
 *     it ends where the data end.
 *
 * The UDP length, and not the length of the IP packet, says how many bytes a UDP checksum covers.
 */

/** The result of a function for packets. wiresum_packet_text() has a text for each. */
enum wiresum_packet_result {
    /** Each checksum of the packet is right, or has been filled in. */
    WIRESUM_PACKET_GOOD,
    /** The checksum of the payload is wrong. */
    WIRESUM_PACKET_BAD,
    /** The checksum of the IPv4 header is wrong. Nothing else has been checked, because the header
        says where the rest is. */
    WIRESUM_PACKET_BAD_HEADER,
    /** The UDP field over IPv4 is 0x0000: the sender computed no checksum, as it may (RFC 768). The
        IPv4 header is right. */
    WIRESUM_PACKET_ABSENT,
    /** The packet holds what no sender may send: a UDP field of 0x0000 over IPv6, which only the
        tunnels of RFC 6935 may have; a UDP-Lite field of 0x0000; a UDP-Lite coverage of 1 to 7 or
        beyond the datagram. */
    WIRESUM_PACKET_ILLEGAL,
    /** The packet is a fragment: its payload's checksum covers other packets too. If
        wiresum_packet_verify() returned this, the IPv4 header is right. */
    WIRESUM_PACKET_FRAGMENT,
    /** The payload's protocol has no checksum, is encrypted, or is unknown here. If
        wiresum_packet_verify() returned this, the IPv4 header is right. */
    WIRESUM_PACKET_UNKNOWN,
    /** A routing header of a type that is not listed above has segments left. Nothing here gives
        the final destination, which the checksum covers. */
    WIRESUM_PACKET_ROUTED,
    /** The data end before the packet does. */
    WIRESUM_PACKET_SHORT,
    /** The packet contradicts itself: a version, length or option is wrong. */
    WIRESUM_PACKET_MALFORMED
};

/** Judges the checksums of a packet: the checksum of the IPv4 header, and then the checksum of the
    payload. Any of the results may come. */
WIRESUM_API enum wiresum_packet_result wiresum_packet_verify(const void *packet, size_t len);

/** Fills in the checksums of a packet, whatever their fields hold: the checksum of the IPv4 header
    and the checksum of the payload. Returns WIRESUM_PACKET_GOOD and has filled in each checksum, or
    returns one of FRAGMENT, UNKNOWN, ROUTED, SHORT and MALFORMED and has written nothing. An
    illegal coverage of UDP-Lite is MALFORMED. wiresum_ipv4_header() computes the checksum of the
    header alone. */
WIRESUM_API enum wiresum_packet_result wiresum_packet_fill(void *packet, size_t len);

/** Returns a clause in English for a result, such as "the data end before the packet does". For any
    other number the clause says that there is no such result. */
WIRESUM_API const char *wiresum_packet_text(enum wiresum_packet_result result);

/** Finishes a checksum that a stack has left to its device (CHECKSUM_PARTIAL; NEEDS_CSUM of virtio
    1.2 section 5.1.6.2): stores the checksum of the bytes from start to the end of the frame at
    start + offset, where the seed is. Both count bytes. Stores 0xFFFF for 0x0000, as Linux does,
    because UDP needs it and every other protocol accepts it. The frame must end with its packet: no
    padding follows. Returns false, and writes nothing, if the field is not inside of the frame, or
    if offset is odd, where no protocol has a checksum. */
WIRESUM_API bool wiresum_packet_finish(void *frame, size_t len, size_t start, size_t offset);

/* ---- A checksum whose parts are exchanged ---- */

/** Returns the checksum after a part at an even offset, with the sum was, has given way to a part
    with the sum is, also at an even offset. The parts may differ in length. NAT64 exchanges
    pseudo-headers in this way. wiresum_update_sum(checksum, 0, wiresum_sub(is, was)) applies a
    difference, as Linux's csum_replace_by_diff() does. All-zero data are the exception of
    wiresum_update(). */
static inline uint16_t wiresum_update_sum(uint16_t checksum, uint16_t was, uint16_t is)
{
    return wiresum_update16(checksum, was, is); /* a word is its own sum */
}

/** Returns the result of wiresum_update_sum() as UDP sends it. A checksum of 0x0000, "not
    computed", stays 0x0000: a translator to IPv6 computes it (RFC 7915 section 4.5). */
static inline uint16_t wiresum_udp_update_sum(uint16_t checksum, uint16_t was, uint16_t is)
{
    return checksum ? wiresum_udp_field(wiresum_update_sum(checksum, was, is)) : 0;
}

/* ---- UDP-Lite (RFC 3828) ----
 *
 * The header has 8 bytes. In place of the length it has the coverage: the number of bytes, header
 * included, that the checksum covers. The pseudo-header has protocol 136, and the length of the
 * whole datagram. 0x0000 is never sent. datagram points to the UDP-Lite header, and len is the
 * length of header and payload.
 */

/** Returns the number of bytes that the checksum of a datagram covers: the coverage, or len if the
    coverage is 0. Returns 0 if the coverage is illegal, 1 to 7 or more than len, or if len is less
    than 8. */
WIRESUM_API size_t wiresum_udplite_coverage(const void *datagram, size_t len);

/** Returns the checksum of a datagram as UDP-Lite sends it. Returns 0x0000, which is never sent, if
    the coverage is illegal. */
WIRESUM_API uint16_t wiresum_udplite(uint16_t pseudo, const void *datagram, size_t len);

/** Returns whether the checksum of a datagram is right. An illegal coverage and a field of 0x0000
    give false. */
WIRESUM_API bool wiresum_udplite_ok(uint16_t pseudo, const void *datagram, size_t len);

#ifdef __cplusplus
}
#endif

#endif
