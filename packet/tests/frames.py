#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes frames.txt: small frames, one for each thing that the walk must get right.

    python3 packet/tests/frames.py > packet/tests/frames.txt

The verdicts are typed by hand. The sums follow RFC 1071, word by word; this file calls
nothing of wiresum.

A case whose last verdict is `good` is a single-fault case as well: `broken AT XX` says which byte
of that checksum becomes XX, and the verdicts after `!` belong to the broken frame, without their
causes. Repaired, the broken frame is the frame of the case again, byte for byte.
"""

from ipaddress import ip_address
from struct import pack
from zlib import adler32

A4, B4, C4 = (ip_address(a).packed for a in ("192.0.2.1", "192.0.2.2", "198.51.100.7"))
A6, B6, C6 = (ip_address(a).packed for a in ("2001:db8::1", "2001:db8::2", "2001:db8::3"))
# An address that the network header does not hold: a home address, or an identifier.
H6 = ip_address("2001:db8:1234:5678:9abc:def0:1357:2468").packed
ETHERNET, NULL, RAW, LOOP, SLL, SLL2 = 1, 0, 101, 108, 113, 276
MAC = bytes.fromhex("020000000002 020000000001")
ETH4, ETH6 = MAC + b"\x08\x00", MAC + b"\x86\xdd"
# Values of `checksum` and `value`: the sums that an offload leaves in the field.
OFFLOAD, WITHOUT_LENGTH = "offload", "without length"


def total(data):
    """Returns the one's complement sum."""
    data += b"\0" * (len(data) % 2)
    sum_ = 0
    for i in range(0, len(data), 2):
        sum_ += data[i] << 8 | data[i + 1]
        sum_ = (sum_ & 0xFFFF) + (sum_ >> 16)
    return sum_


def pseudo4(protocol, length, source=A4, destination=B4):
    return source + destination + pack(">HH", protocol, length)


def pseudo6(protocol, length, source=A6, destination=B6):
    return source + destination + pack(">II", length, protocol)


# Everything with a checksum: its name, its bytes, the offset of the checksum and its width.
MADE = []


def made(name, data, at, width=2):
    MADE.append((name, data, at, width))
    return data


def stored(name, data, at, value=None, pseudo=None, protocol=0, length=0):
    """Returns the data with a checksum at an offset: the right one, an offload's, or `value`."""
    if value is None:
        value = (
            total((pseudo(protocol, length) if pseudo else b"") + data[: length or None]) ^ 0xFFFF
        )
        if name in ("udp", "udplite"):
            value = value or 0xFFFF
    elif value == OFFLOAD:
        value = total(pseudo(protocol, length))
    elif value == WITHOUT_LENGTH:
        value = total(pseudo(protocol, 0))
    return made(name, data[:at] + pack(">H", value) + data[at + 2 :], at)


def ip4(protocol, payload, options=b"", fragment=0, length=None, checksum=None):
    ihl = 5 + len(options) // 4
    length = ihl * 4 + len(payload) if length is None else length
    header = (
        pack(">BBHHHBBH", 0x40 | ihl, 0, length, 0x1234, fragment, 64, protocol, 0)
        + A4
        + B4
        + options
    )
    return stored("ipv4", header, 10, checksum) + payload


def ip6(next_header, payload, length=None):
    length = len(payload) if length is None else length
    return pack(">IHBB", 6 << 28, length, next_header, 64) + A6 + B6 + payload


def tcp(pseudo, data=b"hi", checksum=None):
    segment = pack(">HHIIBBHHH", 1000, 80, 1, 2, 0x50, 0x18, 1024, 0, 0) + data
    return stored("tcp", segment, 16, checksum, pseudo, 6, len(segment))


def udp(pseudo, data=b"ping!", checksum=None, length=None):
    length = 8 + len(data) if length is None else length
    return stored("udp", pack(">HHHH", 5000, 53, length, 0) + data, 6, checksum, pseudo, 17, length)


def icmp(checksum=None):
    return stored("icmp", b"\x08\0\0\0\x12\x34\0\x01abc", 2, checksum)


def icmp6(checksum=None):
    return stored("icmpv6", b"\x80\0\0\0\x12\x34\0\x01abc", 2, checksum, pseudo6, 58, 11)


def udplite(pseudo, coverage=0, data=b"a voice, of sorts", checksum=None):
    """The sum covers `coverage` bytes; the length in the pseudo-header is the length of the
    segment."""
    segment = pack(">HHHH", 5000, 5001, coverage, 0) + data
    if checksum is None:
        covered = segment[: coverage or None]
        checksum = total(pseudo(136, len(segment)) + covered) ^ 0xFFFF or 0xFFFF
    return stored("udplite", segment, 6, checksum)


def dccp(pseudo, coverage=0, data=b"some data, more of it", data_offset=4, checksum=None):
    """Returns a DataAck packet with short sequence numbers and padding options."""
    header = pack(">HHBBHBBH", 5000, 5001, data_offset, coverage, 0, 2 << 1, 0, 7) + bytes(4)
    packet = header + data
    if checksum is None:
        covered = packet[: 16 + (coverage - 1) * 4] if coverage else packet
        checksum = total(pseudo(33, len(packet)) + covered) ^ 0xFFFF
    return stored("dccp", packet, 6, checksum)


