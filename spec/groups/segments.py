# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pseudo-headers, IPv4 headers, and the segments of each protocol."""

from groups.inputs import PERIOD_251, expand, length_of, random_bytes, recipe, repeat, word
from groups.updates import WIKI_HEADER
from reference import checksum, fold, pseudo_ipv4, pseudo_ipv6, subtract, sum16, udp_field


def pseudos():
    def vector(name, catches, source, destination, protocol, length):
        build = pseudo_ipv4 if len(source) == 4 else pseudo_ipv6
        return {
            "name": name,
            "catches": catches,
            "family": 4 if len(source) == 4 else 6,
            "source": source.hex(),
            "destination": destination.hex(),
            "protocol": protocol,
            "length": length,
            "sum": word(sum16(build(source, destination, protocol, length))),
        }

    a4, b4 = bytes([192, 0, 2, 1]), bytes([198, 51, 100, 2])
    a6 = bytes.fromhex("20010db8000000000000000000000001")
    b6 = bytes.fromhex("fe800000000000000123456789abcdef")
    for name, protocol in (("icmp", 1), ("tcp", 6), ("udp", 17), ("protocol-255", 255)):
        yield vector(
            f"ipv4-{name}",
            "Protocol in the wrong byte, or the length in the wrong order.",
            a4,
            b4,
            protocol,
            0x1234,
        )
    yield vector(
        "ipv4-length-0",
        "A seed without the length, as some segmentation offloads want it.",
        a4,
        b4,
        6,
        0,
    )
    yield vector(
        "ipv4-length-65535",
        "A length that is cut or wraps: the largest of IPv4.",
        a4,
        b4,
        17,
        65535,
    )
    for length in (65536, 70000, 0x00010001, 0xFFFEFFFF, 0xFFFFFFFF):
        yield vector(
            f"ipv4-length-{length}",
            "A length cut to 16 bits, or its upper word lost: a packet before segmentation (BIG TCP).",
            a4,
            b4,
            6,
            length,
        )
    yield vector("ipv4-length-256", "A length byte-swapped: 0x0100 is not 0x0001.", a4, b4, 17, 256)
    yield vector(
        "ipv4-broadcast",
        "Carries out of two addresses of all ones.",
        b"\xff" * 4,
        b"\xff" * 4,
        17,
        8,
    )
    yield vector(
        "ipv4-zero",
        "Nothing but a protocol: the sum is 0x0006, and no start value shows.",
        bytes(4),
        bytes(4),
        6,
        0,
    )
    yield vector(
        "ipv4-all-zero", "A -0 for all-zero input, or a start value.", bytes(4), bytes(4), 0, 0
    )
    for name, protocol in (("tcp", 6), ("udp", 17), ("icmpv6", 58), ("next-header-255", 255)):
        yield vector(
            f"ipv6-{name}",
            "Next header in the wrong byte, or the length in the wrong place.",
            a6,
            b6,
            protocol,
            0x1234,
        )
    yield vector(
        "ipv6-length-0",
        "A seed without the length, as some segmentation offloads want it.",
        a6,
        b6,
        6,
        0,
    )
    for length in (65535, 65536, 70000, 0x00010001, 0xFFFEFFFF, 0xFFFFFFFF):
        yield vector(
            f"ipv6-length-{length}",
            "A length cut to 16 bits: IPv6's is 32 bits wide (RFC 8200 section 8.1, RFC 2675).",
            a6,
            b6,
            17,
            length,
        )
    yield vector(
        "ipv6-ones",
        "Carries out of 32 bytes of all ones.",
        b"\xff" * 16,
        b"\xff" * 16,
        255,
        0xFFFFFFFF,
    )
    yield vector(
        "ipv6-unspecified", "No start value shows: all else is zero.", bytes(16), bytes(16), 58, 0
    )


