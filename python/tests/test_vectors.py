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


class Vectors(unittest.TestCase):
    def each(self, test, *groups):
        """Calls a test with each vector of these groups; a failure names its vector."""
        for group in groups:
            vectors = GROUPS[group]
            self.assertGreater(len(vectors), 7)
            for vector in vectors:
                with self.subTest(f"{group} {vector['name']}"):
                    test(vector, group)

    def test_sums(self):
        self.each(self.one_of_sums, "sum")

    def one_of_sums(self, vector, group):
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

    def test_splits(self):
        self.each(self.one_of_splits, "split")

    def one_of_splits(self, vector, group):
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

    def test_updates(self):
        self.each(self.one_of_updates, "update")

    def one_of_updates(self, vector, group):
        was, now = expand(vector["was"]), expand(vector["is"])
        arguments = number(vector["checksum"]), vector["offset"], was, now
        self.assertEqual(wiresum.update(*arguments), number(vector["after"]))
        self.assertEqual(wiresum.update_udp(*arguments), number(vector["udp_after"]))

    def test_verdicts(self):
        self.each(self.one_of_verdicts, "verify")

    def one_of_verdicts(self, vector, group):
        data = expand(vector["data"])
        self.assertEqual(wiresum.sum(data), number(vector["sum"]))
        self.assertIs(wiresum.ok(data), vector["ok"])

    def test_pseudo_headers(self):
        self.each(self.one_of_pseudo_headers, "pseudo")

    def one_of_pseudo_headers(self, vector, group):
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

    def test_ipv4_headers(self):
        self.each(self.one_of_ipv4_headers, "ipv4_header")

    def one_of_ipv4_headers(self, vector, group):
        header = bytes.fromhex(vector["header"])
        for form, given in forms(header):
            self.assertEqual(wiresum.ipv4_header(given), number(vector["checksum"]), form)
            self.assertIs(wiresum.ipv4_header_ok(given), vector["ok"], form)

    def test_segments(self):
        self.each(self.one_segment, "tcp", "udp", "icmp", "icmpv6")

    def one_segment(self, vector, group):
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

    def test_the_files_groups_are_known(self):
        tested = {
            *("sum", "split", "update", "verify", "pseudo", "ipv4_header"),
            *("tcp", "udp", "icmp", "icmpv6"),
        }
        # The package has no function for these groups.
        others = {"subtract", "range", "remove_head", "replace", "finish", "udplite", "packet"}
        groups = {name for name, group in GROUPS.items() if isinstance(group, list)}
        self.assertEqual(tested | others, groups)

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
