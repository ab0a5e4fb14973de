# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes vectors.json from the reference; its format is in checksum.md.

python3 make_vectors.py           write vectors.json
python3 make_vectors.py --check   fail if vectors.json is not what would be written
python3 make_vectors.py --c FILE  write the same vectors as a C header ("-": to standard output)
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

from reference import (
    checksum,
    fold,
    pseudo_ipv4,
    pseudo_ipv6,
    subtract,
    sum16,
    total,
    udp_field,
    update,
)

SEED = "wiresum vectors 1"
VECTORS = Path(__file__).with_name("vectors.json")

# ---- inputs ----


def random_bytes(purpose, length):
    """The same bytes on every machine and Python version: SHAKE-256 is specified, `random` is not."""
    return hashlib.shake_256(f"{SEED}: {purpose}".encode()).digest(length)


def repeat(pattern, length):
    return {"repeat": pattern, "length": length}


def recipe(*parts):
    """Bytes, or dicts as they stand in the JSON, to the list of parts that describes an input."""
    return [p if isinstance(p, dict) else {"hex": p.hex()} for p in parts if p]


def pattern_of(part):
    return bytes.fromhex(part["hex"] if "hex" in part else part["repeat"])


def length_of(part):
    return part["length"] if "length" in part else len(part["hex"]) // 2