# IP packets as a Linux stack sent them between two network namespaces. With checksum offload off,
# every field is complete; with offload on, TCP and UDP fields still hold the seed.
RECORDED = {
    "icmp-echo": "45000025705740004001467dc0000201c00002020800d25b11930001000102030405060708",
    "icmp-reply": "4500002593f80000400162dcc0000202c00002010000da5b11930001000102030405060708",
    "udp": "45000023c73940004011ef8cc0000201c0000202ec910007000fc4ee7769726573756d",
    "tcp-syn": "4500003cbe8b40004006f82cc0000201c00002029e900007d137953b00000000a002faf06eef0000020405b40402080a8d35c7d8000000000103030a",
    "tcp-data": "4500003bbe8d40004006f82bc0000201c00002029e900007d137953cc9605a2e8018003fdc3a00000101080a8d35c7d8b85015f27769726573756d",
    "icmpv6-echo": "6008b7b800113a4020010db800000000000000000000000120010db80000000000000000000000028000fe9911940001000102030405060708",
    "icmpv6-neighbor": "6000000000203aff20010db800000000000000000000000220010db80000000000000000000000018800e8476000000020010db800000000000000000000000202017a8c5dbbcbe3",
    "icmpv6-solicit": "6000000000203aff00000000000000000000000000000000ff0200000000000000000001ff5c3d388700e93f00000000fe8000000000000024fad6fffe5c3d380e015d78ba39f808",
    "icmpv6-mld": "600000000038000100000000000000000000000000000000ff0200000000000000000000000000163a000502000001008f002fdb0000000204000000ff0200000000000000000001ff5c3d3804000000ff0200000000000000000001ff000001",
    "udp-ipv6": "6004c116000f114020010db800000000000000000000000120010db800000000000000000000000294350007000f45da7769726573756d",
    "tcp-syn-ipv6": "600813d20028064020010db800000000000000000000000120010db8000000000000000000000002b50e00071d28522800000000a002fd20d0260000020405a00402080aad8a4d64000000000103030a",
    "tcp-data-ipv6": "600813d20027064020010db800000000000000000000000120010db8000000000000000000000002b50e00071d2852298585878080180040b0bc00000101080aad8a4d64b509be927769726573756d",
    "udp-offload": "45000023c96340004011ed62c0000201c0000202e0350007000f84247769726573756d",
    "tcp-offload": "4500003ccdf240004006e8c5c0000201c00002029e9e000720f7dbd500000000a002faf084320000020405b40402080aaac089df000000000103030a",
    "udp-offload-ipv6": "600f670b000f114020010db800000000000000000000000120010db8000000000000000000000002a2b00007000f5b957769726573756d",
    "tcp-offload-ipv6": "6005a02c0028064020010db800000000000000000000000120010db8000000000000000000000002b51200079652512900000000a002fd205ba30000020405a00402080aa01d02ab000000000103030a",
}


def recorded(name):
    """Family, protocol, addresses and segment of a recorded packet."""
    packet = bytes.fromhex(RECORDED[name])
    if packet[0] >> 4 == 4:
        return packet[9], packet[12:16], packet[16:20], packet[4 * (packet[0] & 15) :]
    protocol, start = packet[6], 40
    if protocol == 0:  # hop-by-hop options stand before the message
        protocol, start = packet[40], 40 + 8 * (packet[41] + 1)
    return protocol, packet[8:24], packet[24:40], packet[start:]


