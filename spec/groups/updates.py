# SPDX-License-Identifier: MIT OR Apache-2.0
"""Updates of a checksum, and replaced and removed parts."""

from groups.inputs import PERIOD_251, expand, random_bytes, recipe, repeat, word
from reference import checksum, sum16, udp_field, update

WIKI_HEADER = bytes.fromhex("450000730000400040110000c0a80001c0a800c7")  # its checksum is b861


def updates():
    def vector(name, catches, before, offset, was, now):
        was, now = recipe(was), recipe(now)
        after = update(before, offset, expand(was), expand(now))
        return {
            "name": name,
            "catches": catches,
            "checksum": word(before),
            "offset": offset,
            "was": was,
            "is": now,
            "after": word(after),
            "udp_after": word(udp_field(after) if before else 0),
        }

    def recomputed(name, catches, data, offset, now):
        """The vector of a change inside `data`, with recomputing as the oracle."""
        data = expand(recipe(data))
        now_bytes = expand(recipe(now))
        changed = data[:offset] + now_bytes + data[offset + len(now_bytes) :]
        v = vector(
            name, catches, checksum(data), offset, data[offset : offset + len(now_bytes)], now
        )
        assert v["after"] == word(checksum(changed)), name
        return v

    def words(name, catches, before, was, now, offset=0):
        return vector(name, catches, before, offset, bytes.fromhex(was), bytes.fromhex(now))

    yield words(
        "rfc1624-section-4",
        "RFC 1141's equation, which gives 0xFFFF here: RFC 1624 section 4.",
        0xDD2F,
        "5555",
        "3285",
    )
    yield words(
        "rfc1141-ttl-feff",
        "Adding 0x0100 for a TTL decrement (RFC 1141): 0xFEFF becomes 0xFFFF instead of 0x0000.",
        0xFEFF,
        "40",
        "3f",
        8,
    )
    yield words(
        "unchanged-0000",
        "What reported erratum 4782 to RFC 1624 claims: an unchanged word leaves 0x0000 alone.",
        0,
        "5555",
        "5555",
    )
    yield words("unchanged-zero-0000", "The same claim for a word of zeros.", 0, "0000", "0000")
    yield words(
        "unchanged-zero-ffff",
        "Equation 3 to the letter turns the 0xFFFF of all-zero data into 0x0000 though nothing changed.",
        0xFFFF,
        "0000",
        "0000",
    )
    yield words("unchanged", "A change that changes nothing.", 0x1C46, "abcdef", "abcdef", 3)
    yield words(
        "unchanged-ffff",
        "0xFFFF left alone though its data are not all zero: it is the 0x0000 of a new computation.",
        0xFFFF,
        "1234",
        "1234",
    )
    yield words(
        "unchanged-odd-ffff",
        "The same at an odd offset, for a byte: only UDP keeps 0xFFFF.",
        0xFFFF,
        "40",
        "40",
        9,
    )
    for before in (0x0000, 0x1C46, 0xFFFF):
        yield words(f"empty-{before:04x}", "An empty change must change nothing.", before, "", "")
    yield words(
        "zero-to-ffff", "+0 to -0 in one word leaves the checksum as it is.", 0x1234, "0000", "ffff"
    )
    yield words(
        "ffff-to-zero", "-0 to +0 in one word leaves the checksum as it is.", 0x1234, "ffff", "0000"
    )
    yield words(
        "from-all-zero",
        "0xFFFF, the checksum of all-zero data, as the start.",
        0xFFFF,
        "0000",
        "1234",
    )
    yield words(
        "to-all-zero",
        "The one ambiguity: 0000 has checksum 0xFFFF and FFFF 0000 has 0x0000, but both come from 0xFFFE. Equation 3 says 0x0000.",
        0xFFFE,
        "0001",
        "0000",
    )
    yield words(
        "udp-ffff",
        "0xFFFF as UDP sends it (computed 0): a word of FFFF that becomes 0000 leaves it.",
        0xFFFF,
        "ffff",
        "0000",
    )
    yield words(
        "udp-not-computed",
        '0x0000 means "not computed" in UDP: its update must leave it alone, the plain one must not.',
        0x0000,
        "0a000001",
        "c0000201",
    )
    yield words(
        "udp-becomes-zero",
        "A UDP checksum that an update brings to 0x0000 goes out as 0xFFFF.",
        0x1234,
        "0000",
        "1234",
    )
    yield words(
        "fold-twice",
        "A second fold left out: the three terms of equation 3 add up to 0x1FFFF.",
        0x0000,
        "0000",
        "0001",
    )

    yield recomputed(
        "ttl",
        "A single byte at an even offset taken as a low byte: TTL 64 to 63.",
        WIKI_HEADER,
        8,
        b"\x3f",
    )
    yield recomputed(
        "ttl-word",
        "A whole word that disagrees with its one changed byte: TTL and protocol.",
        WIKI_HEADER,
        8,
        b"\x3f\x11",
    )
    yield recomputed(
        "protocol", "A single byte at an odd offset taken as a high byte.", WIKI_HEADER, 9, b"\x06"
    )
    yield recomputed(
        "tos", "The same at offset 1, where ECN marks are set.", WIKI_HEADER, 1, b"\x03"
    )
    yield recomputed(
        "nat-address",
        "A carry lost between the two words of a 32-bit address.",
        WIKI_HEADER,
        12,
        bytes([203, 0, 113, 9]),
    )
    yield recomputed(
        "nat-both",
        "A carry lost between two addresses changed at once.",
        WIKI_HEADER,
        12,
        bytes([203, 0, 113, 9, 198, 51, 100, 7]),
    )
    segment = random_bytes("segment", 40)
    yield recomputed("port", "Old and new value exchanged: a 16-bit port.", segment, 0, b"\x1f\x90")
    address = bytes.fromhex("20010db8000000000000000000000001")
    yield recomputed(
        "nat-ipv6", "A carry lost among the eight words of a 128-bit address.", segment, 8, address
    )
    yield recomputed(
        "nat-ipv6-odd",
        "A long run at an odd offset, as inside a tunnel, that is not swapped.",
        segment,
        7,
        address,
    )
    for offset in (4, 5):
        for length in (1, 2, 3, 5, 8, 17):
            yield recomputed(
                f"run-{length}-at-{offset}",
                "A run whose first byte is a low byte, whose last byte stands alone, or both.",
                segment,
                offset,
                random_bytes("run", length),
            )
    yield recomputed(
        "odd-byte-complement",
        "Complementing the pad beside an odd byte along with it.",
        segment,
        11,
        bytes([segment[11] ^ 0xFF]),
    )
    yield recomputed(
        "run-to-ff",
        "Carries lost when a run of odd offset and length becomes all FF.",
        segment,
        3,
        b"\xff" * 21,
    )
    yield recomputed(
        "run-to-00",
        "+0 and -0 mixed up when a run of odd offset and length becomes zeros.",
        segment,
        3,
        bytes(21),
    )
    yield recomputed(
        "far-odd",
        "Only the parity of the offset counts, however far into the data it is.",
        repeat(PERIOD_251.hex(), 70001),
        65537,
        b"\1\2\3",
    )
    yield recomputed(
        "long-run",
        "Lanes that overflow in the old bytes of a long change.",
        repeat("ff", 131080),
        1,
        repeat("00", 131078),
    )
    yield vector(
        "long-run-ff",
        "Lanes that overflow in the new bytes of a long change.",
        checksum(bytes(131079) + b"\1"),
        1,
        repeat("00", 131078),
        repeat("ff", 131078),
    )


