# SPDX-License-Identifier: MIT OR Apache-2.0
"""The protocols with a checksum of their own, over IPv4, IPv6 and link layers."""

from struct import pack

from cases.build import (
    C4,
    C6,
    ETH4,
    ETH6,
    ETHERNET,
    H6,
    HELLO_V3,
    OFFLOAD,
    WITHOUT_LENGTH,
    case,
    cdp,
    changed,
    dccp,
    eigrp,
    fletcher,
    good4,
    good6,
    gre,
    hip,
    icmp,
    icmp6,
    igmp,
    ip4,
    ip6,
    lsp,
    made,
    mobility,
    ospf2,
    ospf3,
    padding_that_makes,
    pgm,
    pim,
    pseudo4,
    pseudo6,
    rsvp,
    sctp,
    shim6,
    stored,
    tcp,
    udp,
    udplite,
    vrrp,
)

case("TCP over IPv4", ETHERNET, ETH4 + good4, "ipv4 good", "tcp good")
case("TCP over IPv6", ETHERNET, ETH6 + good6, "tcp good")
case(
    "TCP that holds the sum of the pseudo-header",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4, checksum=OFFLOAD)),
    "ipv4 good",
    "tcp bad (offload), found 0x8420, expected 0xbb22",
)
case(
    "TCP that holds the sum of the pseudo-header without the length",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4, checksum=WITHOUT_LENGTH)),
    "ipv4 good",
    "tcp bad (offload without length), found 0x840a, expected 0xbb22",
)
case(
    "TCP over IPv6 that holds the sum of the pseudo-header",
    ETHERNET,
    ETH6 + ip6(6, tcp(pseudo6, checksum=OFFLOAD)),
    "tcp bad (offload), found 0x5b91, expected 0xe3b1",
)
case(
    "TCP with the last bit flipped",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4)[:-1] + b"h"),
    "ipv4 good",
    "tcp bad (one-bit), found 0xbb22, expected 0xbb23",
)
zero = padding_that_makes(0, 16, lambda data: tcp(pseudo4, data))
case("TCP whose checksum is 0x0000", ETHERNET, ETH4 + ip4(6, zero), "ipv4 good", "tcp good")
case(
    "TCP with 0xffff for 0x0000: the sum comes out right, the checksum is bad (RFC 1624)",
    ETHERNET,
    ETH4 + ip4(6, zero[:16] + b"\xff\xff" + zero[18:]),
    "ipv4 good",
    "tcp bad (negative-zero), found 0xffff, expected 0x0000",
)
case(
    "TCP with a header length of 16",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4)[:12] + b"\x40" + tcp(pseudo4)[13:]),
    "ipv4 good",
    "malformed: TCP header length below 20",
)
case(
    "TCP that ends before its checksum",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4)[:17]),
    "ipv4 good",
    "malformed: TCP segment without a checksum field",
)
case("UDP over IPv4", ETHERNET, ETH4 + ip4(17, udp(pseudo4)), "ipv4 good", "udp good")
case(
    "UDP over IPv4 without a checksum",
    ETHERNET,
    ETH4 + ip4(17, udp(pseudo4, checksum=0)),
    "ipv4 good",
    "udp absent, found 0x0000",
)
case(
    "UDP over IPv6 without a checksum",
    ETHERNET,
    ETH6 + ip6(17, udp(pseudo6, checksum=0)),
    "udp illegal, found 0x0000, expected 0x90d1",
)
case(
    "UDP whose checksum comes to 0x0000, sent as 0xffff",
    ETHERNET,
    ETH4 + ip4(17, padding_that_makes(0xFFFF, 6, lambda data: udp(pseudo4, data))),
    "ipv4 good",
    "udp good",
)
case(
    "UDP that holds the sum of the pseudo-header",
    ETHERNET,
    ETH4 + ip4(17, udp(pseudo4, checksum=OFFLOAD)),
    "ipv4 good",
    "udp bad (offload), found 0x8422, expected 0x6842",
)
case(
    "UDP shorter than its packet: the sum ends where its length says",
    ETHERNET,
    ETH4 + ip4(17, udp(pseudo4) + b"beyond"),
    "ipv4 good",
    "udp good",
)
case(
    "UDP longer than its packet",
    ETHERNET,
    ETH4 + ip4(17, udp(pseudo4, length=14)),
    "ipv4 good",
    "udp unverified (length)",
)
case(
    "UDP with an impossible length",
    ETHERNET,
    ETH4 + ip4(17, udp(pseudo4, length=7)),
    "ipv4 good",
    "malformed: UDP length below 8",
)
case("ICMP", ETHERNET, ETH4 + ip4(1, icmp()), "ipv4 good", "icmp good")
case(
    "ICMP of zeros with the checksum of zeros, 0xffff",
    ETHERNET,
    ETH4 + ip4(1, made("icmp", b"\0\0\xff\xff" + bytes(8), 2)),
    "ipv4 good",
    "icmp good",
)
case(
    "ICMP of zeros with 0x0000, which is bad",
    ETHERNET,
    ETH4 + ip4(1, bytes(12)),
    "ipv4 good",
    "icmp bad (zeroed), found 0x0000, expected 0xffff",
)
case("ICMPv6", ETHERNET, ETH6 + ip6(58, icmp6()), "icmpv6 good")
case(
    "ICMPv6 that holds the sum of the pseudo-header",
    ETHERNET,
    ETH6 + ip6(58, icmp6(OFFLOAD)),
    "icmpv6 bad (offload), found 0x5bba, expected 0x4dad",
)