def ipv4_headers():
    def vector(name, catches, header):
        zeroed = header[:10] + bytes(2) + header[12:]
        return {
            "name": name,
            "catches": catches,
            "header": header.hex(),
            "checksum": word(checksum(zeroed)),
            "ok": sum16(header) == 0xFFFF,
        }

    def with_field(header, field):
        return header[:10] + field.to_bytes(2, "big") + header[12:]

    def complete(header):
        return with_field(header, checksum(with_field(header, 0)))

    wiki = complete(WIKI_HEADER)
    yield vector("wikipedia", "Everything: a header worked out on Wikipedia, checksum b861.", wiki)
    yield vector(
        "well-known",
        "Everything: a header worked out in many tutorials, checksum b1e6.",
        bytes.fromhex("4500003c1c4640004006b1e6ac100a63ac100a0c"),
    )
    for name in ("icmp-echo", "udp", "tcp-syn"):
        yield vector(
            f"linux-{name}",
            "Everything: a header as Linux sent it.",
            bytes.fromhex(RECORDED[name])[:20],
        )
    base = WIKI_HEADER[1:]
    for words_ in range(1, 11):
        options = (b"\x94\x04\0\0" + b"\x07\x27\x04" + random_bytes("options", 33))[: 4 * words_]
        yield vector(
            f"options-{4 * words_}",
            "A header taken for 20 bytes though its IHL says more.",
            complete(bytes([0x45 + words_]) + base + options),
        )
    blank = WIKI_HEADER[:4] + bytes(2) + WIKI_HEADER[6:]
    zero = (
        blank[:4] + checksum(blank).to_bytes(2, "big") + blank[6:]
    )  # this identification makes the checksum 0
    yield vector(
        "zero",
        "The UDP rule in the wrong place: a computed 0x0000 goes into an IPv4 header as it is.",
        zero,
    )
    yield vector(
        "zero-as-ffff",
        "A verifier that compares fields: 0xFFFF for a computed 0x0000 still sums to 0xFFFF.",
        with_field(zero, 0xFFFF),
    )
    yield vector(
        "bad-bit",
        "A verifier that accepts anything: one bit of the TTL has flipped.",
        wiki[:8] + bytes([wiki[8] ^ 1]) + wiki[9:],
    )
    yield vector(
        "bad-swapped", "A verifier or a writer that mixes up byte orders.", with_field(wiki, 0x61B8)
    )
    yield vector(
        "bad-sum",
        "The sum in the field instead of its complement.",
        with_field(wiki, 0xFFFF - 0xB861),
    )
    yield vector("bad-zero-field", "A field never filled in.", WIKI_HEADER)
    yield vector("bad-all-zero", "Twenty zero bytes sum to 0x0000: they do not verify.", bytes(20))
    yield vector(
        "ok-ones",
        "Twenty FF bytes sum to 0xFFFF, and that is all a verifier of sums can see.",
        b"\xff" * 20,
    )


FIELD_OFFSET = {1: 2, 2: 2, 6: 16, 17: 6, 58: 2, 136: 6}


def segment_vector(name, catches, protocol, source, destination, segment):
    """A complete TCP, UDP, ICMP or ICMPv6 case. `segment` is a recipe, with the field as it was found."""
    data, at = expand(segment), FIELD_OFFSET[protocol]
    found = int.from_bytes(data[at : at + 2], "big")
    zeroed = data[:at] + bytes(2) + data[at + 2 :]
    if protocol == 1:
        pseudo = b""  # ICMP for IPv4 covers no pseudo-header (RFC 792)
    else:
        pseudo = (pseudo_ipv4 if len(source) == 4 else pseudo_ipv6)(
            source, destination, protocol, len(data)
        )
    computed = checksum(pseudo + zeroed)
    if protocol == 17 and found == 0:
        status = "absent" if len(source) == 4 else "illegal"
    else:
        status = "good" if sum16(pseudo + data) == 0xFFFF else "bad"
    return {
        "name": name,
        "catches": catches,
        "family": 4 if len(source) == 4 else 6,
        "protocol": protocol,
        "source": source.hex(),
        "destination": destination.hex(),
        "segment": segment,
        "field_offset": at,
        "seed": word(sum16(pseudo)),
        "checksum": word(computed),
        "field": word(udp_field(computed) if protocol == 17 else computed),
        "status": status,
    }


