# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures: what the package says of each is what the program prints; errors, progress, ctrl-C."""

import csv
import gzip
import io
import json
import mmap
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import wiresum
from captures import OFFICE, ROOT, captures, many, pcap, program


def nanoseconds(text):
    """The nanoseconds from 1970 to an RFC 3339 time."""
    whole, _, digits = text.rstrip("Z").partition(".")
    seconds = int(datetime.fromisoformat(whole).replace(tzinfo=UTC).timestamp())
    return seconds * 10**9 + int(digits.ljust(9, "0") or 0)


class InATemporaryFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))


class SameAsTheProgram(InATemporaryFolder):
    def setUp(self):
        super().setUp()
        self.captures = captures()
        self.assertGreater(len(self.captures), 15)

    def test_counts(self):
        ran = program("verify", "--json", *self.captures)
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        files = json.loads(ran.stdout)["files"]
        self.assertEqual([file["path"] for file in files], self.captures)
        for file in files:
            found = wiresum.verify(file["path"])
            with self.subTest(file["path"]):
                self.assertEqual(found.file, file["path"])
                self.assertEqual(found.malformed, file["malformed_by"])
                for name in (
                    *("packets", "captured_bytes", "checksums", "quoted", "causes"),
                    *("unverified", "not_entered"),
                ):
                    self.assertEqual(getattr(found, name), file[name], name)
                alone = program("verify", "--quiet", file["path"])
                self.assertEqual(alone.returncode, 0 if found.ok else 1)

    def test_rows(self):
        table = self.folder / "rows.csv"
        program("verify", "--csv", table, *self.captures)
        with table.open(newline="") as lines:
            expected = list(csv.DictReader(lines))
        self.assertGreater(len(expected), 3000)
        found = [row for path in self.captures for row in wiresum.read(path)]
        self.assertEqual(len(found), len(expected))
        self.assertEqual(list(expected[0]), list(wiresum.Row._fields))
        for row, (n, text) in zip(found, enumerate(expected)):
            for name, value in row._asdict().items():
                if name in ("found", "expected") and value is not None:
                    self.assertEqual(text[name], f"{value:#0{len(text[name])}x}", (n, name))
                elif name == "time":
                    self.assertEqual(nanoseconds(text[name]) if text[name] else None, value, n)
                else:
                    shown = "" if value is None else str(value)
                    shown = shown.lower() if name == "quoted" else shown
                    self.assertEqual(text[name], shown, (n, name))

    def test_parquet_and_arrow(self):
        file = self.folder / "rows.parquet"
        program("verify", "--parquet", file, OFFICE)
        import pyarrow.parquet

        expected = pyarrow.parquet.read_table(file)
        found = pa.table(wiresum.read(OFFICE))
        self.assertEqual(found.schema, expected.schema.remove_metadata())
        self.assertEqual(found.to_pylist(), expected.to_pylist())
        self.assertEqual(found.to_pylist(), [row._asdict() for row in dated(wiresum.read(OFFICE))])

    def test_without_reassembly_and_with_any_number_of_threads(self):
        path = ROOT / "examples/fragments.pcap"
        ran = program("verify", "--json", "--no-reassemble", path)
        expected = json.loads(ran.stdout)["files"][0]
        alone = wiresum.verify(path, reassemble=False)
        self.assertEqual(alone.unverified, expected["unverified"])
        self.assertNotEqual(alone.unverified, wiresum.verify(path).unverified)
        rows = list(wiresum.read(path, reassemble=False))
        self.assertEqual(sum(row.status == "unverified" for row in rows), alone.total("unverified"))
        for jobs in (1, 2, 7):
            self.assertEqual(list(wiresum.read(OFFICE, jobs=jobs)), list(wiresum.read(OFFICE)))
            counted = wiresum.verify(OFFICE, jobs=jobs)
            self.assertEqual(counted.checksums, wiresum.verify(OFFICE).checksums)

    def test_verdicts_of_packets(self):
        """A column of packets gives the verdicts that the rows of the capture give."""
        order = ["bad", "illegal", "unverified", "absent", "good"]
        seen = 0
        for path in self.captures:
            rows = {}
            for row in wiresum.read(path, reassemble=False):
                if not row.quoted:
                    rows.setdefault(row.frame, []).append(row)
            packets = pa.table(wiresum.packets(path))
            columns = [packets[name] for name in ("data", "link_type", "original_length", "flags")]
            verdicts = wiresum.verify_packets(*columns)
            for frame, verdict in zip(packets["frame"].to_pylist(), verdicts.to_list()):
                of_frame = rows.get(frame, [])
                # The table of flows sees the packets of a capture one after the other. A packet
                # alone is bad without the cause that it shows.
                statuses = [row.status for row in of_frame]
                self.assertEqual(verdict["checksums"], len(of_frame), (path, frame))
                wrong = sum(status in ("bad", "illegal") for status in statuses)
                self.assertEqual(verdict["bad"], wrong, (path, frame))
                worst = min(statuses, key=order.index, default=None)
                self.assertEqual(verdict["status"], worst, (path, frame))
                if worst:
                    seen += 1
                    row = of_frame[statuses.index(worst)]
                    for name in ("protocol", "layer", "reason", "found", "expected"):
                        self.assertEqual(verdict[name], getattr(row, name), (path, frame, name))
                    if row.cause not in ("same-difference",):
                        self.assertEqual(verdict["cause"], row.cause, (path, frame))
        self.assertGreater(seen, 1500)

    def test_packets(self):
        for path in self.captures:
            packets = list(wiresum.packets(path))
            counted = wiresum.verify(path)
            self.assertEqual(len(packets), counted.packets, path)
            lengths = [packet.captured_length for packet in packets]
            self.assertEqual(sum(lengths), counted.captured_bytes, path)
            self.assertEqual([packet.frame for packet in packets], [*range(1, len(packets) + 1)])
            for packet in packets:
                self.assertEqual(len(packet.data), packet.captured_length)
                self.assertGreaterEqual(packet.original_length, packet.captured_length)
            times = {row.frame: row.time for row in wiresum.read(path)}
            for packet in packets:
                self.assertEqual(times.get(packet.frame, packet.time), packet.time, path)

    def test_explanations(self):
        packets = list(wiresum.packets(OFFICE))
        for number in (3, 22, 100, 366):
            packet = packets[number - 1]
            found = wiresum.explain(
                packet.data, packet.link_type, original_length=packet.original_length
            )
            text = program("explain", OFFICE, number).stdout
            self.assertEqual(str(found).split("\n")[1:], text.split("\n")[1:])
            self.assertTrue(str(found).startswith(f"frame 1: {len(packet.data)} bytes, Ethernet\n"))
            (expected,) = json.loads(program("explain", "--json", OFFICE, number).stdout)
            for explanation in (expected, found.structure):
                explanation["frame"] = None
                for checksum in explanation["checksums"]:
                    checksum["at"].update(frame=None, file_offset=None)
            self.assertEqual(found.structure, expected)

    def test_repairs(self):
        for n, path in enumerate(self.captures):
            mine, its = self.folder / f"mine-{n}", self.folder / f"its-{n}"
            ran = program("fix", "--json", path, its)
            if ran.returncode == 2:
                with self.assertRaises(wiresum.CaptureError, msg=path):
                    wiresum.fix(path, mine)
                self.assertFalse(mine.exists())
                continue
            expected, found = json.loads(ran.stdout), wiresum.fix(path, mine)
            self.assertEqual(mine.read_bytes(), its.read_bytes(), path)
            self.assertEqual(found.malformed, expected["malformed_by"])
            for name in (
                *("packets", "changed_packets", "changed_flags", "repaired", "left"),
                *("unverified", "not_entered"),
            ):
                self.assertEqual(getattr(found, name), expected[name], (path, name))


