# SPDX-License-Identifier: MIT OR Apache-2.0
"""A capture read in parts: the rows and the counts equal the rows and counts of one reading,
wherever it is split.

python3 -m unittest discover -s python/tests/engines -p test_parts.py
"""

import random
import struct
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import pyarrow as pa
import wiresum
from archives import ROOT, captures, dictionaries, lines, program_counts, program_lines
from hypothesis import given, settings
from hypothesis import strategies as st
from wiresum.engines._files import File, find
from wiresum.engines._parts import (
    ASKING,
    OPENING,
    ROWS,
    SMALL,
    TASK,
    TASKS_A_CORE,
    Part,
    Reading,
    add,
    groups,
    plan,
    tasks_of,
)

PROPERTIES = settings(deadline=None, derandomize=True, max_examples=200)
EXAMPLES = ("fragments.pcap", "corrupted.pcap", "offload-on.pcap", "vlan.pcap", "snapped.pcap")
FRAMES = [
    (packet.data, packet.original_length)
    for name in EXAMPLES
    for packet in list(wiresum.packets(ROOT / "examples" / name))[:60]
]
# Fragments and flows of bad checksums are what crosses the ranges of a capture.
STRETCHES = st.lists(
    st.tuples(st.integers(0, len(FRAMES) - 1), st.integers(1, 12)), min_size=1, max_size=8
)


def pcap(frames, big_endian, nanoseconds):
    order = ">" if big_endian else "<"
    magic = 0xA1B23C4D if nanoseconds else 0xA1B2C3D4
    capture = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, 1)
    for n, (data, original) in enumerate(frames):
        capture += struct.pack(order + "IIII", 1_700_000_000 + n, n, len(data), original) + data
    return capture


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    length = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + length + body + length


def section(order):
    return block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))


def interface(order, link_type=1, snaplen=0):
    return block(order, 1, struct.pack(order + "HHI", link_type, 0, snaplen))


def pcapng(frames, big_endian, odd):
    """A pcapng whose sections, interfaces and kinds of block the generator `odd` chooses."""
    order = ">" if big_endian else "<"
    capture, interfaces = section(order) + interface(order), 1
    for n, (data, original) in enumerate(frames):
        choice = odd.random()
        if choice < 0.03:
            order = odd.choice("<>")
            capture, interfaces = capture + section(order) + interface(order), 1
        elif choice < 0.06:
            capture += interface(order, odd.choice((1, 1, 101)))
            interfaces += 1
        elif choice < 0.08:
            capture += block(order, 1, bytes(4))  # an interface that cannot be read
            interfaces += 1
        elif choice < 0.12:
            capture += block(order, odd.choice((4, 5, 0xBAD)), odd.randbytes(odd.randrange(40)))
        number = odd.randrange(interfaces)
        head = struct.pack(order + "IIIII", number, n >> 32, n * 1000, len(data), original)
        options = b""
        if choice > 0.9:
            options = struct.pack(order + "HHIHH", 2, 4, odd.choice((0, 1 << 9)), 0, 0)
        if choice > 0.85:
            capture += block(order, 3, struct.pack(order + "I", original) + data)
        elif choice > 0.8:
            old = struct.pack(order + "HHIIII", number, 0, n >> 32, n * 1000, len(data), original)
            capture += block(order, 2, old + data + bytes(-len(data) % 4) + options)
        else:
            capture += block(order, 6, head + data + bytes(-len(data) % 4) + options)
    return capture