def linux_vector(name, catches="Everything: a packet as Linux sent it."):
    protocol, source, destination, segment = recorded(name)
    v = segment_vector(f"linux-{name}", catches, protocol, source, destination, recipe(segment))
    assert v["status"] == ("bad" if "offload" in name else "good"), name
    return v


def varied(name, catches, start, field=None, zero=False):
    """A recorded packet with another field: None is the right one. `zero`: make the computed checksum 0x0000."""
    protocol, source, destination, segment = recorded(start)
    at = FIELD_OFFSET[protocol]
    if zero:  # replace the port, or the identifier, by its sum with the checksum
        v = segment_vector("", "", protocol, source, destination, recipe(segment))
        change = fold(int.from_bytes(segment[:2], "big") + int(v["checksum"], 16))
        segment = change.to_bytes(2, "big") + segment[2:]
    v = segment_vector("", "", protocol, source, destination, recipe(segment))
    assert not zero or v["checksum"] == "0x0000"
    value = int(v["field"], 16) if field is None else field(v) if callable(field) else field
    segment = segment[:at] + value.to_bytes(2, "big") + segment[at + 2 :]
    return segment_vector(name, catches, protocol, source, destination, recipe(segment))


def swapped(v):
    return int.from_bytes(int(v["checksum"], 16).to_bytes(2, "little"), "big")


def seed(v):
    return int(v["seed"], 16)


def seed_without_length(v):
    """What some segmentation offloads leave in the field: the hardware adds the length of each segment."""
    return subtract(seed(v), sum(map(length_of, v["segment"])))


def bare(v):
    """The checksum without the pseudo-header."""
    return fold(int(v["checksum"], 16) + seed(v))


ADDRESSES = {
    4: (bytes([192, 0, 2, 1]), bytes([198, 51, 100, 2])),
    6: (
        bytes.fromhex("20010db8000000000000000000000001"),
        bytes.fromhex("20010db8ffffffffffffffffffffffff"),
    ),
}


def built(name, catches, family, protocol, header, *payload):
    """A segment with a header that has the right field in it, and a payload described by parts."""
    source, destination = ADDRESSES[family]
    at = FIELD_OFFSET[protocol]
    header = bytes.fromhex(header)
    v = segment_vector("", "", protocol, source, destination, recipe(header, *payload))
    header = header[:at] + int(v["field"], 16).to_bytes(2, "big") + header[at + 2 :]
    return segment_vector(name, catches, protocol, source, destination, recipe(header, *payload))


TCP_HEADER = "d431 01bb 00000001 00000002 5010 ffff 0000 0000"


def tcps():
    yield linux_vector("tcp-syn")
    yield linux_vector("tcp-data", "An odd payload: the last byte is a high byte.")
    yield linux_vector("tcp-syn-ipv6")
    yield linux_vector("tcp-data-ipv6", "An odd payload over IPv6.")
    yield linux_vector(
        "tcp-offload", "CHECKSUM_PARTIAL taken for corruption: the field holds the seed."
    )
    yield linux_vector("tcp-offload-ipv6", "CHECKSUM_PARTIAL over IPv6.")
    for start, suffix in (("tcp-data", ""), ("tcp-data-ipv6", "-ipv6")):
        yield varied(
            f"seed-without-length{suffix}",
            "A segmentation offload's seed, which leaves the length out.",
            start,
            seed_without_length,
        )
        yield varied(f"no-pseudo-header{suffix}", "A checksum over the segment alone.", start, bare)
        yield varied(
            f"swapped{suffix}", "The right number stored in the wrong byte order.", start, swapped
        )
        yield varied(
            f"zero{suffix}",
            "The UDP rule applied to TCP: a computed 0x0000 is sent as 0x0000.",
            start,
            zero=True,
        )
        yield varied(
            f"zero-as-ffff{suffix}",
            "A field of 0xFFFF for a computed 0x0000 verifies all the same.",
            start,
            0xFFFF,
            zero=True,
        )
        yield varied(
            f"zero-field{suffix}",
            '"Not computed" is UDP\'s alone: an empty TCP field is bad.',
            start,
            0,
        )
    yield built("bare-header", "An empty payload that is refused, or read.", 4, 6, TCP_HEADER)
    yield built(
        "max-ipv4",
        "A length limit that is too low: the longest segment of IPv4.",
        4,
        6,
        TCP_HEADER,
        repeat("ff", 65515 - 20),
    )
    yield built(
        "jumbo-ipv6",
        "A pseudo-header length cut to 16 bits.",
        6,
        6,
        TCP_HEADER,
        repeat("ff", 70001 - 20),
    )