def dated(rows):
    """The rows with the times that pyarrow gives."""
    import pandas

    for row in rows:
        time = None if row.time is None else pandas.Timestamp(row.time, unit="ns", tz="UTC")
        yield row._replace(time=time)


class Sources(InATemporaryFolder):
    def sources(self):
        data = OFFICE.read_bytes()
        file = self.enterContext(OFFICE.open("rb"))
        yield "path", OFFICE
        yield "text", str(OFFICE)
        yield "bytes", data
        yield "bytearray", bytearray(data)
        yield "memoryview", memoryview(data)
        yield "mmap", self.enterContext(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        yield "file", file
        yield "BytesIO", io.BytesIO(data)
        behind = io.BytesIO(b"before" + data)
        behind.seek(6)
        yield "after other bytes", behind
        packed = self.folder / "packed"
        packed.write_bytes(gzip.compress(data))
        yield "compressed", packed

    def test_each_source_gives_the_same(self):
        expected = wiresum.verify(OFFICE)
        for name, source in self.sources():
            with self.subTest(name):
                found = wiresum.verify(source)
                self.assertEqual(found.checksums, expected.checksums)
                self.assertEqual([row[1:] for row in found], [row[1:] for row in expected])
        for name, source in self.sources():
            with self.subTest(name):
                rows = wiresum.read(source)
                for _ in range(2):
                    self.assertEqual([r[1:] for r in rows], [r[1:] for r in expected])
                start = len(b"before") if name == "after other bytes" else 0
                if hasattr(source, "seek"):
                    source.seek(start)  # each call reads from where the file object is
                self.assertEqual(pa.table(wiresum.packets(source)).num_rows, 366)
                if hasattr(source, "seek"):
                    source.seek(start)
                out = self.folder / f"{name}.pcapng"
                self.assertEqual(wiresum.fix(source, out).left, {})
                self.assertTrue(wiresum.verify(out).ok)

    def test_a_pipe_is_read_once(self):
        class Pipe:
            def __init__(self, data):
                self.data = io.BytesIO(data)

            def read(self, size):
                return self.data.read(min(size, 1000))

        rows = wiresum.read(Pipe(OFFICE.read_bytes()))
        self.assertEqual(len(list(rows)), 536)
        with self.assertRaisesRegex(ValueError, "cannot seek, and was read already"):
            list(rows)

    def test_named_pipes_are_opened_once(self):
        data = OFFICE.read_bytes()
        expected = wiresum.verify(OFFICE)
        for n, call in enumerate(
            (
                lambda pipe: wiresum.verify(pipe).checksums == expected.checksums,
                lambda pipe: len(list(wiresum.read(pipe))) == 536,
                lambda pipe: pa.table(wiresum.packets(pipe)).num_rows == 366,
                lambda pipe: wiresum.fix(pipe, self.folder / "out").left == {},
            )
        ):
            pipe = self.folder / f"pipe-{n}"
            os.mkfifo(pipe)
            writer = threading.Thread(target=pipe.write_bytes, args=[data])
            writer.start()
            self.assertTrue(call(pipe))
            writer.join()
        pipe = self.folder / "again"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=[data])
        writer.start()
        verified = wiresum.verify(pipe)
        writer.join()
        with self.assertRaisesRegex(ValueError, "again is a pipe, and was read already"):
            list(verified)
        script = "import sys, wiresum; print(len(list(wiresum.read('/dev/stdin'))))"
        ran = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True)
        self.assertEqual((ran.stdout, ran.stderr), (b"536\n", b""))

    def test_a_live_pipe_gives_its_rows_at_once(self):
        """Rows come while the writer of the pipe still has it open."""
        data = (ROOT / "examples/corrupted.pcap").read_bytes()[:4000]
        rows, packets = len(list(wiresum.read(data))), len(list(wiresum.packets(data)))
        for n, (call, some) in enumerate(
            ((wiresum.read, rows), (wiresum.packets, packets)) * 2  # by path, and by file object
        ):
            pipe = self.folder / f"live-{n}"
            os.mkfifo(pipe)
            writer = os.open(pipe, os.O_RDWR)  # which does not wait for a reader
            source = pipe if n < 2 else self.enterContext(pipe.open("rb"))
            # The writer closes first: a file object cannot close while a thread waits in its read.
            self.addCleanup(os.close, writer)
            os.write(writer, data)
            found = iter(call(source))
            start = time.monotonic()
            for _ in range(some - 1):  # the last record is cut
                next(found)
            seconds = time.monotonic() - start
            self.assertLess(seconds, 0.2 * max(1, os.getloadavg()[0]))

    def test_what_is_no_source(self):
        for wrong in (17, None, ["a.pcap"], 1.5):
            for call in (wiresum.verify, wiresum.read, wiresum.packets):
                with self.assertRaisesRegex(TypeError, "a capture is a path, a file object"):
                    call(wrong)
        with OFFICE.open("r", encoding="latin-1") as text:
            with self.assertRaisesRegex(TypeError, 'open the file in binary mode, "rb"'):
                wiresum.verify(text)

    def test_what_a_file_object_raises_is_raised(self):
        class Broken:
            def __init__(self, good):
                self.data, self.good = io.BytesIO(OFFICE.read_bytes()), good

            def read(self, size):
                if self.data.tell() >= self.good:
                    raise ZeroDivisionError("broken")
                return self.data.read(min(size, 1000))

        for good in (0, 2000):
            for call in (
                wiresum.verify,
                lambda it: list(wiresum.read(it)),
                lambda it: list(wiresum.packets(it)),
                lambda it: wiresum.fix(it, self.folder / "out"),
            ):
                with self.assertRaisesRegex(ZeroDivisionError, "broken"):
                    call(Broken(good))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_panic_never_ends_the_rows(self):
        """A thread that panics gives no rows, and the loop over them must not end as if it had."""
        script = textwrap.dedent(
            """
            import sys, wiresum

            class Panics:
                def __init__(self):
                    self.file = open(sys.argv[1], "rb")
                def read(self, size):
                    if self.file.tell() > 2000:
                        (panic,) = [
                            each for each in BaseException.__subclasses__()
                            if each.__name__ == "PanicException"
                        ]
                        raise panic("as if it were one of Rust")
                    return self.file.read(min(size, 1000))

            try:
                for row in wiresum.read(Panics()):
                    pass
            except RuntimeError as error:
                print(error)
            """
        )
        ran = subprocess.run([sys.executable, "-c", script, OFFICE], capture_output=True, text=True)
        self.assertEqual(ran.stdout, "a thread of wiresum panicked\n", ran.stderr)


