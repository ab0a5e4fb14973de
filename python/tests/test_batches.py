# SPDX-License-Identifier: MIT OR Apache-2.0
"""checksums() and verify_packets() on everything that holds packets, against spec/reference.py."""

import sys
import unittest

import duckdb
import nanoarrow
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import wiresum
from captures import OFFICE
from hypothesis import given, settings
from hypothesis import strategies as st
from specification import reference

PROPERTIES = settings(deadline=None, derandomize=True, max_examples=150)
PACKETS = st.lists(st.one_of(st.none(), st.binary(max_size=70)), max_size=40)
TYPES = (pa.binary(), pa.large_binary(), pa.binary_view())


def expected(packets):
    return [None if packet is None else reference.checksum(packet) for packet in packets]


def columns(packets, start=0, length=None, cut=0):
    """(an Arrow column, its packets), of each type that holds bytes: whole, sliced, in chunks."""
    values = list(dict.fromkeys(packet for packet in packets if packet is not None))
    keys = [None if packet is None else values.index(packet) for packet in packets]
    lengths = {len(value) for value in values}
    part = packets[start:] if length is None else packets[start : start + length]
    for kind in (*TYPES, *map(pa.binary, lengths if len(lengths) == 1 else ())):
        dictionary = pa.array(values, kind)
        coded = [
            pa.DictionaryArray.from_arrays(pa.array(keys, index), dictionary)
            for index in (pa.int8(), pa.uint16(), pa.int32(), pa.int64())
        ]
        for array in (pa.array(packets, kind), *coded):
            yield array, packets
            yield array.slice(start, length), part
            yield pa.chunked_array([array[:cut], array[cut:]]), packets
            yield pa.chunked_array([], array.type), []