case("UDP-Lite", ETHERNET, ETH4 + ip4(136, udplite(pseudo4)), "ipv4 good", "udplite good")
case(
    "UDP-Lite that covers its header",
    ETHERNET,
    ETH4 + ip4(136, udplite(pseudo4, 8)),
    "ipv4 good",
    "udplite good",
)
case(
    "UDP-Lite that covers 11 bytes, over IPv6",
    ETHERNET,
    ETH6 + ip6(136, udplite(pseudo6, 11)),
    "udplite good",
)
case(
    "UDP-Lite without a checksum",
    ETHERNET,
    ETH4 + ip4(136, udplite(pseudo4, checksum=0)),
    "ipv4 good",
    f"udplite illegal, found 0x0000, expected 0x{udplite(pseudo4)[6:8].hex()}",
)
case(
    "UDP-Lite with an impossible coverage",
    ETHERNET,
    ETH4 + ip4(136, udplite(pseudo4, 7)),
    "ipv4 good",
    "udplite unverified (length)",
)
case(
    "UDP-Lite with a coverage past its end",
    ETHERNET,
    ETH4 + ip4(136, udplite(pseudo4, 26)),
    "ipv4 good",
    "udplite unverified (length)",
)
case(
    "UDP-Lite shorter than its header",
    ETHERNET,
    ETH4 + ip4(136, udplite(pseudo4)[:7]),
    "ipv4 good",
    "malformed: UDP-Lite datagram shorter than its header",
)
case("DCCP", ETHERNET, ETH4 + ip4(33, dccp(pseudo4)), "ipv4 good", "dccp good")
case(
    "DCCP that covers its header, over IPv6",
    ETHERNET,
    ETH6 + ip6(33, dccp(pseudo6, 1)),
    "dccp good",
)
case(
    "DCCP that covers its header and 8 bytes",
    ETHERNET,
    ETH4 + ip4(33, dccp(pseudo4, 3)),
    "ipv4 good",
    "dccp good",
)
case(
    "DCCP with a coverage past its end",
    ETHERNET,
    ETH4 + ip4(33, dccp(pseudo4, 15)),
    "ipv4 good",
    "dccp unverified (length)",
)
case(
    "DCCP with a header length of 8",
    ETHERNET,
    ETH4 + ip4(33, dccp(pseudo4, data_offset=2)),
    "ipv4 good",
    "malformed: DCCP data offset below 12",
)
case(
    "DCCP shorter than its header",
    ETHERNET,
    ETH4 + ip4(33, dccp(pseudo4)[:11]),
    "ipv4 good",
    "malformed: DCCP packet shorter than its header",
)
case("SCTP", ETHERNET, ETH4 + ip4(132, sctp()), "ipv4 good", "sctp good")
case("SCTP over IPv6", ETHERNET, ETH6 + ip6(132, sctp()), "sctp good")
case(
    "SCTP shorter than its header",
    ETHERNET,
    ETH4 + ip4(132, sctp()[:11]),
    "ipv4 good",
    "malformed: SCTP packet shorter than its header",
)
case("IGMP", ETHERNET, ETH4 + ip4(2, igmp(), options=b"\x94\4\0\0"), "ipv4 good", "igmp good")
case(
    "IGMP version 3",
    ETHERNET,
    ETH4 + ip4(2, igmp(bytes.fromhex("22 00 0000 0000 0001 04000000 e0010203"))),
    "ipv4 good",
    "igmp good",
)
case(
    "IGMP without room for a checksum",
    ETHERNET,
    ETH4 + ip4(2, igmp()[:3]),
    "ipv4 good",
    "malformed: IGMP message without a checksum field",
)
case("PIM", ETHERNET, ETH4 + ip4(103, pim()), "ipv4 good", "pim good")
case("PIM over IPv6", ETHERNET, ETH6 + ip6(103, pim(pseudo=pseudo6)), "pim good")
register = bytes(4) + good4
case(
    "PIM Register: the sum covers 8 bytes",
    ETHERNET,
    ETH4 + ip4(103, pim(bytes(4), 1) + good4),
    "ipv4 good",
    "pim good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "PIM Register summed as a whole, which receivers accept",
    ETHERNET,
    ETH4 + ip4(103, pim(register, 1)),
    "ipv4 good",
    "pim good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
    single=False,
)
case(
    "PIM Register over IPv6",
    ETHERNET,
    ETH6 + ip6(103, pim(bytes(4), 1, pseudo6, 8) + good6),
    "pim good",
    "layer 2 tcp good",
)
null = pack(">BBHHHBBH", 0x45, 0, 20, 0, 0, 64, 103, 0) + C4 + bytes([239, 1, 2, 3])
case(
    "PIM Null-Register",
    ETHERNET,
    ETH4 + ip4(103, pim(b"\x40\0\0\0", 1) + stored("ipv4", null, 10)),
    "ipv4 good",
    "pim good",
    "layer 2 ipv4 good",
    single=False,
)
case(
    "PIM Null-Register with a header that has no checksum",
    ETHERNET,
    ETH4 + ip4(103, pim(b"\x40\0\0\0", 1) + null),
    "ipv4 good",
    "pim good",
    "layer 2 ipv4 absent, found 0x0000",
)
case(
    "PIM Null-Register over IPv6, with a header of PIM",
    ETHERNET,
    ETH6
    + ip6(
        103,
        pim(b"\x40\0\0\0", 1, pseudo6, 8)
        + ip6(103, stored("pim", bytes(4), 2, None, pseudo6, 103, 4)),
    ),
    "pim good",
    "layer 2 pim good",
)
case(
    "PIM Null-Register with zeros",
    ETHERNET,
    ETH4 + ip4(103, pim(b"\x40\0\0\0", 1) + bytes(20)),
    "ipv4 good",
    "pim good",
)
case(
    "PIM Register shorter than its header",
    ETHERNET,
    ETH4 + ip4(103, pim(bytes(4), 1)[:7]),
    "ipv4 good",
    "malformed: PIM message shorter than its header",
)
case("OSPF version 2", ETHERNET, ETH4 + ip4(89, ospf2()), "ipv4 good", "ospf good")
case(
    "OSPF version 2 with a password, which the sum leaves out",
    ETHERNET,
    ETH4 + ip4(89, ospf2(1, b"password")),
    "ipv4 good",
    "ospf good",
)
case(
    "OSPF version 2 with a digest: it has no checksum",
    ETHERNET,
    ETH4 + ip4(89, ospf2(2, bytes.fromhex("0000 01 10 00000001"), bytes(16), checksum=0)),
    "ipv4 good",
    "ospf absent, found 0x0000",
)
case(
    "OSPF version 2 with link-local signaling after it",
    ETHERNET,
    ETH4 + ip4(89, ospf2(behind=bytes.fromhex("fff6 0003 0001 0004 00000001"))),
    "ipv4 good",
    "ospf good",
)
case("OSPF version 3", ETHERNET, ETH6 + ip6(89, ospf3()), "ospf good")
# The checksum is not verified where a digest authenticates the packet (RFC 7166 section 4.2). Hello
# and database description packets tell so by the AT bit (section 2.1), others by the trailer alone
# (section 4.1): type 1, 48 bytes, security association 1, a sequence number and 32 bytes of digest.
TRAILER_V3 = bytes.fromhex("0001 0030 0000 0001 00000000 00000007") + bytes(range(32))
case(
    "OSPF version 3 with an authentication trailer: no checksum is verified",
    ETHERNET,
    ETH6 + ip6(89, ospf3(HELLO_V3.replace(b"\0\x13", b"\4\x13"), 1, TRAILER_V3, 0)),
    "ospf absent, found 0x0000",
)
case(
    "OSPF version 3, a database description with an authentication trailer",
    ETHERNET,
    ETH6 + ip6(89, ospf3(bytes.fromhex("00000413 05dc0007 00000001"), 2, TRAILER_V3, 0x1234)),
    "ospf absent, found 0x1234",
)
case(
    "OSPF version 3, a link state request with an authentication trailer",
    ETHERNET,
    ETH6 + ip6(89, ospf3(bytes.fromhex("00002001 00000000 c0000202"), 3, TRAILER_V3, 0)),
    "ospf absent, found 0x0000",
)
case(
    "OSPF version 3, a link state request with other bytes after it",
    ETHERNET,
    ETH6 + ip6(89, ospf3(bytes.fromhex("00002001 00000000 c0000202"), 3, bytes(48))),
    "ospf good",
)
case(
    "OSPF version 3 without the AT bit: the checksum is verified, whatever follows",
    ETHERNET,
    ETH6 + ip6(89, ospf3(behind=TRAILER_V3)),
    "ospf good",
)
case(
    "OSPF longer than its packet",
    ETHERNET,
    ETH4 + ip4(89, ospf2()[:-4]),
    "ipv4 good",
    "ospf unverified (length)",
)
case(
    "OSPF shorter than its header",
    ETHERNET,
    ETH4 + ip4(89, ospf2()[:15]),
    "ipv4 good",
    "malformed: OSPF packet shorter than its header",
)
case("VRRP version 2", ETHERNET, ETH4 + ip4(112, vrrp(2, C4)), "ipv4 good", "vrrp good")
case(
    "VRRP version 3 over IPv4",
    ETHERNET,
    ETH4 + ip4(112, vrrp(3, C4, pseudo4)),
    "ipv4 good",
    "vrrp good",
)
case(
    "VRRP version 3 over IPv4 without a pseudo-header, which receivers accept",
    ETHERNET,
    ETH4 + ip4(112, vrrp(3, C4)),
    "ipv4 good",
    "vrrp good",
    single=False,
)
case("VRRP version 3 over IPv6", ETHERNET, ETH6 + ip6(112, vrrp(3, C6, pseudo6)), "vrrp good")
case(
    "CARP",
    ETHERNET,
    ETH4 + ip4(112, stored("vrrp", bytes.fromhex("21 01 00 07 00 01 0000") + bytes(range(28)), 6)),
    "ipv4 good",
    "vrrp good",
)
case(
    "VRRP shorter than its header",
    ETHERNET,
    ETH4 + ip4(112, vrrp(2, C4)[:7]),
    "ipv4 good",
    "malformed: VRRP message shorter than its header",
)
case("EIGRP", ETHERNET, ETH4 + ip4(88, eigrp()), "ipv4 good", "eigrp good")
case("EIGRP over IPv6", ETHERNET, ETH6 + ip6(88, eigrp()), "eigrp good")
case(
    "EIGRP shorter than its header",
    ETHERNET,
    ETH4 + ip4(88, eigrp()[:3]),
    "ipv4 good",
    "malformed: EIGRP packet without a checksum field",
)
case("RSVP", ETHERNET, ETH4 + ip4(46, rsvp()), "ipv4 good", "rsvp good")
case(
    "RSVP that only the ends of its path process",
    ETHERNET,
    ETH4 + ip4(134, rsvp()),
    "ipv4 good",
    "rsvp good",
)
case(
    "RSVP without a checksum",
    ETHERNET,
    ETH4 + ip4(46, rsvp(checksum=0)),
    "ipv4 good",
    "rsvp absent, found 0x0000",
)
case(
    "RSVP longer than its packet",
    ETHERNET,
    ETH4 + ip4(46, rsvp(length=24)),
    "ipv4 good",
    "rsvp unverified (length)",
)
case(
    "RSVP with an impossible length",
    ETHERNET,
    ETH4 + ip4(46, rsvp(length=7)),
    "ipv4 good",
    "malformed: RSVP length below 8",
)
case(
    "RSVP shorter than its header",
    ETHERNET,
    ETH4 + ip4(46, rsvp()[:7]),
    "ipv4 good",
    "malformed: RSVP message shorter than its header",
)
case("PGM", ETHERNET, ETH4 + ip4(113, pgm()), "ipv4 good", "pgm good")
case(
    "PGM without a checksum",
    ETHERNET,
    ETH4 + ip4(113, pgm(0)),
    "ipv4 good",
    "pgm absent, found 0x0000",
)
case(
    "PGM shorter than its header",
    ETHERNET,
    ETH4 + ip4(113, pgm()[:15]),
    "ipv4 good",
    "malformed: PGM packet shorter than its header",
)
case("HIP over IPv4", ETHERNET, ETH4 + ip4(139, hip(pseudo4)), "ipv4 good", "hip good")
case("HIP over IPv6", ETHERNET, ETH6 + ip6(139, hip(pseudo6)), "hip good")
case(
    "HIP shorter than its header",
    ETHERNET,
    ETH6 + ip6(139, hip(pseudo6)[:39]),
    "malformed: HIP packet shorter than its header",
)
case("mobility header", ETHERNET, ETH6 + ip6(135, mobility()), "mobility good")
case(
    "mobility header to a home address",
    ETHERNET,
    ETH6
    + ip6(
        43,
        bytes([135, 2, 2, 1, 0, 0, 0, 0])
        + C6
        + mobility(pseudo=lambda p, n: pseudo6(p, n, destination=C6)),
    ),
    "mobility good",
)
case(
    "mobility header longer than its packet",
    ETHERNET,
    ETH6 + ip6(135, mobility(2)),
    "malformed: mobility header longer than its packet",
)
case(
    "mobility header cut short",
    ETHERNET,
    ETH6 + ip6(135, mobility()[:7]),
    "malformed: mobility header cut short",
)
case("Shim6 control message", ETHERNET, ETH6 + ip6(140, shim6(59)), "shim6 good")
case(
    "Shim6 payload header: it has no checksum",
    ETHERNET,
    ETH6 + ip6(140, shim6(6, payload=True) + tcp(pseudo6)),
    "tcp good",
    single=False,
)
case(
    "Shim6 payload header: the receiver sums other addresses (RFC 5533 section 5.1)",
    ETHERNET,
    ETH6 + ip6(140, shim6(6, payload=True) + tcp(lambda p, n: pseudo6(p, n, H6, C6))),
    "tcp unverified (addresses)",
)


