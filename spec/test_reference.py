# SPDX-License-Identifier: MIT OR Apache-2.0
"""The reference against answers it did not make, and the vectors against the reference.

python3 -m unittest, or pytest, in this folder. WIRESUM_SEED=number repeats a random run.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import make_vectors
from groups.c_header import render_c
from groups.inputs import repeat_total
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

HERE = Path(__file__).resolve().parent
SEED = int(os.environ.get("WIRESUM_SEED", random.randrange(2**32)))
VECTORS = json.loads((HERE / "vectors.json").read_text())


def setUpModule():
    print(f"WIRESUM_SEED={SEED}", file=sys.stderr)


def h(text):
    return bytes.fromhex(text)


def sum_as_integer(data):
    """The sum by a quite different definition: the data as one number, modulo 65535, with -0 for
    +0."""
    number = int.from_bytes(data + bytes(len(data) % 2), "big")
    return 0 if number == 0 else number % 65535 or 0xFFFF


def swap(number):
    return number >> 8 | (number & 0xFF) << 8


class Literals(unittest.TestCase):
    """Answers from the RFCs, from textbooks and from packets a Linux stack sent, typed in by
    hand."""

    def test_rfc1071_section_3(self):
        self.assertEqual(total(h("0001 f203 f4f5 f6f7")), 0x2DDF0)
        self.assertEqual(sum16(h("0001 f203 f4f5 f6f7")), 0xDDF2)
        self.assertEqual(checksum(h("0001 f203 f4f5 f6f7")), 0x220D)
        self.assertEqual(
            sum16(h("0100 03f2 f5f4 f7f6")), 0xF2DD
        )  # the same in the other byte order
        self.assertEqual(
            sum16(h("0001 f2")), 0xF201
        )  # and in two pieces, the second at an odd offset
        self.assertEqual(sum16(h("03 f4f5 f6f7")), 0xF0EB)
        self.assertEqual(fold(0xF201 + 0xEBF0), 0xDDF2)

    def test_two_zeros(self):
        self.assertEqual(sum16(b""), 0)
        self.assertEqual(checksum(b""), 0xFFFF)
        self.assertEqual(sum16(bytes(7)), 0)
        self.assertEqual(sum16(h("ffff")), 0xFFFF)
        self.assertEqual(sum16(h("ffff 0000 ffff")), 0xFFFF)
        self.assertEqual(sum16(h("8000 7fff")), 0xFFFF)

    def test_odd_last_byte(self):
        self.assertEqual(sum16(h("12")), 0x1200)
        self.assertEqual(sum16(h("ffff ff")), 0xFF00)

    def test_lost_carry(self):
        data = b"\xff" * 32 + h("01000000") * 8 + b"\xff" * 32 + bytes(160)
        self.assertEqual(sum16(data), 0x0800)
        self.assertEqual(checksum(data), 0xF7FF)

    def test_lengths_that_break_others(self):
        for length in (65536, 131072, 131076, 524288, 524298):
            self.assertEqual(sum16(b"\xff" * length), 0xFFFF)
        for length in (65535, 131077, 524299):
            self.assertEqual(sum16(b"\xff" * length), 0xFF00)

    def test_ipv4_headers(self):
        self.assertEqual(checksum(h("4500 0073 0000 4000 4011 0000 c0a8 0001 c0a8 00c7")), 0xB861)
        self.assertEqual(checksum(h("4500 003c 1c46 4000 4006 0000 ac10 0a63 ac10 0a0c")), 0xB1E6)
        self.assertEqual(sum16(h("4500 003c 1c46 4000 4006 b1e6 ac10 0a63 ac10 0a0c")), 0xFFFF)

    def test_rfc1624_section_4(self):
        self.assertEqual(update(0xDD2F, 0, h("5555"), h("3285")), 0x0000)

    def test_ttl_decrement(self):
        self.assertEqual(update(0xB861, 8, h("40"), h("3f")), 0xB961)
        self.assertEqual(update(0xB861, 8, h("4011"), h("3f11")), 0xB961)
        self.assertEqual(update(0xFEFF, 8, h("40"), h("3f")), 0x0000)  # where RFC 1141 says 0xFFFF
        self.assertEqual(update(0xFFFF, 0, h("0000"), h("0000")), 0xFFFF)  # of all-zero data
        self.assertEqual(update(0xFFFF, 0, h("1234"), h("1234")), 0x0000)  # data are not all zero

    def test_0xffff_of_data_that_are_not_all_zero(self):
        """The result of 0x0000, except where it cannot be."""
        for was in range(65536):
            for now in (0, 1, was, 0xFFFF - was, 0xFFFF):
                m, n = was.to_bytes(2, "big"), now.to_bytes(2, "big")
                stays = was in (0, 0xFFFF) and now == 0
                expected = 0xFFFF if stays else update(0x0000, 0, m, n)
                self.assertEqual(update(0xFFFF, 0, m, n), expected, (was, now))
                if stays:
                    self.assertEqual(update(0x0000, 0, m, n), 0x0000)

    def test_linux_packets(self):
        a4, b4 = h("c0000201"), h("c0000202")
        a6, b6 = h("20010db8000000000000000000000001"), h("20010db8000000000000000000000002")
        icmp = h("0800 0000 1193 0001 000102030405060708")
        self.assertEqual(checksum(icmp), 0xD25B)
        icmpv6 = h("8000 0000 1194 0001 000102030405060708")
        self.assertEqual(checksum(pseudo_ipv6(a6, b6, 58, 17) + icmpv6), 0xFE99)
        udp = h("ec91 0007 000f 0000") + b"wiresum"
        self.assertEqual(checksum(pseudo_ipv4(a4, b4, 17, 15) + udp), 0xC4EE)
        udp = h("9435 0007 000f 0000") + b"wiresum"
        self.assertEqual(checksum(pseudo_ipv6(a6, b6, 17, 15) + udp), 0x45DA)
        tcp = (
            h("9e90 0007 d137953c c9605a2e 8018 003f 0000 0000 0101080a8d35c7d8b85015f2")
            + b"wiresum"
        )
        self.assertEqual(checksum(pseudo_ipv4(a4, b4, 6, 39) + tcp), 0xDC3A)
        tcp = (
            h("b50e 0007 1d285229 85858780 8018 0040 0000 0000 0101080aad8a4d64b509be92")
            + b"wiresum"
        )
        self.assertEqual(checksum(pseudo_ipv6(a6, b6, 6, 39) + tcp), 0xB0BC)

    def test_linux_seeds(self):
        """What Linux left in the field with checksum offload on (CHECKSUM_PARTIAL)."""
        a4, b4 = h("c0000201"), h("c0000202")
        a6, b6 = h("20010db8000000000000000000000001"), h("20010db8000000000000000000000002")
        self.assertEqual(sum16(pseudo_ipv4(a4, b4, 17, 15)), 0x8424)
        self.assertEqual(sum16(pseudo_ipv4(a4, b4, 6, 40)), 0x8432)
        self.assertEqual(sum16(pseudo_ipv6(a6, b6, 17, 15)), 0x5B95)
        self.assertEqual(sum16(pseudo_ipv6(a6, b6, 6, 40)), 0x5BA3)

    def test_udp_zero(self):
        self.assertEqual(udp_field(0x0000), 0xFFFF)
        self.assertEqual(udp_field(0xFFFF), 0xFFFF)
        self.assertEqual(udp_field(0x1234), 0x1234)

    def test_subtract(self):
        self.assertEqual(subtract(0xDDF2, 0xF201), 0xEBF0)
        self.assertEqual(subtract(0x0000, 0x0000), 0x0000)
        self.assertEqual(subtract(0x1234, 0x0000), 0x1234)
        self.assertEqual(subtract(0x1234, 0x1234), 0xFFFF)

    def test_pseudo_header_bytes(self):
        self.assertEqual(
            pseudo_ipv4(h("01020304"), h("05060708"), 17, 0x0910), h("01020304 05060708 00 11 0910")
        )
        a, b = bytes(range(16)), bytes(range(16, 32))
        self.assertEqual(pseudo_ipv6(a, b, 58, 0x12345678), a + b + h("12345678 000000 3a"))


class Algebra(unittest.TestCase):
    """Laws of checksum.md, on random data that are often long, sparse, all zero or all one."""

    def setUp(self):
        self.random = random.Random(SEED)

    def data(self, most=200):
        length = self.random.randrange(most)
        kind = self.random.randrange(4)
        if kind == 0:
            return self.random.randbytes(length)
        choices = (b"\0\xff", b"\0\0\0\1", b"\xff")[kind - 1]
        return bytes(self.random.choices(choices, k=length))

    def test_as_one_integer(self):
        for _ in range(5000):
            data = self.data()
            self.assertEqual(sum16(data), sum_as_integer(data), data.hex())
        for length in (65535, 131076, 524298, 1048577):
            data = self.random.randbytes(length)
            self.assertEqual(sum16(data), sum_as_integer(data))

    def test_fold_is_the_remainder(self):
        for number in [
            *range(70000),
            0x1FFFE,
            0x1FFFF,
            0xFFFF0001,
            0xFFFFFFFF,
            2**64 - 1,
            2**64,
            2**80 - 1,
        ]:
            self.assertEqual(fold(number), 0 if number == 0 else number % 65535 or 0xFFFF)

    def test_append(self):
        for _ in range(5000):
            head, tail = self.data(), self.data()
            shifted = swap(sum16(tail)) if len(head) % 2 else sum16(tail)
            self.assertEqual(
                fold(sum16(head) + shifted), sum16(head + tail), (head.hex(), tail.hex())
            )

    def test_byte_order(self):
        for _ in range(1000):
            data = self.data()
            data += bytes(len(data) % 2)
            other = bytes(data[i ^ 1] for i in range(len(data)))
            self.assertEqual(sum16(other), swap(sum16(data)))

    def test_data_with_their_checksum_verify(self):
        for _ in range(1000):
            data = self.data()
            data += bytes(len(data) % 2)
            self.assertEqual(sum16(data + checksum(data).to_bytes(2, "big")), 0xFFFF)

    def test_subtract(self):
        for _ in range(5000):
            head, tail = self.data(), self.data()
            head += bytes(len(head) % 2)
            rest = subtract(sum16(head + tail), sum16(head))
            if sum16(tail) or not sum16(head):
                self.assertEqual(rest, sum16(tail))
            else:  # the one thing that a difference cannot tell
                self.assertEqual(rest, 0xFFFF)

    def test_update_is_recomputing(self):
        for _ in range(5000):
            data = self.data(60)
            start, end = sorted(self.random.choices(range(len(data) + 1), k=2))
            now = self.random.choice((bytes, self.random.randbytes, lambda n: b"\xff" * n))(
                end - start
            )
            changed = data[:start] + now + data[end:]
            after = update(checksum(data), start, data[start:end], now)
            if any(changed) or not any(data):
                self.assertEqual(after, checksum(changed), (data.hex(), start, now.hex()))
            else:  # data that become all zero are the one ambiguity
                self.assertEqual(after, 0x0000)

    def test_update_is_equation_3(self):
        """Word for word as RFC 1624 writes it, wherever RFC 1624 means it."""
        for _ in range(5000):
            before = self.random.choice((0, 1, 0x1234, 0xFFFE, self.random.randrange(0xFFFF)))
            m, now = (
                self.random.choice((0, 1, 0x8000, 0xFFFF, self.random.randrange(65536)))
                for _ in range(2)
            )
            expected = 0xFFFF - fold((0xFFFF - before) + (0xFFFF - m) + now)
            self.assertEqual(
                update(before, 0, m.to_bytes(2, "big"), now.to_bytes(2, "big")), expected
            )

    def test_repeat_total(self):
        for size in range(1, 10):
            pattern = self.random.randbytes(size)
            for length in range(100):
                data = (pattern * 100)[:length]
                self.assertEqual(repeat_total(pattern, length), total(data))


def expand(parts):
    """An input as checksum.md describes it, written apart from make_vectors.py."""
    out = b""
    for part in parts:
        if "hex" in part:
            out += h(part["hex"])
        else:
            pattern = h(part["repeat"])
            out += (pattern * -(-part["length"] // len(pattern)))[: part["length"]]
    return out


def number(text):
    assert len(text) == 6 and text == text.lower(), text
    return int(text, 16)


class Vectors(unittest.TestCase):
    def test_up_to_date(self):
        made = make_vectors.render_json(make_vectors.make())
        self.assertTrue(
            made == (HERE / "vectors.json").read_text(), "run python3 spec/make_vectors.py"
        )

    def test_names_and_reasons(self):
        for group in make_vectors.GROUPS:
            names = [v["name"] for v in VECTORS[group]]
            self.assertEqual(len(names), len(set(names)), group)
            for v in VECTORS[group]:
                self.assertRegex(v["catches"], r"^\S.{20,}[.]$", v["name"])

    def test_sums(self):
        for v in VECTORS["sum"]:
            self.assertEqual(number(v["sum"]) ^ number(v["checksum"]), 0xFFFF, v["name"])
            if "huge" not in v:
                self.assertEqual(number(v["sum"]), sum_as_integer(expand(v["data"])), v["name"])

    def test_huge_sums(self):
        """By geometry: a pattern of one word repeated n times is that word times n."""
        for v in VECTORS["sum"]:
            if "huge" in v:
                (part,) = v["data"]
                self.assertEqual(
                    4096 % (len(part["repeat"]) // 2), 0, "a page must hold whole patterns"
                )
                unit = int((part["repeat"] * 2)[:4], 16)
                value = unit * (part["length"] // 2) + (unit & 0xFF00) * (part["length"] % 2)
                self.assertEqual(number(v["sum"]), value % 65535 or 0xFFFF, v["name"])

    def test_splits(self):
        for v in VECTORS["split"]:
            data, at = expand(v["data"]), 0
            self.assertEqual(number(v["sum"]), sum_as_integer(data), v["name"])
            for piece in v["pieces"]:
                self.assertEqual(
                    number(piece["sum"]), sum_as_integer(data[at : at + piece["length"]]), v["name"]
                )
                at += piece["length"]
            self.assertEqual(at, len(data), v["name"])

    def test_statuses(self):
        for group in ("tcp", "udp", "icmp", "icmpv6"):
            for v in VECTORS[group]:
                data, at = expand(v["segment"]), v["field_offset"]
                found = int.from_bytes(data[at : at + 2], "big")
                whole = fold(sum_as_integer(data) + number(v["seed"]))
                status = "good" if whole == 0xFFFF else "bad"
                if group == "udp" and found == 0:
                    status = {4: "absent", 6: "illegal"}[v["family"]]
                self.assertEqual(v["status"], status, v["name"])
                if status == "good" and (found not in (0, 0xFFFF) or group == "udp"):
                    self.assertEqual(found, number(v["field"]), v["name"])

    def test_ranges(self):
        for v in VECTORS["range"]:
            data, start = expand(v["data"]), v["offset"]
            end = start + v["length"]
            self.assertEqual(number(v["sum"]), sum_as_integer(data[start:end]), v["name"])
            self.assertEqual(sum(piece["length"] for piece in v["pieces"]), len(data), v["name"])
            copied = data[start:][: sum(room["length"] for room in v["rooms"])]
            self.assertEqual(len(copied), v["copied"], v["name"])
            self.assertEqual(number(v["copied_sum"]), sum_as_integer(copied), v["name"])

    def test_packets(self):
        """A fill changes checksum fields alone, and a packet is good if it is what a fill makes."""
        seen = set()
        for v in VECTORS["packet"]:
            packet, filled = expand(v["packet"]), expand(v["filled"])
            seen |= {v["result"], v["fill"]}
            self.assertEqual(v["fill"] == "good", bool(filled), v["name"])
            if filled:
                self.assertEqual(len(packet), len(filled), v["name"])
                changed = [i for i, byte in enumerate(packet) if byte != filled[i]]
                self.assertLessEqual(len(changed), 2, v["name"])
                if v["result"] != "good":
                    self.assertTrue(changed, v["name"])
                elif changed:  # 0xFFFF for 0x0000
                    found = {bytes(data[i] for i in changed) for data in (packet, filled)}
                    self.assertEqual(found, {b"\xff\xff", b"\0\0"}, v["name"])
                header = filled[: 4 * (filled[0] & 15)] if filled[0] >> 4 == 4 else h("ffff")
                self.assertEqual(sum_as_integer(header), 0xFFFF, v["name"])
        self.assertEqual(len(seen), 10)

    def test_finished_frames_verify(self):
        """Linux left the sum of the pseudo-header in the field: what is stored takes its place."""
        for v in VECTORS["finish"]:
            frame, at = expand(v["frame"]), v["start"] + v["offset"]
            self.assertEqual(v["ok"], at + 2 <= len(frame) and v["offset"] % 2 == 0, v["name"])
            if v["ok"]:
                seed = int.from_bytes(frame[at : at + 2], "big")
                finished = frame[:at] + h(v["field"][2:]) + frame[at + 2 :]
                total = seed + sum_as_integer(finished[v["start"] :])
                self.assertIn(fold(total), (0xFFFF,), v["name"])

    def test_c_header(self):
        """The C form holds the same inputs and answers: a naive C sum over each of them agrees."""
        compiler = shutil.which(os.environ.get("CC", "cc"))
        if not compiler:
            self.skipTest("no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            header, source, program = (
                Path(folder, name) for name in ("vectors.h", "main.c", "main")
            )
            header.write_text(render_c(make_vectors.make()))
            source.write_text(C_PROGRAM)
            flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
            subprocess.run([compiler, *flags, "-o", program, source], check=True)
            output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        expected = sum("huge" not in v for v in VECTORS["sum"]) + len(VECTORS["tcp"])
        self.assertEqual(output, f"{expected} agree\n")


C_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include "vectors.h"

static uint16_t sum(const struct vector_data *data, uint64_t seed)
{
    uint8_t *bytes = malloc(data->length + 1);
    vector_fill(bytes, data);
    for (uint64_t i = 0; i < data->length; i++)
        seed += i % 2 ? bytes[i] : bytes[i] * 256u;
    free(bytes);
    while (seed > 0xffff)
        seed = (seed & 0xffff) + (seed >> 16);
    return (uint16_t)seed;
}

int main(void)
{
    int agree = 0;
    for (size_t i = 0; i < vectors_sum_count; i++)
        if (!vectors_sum[i].huge)
            agree += sum(&vectors_sum[i].data, 0) == vectors_sum[i].sum;
    for (size_t i = 0; i < vectors_tcp_count; i++)
        agree += (sum(&vectors_tcp[i].segment, vectors_tcp[i].seed) == 0xffff)
                 == (vectors_tcp[i].status == VECTOR_GOOD);
    printf("%d agree\\n", agree);
}
"""