def crc32c(data):
    """Computes the CRC of RFC 9260 appendix A bit by bit, with 0x1EDC6F41 reflected."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283  # the check value of CRC-32C in every catalog


COOKIE_ECHO = bytes.fromhex("0a 00 0008 01020304")


def sctp(chunk=COOKIE_ECHO):
    """Returns a packet with one chunk. The low byte of the CRC comes first."""
    packet = pack(">HHI", 5000, 2905, 0x11223344) + bytes(4) + chunk
    return made("sctp", packet[:8] + pack("<I", crc32c(packet)) + packet[12:], 8, 4)


MEMBERSHIP_REPORT = bytes.fromhex("16 00 0000 e0010203")


def igmp(message=MEMBERSHIP_REPORT):
    return stored("igmp", message, 2)


def pim(data=b"\0\1\0\2\0\x69", kind=0, pseudo=None, length=0):
    message = bytes([0x20 | kind, 0, 0, 0]) + data
    return stored("pim", message, 2, None, pseudo, 103, length or (len(message) if pseudo else 0))


HELLO_V2 = bytes.fromhex("ffffff00 000a 02 01 00000028 c0000201 00000000")
HELLO_V3 = bytes.fromhex("00000005 01000013 000a0028 00000000 00000000")


def ospf2(
    auth_type=0,
    auth=bytes(8),
    behind=b"",
    checksum=None,
    body=HELLO_V2,
):
    """Returns a Hello. The sum leaves the authentication out."""
    packet = pack(">BBHIIHH", 2, 1, 24 + len(body), 0xC0000201, 0, 0, auth_type)
    if checksum is None:
        checksum = total(packet + body) ^ 0xFFFF
    return stored("ospf", packet + auth + body, 12, checksum) + behind


def ospf3(body=HELLO_V3, kind=1, behind=b"", checksum=None):
    packet = pack(">BBHIIHBB", 3, kind, 16 + len(body), 0xC0000201, 0, 0, 0, 0) + body
    return stored("ospf", packet, 12, checksum, pseudo6, 89, len(packet)) + behind


def vrrp(version, addresses, pseudo=None):
    """Returns an advertisement. Version 2 ends with 8 bytes of authentication data."""
    message = (
        pack(">BBBBHH", version << 4 | 1, 7, 100, 1, 100 if version == 3 else 1, 0) + addresses
    )
    message += bytes(8) if version == 2 else b""
    return stored("vrrp", message, 6, None, pseudo, 112, len(message) if pseudo else 0)


def eigrp():
    """Returns a Hello with its parameters."""
    return stored(
        "eigrp",
        bytes.fromhex("0205 0000 00000000 00000000 00000000 00000064 0001000c010001000000000f"),
        2,
    )


def rsvp(checksum=None, length=20):
    """Returns a Hello message with its object."""
    return stored(
        "rsvp",
        bytes.fromhex("1014 0000 ff00")
        + pack(">H", length)
        + bytes.fromhex("000c 1601 12345678 00000000"),
        2,
        checksum,
    )


def gre(protocol, payload, flags=0, extra=b""):
    """Returns a packet of version 0. If the checksum bit is set, the sum covers the packet."""
    packet = pack(">HH", flags, protocol)
    return (
        stored("gre", packet + bytes(4) + extra + payload, 4)
        if flags & 0x8000
        else packet + extra + payload
    )


def mobility(length=1, pseudo=pseudo6):
    """Returns a binding acknowledgment, padded to 16 bytes."""
    header = bytes([59, length, 6, 0, 0, 0]) + bytes.fromhex("00 80 0001 003c 0102 0000")
    return stored("mobility", header, 4, None, pseudo, 135, len(header))


def hip(pseudo):
    """Returns an I1 packet, which has no parameters."""
    packet = bytes([59, 4, 1, 0x21, 0, 0, 0, 0]) + bytes(range(32))
    return stored("hip", packet, 4, None, pseudo, 139, len(packet))


def shim6(next_header, payload=False):
    """Returns a keepalive, or the payload extension header."""
    if payload:
        return bytes([next_header, 0, 0x80, 1, 2, 3, 4, 5])
    return stored("shim6", bytes([next_header, 1, 66, 0, 0, 0]) + bytes(range(10)), 4)


def pgm(checksum=None):
    """Returns a source path message with an IPv4 address."""
    packet = pack(">HHBBH6sH", 5000, 5001, 0, 0, 0, b"source", 0) + bytes.fromhex(
        "00000001 00000002 00000003 0001 0000 c0000201"
    )
    return stored("pgm", packet, 6, checksum)


def cdp(last=b"", start="02b4"):
    """Returns a packet that names its device. Cisco adds a last byte alone as a signed number."""
    packet = bytes.fromhex(start + "0000 0001 0008 77697265") + last
    if len(packet) % 2:
        packet, word = packet[:-1], packet[-1] - (packet[-1] >> 7 << 8)
        checksum = total(packet + pack(">H", word % 0xFFFF)) ^ 0xFFFF
        return stored("cdp", packet + last[-1:], 2, checksum)
    return stored("cdp", packet, 2)


MPLS_OBJECT = bytes.fromhex("0008 0101 12345678")


def icmp_extension(objects=MPLS_OBJECT, checksum=None):
    """Returns an extension structure (RFC 4884 section 7)."""
    return stored("icmpext", bytes.fromhex("2000 0000") + objects, 2, checksum)


def nhrp(length=None):
    """Returns a resolution request over IPv4, between two tunnels (RFC 2332 section 5.2)."""
    mandatory = bytes.fromhex("04 04 8002 00000001") + A4 + A4 + B4
    length = 20 + len(mandatory) if length is None else length
    fixed = pack(">HH5xBHHHBBBB", 1, 0x0800, 255, length, 0, 0, 1, 1, 4, 0)
    return stored("nhrp", fixed + mandatory, 12)


def fletcher(name, data, at, start=0):
    """Returns the data with the checksum of ISO 8473: the pair that brings both sums to 0."""
    for first in range(1, 256):
        for second in range(1, 256):
            whole = data[:at] + bytes([first, second]) + data[at + 2 :]
            a = sum(whole[start:]) % 255
            if a == 0 and sum(n * v for n, v in enumerate(reversed(whole[start:]), 1)) % 255 == 0:
                return made(name, whole, at)


LSP_START = 12  # the first byte that the checksum covers


def lsp(lifetime=1199, length=None):
    """Returns a link state PDU of level 2 with the area and the protocols of a system."""
    body = bytes.fromhex("0000000000010000 00000001 0000 03 0104 03490001 8102 cc8e")
    length = LSP_START + len(body) if length is None else length
    return fletcher(
        "isis",
        bytes.fromhex("831b010014010000") + pack(">HH", length, lifetime) + body,
        24,
        LSP_START,
    )


def padding_that_makes(value, at, make):
    """Returns `make(data)` for the first two bytes of data that put `value` into the field `at`."""
    return next(
        made
        for i in range(65536)
        if (made := make(pack(">H", i)))[at : at + 2] == pack(">H", value)
    )


def changed(packet, at, data):
    """Returns the packet with other bytes, and its checksums as they were."""
    return packet[:at] + data + packet[at + len(data) :]


def broken(frame, verdicts, obstacles):
    """Yields the single fault of a case: its offset, the wrong byte, and the verdicts on it."""
    *before, last = verdicts
    name = last.split()[-2]
    data, at, width = next(
        (data, at, width)
        for made, data, at, width in reversed(MADE)
        if made == name and data in frame
    )
    at += frame.rindex(data)
    expected = frame[at : at + width].hex()
    found = f"{frame[at] ^ 1:02x}{expected[2:]}"
    yield f"broken {at} {found[:2]}"
    yield from (f"! {verdict}" for verdict in before)
    yield f"! {last.removesuffix(' good')} bad, found 0x{found}, expected 0x{expected}"
    yield from (f"! {obstacle}" for obstacle in obstacles)


def case(about, link_type, frame, *verdicts, wire=None, single=True):
    """Prints a case. `wire` is the length on the wire, if less was captured.

    `single` is false if the last checksum of the case has no single fault.
    """
    print(f"\n{about}")
    print(f"  link {link_type}")
    for at in range(0, len(frame), 32):
        print(f"  data {frame[at : at + 32].hex()}")
    if wire is not None:
        print(f"  wire {wire}")
    for verdict in verdicts:
        print(f"  = {verdict}")
    judged = [verdict for verdict in verdicts if not verdict.startswith("obstacle")]
    if (
        single
        and wire is None
        and judged
        and judged[-1].endswith(" good")
        and not any(" bad " in verdict for verdict in verdicts)
    ):
        for line in broken(frame, judged, verdicts[len(judged) :]):
            print(f"  {line}")


good4, good6 = ip4(6, tcp(pseudo4)), ip6(6, tcp(pseudo6))
whole = ETH4 + good4

print("# SPDX-License-Identifier: MIT OR Apache-2.0")
print("# Frames, and the verdicts on their checksums, outermost first. frames.py makes this file.")

# ---------------------------------------------------------------------------------------- transport
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


# ------------------------------------------------------------------------------- quoted by an error
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

# -------------------------------------------------------------------------------------- link layers
snap = bytes.fromhex("aaaa03 000000 0800") + good4
cooked = "00000001000602000000000100 00"
case("VLAN", ETHERNET, MAC + bytes.fromhex("8100 0005 0800") + good4, "ipv4 good", "tcp good")
case("QinQ", ETHERNET, MAC + bytes.fromhex("88a8 0005 8100 0006 86dd") + good6, "tcp good")
case(
    "QinQ with the number used before 802.1ad",
    ETHERNET,
    MAC + bytes.fromhex("9100 0005 8100 0006 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case("IEEE 802.3 with SNAP", ETHERNET, MAC + pack(">H", len(snap)) + snap, "ipv4 good", "tcp good")
case(
    "IEEE 802.3 with SNAP and padding",
    ETHERNET,
    MAC + pack(">H", len(snap)) + snap + b"pad",
    "ipv4 good",
    "tcp good",
)
case("ARP: nothing to verify", ETHERNET, MAC + b"\x08\x06" + bytes(28))
case(
    "padding that is not zero",
    ETHERNET,
    ETH4 + ip4(6, tcp(pseudo4, b"")) + b"\xde\xad\xbe\xef\xde\xad",
    "ipv4 good",
    "tcp good",
)
case(
    "Linux cooked, version 1", SLL, bytes.fromhex(cooked + "0800") + good4, "ipv4 good", "tcp good"
)
case(
    "Linux cooked, version 1, with a VLAN tag",
    SLL,
    bytes.fromhex(cooked + "8100 0005 86dd") + good6,
    "tcp good",
)
case(
    "Linux cooked, version 1, of netlink: its protocol numbers are no EtherTypes",
    SLL,
    bytes.fromhex(cooked.replace("00000001", "00000338") + "0800") + good4,
)
case(
    "Linux cooked, version 1, of a GRE device",
    SLL,
    bytes.fromhex(cooked.replace("00000001", "0000030a") + "0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Linux cooked, version 1, of a GRE device that carries Ethernet",
    SLL,
    bytes.fromhex(cooked.replace("00000001", "0000030a") + "6558") + ETH6 + good6,
    "tcp good",
)
case(
    "Linux cooked, version 2",
    SLL2,
    bytes.fromhex("86dd 0000 00000001 0001 00 06 0200000000010000") + good6,
    "tcp good",
)
case("raw IPv4", RAW, good4, "ipv4 good", "tcp good")
case("raw IPv6", RAW, good6, "tcp good")
case(
    "raw IP of an unknown version",
    RAW,
    b"\x50" + good4[1:],
    "malformed: IP version that is neither 4 nor 6",
)
case("raw IPv4 with most systems' DLT_RAW", 12, good4, "ipv4 good", "tcp good")
case("raw IPv6 with OpenBSD's DLT_RAW", 14, good6, "tcp good")
case("link type IPv4", 228, good4, "ipv4 good", "tcp good")
case("link type IPv6", 229, good6, "tcp good")
case(
    "BSD loopback, little-endian", NULL, bytes.fromhex("02000000") + good4, "ipv4 good", "tcp good"
)
case("BSD loopback, big-endian", NULL, bytes.fromhex("00000002") + good4, "ipv4 good", "tcp good")
case("BSD loopback, IPv6 of NetBSD", NULL, bytes.fromhex("18000000") + good6, "tcp good")
case("BSD loopback, IPv6 of FreeBSD", NULL, bytes.fromhex("1c000000") + good6, "tcp good")
case("BSD loopback, IPv6 of macOS", NULL, bytes.fromhex("1e000000") + good6, "tcp good")
case(
    "BSD loopback with an EtherType, little-endian",
    NULL,
    bytes.fromhex("00080000") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "BSD loopback with an EtherType, big-endian",
    NULL,
    bytes.fromhex("000086dd") + good6,
    "tcp good",
)
case("OpenBSD loopback", LOOP, bytes.fromhex("00000018") + good6, "tcp good")
case("an unknown link type", 147, good4, "obstacle: link type 147 (USER0)")

case(
    "IEEE 802.2 with IP's own number",
    ETHERNET,
    MAC + pack(">H", 3 + len(good4)) + b"\6\6\3" + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "a redundancy tag",
    ETHERNET,
    MAC + bytes.fromhex("f1c1 0000 0001 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "E-Tag of a port extender",
    ETHERNET,
    MAC + bytes.fromhex("893f 2001 1002 00 00 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Cisco metadata",
    ETHERNET,
    MAC + bytes.fromhex("8909 01 01 0001 0007 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "timestamp of 64 bits from an Arista switch",
    ETHERNET,
    MAC + bytes.fromhex("d28b 0001 0010 5f000000 00000001 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "timestamp of 48 bits from an Arista switch",
    ETHERNET,
    MAC + bytes.fromhex("d28b 0001 0020 5f00 00000001 86dd") + good6,
    "tcp good",
)
case(
    "timestamp from an Arista switch, cut short",
    ETHERNET,
    MAC + bytes.fromhex("d28b 0001 0010 5f00 0000"),
    "malformed: Arista timestamp cut short",
)
case(
    "tag of a Broadcom switch after the addresses",
    281,
    MAC + bytes.fromhex("20000003 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "tag of a Broadcom switch before the frame",
    282,
    bytes.fromhex("20000003") + ETH6 + good6,
    "tcp good",
)
case(
    "tag of a Marvell switch after the addresses",
    284,
    MAC + bytes.fromhex("c0180001 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "tag of a Marvell switch after an EtherType",
    285,
    MAC + bytes.fromhex("dada 0000 c0180001 86dd") + good6,
    "tcp good",
)
case(
    "tag of a Marvell switch, SNAP after it",
    285,
    MAC + bytes.fromhex("dada 0000 c0180001") + pack(">H", len(snap)) + snap + b"pad",
    "ipv4 good",
    "tcp good",
)
case(
    "tag of a Marvell switch cut short",
    284,
    MAC + bytes(3),
    "malformed: Ethernet frame shorter than its header",
)
case(
    "a frame check sequence after the packet",
    ETHERNET,
    ETH6 + good6 + b"\x12\x34\x56\x78",
    "tcp good",
)
case(
    "a VLAN tag cut short",
    ETHERNET,
    MAC + bytes.fromhex("8100 0005 08"),
    "malformed: VLAN or other tag cut short",
)
ppp4, ppp6 = b"\xff\x03\0\x21" + good4, b"\xff\x03\0\x57" + good6
inner_ethernet = bytes.fromhex("fe0000000002 fe0000000001")
case(
    "PPPoE session",
    ETHERNET,
    MAC
    + bytes.fromhex("8864 11 00 0001")
    + pack(">H", 2 + len(good4))
    + b"\0\x21"
    + good4
    + b"pad",
    "ipv4 good",
    "tcp good",
)
case(
    "PPPoE session, IPv6",
    ETHERNET,
    MAC + bytes.fromhex("8864 11 00 0001") + pack(">H", 2 + len(good6)) + b"\0\x57" + good6,
    "tcp good",
)
case("PPPoE discovery: nothing to verify", ETHERNET, MAC + bytes.fromhex("8863 11 09 0000 0000"))
case(
    "PPPoE cut short",
    ETHERNET,
    MAC + bytes.fromhex("8864 11 00 0001"),
    "malformed: PPPoE packet shorter than its header",
)
case(
    "link type PPPoE",
    51,
    bytes.fromhex("11 00 0001") + pack(">H", 2 + len(good4)) + b"\0\x21" + good4,
    "ipv4 good",
    "tcp good",
)
case("PPP", 9, ppp4, "ipv4 good", "tcp good")
case("PPP, IPv6", 9, ppp6, "tcp good")
case("PPP without address and control", 9, ppp4[2:], "ipv4 good", "tcp good")
case("PPP with its protocol compressed", 9, ppp4[3:], "ipv4 good", "tcp good")
case("PPP without a protocol", 9, b"\xff\x03", "malformed: PPP frame without a protocol")
case("PPP in HDLC-like framing", 50, ppp4, "ipv4 good", "tcp good")
case(
    "Cisco HDLC with the link type of PPP",
    50,
    bytes.fromhex("0f00 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Cisco HDLC with the other link type of PPP",
    9,
    bytes.fromhex("8f00 86dd") + good6,
    "tcp good",
)
case("PPP after a byte for its direction", 204, b"\1" + ppp4, "ipv4 good", "tcp good")
case("PPP with MPLS", 9, bytes.fromhex("ff03 0281 000641ff") + good4, "ipv4 good", "tcp good")
case(
    "PPP that bridges Ethernet",
    9,
    bytes.fromhex("ff03 0031 00 01") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("Cisco HDLC", 104, bytes.fromhex("0f00 86dd") + good6, "tcp good")
case(
    "Cisco HDLC cut short",
    104,
    b"\x0f\0\x08",
    "malformed: Cisco HDLC frame shorter than its header",
)
case("MPLS", ETHERNET, MAC + bytes.fromhex("8847 000641ff") + good4, "ipv4 good", "tcp good")
case(
    "MPLS, a stack of labels, IPv6",
    ETHERNET,
    MAC + bytes.fromhex("8847 000640ff 000650ff 000021ff") + good6,
    "tcp good",
)
case(
    "MPLS pseudowire",
    ETHERNET,
    MAC + bytes.fromhex("8847 000651ff") + inner_ethernet + b"\x08\0" + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "MPLS pseudowire with a control word",
    ETHERNET,
    MAC + bytes.fromhex("8847 000651ff 00000000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "MPLS that carries something else",
    ETHERNET,
    MAC + bytes.fromhex("8847 000651ff") + b"\x10" + bytes(40),
    "obstacle: MPLS",
)
case(
    "MPLS label cut short",
    ETHERNET,
    MAC + bytes.fromhex("8847 000640ff 0006"),
    "malformed: MPLS label cut short",
)
case("link type MPLS", 219, bytes.fromhex("000641ff") + good4, "ipv4 good", "tcp good")
case(
    "MACsec that is not encrypted",
    ETHERNET,
    MAC + bytes.fromhex("88e5 2000 00000001 0200000000010001 0800") + good4 + bytes(16),
    "ipv4 good",
    "tcp good",
)
case(
    "MACsec without a channel identifier, with a short frame",
    ETHERNET,
    MAC
    + bytes.fromhex("88e5 00")
    + bytes([2 + len(good4)])
    + bytes.fromhex("00000001 0800")
    + good4
    + b"padpad"
    + bytes(16),
    "ipv4 good",
    "tcp good",
)
case(
    "MACsec with an integrity check value of 12 bytes",
    ETHERNET,
    MAC
    + bytes.fromhex("88e5 2000 00000001 0200000000010001 0800")
    + ip4(6, tcp(pseudo4, b"more than 48 bytes"))
    + bytes(12),
    "ipv4 good",
    "tcp good",
)
case(
    "MACsec that is encrypted",
    ETHERNET,
    MAC + bytes.fromhex("88e5 2c00 00000001 0200000000010001 0800") + good4 + bytes(16),
    "obstacle: encrypted MACsec",
)
case(
    "MACsec cut short",
    ETHERNET,
    MAC + bytes.fromhex("88e5 2000 00000001 02000000"),
    "malformed: MACsec frame shorter than its header",
)
case(
    "Cisco FabricPath, with its frame check sequence",
    ETHERNET,
    MAC + bytes.fromhex("8903 0044") + ETH4 + good4 + b"\1\2\3\4",
    "ipv4 good",
    "tcp good",
)
case(
    "TRILL",
    ETHERNET,
    MAC + bytes.fromhex("22f3 0040 0001 0002 00000000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "provider backbone bridge",
    ETHERNET,
    MAC + bytes.fromhex("88e7 00000001") + ETH6 + good6,
    "tcp good",
)
case(
    "network service header",
    ETHERNET,
    MAC + bytes.fromhex("894f 0fc2 02 01 00000102") + good4,
    "ipv4 good",
    "tcp good",
)
case("frame relay", 107, bytes.fromhex("1841 03 cc") + good4, "ipv4 good", "tcp good")
case("frame relay, IPv6", 107, bytes.fromhex("1841 03 8e") + good6, "tcp good")
case(
    "frame relay with SNAP",
    107,
    bytes.fromhex("1841 03 00 80 000000 0800") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "frame relay that bridges Ethernet",
    107,
    bytes.fromhex("1841 03 00 80 0080c2 0007") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("frame relay of Cisco", 107, bytes.fromhex("1841 0800") + good4, "ipv4 good", "tcp good")
case(
    "frame relay with an address that does not end",
    107,
    bytes(8),
    "malformed: frame relay address longer than 4 bytes",
)
data_frame = "0801 2c00" + "020000000001020000000002020000000003" + "1000"
case("IEEE 802.11", 105, bytes.fromhex(data_frame) + snap, "ipv4 good", "tcp good")
case(
    "IEEE 802.11 with quality of service",
    105,
    bytes.fromhex(data_frame.replace("0801", "8802") + "0000") + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 between distribution systems: four addresses",
    105,
    bytes.fromhex(data_frame.replace("0801", "0803") + "020000000004") + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 that is encrypted",
    105,
    bytes.fromhex(data_frame.replace("0801", "0841")) + bytes(60),
    "obstacle: encrypted 802.11",
)
case(
    "IEEE 802.11 beacon: nothing to verify",
    105,
    bytes.fromhex(data_frame.replace("0801", "8000")) + bytes(60),
)
case(
    "IEEE 802.11 fragment",
    105,
    bytes.fromhex(data_frame.replace("1000", "1100")) + snap,
    "obstacle: fragment",
)
case(
    "IEEE 802.11 first fragment",
    105,
    bytes.fromhex(data_frame.replace("0801", "0805")) + snap[:-2],
    "ipv4 good",
    "tcp unverified (fragment)",
)
subframe = bytes.fromhex("020000000001 020000000002") + pack(">H", len(snap)) + snap
case(
    "IEEE 802.11 with two frames in one",
    105,
    bytes.fromhex(data_frame.replace("0801", "8801") + "8000")
    + subframe
    + bytes(-len(subframe) % 4)
    + subframe,
    "ipv4 good",
    "tcp good",
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 shorter than its header",
    105,
    bytes.fromhex(data_frame)[:23],
    "malformed: 802.11 frame shorter than its header",
)
case(
    "IEEE 802.11 after radiotap",
    127,
    bytes.fromhex("0000 0d00 04800200 0200 0000 00" + data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 after radiotap: time, flags, a padded header and a frame check sequence",
    127,
    bytes.fromhex(
        "0000 1100 03000000 0102030405060708 30" + data_frame.replace("0801", "8801") + "0000 0000"
    )
    + snap
    + b"\1\2\3\4",
    "ipv4 good",
    "tcp good",
)
case(
    "radiotap longer than its frame",
    127,
    bytes.fromhex("0000 2000 00000000") + bytes(8),
    "malformed: radiotap header longer than its frame",
)
case(
    "IEEE 802.11 after Prism",
    119,
    bytes.fromhex("44000000 90000000") + b"wlan0" + bytes(131) + bytes.fromhex(data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "IEEE 802.11 after AVS",
    163,
    bytes.fromhex("80211001 00000040") + bytes(56) + bytes.fromhex(data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "AVS with the link type of Prism",
    119,
    bytes.fromhex("80211001 00000040") + bytes(56) + bytes.fromhex(data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "per-packet information",
    192,
    bytes.fromhex("00 00 0800 69000000" + data_frame) + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "per-packet information before an unknown link type",
    192,
    bytes.fromhex("00 00 0800 93000000") + good4,
    "obstacle: link type 147 (USER0)",
)
case(
    "per-packet information longer than its frame",
    192,
    bytes.fromhex("00 00 0900 69000000"),
    "malformed: per-packet information shorter than its header",
)
case("FDDI", 10, b"\x50" + MAC + snap, "ipv4 good", "tcp good")
case("FDDI cut short", 10, b"\x50" + MAC[:11], "malformed: FDDI frame shorter than its header")
case("token ring", 6, b"\x10\x40" + MAC + snap, "ipv4 good", "tcp good")
case(
    "token ring with a source route",
    6,
    b"\x10\x40" + MAC[:6] + bytes.fromhex("820000000001 0630 0012 0020") + snap,
    "ipv4 good",
    "tcp good",
)
case(
    "ARCnet of Linux", 129, bytes.fromhex("01 02 0000 d4 00 0001") + good4, "ipv4 good", "tcp good"
)
case(
    "ARCnet of Linux, RFC 1051",
    129,
    bytes.fromhex("01 02 0000 f0") + good4,
    "ipv4 good",
    "tcp good",
)
case("ARCnet of BSD", 7, bytes.fromhex("01 02 d4 00 0001") + good4, "ipv4 good", "tcp good")
case(
    "ARCnet fragment",
    129,
    bytes.fromhex("01 02 0000 d4 01 0001") + good4[:30],
    "obstacle: fragment",
)
case("ATM with SNAP", 100, snap, "ipv4 good", "tcp good")
case(
    "ATM with a network layer number",
    100,
    bytes.fromhex("fefe03 cc") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "ATM that bridges Ethernet",
    100,
    bytes.fromhex("aaaa03 0080c2 0007 0000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("classical IP over ATM", 106, good4, "ipv4 good", "tcp good")
case("classical IP over ATM with SNAP", 106, snap, "ipv4 good", "tcp good")
case("SunATM", 123, bytes.fromhex("02 00 0020") + snap, "ipv4 good", "tcp good")
case(
    "SunATM, LAN emulation",
    123,
    bytes.fromhex("01 00 0020 0001") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case("SLIP", 8, b"\1\x45" + bytes(14) + good4, "ipv4 good", "tcp good")
case(
    "IP over Fibre Channel",
    122,
    bytes.fromhex("1000020000000001 1000020000000002") + snap,
    "ipv4 good",
    "tcp good",
)
case("IP over FireWire", 138, bytes(16) + b"\x08\0" + good4, "ipv4 good", "tcp good")
case(
    "IP over InfiniBand",
    242,
    bytes(40) + bytes.fromhex("0800 0000") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "IP over InfiniBand cut short", 242, bytes(39), "malformed: frame shorter than its link header"
)
case(
    "netfilter log",
    239,
    bytes.fromhex("02 00 0000 0800 0100 08000102 0600 0a00 61620000")
    + pack("<HH", 4 + len(good4), 9)
    + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "netfilter log, big-endian, IPv6",
    239,
    bytes.fromhex("0a 00 0000 0008 0001 86dd0102") + pack(">HH", 4 + len(good6), 9) + good6,
    "tcp good",
)
case(
    "netfilter log with an attribute of no length",
    239,
    bytes.fromhex("02 00 0000 0000 0900 00000000"),
    "malformed: netfilter log attribute longer than its frame",
)
case(
    "OpenBSD's encapsulation device",
    109,
    bytes.fromhex("02000000 00001234 00000000") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "packet filter log",
    117,
    bytes.fromhex("3d 02 00 00") + bytes(60) + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Solaris IP network",
    226,
    bytes.fromhex("01 02 0001 0000002a") + bytes(16) + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Solaris IP network, IPv6",
    226,
    bytes.fromhex("01 1a 0001 0000003e") + bytes(16) + good6,
    "tcp good",
)
pktap = bytes.fromhex("6c000000 01000000 01000000") + bytes(96)
case("PKTAP", 258, pktap + ETH4 + good4, "ipv4 good", "tcp good")
case("PKTAP with a link type for private use", 149, pktap + ETH4 + good4, "ipv4 good", "tcp good")
case(
    "a link type for private use, with something else",
    149,
    ETH4 + good4,
    "obstacle: link type 149 (USER2)",
)
case(
    "PKTAP within PKTAP",
    258,
    pktap[:8] + bytes.fromhex("02010000") + pktap[12:] + pktap + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Ethernet after Juniper's header",
    178,
    bytes.fromhex("4d4743 00") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "Ethernet after Juniper's header and options",
    178,
    bytes.fromhex("4d4743 80 0003 010203") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)

# --------------------------------------------------------------------------------------------- IPv4
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


# --------------------------------------------------------------------------------------------- IPv6
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

# ------------------------------------------------------------------------------------------ tunnels
case(
    "IPv4 in IPv4",
    ETHERNET,
    ETH4 + ip4(4, good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "IPv6 in IPv4",
    ETHERNET,
    ETH4 + ip4(41, ip6(17, udp(pseudo6, checksum=OFFLOAD))),
    "ipv4 good",
    "layer 2 udp bad (offload), found 0x5b93, expected 0x90d1",
)
case(
    "IPv4 in IPv6",
    ETHERNET,
    ETH6 + ip6(4, ip4(1, icmp())),
    "layer 2 ipv4 good",
    "layer 2 icmp good",
)
case(
    "IPv4 in a first fragment of IPv4, as a whole",
    ETHERNET,
    ETH4 + ip4(4, good4, fragment=0x2000),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "IPv4 in a first fragment of IPv4, in part",
    ETHERNET,
    ETH4 + ip4(4, good4[:-1], fragment=0x2000),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp unverified (fragment)",
)
case(
    "IPv4 in a first fragment of IPv4, the TCP header in part",
    ETHERNET,
    ETH4 + ip4(4, good4[:-8], fragment=0x2000),
    "ipv4 good",
    "layer 2 ipv4 good",
    "obstacle: fragment",
    single=False,
)


def tunnel4(port, header, payload, checksum=0):
    """Returns UDP over IPv4 without a checksum. Each tunnel has a source port of its own."""
    source = 40000 + port
    data = header + payload
    return ETH4 + ip4(
        17,
        stored(
            "udp",
            pack(">HHHH", source, port, 8 + len(data), 0) + data,
            6,
            checksum,
            pseudo4,
            17,
            8 + len(data),
        ),
    )


def tunnel6(port, header, payload, checksum=0):
    """Returns UDP over IPv6 without a checksum, which only tunnels may send."""
    data = header + payload
    return ETH6 + ip6(
        17,
        stored(
            "udp",
            pack(">HHHH", 40000 + port, port, 8 + len(data), 0) + data,
            6,
            checksum,
            pseudo6,
            17,
            8 + len(data),
        ),
    )


def udp_tunnel(about, port, header, payload, *inner, zero6=True):
    inner = [f"layer 2 {verdict}" for verdict in inner]
    header = bytes.fromhex(header)
    case(
        about,
        ETHERNET,
        tunnel4(port, header, payload),
        "ipv4 good",
        "udp absent, found 0x0000",
        *inner,
    )
    if zero6:
        case(
            f"{about}, over IPv6 without a checksum",
            ETHERNET,
            tunnel6(port, header, payload),
            "udp absent, found 0x0000",
            *inner,
        )


inner4 = "ipv4 good", "tcp good"
case(
    "GRE",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case("GRE over IPv6", ETHERNET, ETH6 + ip6(47, gre(0x86DD, good6)), "layer 2 tcp good")
case(
    "GRE with a checksum",
    ETHERNET,
    ETH4 + ip4(47, gre(0x88B5, b"any payload", 0x8000)),
    "ipv4 good",
    "gre good",
    "obstacle: EtherType 0x88b5",
)
case(
    "GRE with a key and a sequence number",
    ETHERNET,
    ETH4 + ip4(47, gre(0x86DD, good6, 0x3000, b"\0\0\0\7\0\0\0\1")),
    "ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE with a source route",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, good4, 0x4000, bytes(4) + b"\x08\0\0\4" + C4 + bytes(4))),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE cut short",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, b"", 0x3000, bytes(7))),
    "ipv4 good",
    "malformed: GRE header cut short",
)
case(
    "GRE that carries Ethernet (NVGRE)",
    ETHERNET,
    ETH4 + ip4(47, gre(0x6558, ETH4 + good4, 0x2000, b"\0\0\7\0")),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE that carries MPLS",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8847, bytes.fromhex("000641ff") + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE with Cisco metadata, which begins with the protocol type",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8909, bytes.fromhex("0800 01 01 0001 0007") + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE with Cisco metadata around NHRP",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8909, bytes.fromhex("2001 01 01 0001 0007") + nhrp())),
    "ipv4 good",
    "nhrp good",
)
case(
    "GRE with Cisco metadata cut short",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8909, bytes.fromhex("0800 01 01 0001"))),
    "ipv4 good",
    "malformed: Cisco metadata cut short",
)
case(
    "GRE of a web cache redirection",
    ETHERNET,
    ETH4 + ip4(47, gre(0x883E, bytes(4) + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "PPTP: GRE version 1 with PPP",
    ETHERNET,
    ETH4 + ip4(47, pack(">HHHHII", 0x3081, 0x880B, len(ppp4), 7, 1, 0) + ppp4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type I",
    ETHERNET,
    ETH4 + ip4(47, gre(0x88BE, ETH4 + good4)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type II",
    ETHERNET,
    ETH4
    + ip4(47, gre(0x88BE, bytes.fromhex("1001 0001 00000001") + ETH4 + good4, 0x1000, bytes(4))),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III",
    ETHERNET,
    ETH4
    + ip4(
        47,
        gre(0x22EB, bytes.fromhex("2001 0001 00000001 0000 0000") + ETH4 + good4, 0x1000, bytes(4)),
    ),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III with its subheader",
    ETHERNET,
    ETH4
    + ip4(
        47,
        gre(
            0x22EB,
            bytes.fromhex("2001 0001 00000001 0000 0001") + bytes(8) + ETH4 + good4,
            0x1000,
            bytes(4),
        ),
    ),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III that carries IP",
    ETHERNET,
    ETH4
    + ip4(47, gre(0x22EB, bytes.fromhex("2001 0001 00000001 0000 0800") + good4, 0x1000, bytes(4))),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "ERSPAN type III that carries something else",
    ETHERNET,
    ETH4
    + ip4(47, gre(0x22EB, bytes.fromhex("2001 0001 00000001 0000 0400") + good4, 0x1000, bytes(4))),
    "ipv4 good",
    "obstacle: ERSPAN",
)
case(
    "GRE of an Aruba access point, which carries 802.11",
    ETHERNET,
    ETH4 + ip4(47, gre(0x8200, bytes.fromhex(data_frame) + snap)),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "GRE of MikroTik, which carries Ethernet",
    ETHERNET,
    ETH4 + ip4(47, bytes.fromhex("2001 6400") + pack("<HH", len(ETH4 + good4), 7) + ETH4 + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "Ethernet in IPv6",
    ETHERNET,
    ETH6 + ip6(143, ETH4 + good4),
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
for about, before in (
    ("", ""),
    (" and a cookie of 4 bytes", "01020304"),
    (" and a cookie of 8 bytes", "0102030405060708"),
    (", a cookie of 8 bytes and a sublayer", "0102030405060708 40000001"),
):
    case(
        f"L2TP version 3 with a session{about}",
        ETHERNET,
        ETH4 + ip4(115, bytes.fromhex("00000007" + before) + ETH4 + good4),
        "ipv4 good",
        "layer 2 ipv4 good",
        "layer 2 tcp good",
    )
case(
    "L2TP version 3 that carries PPP",
    ETHERNET,
    ETH4 + ip4(115, bytes.fromhex("00000007") + ppp6),
    "ipv4 good",
    "layer 2 tcp good",
)
case(
    "L2TP version 3 that carries Cisco HDLC",
    ETHERNET,
    ETH4 + ip4(115, bytes.fromhex("00000007 0f00 0800") + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "L2TP version 3, a control message",
    ETHERNET,
    ETH4 + ip4(115, bytes.fromhex("00000000 c803 000c 00000001 0000 0000")),
    "ipv4 good",
)
case(
    "L2TP version 3 shorter than its session number",
    ETHERNET,
    ETH4 + ip4(115, bytes(3)),
    "ipv4 good",
    "malformed: L2TP packet shorter than its session number",
)
case(
    "EtherIP",
    ETHERNET,
    ETH4 + ip4(97, b"\x30\0" + ETH4 + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "MPLS in IPv4",
    ETHERNET,
    ETH4 + ip4(137, bytes.fromhex("000641ff") + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
udp_tunnel("VXLAN", 4789, "08000000 00000700", ETH4 + good4, *inner4)
udp_tunnel("VXLAN with Linux's first port", 8472, "08000000 00000700", ETH6 + good6, "tcp good")
udp_tunnel("VXLAN-GPE", 4790, "0c000001 00000700", good4, *inner4)
udp_tunnel("VXLAN-GPE that carries Ethernet", 4790, "0c000003 00000700", ETH4 + good4, *inner4)
udp_tunnel(
    "VXLAN-GPE that carries a network service header",
    4790,
    "0c000004 00000700 0fc20201 00000102",
    good4,
    *inner4,
)
udp_tunnel("Geneve", 6081, "0100 6558 00000700 0102 80 00", ETH4 + good4, *inner4)
finished4 = tunnel4(4789, bytes.fromhex("08000000 00000700"), ETH4 + good4, None)
case(
    "VXLAN with a checksum",
    ETHERNET,
    finished4,
    "ipv4 good",
    "udp good",
    *(f"layer 2 {verdict}" for verdict in inner4),
    single=False,
)
case(
    "VXLAN with a checksum, one inner bit flipped",
    ETHERNET,
    finished4[:-1] + b"h",
    "ipv4 good",
    "udp bad (one-bit), found 0x22cd, expected 0x22ce",
    "layer 2 ipv4 good",
    "layer 2 tcp bad (one-bit), found 0xbb22, expected 0xbb23",
)
# The inner checksum is 0x8420 instead of 0xbb22. That is 0x3702 less, so the outer checksum, a
# complement, is 0x3702 more.
case(
    "VXLAN with a checksum, the inner one left to the network card",
    ETHERNET,
    finished4[: -len(good4)] + ip4(6, tcp(pseudo4, checksum=OFFLOAD)),
    "ipv4 good",
    "udp bad (offload within), found 0x22cd, expected 0x59cf",
    "layer 2 ipv4 good",
    "layer 2 tcp bad (offload), found 0x8420, expected 0xbb22",
)
finished6 = tunnel6(6081, bytes.fromhex("0000 86dd 00000700"), good6, None)
case(
    "Geneve with a checksum, the inner segments left to the network card",
    ETHERNET,
    finished6[: -len(good6)] + ip6(6, tcp(pseudo6, checksum=WITHOUT_LENGTH)),
    "udp bad (offload within), found 0xe402, expected 0x6c39",
    "layer 2 tcp bad (offload without length), found 0x5b7b, expected 0xe3b1",
)
udp_tunnel("Geneve that carries IPv6", 6081, "0000 86dd 00000700", good6, "tcp good")
udp_tunnel("GTP-U", 2152, f"30 ff {len(good4):04x} 00000007", good4, *inner4)
udp_tunnel(
    "GTP-U with a sequence number and an extension header",
    2152,
    f"36 ff {len(good6) + 8:04x} 00000007 0001 00 85 01 0009 00",
    good6,
    "tcp good",
)
udp_tunnel("GTP-U echo", 2152, "32 01 0004 00000000 0001 00 00", b"")
udp_tunnel("LISP", 4341, "80000001 00000000", good4, *inner4)
udp_tunnel("MPLS over UDP", 6635, "000641ff", good4, *inner4)
udp_tunnel("GRE over UDP", 4754, "0000 0800", good4, *inner4)
udp_tunnel("Teredo", 3544, "", good6, "tcp good", zero6=False)
udp_tunnel(
    "Teredo with authentication and origin",
    3544,
    "0001 0102 61 6262 0102030405060708 00 0000 1234 3f3f3f3f",
    good6,
    "tcp good",
    zero6=False,
)
udp_tunnel("L2TP", 1701, "0002 0001 0002", ppp4, *inner4, zero6=False)
udp_tunnel(
    "L2TP with length, sequence numbers and an offset",
    1701,
    f"4a02 {16 + len(ppp6):04x} 0001 0002 0001 0000 0002 ffff",
    ppp6,
    "tcp good",
    zero6=False,
)
udp_tunnel(
    "L2TP version 3 over UDP", 1701, "0003 0000 00000007", ETH4 + good4, *inner4, zero6=False
)
udp_tunnel(
    "GTP version 0",
    3386,
    f"1e ff {len(good4):04x} 0001 0002 ff ffffff 0000000000000007",
    good4,
    *inner4,
    zero6=False,
)
udp_tunnel("LISP encapsulated control message", 4342, "80000000", good4, *inner4, zero6=False)
station = bytes.fromhex(data_frame)
udp_tunnel(
    "CAPWAP that carries 802.11", 5247, "00 100300 0000 0000", station + snap, *inner4, zero6=False
)
udp_tunnel(
    "CAPWAP that carries 802.11 with the bytes of its control fields swapped",
    5247,
    "00 100300 0000 0000",
    station[1::-1] + station[2:22] + b"\x12\x30" + snap,
    *inner4,
    zero6=False,
)
case(
    "CAPWAP that carries a fragment of 802.11 with the bytes of its control fields swapped",
    ETHERNET,
    tunnel4(
        5247,
        bytes.fromhex("00 100300 0000 0000"),
        station[1::-1] + station[2:22] + b"\x12\x31" + snap,
    ),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: fragment",
)
udp_tunnel(
    "CAPWAP that carries Ethernet, with the address of a radio",
    5247,
    "00 200210 0000 0000 06 020000000003 00",
    ETH6 + good6,
    "tcp good",
    zero6=False,
)
udp_tunnel("CAPWAP keep-alive", 5247, "00 100208 0000 0000", bytes(8), zero6=False)
case(
    "CAPWAP fragment",
    ETHERNET,
    tunnel4(5247, bytes.fromhex("00 100380 0001 0000"), station + snap),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: fragment",
)


def sampled(link, packet, wire=None, kind=1):
    """Returns a flow sample of sFlow with a raw packet. `wire` is the packet's length."""
    wire = len(packet) if wire is None else wire
    record = pack(">IIII", link, wire, 0, len(packet)) + packet + bytes(-len(packet) % 4)
    head = bytes(28) if kind == 1 else bytes(40)
    sample = head + pack(">III", 1, 1, len(record)) + record
    return pack(">II", kind, len(sample)) + sample