class Columns(unittest.TestCase):
    @PROPERTIES
    @given(PACKETS, st.data())
    def test_arrow(self, packets, draw):
        start = draw.draw(st.integers(0, len(packets)))
        length = draw.draw(st.integers(0, len(packets) - start))
        cut = draw.draw(st.integers(0, len(packets)))
        for column, held in columns(packets, start, length, cut):
            self.same(column, held)

    def same(self, column, packets):
        """Compares the checksums of a column, and the nulls, with the reference."""
        found = wiresum.checksums(column)
        again = pa.array(found)
        again.validate(full=True)
        self.assertEqual(again.type, pa.uint16())
        self.assertEqual(again.to_pylist(), expected(packets))
        self.assertEqual(found.to_list(), expected(packets))
        self.assertEqual((len(found), found.null_count), (len(packets), packets.count(None)))

    def test_dictionaries_with_null_values(self):
        keys, values = pa.array([0, 1, None, 2, 0], pa.int32()), [b"a", None, b"c"]
        column = pa.DictionaryArray.from_arrays(keys, pa.array(values, pa.binary()))
        self.same(column, [b"a", None, None, b"c", b"a"])
        nothing = pa.DictionaryArray.from_arrays(
            pa.array([None] * 3, pa.int8()), pa.array([], pa.binary())
        )
        self.same(nothing, [None] * 3)

    def test_fixed_size_and_null(self):
        packets = [b"four", None, b"more"]
        for column, held in columns(packets, 1, cut=2):
            self.same(column, held)
        self.same(pa.array([b"", None], pa.binary(0)), [b"", None])
        self.same(pa.nulls(3), [None] * 3)

    @PROPERTIES
    @given(PACKETS)
    def test_every_library(self, packets):
        self.same(pl.Series(packets, dtype=pl.Binary), packets)
        self.same(nanoarrow.Array(packets, nanoarrow.binary()), packets)
        table = held = pa.table({"data": pa.array(packets, pa.binary())})
        self.assertEqual(held.num_rows, len(packets))
        self.same(table["data"], packets)
        self.same(table.select(["data"]), packets)  # a table of one column
        self.same(pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), packets)
        self.same(duckdb.sql("select data from held"), packets)
        series = pd.Series(packets, dtype=pd.ArrowDtype(pa.binary()))
        self.same(pa.chunked_array([series.array.__arrow_array__().combine_chunks()]), packets)

    @PROPERTIES
    @given(PACKETS)
    def test_lists(self, packets):
        for form in (list, tuple, iter):
            self.assertEqual(wiresum.checksums(form(packets)).to_list(), expected(packets))
        views = [None if packet is None else memoryview(bytearray(packet)) for packet in packets]
        self.assertEqual(wiresum.checksums(views).to_list(), expected(packets))

    @PROPERTIES
    @given(st.lists(st.binary(max_size=70), max_size=40), st.integers(0, 5))
    def test_offsets(self, packets, before):
        data = np.frombuffer(bytes(before) + b"".join(packets) + b"after", np.uint8)
        offsets = np.cumsum([before, *map(len, packets)])
        for kind in (np.int32, np.int64):
            found = wiresum.checksums(data, offsets.astype(kind))
            self.assertEqual(found.to_list(), expected(packets))
            numbers = np.frombuffer(found, np.uint16)
            self.assertEqual(numbers.tolist(), expected(packets))
        spread = np.repeat(offsets, 2)[::2]
        self.assertEqual(wiresum.checksums(data, spread).to_list(), expected(packets))

    def test_results_in_every_library(self):
        packets = [b"one", None, b"", b"four"]
        found = wiresum.checksums(packets)
        self.assertEqual(pl.Series(found).to_list(), expected(packets))
        self.assertEqual(nanoarrow.Array(found).to_pylist(), expected(packets))
        held = pa.table({"checksum": pa.array(found)})
        self.assertEqual(held.column_names, ["checksum"])
        rows = duckdb.sql("select checksum from held").fetchall()
        self.assertEqual(rows, [(value,) for value in expected(packets)])
        self.assertEqual([found[n] for n in range(-4, 4)], expected(packets) * 2)
        self.assertEqual(list(found), expected(packets))
        with self.assertRaises(IndexError):
            found[4]
        with self.assertRaisesRegex(BufferError, "without nulls is a buffer"):
            memoryview(found)
        self.assertIn("4 rows, 1 null, UInt16", repr(found))

    def test_a_result_outlives_what_it_came_from(self):
        column = wiresum.checksums([b"\0\1", b"", b"\1\0"])
        numbers = [0xFFFE, 0xFFFF, 0xFEFF]
        held = memoryview(column)
        self.assertEqual(
            (held.format, held.itemsize, held.shape, held.strides), ("H", 2, (3,), (2,))
        )
        self.assertEqual((held.tolist(), held.readonly, list(column)), (numbers, True, numbers))
        self.assertEqual(bytes(column), np.array(numbers, np.uint16).tobytes())
        for array in (np.asarray(column), np.array(column), pd.Series(column)):
            self.assertEqual((array.dtype, array.tolist()), (np.uint16, numbers))
        self.assertEqual(np.asarray(column, float).tolist(), numbers)
        gaps = wiresum.checksums([b"\0\1", None])
        for array in (np.asarray(gaps), pd.Series(gaps)):
            self.assertEqual((array.dtype, array.tolist()), (object, [0xFFFE, None]))
        with self.assertRaisesRegex(ValueError, "copy=False is not possible"):
            np.array(gaps, copy=False)
        verdicts = wiresum.verify_packets(pa.array([b"x" * 60] * 2))
        self.assertEqual(pd.Series(verdicts).tolist(), verdicts.to_list())
        view = np.frombuffer(wiresum.checksums([bytes([n, 0]) for n in range(256)]), np.uint16)
        self.assertEqual(view.tolist(), [0xFFFF - 256 * n for n in range(256)])
        with self.assertRaises(ValueError):
            view[0] = 1  # read-only

    def test_what_is_refused(self):
        for packets, offsets, error, message in (
            (pa.array(["text"]), None, TypeError, "Binary, LargeBinary, BinaryView or .*not Utf8"),
            (pa.array([1]), None, TypeError, "not Int64"),
            (pa.table({"a": [b"x"], "b": [b"y"]}), None, TypeError, "a table of 2 columns"),
            (17, None, TypeError, "a sequence of bytes-like objects"),
            ([b"a", "b"], None, TypeError, "bytes-like"),
            (b"abc", np.array([0, 4]), ValueError, "offset 1 is beyond the end of the data"),
            (b"abc", np.array([-1, 2]), ValueError, "offset 0 is negative"),
            (b"abc", np.array([0, 2, 1]), ValueError, "offset 2 is less than the one before"),
            (b"abc", np.array([0.0, 2.0]), TypeError, "int32 or int64"),
            (b"abc", [0, 3], TypeError, "int32 or int64"),
        ):
            with self.assertRaisesRegex(error, message):
                wiresum.checksums(packets, offsets)
        with self.assertRaises(TypeError) as caught:
            wiresum.checksums([b"a", b"b", 3])
        self.assertEqual(caught.exception.__notes__, ["this is packet 2"])
        self.assertEqual(wiresum.checksums(b"", np.array([], np.int64)).to_list(), [])

    def test_offsets_that_lie_are_refused(self):
        buffers = [None, pa.py_buffer(np.array([0, 900, 3], np.int32)), pa.py_buffer(b"abc")]
        array = pa.Array.from_buffers(pa.binary(), 2, buffers)
        for call in (wiresum.checksums, wiresum.verify_packets):
            with self.assertRaisesRegex(ValueError, "[Oo]ffset"):
                call(array)

    def test_no_reference_is_kept(self):
        packet = bytearray(64)
        array = pa.array([bytes(range(64))] * 1000)
        before = sys.getrefcount(packet), pa.total_allocated_bytes()
        for _ in range(200):
            wiresum.checksums([packet] * 10).to_list()
            pa.array(wiresum.checksums(array))
            wiresum.verify_packets(array)
        self.assertEqual((sys.getrefcount(packet), pa.total_allocated_bytes()), before)
        packet.append(1)  # BufferError while anybody holds the bytes