class Errors(InATemporaryFolder):
    def test_files_that_are_not_there(self):
        for call in (wiresum.verify, wiresum.read, wiresum.packets):
            with self.assertRaises(FileNotFoundError) as caught:
                call(self.folder / "none.pcap")
            self.assertEqual(Path(caught.exception.filename), self.folder / "none.pcap")
            with self.assertRaisesRegex(IsADirectoryError, "folder; name the files in it"):
                call(self.folder)

    def test_what_is_no_capture(self):
        path = self.folder / "notes.txt"
        path.write_text("no capture, but long enough to be one\n")
        for call in (wiresum.verify, wiresum.read, wiresum.packets, self.fix):
            with self.assertRaises(wiresum.CaptureError) as caught:
                call(path)
            error = caught.exception
            self.assertEqual(
                str(error),
                f"{path}: not a pcap, pcapng or snoop capture; the command `file {path}` may tell "
                "what it is",
            )
            self.assertEqual((error.file, error.offset), (str(path), 38))
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(again), again.file, again.offset), (str(error), str(path), 38))
        with self.assertRaises(wiresum.CaptureError) as caught:
            wiresum.verify(b"")
        self.assertEqual(str(caught.exception), "the file is empty")
        self.assertEqual((caught.exception.file, caught.exception.offset), (None, 0))

    def fix(self, path):
        return wiresum.fix(path, self.folder / "out.pcap")

    def test_damaged_compression_has_its_offset(self):
        packed = gzip.compress(OFFICE.read_bytes())
        path = self.folder / "cut.gz"
        path.write_bytes(packed[: len(packed) // 2])
        self.assertEqual(wiresum.verify(path).malformed["damaged compressed data"], 1)
        with self.assertRaisesRegex(wiresum.CaptureError, "compressed data are damaged") as caught:
            self.fix(path)
        self.assertEqual(caught.exception.file, str(path))
        self.assertEqual(caught.exception.offset, len(packed) // 2)
        self.assertFalse((self.folder / "out.pcap").exists())

    def test_no_file_is_overwritten_unasked(self):
        out, undo = self.folder / "out.pcapng", self.folder / "undo"
        out.write_bytes(b"mine")
        with self.assertRaisesRegex(FileExistsError, "force=True replaces it"):
            wiresum.fix(OFFICE, out)
        self.assertEqual(out.read_bytes(), b"mine")
        wiresum.fix(OFFICE, out, undo=undo, force=True)
        self.assertTrue(wiresum.verify(out).ok)
        with self.assertRaises(FileExistsError):
            wiresum.fix(OFFICE, self.folder / "other", undo=undo)
        with self.assertRaisesRegex(ValueError, "both IN and OUT"):
            wiresum.fix(out, out, force=True)
        self.assertEqual(program("undo", undo, out).returncode, 0)
        self.assertEqual(out.read_bytes(), OFFICE.read_bytes())

    def test_links_stay_links(self):
        for name in ("out.pcapng", "undo"):
            (self.folder / "real").mkdir(exist_ok=True)
            (self.folder / f"real/{name}").write_bytes(b"mine")
            (self.folder / name).symlink_to(f"real/{name}")
        out, undo = self.folder / "out.pcapng", self.folder / "undo"
        wiresum.fix(OFFICE, out, undo=undo, force=True)
        for path in (out, undo):
            self.assertTrue(path.is_symlink())
            self.assertNotEqual((self.folder / "real" / path.name).read_bytes(), b"mine")
        self.assertTrue(wiresum.verify(self.folder / "real/out.pcapng").ok)

    def test_in_place_and_undo(self):
        capture, undo = self.folder / "a.pcapng", self.folder / "undo"
        capture.write_bytes(OFFICE.read_bytes())
        wiresum.fix(capture, in_place=True, undo=undo)
        self.assertTrue(wiresum.verify(capture).ok)
        other = self.folder / "b.pcapng"
        wiresum.undo(undo, capture, other)
        self.assertEqual(other.read_bytes(), OFFICE.read_bytes())
        with self.assertRaisesRegex(FileExistsError, "force=True replaces it"):
            wiresum.undo(undo, capture, other)
        wiresum.undo(undo, capture, other, force=True)
        with self.assertRaisesRegex(wiresum.CaptureError, "the undo record is for another capture"):
            wiresum.undo(undo, other)
        wiresum.undo(undo, capture)
        self.assertEqual(capture.read_bytes(), OFFICE.read_bytes())
        with self.assertRaisesRegex(ValueError, "both IN and OUT; in_place=True repairs"):
            wiresum.fix(capture, capture, force=True)
        with self.assertRaisesRegex(ValueError, "in_place=True replaces .*; leave out OUT"):
            wiresum.fix(capture, self.folder / "c", in_place=True)
        with self.assertRaisesRegex(ValueError, "name out, or give in_place=True"):
            wiresum.fix(capture)
        with self.assertRaisesRegex(ValueError, "only a file can be repaired in place"):
            wiresum.fix(OFFICE.read_bytes(), in_place=True)

    def test_verifications_pickle_and_compare(self):
        found = wiresum.verify(OFFICE)
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(found))))
        self.assertEqual(again, found)
        self.assertEqual(list(again), list(found))
        self.assertNotEqual(again, wiresum.verify(ROOT / "examples/vlan.pcap"))
        self.assertNotEqual(found, 17)
        unnamed = pickle.loads(pickle.dumps(wiresum.verify(OFFICE.read_bytes())))
        self.assertEqual(unnamed.checksums, found.checksums)
        with self.assertRaisesRegex(ValueError, "a pickle leads to no capture without a name"):
            list(unnamed)

    def test_only_some_causes(self):
        path = ROOT / "examples/corrupted.pcap"
        causes = {cause for of in wiresum.verify(path).causes.values() for cause in of}
        cause = sorted(causes)[0]
        found = wiresum.fix(path, self.folder / "out", only=cause)
        self.assertEqual({c for of in found.repaired.values() for c in of} - {"follows"}, {cause})
        self.assertGreater(sum(n for of in found.left.values() for n in of.values()), 0)
        with self.assertRaisesRegex(ValueError, '"ofload" is no cause; the causes are .*offload'):
            wiresum.fix(path, self.folder / "other", only=["ofload"])

    def test_jobs(self):
        for call in (wiresum.verify, wiresum.read):
            for wrong in (0, 4097, 10**6):
                with self.assertRaisesRegex(ValueError, "jobs is at least 1 and at most 4096"):
                    call(OFFICE, jobs=wrong)

    def test_errors_in_a_stream_reach_the_consumer(self):
        class Broken(io.BytesIO):
            def read(self, size=-1):
                if self.tell() > 2000:
                    raise ZeroDivisionError("broken here")
                return super().read(min(size, 1000))

        rows = wiresum.read(Broken(OFFICE.read_bytes()))
        with self.assertRaisesRegex((OSError, pa.ArrowException), "broken here"):
            pa.table(rows)

    def test_records_that_cannot_be_read(self):
        capture = pcap(bytes(60))[:-10]
        found = wiresum.verify(capture)
        self.assertEqual((found.packets, sum(found.malformed.values())), (0, 1))
        self.assertEqual(found.total(), 0)