sflow = bytes.fromhex("00000005 00000001") + A4 + pack(">III", 0, 1, 1000)
counters = pack(">II", 2, 12) + bytes(12)
case(
    "sFlow with the first bytes of a packet, counters and a whole packet",
    ETHERNET,
    tunnel4(
        6343,
        sflow + pack(">I", 3),
        sampled(1, (ETH4 + good4)[:54], 60) + counters + sampled(12, good6, kind=3),
    ),
    "ipv4 good",
    "udp absent, found 0x0000",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp unverified (quote)",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "sFlow with a sample longer than its datagram",
    ETHERNET,
    tunnel4(6343, sflow + pack(">I", 1), sampled(1, ETH4 + good4)[:-4]),
    "ipv4 good",
    "udp absent, found 0x0000",
)


def openflow(port, *messages, behind=b"", client=40000):
    """Returns a TCP segment with messages. Each message is a version, a kind and a body.

    tshark does not dissect data that a segment of the same connection had before.
    """
    data = b"".join(
        pack(">BBHI", version, kind, 8 + len(body), 7) + body for version, kind, body in messages
    )
    data += behind
    segment = pack(">HHIIBBHHH", client, port, 1, 2, 0x50, 0x18, 1024, 0, 0) + data
    return stored("tcp", segment, 16, None, pseudo4, 6, len(segment))