def expand(parts):
    """The bytes that a recipe describes: each pattern over and over, cut off at its length."""
    out = bytearray()
    for part in parts:
        pattern, length = pattern_of(part), length_of(part)
        out += (pattern * (length // len(pattern) + 1))[:length] if length else b""
    return bytes(out)


def repeat_total(pattern, length):
    """total() of a repeated pattern by multiplication, for inputs too large to build.

    Right because total() of a concatenation is the sum of the totals when every piece but the last has
    an even length. test_reference.py compares it with total() itself on every small size.
    """
    even = pattern * (1 + len(pattern) % 2)
    copies, rest = divmod(length, len(even))
    return copies * total(even) + total(even[:rest])


# ---- the groups ----


def word(number):
    return f"0x{number:04x}"


def sum_vector(name, catches, *parts):
    s = sum16(expand(recipe(*parts)))
    return {
        "name": name,
        "catches": catches,
        "data": recipe(*parts),
        "sum": word(s),
        "checksum": word(0xFFFF - s),
    }


def huge_vector(name, catches, pattern, length):
    s = fold(repeat_total(bytes.fromhex(pattern), length))
    data = recipe(repeat(pattern, length))
    return {
        "name": name,
        "catches": catches,
        "data": data,
        "sum": word(s),
        "checksum": word(0xFFFF - s),
        "huge": True,
    }


PERIOD_251 = bytes(range(251))


def sums_short():
    fills = {
        "00": (
            bytes(130),
            "A start from ~0, or a -0 that leaks out: zeros of any length, none too, sum to 0x0000.",
        ),
        "ff": (
            b"\xff" * 130,
            "A remainder modulo 65535 (0xFFFF becomes 0), or an odd last byte placed in the low half.",
        ),
        "8000": (
            b"\x80\0" * 65,
            "Words read as signed, or a bias of 0x8000 per word also applied to masked-off words.",
        ),
        "period-251": (
            PERIOD_251,
            "A word skipped or summed twice in a tail: neighbouring words all differ.",
        ),
        "random": (random_bytes("short", 130), "Anything that the regular fills hide by symmetry."),
    }
    for fill, (data, catches) in fills.items():
        for length in range(131):
            yield sum_vector(f"{fill}-{length}", catches, data[:length])


def sums_one_hot():
    for i in range(65):
        yield sum_vector(
            f"one-hot-{i}",
            "A byte position that no lane, mask or tail covers, or that lands in the wrong half of its word.",
            *([repeat("00", i)] if i else []),
            b"\x81",
            *([repeat("00", 64 - i)] if i < 64 else []),
        )


def sums_large():
    for base, text in ((65536, "64 KiB"), (131072, "128 KiB"), (524288, "512 KiB")):
        for length in range(base - 2, base + 3):
            for fill, why in (
                ("00", f"Carries or biases that pile up over {text} of nothing."),
                ("ff", f"Lanes that overflow, or are flushed one step too late, around {text}."),
                ("8000", f"Signed lanes that overflow around {text}."),
                (
                    PERIOD_251.hex(),
                    f"A loop that leaves out or repeats a block around {text}: no power of two divides the period.",
                ),
            ):
                name = "period-251" if len(fill) > 4 else fill
                yield sum_vector(f"{name}-{length}", why, repeat(fill, length))
    for length in (576, 1280, 1460, 1500, 4095, 4096, 4097, 9000, 1048577):
        yield sum_vector(
            f"period-251-{length}",
            "The seams between main loop, second loop and tail at packet and page sizes.",
            repeat(PERIOD_251.hex(), length),
        )
    yield sum_vector(
        "random-period-1021",
        "The same seams, with words that have no order at all.",
        repeat(random_bytes("long", 1021).hex(), 100003),
    )


def sums_lane_limits():
    """65537 words of 0xFFFF fill an unsigned 32-bit lane to 0xFFFFFFFF exactly; one word more loses 2^32."""
    for lanes in (1, 4, 8, 16):
        full = lanes * 65537 * 2
        yield sum_vector(
            f"lanes-{lanes}-full-ff-{full}",
            f"Nothing should break yet: {lanes} 32-bit lane(s) of words are exactly full.",
            repeat("ff", full),
        )
        yield sum_vector(
            f"lanes-{lanes}-over-ff-{full + 2}",
            f"{lanes} 32-bit lane(s) of words without a flush: this word overflows the first.",
            repeat("ff", full + 2),
        )
    yield sum_vector(
        "lane-over-twice-ff-262150",
        "One 32-bit lane of words that overflows twice.",
        repeat("ff", 262150),
    )
    for lanes in (1, 8, 16):
        full = lanes * 65536 * 2
        yield sum_vector(
            f"signed-lanes-{lanes}-over-8000-{full + 2 * lanes}",
            f"{lanes} signed 32-bit lane(s): 65536 words of -32768 fit, 65537 do not.",
            repeat("8000", full + 2 * lanes),
        )
    yield sum_vector(
        "signed-lane-over-7fff-131078",
        "One signed 32-bit lane: 65538 words of 0x7FFF fit, 65539 do not.",
        repeat("7fff", 131078),
    )


def sums_carries():
    yield sum_vector(
        "lost-carry",
        "32-bit lanes of 32-byte vectors: a carry added in with the next value carries out again, and that one is lost.",
        repeat("ff", 32),
        repeat("01000000", 32),
        repeat("ff", 32),
        repeat("00", 160),
    )
    for lane in (2, 4, 8):
        for vector in (8, 16, 32, 64):
            for order in ("little", "big"):
                if (lane, vector, order) == (4, 32, "little"):
                    continue  # that one is "lost-carry"
                one = (1).to_bytes(lane, order).hex()
                yield sum_vector(
                    f"lost-carry-{8 * lane}-bit-{vector}-byte-{order}",
                    f"The lost carry for {8 * lane}-bit {order}-endian lanes in {vector}-byte vectors.",
                    repeat("ff", vector),
                    repeat(one, vector),
                    repeat("ff", vector),
                    repeat("00", 5 * vector),
                )
    for width in (4, 8):
        for order in ("little", "big"):
            ones, one = b"\xff" * width, (1).to_bytes(width, order)
            bits = 8 * width
            yield sum_vector(
                f"carry-out-{bits}-{order}",
                f"An add-with-carry chain of {bits}-bit {order}-endian words that drops its last carry.",
                ones + one,
            )
            yield sum_vector(
                f"carry-again-{bits}-{order}",
                f"A {bits}-bit {order}-endian carry added in with the next value carries out again, and that one is lost.",
                ones + one + ones,
            )
            yield sum_vector(
                f"carry-ripple-{bits}-{order}",
                f"A carry that must run through a whole 64-byte block of {bits}-bit {order}-endian words.",
                ones + one,
                repeat("ff", 64 - 2 * width),
                ones,
                repeat("00", 64),
            )
            for layout, data in (("interleaved", ones + ones + one), ("halves", ones + one + ones)):
                yield sum_vector(
                    f"carry-two-chains-{layout}-{bits}-{order}",
                    f"Two {bits}-bit {order}-endian chains, {layout}: one leaves a carry, the other is all ones.",
                    data + bytes(width),
                )
    for order in ("little", "big"):
        number = (0xFFFFFFFF_00000001).to_bytes(8, order)
        yield sum_vector(
            f"halves-carry-{order}",
            f"Folding 64 to 32 bits ({order}-endian): the two halves add up to exactly 2^32.",
            number,
        )
    yield sum_vector(
        "fold-10000",
        "A carry cut off before it is folded in: 0xFFFF + 0x0001 is nothing but carry.",
        bytes.fromhex("ffff0001"),
    )
    yield sum_vector(
        "fold-twice-1ffff",
        "A second fold left out: 0x1FFFF folds to 0x10000, and only then to 0x0001.",
        bytes.fromhex("ffffffff0001"),
    )
    yield sum_vector(
        "fold-twice-ffff0001",
        "A second fold left out at full width: 0xFFFF0001 folds to 0x10000 first.",
        repeat("ff", 131072),
        b"\0\1",
    )
    yield sum_vector(
        "fold-twice-fffeffff",
        "A second fold left out: 0xFFFEFFFF folds to 0x1FFFD first.",
        repeat("ff", 131070),
        b"\xff\xfe",
    )
    yield sum_vector(
        "fold-none-ffff",
        "A fold that tests for >= 0xFFFF and turns 0xFFFF into 0x0000.",
        bytes.fromhex("80007fff"),
    )
    yield sum_vector(
        "zero-but-not-empty",
        "A remainder modulo 65535: 0xFFFF among zeros is -0, not +0.",
        repeat("00", 30),
        b"\xff\xff",
        repeat("00", 31),
    )
    yield sum_vector(
        "odd-last-byte",
        "An odd last byte taken as the low byte of its word.",
        repeat("00", 64),
        b"\xff",
    )
    yield sum_vector(
        "own-complement",
        "Data followed by its own checksum is 0xFFFF: a verifier that looks for 0x0000 in the sum.",
        random_bytes("own", 62),
        checksum(random_bytes("own", 62)).to_bytes(2, "big"),
    )


def sums_signs():
    for pattern, why in (
        ("7fff", "Signed saturation at the top: pairs of 0x7FFF do not fit 16 bits."),
        ("80007fff", "Signed pairs that cancel to -1 instead of adding up to 0xFFFF."),
        ("7fff8000", "The same pairs in the other order."),
        ("80008000", "A multiply-add of signed words: two -32768 side by side."),
        ("ffff0000", "A word of 0xFFFF read as -1."),
        ("0000ffff", "The same in the other half of the pair."),
        ("8080", "Bytes read as signed by a byte multiply-add."),
        ("7f7f", "Byte pairs that saturate a signed 16-bit multiply-add."),
        ("ff7f", "Bytes read as signed in one half of the word only."),
        ("7fff7fff80008000", "Signed saturation of four words into one lane."),
        ("00ff", "Low bytes that overflow a byte or 16-bit lane of their own."),
        ("ff00", "High bytes that overflow a byte or 16-bit lane of their own."),
    ):
        for length in (128, 4096):
            yield sum_vector(f"signs-{pattern}-{length}", why, repeat(pattern, length))


def sums_huge():
    """Patterns repeat within a page, so that one page mapped many times is the input."""
    for length, why in (
        (2**31 + 2, "A length kept in a signed 32-bit integer."),
        (2**32 - 2, "Nothing should break yet: the last even length that fits 32 bits."),
        (2**32, "A length kept in 32 bits: it becomes 0."),
        (2**32 + 2, "A length kept in 32 bits: it becomes 2."),
        (2**32 + 6, "A loop counter kept in 32 bits."),
    ):
        yield huge_vector(f"huge-0001-{length}", why, "0001", length)
    yield huge_vector(
        f"huge-ff-{2**32 + 3}", "The odd last byte lost behind more than 4 GiB.", "ff", 2**32 + 3
    )
    yield huge_vector(
        f"huge-ff-{2**32 + 4}",
        "Lanes that overflow or are never flushed in more than 4 GiB of FF.",
        "ff",
        2**32 + 4,
    )
    yield huge_vector(
        f"huge-ff-{2**34 + 8}",
        "One 64-bit lane of 32-bit words: 2^32 + 1 of FF fill it, and this is one more.",
        "ff",
        2**34 + 8,
    )


def sums():
    yield sum_vector(
        "rfc1071-section-3",
        "Everything: the worked example of RFC 1071 section 3.",
        bytes.fromhex("0001f203f4f5f6f7"),
    )
    for group in (
        sums_short,
        sums_one_hot,
        sums_large,
        sums_lane_limits,
        sums_carries,
        sums_signs,
        sums_huge,
    ):
        yield from group()


def splits():
    def vector(name, catches, data, lengths):
        whole = expand(recipe(data))
        assert sum(lengths) == len(whole)
        pieces, start = [], 0
        for length in lengths:
            pieces.append({"length": length, "sum": word(sum16(whole[start : start + length]))})
            start += length
        return {
            "name": name,
            "catches": catches,
            "data": recipe(data),
            "pieces": pieces,
            "sum": word(sum16(whole)),
        }

    odd, mixed = random_bytes("split", 9), random_bytes("chain", 1506)
    yield vector(
        "rfc1071-section-3",
        "A piece at an odd offset that is not byte-swapped: RFC 1071 section 3, second example.",
        bytes.fromhex("0001f203f4f5f6f7"),
        [3, 5],
    )
    for cut in range(10):
        yield vector(
            f"cut-{cut}-of-9",
            "A join at an odd offset not swapped, one at an even offset swapped, or an empty piece that counts.",
            odd,
            [cut, 9 - cut],
        )
    yield vector(
        "empty-only", "An empty chain, or chain of empty pieces, that is not 0x0000.", b"", [0, 0]
    )
    yield vector(
        "empty-between",
        "An empty piece that changes the sum, or the offset of what follows.",
        odd,
        [0, 3, 0, 0, 4, 0, 2, 0],
    )
    yield vector(
        "odd-odd",
        "The swap decided by the piece before alone: after two odd pieces the offset is even again.",
        odd,
        [3, 3, 3],
    )
    yield vector(
        "odd-even-odd",
        "The swap decided by the length of the piece itself instead of its offset.",
        odd,
        [1, 4, 4],
    )
    yield vector(
        "single-bytes",
        "One byte at a time: the parity of the offset kept wrong.",
        random_bytes("bytes", 17),
        [1] * 17,
    )
    yield vector("zeros", "Zeros in pieces that come out as -0.", bytes(12), [5, 0, 7])
    yield vector(
        "ff-odd",
        "-0 at an odd offset: swapping 0xFFFF must leave it, and 0xFF00 must become 0x00FF.",
        b"\xff" * 8,
        [3, 5],
    )
    yield vector("ff-pairs", "Adding -0 to -0 must stay -0.", b"\xff" * 8, [2, 2, 4])
    yield vector(
        "carry-between",
        "The end-around carry of adding two folded sums left out.",
        bytes.fromhex("ffff80008001"),
        [2, 2, 2],
    )
    yield vector(
        "chain",
        "A network buffer chain: headers, an odd piece, an empty one, payload.",
        mixed,
        [14, 20, 1, 7, 0, 4, 1460],
    )
    yield vector(
        "period-64k",
        "The length of a piece kept in 16 bits.",
        repeat(PERIOD_251.hex(), 131077),
        [65537, 66, 65474],
    )
    yield vector(
        "ff-64k",
        "Pieces of odd length near the 64 KiB limit, all FF.",
        repeat("ff", 131074),
        [65537, 65537],
    )


def subtracts():
    def vector(name, catches, whole, part):
        return {
            "name": name,
            "catches": catches,
            "whole": word(whole),
            "part": word(part),
            "rest": word(subtract(whole, part)),
        }

    data = random_bytes("subtract", 60)
    for cut in (2, 20, 40):
        head, tail = data[:cut], data[cut:]
        v = vector(
            f"head-{cut}",
            "The plain case: the sum of the tail is that of the whole less that of the head.",
            sum16(data),
            sum16(head),
        )
        assert v["rest"] == word(sum16(tail))
        yield v
    yield vector(
        "borrow",
        "The end-around borrow left out: the part is larger than the whole.",
        0x0001,
        0xFFFE,
    )
    yield vector("no-borrow", "A borrow where there is none.", 0xFFFE, 0x0001)
    yield vector(
        "all",
        "0x0000 for a whole less itself: what is left may be 0xFFFF or nothing, and the answer is -0.",
        0x1234,
        0x1234,
    )
    yield vector("all-ff", "A 0x0000 for -0 less -0: it is -0.", 0xFFFF, 0xFFFF)
    yield vector("ff-less-nothing", "An empty piece taken from -0 must leave -0.", 0xFFFF, 0x0000)
    yield vector("less-nothing", "An empty or all-zero piece changes nothing.", 0x1234, 0x0000)
    yield vector(
        "nothing-less-nothing",
        "Adding the complement of an empty piece turns +0 into -0, though all that is left is zeros.",
        0,
        0,
    )
    yield vector(
        "less-ff",
        "A piece that is a multiple of 0xFFFF leaves every other sum as it is.",
        0x1234,
        0xFFFF,
    )


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


FIELD_OFFSET = {1: 2, 6: 16, 17: 6, 58: 2}


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


# ---- chains, removal, replacement ----


def ranges():
    def vector(name, catches, data, lengths, rooms, offset, length):
        whole = expand(recipe(data))
        assert sum(lengths) == len(whole) and offset + length <= len(whole)

        def cut(lengths, data):
            rows, start = [], 0
            for size in lengths:
                rows.append({"length": size, "sum": word(sum16(data[start : start + size]))})
                start += size
            return rows

        copied = whole[offset : offset + sum(rooms)]
        return {
            "name": name,
            "catches": catches,
            "data": recipe(data),
            "pieces": cut(lengths, whole),
            "offset": offset,
            "length": length,
            "sum": word(sum16(whole[offset : offset + length])),
            "rooms": cut(rooms, copied),
            "copied": len(copied),
            "copied_sum": word(sum16(copied)),
        }

    mixed = random_bytes("range", 61)
    odd = [7, 0, 13, 1, 20, 20]
    yield vector("all", "The plain case: the whole chain.", mixed, odd, [61], 0, 61)
    yield vector(
        "odd-boundaries",
        "A copy whose source and destination are cut at different odd places: each joint has a parity of its own.",
        mixed,
        odd,
        [3, 5, 0, 11, 1, 41],
        0,
        61,
    )
    for offset in (1, 6, 7, 8, 20, 21, 40):
        yield vector(
            f"from-{offset}",
            "The offset in the chain taken for the offset in the sum: the first byte is a high byte.",
            mixed,
            odd,
            [9, 9, 9],
            offset,
            17,
        )
    yield vector(
        "one-byte", "A range that begins and ends within one piece.", mixed, odd, [1], 10, 1
    )
    yield vector("none", "A range of no bytes in the middle of a piece.", mixed, odd, [], 10, 0)
    yield vector(
        "none-at-end", "A range of no bytes at the end of the chain.", mixed, odd, [5], 61, 0
    )
    yield vector(
        "rooms-too-small",
        "A copy that ends where the destination is full, in the middle of a piece.",
        mixed,
        odd,
        [1, 0, 9],
        0,
        10,
    )
    yield vector(
        "rooms-too-large",
        "A copy that ends where the source does, in the middle of a room.",
        mixed,
        odd,
        [40, 40],
        30,
        31,
    )
    yield vector(
        "single-bytes",
        "Pieces and rooms of one byte, at every parity.",
        mixed[:9],
        [1] * 9,
        [1] * 9,
        3,
        5,
    )
    yield vector(
        "empty-chain", "A chain of no pieces, which has a range of no bytes.", b"", [], [4], 0, 0
    )
    yield vector(
        "zeros", "Zeros in pieces that come out as -0.", bytes(12), [5, 0, 7], [1, 11], 1, 11
    )
    yield vector(
        "ff-odd", "-0 at odd joints must stay -0.", b"\xff" * 12, [5, 0, 7], [1, 3, 8], 0, 12
    )
    yield vector(
        "chain-64k",
        "An offset or a length kept in 16 bits.",
        repeat(PERIOD_251.hex(), 140001),
        [65537, 66, 74398],
        [65535, 2, 9],
        65539,
        65540,
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


# ---- packets ----

FIELD_OFFSET |= {2: 2, 136: 6}


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


def packets():
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
        yield vector(
            name, catches, packet, "good", "good", packet, len(packet) if end is None else end
        )
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

    a4, b4 = ADDRESSES[4]
    a6, b6 = ADDRESSES[6]
    text = random_bytes("packet", 37)
    other4, other6 = bytes([203, 0, 113, 9]), bytes.fromhex("fd00" + "5a" * 14)
    headers = {
        1: bytes.fromhex("0800000000010001"),
        2: bytes.fromhex("1600000000000000"),
        6: bytes.fromhex(TCP_HEADER),
        17: bytes.fromhex("d4310035002d0000"),
        58: bytes.fromhex("8000000000010001"),
        136: bytes.fromhex("d431003500000000"),
    }
    names = {1: "icmp", 2: "igmp", 6: "tcp", 17: "udp", 58: "icmpv6", 136: "udplite"}

    def segment4(protocol, source=a4, destination=b4):
        return segment_of(protocol, source, destination, headers[protocol] + text)

    def segment6(protocol, source=a6, destination=b6):
        return segment_of(protocol, source, destination, headers[protocol] + text)

    for protocol in (1, 2, 6, 17, 136):
        yield from good(
            f"ipv4-{names[protocol]}",
            "Everything: a plain packet with an odd payload.",
            ipv4_packet(protocol, segment4(protocol)),
            20 + FIELD_OFFSET[protocol],
        )
    for protocol in (6, 17, 58, 136):
        yield from good(
            f"ipv6-{names[protocol]}",
            "Everything: a plain packet with an odd payload.",
            ipv6_packet(protocol, segment6(protocol)),
            40 + FIELD_OFFSET[protocol],
        )
    for name in ("icmp-reply", "udp", "tcp-data", "tcp-data-ipv6", "udp-ipv6", "icmpv6-mld"):
        packet = bytes.fromhex(RECORDED[name])
        protocol, _, _, segment = recorded(name)
        at = len(packet) - len(segment) + FIELD_OFFSET[protocol]
        yield from good(f"linux-{name}", "Everything: a packet as Linux sent it.", packet, at)
    for family, packet in (("ipv4", ipv4_packet), ("ipv6", ipv6_packet)):
        addresses = ADDRESSES[4 if family == "ipv4" else 6]
        segment = segment_of(6, *addresses, headers[6] + text)
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
        # UDP: the rule of zero, and lengths.
        udp = segment_of(17, *addresses, headers[17] + text)
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
        size = len(headers[17]) + len(text)
        shorter = headers[17][:4] + (size - 6).to_bytes(2, "big") + bytes(2) + text
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
        leasts = {6: 20, 17: 8, 136: 8} | ({1: 4, 2: 8} if family == "ipv4" else {58: 4})
        for protocol, least in leasts.items():
            for length in (0, least - 1):
                yield refused(
                    f"{family}-{names[protocol]}-of-{length}",
                    "A payload shorter than its header whose field lies beyond the packet.",
                    packet(protocol, segment[:length]) + bytes(30),
                    "malformed",
                )
            header = headers[protocol][:least]
            if protocol == 17:
                header = header[:4] + (8).to_bytes(2, "big") + header[6:]
            yield from good(
                f"{family}-{names[protocol]}-of-{least}",
                "A header with no data behind it refused.",
                packet(protocol, segment_of(protocol, *addresses, header)),
                len(packet(protocol, b"")) + FIELD_OFFSET[protocol],
            )
        # UDP-Lite: the coverage.
        for coverage in (8, 9, 20, size):
            lite = headers[136][:4] + coverage.to_bytes(2, "big") + bytes(2) + text
            yield from good(
                f"{family}-udplite-{coverage}",
                "The coverage ignored, or put into the pseudo-header in place of the length.",
                packet(136, segment_of(136, *addresses, lite, covers=coverage)),
                len(packet(136, b"")) + 6,
            )
        for coverage in (1, 7, size + 1, 0xFFFF):
            lite = segment_of(
                136, *addresses, headers[136][:4] + coverage.to_bytes(2, "big") + bytes(2) + text
            )
            yield refused(
                f"{family}-udplite-{coverage}",
                "An illegal coverage that is summed, or taken for all.",
                packet(136, lite),
                "illegal",
                "malformed",
            )
        lite = segment_of(136, *addresses, headers[136] + text)
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
                packet(number, text),
                "unknown",
            )
        # The authentication header (RFC 4302).
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
        # BIG TCP: the length is too large for its field, which holds 0.
        big = segment_of(6, *addresses, headers[6] + (PERIOD_251 * 280)[:70001])
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
            data = headers[6] + (PERIOD_251 * 280)[: size - 20]
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

    # IPv4 alone.
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
    for kind in (131, 137):
        route = bytes([1, kind, 11, 4]) + bytes([10, 0, 0, 1]) + other4
        yield from good(
            f"ipv4-source-route-{kind}",
            "The next hop in the pseudo-header, where the final destination belongs.",
            ipv4_packet(6, segment4(6, destination=other4), route),
            20 + len(route) + 16,
        )
        behind = b"\x94\x04\0\0" + route
        yield from good(
            f"ipv4-source-route-{kind}-behind",
            "A source route overlooked behind another option.",
            ipv4_packet(6, segment4(6, destination=other4), behind),
            20 + len(behind) + 16,
        )
        last_hop = route[:3] + b"\x08" + route[4:]
        yield from good(
            f"ipv4-source-route-{kind}-last-hop",
            "A source route that is taken for finished with one address left.",
            ipv4_packet(6, segment4(6, destination=other4), last_hop),
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
    yield refused(
        "ipv4-icmpv6", "ICMPv6 over IPv4, which nobody sends.", ipv4_packet(58, text), "unknown"
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

    # IPv6 alone.
    tcp6 = ipv6_packet(6, segment6(6))
    for length in (1, 39, len(tcp6) - 1):
        yield refused(
            f"ipv6-{length}-bytes", "Bytes read that are not there.", tcp6[:length], "short"
        )
    for protocol in (1, 2):
        yield refused(
            f"ipv6-{names[protocol]}",
            "A protocol of IPv4 over IPv6, which nobody sends.",
            ipv6_packet(protocol, text),
            "unknown",
        )
    yield refused(
        "ipv6-no-next-header", "Bytes behind no next header.", ipv6_packet(59, text), "unknown"
    )
    yield refused(
        "ipv6-header-alone",
        "A header with nothing behind it refused, or read beyond.",
        ipv6_packet(59, b""),
        "unknown",
    )

    def extended(name, catches, *chain, source=a6, destination=b6, protocol=6):
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

    pad = bytes([0, 1, 4, 0, 0, 0, 0])
    home = bytes([2, 1, 2, 0, 0, 0xC9, 16]) + other6  # 24 bytes with the next header
    assert len(home) == 23
    yield from extended("ipv6-options", "Extension headers not passed.", (0, pad), (60, pad))
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
        ipv6_packet(60, bytes([59]) + pad),
        "unknown",
    )
    yield from extended(
        "ipv6-home-address",
        "The care-of address in the pseudo-header, where the home address belongs.",
        (60, home),
        source=other6,
    )
    yield from extended(
        "ipv6-home-address-behind",
        "A home address overlooked behind another option.",
        (60, bytes([2, 0x1E, 2, 0, 0, 0xC9, 16]) + other6),
        source=other6,
    )
    yield wrong(
        "ipv6-home-address-twice",
        "Two home addresses, one of which is believed.",
        "malformed",
        (60, home),
        (60, home),
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
        ipv6_packet(60, bytes([6]) + pad[:6]),
        "malformed",
    )
    yield wrong(
        "ipv6-hop-by-hop-second",
        "Hop-by-hop options that are not first, which are no extension header there.",
        "unknown",
        (60, pad),
        (0, pad),
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
    hops = random_bytes("hops", 16)
    routes = {
        "type-0": (bytes([4, 0, 2, 0, 0, 0, 0]) + hops + other6, other6),
        "type-0-finished": (bytes([4, 0, 0, 0, 0, 0, 0]) + hops + other6, b6),
        "type-2": (bytes([2, 2, 1, 0, 0, 0, 0]) + other6, other6),
        "type-2-finished": (bytes([2, 2, 0, 0, 0, 0, 0]) + other6, b6),
        "type-3-finished": (bytes([2, 3, 0, 0, 0, 0, 0]) + hops, b6),
        "type-4": (bytes([4, 4, 1, 1, 0, 0, 0]) + other6 + hops, other6),
        "type-4-reduced": (bytes([4, 4, 2, 1, 0, 0, 0]) + other6 + hops, other6),
        "type-4-tlv": (bytes([3, 4, 1, 0, 0, 0, 0]) + other6 + bytes([4, 6]) + bytes(6), other6),
        "type-4-finished": (bytes([4, 4, 0, 1, 0, 0, 0]) + other6 + hops, b6),
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
        (60, home),
        source=other6,
        destination=other6,
        protocol=17,
    )
    for name, body in (
        ("type-0-left", bytes([4, 0, 3, 0, 0, 0, 0]) + hops + other6),
        ("type-0-empty", bytes([0, 0, 1, 0, 0, 0, 0])),
        ("type-0-odd", bytes([3, 0, 1, 0, 0, 0, 0]) + hops + bytes(8)),
        ("type-2-left", bytes([2, 2, 2, 0, 0, 0, 0]) + other6),
        ("type-2-long", bytes([4, 2, 1, 0, 0, 0, 0]) + hops + other6),
        ("type-4-left", bytes([4, 4, 3, 1, 0, 0, 0]) + other6 + hops),
        ("type-4-last", bytes([4, 4, 1, 2, 0, 0, 0]) + other6 + hops),
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

    # Jumbograms (RFC 2675).
    for protocol in (6, 17):
        data = headers[protocol] + (PERIOD_251 * 280)[:70001]
        data = data if protocol == 6 else data[:4] + bytes(2) + data[6:]
        right = segment_of(protocol, a6, b6, data)
        size = len(headers[protocol])
        jumbo = bytes([protocol, 0, 0xC2, 4]) + (8 + len(right)).to_bytes(4, "big")
        begin = ipv6_packet(0, b"") + jumbo + right[:size]
        parts = recipe(begin, repeat(PERIOD_251.hex(), 70001))
        at = FIELD_OFFSET[protocol] - size
        changed = begin[:at] + bytes([begin[at] ^ 1]) + begin[at + 1 :]
        yield vector(
            f"ipv6-jumbo-{names[protocol]}",
            "A payload length of 0 believed, or the length of the option cut to 16 bits.",
            parts,
            "good",
            "good",
            parts,
            len(begin) + 70001,
        )
        yield vector(
            f"ipv6-jumbo-{names[protocol]}-bad",
            "A jumbogram that is not summed.",
            recipe(changed, repeat(PERIOD_251.hex(), 70001)),
            "bad",
            "good",
            parts,
        )
        yield refused(
            f"ipv6-jumbo-{names[protocol]}-cut",
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
        header = headers[protocol]
        if length is not None:
            header = header[:4] + length.to_bytes(2, "big") + header[6:]
        covers = length or size
        rest = size - len(header)
        data = header + (PERIOD_251 * 280)[:rest]
        right = segment_of(protocol, a6, b6, data, covers=covers, length=covers)
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


def udplite_vector(family, name, catches, coverage, field=None, ports=0xD431):
    source, destination = ADDRESSES[family]
    pseudo = (pseudo_ipv4 if family == 4 else pseudo_ipv6)(source, destination, 136, 39)
    covers = 39 if coverage == 0 else coverage if 8 <= coverage <= 39 else 0
    data = ports.to_bytes(2, "big") + b"\0\x35" + coverage.to_bytes(2, "big") + bytes(2)
    data = segment_of(136, source, destination, data + random_bytes("udplite", 31), covers=covers)
    right = int.from_bytes(data[6:8], "big")
    found = right if field is None else field
    data = data[:6] + found.to_bytes(2, "big") + data[8:]
    return {
        "name": f"{name}-ipv{family}",
        "catches": catches,
        "family": family,
        "source": source.hex(),
        "destination": destination.hex(),
        "segment": recipe(data),
        "seed": word(sum16(pseudo)),
        "coverage": covers,
        "field": word(right if covers else 0),
        "ok": covers > 0 and found != 0 and sum16(pseudo + data[:covers]) == 0xFFFF,
    }


def udplites():
    for family in (4, 6):
        for coverage in (0, 8, 9, 20, 38, 39):
            yield udplite_vector(
                family,
                f"coverage-{coverage}",
                "More or fewer bytes summed than the coverage says; 0 is the whole datagram.",
                coverage,
            )
        for coverage in (1, 7, 40, 0xFFFF):
            yield udplite_vector(
                family,
                f"illegal-{coverage}",
                "An illegal coverage that is summed (RFC 3828 section 3.1).",
                coverage,
            )
        yield udplite_vector(family, "zero-field", "A field of 0x0000 let pass as in UDP.", 8, 0)
        yield udplite_vector(family, "bad", "A verifier that accepts anything.", 8, 0x1234)
        plain = int(udplite_vector(family, "", "", 8)["field"], 16)
        v = udplite_vector(
            family,
            "zero",
            "A computed 0x0000 sent as it is: UDP-Lite sends 0xFFFF.",
            8,
            ports=fold(0xD431 + plain),
        )
        assert v["field"] == "0xffff"
        yield v


GROUPS = {
    "sum": sums,
    "split": splits,
    "subtract": subtracts,
    "update": updates,
    "verify": verifies,
    "pseudo": pseudos,
    "ipv4_header": ipv4_headers,
    "tcp": tcps,
    "udp": udps,
    "icmp": icmps,
    "icmpv6": icmpv6s,
    "range": ranges,
    "remove_head": removals,
    "replace": replacements,
    "finish": finishes,
    "udplite": udplites,
    "packet": packets,
}


def make():
    vectors = {"format": 1, "seed": SEED}
    for group, generate in GROUPS.items():
        vectors[group] = list(generate())
        names = [v["name"] for v in vectors[group]]
        assert len(names) == len(set(names)), group
    return vectors


# ---- the outputs ----


def render_json(vectors):
    """One vector to a line, so that a change shows as what it is."""

    def value(v):
        if not isinstance(v, list):
            return json.dumps(v)
        return "[\n" + ",\n".join("  " + json.dumps(one) for one in v) + "\n ]"

    return "{\n" + ",\n".join(f" {json.dumps(k)}: {value(v)}" for k, v in vectors.items()) + "\n}\n"


C_TYPES = """\
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The test vectors, made by spec/make_vectors.py; spec/checksum.md says what each field means.
 * Every sum and checksum is the number that its two bytes make when read big-endian, as on the wire. */
#ifndef WIRESUM_VECTORS_H
#define WIRESUM_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An input is its parts one after the other; a part is its `size` bytes over and over, cut off at `length`. */
struct vector_part { const uint8_t *bytes; size_t size; uint64_t length; };
struct vector_data { const struct vector_part *parts; size_t count; uint64_t length; };
struct vector_piece { uint64_t length; uint16_t sum; };
enum vector_status { VECTOR_GOOD, VECTOR_BAD, VECTOR_BAD_HEADER, VECTOR_ABSENT, VECTOR_ILLEGAL, VECTOR_FRAGMENT,
                     VECTOR_UNKNOWN, VECTOR_ROUTED, VECTOR_SHORT, VECTOR_MALFORMED };

struct vector_sum { const char *name, *catches; struct vector_data data; uint16_t sum, checksum; bool huge; };
struct vector_split { const char *name, *catches; struct vector_data data; const struct vector_piece *pieces;
                      size_t count; uint16_t sum; };
struct vector_subtract { const char *name, *catches; uint16_t whole, part, rest; };
struct vector_update { const char *name, *catches; uint16_t checksum; uint64_t offset; struct vector_data was, is;
                       uint16_t after, udp_after; };
struct vector_verify { const char *name, *catches; struct vector_data data; uint16_t sum; bool ok; };
struct vector_pseudo { const char *name, *catches; int family; uint8_t source[16], destination[16], protocol;
                       uint32_t length; uint16_t sum; };
struct vector_ipv4_header { const char *name, *catches; uint8_t header[60]; size_t length;
                            uint16_t checksum; bool ok; };
struct vector_segment { const char *name, *catches; int family; uint8_t protocol, source[16], destination[16];
                        struct vector_data segment; size_t field_offset; uint16_t seed, checksum, field;
                        enum vector_status status; };
struct vector_range { const char *name, *catches; struct vector_data data; const struct vector_piece *pieces;
                      size_t count; uint64_t offset, length; uint16_t sum; const struct vector_piece *rooms;
                      size_t rooms_count; uint64_t copied; uint16_t copied_sum; };
struct vector_remove_head { const char *name, *catches; uint16_t whole; uint64_t length, head_length;
                            uint16_t head, rest; };
struct vector_replace { const char *name, *catches; uint16_t checksum, was, is, after, udp_after; };
struct vector_finish { const char *name, *catches; struct vector_data frame; uint64_t start, offset; bool ok;
                       uint16_t field; };
struct vector_udplite { const char *name, *catches; int family; uint8_t source[16], destination[16];
                        struct vector_data segment; uint16_t seed; uint64_t coverage; uint16_t field; bool ok; };
struct vector_packet { const char *name, *catches; struct vector_data packet; enum vector_status result, fill;
                       struct vector_data filled; uint64_t end; };

/* Writes the from->length bytes that a recipe describes. Not for vectors marked huge. */
static inline void vector_fill(uint8_t *to, const struct vector_data *from)
{
    for (size_t i = 0; i < from->count; i++)
        for (uint64_t j = 0; j < from->parts[i].length; j++)
            *to++ = from->parts[i].bytes[j % from->parts[i].size];
}

"""

# Of each group: the C struct and, in the order of its members, how each member is written.
C_GROUPS = {
    "sum": ("sum", "data:data sum:word checksum:word huge:bool"),
    "split": ("split", "data:data pieces:pieces sum:word"),
    "subtract": ("subtract", "whole:word part:word rest:word"),
    "update": ("update", "checksum:word offset:int was:data is:data after:word udp_after:word"),
    "verify": ("verify", "data:data sum:word ok:bool"),
    "pseudo": (
        "pseudo",
        "family:int source:bytes destination:bytes protocol:int length:int sum:word",
    ),
    "ipv4_header": ("ipv4_header", "header:sized checksum:word ok:bool"),
    "range": (
        "range",
        "data:data pieces:pieces offset:int length:int sum:word rooms:pieces copied:int copied_sum:word",
    ),
    "remove_head": ("remove_head", "whole:word length:int head_length:int head:word rest:word"),
    "replace": ("replace", "checksum:word was:word is:word after:word udp_after:word"),
    "finish": ("finish", "frame:data start:int offset:int ok:bool field:word"),
    "udplite": (
        "udplite",
        "family:int source:bytes destination:bytes segment:data seed:word coverage:int field:word ok:bool",
    ),
    "packet": ("packet", "packet:data result:status fill:status filled:data end:int"),
} | dict.fromkeys(
    ("tcp", "udp", "icmp", "icmpv6"),
    (
        "segment",
        "family:int protocol:int source:bytes destination:bytes segment:data field_offset:int seed:word"
        " checksum:word field:word status:status",
    ),
)


RECIPES = ("data", "segment", "was", "is", "frame", "packet", "filled")


def render_c(vectors):
    """The vectors as arrays of structs. Patterns stand once, in one pool, and are shared wherever they recur."""
    pool = bytearray()

    def every_part(v):
        recipes = [v[key] for key in RECIPES if isinstance(v.get(key), list)]
        return [part for parts in recipes for part in parts]

    everything = [v for group in C_GROUPS for v in vectors[group]]
    for pattern in sorted(
        {pattern_of(part) for v in everything for part in every_part(v)}, key=lambda p: (-len(p), p)
    ):
        if pattern not in pool:
            pool += pattern

    parts, pieces = [], []

    def c_bytes(data):
        return "{" + ",".join(map(str, data)) + "}"

    def c_data(recipe):
        start = len(parts)
        for part in recipe:
            pattern = pattern_of(part)
            parts.append(
                f"{{vector_bytes + {pool.index(pattern)}, {len(pattern)}, {length_of(part)}u}}"
            )
        return f"{{vector_parts + {start}, {len(recipe)}, {sum(map(length_of, recipe))}u}}"

    def c_pieces(rows):
        start = len(pieces)
        pieces.extend(f"{{{row['length']}u, {row['sum']}}}" for row in rows)
        return f"vector_pieces + {start}, {len(rows)}"

    write = {
        "data": c_data,
        "pieces": c_pieces,
        "word": str,
        "int": lambda number: f"{number}u",
        "bool": lambda flag: "true" if flag else "false",
        "bytes": lambda text: c_bytes(bytes.fromhex(text)),
        "sized": lambda text: f"{c_bytes(bytes.fromhex(text))}, {len(text) // 2}",
        "status": lambda text: f"VECTOR_{text.upper()}",
    }
    arrays = []
    for group, (struct, members) in C_GROUPS.items():
        rows = []
        for v in vectors[group]:
            columns = [json.dumps(v["name"]), json.dumps(v["catches"])]
            for member in members.split():
                key, kind = member.split(":")
                columns.append(write[kind](v.get(key, False)))
            rows.append("    {" + ", ".join(columns) + "},\n")
        count = f"static const size_t vectors_{group}_count = {len(rows)};\n\n"
        arrays.append(
            f"static const struct vector_{struct} vectors_{group}[] = {{\n"
            + "".join(rows)
            + "};\n"
            + count
        )

    def table(declaration, rows, per_line):
        lines = [", ".join(rows[i : i + per_line]) for i in range(0, len(rows), per_line)]
        return f"static const {declaration}[] = {{\n    " + ",\n    ".join(lines) + "\n};\n\n"

    return (
        C_TYPES
        + f"#define VECTORS_SEED {json.dumps(vectors['seed'])}\n\n"
        + table("uint8_t vector_bytes", [f"0x{byte:02x}" for byte in pool], 20)
        + table("struct vector_part vector_parts", parts, 3)
        + table("struct vector_piece vector_pieces", pieces, 6)
        + "".join(arrays)
        + "#endif\n"
    )


def main():
    arguments = argparse.ArgumentParser(description="Writes vectors.json from the reference.")
    arguments.add_argument(
        "--check", action="store_true", help="fail if vectors.json is not what would be written"
    )
    arguments.add_argument(
        "--c", metavar="FILE", help='write the vectors as a C header instead ("-": standard output)'
    )
    options = arguments.parse_args()
    vectors = make()
    print(f"seed: {SEED}", file=sys.stderr)
    if options.c == "-":
        sys.stdout.write(render_c(vectors))
    elif options.c:
        Path(options.c).write_text(render_c(vectors))
    elif options.check:
        if not VECTORS.exists() or VECTORS.read_text() != render_json(vectors):
            sys.exit(
                "vectors.json is out of date: run python3 spec/make_vectors.py and look at the difference"
            )
    else:
        VECTORS.write_text(render_json(vectors))


if __name__ == "__main__":
    main()