def cisco(packet, behind=b"", number="2000"):
    """Returns an Ethernet frame of SNAP with a number of Cisco: CDP or UDLD."""
    return (
        bytes.fromhex("01000ccccccc 020000000001")
        + pack(">H", 8 + len(packet))
        + bytes.fromhex("aaaa03 00000c" + number)
        + packet
        + behind
    )


DEVICE_PLATFORM = bytes.fromhex("0006 0007 737769")  # an odd number of bytes


def osi(packet, behind=b""):
    """Returns an Ethernet frame of OSI's network layer."""
    addresses = bytes.fromhex("0180c2000015 020000000001")
    return addresses + pack(">H", 3 + len(packet)) + b"\xfe\xfe\x03" + packet + behind


hello = fletcher("esis", bytes.fromhex("82 0f 01 00 02 003c 0000 05 4900010203"), 7)
clnp = (
    fletcher("clnp", bytes.fromhex("81 15 01 40 1c 0019 0000 05 4900010203 05 4900010204"), 7)
    + b"data"
)
case("IS-IS link state", ETHERNET, osi(lsp(), b"padding"), "layer 0 isis good")
case("IS-IS link state over PPP", 9, bytes.fromhex("ff03 0023") + lsp(), "layer 0 isis good")
case(
    "IS-IS link state over GRE",
    ETHERNET,
    ETH4 + ip4(47, gre(0xFE, lsp())),
    "ipv4 good",
    "isis good",
)
case(
    "IS-IS link state without a checksum",
    ETHERNET,
    osi(changed(lsp(), 24, b"\0\0")),
    "layer 0 isis absent, found 0x0000",
)
case(
    "IS-IS link state that has expired: its checksum is of before",
    ETHERNET,
    osi(lsp(0)),
    f"layer 0 isis absent, found 0x{lsp(0)[24:26].hex()}",
)
case(
    "IS-IS in a frame that is longer than its length field can say",
    ETHERNET,
    osi(lsp())[:12] + b"\x88\x70" + osi(lsp())[14:],
    "layer 0 isis good",
)
case(
    "IS-IS link state longer than its frame",
    ETHERNET,
    osi(lsp(length=41)),
    "layer 0 isis unverified (length)",
)
case(
    "IS-IS link state that ends before its checksum",
    ETHERNET,
    osi(lsp()[:25]),
    "malformed: OSI header that ends before its checksum",
)
case(
    "IS-IS link state over Cisco HDLC",
    104,
    bytes.fromhex("8f00 fefe 03") + lsp(),
    "layer 0 isis good",
)
case("Cisco HDLC with OSI and nothing more", 104, bytes.fromhex("8f00 fefe"))
# The network layer number is the first byte of the packet (RFC 2427 section 5, RFC 2684).
case("ES-IS over frame relay", 107, bytes.fromhex("1841 03") + hello, "layer 0 esis good")
case("ES-IS over ATM", 100, bytes.fromhex("fefe03") + hello, "layer 0 esis good")
case("ES-IS", ETHERNET, osi(hello), "layer 0 esis good")
case("CLNP: the sum covers the header", ETHERNET, osi(clnp), "layer 0 clnp good")
case("CDP", ETHERNET, cisco(cdp()), "layer 0 cdp good")
case("CDP with a last byte alone", ETHERNET, cisco(cdp(DEVICE_PLATFORM)), "layer 0 cdp good")
case(
    "CDP with a last byte alone that is negative as a signed number",
    ETHERNET,
    cisco(cdp(DEVICE_PLATFORM[:-1] + b"\xe9")),
    "layer 0 cdp good",
)
case(
    "CDP with padding after it",
    ETHERNET,
    cisco(cdp(DEVICE_PLATFORM), b"pad"),
    "layer 0 cdp good",
)
case(
    "CDP zeroed",
    ETHERNET,
    cisco(changed(cdp(DEVICE_PLATFORM), 2, b"\0\0")),
    "layer 0 cdp bad (zeroed), found 0x0000, expected 0x9f86",
)
case(
    "CDP with a bit of its last byte flipped",
    ETHERNET,
    cisco(changed(cdp(DEVICE_PLATFORM), 18, b"\x6d")),
    "layer 0 cdp bad (one-bit), found 0x9f86, expected 0x9f82",
)
# An operation and flags precede the checksum (RFC 5171).
case("UDLD", ETHERNET, cisco(cdp(start="2101"), number="0111"), "layer 0 cdp good")
case(
    "UDLD with a last byte alone",
    ETHERNET,
    cisco(cdp(DEVICE_PLATFORM, "2101"), number="0111"),
    "layer 0 cdp good",
)
case("CDP over Cisco HDLC", 104, bytes.fromhex("8f00 2000") + cdp(), "layer 0 cdp good")
case("CDP over frame relay", 107, bytes.fromhex("1841 2000") + cdp(), "layer 0 cdp good")
case("CDP over PPP", 9, bytes.fromhex("ff03 0207") + cdp(), "layer 0 cdp good")
case("CDP over GRE", ETHERNET, ETH4 + ip4(47, gre(0x2000, cdp())), "ipv4 good", "cdp good")
case(
    "CDP shorter than its header",
    ETHERNET,
    cisco(cdp()[:3]),
    "malformed: CDP or UDLD packet shorter than its header",
)