hello = (1, 0, b"")
packet_in = bytes.fromhex("ffffffff 0038 0001 00 00") + ETH4 + good4
case(
    "OpenFlow 1.0: a switch sends a packet to its controller",
    ETHERNET,
    ETH4 + ip4(6, openflow(6633, hello, (1, 10, packet_in))),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp good",
    single=False,
)
packet_in = bytes.fromhex(
    "ffffffff 004c 00 00 0000000000000001 0001 000c 80000004 00000001 00000000"
)
case(
    "OpenFlow 1.3: a switch sends a packet to its controller",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (4, 10, packet_in + bytes(2) + ETH6 + good6))),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted tcp good",
    single=False,
)
packet_out = bytes.fromhex("ffffffff ffff 0008 0000 0008 0001 0000") + ETH4 + good4
case(
    "OpenFlow 1.0: a controller sends a packet through a switch",
    ETHERNET,
    ETH4 + ip4(6, openflow(6633, (1, 13, packet_out), client=40001)),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted ipv4 good",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "OpenFlow 1.0: a controller sends a packet that the switch has in a buffer",
    ETHERNET,
    ETH4 + ip4(6, openflow(6633, (1, 13, bytes(4) + packet_out[4:]), client=40002)),
    "ipv4 good",
    "tcp good",
)
action = bytes.fromhex("0000 0010 00000001 0000 000000000000")
packet_out = bytes.fromhex("ffffffff fffffffd 0010 000000000000") + action
case(
    "OpenFlow 1.3: a controller sends a packet through a switch",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (4, 13, packet_out + ETH6 + good6), client=40003)),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted tcp good",
    single=False,
)
packet_out = bytes.fromhex("ffffffff 0010 0000 0001 000c 80000004 00000001 00000000") + action
case(
    "OpenFlow 1.5: a controller sends a packet through a switch",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (6, 13, packet_out + ETH6 + good6), client=40004)),
    "ipv4 good",
    "tcp good",
    "layer 2 quoted tcp good",
    single=False,
)
case(
    "a port of OpenFlow with something else",
    ETHERNET,
    ETH4 + ip4(6, openflow(6653, (4, 10, packet_in + bytes(2) + ETH6 + good6), behind=b"x")),
    "ipv4 good",
    "tcp good",
)
udp_tunnel("L2TP control message", 1701, "c802 000c 0001 0000 0000 0000", b"", zero6=False)
udp_tunnel(
    "AYIYA", 5072, "4152 01 29 00000000" + "00" * 16 + "11" * 20, good6, "tcp good", zero6=False
)
for about, port, header in (
    ("VXLAN", 4789, "f7ffffff 00000700"),
    ("VXLAN-GPE", 4790, "1c000001 00000700"),
    ("Geneve", 6081, "4000 0800 00000700"),
    ("GTP-U", 2152, "20ff 002a 00000007"),
    ("Teredo", 3544, "ff"),
    ("L2TP", 1701, "0004 0001 0002"),
    ("AYIYA", 5072, "4152 02 29"),
    ("GTP version 0", 3386, "1e ff 0029 0001 0002 ff ffffff 0000000000000007"),
    ("LISP control", 4342, "88000000"),
    ("CAPWAP", 5247, "01 100300 0000 0000"),
    ("sFlow", 6343, "00000004 00000001"),
):
    case(
        f"a port of {about} with another header",
        ETHERNET,
        tunnel4(port, bytes.fromhex(header), good4),
        "ipv4 good",
        "udp absent, found 0x0000",
        f"obstacle: {about}",
    )