def removals():
    def vector(name, catches, data, head_len):
        head, tail = data[:head_len], data[head_len:]
        rest = sum16(tail)
        if rest == 0 and sum16(head) and tail:
            rest = 0xFFFF  # the one thing that a difference cannot tell
        return {
            "name": name,
            "catches": catches,
            "whole": word(sum16(data)),
            "length": len(data),
            "head_length": head_len,
            "head": word(sum16(head)),
            "rest": word(rest),
        }

    data = random_bytes("remove", 61)
    for head_len in (0, 1, 14, 15, 20, 59, 60):
        yield vector(
            f"head-{head_len}",
            "The rest behind an odd head left at odd offsets: it must be its own data's sum.",
            data,
            head_len,
        )
    yield vector("all", "A stream of no bytes is 0x0000, not what a difference gives.", data, 61)
    yield vector("all-ff", "The same where the whole is -0.", b"\xff" * 6, 6)
    yield vector("ff-odd", "-0 less an odd head of FF, which stays -0.", b"\xff" * 8, 3)
    yield vector("zero-head", "A head of zeros changes no sum, odd or even.", bytes(3) + data, 3)
    yield vector("zero-rest", "A rest of zeros: a difference gives -0.", data[:5] + bytes(9), 5)
    yield vector("zeros", "Zeros less zeros that come out as -0.", bytes(9), 5)
