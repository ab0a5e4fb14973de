# SPDX-License-Identifier: MIT OR Apache-2.0
"""The folder of results: what is in it, and what a run that was cut off leaves to do.

python3 -m unittest discover -s python/tests/engines -p test_results.py
"""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
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
    program_counted,
    program_counts,
    program_lines,
)
from wiresum.engines import _results
from wiresum.engines._parts import on_threads

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
        self.assertEqual(lines(dictionaries(table(self.folder, "checksums"))), self.expected)
        self.assertEqual(counted(table(self.folder, "counts").to_pylist()), self.counts)
        problems = table(self.folder, "problems").to_pylist()
        self.assertEqual({row["file"]: row["error"] for row in problems}, self.errors)

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
        before = self.files()
        done = len([*self.folder.glob("counts/*/*.parquet")])
        self.assertGreaterEqual(done, 8)
        second = self.write()
        self.assertEqual(second.skipped, done)
        self.assertGreater(second.parts, 5)
        self.same()
        after = self.files()
        kept = [path for path in before if "/counts/" in path]
        self.assertEqual([after[path] for path in kept], [before[path] for path in kept])

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
        written = _results.write([str(late)], str(self.folder))
        self.assertEqual(written.problems, {str(late): "No such file or directory (os error 2)"})
        late.write_bytes((ROOT / "examples/vlan.pcap").read_bytes())
        written = _results.write([str(late)], str(self.folder))
        self.assertEqual((written.problems, written.parts), ({}, 1))
        rows = dictionaries(table(self.folder, "checksums"))
        self.assertEqual(lines(rows), program_lines(late))


if __name__ == "__main__":
    unittest.main()
