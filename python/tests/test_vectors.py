# SPDX-License-Identifier: MIT OR Apache-2.0
"""spec/vectors.json through each function of the package that a vector is about.

`./check python` builds and installs the package, and runs these tests.
"""

import ipaddress
import json
import unittest
from itertools import pairwise

import numpy as np
import wiresum
from specification import VECTORS, expand, length_of, pattern_of

GROUPS = json.loads(VECTORS.read_text())


def number(text):
    return int(text, 16)


def forms(data):
    """The data as each kind of object that has bytes."""
    yield "bytes", data
    yield "bytearray", bytearray(data)
    yield "memoryview", memoryview(b"\xa5" + data)[1:]  # at an odd address
    yield "numpy", np.frombuffer(data, np.uint8)


# The groups without a function in Python, and why.
WITHOUT = {
    "range": "the ranges and copies of chains of buffers serve network stacks in C; in Python a "
    "loop gives memoryviews of the pieces to Stream.update",
}

# What packet_fill says where it refuses a packet.
REFUSALS = {
    "fragment": "the packet is a fragment",
    "unknown": "protocol of the payload has no known checksum",
    "routed": "routing header does not tell the final destination",
    "short": "the data end before the packet does",
    "malformed": "a version, length or option of the packet is wrong",
}


def writable(data):
    """The data as each kind of object that can be written to."""
    return [(form, given) for form, given in forms(data) if form == "bytearray"] + [
        ("memoryview", memoryview(bytearray(b"\xa5" + data))[1:]),
        ("numpy", np.array(bytearray(data), np.uint8)),
    ]