class Parts(unittest.TestCase):
    def setUp(self):
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory()), "capture")
        self.kinds = Counter()

    def same(self, split):
        """Compares all parts of a capture with one reading of it."""
        counts = wiresum.verify(self.path)
        expected = lines(row._asdict() for row in wiresum.read(self.path))
        parts = plan(find(self.path), split=split)
        self.assertEqual([part.number for part in parts], [*range(len(parts))])
        self.kinds.update("waiting" if part.waiting else "range" for part in parts[1:])
        readings = [Reading(part) for part in parts]
        batches = [batch for reading in readings for batch in reading]
        self.assertEqual([reading.error for reading in readings], [None] * len(readings))
        rows = [row for batch in batches for row in dictionaries(pa.Table.from_batches([batch]))]
        self.assertEqual(lines(rows), expected)
        self.added([reading.counts for reading in readings], counts)
        quick = [Reading(part, None) for part in parts]
        self.assertEqual([batch for reading in quick for batch in reading], [])
        self.added([reading.counts for reading in quick], counts)

    def added(self, parts, counts):
        total = add(parts)
        self.assertEqual(total.pop("path"), counts.file)
        self.assertEqual(total.pop("malformed_by"), counts.malformed)
        self.assertEqual(total.pop("malformed"), sum(counts.malformed.values()))
        for name, value in total.items():
            self.assertEqual(value, getattr(counts, name), name)

    def test_pcap(self):
        @PROPERTIES
        @given(STRETCHES, st.booleans(), st.booleans(), st.integers(200, 9000))
        def check(stretches, big_endian, nanoseconds, split):
            frames = [frame for at, n in stretches for frame in FRAMES[at : at + n]]
            self.path.write_bytes(pcap(frames, big_endian, nanoseconds))
            self.same(split)

        check()
        self.assertGreater(self.kinds["range"], 200)
        self.assertGreater(self.kinds["waiting"], 50)

    def test_pcapng(self):
        @PROPERTIES
        @given(STRETCHES, st.booleans(), st.randoms(), st.integers(200, 9000))
        def check(stretches, big_endian, odd, split):
            frames = [frame for at, n in stretches for frame in FRAMES[at : at + n]]
            self.path.write_bytes(pcapng(frames, big_endian, odd))
            self.same(split)

        check()
        self.assertGreater(self.kinds["range"], 200)
        self.assertGreater(self.kinds["waiting"], 50)

    def test_damage(self):
        @PROPERTIES
        @given(STRETCHES, st.sampled_from("pn"), st.booleans(), st.randoms(), st.data())
        def check(stretches, kind, big_endian, odd, data):
            frames = [frame for at, n in stretches for frame in FRAMES[at : at + n]]
            make = pcapng if kind == "n" else pcap
            capture = bytearray(make(frames, big_endian, odd))
            for _ in range(data.draw(st.integers(0, 4))):
                # After the header: another test has files that are no capture.
                at = data.draw(st.integers(28, max(28, len(capture) - 4)))
                capture[at : at + 4] = data.draw(
                    st.sampled_from(
                        (bytes(4), b"\xff" * 4, b"\0\0\1\0", b"\x10\0\0\0", b"\1\0\0\1")
                    )
                )
            self.path.write_bytes(capture[: data.draw(st.integers(40, len(capture)))])
            self.same(data.draw(st.integers(100, 2000)))

        check()
        self.assertGreater(self.kinds["range"], 100)

    def test_a_section_in_which_no_range_finds_a_record(self):
        """The bytes of packets look like records, so each range guesses wrong."""
        inner = pcap(FRAMES[:30], False, False)[24:]
        frames = [(inner, len(inner))] * 12
        self.path.write_bytes(pcap(frames, False, False))
        for split in (500, 3000, 20_000, 100_000):
            self.same(split)
        self.assertGreater(self.kinds["range"], 10)

    def test_blocks_over_16_mib(self):
        order = "<"
        large = block(order, 6, bytes(20) + bytes(17 << 20))
        packets = pcapng(FRAMES[:40], False, random.Random(1))
        capture = packets + large + packets[len(section(order)) :]
        self.path.write_bytes(capture)
        for split in (1 << 20, 5_000_000, 17 << 20):
            self.same(split)
        self.path.write_bytes(capture[: len(packets) + 100])
        self.same(5000)

    def test_many_sections_are_one_part(self):
        """The headers of so many interfaces would make a plan too large."""
        order = "<"
        capture = section(order)
        for n in range(400):
            capture += interface(order) * 100 + pcapng(
                FRAMES[n % 40 : n % 40 + 1], False, random.Random(n)
            )
        self.path.write_bytes(capture)
        self.same(1 << 20)
        self.assertEqual(self.kinds, {})

    def test_captures(self):
        """Each split of each capture gives the rows and counts of the program."""
        for name in captures():
            expected, (files, errors) = program_lines(name), program_counts(name)
            size = Path(name).stat().st_size
            for split in (1 << 30, max(300, size // 40), max(5000, size // 3)):
                with self.subTest(name, split=split):
                    readings = [Reading(part) for part in plan(find(name), split=split)]
                    batches = [batch for reading in readings for batch in reading]
                    rows = [
                        r for batch in batches for r in dictionaries(pa.Table.from_batches([batch]))
                    ]
                    self.assertEqual(lines(rows), expected)
                    said = [reading.error for reading in readings if reading.error]
                    self.assertEqual(said, list(errors.values()))
                    self.assertEqual(
                        add(reading.counts or {} for reading in readings), files.get(name, {})
                    )


def part(size):
    return Part(File("a", size))


class TestGroups(unittest.TestCase):
    """Which parts share a task."""

    @PROPERTIES
    @given(
        st.lists(st.integers(0, 3 * TASK // 2), max_size=60).map(lambda all: [*map(part, all)]),
        st.integers(1, 40),
    )
    def test_shares(self, parts, tasks):
        found = list(groups(parts, tasks))
        sizes = [[each.size for each in group] for group in found]
        self.assertEqual(
            sorted(size for group in sizes for size in group), sorted(each.size for each in parts)
        )
        share = min(TASK, max(SMALL, sum(map(sum, sizes)) // tasks))
        for group, following in zip(sizes, sizes[1:]):
            self.assertGreater(sum(group) + following[0], share)
        for group in sizes:
            self.assertTrue(len(group) == 1 or sum(group) <= share)

    def test_cores_end_together(self):
        captures = 40 * [part(101 << 20)]
        for cores in (1, 2, 4, 8):
            ends = cores * [0]
            for group in groups(captures, TASKS_A_CORE * cores):
                ends[ends.index(min(ends))] += len(group)
            self.assertEqual(max(ends), 40 // cores, cores)

    def test_tasks_of_small_captures(self):
        """A task has work for as long as its start takes, at least, if there is more than one."""
        start = 60 << 20
        captures = [part(size) for size in (10, 30_000, 90_000) for _ in range(500)]
        work = sum(each.size + OPENING for each in captures)
        for cores, count in ((2, 4), (3, 3), (4, 4), (64, 4)):
            found = tasks_of(captures, "counts", cores, start)
            self.assertEqual(len(found), count, cores)
            self.assertGreaterEqual(work // count, start)
            sizes = [sum(each.size for each in some) for some in found]
            self.assertLess(max(sizes) - min(sizes), 100_000)
            dealt = [id(each) for some in found for each in some]
            self.assertEqual(sorted(dealt), sorted(map(id, captures)))
        self.assertEqual(work // start, 4)
        # Rows take longer; so do objects, whose store has to answer. Large archives have `groups`.
        self.assertEqual(len(tasks_of(captures, "checksums", 32, start)), work * ROWS // start)
        objects = [Part(File("a", 10, filesystem=object())) for _ in range(96)]
        self.assertEqual(len(tasks_of(objects, "counts", 8, start)), 96 * ASKING // start)
        large = 40 * [part(101 << 20)]
        expected = list(groups(large, TASKS_A_CORE * 2))
        self.assertEqual(tasks_of(large, "counts", 2, start), expected)
        self.assertEqual(tasks_of(captures[:1], "counts", 2, start), [captures[:1]])
        self.assertEqual(tasks_of([], "counts", 2, start), [])


if __name__ == "__main__":
    unittest.main()
