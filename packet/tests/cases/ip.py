# SPDX-License-Identifier: MIT OR Apache-2.0
"""IPv4 and IPv6."""

from struct import pack

from cases.build import (
    A6,
    B6,
    C4,
    C6,
    ETH4,
    ETH6,
    ETHERNET,
    H6,
    case,
    changed,
    good4,
    good6,
    ip4,
    ip6,
    mobility,
    pseudo4,
    pseudo6,
    sctp,
    tcp,
    udp,
    whole,
)

case(
    "IPv4 header with 0x0000 for its checksum",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4), checksum=0),
    "ipv4 bad (zeroed), found 0x0000, expected 0xe496",
    "tcp good",
)
case(
    "IPv4 options",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4), options=b"\1\1\1\0"),
    "ipv4 good",
    "tcp good",
)
case(
    "IPv4 with a loose source route: the last address is in the pseudo-header",
    ETHERNET,
    ETH4
    + ip4(6, tcp(lambda p, n: pseudo4(p, n, destination=C4)), options=b"\x83\7\4" + C4 + b"\0"),
    "ipv4 good",
    "tcp good",
)
case(
    "IPv4 with a source route of one and a half addresses: it gives none",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4), options=b"\x83\x09\4" + C4 + b"\1\2" + bytes(3)),
    "ipv4 good",
    "tcp good",
)
case(
    "IPv4 with a strict source route that it has finished",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4), options=b"\x89\7\x08" + C4 + b"\0"),
    "ipv4 good",
    "tcp good",
)
case(
    "IPv4 total length 0: segmentation offload",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4), length=0),
    "ipv4 good",
    "tcp good",
)
case(
    "IPv4 first fragment",
    ETHERNET,
    ETH4 + ip4(17, udp(pseudo4), fragment=0x2000),
    "ipv4 good",
    "udp unverified (fragment)",
)
case(
    "IPv4 later fragment",
    ETHERNET,
    ETH4 + ip4(17, udp(pseudo4), fragment=0x2001),
    "ipv4 good",
    "obstacle: fragment",
)
case(
    "IPv4 authentication header",
    ETHERNET,
    ETH4 + ip4(51, b"\6\4" + bytes(22) + tcp(pseudo4)),
    "ipv4 good",
    "tcp good",
)
case(
    "IPv4 header length of 16",
    ETHERNET,
    ETH4 + b"\x44" + good4[1:],
    "malformed: IPv4 header length below 20",
)
case(
    "IPv4 total length of 19",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4), length=19),
    "malformed: IPv4 total length below its header's",
)
case(
    "IPv4 with version 5",
    ETHERNET,
    ETH4 + b"\x55" + good4[1:],
    "malformed: IPv4 version that is not 4",
)
case(
    "IPv4 packet that lost its last byte on the way",
    ETHERNET,
    whole[:-1],
    "ipv4 good",
    "tcp bad (one-byte), found 0xbb22, expected 0xbb8c",
)


def elsewhere(protocol, length):
    return pseudo6(protocol, length, destination=C6)


def extension(next_header):
    return bytes([next_header, 0, 1, 4, 0, 0, 0, 0])


def fragment(next_header, offset, more):
    return pack(">BBHI", next_header, 0, offset << 3 | more, 0x99)


def routing(kind, next_header, left, *addresses):
    return bytes([next_header, 2 * len(addresses), kind, left, 0, 0, 0, 0]) + b"".join(addresses)


case(
    "IPv6 hop-by-hop and destination options",
    ETHERNET,
    ETH6 + ip6(0, extension(60) + extension(6) + tcp(pseudo6)),
    "tcp good",
)
case(
    "IPv6 routing header, one segment left: the last address is in the pseudo-header",
    ETHERNET,
    ETH6 + ip6(43, routing(0, 17, 1, B6, C6) + udp(elsewhere)),
    "udp good",
)
case(
    "IPv6 routing header, no segment left: the destination is final",
    ETHERNET,
    ETH6 + ip6(43, routing(0, 17, 0, B6, C6) + udp(pseudo6)),
    "udp good",
)
case(
    "IPv6 routing header, one segment left, summed with the destination",
    ETHERNET,
    ETH6 + ip6(43, routing(0, 17, 1, B6, C6) + udp(pseudo6)),
    "udp bad (next-hop), found 0x90d1, expected 0x90d0",
)
case(
    "IPv6 routing header of mobile IP",
    ETHERNET,
    ETH6 + ip6(43, routing(2, 6, 1, C6) + tcp(elsewhere)),
    "tcp good",
)
case(
    "IPv6 segment routing: the first address is the last segment",
    ETHERNET,
    ETH6 + ip6(43, routing(4, 6, 1, C6, B6) + tcp(elsewhere)),
    "tcp good",
    single=False,
)
case(
    "IPv6 segment routing with a compressed list: the last segment is another (RFC 9800)",
    ETHERNET,
    ETH6 + ip6(43, routing(4, 6, 1, C6, B6) + tcp(lambda p, n: pseudo6(p, n, A6, H6))),
    "tcp unverified (addresses)",
)
case(
    "IPv6 segment routing without segments left, a bad checksum",
    ETHERNET,
    ETH6 + ip6(43, routing(4, 6, 0, B6, C6) + tcp(pseudo6, checksum=0x1234)),
    "tcp bad (unknown), found 0x1234, expected 0xe3b1",
)
for kind, name in (5, "CRH-16 (RFC 9631)"), (6, "CRH-32 (RFC 9631)"), (253, "an experiment"):
    case(
        f"IPv6 routing header of {name}: routers know the final destination",
        ETHERNET,
        ETH6 + ip6(43, routing(kind, 6, 1, bytes(16)) + tcp(elsewhere)),
        "tcp unverified (addresses)",
    )
    case(
        f"IPv6 routing header of {name}, no segment left",
        ETHERNET,
        ETH6 + ip6(43, routing(kind, 6, 0, bytes(16)) + tcp(pseudo6)),
        "tcp good",
    )
