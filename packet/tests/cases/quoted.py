# SPDX-License-Identifier: MIT OR Apache-2.0
"""Packets that an ICMP error quotes, and NHRP."""

from struct import pack

from cases.build import (
    B6,
    C6,
    ETH4,
    ETH6,
    ETHERNET,
    MAC,
    OFFLOAD,
    case,
    changed,
    good4,
    good6,
    gre,
    icmp_extension,
    ip4,
    ip6,
    nhrp,
    pseudo4,
    pseudo6,
    stored,
    tcp,
    udp,
)


def icmp_error(quote, kind=3, words=0):
    return stored("icmp", bytes([kind, 1, 0, 0, 0, words, 0, 0]) + quote, 2)


def icmp6_error(quote, kind=1, words=0):
    message = bytes([kind, 0, 0, 0, words, 0, 0, 0]) + quote
    return stored("icmpv6", message, 2, None, pseudo6, 58, len(message))


case(
    "ICMP error that quotes a packet",
    ETHERNET,
    ETH4 + ip4(1, icmp_error(good4)),
    "ipv4 good",
    "icmp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "ICMP error that quotes the beginning of a packet, as most do",
    ETHERNET,
    ETH4 + ip4(1, icmp_error(ip4(17, udp(pseudo4))[:28], 11)),
    "ipv4 good",
    "icmp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted udp unverified (quote)",
)
case(
    "ICMP error that quotes less than the checksum of TCP",
    ETHERNET,
    ETH4 + ip4(1, icmp_error(good4[:28], 11)),
    "ipv4 good",
    "icmp good",
    "layer 2 quoted ipv4 good",
    single=False,
)
case(
    "ICMP error that quotes a packet with a bad checksum: the packet that quotes it is good",
    ETHERNET,
    ETH4 + ip4(1, icmp_error(ip4(6, tcp(pseudo4, checksum=OFFLOAD)))),
    "ipv4 good",
    "icmp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp bad (offload), found 0x8420, expected 0xbb22",
)
case(
    "ICMP error that quotes nonsense: the error itself is good",
    ETHERNET,
    ETH4 + ip4(1, icmp_error(b"\x41" + good4[1:])),
    "ipv4 good",
    "icmp good",
)
case(
    "ICMP redirect: the gateway's address is no length (RFC 792)",
    ETHERNET,
    ETH4 + ip4(1, stored("icmp", bytes([5, 1, 0, 0, 192, 1, 2, 3]) + ip4(17, udp(pseudo4)), 2)),
    "ipv4 good",
    "icmp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted udp good",
    single=False,
)
case(
    "ICMP error that quotes a later fragment",
    ETHERNET,
    ETH4 + ip4(1, icmp_error(ip4(17, udp(pseudo4), fragment=1))),
    "ipv4 good",
    "icmp good",
    "layer 2 quoted ipv4 good",
    single=False,
)
case(
    "ICMP error that gives the length of its quote, with extensions after it",
    ETHERNET,
    ETH4
    + ip4(
        1,
        icmp_error(
            ip4(17, udp(pseudo4, data=bytes(100))) + icmp_extension(),
            11,
            32,
        ),
    ),
    "ipv4 good",
    "icmp good",
    "icmpext good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted udp good",
    single=False,
)
case(
    "ICMP error with extensions that gives no length: its quote has 128 bytes",
    ETHERNET,
    ETH4 + ip4(1, icmp_error(ip4(17, udp(pseudo4, data=bytes(100))) + icmp_extension(), 11)),
    "ipv4 good",
    "icmp good",
    "icmpext good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted udp good",
    single=False,
)
case(
    "ICMP error that gives no length, with another version of extensions",
    ETHERNET,
    ETH4
    + ip4(
        1, icmp_error(ip4(17, udp(pseudo4, data=bytes(100))) + b"\x30" + icmp_extension()[1:], 11)
    ),
    "ipv4 good",
    "icmp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted udp good",
    single=False,
)
case(
    "ICMP error with extensions, a wrong bit in them",
    ETHERNET,
    ETH4
    + ip4(
        1,
        icmp_error(
            ip4(17, udp(pseudo4, data=bytes(100))) + changed(icmp_extension(), 11, b"\x79"), 3, 32
        ),
    ),
    "ipv4 good",
    "icmp good",
    "icmpext bad (one-bit), found 0x764a, expected 0x7649",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted udp good",
)
case(
    "ICMP error with extensions that have no checksum",
    ETHERNET,
    ETH4
    + ip4(
        1,
        icmp_error(ip4(17, udp(pseudo4, data=bytes(100))) + icmp_extension(checksum=0), 12, 32),
    ),
    "ipv4 good",
    "icmp good",
    "icmpext absent, found 0x0000",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted udp good",
    single=False,
)
case(
    "ICMP extended echo request",
    ETHERNET,
    ETH4
    + ip4(
        1,
        stored(
            "icmp",
            bytes.fromhex("2a 00 0000 1234 01 01")
            + icmp_extension(bytes.fromhex("0008 0302 00000003")),
            2,
        ),
    ),
    "ipv4 good",
    "icmp good",
    "icmpext good",
    single=False,
)
case(
    "ICMPv6 error that quotes a packet",
    ETHERNET,
    ETH6 + ip6(58, icmp6_error(good6)),
    "icmpv6 good",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "ICMPv6 error that quotes the beginning of a packet",
    ETHERNET,
    ETH6 + ip6(58, icmp6_error(good6[:-1], 2)),
    "icmpv6 good",
    "layer 2 quoted tcp unverified (quote)",
)

