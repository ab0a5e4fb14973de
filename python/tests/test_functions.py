# SPDX-License-Identifier: MIT OR Apache-2.0
"""The functions on bytes-like objects: against spec/reference.py, on each kind of object, at the
edges of their arguments, without leaks, and with other threads.
"""

import array
import gc
import inspect
import ipaddress
import mmap
import random
import resource
import sys
import tempfile
import threading
import time
import unittest

import numpy as np
import wiresum
from hypothesis import given, settings
from hypothesis import strategies as st
from specification import reference

DATA = st.binary(max_size=300)
EVEN = DATA.map(lambda data: data[: len(data) // 2 * 2])
WORD = st.integers(0, 0xFFFF)
IPV4 = st.binary(min_size=4, max_size=4)
IPV6 = st.binary(min_size=16, max_size=16)
PROPERTIES = settings(deadline=None, derandomize=True, max_examples=200)


def with_field(data, at, value):
    return data[:at] + value.to_bytes(2) + data[at + 2 :]


class AgainstTheReference(unittest.TestCase):
    @PROPERTIES
    @given(DATA)
    def test_sums(self, data):
        self.assertEqual(wiresum.sum(data), reference.sum16(data))
        self.assertEqual(wiresum.checksum(data), reference.checksum(data))
        self.assertIs(wiresum.ok(data), reference.sum16(data) == 0xFFFF)

    @PROPERTIES
    @given(st.lists(DATA, max_size=6))
    def test_pieces(self, pieces):
        stream, joined, length = wiresum.Stream(), 0, 0
        for piece in pieces:
            stream.update(piece)
            joined = wiresum.append(joined, length, wiresum.sum(piece))
            length += len(piece)
        expected = reference.sum16(b"".join(pieces))
        self.assertEqual((stream.sum(), joined, stream.length), (expected, expected, length))

    @PROPERTIES
    @given(DATA, st.data())
    def test_updates(self, data, draw):
        start = draw.draw(st.integers(0, len(data)))
        was = data[start : start + draw.draw(st.integers(0, 40))]
        now = draw.draw(st.binary(min_size=len(was), max_size=len(was)))
        before = reference.checksum(data)
        expected = reference.update(before, start, was, now)
        self.assertEqual(wiresum.update(before, start, was, now), expected)
        udp = reference.udp_field(expected) if before else 0
        self.assertEqual(wiresum.update_udp(before, start, was, now), udp)

    @PROPERTIES
    @given(IPV4, IPV4, st.integers(0, 255), st.integers(0, 0xFFFFFFFF))
    def test_pseudo_ipv4(self, source, destination, protocol, length):
        expected = reference.sum16(reference.pseudo_ipv4(source, destination, protocol, length))
        for of in (bytes, ipaddress.IPv4Address, lambda ip: str(ipaddress.IPv4Address(ip))):
            found = wiresum.pseudo_ipv4(of(source), of(destination), protocol, length)
            self.assertEqual(found, expected)

    @PROPERTIES
    @given(IPV6, IPV6, st.integers(0, 255), st.integers(0, 0xFFFFFFFF))
    def test_pseudo_ipv6(self, source, destination, protocol, length):
        expected = reference.sum16(reference.pseudo_ipv6(source, destination, protocol, length))
        for of in (bytes, ipaddress.IPv6Address, lambda ip: str(ipaddress.IPv6Address(ip))):
            found = wiresum.pseudo_ipv6(of(source), of(destination), protocol, length)
            self.assertEqual(found, expected)

    @PROPERTIES
    @given(st.binary(min_size=20, max_size=60), WORD, DATA)
    def test_segments(self, header, pseudo, payload):
        for name, field, seed in (
            *(("tcp", 16, pseudo), ("udp", 6, pseudo), ("icmp", 2, None), ("icmpv6", 2, pseudo)),
        ):
            zeroed = with_field(header, field, 0) + payload
            first = b"" if seed is None else seed.to_bytes(2)
            expected = reference.checksum(first + zeroed)
            if name == "udp":
                expected = reference.udp_field(expected)
            arguments = [] if seed is None else [seed]
            compute, judge = getattr(wiresum, name), getattr(wiresum, f"{name}_ok")
            self.assertEqual(compute(*arguments, header, payload), expected, name)
            self.assertEqual(compute(*arguments, header + payload), expected, name)
            right = with_field(header, field, expected)
            whole = reference.sum16(first + right + payload) == 0xFFFF
            self.assertIs(judge(*arguments, right, payload), whole, name)
            wrong = with_field(header, field, expected ^ 0x0100)
            bad = reference.sum16(first + wrong + payload) == 0xFFFF
            zero = name == "udp" and wrong[6:8] == b"\0\0"
            self.assertIs(judge(*arguments, wrong, payload), bad and not zero, name)

    @PROPERTIES
    @given(st.binary(min_size=20, max_size=60).map(lambda data: data[: len(data) // 4 * 4]))
    def test_ipv4_headers(self, header):
        expected = reference.checksum(with_field(header, 10, 0))
        self.assertEqual(wiresum.ipv4_header(header), expected)
        right = with_field(header, 10, expected)
        self.assertIs(wiresum.ipv4_header_ok(right), reference.sum16(right) == 0xFFFF)
        self.assertIs(wiresum.ipv4_header_ok(with_field(right, 10, expected ^ 1)), False)


class Objects(unittest.TestCase):
    DATA = bytes(random.Random(1071).randbytes(4096))

    def test_every_kind_of_object_gives_its_bytes(self):
        expected = reference.sum16(self.DATA)
        file = self.enterContext(tempfile.TemporaryFile())
        file.write(self.DATA)
        file.flush()
        objects = [
            *(self.DATA, bytearray(self.DATA), memoryview(self.DATA)),
            self.enterContext(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)),
            array.array("H", self.DATA),
            *(np.frombuffer(self.DATA, kind) for kind in "u1 <i2 >u4 f8 M8[s] c16 S16".split()),
            np.frombuffer(self.DATA, np.uint8).reshape(16, 16, 16),
            type("Bytes", (bytes,), {})(self.DATA),
        ]
        for given_ in objects:
            with self.subTest(type(given_)):
                self.assertEqual(wiresum.sum(given_), expected)
                stream = wiresum.Stream(given_)
                self.assertEqual((stream.sum(), stream.length), (expected, len(self.DATA)))

    def test_bytes_are_not_copied(self):
        data = bytearray(64 << 20)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertEqual(wiresum.sum(data), 0)
        self.assertEqual(wiresum.sum(memoryview(data)), 0)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertLess(after - before, 16 << 10)  # KiB

    def test_what_has_no_bytes_in_a_row_is_refused(self):
        for compute in (wiresum.sum, wiresum.checksum, wiresum.ok, wiresum.Stream):
            for gaps in (np.arange(64)[::2], memoryview(self.DATA)[::2], np.ones((8, 8)).T[1:]):
                with self.assertRaisesRegex(BufferError, "copy them first: bytes"):
                    compute(gaps)
            for none in ("text", 17, None, [1, 2]):
                with self.assertRaisesRegex(TypeError, "bytes-like"):
                    compute(none)

    def test_an_object_is_released(self):
        for call in (wiresum.sum, wiresum.checksum, wiresum.ok, wiresum.Stream):
            held = bytearray(self.DATA)
            call(held)
            held.append(1)  # BufferError while anybody holds the bytes
        with self.assertRaises(ValueError):
            wiresum.tcp(0, held, bytearray(5)[::1]) and wiresum.tcp(0, bytearray(19))
        held.append(1)

    def test_a_copy_needs_a_place_of_its_own(self):
        with self.assertRaisesRegex(BufferError, "read-only"):
            wiresum.copy(bytes(4), b"wire")
        with self.assertRaisesRegex(ValueError, "5 bytes and the source 4"):
            wiresum.copy(bytearray(5), b"wire")
        both = memoryview(bytearray(b"wiresum"))
        with self.assertRaisesRegex(ValueError, "overlap"):
            wiresum.copy(both[:4], both[3:])
        self.assertEqual(both.tobytes(), b"wiresum")
        self.assertEqual(wiresum.copy(both[:3], both[3:6]), reference.sum16(b"esu"))
        self.assertEqual(both.tobytes(), b"esuesum")
        self.assertEqual(wiresum.copy(bytearray(), b""), 0)

    def test_a_packet_to_fill_in_is_writable(self):
        packet = bytes.fromhex("4500001c 57404000 40010000 c0000201 c0000202 0800000011930001")
        for call in (wiresum.packet_fill, lambda data: wiresum.packet_finish(data, 0, 10)):
            with self.assertRaisesRegex(BufferError, "read-only .* a bytearray"):
                call(packet)
            with self.assertRaisesRegex(BufferError, "not contiguous"):
                call(np.zeros(64, np.uint8)[::2])
            with self.assertRaisesRegex(TypeError, "bytes-like"):
                call("text")
        for call in (wiresum.packet_verify, wiresum.packet_fill):
            held = bytearray(packet)
            call(held)
            held.append(0)  # BufferError while anybody holds the bytes
        long = bytearray(packet) + bytearray(65535 - len(packet))  # other threads run meanwhile
        long[2:4] = (65535).to_bytes(2)
        wiresum.packet_fill(long)
        header = reference.checksum(long[:10] + long[12:20]).to_bytes(2)
        echo = reference.checksum(long[20:22] + long[24:]).to_bytes(2)
        self.assertEqual((long[10:12], long[22:24]), (header, echo))
        self.assertEqual(wiresum.packet_verify(long), "good")


class Arguments(unittest.TestCase):
    def test_the_numbers_of_documents(self):
        header = bytes.fromhex("45000073000040004011 0000 c0a80001c0a800c7")
        self.assertEqual(wiresum.ipv4_header(header), 0xB861)  # Wikipedia's example
        self.assertEqual(wiresum.ipv4_header(header).to_bytes(2), b"\xb8\x61")
        data = bytes.fromhex("0001f203f4f5f6f7")  # RFC 1071 section 3
        self.assertEqual((wiresum.sum(data), wiresum.checksum(data)), (0xDDF2, 0x220D))

    def test_short_headers(self):
        for name, least, pseudo in (
            *(("ipv4_header", 20, []), ("tcp", 20, [0]), ("udp", 8, [0])),
            *(("icmp", 4, []), ("icmpv6", 4, [0]), ("udplite", 8, [0])),
        ):
            for length in range(least):
                data = bytes(length)
                with self.assertRaisesRegex(
                    ValueError, f"has {least} bytes at least, not {length}"
                ):
                    getattr(wiresum, name)(*pseudo, data)
                self.assertIs(getattr(wiresum, f"{name}_ok")(*pseudo, data), False)
                self.assertIs(getattr(wiresum, f"{name}_ok")(*pseudo, b"\xff" * length), False)

    def test_numbers_out_of_range(self):
        for call, message in (
            (lambda: wiresum.append(0x10000, 0, 0), "a sum is from 0 to 0xffff, not 65536"),
            (lambda: wiresum.append(0, 0, -1), "a sum is from 0 to 0xffff, not -1"),
            (lambda: wiresum.append(0, -1, 0), "a length is not negative, as -1 is"),
            (lambda: wiresum.remove(0, -3, 0), "a length is not negative, as -3 is"),
            (lambda: wiresum.remove_head(0, 0, 0x10000), "a sum is from 0 to 0xffff"),
            (lambda: wiresum.update_sum(0, 0, -1), "a sum is from 0 to 0xffff, not -1"),
            (lambda: wiresum.packet_finish(bytearray(4), -1, 0), "a start is not negative"),
            (lambda: wiresum.packet_finish(bytearray(4), 1, 2), "field at 1 . 2 is not inside"),
            (lambda: wiresum.update(0x10000, 0, b"", b""), "a checksum is from 0"),
            (lambda: wiresum.update(0, -2, b"", b""), "an offset is not negative"),
            (lambda: wiresum.update(0, 0, b"a", b""), "of one length, not 1 and 0"),
            (lambda: wiresum.tcp_ok(-1, bytes(20)), "a sum is from 0 to 0xffff, not -1"),
            (lambda: wiresum.pseudo_ipv4("::1", "::1", 6, 20), '"::1" is not an IPv4 address'),
            (lambda: wiresum.pseudo_ipv6("1.2.3.4", "::1", 6, 20), "is not an IPv6 address"),
            (lambda: wiresum.pseudo_ipv4(bytes(16), bytes(4), 6, 20), "has 4 bytes, not 16"),
            (lambda: wiresum.pseudo_ipv4("1.1.1.1", "1.1.1.1", 256, 20), "protocol number is"),
            (lambda: wiresum.pseudo_ipv4("1.1.1.1", "1.1.1.1", 6, 1 << 32), "length of a packet"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                call()
        with self.assertRaises(OverflowError):
            wiresum.append(1 << 80, 0, 0)
        with self.assertRaises(OverflowError):
            wiresum.append(0, 1 << 80, 0)
        ipv6 = ipaddress.IPv6Address("::1")
        with self.assertRaisesRegex(ValueError, "has 4 bytes, not 16"):
            wiresum.pseudo_ipv4(ipv6, ipv6, 6, 20)
        self.assertEqual(wiresum.append(np.uint16(1), np.int64(2), np.uint16(3)), 4)

    def test_wrong_counts_and_types(self):
        for call, message in (
            (lambda: wiresum.sum(), "sum.. takes 1 argument, by position; 0 were given"),
            (lambda: wiresum.sum(b"", b""), "takes 1 argument"),
            (lambda: wiresum.tcp(0), "tcp.. takes 2 or 3 arguments, by position; 1 were given"),
            (lambda: wiresum.append(1, 2), "takes 3 arguments"),
            (lambda: wiresum.append("a", 0, 0), "integer"),
            (lambda: wiresum.append(0, 0.5, 0), "integer"),
            (lambda: wiresum.sum(data=b""), "keyword"),
            (lambda: wiresum.pseudo_ipv4(1, 2, 6, 20), "bytes-like"),
        ):
            with self.assertRaisesRegex(TypeError, message):
                call()

    def test_an_attribute_that_fails_is_the_error(self):
        class Broken:
            @property
            def packed(self):
                raise LookupError("broken")

        with self.assertRaises((LookupError, TypeError)):
            wiresum.pseudo_ipv4(Broken(), "1.1.1.1", 6, 20)

    def test_signatures_and_documentation(self):
        for name in wiresum.__all__:
            thing = getattr(wiresum, name)
            if not inspect.isbuiltin(thing):
                continue
            with self.subTest(name):
                kinds = {p.kind for p in inspect.signature(thing).parameters.values()}
                self.assertEqual(kinds, {inspect.Parameter.POSITIONAL_ONLY})
                self.assertGreater(len(thing.__doc__), 60)

    def test_kernels(self):
        kernels = wiresum.kernels()
        self.assertEqual((kernels[-1].name, kernels[-1].supported), ("portable", True))
        (used,) = [kernel for kernel in kernels if kernel.in_use]
        self.assertTrue(used.supported)

    def test_streams(self):
        stream = wiresum.Stream(b"odd")
        twin = stream.copy()
        stream.update(b"pieces")
        self.assertEqual(twin.sum(), reference.sum16(b"odd"))
        self.assertEqual(stream.hexdigest(), f"{reference.checksum(b'oddpieces'):04x}")
        self.assertEqual(stream.digest(), reference.checksum(b"oddpieces").to_bytes(2))
        self.assertEqual((len(stream.digest()), stream.length), (stream.digest_size, 9))
        self.assertIn("of 9 bytes, sum 0x", repr(stream))


class Memory(unittest.TestCase):
    def calls(self, data, view):
        header = bytes(20)
        wiresum.sum(data)
        wiresum.checksum(view)
        wiresum.ok(data)
        wiresum.copy(bytearray(20), data)
        wiresum.append(1, 3, 2)
        wiresum.packet_verify(data)
        wiresum.packet_finish(bytearray(view), 0, 2)
        wiresum.update(5, 3, b"ab", b"cd")
        wiresum.pseudo_ipv4("192.0.2.1", ipaddress.IPv4Address("192.0.2.2"), 6, 20)
        wiresum.tcp(7, header, view)
        wiresum.udp_ok(7, view, data)
        wiresum.Stream(view).copy().update(data)
        for wrong in ("text", None, np.arange(8)[::2]):
            try:
                wiresum.sum(wrong)
            except (TypeError, BufferError):
                continue
            self.fail(wrong)

    def test_no_reference_is_kept(self):
        data, view = bytes(range(20)), bytearray(20)
        self.calls(data, view)
        before = sys.getrefcount(data), sys.getrefcount(view), sys.getrefcount(None)
        for _ in range(1000):
            self.calls(data, view)
        after = sys.getrefcount(data), sys.getrefcount(view), sys.getrefcount(None)
        self.assertEqual(after[:2], before[:2])
        self.assertLess(abs(after[2] - before[2]), 100)

    def test_a_million_calls_take_no_memory(self):
        data, view = bytes(range(20)), bytearray(20)

        def some(count):
            for _ in range(count):
                wiresum.checksum(data)
                wiresum.sum(view)
                wiresum.tcp_ok(1, data, view)
                wiresum.pseudo_ipv4("192.0.2.1", "192.0.2.2", 6, 20)
            gc.collect()
            return resident()

        some(20_000)
        before = some(20_000)
        after = some(250_000)
        self.assertLess(after - before, 1 << 20)


def resident():
    """The memory of this process in bytes."""
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * mmap.PAGESIZE


class Threads(unittest.TestCase):
    def test_long_sums_let_other_threads_run(self):
        data = bytes(256 << 20)
        seen, done = [], threading.Event()

        def count():
            while not done.is_set():
                seen.append(time.perf_counter())
                time.sleep(0.0005)

        thread = threading.Thread(target=count)
        thread.start()
        try:
            start = time.perf_counter()
            for _ in range(20):
                wiresum.sum(data)
            end = time.perf_counter()
        finally:
            done.set()
            thread.join()
        # Without the GIL's release, the thread would run only between two of the 20 calls.
        between = [at for at in seen if start < at < end]
        self.assertGreater(len(between), 60)

    def test_threads_sum_at_once(self):
        data = random.Random(1).randbytes(1 << 20) * 64
        expected = reference.sum16(data[: 1 << 20])
        expected = reference.fold(expected * 64)
        streams = [wiresum.Stream() for _ in range(4)]

        def work(stream):
            for _ in range(4):
                stream.update(data)

        threads = [threading.Thread(target=work, args=(stream,)) for stream in streams]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for stream in streams:
            self.assertEqual(stream.sum(), reference.fold(expected * 4))

    def test_one_stream_of_many_threads(self):
        stream, block = wiresum.Stream(), bytes([1, 2]) * 10_000

        def work():
            for _ in range(200):
                stream.update(block)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(stream.length, 4 * 200 * len(block))
        self.assertEqual(stream.sum(), reference.fold(4 * 200 * 10_000 * 0x0102))


if __name__ == "__main__":
    unittest.main()