due = tunnel6(4789, bytes(8), ETH4 + good4, None)[60:62]
case(
    "a port of VXLAN with another header, over IPv6 without a checksum",
    ETHERNET,
    tunnel6(4789, bytes(8), ETH4 + good4),
    f"udp illegal, found 0x0000, expected 0x{due.hex()}",
    "obstacle: VXLAN",
)
case(
    "VXLAN in VXLAN",
    ETHERNET,
    tunnel4(
        4789,
        bytes.fromhex("08000000 00000700"),
        tunnel4(4789, bytes.fromhex("08000000 00000700"), ETH4 + good4),
    ),
    "ipv4 good",
    "udp absent, found 0x0000",
    "layer 2 ipv4 good",
    "layer 2 udp absent, found 0x0000",
    "layer 3 ipv4 good",
    "layer 3 tcp good",
)
vxlan = tunnel4(4789, bytes.fromhex("08000000 00000700"), ETH4 + good4)
case(
    "snapped before the header of VXLAN",
    ETHERNET,
    vxlan[:44],
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: snapped",
    wire=len(vxlan),
)
case(
    "snapped after the header of VXLAN",
    ETHERNET,
    vxlan[:50],
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: snapped",
    wire=len(vxlan),
)


# ------------------------------------------------------------------------------------------- causes
# The case "TCP over IPv4" has the checksum 0xbb22, a pseudo-header that sums to 0x8420, a length of
# 22, and an IPv4 header with the checksum 0xe496.