class Verdicts(unittest.TestCase):
    ECHO = bytes.fromhex(  # an IPv4 ping whose two checksums are right, by hand (RFC 1071)
        "4500001c574040004001 5f9c c0000201c0000202 0800 e66b 11930001"
    )

    def test_by_hand(self):
        header = 0x4500 + 0x001C + 0x5740 + 0x4000 + 0x4001 + 0xC000 + 0x0201 + 0xC000 + 0x0202
        folded = reference.fold(header)
        right = bytearray(self.ECHO)
        right[10:12] = (0xFFFF - folded).to_bytes(2)
        right[22:24] = (0xFFFF - reference.fold(0x0800 + 0x1193 + 0x0001)).to_bytes(2)
        wrong = bytearray(right)
        wrong[22] ^= 0x40
        cut = bytes(right[:26])
        packets = [bytes(right), bytes(wrong), None, cut, b""]
        for column, held in columns(packets, cut=2):
            if not held:
                continue
            found = wiresum.verify_packets(column, 101, pa.array([28] * 4 + [0]))
            good, bad, null, short, nothing = found.to_list()
            self.assertEqual((good["status"], good["checksums"], good["bad"]), ("good", 2, 0))
            self.assertEqual((bad["status"], bad["protocol"], bad["offset"]), ("bad", "icmp", 22))
            self.assertEqual(bad["found"] ^ bad["expected"], 0x4000)
            self.assertEqual((bad["checksums"], bad["bad"], bad["layer"]), (2, 1, 1))
            self.assertIsNone(null)
            self.assertEqual((short["status"], short["reason"]), ("unverified", "snapped"))
            self.assertEqual((nothing["status"], nothing["checksums"]), (None, 0))
            array = pa.array(found)
            array.validate(full=True)
            self.assertEqual(array.null_count, 1)

    def packets(self):
        """Three packets of one length, by their status; None has none."""
        right = bytearray(self.ECHO)
        right[10:12] = reference.checksum(right[:10] + right[12:20]).to_bytes(2)
        right[22:24] = reference.checksum(right[20:22] + right[24:]).to_bytes(2)
        wrong = bytearray(right)
        wrong[27] ^= 1
        odd_header = bytearray(right)
        odd_header[8] ^= 1  # the time to live
        return {"good": bytes(right), "bad icmp": bytes(wrong), "bad ipv4": bytes(odd_header)}

    @PROPERTIES
    @given(st.lists(st.sampled_from(["good", "bad icmp", "bad ipv4", None])), st.data())
    def test_every_type_of_column(self, kinds, draw):
        start = draw.draw(st.integers(0, len(kinds)))
        cut = draw.draw(st.integers(0, len(kinds)))
        packets = {**self.packets(), None: None}
        of = {packet: kind for kind, packet in packets.items()}
        types = set()

        def judged(verdict):
            if verdict and verdict["bad"]:
                return f"bad {verdict['protocol']}"
            return verdict and verdict["status"]

        for column, held in columns([packets[kind] for kind in kinds], start, cut=cut):
            types.add(str(column.type))
            verdicts = wiresum.verify_packets(column, 101).to_list()
            self.assertEqual([*map(judged, verdicts)], [of[packet] for packet in held])
        self.assertEqual(len(types), 5 * (4 if any(kinds) else 3))

    def test_dictionaries_with_null_values(self):
        packets = self.packets()
        keys, values = pa.array([1, 0, None, 2, 1], pa.int16()), [packets["good"], None, b""]
        column = pa.DictionaryArray.from_arrays(keys, pa.array(values, pa.binary()))
        verdicts = wiresum.verify_packets(column, 101).to_list()
        self.assertEqual(
            [verdict and (verdict["status"], verdict["checksums"]) for verdict in verdicts],
            [None, ("good", 2), None, (None, 0), None],
        )
        nothing = pa.DictionaryArray.from_arrays(
            pa.array([None] * 3, pa.int8()), pa.array([], pa.binary())
        )
        self.assertEqual(wiresum.verify_packets(nothing).to_list(), [None] * 3)

    def test_every_library_passes_columns(self):
        packets = pa.table(wiresum.packets(OFFICE))
        names = ("data", "link_type", "original_length", "flags")
        expected_ = wiresum.verify_packets(*(packets[name] for name in names)).to_list()
        self.assertEqual(sum(verdict["bad"] for verdict in expected_), 142)
        frame = pl.DataFrame(wiresum.packets(OFFICE))
        self.assertEqual(
            wiresum.verify_packets(*(frame[name] for name in names)).to_list(), expected_
        )
        found = [
            wiresum.verify_packets(*(packets.slice(at, 50)[name] for name in names)).to_list()
            for at in range(0, packets.num_rows, 50)
        ]
        self.assertEqual([verdict for part in found for verdict in part], expected_)
        verdicts = pa.array(wiresum.verify_packets(*(packets[name] for name in names)))
        held = pa.table({"verdict": verdicts})
        self.assertEqual(held.num_rows, 366)
        counted = duckdb.sql("select sum(verdict.bad) from held where verdict.cause = 'offload'")
        self.assertEqual(counted.fetchall(), [(142,)])

    def test_the_flags_count(self):
        """Bit 9 says that the checksum was not computed yet: then a bad one is due to offload."""
        packets = pa.table(wiresum.packets(OFFICE))
        data, lengths = packets["data"].to_pylist(), packets["original_length"]
        spoiled = [bytes([*packet[:-1], packet[-1] ^ 1]) for packet in data]
        columns = pa.array(spoiled), 1, lengths

        def causes(flags):
            verdicts = wiresum.verify_packets(*columns, flags).to_list()
            return {it["cause"] for it in verdicts if it["protocol"] in ("tcp", "udp")}

        self.assertEqual(causes(1 << 9) - {None}, {"offload"})
        self.assertIn("one-bit", causes(0))
        self.assertEqual(causes(pa.array([1 << 9] * len(data), pa.uint32())), causes(1 << 9))

    def test_columns_of_many_rows(self):
        """Several threads judge them, and the verdicts are in the order of the packets."""
        packets = pa.table(wiresum.packets(OFFICE))
        data = packets["data"].to_pylist()
        alone = wiresum.verify_packets(pa.array(data)).to_list()
        times = 100_000 // len(data)
        many = pa.chunked_array([pa.array([None, *data * times]), pa.array(data)])
        self.assertGreater(len(many), 3 << 15)
        found = wiresum.verify_packets(many).to_list()
        self.assertEqual(found, [None, *alone * (times + 1)])

    def test_link_types_that_nobody_knows(self):
        one = pa.array([b"x" * 60])
        for link_type in (-1, 9999, 1 << 40):
            with self.assertRaisesRegex(ValueError, f"link_type {link_type} is none that wiresum"):
                wiresum.verify_packets(one, link_type)
        (verdict,) = wiresum.verify_packets(one, pa.array([9999])).to_list()
        self.assertIn("9999", verdict["obstacle"])
        for link_type in (0, 101, 149, 276):
            self.assertEqual(len(wiresum.verify_packets(one, link_type)), 1)

    def test_what_is_refused(self):
        one = pa.array([b"x"])
        for arguments, error, message in (
            (([b"x"],), TypeError, "packets are an Arrow column"),
            ((pa.array(["x"]),), TypeError, "not Utf8"),
            ((one, "ethernet"), TypeError, "link_type is a number or"),
            ((one, 1, pa.array([1, 2])), ValueError, "original_length has 2 rows, .* have 1"),
            ((one, 1, pa.array(["x"])), TypeError, "not of Utf8"),
        ):
            with self.assertRaisesRegex(error, message):
                wiresum.verify_packets(*arguments)
        self.assertEqual(
            wiresum.verify_packets(one, pa.array([None], pa.int32())).to_list(), [None]
        )


if __name__ == "__main__":
    unittest.main()
