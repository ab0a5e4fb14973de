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
enum vector_status { VECTOR_GOOD, VECTOR_BAD, VECTOR_ABSENT, VECTOR_ILLEGAL };

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
} | dict.fromkeys(
    ("tcp", "udp", "icmp", "icmpv6"),
    (
        "segment",
        "family:int protocol:int source:bytes destination:bytes segment:data field_offset:int seed:word"
        " checksum:word field:word status:status",
    ),
)


def render_c(vectors):
    """The vectors as arrays of structs. Patterns stand once, in one pool, and are shared wherever they recur."""
    pool = bytearray()

    def every_part(v):
        return [part for key in ("data", "segment", "was", "is") for part in v.get(key, [])]

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