def because(about, cause, packet, found, expected, where="tcp"):
    """Prints a case of a packet with one bad checksum."""
    others = ["ipv4 good", "tcp good"]
    bad = f"{where} bad ({cause}), found {found}, expected {expected}"
    case(
        about,
        ETHERNET,
        ETH4 + packet,
        *[bad if other.startswith(where) else other for other in others],
    )


because("zeroed", "zeroed", ip4(6, tcp(pseudo4, checksum=0)), "0x0000", "0xbb22")
because(
    "not complemented",
    "not-complemented",
    ip4(6, tcp(pseudo4, checksum=0x44DD)),
    "0x44dd",
    "0xbb22",
)
because("byte-swapped", "byte-swapped", ip4(6, tcp(pseudo4, checksum=0x22BB)), "0x22bb", "0xbb22")
because(
    "without the pseudo-header",
    "no-pseudo-header",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 0x8420 - 0xFFFF)),
    "0x3f43",
    "0xbb22",
)
because(
    "the length of the IPv4 packet in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 - 20)),
    "0xbb0e",
    "0xbb22",
)
because(
    "the length without the TCP header in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 20)),
    "0xbb36",
    "0xbb22",
)
because(
    "no length in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 22)),
    "0xbb38",
    "0xbb22",
)
because(
    "the length in the wrong byte order in the pseudo-header",
    "wrong-length",
    ip4(6, tcp(pseudo4, checksum=0xBB22 + 0x0016 - 0x1600)),
    "0xa538",
    "0xbb22",
)
padded = ip4(6, tcp(pseudo4, checksum=0xBB22 - 0x1234)) + b"\x12\x34\0\0"
because("padding summed", "padding", padded, "0xa8ee", "0xbb22")
because(
    "padding summed, and its length",
    "padding",
    changed(padded, 36, pack(">H", 0xBB22 - 0x1234 - 4)),
    "0xa8ea",
    "0xbb22",
)
because(
    "padding summed, but not the frame check sequence after it",
    "padding",
    padded + b"FCS!",
    "0xa8ee",
    "0xbb22",
)
# The padding follows an odd length, so its bytes change places in the sum: 0x0012 and 0x3400.
odd = ip4(17, udp(pseudo4, checksum=0x6842 - 0x0012 - 0x3400)) + b"\x12\x34"
case(
    "padding summed after an odd length",
    ETHERNET,
    ETH4 + odd,
    "ipv4 good",
    "udp bad (padding), found 0x3430, expected 0x6842",
)
# From 192.0.2.1 to 198.51.100.7, the sum grows by 0x0633 + 0x6206 = 0x6839.
case(
    "source address rewritten",
    ETHERNET,
    ETH4 + changed(good4, 12, C4),
    "ipv4 bad (rewritten), found 0xe496, expected 0x7c5d",
    "tcp bad (rewritten), found 0xbb22, expected 0x52e9",
)
case(
    "source address rewritten, the IPv4 checksum with it: the cause is unknown",
    ETHERNET,
    ETH4 + changed(changed(good4, 12, C4), 10, b"\x7c\x5d"),
    "ipv4 good",
    "tcp bad (unknown), found 0xbb22, expected 0x52e9",
)
case(
    "source address rewritten in a tunnel",
    ETHERNET,
    ETH4 + ip4(4, changed(good4, 12, C4)),
    "ipv4 good",
    "layer 2 ipv4 bad (rewritten), found 0xe496, expected 0x7c5d",
    "layer 2 tcp bad (rewritten), found 0xbb22, expected 0x52e9",
)
case(
    "source address rewritten around a tunnel",
    ETHERNET,
    ETH4 + changed(ip4(4, good4), 12, C4),
    "ipv4 bad (unknown), found 0xe484, expected 0x7c4b",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
because(
    "time to live one less",
    "header-changed",
    changed(good4, 8, b"\x3f"),
    "0xe496",
    "0xe596",
    "ipv4",
)
because(
    "time to live one more than the checksum has",
    "header-changed",
    changed(good4, 8, b"\x41"),
    "0xe496",
    "0xe396",
    "ipv4",
)
because(
    "time to live that was 255",
    "header-changed",
    changed(ip4(6, tcp(pseudo4), checksum=0xE496 - 0xBF00), 8, b"\x40"),
    "0x2596",
    "0xe496",
    "ipv4",
)
because(
    "DSCP set to expedited forwarding",
    "header-changed",
    changed(good4, 1, b"\xb8"),
    "0xe496",
    "0xe3de",
    "ipv4",
)
because(
    "congestion experienced", "header-changed", changed(good4, 1, b"\3"), "0xe496", "0xe493", "ipv4"
)
because(
    "identification set late",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 + 0x1234),
    "0xf6ca",
    "0xe496",
    "ipv4",
)
because(
    "identification in the wrong byte order",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 + 0x1234 - 0x3412),
    "0xc2b8",
    "0xe496",
    "ipv4",
)
because(
    "total length set late",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 + 42),
    "0xe4c0",
    "0xe496",
    "ipv4",
)
because(
    "don't-fragment bit cleared",
    "header-changed",
    ip4(6, tcp(pseudo4), checksum=0xE496 - 0x4000),
    "0xa496",
    "0xe496",
    "ipv4",
)
because(
    "one bit of the identification",
    "one-bit",
    changed(good4, 4, b"\x1a"),
    "0xe496",
    "0xdc96",
    "ipv4",
)
because(
    "one bit of the checksum",
    "one-bit",
    ip4(6, tcp(pseudo4, checksum=0xBB22 ^ 0x1000)),
    "0xab22",
    "0xbb22",
)
because("one byte, the first of its word", "one-byte", changed(good4, 40, b"z"), "0xbb22", "0xa922")
because(
    "one byte, the second of its word", "one-byte", changed(good4, 41, b"b"), "0xbb22", "0xbb29"
)
# The words of the segment and of its pseudo-header add up to 0x344dc, and to 0x2df42 with their
# bytes exchanged. The next one adds up to 0x444dd, and to 0x3e141.
because(
    "three carries left out",
    "no-carry",
    ip4(6, tcp(pseudo4, b"hi\xff\xff", checksum=0xBB23)),
    "0xbb23",
    "0xbb20",
)
because(
    "three carries of a little-endian machine left out",
    "no-carry",
    ip4(6, tcp(pseudo4, b"hi\xff\xff\xff\xff", checksum=0xBE1E)),
    "0xbe1e",
    "0xbb1e",
)
because("anything", "unknown", ip4(6, tcp(pseudo4, checksum=0x1234)), "0x1234", "0xbb22")
# Each of these is one packet of three in a row, which are judged together in other tests.
for nth, last, expected in (
    ("first", b"i", 0xBB22),
    ("second", b"j", 0xBB21),
    ("third", b"k", 0xBB20),
):
    because(
        f"the source port, 1000, left out of the {nth} packet",
        "unknown",
        ip4(6, tcp(pseudo4, b"h" + last, checksum=expected + 1000)),
        f"{expected + 1000:#06x}",
        f"{expected:#06x}",
    )
    because(
        f"a carry of a little-endian machine lost in the {nth} packet",
        "one-bit",
        ip4(6, tcp(pseudo4, b"h" + last, checksum=expected + 0x0100)),
        f"{expected + 0x0100:#06x}",
        f"{expected:#06x}",
    )