class Progress(InATemporaryFolder):
    def test_it_is_told_from_the_thread_of_the_caller(self):
        path = many(self.folder / "many.pcap", 300)
        size = path.stat().st_size
        for call in (
            wiresum.verify,
            lambda path, **it: list(wiresum.read(path, **it)),
            lambda path, **it: list(wiresum.packets(path, **it)),
            lambda path, **it: wiresum.fix(path, self.folder / "out", force=True, **it),
        ):
            told = []

            def progress(read, total, told=told):
                told.append((read, total, threading.get_ident()))

            call(path, progress=progress)
            reads = [read for read, _, _ in told]
            self.assertEqual(reads, sorted(reads))
            self.assertEqual(reads[-1], size)
            self.assertEqual({total for _, total, _ in told}, {size})
            self.assertEqual({thread for *_, thread in told}, {threading.get_ident()})

    def test_what_it_raises_ends_the_call(self):
        path = many(self.folder / "many.pcap", 300)

        def progress(read, total):
            raise ZeroDivisionError("enough")

        for call in (
            lambda: wiresum.verify(path, progress=progress),
            lambda: list(wiresum.read(path, progress=progress)),
            lambda: list(wiresum.packets(path, progress=progress)),
            lambda: wiresum.fix(path, self.folder / "out", progress=progress),
        ):
            with self.assertRaisesRegex(ZeroDivisionError, "enough"):
                call()
        self.assertFalse((self.folder / "out").exists())