case(
    "ICMPv6 error that gives the length of its quote, with extensions after it",
    ETHERNET,
    ETH6 + ip6(58, icmp6_error(ip6(17, udp(pseudo6, data=bytes(80))) + icmp_extension(), 3, 16)),
    "icmpv6 good",
    "icmpext good",
    "layer 2 quoted udp good",
    single=False,
)
redirected = pack(">BB6x", 4, 11) + ip6(17, udp(pseudo6, data=bytes(32)))
redirect = bytes.fromhex("89 00 0000 00000000") + C6 + B6 + bytes.fromhex("02 01 020000000003")
redirect += redirected
case(
    "ICMPv6 redirect that quotes a packet in an option",
    ETHERNET,
    ETH6 + ip6(58, stored("icmpv6", redirect, 2, None, pseudo6, 58, len(redirect))),
    "icmpv6 good",
    "layer 2 quoted udp good",
    single=False,
)
case(
    "NHRP over SNAP, padding after it",
    ETHERNET,
    MAC + pack(">H", 8 + len(nhrp())) + bytes.fromhex("aaaa03 00005e 0003") + nhrp() + b"pad",
    "layer 0 nhrp good",
)
case("NHRP over GRE", ETHERNET, ETH4 + ip4(47, gre(0x2001, nhrp())), "ipv4 good", "nhrp good")
case(
    "CGMP, which shares its number with NHRP: nothing to verify",
    ETHERNET,
    MAC + b"\x20\x01" + nhrp(),
)
case("NHRP over IPv4", ETHERNET, ETH4 + ip4(54, nhrp()), "ipv4 good", "nhrp good")
case(
    "NHRP longer than its packet",
    ETHERNET,
    ETH4 + ip4(54, nhrp(length=44)),
    "ipv4 good",
    "nhrp unverified (length)",
)
case(
    "NHRP with an impossible length",
    ETHERNET,
    ETH4 + ip4(54, nhrp(length=19)),
    "ipv4 good",
    "malformed: NHRP packet size below its header's",
)
case(
    "NHRP shorter than its header",
    ETHERNET,
    ETH4 + ip4(54, nhrp()[:19]),
    "ipv4 good",
    "malformed: NHRP packet shorter than its header",
)