def chain_without_last_carry(data, order):
    """64-bit add-with-carry whose last carry is never added."""
    lane, carry = 0, 0
    for i in range(0, len(data), 8):
        carry, lane = divmod(
            lane + int.from_bytes(data[i : i + 8].ljust(8, b"\0"), order) + carry, 2**64
        )
    return fold(lane) if order == "big" else swap(fold(lane))


def late_carry(data, order, bits):
    """Adds the last carry in with the next word, and looks for a carry before that only."""
    lane, carry, top = 0, 0, 2**bits
    for i in range(0, len(data), bits // 8):
        word = int.from_bytes(data[i : i + bits // 8].ljust(bits // 8, b"\0"), order)
        partial = (lane + word) % top
        lane, carry = (partial + carry) % top, int(partial < word)
    result = fold(lane + carry)
    return result if order == "big" else swap(result)


def fold_once(total, bits):
    total %= 2**bits
    return ((total & 0xFFFF) + (total >> 16)) & 0xFFFF


def signed(word):
    return word - 0x10000 if word & 0x8000 else word


class Mistakes(unittest.TestCase):
    """Mistakes that real implementations made: the vectors must catch each of them."""

    MISTAKES = {
        "remainder modulo 65535": lambda d: total(d) % 65535,
        "start from ~0": lambda d: fold(0xFFFF + total(d)),
        "odd byte as a low byte": lambda d: fold(
            total(d[: len(d) & ~1]) + (d[-1] if len(d) % 2 else 0)
        ),
        "odd byte dropped": lambda d: sum16(d[: len(d) & ~1]),
        "little-endian number": lambda d: swap(sum16(d)),
        "folded once": lambda d: fold_once(total(d), 64),
        "32-bit lane never flushed": lambda d: fold(total(d) % 2**32),
        "folded at >= 0xFFFF": lambda d: 0 if sum16(d) == 0xFFFF else sum16(d),
        "16-bit length": lambda d: sum16(d[: len(d) % 65536]),
        "words as signed": lambda d: fold(
            abs(
                sum(
                    signed(int.from_bytes(d[i : i + 2].ljust(2, b"\0"), "big"))
                    for i in range(0, len(d), 2)
                )
            )
        ),
        "last carry dropped, big-endian": lambda d: chain_without_last_carry(d, "big"),
        "last carry dropped, little-endian": lambda d: chain_without_last_carry(d, "little"),
        "late carry, 32 bits, little-endian": lambda d: late_carry(d, "little", 32),
        "late carry, 64 bits, little-endian": lambda d: late_carry(d, "little", 64),
        "late carry, 64 bits, big-endian": lambda d: late_carry(d, "big", 64),
    }

    def test_each_is_caught(self):
        inputs = [
            (v["name"], expand(v["data"]), number(v["sum"]))
            for v in VECTORS["sum"]
            if "huge" not in v
        ]
        inputs.sort(key=lambda one: len(one[1]))
        for mistake, mistaken in self.MISTAKES.items():
            caught = next((name for name, data, answer in inputs if mistaken(data) != answer), None)
            self.assertIsNotNone(caught, mistake)


if __name__ == "__main__":
    unittest.main()