class Interrupts(InATemporaryFolder):
    SCRIPT = """
        import os, sys, time
        import pyarrow
        import wiresum

        class Slow:
            "A capture without an end."
            def __init__(self):
                self.data, self.at = open(sys.argv[1], "rb").read(), 0
            def read(self, size):
                if self.at == len(self.data):
                    self.at = 24
                self.at, start = min(len(self.data), self.at + size), self.at
                return self.data[start:self.at]

        def table():
            "pyarrow raises an exception of its own, and then Python raises its own."
            try:
                pyarrow.table(wiresum.read(Slow()))
            except (OSError, pyarrow.ArrowException):
                end = time.time() + 5
                while time.time() < end:
                    pass

        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted", time.time(), flush=True)
    """

    def seconds_to_stop(self, call, capture):
        script = textwrap.dedent(self.SCRIPT).format(call=call)
        running = subprocess.Popen(
            [sys.executable, "-c", script, capture, *self.pipes], stdout=subprocess.PIPE, text=True
        )
        self.assertEqual(running.stdout.readline(), "ready\n")
        time.sleep(0.5)
        sent = time.time()
        running.send_signal(signal.SIGINT)
        word, _, at = running.stdout.readline().partition(" ")
        self.assertEqual(running.wait(10), 0)
        running.stdout.close()
        self.assertEqual(word, "interrupted")
        return float(at) - sent

    def test_ctrl_c_stops_within_a_tenth_of_a_second(self):
        capture = ROOT / "examples/corrupted.pcap"
        scratch = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.pipes = [scratch / name for name in ("nobody-writes", "nobody-goes-on")]
        for pipe in self.pipes:
            os.mkfifo(pipe)
        writer = os.open(self.pipes[1], os.O_RDWR)
        self.addCleanup(os.close, writer)
        for call in (
            "wiresum.verify(Slow())",
            "sum(1 for _ in wiresum.read(Slow()))",
            "sum(1 for _ in wiresum.packets(Slow()))",
            f"wiresum.fix(Slow(), {str(self.folder / 'out')!r})",
            "wiresum.verify(Slow(), jobs=1)",
            "table()",
            "wiresum.verify(sys.argv[2])",
            "list(wiresum.read(sys.argv[2]))",
            "list(wiresum.packets(sys.argv[2]))",
            "wiresum.verify(sys.argv[3])",
            "list(wiresum.packets(sys.argv[3]))",
        ):
            with self.subTest(call):
                # 100 ms on a machine that has time; a loaded one gets more, and other tries.
                tries = (self.seconds_to_stop(call, capture) for _ in range(8))
                limit = 0.1 * max(1, os.getloadavg()[0])
                self.assertTrue(any(seconds < limit for seconds in tries))
        self.assertEqual(list(self.folder.iterdir()), [])

    def setUp(self):
        super().setUp()
        # A shell lets what it starts in the background ignore SIGINT, and children inherit that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def test_the_handler_of_the_process_stays(self):
        before = signal.getsignal(signal.SIGINT)
        wiresum.fix(OFFICE, self.folder / "out")
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        with self.assertRaises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


