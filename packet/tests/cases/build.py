# SPDX-License-Identifier: MIT OR Apache-2.0
"""What frames are made of: checksums that are right, an offload's or wrong, and each protocol."""

from ipaddress import ip_address
from struct import pack

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
