# SPDX-License-Identifier: MIT OR Apache-2.0
"""The folder of results: what is in it, and what a run that was cut off leaves to do.

python3 -m unittest discover -s python/tests/engines -p test_results.py
"""

import contextlib
import gzip
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock
from collections import Counter
from pathlib import Path

import duckdb
import pyarrow.dataset as ds
import wiresum
from archives import (
    ROOT,
    SPLIT,
    ArchiveTest,
    counted,
    dictionaries,
    lines,
    page,
    program_counted,
    program_counts,
    program_lines,
)
from captures import pcap
from wiresum.engines import _results
from wiresum.engines._files import find
from wiresum.engines._parts import on_threads, plan
from wiresum.engines._tables import COUNTS, rows_of

COLUMNS = wiresum.Row._fields


def table(folder, name):
    """A table of a folder of results."""
    return ds.dataset(folder / name, format="parquet", partitioning=None).to_table()


class Results(ArchiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.counts = program_counted(cls.archive)
        cls.errors = program_counts(cls.archive)[1]

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "results"

    def write(self, archive=None):
        archive = str(archive or self.archive)
        return _results.write(archive, str(self.folder), run=on_threads(3), split=SPLIT)

    def same(self):
        self.assertEqual(self.rows(self.folder), self.expected)
        self.assertEqual(counted(table(self.folder, "counts").to_pylist()), self.counts)
        problems = table(self.folder, "problems").to_pylist()
        self.assertEqual({row["file"]: row["error"] for row in problems}, self.errors)

    def rows(self, folder):
        """The rows of a folder of results, as lines of CSV."""
        return lines(dictionaries(table(folder, "checksums")))

    def files(self):
        """When each file was written."""
        files = self.folder.rglob("*.parquet")
        return {str(path): path.stat().st_mtime_ns for path in files}

    def test_the_tables_are_those_of_the_program(self):
        written = self.write()
        self.assertEqual(written.problems, self.errors)
        self.assertEqual(written.skipped, 0)
        self.assertGreater(written.parts, written.captures)
        self.same()
        self.assertEqual([*self.folder.rglob(".*")], [])

    def test_counts_of_many_captures_are_one_batch(self):
        gone = self.folder.with_name("gone.pcap")
        gone.touch()
        parts = plan(find([str(self.archive), str(gone)]), split=SPLIT)
        gone.unlink()
        self.assertGreater(len(parts), 20)
        (batch,) = rows_of(parts, "counts")
        self.assertEqual(batch.schema, COUNTS)
        self.assertEqual(counted(batch.to_pylist()), self.counts)
        (batch,) = rows_of(parts, "problems", ["error", "file"])
        found = {row["file"]: row["error"] for row in batch.to_pylist()}
        self.assertEqual(
            found, {**self.errors, str(gone): "No such file or directory (os error 2)"}
        )

    def test_partitions(self):
        """A query for a date reads the files of that date alone."""
        self.write()
        dates = sorted(path.name for path in (self.folder / "checksums").iterdir())
        self.assertGreater(len(dates), 7)
        found = duckdb.sql(
            f"select date::varchar, count(*), min(time)::date::varchar, max(time)::date::varchar "
            f"from read_parquet('{self.folder}/checksums/**/*.parquet', hive_partitioning = true) "
            "group by all order by all"
        ).fetchall()
        self.assertEqual([f"date={row[0]}" for row in found], dates)
        for date, _, first, last in found:
            self.assertEqual((first, last), (date, date))
        self.assertEqual(sum(row[1] for row in found), len(self.expected))

    def test_a_second_run_reads_nothing(self):
        first = self.write()
        before = self.files()
        second = self.write()
        self.assertEqual((second.parts, second.skipped), (0, first.parts))
        self.assertEqual(second.problems, self.errors)
        self.assertEqual(self.files(), before)

    def test_a_run_that_was_cut_off_goes_on(self):
        """The process is killed after some parts; a second run reads the others alone."""
        program = textwrap.dedent(
            f"""
            import os, signal, time
            from wiresum.engines import _results
            from wiresum.engines._parts import in_turn

            def run(function, arguments):
                if function is not _results.write_part:
                    return in_turn(function, arguments)
                for each in arguments:
                    print("part", flush=True)
                    function(*each)
                    time.sleep(0.05)

            _results.write({str(self.archive)!r}, {str(self.folder)!r}, run=run, split={SPLIT})
            """
        )
        run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        for _ in range(9):
            self.assertEqual(run.stdout.readline(), "part\n")
        run.send_signal(signal.SIGKILL)
        run.communicate()
        self.assertEqual(run.returncode, -signal.SIGKILL)
        done = len([*self.folder.glob(".parts/*/*/counts/0.arrow")])
        self.assertGreaterEqual(done, 8)
        second = self.write()
        self.assertEqual(second.skipped, done)
        self.assertGreater(second.parts, 5)
        self.same()

    def test_files_of_dead_workers_are_removed(self):
        self.write()
        left = []
        for name in ("checksums", "counts", "problems", "captures"):
            (near, *_) = (path for path in (self.folder / name).rglob("*") if path.is_file())
            left.append(near.with_name(f".{near.name}.{'0a' * 16}"))
            left[-1].write_bytes(b"begun")
        other = near.with_name(".of-somebody-else")
        other.touch()
        self.write()
        self.assertEqual([path.exists() for path in (*left, other)], [False] * 4 + [True])
        self.same()

    def test_few_files(self):
        """A date has one file, however many captures and runs there are, until that is large."""
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        capture = (ROOT / "examples/vlan.pcap").read_bytes()
        for n in range(30):
            (archive / f"{n}.pcap").write_bytes(capture)
        _results.write(str(archive), str(self.folder), run=on_threads(2))
        files = sorted(path.parent.name for path in self.folder.rglob("*.parquet"))
        dates = sorted(path.name for path in (self.folder / "checksums").iterdir())
        self.assertEqual(files, ["counts", *dates])
        (archive / "later.pcap").write_bytes(capture)
        self.assertEqual(_results.write(str(archive), str(self.folder)).parts, 1)
        self.assertEqual(len([*self.folder.rglob("*.parquet")]), len(files))
        self.assertEqual(self.rows(self.folder), program_lines(archive))
        with unittest.mock.patch.object(_results, "LARGE", 30_000):
            (archive / "changed.pcap").write_bytes(capture)
            again = Path(self.folder.parent, "again")
            _results.write(str(archive), str(again))
        several = [*again.glob("checksums/*/*.parquet")]
        self.assertTrue(len(dates) < len(several) < 32 * len(dates), several)
        self.assertEqual(self.rows(again), program_lines(archive))

    def test_killed_between_any_two_steps(self):
        """At every step a reader sees a row once or not at all, and the next run ends the work."""
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        examples = ROOT / "examples"
        for name in ("vlan.pcap", "fragments.pcap"):
            (archive / name).write_bytes((examples / name).read_bytes())
        (archive / "broken.pcap").write_bytes(b"\xd4\xc3\xb2\xa1")
        first = self.folder.with_name("first")
        _results.write(str(archive), str(first))
        (archive / "fragments.pcap").write_bytes((examples / "corrupted.pcap").read_bytes())
        (archive / "new.pcap").write_bytes((examples / "vlan.pcap").read_bytes())
        old = [row for row in self.rows(first) if "fragments.pcap" in row]
        expected = Counter(program_lines(archive)) + Counter(old)
        counts = program_counted(archive)
        steps = ("keep", "remove", "remove_folder", "write_text", "temporary")

        class Killed(BaseException):
            pass

        def dies(call, at):
            def step(out, *arguments):
                self.at += 1
                seen = Counter(self.rows(self.folder))
                self.assertEqual(seen - expected, Counter())
                if self.at == at:
                    raise Killed
                return call(out, *arguments)

            return step

        last, at = False, 0
        while not last:
            at += 1
            shutil.rmtree(self.folder, ignore_errors=True)
            shutil.copytree(first, self.folder)
            self.at = 0
            with contextlib.ExitStack() as patches:
                for name in steps:
                    call = getattr(_results.Folder, name)
                    patches.enter_context(
                        unittest.mock.patch.object(_results.Folder, name, dies(call, at))
                    )
                try:
                    _results.write(str(archive), str(self.folder))
                    last = True
                except Killed:
                    pass
            with self.subTest(step=at):
                _results.write(str(archive), str(self.folder))
                self.assertEqual(self.rows(self.folder), program_lines(archive))
                self.assertEqual(counted(table(self.folder, "counts").to_pylist()), counts)
                self.assertEqual(table(self.folder, "problems").num_rows, 1)
                self.assertFalse((self.folder / ".parts").exists())
        self.assertGreater(at, 20)

    def test_a_capture_that_changes_is_read_again(self):
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        capture = archive / "changes.pcap"
        capture.write_bytes((ROOT / "examples/fragments.pcap").read_bytes())
        (archive / "stays.pcap").write_bytes((ROOT / "examples/vlan.pcap").read_bytes())
        self.write(archive)
        capture.write_bytes((ROOT / "examples/corrupted.pcap").read_bytes())
        os.utime(capture, ns=(time.time_ns(), time.time_ns() + 10**9))
        written = self.write(archive)
        self.assertEqual(written.skipped, 1)
        rows = dictionaries(table(self.folder, "checksums"))
        self.assertEqual(lines(rows), program_lines(archive))
        self.assertEqual(
            counted(table(self.folder, "counts").to_pylist()), program_counted(archive)
        )

    def test_a_problem_that_passes(self):
        """A file that cannot be read is tried again, and its problem goes away."""
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        late = archive / "late.pcap"
        late.symlink_to(late)
        written = _results.write([str(late)], str(self.folder))
        said = "Too many levels of symbolic links (os error 40)"
        self.assertEqual(written.problems, {str(late): said})
        late.unlink()
        late.write_bytes((ROOT / "examples/vlan.pcap").read_bytes())
        written = _results.write([str(late)], str(self.folder))
        self.assertEqual((written.problems, written.parts), ({}, 1))
        rows = dictionaries(table(self.folder, "checksums"))
        self.assertEqual(lines(rows), program_lines(late))

    def test_captures_of_one_name_in_two_folders(self):
        """Captures are known by where they are, and not by the name that the caller typed."""
        scratch = Path(self.enterContext(tempfile.TemporaryDirectory()))
        n = {}
        for where, name in (("monday", "vlan.pcap"), ("tuesday", "corrupted.pcap")):
            (scratch / where).mkdir()
            (scratch / where / "a.pcap").write_bytes((ROOT / "examples" / name).read_bytes())
            with contextlib.chdir(scratch / where):
                written = _results.write("*.pcap", str(self.folder))
            self.assertEqual((written.parts, written.skipped), (1, 0))
            n[where] = wiresum.verify(scratch / where / "a.pcap").total()
        self.assertEqual(table(self.folder, "checksums").num_rows, sum(n.values()))
        again = _results.write([str(scratch / "monday/a.pcap"), str(scratch)], str(self.folder))
        self.assertEqual((again.captures, again.parts, again.skipped), (2, 0, 2))
        self.assertEqual(table(self.folder, "checksums").num_rows, sum(n.values()))

    def test_results_of_another_layout_are_left_alone(self):
        self.write()
        for told in (self.folder / "captures").iterdir():
            told.write_text('{"file": "a.pcap", "place": "file:///a.pcap", "size": 1, "parts": 1}')
        before = self.files()
        with self.assertRaisesRegex(ValueError, "another version wrote the results"):
            self.write()
        self.assertEqual(self.files(), before)

    def test_odd_names(self):
        """A name of 250 bytes, and one that is not UTF-8, are names like others."""
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        capture = (ROOT / "examples/vlan.pcap").read_bytes()
        for name in (b"n" * 250, b"odd-\xff.pcap", b"odd-\xfe.pcap"):
            Path(os.fsdecode(bytes(archive) + b"/" + name)).write_bytes(capture)
        written = self.write(archive)
        self.assertEqual((written.captures, written.parts, written.problems), (3, 3, {}))
        rows = dictionaries(table(self.folder, "checksums"))
        self.assertEqual(lines(rows), program_lines(archive))
        self.assertIn(f"{archive}/odd-\ufffd.pcap", {row["file"] for row in rows})
        self.assertEqual(page("report", self.folder), page("verify", archive))

    def test_a_capture_of_many_days(self):
        """Few files are open at once, and a day that comes again later gets a further one."""
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        number = next(iter(wiresum.read(ROOT / "examples/corrupted.pcap"))).frame
        frame = list(wiresum.packets(ROOT / "examples/corrupted.pcap"))[number - 1].data
        capture = bytearray(pcap(*[frame] * 20_000))
        for n in range(20_000):
            struct.pack_into("<I", capture, 24 + n * (16 + len(frame)), n % 80 * 86400)
        (archive / "days.pcap").write_bytes(capture)
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        used = len(os.listdir("/proc/self/fd"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (used + 50, limits[1]))
        _results.write(str(archive), str(self.folder))
        self.assertEqual(len([*(self.folder / "checksums").iterdir()]), 80)
        self.assertEqual(len([*self.folder.glob("checksums/*/*")]), 80)
        rows = dictionaries(table(self.folder, "checksums"))
        self.assertGreater(len(rows), 2 * 16_384)
        self.assertEqual(lines(rows), program_lines(archive))

    def test_a_compressed_capture_that_is_cut_short(self):
        """It is a problem, and the counts have what came before."""
        archive = Path(self.enterContext(tempfile.TemporaryDirectory()))
        packed = gzip.compress((ROOT / "examples/corrupted.pcap").read_bytes())
        (archive / "cut.pcap.gz").write_bytes(packed[: len(packed) // 2])
        (archive / "whole.pcap.gz").write_bytes(packed)
        written = self.write(archive)
        self.assertEqual([*written.problems], [str(archive / "cut.pcap.gz")])
        self.assertRegex(*written.problems.values(), "^the compressed data are damaged: ")
        found = counted(table(self.folder, "counts").to_pylist())
        self.assertEqual(found, program_counted(archive))
        self.assertEqual(page("report", self.folder), page("verify", archive))


if __name__ == "__main__":
    unittest.main()