def udps():
    yield linux_vector("udp", "An odd payload: the last byte is a high byte.")
    yield linux_vector("udp-ipv6", "An odd payload over IPv6.")
    yield linux_vector(
        "udp-offload", "CHECKSUM_PARTIAL taken for corruption: the field holds the seed."
    )
    yield linux_vector("udp-offload-ipv6", "CHECKSUM_PARTIAL over IPv6.")
    for start, suffix, nothing in (
        (
            "udp",
            "",
            'A received 0x0000 counted as bad, or as good: over IPv4 it says "not computed".',
        ),
        (
            "udp-ipv6",
            "-ipv6",
            "A received 0x0000 let pass: over IPv6 it is illegal outside RFC 6935's tunnels.",
        ),
    ):
        yield varied(
            f"zero{suffix}", "A computed 0x0000 sent as it is: UDP sends 0xFFFF.", start, zero=True
        )
        yield varied(
            f"zero-sent{suffix}",
            "A sender without the rule: the receiver must not take its 0x0000 for good.",
            start,
            0,
            zero=True,
        )
        yield varied(f"zero-field{suffix}", nothing, start, 0)
        yield varied(
            f"ffff-bad{suffix}",
            '0xFFFF taken for "not computed": it is a checksum like any other.',
            start,
            0xFFFF,
        )
        yield varied(
            f"swapped{suffix}", "The right number stored in the wrong byte order.", start, swapped
        )
        yield varied(
            f"no-pseudo-header{suffix}", "A checksum over the datagram alone.", start, bare
        )
    yield built("empty", "An empty payload that is refused, or read.", 4, 17, "d431 0035 0008 0000")
    yield built(
        "empty-ipv6", "An empty payload that is refused, or read.", 6, 17, "d431 0035 0008 0000"
    )
    yield built(
        "max-ipv4",
        "A length limit that is too low: the longest datagram of IPv4.",
        4,
        17,
        "d431 0035 ffff 0000",
        repeat("ff", 65527),
    )
    yield built(
        "jumbo-ipv6",
        "A jumbogram's length field holds 0, its pseudo-header the true length (RFC 2675 section 4).",
        6,
        17,
        "d431 0035 0000 0000",
        repeat("ff", 69993),
    )


def icmps():
    yield linux_vector("icmp-echo", "A pseudo-header added where ICMP has none.")
    yield linux_vector("icmp-reply", "A pseudo-header added where ICMP has none.")
    yield varied(
        "swapped", "The right number stored in the wrong byte order.", "icmp-echo", swapped
    )
    yield varied("zero-field", "A field never filled in.", "icmp-echo", 0)
    yield varied(
        "zero",
        "The UDP rule applied to ICMP: a computed 0x0000 is sent as 0x0000.",
        "icmp-echo",
        zero=True,
    )
    yield built(
        "all-zero-reply",
        "An echo reply of zeros: the sum is +0 and the checksum 0xFFFF.",
        4,
        1,
        "0000 0000 0000 0000",
    )
    yield segment_vector(
        "all-zero",
        "Eight zero bytes, field included, sum to 0x0000: they do not verify.",
        1,
        *ADDRESSES[4],
        recipe(bytes(8)),
    )
    yield built(
        "large",
        "A length limit that is too low: the longest ping of IPv4.",
        4,
        1,
        "0800 0000 0001 0001",
        repeat(PERIOD_251.hex(), 65507),
    )