case(
    "IPv6 routing header that hides the destination, a checksum without a pseudo-header",
    ETHERNET,
    ETH6 + ip6(43, routing(5, 132, 1, bytes(16)) + sctp()),
    "sctp good",
)
case(
    "IPv6 routing header that hides the destination, a tunnel within",
    ETHERNET,
    ETH6 + ip6(43, routing(5, 41, 1, bytes(16)) + good6),
    "layer 2 tcp good",
)


# A Home Address option holds the source of the pseudo-header (RFC 6275 section 11.3.1), even for a
# mobility header (section 6.1.1).
def at_home(next_header, home=H6):
    return bytes([next_header, 2, 1, 2, 0, 0, 0xC9, 16]) + home


def from_home(protocol, length):
    return pseudo6(protocol, length, H6)


case(
    "IPv6 home address: TCP",
    ETHERNET,
    ETH6 + ip6(60, at_home(6) + tcp(from_home)),
    "tcp good",
)
case(
    "IPv6 home address: UDP",
    ETHERNET,
    ETH6 + ip6(60, at_home(17) + udp(from_home)),
    "udp good",
)
case(
    "IPv6 home address: a binding update",
    ETHERNET,
    ETH6 + ip6(60, at_home(135) + mobility(pseudo=from_home)),
    "mobility good",
)
case(
    "IPv6 home address: summed with the care-of address",
    ETHERNET,
    ETH6 + ip6(60, at_home(6) + tcp(pseudo6)),
    f"tcp bad (next-hop), found 0xe3b1, expected 0x{tcp(from_home)[16:18].hex()}",
)
case(
    "IPv6 home address, and a routing header to another one",
    ETHERNET,
    ETH6 + ip6(43, routing(2, 60, 1, C6) + at_home(6) + tcp(lambda p, n: pseudo6(p, n, H6, C6))),
    "tcp good",
)
case(
    "IPv6 home address after a Fragment header that holds the whole datagram",
    ETHERNET,
    ETH6 + ip6(44, fragment(60, 0, 0) + at_home(6) + tcp(from_home)),
    "tcp good",
)
case(
    "IPv6 home address of another length: no address",
    ETHERNET,
    ETH6 + ip6(60, bytes([6, 0, 0xC9, 4, 1, 2, 3, 4]) + tcp(pseudo6)),
    "tcp good",
    single=False,
)
case(
    "IPv6 home address whose length is damaged: the sum is of the address that was there",
    ETHERNET,
    ETH6 + ip6(60, changed(at_home(6), 7, b"\x0f") + tcp(from_home)),
    "tcp unverified (addresses)",
)
case(
    "IPv6 home address that is longer than its header, which holds 16 bytes of it",
    ETHERNET,
    ETH6 + ip6(60, changed(at_home(6), 7, b"\x90") + tcp(from_home)),
    "tcp good",
)
case(
    "ILNP: the pseudo-header holds identifiers (RFC 6740)",
    ETHERNET,
    ETH6
    + ip6(
        60,
        bytes([6, 0, 0x8B, 4, 1, 2, 3, 4])
        + tcp(lambda p, n: pseudo6(p, n, bytes(8) + A6[8:], bytes(8) + B6[8:])),
    ),
    "tcp unverified (addresses)",
)
case(
    "IPv6 source route of RPL: the last address shares 15 bytes with the destination",
    ETHERNET,
    ETH6 + ip6(43, bytes([6, 1, 3, 1, 0xFF, 0x70, 0, 0]) + b"\3" + bytes(7) + tcp(elsewhere)),
    "tcp good",
)
case(
    "IPv6 fragment that is the whole datagram",
    ETHERNET,
    ETH6 + ip6(44, fragment(17, 0, 0) + udp(pseudo6)),
    "udp good",
)
case(
    "IPv6 first fragment",
    ETHERNET,
    ETH6 + ip6(44, fragment(17, 0, 1) + udp(pseudo6)),
    "udp unverified (fragment)",
)
case(
    "IPv6 later fragment",
    ETHERNET,
    ETH6 + ip6(44, fragment(17, 1, 0) + udp(pseudo6)),
    "obstacle: fragment",
)
case(
    "IPv6 authentication header, options after it",
    ETHERNET,
    ETH6 + ip6(51, b"\x3c\4" + bytes(22) + extension(6) + tcp(pseudo6)),
    "tcp good",
)
case(
    "IPv6 jumbogram, padding after it",
    ETHERNET,
    ETH6 + ip6(0, bytes([6, 0, 0xC2, 4]) + pack(">I", 30) + tcp(pseudo6), length=0) + b"pad",
    "tcp good",
)
case(
    "IPv6 payload length 0, padding after it: no network card segments ICMPv6",
    ETHERNET,
    ETH6 + ip6(58, b"", length=0) + bytes(6),
    "malformed: ICMPv6 message shorter than its header",
)
case(
    "IPv6 payload length 0: segmentation offload",
    ETHERNET,
    ETH6 + ip6(6, tcp(pseudo6), length=0),
    "tcp good",
)
case(
    "IPv6 extension header longer than its packet",
    ETHERNET,
    ETH6 + ip6(60, b"\6\x09" + bytes(6) + tcp(pseudo6)),
    "malformed: IPv6 extension header longer than its packet",
)
case("IPv6 without a payload", ETHERNET, ETH6 + ip6(59, bytes(8)))