# The CRC32c of the SCTP packet is 0x4c0b6e01, with its lowest byte first. zlib computes Adler-32.
def because_of_crc(about, cause, packet, found, expected="0x4c0b6e01"):
    case(
        about,
        ETHERNET,
        ETH4 + ip4(132, packet),
        "ipv4 good",
        f"sctp bad ({cause}), found {found}, expected {expected}",
    )


because_of_crc("SCTP zeroed", "zeroed", changed(sctp(), 8, bytes(4)), "0x00000000")
because_of_crc(
    "SCTP not complemented",
    "not-complemented",
    changed(sctp(), 8, bytes.fromhex("b3f491fe")),
    "0xb3f491fe",
)
because_of_crc(
    "SCTP byte-swapped", "byte-swapped", changed(sctp(), 8, bytes.fromhex("016e0b4c")), "0x016e0b4c"
)
because_of_crc(
    "SCTP with Adler-32",
    "adler-32",
    changed(sctp(), 8, pack(">I", adler32(changed(sctp(), 8, bytes(4))))),
    "0x1c2f01c6",
)
because_of_crc(
    "SCTP with one bit flipped", "one-bit", changed(sctp(), 17, b"\x42"), "0x4c0b6e01", "0x958b0bc6"
)
because_of_crc(
    "SCTP with one byte changed",
    "one-byte",
    changed(sctp(), 17, b"\x55"),
    "0x4c0b6e01",
    "0x769259c2",
)
because_of_crc(
    "SCTP with one bit of the CRC flipped", "one-bit", changed(sctp(), 11, b"\0"), "0x4c0b6e00"
)
because_of_crc(
    "SCTP with two bytes changed",
    "unknown",
    changed(changed(sctp(), 17, b"\x55"), 4, b"\x99"),
    "0x4c0b6e01",
    "0xa9f88dfa",
)
case(
    "IGMP with 0xffff for 0x0000, which receivers accept",
    ETHERNET,
    ETH4
    + ip4(
        2,
        changed(
            padding_that_makes(0, 2, lambda data: stored("igmp", b"\x22\0\0\0" + data, 2)),
            2,
            b"\xff\xff",
        ),
    ),
    "ipv4 good",
    "igmp good",
    single=False,
)
case(
    "UDP over IPv6 with 0x0000 for the 0xffff that is due",
    ETHERNET,
    ETH6
    + ip6(17, changed(padding_that_makes(0xFFFF, 6, lambda data: udp(pseudo6, data)), 6, b"\0\0")),
    "udp illegal (udp-zero), found 0x0000, expected 0xffff",
)

# ------------------------------------------------------------------------------------ authenticated
# A digest or a signature covers the checksum of these, so that a repair would spoil it.
case(
    "IPv4 authentication header around a tunnel",
    ETHERNET,
    ETH4 + ip4(51, b"\4\4" + bytes(22) + good4),
    "ipv4 good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
)
case(
    "EIGRP with authentication (RFC 7868 section 6.7.2)",
    ETHERNET,
    ETH4
    + ip4(
        88,
        stored(
            "eigrp",
            bytes.fromhex("0205 0000 00000000 00000000 00000000 00000064")
            + bytes.fromhex("0002 0028 0002 0010 00000001 00000000 0000000000000000")
            + bytes(range(16))
            + bytes.fromhex("0001000c010001000000000f"),
            2,
        ),
    ),
    "ipv4 good",
    "eigrp good",
)
case(
    "ICMPv6 neighbor advertisement with an RSA signature (RFC 3971 section 5.2)",
    ETHERNET,
    ETH6
    + ip6(
        58,
        stored(
            "icmpv6",
            bytes([136, 0, 0, 0, 0x60, 0, 0, 0])
            + B6
            + bytes([2, 1, 2, 0, 0, 0, 0, 1])
            + bytes([12, 4, 0, 0])
            + bytes(range(28)),
            2,
            None,
            pseudo6,
            58,
            64,
        ),
    ),
    "icmpv6 good",
)
udp_tunnel(
    "AYIYA, signed with a shared secret",
    5072,
    "4152 11 29 00000000" + "00" * 16 + "11" * 20,
    good6,
    "tcp good",
    zero6=False,
)
# The digests of these take the checksum as 0, so that a repair does not change them.
case(
    "TCP with an authentication option (RFC 5925 section 5.1)",
    ETHERNET,
    ETH4
    + ip4(
        6,
        stored(
            "tcp",
            pack(">HHIIBBHHH", 1000, 80, 1, 2, 0x90, 0x18, 1024, 0, 0)
            + bytes([29, 16, 1, 1])
            + bytes(range(12)),
            16,
            None,
            pseudo4,
            6,
            36,
        ),
    ),
    "ipv4 good",
    "tcp good",
)
case(
    "TCP with an MD5 signature (RFC 2385 section 2.0)",
    ETHERNET,
    ETH4
    + ip4(
        6,
        stored(
            "tcp",
            pack(">HHIIBBHHH", 1000, 179, 1, 2, 0xA0, 0x18, 1024, 0, 0)
            + bytes([1, 1, 19, 18])
            + bytes(range(16)),
            16,
            None,
            pseudo4,
            6,
            40,
        ),
    ),
    "ipv4 good",
    "tcp good",
)
case(
    "RSVP with an INTEGRITY object (RFC 2747 section 3)",
    ETHERNET,
    ETH4
    + ip4(
        46,
        stored(
            "rsvp",
            bytes.fromhex("1001 0000 ff 00 002c 0024 0401 00 00 000000000001")
            + bytes.fromhex("0000000000000007")
            + bytes(range(16)),
            2,
        ),
    ),
    "ipv4 good",
    "rsvp good",
)
case(
    "HIP with a keyed hash (RFC 7401 section 5.2.12)",
    ETHERNET,
    ETH4
    + ip4(
        139,
        stored(
            "hip",
            bytes([59, 7, 3, 0x21, 0, 0, 0, 0])
            + bytes(range(32))
            + bytes.fromhex("f041 0014")
            + bytes(range(20)),
            4,
            None,
            pseudo4,
            139,
            64,
        ),
    ),
    "ipv4 good",
    "hip good",
)
case(
    "a binding update with authorization data (RFC 6275 section 6.2.7)",
    ETHERNET,
    ETH6
    + ip6(
        60,
        at_home(135)
        + stored(
            "mobility",
            bytes([59, 3, 5, 0, 0, 0])
            + bytes.fromhex("0001 8000 003c 0101 00 00 050c")
            + bytes(range(12))
            + bytes(2),
            4,
            None,
            from_home,
            135,
            32,
        ),
    ),
    "mobility good",
)