class Memory(InATemporaryFolder):
    def test_streams_take_bounded_memory(self):
        path = many(self.folder / "many.pcap", 2000)
        self.assertGreater(path.stat().st_size, 40 << 20)
        for call in (wiresum.read, wiresum.packets):
            reader = pa.RecordBatchReader.from_stream(call(path))
            rows = largest = 0
            before = None
            for batch in reader:
                rows += batch.num_rows
                largest = max(largest, batch.num_rows)
                if before is None:
                    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            self.assertGreater(rows, 100_000)
            self.assertLessEqual(largest, 65536)
            self.assertLess(after - before, 40 << 10, call)  # KiB

    def test_a_stream_that_is_left_ends_its_threads(self):
        path = many(self.folder / "many.pcap", 2000)

        def threads():
            return len(os.listdir("/proc/self/task"))

        before = threads()
        for _ in range(5):
            rows = iter(wiresum.read(path))
            next(rows)
            del rows
        reader = pa.RecordBatchReader.from_stream(wiresum.read(path))
        reader.read_next_batch()
        del reader
        end = time.monotonic() + 10
        while threads() > before and time.monotonic() < end:
            time.sleep(0.01)
        self.assertLessEqual(threads(), before)


class CommandLine(InATemporaryFolder):
    def test_it_is_the_program(self):
        ran = program("--version")
        self.assertEqual(ran.stdout, f"wiresum {wiresum.__version__}\n")
        self.assertEqual(program("nonsense").returncode, 2)
        self.assertIn("Usage: wiresum <COMMAND>", program("nonsense").stderr)
        ran = program("verify", OFFICE)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("all 142 bad checksums are checksum offload, 136 of them", ran.stdout)
        self.assertEqual(program("verify", "--allow", "offload", OFFICE).returncode, 0)

    def test_the_script(self):
        script = Path(sys.executable).with_name("wiresum")
        ran = subprocess.run([script, "sum", OFFICE], capture_output=True, text=True)
        stream = wiresum.Stream(OFFICE.read_bytes())
        self.assertEqual(ran.stdout, f"{stream.sum():#06x}  {OFFICE}\n")

    def test_ctrl_c_ends_it(self):
        running = subprocess.Popen(
            [sys.executable, "-m", "wiresum", "verify", "-"], stdin=subprocess.PIPE
        )
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(10), -signal.SIGINT)
        running.stdin.close()


if __name__ == "__main__":
    unittest.main()
