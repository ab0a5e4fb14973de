# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whole packets of IPv4 and IPv6, right and wrong."""

from groups.inputs import PERIOD_251, random_bytes, recipe, repeat
from groups.segments import ADDRESSES, FIELD_OFFSET, RECORDED, TCP_HEADER, recorded
from reference import checksum, fold, pseudo_ipv4, pseudo_ipv6, udp_field


def segment_of(protocol, source, destination, data, covers=None, length=None):
    """The bytes of a payload with the right field in it, and what the pseudo-header needs."""
    at = FIELD_OFFSET[protocol]
    zeroed = data[:at] + bytes(2) + data[at + 2 :]
    pseudo = b""
    if protocol not in (1, 2):
        build = pseudo_ipv4 if len(source) == 4 else pseudo_ipv6
        pseudo = build(source, destination, protocol, len(data) if length is None else length)
    computed = checksum(pseudo + zeroed[: len(data) if covers is None else covers])
    field = udp_field(computed) if protocol in (17, 136) else computed
    return data[:at] + field.to_bytes(2, "big") + data[at + 2 :]


def ipv4_packet(protocol, payload, options=b"", total=None, flags=0x4000, first=None):
    """An IPv4 packet with the right header checksum between ADDRESSES[4]."""
    size = 20 + len(options)
    header = bytes([0x40 + size // 4 if first is None else first, 0])
    header += (size + len(payload) if total is None else total).to_bytes(2, "big")
    header += b"\x12\x34" + flags.to_bytes(2, "big") + bytes([64, protocol, 0, 0])
    header += b"".join(ADDRESSES[4]) + options
    header = header[:10] + checksum(header).to_bytes(2, "big") + header[12:]
    return header + payload


def ipv6_packet(next_header, payload, length=None):
    header = bytes.fromhex("600a1b2c") + (len(payload) if length is None else length).to_bytes(
        2, "big"
    )
    return header + bytes([next_header, 64]) + b"".join(ADDRESSES[6]) + payload


def vector(name, catches, packet, result, fill, filled=b"", end=0):
    return {
        "name": name,
        "catches": catches,
        "packet": packet if isinstance(packet, list) else recipe(packet),
        "result": result,
        "fill": fill,
        "filled": filled if isinstance(filled, list) else recipe(filled),
        "end": end,
    }


def refused(name, catches, packet, result, fill=None):
    return vector(name, catches, packet, result, fill or result)


def good(name, catches, packet, field, end=None):
    """A right packet, and the same with each of its fields wrong; `field`: the payload's."""
    yield vector(name, catches, packet, "good", "good", packet, len(packet) if end is None else end)
    places = [("bad", field)] + ([("bad_header", 10)] if packet[0] >> 4 == 4 else [])
    for result, at in places:
        yield vector(
            f"{name}-{result.replace('_', '-')}",
            "A verifier that accepts anything, or a fill that leaves a field as it is.",
            packet[:at] + bytes([packet[at] ^ 0x40]) + packet[at + 1 :],
            result,
            "good",
            packet,
        )


A4, B4 = ADDRESSES[4]
A6, B6 = ADDRESSES[6]
TEXT = random_bytes("packet", 37)
OTHER4, OTHER6 = bytes([203, 0, 113, 9]), bytes.fromhex("fd00" + "5a" * 14)
HEADERS = {
    1: bytes.fromhex("0800000000010001"),
    2: bytes.fromhex("1600000000000000"),
    6: bytes.fromhex(TCP_HEADER),
    17: bytes.fromhex("d4310035002d0000"),
    58: bytes.fromhex("8000000000010001"),
    136: bytes.fromhex("d431003500000000"),
}
NAMES = {1: "icmp", 2: "igmp", 6: "tcp", 17: "udp", 58: "icmpv6", 136: "udplite"}


def segment4(protocol, source=A4, destination=B4):
    return segment_of(protocol, source, destination, HEADERS[protocol] + TEXT)


def segment6(protocol, source=A6, destination=B6):
    return segment_of(protocol, source, destination, HEADERS[protocol] + TEXT)


def plain():
    """Packets of each protocol, and packets as Linux sent them."""
    for protocol in (1, 2, 6, 17, 136):
        yield from good(
            f"ipv4-{NAMES[protocol]}",
            "Everything: a plain packet with an odd payload.",
            ipv4_packet(protocol, segment4(protocol)),
            20 + FIELD_OFFSET[protocol],
        )
    for protocol in (6, 17, 58, 136):
        yield from good(
            f"ipv6-{NAMES[protocol]}",
            "Everything: a plain packet with an odd payload.",
            ipv6_packet(protocol, segment6(protocol)),
            40 + FIELD_OFFSET[protocol],
        )
    for name in ("icmp-reply", "udp", "tcp-data", "tcp-data-ipv6", "udp-ipv6", "icmpv6-mld"):
        packet = bytes.fromhex(RECORDED[name])
        protocol, _, _, segment = recorded(name)
        at = len(packet) - len(segment) + FIELD_OFFSET[protocol]
        yield from good(f"linux-{name}", "Everything: a packet as Linux sent it.", packet, at)


def padded(family, packet, addresses):
    """Bytes behind the packet, and TCP whose checksum is zero."""
    segment = segment_of(6, *addresses, HEADERS[6] + TEXT)
    whole = packet(6, segment)
    yield from good(
        f"{family}-padding",
        "The padding of Ethernet behind the packet taken for its payload.",
        whole + b"\xa5\x5a\x01",
        len(whole) - len(segment) + 16,
        end=len(whole),
    )
    change = fold(int.from_bytes(segment[:2], "big") + int.from_bytes(segment[16:18], "big"))
    zero = segment_of(6, *addresses, change.to_bytes(2, "big") + segment[2:])
    assert zero[16:18] == bytes(2)
    yield from good(
        f"{family}-tcp-zero",
        "A computed 0x0000 sent as 0xFFFF, which is UDP's rule alone.",
        packet(6, zero),
        len(packet(6, b"")) + 16,
    )


def udp_lengths(family, packet, addresses):
    """UDP: the rule of zero, and lengths."""
    udp = segment_of(17, *addresses, HEADERS[17] + TEXT)
    change = fold(int.from_bytes(udp[:2], "big") + int.from_bytes(udp[6:8], "big"))
    zero = segment_of(17, *addresses, change.to_bytes(2, "big") + udp[2:])
    assert zero[6:8] == b"\xff\xff"
    yield from good(
        f"{family}-udp-zero",
        "A computed 0x0000 sent as it is: UDP sends 0xFFFF.",
        packet(17, zero),
        len(packet(17, b"")) + 6,
    )
    yield vector(
        f"{family}-udp-zero-field",
        "A received 0x0000: over IPv4 it says that nothing was computed, over IPv6 it is illegal.",
        packet(17, zero[:6] + bytes(2) + zero[8:]),
        "absent" if family == "ipv4" else "illegal",
        "good",
        packet(17, zero),
    )
    size = len(HEADERS[17]) + len(TEXT)
    shorter = HEADERS[17][:4] + (size - 6).to_bytes(2, "big") + bytes(2) + TEXT
    shorter = segment_of(17, *addresses, shorter, covers=size - 6, length=size - 6)
    yield from good(
        f"{family}-udp-shorter",
        "The length of the IP packet in place of the UDP length: bytes follow the datagram.",
        packet(17, shorter),
        len(packet(17, b"")) + 6,
    )
    for length in (0, 7, size + 1, 0xFFFF):
        yield refused(
            f"{family}-udp-length-{length}",
            "A UDP length below its header or beyond the packet that is believed.",
            packet(17, udp[:4] + length.to_bytes(2, "big") + udp[6:]),
            "malformed",
        )


def shortest(family, packet, addresses):
    """Payloads that end in their header, or with it."""
    segment = segment_of(6, *addresses, HEADERS[6] + TEXT)
    leasts = {6: 20, 17: 8, 136: 8} | ({1: 4, 2: 8} if family == "ipv4" else {58: 4})
    for protocol, least in leasts.items():
        for length in (0, least - 1):
            yield refused(
                f"{family}-{NAMES[protocol]}-of-{length}",
                "A payload shorter than its header whose field lies beyond the packet.",
                packet(protocol, segment[:length]) + bytes(30),
                "malformed",
            )
        header = HEADERS[protocol][:least]
        if protocol == 17:
            header = header[:4] + (8).to_bytes(2, "big") + header[6:]
        yield from good(
            f"{family}-{NAMES[protocol]}-of-{least}",
            "A header with no data behind it refused.",
            packet(protocol, segment_of(protocol, *addresses, header)),
            len(packet(protocol, b"")) + FIELD_OFFSET[protocol],
        )


def coverages(family, packet, addresses):
    """UDP-Lite: the coverage. Protocols without this checksum."""
    size = len(HEADERS[17]) + len(TEXT)
    for coverage in (8, 9, 20, size):
        lite = HEADERS[136][:4] + coverage.to_bytes(2, "big") + bytes(2) + TEXT
        yield from good(
            f"{family}-udplite-{coverage}",
            "The coverage ignored, or put into the pseudo-header in place of the length.",
            packet(136, segment_of(136, *addresses, lite, covers=coverage)),
            len(packet(136, b"")) + 6,
        )
    for coverage in (1, 7, size + 1, 0xFFFF):
        lite = segment_of(
            136, *addresses, HEADERS[136][:4] + coverage.to_bytes(2, "big") + bytes(2) + TEXT
        )
        yield refused(
            f"{family}-udplite-{coverage}",
            "An illegal coverage that is summed, or taken for all.",
            packet(136, lite),
            "illegal",
            "malformed",
        )
    lite = segment_of(136, *addresses, HEADERS[136] + TEXT)
    yield vector(
        f"{family}-udplite-zero-field",
        "UDP-Lite has no datagram without a checksum: 0x0000 is never sent.",
        packet(136, lite[:6] + bytes(2) + lite[8:]),
        "illegal",
        "good",
        packet(136, lite),
    )
    for number in (50, 132, 4, 41, 255):
        yield refused(
            f"{family}-protocol-{number}",
            "A protocol without this checksum that is summed all the same.",
            packet(number, TEXT),
            "unknown",
        )


def authenticated(family, packet, addresses):
    """The authentication header (RFC 4302)."""
    segment = segment_of(6, *addresses, HEADERS[6] + TEXT)
    authentication = bytes([6, 4]) + random_bytes("authentication", 22)
    yield from good(
        f"{family}-authentication",
        "The authentication header not passed, or passed by the wrong unit of length.",
        packet(51, authentication + segment),
        len(packet(51, authentication)) + 16,
    )
    yield refused(
        f"{family}-authentication-too-long",
        "A length of the authentication header that leads out of the packet.",
        packet(51, bytes([6, 255]) + authentication[2:] + segment),
        "malformed",
    )
    yield refused(
        f"{family}-authentication-alone",
        "An authentication header that ends where the packet does refused.",
        packet(51, bytes([132]) + authentication[1:]),
        "unknown",
    )
    yield refused(
        f"{family}-authentication-cut",
        "An authentication header that the packet ends in.",
        packet(51, authentication[:7]),
        "malformed",
    )


def big(family, packet, addresses):
    """BIG TCP: the length is too large for its field, which holds 0."""
    segment = segment_of(6, *addresses, HEADERS[6] + TEXT)
    big = segment_of(6, *addresses, HEADERS[6] + (PERIOD_251 * 280)[:70001])
    zeroed = packet(6, b"", **({"total": 0} if family == "ipv4" else {}))
    field = big[16:18]
    parts = recipe(zeroed + big[:20], repeat(PERIOD_251.hex(), 70001))
    swapped_field = recipe(
        zeroed + big[:16] + field[::-1] + big[18:20], repeat(PERIOD_251.hex(), 70001)
    )
    assert field[0] != field[1]
    yield vector(
        f"{family}-big-tcp",
        "A packet before segmentation refused, or its length cut to 16 bits.",
        parts,
        "good",
        "good",
        parts,
    )
    yield vector(
        f"{family}-big-tcp-bad",
        "A packet before segmentation that is not summed.",
        swapped_field,
        "bad",
        "good",
        parts,
    )
    # The least that the field could not hold, and one byte less.
    for size, result in ((0x10000, "good"), (0xFFFF, "malformed")):
        size -= 20 if family == "ipv4" else 0
        data = HEADERS[6] + (PERIOD_251 * 280)[: size - 20]
        parts = recipe(
            zeroed + segment_of(6, *addresses, data)[:20],
            repeat(PERIOD_251.hex(), size - 20),
        )
        filled = parts if result == "good" else b""
        yield vector(
            f"{family}-big-tcp-of-{size}",
            "A length of 0 for a packet that its field could describe, or that is refused.",
            parts,
            result,
            result,
            filled,
        )
    yield refused(
        f"{family}-length-0",
        "A length of 0 that means the whole buffer, for a packet that its field could describe.",
        zeroed + segment,
        "malformed",
    )


def in_ipv4():
    """IPv4 alone: headers and fragments."""
    tcp4 = ipv4_packet(6, segment4(6))
    for length in (0, 1, 19):
        yield refused(
            f"ipv4-{length}-bytes", "A header read that is not there.", tcp4[:length], "short"
        )
    yield refused("ipv4-cut", "A packet that was cut summed as far as it goes.", tcp4[:-1], "short")
    yield refused(
        "ipv4-cut-options",
        "Options read beyond the data.",
        ipv4_packet(6, segment4(6), b"\x01" * 12)[:31],
        "short",
    )
    for first in (0x05, 0x55, 0x75, 0xF5):
        yield refused(
            f"version-{first >> 4}",
            "A version that is not looked at.",
            bytes([first]) + tcp4[1:],
            "malformed",
        )
    yield refused(
        "ipv4-ihl-4",
        "A header length below 20.",
        ipv4_packet(6, segment4(6), first=0x44),
        "malformed",
    )
    yield refused(
        "ipv4-ihl-4-cut",
        "A header length that is judged before the header is there.",
        ipv4_packet(6, segment4(6), first=0x44)[:19],
        "short",
    )
    yield refused(
        "ipv4-header-alone",
        "A header with nothing behind it refused, or read beyond.",
        ipv4_packet(132, b""),
        "unknown",
    )
    yield refused(
        "ipv4-total-19",
        "A total length below the header's.",
        ipv4_packet(6, segment4(6), total=19),
        "malformed",
    )
    flags_of = {"first": 0x2000, "second": 0x0001, "last": 0x0003, "middle": 0x3FFF}
    for name, flags in flags_of.items():
        yield refused(
            f"ipv4-fragment-{name}",
            "A fragment that is verified, or filled, as if it were a whole packet.",
            ipv4_packet(6, segment4(6), flags=flags),
            "fragment",
        )
    yield from good(
        "ipv4-reserved-flag",
        "The reserved flag taken for a fragment's.",
        ipv4_packet(6, segment4(6), flags=0x8000),
        36,
    )


def source_routes():
    """IPv4 alone: a source route ends at another destination."""
    for kind in (131, 137):
        route = bytes([1, kind, 11, 4]) + bytes([10, 0, 0, 1]) + OTHER4
        yield from good(
            f"ipv4-source-route-{kind}",
            "The next hop in the pseudo-header, where the final destination belongs.",
            ipv4_packet(6, segment4(6, destination=OTHER4), route),
            20 + len(route) + 16,
        )
        behind = b"\x94\x04\0\0" + route
        yield from good(
            f"ipv4-source-route-{kind}-behind",
            "A source route overlooked behind another option.",
            ipv4_packet(6, segment4(6, destination=OTHER4), behind),
            20 + len(behind) + 16,
        )
        last_hop = route[:3] + b"\x08" + route[4:]
        yield from good(
            f"ipv4-source-route-{kind}-last-hop",
            "A source route that is taken for finished with one address left.",
            ipv4_packet(6, segment4(6, destination=OTHER4), last_hop),
            20 + len(last_hop) + 16,
        )
        empty = bytes([kind, 3, 4, 0])
        yield from good(
            f"ipv4-source-route-{kind}-empty",
            "A source route without addresses refused: its pointer says that it is finished.",
            ipv4_packet(6, segment4(6), empty),
            20 + len(empty) + 16,
        )
        finished = bytes([kind, 11, 12]) + route[4:] + b"\0"
        yield from good(
            f"ipv4-source-route-{kind}-finished",
            "A source route that has come to its end still followed.",
            ipv4_packet(6, segment4(6), finished),
            20 + len(finished) + 16,
        )


def options():
    """IPv4 alone: options."""
    yield from good(
        "ipv4-options",
        "The payload sought 20 bytes into the packet: options come between.",
        ipv4_packet(17, segment4(17), b"\x07\x07\x04\0\0\0\0\x94\x04\0\0\x00\xff\xff\xff\xff"),
        20 + 16 + 6,
    )
    yield from good(
        "ipv4-option-of-2",
        "An option that has no data and ends where the header does refused.",
        ipv4_packet(6, segment4(6), b"\x01\x01\x1e\x02"),
        20 + 4 + 16,
    )
    for name, options in (
        ("length-0", b"\x07\x00\x01\x01"),
        ("length-1", b"\x83\x01\x01\x01"),
        ("length-1-plain", b"\x07\x01\x01\x01"),
        ("overrun", b"\x01\x07\x08\x04"),
        ("overrun-by-1", b"\x01\x01\x07\x03"),
        ("no-length", b"\x01\x01\x01\x83"),
        ("route-of-6", b"\x83\x06\x04\x0a\0\0\x01\x01"),
        ("route-pointer", b"\x83\x07\x03\x0a\0\0\x01\x01"),
        ("route-empty", b"\x83\x02\x01\x01"),
    ):
        yield refused(
            f"ipv4-options-{name}",
            "An option whose length is believed: an endless walk, or a read beyond the header.",
            ipv4_packet(6, segment4(6), options),
            "malformed",
        )
    for name, options in (
        ("no-length", b"\x01\x01\x01\x83"),
        ("route-of-2", b"\x01\x01\x83\x02"),
    ):
        yield refused(
            f"ipv4-options-{name}-alone",
            "The length or the pointer of an option read behind the last byte of the packet.",
            ipv4_packet(6, b"", options),
            "malformed",
        )


def headers4():
    """IPv4 alone: a header checksum of 0xFFFF, and ICMPv6."""
    tcp4 = ipv4_packet(6, segment4(6))
    yield refused(
        "ipv4-icmpv6", "ICMPv6 over IPv4, which nobody sends.", ipv4_packet(58, TEXT), "unknown"
    )
    change = fold(0x1234 + int.from_bytes(tcp4[10:12], "big"))
    zero = tcp4[:4] + change.to_bytes(2, "big") + tcp4[6:10] + bytes(2) + tcp4[12:]
    assert checksum(zero[:20]) == 0
    yield vector(
        "ipv4-zero-as-ffff",
        "A header checksum compared with a new one: 0xFFFF for 0x0000 is right too.",
        zero[:10] + b"\xff\xff" + zero[12:],
        "good",
        "good",
        zero,
        len(zero),
    )


def in_ipv6():
    """IPv6 alone: headers."""
    tcp6 = ipv6_packet(6, segment6(6))
    for length in (1, 39, len(tcp6) - 1):
        yield refused(
            f"ipv6-{length}-bytes", "Bytes read that are not there.", tcp6[:length], "short"
        )
    for protocol in (1, 2):
        yield refused(
            f"ipv6-{NAMES[protocol]}",
            "A protocol of IPv4 over IPv6, which nobody sends.",
            ipv6_packet(protocol, TEXT),
            "unknown",
        )
    yield refused(
        "ipv6-no-next-header", "Bytes behind no next header.", ipv6_packet(59, TEXT), "unknown"
    )
    yield refused(
        "ipv6-header-alone",
        "A header with nothing behind it refused, or read beyond.",
        ipv6_packet(59, b""),
        "unknown",
    )


def extended(name, catches, *chain, source=A6, destination=B6, protocol=6):
    """A right packet with extension headers: (type, bytes without the next header)."""
    segment = segment6(protocol, source, destination)
    types = [kind for kind, _ in chain] + [protocol]
    rest = b"".join(bytes([types[i + 1]]) + body for i, (_, body) in enumerate(chain))
    yield from good(
        name,
        catches,
        ipv6_packet(types[0], rest + segment),
        40 + len(rest) + FIELD_OFFSET[protocol],
    )


def wrong(name, catches, result, *chain):
    types = [kind for kind, _ in chain] + [6]
    rest = b"".join(bytes([types[i + 1]]) + body for i, (_, body) in enumerate(chain))
    return refused(name, catches, ipv6_packet(types[0], rest + segment6(6)), result)


PAD = bytes([0, 1, 4, 0, 0, 0, 0])
HOME = bytes([2, 1, 2, 0, 0, 0xC9, 16]) + OTHER6  # 24 bytes with the next header
assert len(HOME) == 23


def extensions():
    """IPv6 alone: options, home addresses, fragment headers."""
    yield from extended("ipv6-options", "Extension headers not passed.", (0, PAD), (60, PAD))
    yield from extended(
        "ipv6-pad-one",
        "Padding of one byte, first and last in its header, read as an option with a length.",
        (60, bytes([0, 0, 1, 2, 0, 0, 0])),
    )
    yield from extended(
        "ipv6-option-of-14",
        "The length of the header read as the type of its first option.",
        (60, bytes([1, 0x1E, 12]) + bytes(12)),
    )
    yield from extended(
        "ipv6-option-of-2",
        "An option that has no data and ends where its header does refused.",
        (60, bytes([0, 1, 2, 0, 0, 1, 0])),
    )
    yield refused(
        "ipv6-options-alone",
        "An extension header that ends where the packet does refused.",
        ipv6_packet(60, bytes([59]) + PAD),
        "unknown",
    )
    yield from extended(
        "ipv6-home-address",
        "The care-of address in the pseudo-header, where the home address belongs.",
        (60, HOME),
        source=OTHER6,
    )
    yield from extended(
        "ipv6-home-address-behind",
        "A home address overlooked behind another option.",
        (60, bytes([2, 0x1E, 2, 0, 0, 0xC9, 16]) + OTHER6),
        source=OTHER6,
    )
    yield wrong(
        "ipv6-home-address-twice",
        "Two home addresses, one of which is believed.",
        "malformed",
        (60, HOME),
        (60, HOME),
    )
    yield wrong(
        "ipv6-home-address-short",
        "A home address of 8 bytes read as one of 16.",
        "malformed",
        (60, bytes([1, 1, 2, 0, 0, 0xC9, 8]) + bytes(8)),
    )
    yield wrong(
        "ipv6-option-overrun",
        "An option that leads out of its header.",
        "malformed",
        (60, bytes([0, 5, 5, 0, 0, 0, 0])),
    )
    yield wrong(
        "ipv6-option-cut",
        "An option without a length at the end of its header.",
        "malformed",
        (60, bytes([0, 1, 3, 0, 0, 0, 5])),
    )
    for kind in (0, 43, 60):
        yield wrong(
            f"ipv6-extension-{kind}-too-long",
            "The length of an extension header that leads out of the packet.",
            "malformed",
            (kind, bytes([255]) + bytes(6)),
        )
    yield refused(
        "ipv6-extension-cut",
        "An extension header of which the packet has seven bytes.",
        ipv6_packet(60, bytes([6]) + PAD[:6]),
        "malformed",
    )
    yield wrong(
        "ipv6-hop-by-hop-second",
        "Hop-by-hop options that are not first, which are no extension header there.",
        "unknown",
        (60, PAD),
        (0, PAD),
    )
    yield from extended(
        "ipv6-atomic-fragment",
        "A fragment header without a fragment (RFC 6946) refused.",
        (44, bytes([0, 0, 0, 0, 0, 0, 7])),
    )
    yield from extended(
        "ipv6-atomic-fragment-reserved",
        "Reserved bits of a fragment header taken for a length, an offset or a flag.",
        (44, bytes([255, 0, 6, 0, 0, 0, 7])),
    )
    for name, low in (("first", 1), ("last", 8)):
        yield wrong(
            f"ipv6-fragment-{name}",
            "A fragment that is verified, or filled, as if it were a whole packet.",
            "fragment",
            (44, bytes([0, 0, low, 0, 0, 0, 7])),
        )


def routing():
    """IPv6 alone: routing headers."""
    hops = random_bytes("hops", 16)
    routes = {
        "type-0": (bytes([4, 0, 2, 0, 0, 0, 0]) + hops + OTHER6, OTHER6),
        "type-0-finished": (bytes([4, 0, 0, 0, 0, 0, 0]) + hops + OTHER6, B6),
        "type-2": (bytes([2, 2, 1, 0, 0, 0, 0]) + OTHER6, OTHER6),
        "type-2-finished": (bytes([2, 2, 0, 0, 0, 0, 0]) + OTHER6, B6),
        "type-3-finished": (bytes([2, 3, 0, 0, 0, 0, 0]) + hops, B6),
        "type-4": (bytes([4, 4, 1, 1, 0, 0, 0]) + OTHER6 + hops, OTHER6),
        "type-4-reduced": (bytes([4, 4, 2, 1, 0, 0, 0]) + OTHER6 + hops, OTHER6),
        "type-4-tlv": (bytes([3, 4, 1, 0, 0, 0, 0]) + OTHER6 + bytes([4, 6]) + bytes(6), OTHER6),
        "type-4-finished": (bytes([4, 4, 0, 1, 0, 0, 0]) + OTHER6 + hops, B6),
    }
    for name, (body, destination) in routes.items():
        yield from extended(
            f"ipv6-routing-{name}",
            "The next hop in the pseudo-header, or the final destination where it is the next hop.",
            (43, body),
            destination=destination,
        )
    yield from extended(
        "ipv6-routing-and-home",
        "One of the two addresses that change in the pseudo-header forgotten.",
        (43, routes["type-2"][0]),
        (60, HOME),
        source=OTHER6,
        destination=OTHER6,
        protocol=17,
    )
    for name, body in (
        ("type-0-left", bytes([4, 0, 3, 0, 0, 0, 0]) + hops + OTHER6),
        ("type-0-empty", bytes([0, 0, 1, 0, 0, 0, 0])),
        ("type-0-odd", bytes([3, 0, 1, 0, 0, 0, 0]) + hops + bytes(8)),
        ("type-2-left", bytes([2, 2, 2, 0, 0, 0, 0]) + OTHER6),
        ("type-2-long", bytes([4, 2, 1, 0, 0, 0, 0]) + hops + OTHER6),
        ("type-4-left", bytes([4, 4, 3, 1, 0, 0, 0]) + OTHER6 + hops),
        ("type-4-last", bytes([4, 4, 1, 2, 0, 0, 0]) + OTHER6 + hops),
    ):
        yield wrong(
            f"ipv6-routing-{name}",
            "An address read that the routing header does not have.",
            "malformed",
            (43, body),
        )
    for kind in (3, 253):
        yield wrong(
            f"ipv6-routing-type-{kind}",
            "A destination guessed: nothing here tells the final one.",
            "routed",
            (43, bytes([2, kind, 1, 0, 0, 0, 0]) + hops),
        )


def jumbograms():
    """Jumbograms (RFC 2675)."""
    for protocol in (6, 17):
        data = HEADERS[protocol] + (PERIOD_251 * 280)[:70001]
        data = data if protocol == 6 else data[:4] + bytes(2) + data[6:]
        right = segment_of(protocol, A6, B6, data)
        size = len(HEADERS[protocol])
        jumbo = bytes([protocol, 0, 0xC2, 4]) + (8 + len(right)).to_bytes(4, "big")
        begin = ipv6_packet(0, b"") + jumbo + right[:size]
        parts = recipe(begin, repeat(PERIOD_251.hex(), 70001))
        at = FIELD_OFFSET[protocol] - size
        changed = begin[:at] + bytes([begin[at] ^ 1]) + begin[at + 1 :]
        yield vector(
            f"ipv6-jumbo-{NAMES[protocol]}",
            "A payload length of 0 believed, or the length of the option cut to 16 bits.",
            parts,
            "good",
            "good",
            parts,
            len(begin) + 70001,
        )
        yield vector(
            f"ipv6-jumbo-{NAMES[protocol]}-bad",
            "A jumbogram that is not summed.",
            recipe(changed, repeat(PERIOD_251.hex(), 70001)),
            "bad",
            "good",
            parts,
        )
        yield refused(
            f"ipv6-jumbo-{NAMES[protocol]}-cut",
            "A jumbogram that was cut.",
            recipe(begin, repeat(PERIOD_251.hex(), 70000)),
            "short",
        )

    # A UDP length of 0 says that the datagram is too long for the field. Another one counts.
    for name, size, length, result in (
        ("udp-of-65536", 0x10000, 0, "good"),
        ("udp-of-65535", 0xFFFF, 0, "malformed"),
        ("udp-of-45", 70009, 45, "good"),
        ("tcp-of-65528", 0x10000 - 8, None, "good"),
    ):
        protocol = 6 if length is None else 17
        header = HEADERS[protocol]
        if length is not None:
            header = header[:4] + length.to_bytes(2, "big") + header[6:]
        covers = length or size
        rest = size - len(header)
        data = header + (PERIOD_251 * 280)[:rest]
        right = segment_of(protocol, A6, B6, data, covers=covers, length=covers)
        jumbo = bytes([protocol, 0, 0xC2, 4]) + (8 + size).to_bytes(4, "big")
        begin = ipv6_packet(0, b"") + jumbo + right[: len(header)]
        parts = recipe(begin, repeat(PERIOD_251.hex(), rest))
        yield vector(
            f"ipv6-jumbo-{name}",
            "The UDP length of a jumbogram ignored, or a length of 0 where the field could hold it.",
            parts,
            result,
            result,
            *((parts, len(begin) + rest) if result == "good" else ()),
        )
    yield refused(
        "ipv6-jumbo-cut-options",
        "A jumbogram that was cut in its option taken for one without the option.",
        ipv6_packet(0, bytes([6, 0, 0xC2, 4, 0, 1, 0]), length=0),
        "short",
    )
    for name, option in (
        ("small", bytes([0xC2, 4, 0, 0, 0xFF, 0xFF])),
        ("absent", bytes([1, 4, 0, 0, 0, 0])),
        ("of-2", bytes([0xC2, 2, 0xFF, 0xFF, 0, 0])),
    ):
        yield refused(
            f"ipv6-jumbo-{name}",
            "A payload length of 0 without a jumbo option that has 65,536 at least.",
            ipv6_packet(0, bytes([6, 0]) + option + segment6(6), length=0),
            "malformed",
        )


def packets():
    yield from plain()
    for family, packet in (("ipv4", ipv4_packet), ("ipv6", ipv6_packet)):
        addresses = ADDRESSES[4 if family == "ipv4" else 6]
        for part in (padded, udp_lengths, shortest, coverages, authenticated, big):
            yield from part(family, packet, addresses)
    for part in (in_ipv4, source_routes, options, headers4):
        yield from part()
    for part in (in_ipv6, extensions, routing, jumbograms):
        yield from part()