# ------------------------------------------------------------------------------------ reserved bits
# A receiver ignores them: RFC 7348 section 5, draft-ietf-nvo3-vxlan-gpe section 3, RFC 8926 section
# 3.4, RFC 2784 section 2.3, 3GPP TS 29.281 section 5.1, RFC 2661 section 3.1, RFC 9300 section 5.3,
# RFC 8300 section 2.2, RFC 6325 section 3.3, RFC 4302 section 2.3, RFC 8200 section 4.5.
inner_bad = "ipv4 good", "tcp bad (offload), found 0x8420, expected 0xbb22"
offloaded4 = ip4(6, tcp(pseudo4, checksum=OFFLOAD))
udp_tunnel("VXLAN, all reserved bits set", 4789, "ffffffff 000007ff", ETH4 + good4, *inner4)
udp_tunnel(
    "VXLAN, all reserved bits set, a bad checksum within",
    4789,
    "ffffffff 000007ff",
    ETH4 + offloaded4,
    *inner_bad,
)
udp_tunnel("VXLAN with a group policy", 4789, "88000064 00000700", ETH4 + good4, *inner4)
udp_tunnel("VXLAN-GPE, all reserved bits set", 4790, "cc ffff 01 000007ff", good4, *inner4)
udp_tunnel("Geneve, all reserved bits set", 6081, "003f 0800 000007ff", good4, *inner4)
udp_tunnel("GTP-U, the spare bit set", 2152, f"38 ff {len(good4):04x} 00000007", good4, *inner4)
udp_tunnel("L2TP, all reserved bits set", 1701, "34f2 0001 0002", ppp4, *inner4, zero6=False)
udp_tunnel("LISP, the reserved bit set", 4341, "84000001 00000000", good4, *inner4)
udp_tunnel("GRE over UDP, bits 6 to 12 set", 4754, "03f8 0800", good4, *inner4)
case(
    "GRE with all reserved bits set, and Reserved1",
    ETHERNET,
    ETH4
    + ip4(
        47,
        stored("gre", bytes.fromhex("83f8 0800 0000 ffff") + good4, 4),
    ),
    "ipv4 good",
    "gre good",
    "layer 2 ipv4 good",
    "layer 2 tcp good",
    single=False,
)
case(
    "NSH, all unassigned bits set",
    ETHERNET,
    MAC + bytes.fromhex("894f 1fc2 f101 00000102") + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "TRILL, the reserved bits set",
    ETHERNET,
    MAC + bytes.fromhex("22f3 3040 0001 0002 00000000") + ETH4 + good4,
    "ipv4 good",
    "tcp good",
)
case(
    "the reserved bit of IPv4, and the reserved bits of an authentication header",
    ETHERNET,
    ETH4 + ip4(51, b"\6\4\xff\xff" + bytes(20) + tcp(pseudo4), fragment=0x8000),
    "ipv4 good",
    "tcp good",
)
case(
    "the reserved bits of an IPv6 Fragment header",
    ETHERNET,
    ETH6 + ip6(44, bytes([6, 0xFF, 0, 6]) + bytes(4) + tcp(pseudo6)),
    "tcp good",
)
# Versions are no reserved bits: a receiver discards what it does not know.
case(
    "GRE of version 2",
    ETHERNET,
    ETH4 + ip4(47, gre(0x0800, good4, 2)),
    "ipv4 good",
    "obstacle: GRE",
)
case(
    "TRILL of version 1",
    ETHERNET,
    MAC + bytes.fromhex("22f3 4040 0001 0002 00000000") + ETH4 + good4,
    "obstacle: TRILL",
)
case(
    "NSH of version 1",
    ETHERNET,
    MAC + bytes.fromhex("894f 4fc2 0101 00000102") + good4,
    "obstacle: NSH",
)

# -------------------------------------------------------------------------------------- not entered
# What stops the walk is counted. ARP and its like have no Internet checksum, and stop nothing.
case(
    "an EtherType that no standard names",
    ETHERNET,
    MAC + b"\x88\xb5data",
    "obstacle: EtherType 0x88b5",
)
case("ARP: nothing to verify", ETHERNET, MAC + b"\x08\x06" + bytes(28))
case("LLDP: nothing to verify", ETHERNET, MAC + b"\x88\xcc" + bytes(28))
case(
    "ESP over IPv4 (RFC 4303)",
    ETHERNET,
    ETH4 + ip4(50, pack(">II", 0x1000, 1) + bytes(32)),
    "ipv4 good",
    "obstacle: encrypted ESP",
)
case(
    "ESP over IPv6",
    ETHERNET,
    ETH6 + ip6(50, pack(">II", 0x1000, 1) + bytes(32)),
    "obstacle: encrypted ESP",
)
case(
    "ESP over UDP (RFC 3948)",
    ETHERNET,
    tunnel4(4500, pack(">II", 0x1000, 1), bytes(32)),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: encrypted ESP",
)
case(
    "a key exchange at the port of ESP: nothing to verify after UDP",
    ETHERNET,
    tunnel4(4500, bytes(4), bytes(32)),
    "ipv4 good",
    "udp absent, found 0x0000",
)
case(
    "an IP protocol that the walk does not know",
    ETHERNET,
    ETH4 + ip4(253, b"data"),
    "ipv4 good",
    "obstacle: IP protocol 253",
)
case(
    "an IPv6 next header that the walk does not know",
    ETHERNET,
    ETH6 + ip6(253, b"data"),
    "obstacle: IP protocol 253",
)
case("IPv6 without a next header: nothing to verify", ETHERNET, ETH6 + ip6(59, b"data"))
case(
    "encrypted PPP (RFC 1968)",
    9,
    bytes.fromhex("ff03 0053") + bytes(32),
    "obstacle: encrypted PPP",
)
case(
    "compressed PPP (RFC 1962)",
    9,
    bytes.fromhex("ff03 00fd") + bytes(32),
    "obstacle: PPP protocol 0x00fd",
)
case("PPP link control: nothing to verify", 9, bytes.fromhex("ff03 c021 0109 0008 05061234"))
case(
    "a service access point that the walk does not know (NetBIOS)",
    ETHERNET,
    MAC + bytes.fromhex("0008 f0f0 03") + bytes(5),
    "obstacle: LLC 0xf0",
)
case("spanning tree: nothing to verify", ETHERNET, MAC + bytes.fromhex("0026 4242 03") + bytes(35))
case(
    "LISP whose data are encrypted (RFC 8061)",
    ETHERNET,
    tunnel4(4341, bytes.fromhex("01000000 00000000"), bytes(40)),
    "ipv4 good",
    "udp absent, found 0x0000",
    "obstacle: encrypted LISP",
)
case(
    "NSH with a next protocol that the walk does not know",
    ETHERNET,
    MAC + bytes.fromhex("894f 0fc2 01fe 00000101") + bytes(24),
    "obstacle: NSH",
)

# ------------------------------------------------------------------------------------------ snapped
case(
    "snapped after the bytes that the checksum of DCCP covers",
    ETHERNET,
    (ETH4 + ip4(33, dccp(pseudo4, 1)))[:52],
    "ipv4 good",
    "dccp good",
    wire=72,
)
case(
    "snapped after the TCP checksum",
    ETHERNET,
    whole[:54],
    "ipv4 good",
    "tcp unverified (snapped)",
    wire=len(whole),
)
case(
    "snapped before the TCP checksum",
    ETHERNET,
    whole[:50],
    "ipv4 good",
    "tcp unverified (snapped)",
    wire=len(whole),
)
case(
    "snapped before the TCP header",
    ETHERNET,
    whole[:34],
    "ipv4 good",
    "tcp unverified (snapped)",
    wire=len(whole),
)
case(
    "snapped within the IPv4 options",
    ETHERNET,
    (ETH4 + ip4(6, tcp(pseudo4), options=b"\1\1\1\0"))[:36],
    "ipv4 unverified (snapped)",
    "tcp unverified (snapped)",
    wire=60,
)
case("snapped within the IPv4 header", ETHERNET, whole[:30], "obstacle: snapped", wire=len(whole))
case(
    "snapped within the Ethernet header", ETHERNET, whole[:13], "obstacle: snapped", wire=len(whole)
)
case(
    "snapped UDP that has no checksum",
    ETHERNET,
    (ETH4 + ip4(17, udp(pseudo4, checksum=0)))[:44],
    "ipv4 good",
    "udp absent, found 0x0000",
    wire=47,
)
case(
    "short on the wire: Ethernet",
    ETHERNET,
    whole[:13],
    "malformed: Ethernet frame shorter than its header",
)
case(
    "short on the wire: IPv4",
    ETHERNET,
    whole[:30],
    "malformed: IPv4 packet shorter than its header",
)