class Vectors(unittest.TestCase):
    """Each group of the file has a method `one_of_GROUP`, or a row in WITHOUT."""

    def test_every_group(self):
        for group, vectors in GROUPS.items():
            if group in ("format", "seed", *WITHOUT):
                continue
            test = getattr(self, f"one_of_{group}")
            self.assertGreater(len(vectors), 7)
            for vector in vectors:
                with self.subTest(f"{group} {vector['name']}"):
                    test(vector)

    def test_the_groups_are_those_of_the_file(self):
        tested = {name[7:] for name in dir(self) if name.startswith("one_of_")}
        groups = {name for name, group in GROUPS.items() if isinstance(group, list)}
        self.assertEqual(tested | set(WITHOUT), groups)
        self.assertEqual(tested & set(WITHOUT), set())
        self.assertEqual(groups | {"format", "seed"}, set(GROUPS))

    def one_of_sum(self, vector):
        expected, checksum = number(vector["sum"]), number(vector["checksum"])
        if vector.get("huge"):
            self.assertEqual(self.huge(vector["data"]), expected)
            return
        data = expand(vector["data"])
        for form, given in forms(data):
            self.assertEqual(wiresum.sum(given), expected, form)
            self.assertEqual(wiresum.checksum(given), checksum, form)
            self.assertIs(wiresum.ok(given), expected == 0xFFFF, form)
            stream = wiresum.Stream(given)
            self.assertEqual((stream.sum(), stream.checksum()), (expected, checksum), form)
            target = bytearray(b"\x5a" * (len(data) + 2))
            copied = wiresum.copy(memoryview(target)[1:-1], given)
            self.assertEqual(copied, expected, form)
            self.assertEqual(target, b"\x5a" + data + b"\x5a", form)
        self.assertEqual(wiresum.checksum(data).to_bytes(2), wiresum.Stream(data).digest())

    def huge(self, parts):
        """The sum of a recipe beyond 2 GiB, of which no more than 64 MiB are ever built."""
        stream = wiresum.Stream()
        for part in parts:
            pattern, left = pattern_of(part), length_of(part)
            block = pattern * ((64 << 20) // len(pattern))
            while left > 0:
                here = memoryview(block)[: min(left, len(block))]
                stream.update(here)
                left -= len(here)
        return stream.sum()

    def one_of_split(self, vector):
        data, stream, at, joined = expand(vector["data"]), wiresum.Stream(), 0, 0
        for piece in vector["pieces"]:
            here = data[at : at + piece["length"]]
            self.assertEqual(wiresum.sum(here), number(piece["sum"]))
            joined = wiresum.append(joined, at, wiresum.sum(here))
            stream.update(here)
            at += len(here)
        self.assertEqual(at, len(data))
        self.assertEqual(joined, number(vector["sum"]))
        self.assertEqual((stream.sum(), stream.length), (number(vector["sum"]), len(data)))

    def one_of_update(self, vector):
        was, now = expand(vector["was"]), expand(vector["is"])
        arguments = number(vector["checksum"]), vector["offset"], was, now
        self.assertEqual(wiresum.update(*arguments), number(vector["after"]))
        self.assertEqual(wiresum.update_udp(*arguments), number(vector["udp_after"]))

    def one_of_verify(self, vector):
        data = expand(vector["data"])
        self.assertEqual(wiresum.sum(data), number(vector["sum"]))
        self.assertIs(wiresum.ok(data), vector["ok"])

    def one_of_pseudo(self, vector):
        self.pseudo(vector, vector["length"], number(vector["sum"]))

    def pseudo(self, vector, length, expected):
        """Compares the sum of a pseudo-header with addresses in each form, and returns it."""
        ends = [bytes.fromhex(vector[end]) for end in ("source", "destination")]
        compute = {4: wiresum.pseudo_ipv4, 6: wiresum.pseudo_ipv6}[vector["family"]]
        objects = [ipaddress.ip_address(end) for end in ends]
        for source, destination in (
            *(ends, objects, map(str, objects), map(bytearray, ends), map(memoryview, ends)),
        ):
            found = compute(source, destination, vector["protocol"], length)
            self.assertEqual(found, expected)
        return expected

    def one_of_ipv4_header(self, vector):
        header = bytes.fromhex(vector["header"])
        for form, given in forms(header):
            self.assertEqual(wiresum.ipv4_header(given), number(vector["checksum"]), form)
            self.assertIs(wiresum.ipv4_header_ok(given), vector["ok"], form)

    def one_of_tcp(self, vector):
        self.segment(vector, "tcp")

    def one_of_udp(self, vector):
        self.segment(vector, "udp")

    def one_of_icmp(self, vector):
        self.segment(vector, "icmp")

    def one_of_icmpv6(self, vector):
        self.segment(vector, "icmpv6")

    def segment(self, vector, group):
        compute, judge = getattr(wiresum, group), getattr(wiresum, f"{group}_ok")
        data = expand(vector["segment"])
        pseudo = []
        if group != "icmp":
            pseudo = [self.pseudo(vector, len(data), number(vector["seed"]))]
        header = {"tcp": 20, "udp": 8}.get(group, 4)
        for cut in sorted({header, min(len(data), header + 1), len(data)}):
            parts = [data[:cut], data[cut:]]
            given = [parts, [*map(bytearray, parts)]]
            if cut == len(data):
                given.append([data])
            for arguments in given:
                self.assertEqual(compute(*pseudo, *arguments), number(vector["field"]), cut)
                self.assertIs(judge(*pseudo, *arguments), vector["status"] == "good", cut)

    def one_of_udplite(self, vector):
        data, coverage = expand(vector["segment"]), vector["coverage"]
        pseudo = self.pseudo({**vector, "protocol": 136}, len(data), number(vector["seed"]))
        for form, given in forms(data):
            self.assertIs(wiresum.udplite_ok(pseudo, given), vector["ok"], form)
            if coverage:
                found = wiresum.udplite(pseudo, given)
                self.assertEqual(found, number(vector["field"]), form)
                continue
            with self.assertRaisesRegex(ValueError, f"of {len(data)} bytes is 0, or from 8 to"):
                wiresum.udplite(pseudo, given)
        if coverage:
            right = bytearray(data)
            right[6:8] = number(vector["field"]).to_bytes(2)
            for at in range(len(data)):
                right[at] ^= 0x10
                if at not in (4, 5):  # the coverage
                    self.assertIs(wiresum.udplite_ok(pseudo, right), at >= coverage, at)
                right[at] ^= 0x10

    def one_of_subtract(self, vector):
        whole, part = number(vector["whole"]), number(vector["part"])
        for even in (0, 2, 1 << 20):
            self.assertEqual(wiresum.remove(whole, even, part), number(vector["rest"]))
            swapped = int.from_bytes(part.to_bytes(2), "little")  # RFC 1071 section 2 (B)
            self.assertEqual(wiresum.remove(whole, even + 1, swapped), number(vector["rest"]))

    def one_of_remove_head(self, vector):
        length, head_length = vector["length"], vector["head_length"]
        whole, head, rest = (number(vector[name]) for name in ("whole", "head", "rest"))
        if head_length == length and head:
            rest = 0xFFFF  # a sum does not tell what it is made of
        self.assertEqual(wiresum.remove_head(whole, head_length, head), rest)
        joined = wiresum.append(head, head_length, rest)
        self.assertEqual(joined % 0xFFFF, whole % 0xFFFF)

    def one_of_replace(self, vector):
        arguments = [number(vector[name]) for name in ("checksum", "was", "is")]
        self.assertEqual(wiresum.update_sum(*arguments), number(vector["after"]))
        self.assertEqual(wiresum.update_udp_sum(*arguments), number(vector["udp_after"]))

    def one_of_finish(self, vector):
        before, start, offset = expand(vector["frame"]), vector["start"], vector["offset"]
        for _, frame in writable(before):
            if not vector["ok"]:
                with self.assertRaisesRegex(ValueError, "odd offset|not inside of the frame"):
                    wiresum.packet_finish(frame, start, offset)
                self.assertEqual(bytes(frame), before)
                continue
            self.assertIsNone(wiresum.packet_finish(frame, start, offset))
            at = start + offset
            field = number(vector["field"]).to_bytes(2)
            self.assertEqual(bytes(frame), before[:at] + field + before[at + 2 :])

    def one_of_packet(self, vector):
        packet, fill = expand(vector["packet"]), vector["fill"]
        result = vector["result"].replace("_", "-")
        for form, given in forms(packet):
            self.assertEqual(wiresum.packet_verify(given), result, form)
        for form, given in writable(packet):
            if fill == "good":
                self.assertIsNone(wiresum.packet_fill(given))
                self.assertEqual(bytes(given), expand(vector["filled"]), form)
                self.assertEqual(wiresum.packet_verify(given), "good", form)
                continue
            with self.assertRaisesRegex(ValueError, REFUSALS[fill]):
                wiresum.packet_fill(given)
            self.assertEqual(bytes(given), packet, form)
        end = vector["end"]
        for cut in range(0, end, 997 if end > 1000 else 1):
            self.assertEqual(wiresum.packet_verify(packet[:cut]), "short", cut)

    def test_batches(self):
        vectors = [vector for vector in GROUPS["sum"] if not vector.get("huge")]
        packets = [expand(vector["data"]) for vector in vectors]
        expected = [number(vector["checksum"]) for vector in vectors]
        self.assertGreater(len(packets), 800)
        self.assertEqual(wiresum.checksums(packets).to_list(), expected)
        offsets = [0]
        for packet in packets:
            offsets.append(offsets[-1] + len(packet))
        for kind in (np.int32, np.int64):
            batch = wiresum.checksums(b"".join(packets), np.array(offsets, kind))
            self.assertEqual(batch.to_list(), expected)
        self.assertEqual([b - a for a, b in pairwise(offsets)], [len(p) for p in packets])


if __name__ == "__main__":
    unittest.main()
