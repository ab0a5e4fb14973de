# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sums of one input, of an input in pieces, and of ranges of pieces."""

from groups.inputs import (
    PERIOD_251,
    expand,
    huge_vector,
    random_bytes,
    recipe,
    repeat,
    sum_vector,
    word,
)
from reference import checksum, subtract, sum16


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