def icmpv6s():
    yield linux_vector(
        "icmpv6-echo", "The pseudo-header left out: ICMPv6 has one (RFC 4443 section 2.3)."
    )
    yield linux_vector("icmpv6-neighbor")
    yield linux_vector(
        "icmpv6-solicit",
        "A pseudo-header whose source address is all zero, as in neighbor discovery.",
    )
    yield linux_vector(
        "icmpv6-mld",
        "Extension headers: next header 58 and the length of the message alone, not what the IPv6 header says.",
    )
    yield varied(
        "no-pseudo-header",
        "A checksum over the message alone, as in ICMP for IPv4.",
        "icmpv6-echo",
        bare,
    )
    yield varied(
        "swapped", "The right number stored in the wrong byte order.", "icmpv6-echo", swapped
    )
    yield varied("zero-field", "A field never filled in.", "icmpv6-echo", 0)
    yield varied(
        "zero",
        "The UDP rule applied to ICMPv6: a computed 0x0000 is sent as 0x0000.",
        "icmpv6-echo",
        zero=True,
    )
    yield built(
        "large",
        "A pseudo-header length cut to 16 bits.",
        6,
        58,
        "8000 0000 0001 0001",
        repeat(PERIOD_251.hex(), 65536),
    )


def verifies():
    def vector(name, catches, *parts):
        s = sum16(expand(recipe(*parts)))
        return {
            "name": name,
            "catches": catches,
            "data": recipe(*parts),
            "sum": word(s),
            "ok": s == 0xFFFF,
        }

    data = random_bytes("verify", 40)
    good = data + checksum(data).to_bytes(2, "big")
    yield vector("good", "A verifier that rejects what is right.", good)
    yield vector("good-ff", "The same with nothing but FF.", repeat("ff", 64))
    yield vector(
        "good-moved", "A field in the middle counts like one at the end.", good[40:] + good[:40]
    )
    yield vector(
        "good-odd",
        "An odd last byte behind the field.",
        checksum(data[:37]).to_bytes(2, "big") + data[:37],
    )
    yield vector(
        "good-words-exchanged",
        "A checksum thought to see the order of words: it cannot.",
        good[2:4] + good[:2] + good[4:],
    )
    zeros = data[:20] + bytes(2) + data[20:]
    field = checksum(zeros).to_bytes(2, "big")
    yield vector(
        "good-zero-word",
        "A verifier that rejects what is right; also the base of the next vector.",
        zeros + field,
    )
    yield vector(
        "good-zero-becomes-ffff",
        "A checksum thought to tell 0000 from FFFF: it cannot.",
        data[:20] + b"\xff\xff" + data[20:] + field,
    )
    for bit in (0, 7, 8, 15, 163):
        flipped = bytearray(good)
        flipped[bit // 8] ^= 0x80 >> bit % 8
        yield vector(f"bad-bit-{bit}", "A verifier that ignores some bits.", bytes(flipped))
    yield vector(
        "bad-bytes-exchanged",
        "Two bytes of a word exchanged are seen, unlike two words.",
        good[1::-1] + good[2:],
    )
    yield vector("bad-empty", "Nothing at all verifies nothing: its sum is 0x0000.")
    yield vector(
        "bad-all-zero",
        "A verifier that works modulo 65535: zeros sum to 0x0000, not 0xFFFF.",
        repeat("00", 20),
    )
    yield vector("bad-one", "A sum of 0x0001 or 0xFFFE is as bad as any.", b"\0\1")
    yield vector("bad-fffe", "A sum of 0x0001 or 0xFFFE is as bad as any.", b"\xff\xfe")
    yield vector(
        "bad-double-fold",
        "Folding once leaves 0x10000; the sum is 0x0001, and bad.",
        bytes.fromhex("ffffffff0001"),
    )


def replacements():
    def vector(name, catches, before, was, now):
        after = 0xFFFF - fold(subtract(0xFFFF - before, was) + now)
        return {
            "name": name,
            "catches": catches,
            "checksum": word(before),
            "was": word(was),
            "is": word(now),
            "after": word(after),
            "udp_after": word(udp_field(after) if before else 0),
        }

    a4, b4 = ADDRESSES[4]
    a6, b6 = ADDRESSES[6]
    for name, protocol, size in (("tcp", 6, 20), ("udp", 17, 29)):
        segment = random_bytes(f"nat64-{name}", size)
        four = pseudo_ipv4(a4, b4, protocol, size)
        six = pseudo_ipv6(a6, b6, protocol, size)
        for direction, was, now in (("64", six, four), ("46", four, six)):
            v = vector(
                f"nat{direction}-{name}",
                "NAT64: the old pseudo-header kept, or exchanged the wrong way around.",
                checksum(was + segment),
                sum16(was),
                sum16(now),
            )
            assert v["after"] == word(checksum(now + segment))
            yield v
    yield vector("same", "An exchange of equal sums changes nothing.", 0x1C46, 0x1234, 0x1234)
    yield vector("nothing", "An exchange of nothing changes nothing.", 0xFFFF, 0, 0)
    yield vector("not-computed", "A UDP field of 0x0000 that an exchange computes.", 0, 0x1234, 7)
    yield vector("becomes-zero", "UDP sends 0xFFFF for a computed 0x0000.", 0x1234, 0, 0x1234)
    yield vector("borrow", "The end-around borrow left out.", 0xFFFE, 0xFFFE, 0x0001)


def finishes():
    def vector(name, catches, frame, start, offset):
        v = {
            "name": name,
            "catches": catches,
            "frame": recipe(frame),
            "start": start,
            "offset": offset,
            "ok": start <= len(frame) and offset + 2 <= len(frame) - start and offset % 2 == 0,
        }
        field = udp_field(checksum(frame[start:])) if v["ok"] else 0
        return v | {"field": word(field)}

    ethernet = bytes.fromhex("02000000000202000000000108 00")
    for name in ("tcp-offload", "udp-offload", "tcp-offload-ipv6", "udp-offload-ipv6"):
        protocol, _, _, segment = recorded(name)
        frame = ethernet + bytes.fromhex(RECORDED[name])
        v = vector(
            f"linux-{name}",
            "Everything: a packet as Linux leaves it to its device.",
            frame,
            len(frame) - len(segment),
            FIELD_OFFSET[protocol],
        )
        linux = linux_vector(name)
        assert v["field"] == linux["field"]
        yield v
    data = random_bytes("finish", 31)
    yield vector("odd-start", "The start of the sum rounded to an even address.", data, 5, 6)
    zero = data[:30] + checksum(data[:30]).to_bytes(2, "big")
    yield vector("zero", "A computed 0x0000 is stored as 0xFFFF, as Linux does.", zero, 0, 6)
    yield vector("zeros", "All-zero data have the checksum 0xFFFF.", bytes(8), 2, 2)
    yield vector("at-end", "The last place where a field fits.", data, 11, 18)
    yield vector("field-cut", "A field that is half beyond the frame.", data[:30], 11, 18)
    yield vector("field-beyond", "A field that lies beyond the frame.", data, 11, 400)
    yield vector("start-at-end", "A start at the end of the frame.", data, 31, 0)
    yield vector("start-beyond", "A start that lies beyond the frame.", data, 32, 0)
    yield vector("wraps", "A start and an offset whose sum wraps in 32 bits.", data, 2, 2**32 - 2)
    yield vector("odd-offset", "A field at an odd offset, where no protocol has one.", data, 4, 7)
    yield vector("empty", "A frame of no bytes, which has no field.", b"", 0, 0)
