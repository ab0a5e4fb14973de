# SPDX-License-Identifier: MIT OR Apache-2.0
"""The files of an archive: what names stand for, and reading stretches of them from anywhere.

python3 -m unittest discover -s python/tests/engines -p test_files.py
"""

import contextlib
import gzip
import os
import re
import shutil
import tempfile
import threading
import time
import unittest
from pathlib import Path

import fsspec
import pyarrow as pa
import wiresum
from archives import ROOT, dictionaries, lines, program_lines
from captures import pcap
from pyarrow import fs
from wiresum.engines import _files
from wiresum.engines._files import fetches, find
from wiresum.engines._parts import Reading, on_threads, plan

EXAMPLES = ROOT / "examples"


def rows(paths, filesystem=None, split=20_000):
    parts = plan(find(paths, filesystem), on_threads(4), split)
    batches = [batch for part in parts for batch in Reading(part)]
    return [row for each in batches for row in dictionaries(pa.Table.from_batches([each]))]


class Names(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("b/two.pcap", "b/deep/three.dat", "one.pcapng", "b/notes.txt", "empty"):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"text")
        shutil.copy(EXAMPLES / "vlan.pcap", self.folder / "b/two.pcap")
        shutil.copy(EXAMPLES / "office.pcapng", self.folder / "one.pcapng")
        with gzip.open(self.folder / "b/deep/three.dat", "wb") as out:
            out.write((EXAMPLES / "tso.pcap").read_bytes())
        os.symlink(self.folder / "one.pcapng", self.folder / "link.pcapng")

    def found(self, *paths, filesystem=None):
        return [file.name for file in find(list(paths), filesystem)]

    def test_a_folder_is_its_captures_as_in_the_program(self):
        inside = [str(self.folder / name) for name in ("b/deep/three.dat", "b/two.pcap")]
        for filesystem in (None, fs.LocalFileSystem()):
            found = self.found(str(self.folder), filesystem=filesystem)
            links = [str(self.folder / "link.pcapng")] if filesystem else []
            self.assertEqual(sorted(found), [*inside, *links, str(self.folder / "one.pcapng")])
        self.assertEqual(lines(rows(str(self.folder))), program_lines(self.folder))

    def test_a_compressed_capture_whose_first_block_is_long(self):
        """Its block of 128 KiB (zstd) or more (lz4) cannot be decompressed in parts."""
        folder = self.folder / "dense"
        folder.mkdir()
        halves = [os.urandom(1000) for _ in range(5000)]
        frames = [half + half[:500] for half in halves]  # two thirds remain
        for codec in ("zstd", "lz4", "gzip"):
            packed = pa.Codec(codec).compress(pcap(*frames), asbytes=True)
            (folder / f"dense.{codec}").write_bytes(packed)
        for filesystem in (None, fs.LocalFileSystem()):
            found = self.found(str(folder), filesystem=filesystem)
            names = [str(folder / f"dense.{codec}") for codec in ("gzip", "lz4", "zstd")]
            self.assertEqual(sorted(found), names)

    def test_a_relative_path(self):
        """Rows have the name as it was given, and workers may have another working folder."""
        with contextlib.chdir(self.folder):
            files = find(["b", "*.pcapng"])
        names = ["b/deep/three.dat", "b/two.pcap", "link.pcapng", "one.pcapng"]
        files.sort(key=lambda file: file.name)
        self.assertEqual([file.name for file in files], names)
        counts = [Reading(part, None) for part in plan(files)]
        self.assertEqual([list(reading) for reading in counts], [[]] * 4)
        self.assertEqual([reading.counts["path"] for reading in counts], names)

    def test_globs(self):
        folder = str(self.folder)
        for filesystem in (None, fs.LocalFileSystem()):
            for pattern, names in {
                "*.pcapng": ["link.pcapng", "one.pcapng"],
                "**/*.pcap": ["b/two.pcap"],
                "b/**/t*": ["b/deep/three.dat", "b/two.pcap"],
                "?ne.pcap[mn]g": ["one.pcapng"],
                "[!l]*.pcapng": ["one.pcapng"],
                "b/*": ["b/notes.txt", "b/two.pcap"],
            }.items():
                with self.subTest(pattern, filesystem=filesystem):
                    found = self.found(f"{folder}/{pattern}", filesystem=filesystem)
                    self.assertEqual(found, [f"{folder}/{name}" for name in names])
            with self.assertRaisesRegex(FileNotFoundError, "no file matches"):
                self.found(f"{folder}/*.snoop", filesystem=filesystem)
        with self.assertRaisesRegex(FileNotFoundError, "no capture in the folder"):
            (self.folder / "none").mkdir()
            self.found(f"{folder}/none")

    def test_a_file_that_cannot_be_read_is_found_and_says_why(self):
        gone = self.folder / "gone.pcap"
        gone.touch()
        (found,) = find(str(gone))
        gone.unlink()
        (reading,) = [Reading(part) for part in plan([found])]
        self.assertEqual(list(reading), [])
        self.assertEqual(reading.error, "No such file or directory (os error 2)")
        self.assertTrue(reading.may_pass)
        (text,) = [Reading(part) for part in plan(find(str(self.folder / "b/notes.txt")))]
        self.assertEqual(list(text), [])
        self.assertRegex(text.error, "^not a pcap, pcapng or snoop capture; the command `file ")
        self.assertFalse(text.may_pass)

    def test_names_that_lead_to_no_file(self):
        missing = str(self.folder / "missing.pcap")
        for filesystem in (None, fs.LocalFileSystem()):
            for name in (missing, f"file:{missing}", f"file://{missing}", f"{missing}/within"):
                with self.subTest(name), self.assertRaises(FileNotFoundError) as caught:
                    find([name], filesystem)
                self.assertEqual(caught.exception.filename, re.sub("^file:(//)?", "", name))
        for name in ("", [], ["", "a"]):
            with self.assertRaisesRegex(ValueError, "name the captures"):
                find(name)

    def test_local_uris(self):
        path = str(self.folder / "one.pcapng")
        for uri in (f"file:{path}", f"file://{path}"):
            self.assertEqual(self.found(uri), [path])
        (file,) = find(path)
        with contextlib.chdir(self.folder):
            for name, filesystem in (
                ("one.pcapng", None),
                ("./one.pcapng", None),
                ("one.pcapng", fs.SubTreeFileSystem(str(self.folder), fs.LocalFileSystem())),
            ):
                (same,) = find(name, filesystem)
                self.assertEqual(same.place, file.place)


class Remote(unittest.TestCase):
    def test_requests(self):
        """No request is longer than a block, and short gaps are read along."""
        self.addCleanup(setattr, _files, "BLOCK", _files.BLOCK)
        self.addCleanup(setattr, _files, "GAP", _files.GAP)
        _files.BLOCK, _files.GAP = 100, 10
        for stretches, expected in (
            ([], []),
            ([(5, 5)], []),
            ([(0, 250)], [[(0, 100)], [(100, 200)], [(200, 250)]]),
            ([(0, 20), (25, 40), (60, 80)], [[(0, 20), (25, 40)], [(60, 80)]]),
            ([(0, 60), (65, 120)], [[(0, 60)], [(65, 120)]]),
        ):
            self.assertEqual(list(fetches(stretches)), expected)

    def test_rows(self):
        """A capture in a file system of pyarrow or of fsspec, whole and split."""
        memory = fsspec.filesystem("memory")
        names = [path.name for path in sorted(EXAMPLES.glob("*.pcap*"))]
        for name in names:
            memory.pipe(f"/archive/{name}", (EXAMPLES / name).read_bytes())
        local = fs.SubTreeFileSystem(str(ROOT), fs.LocalFileSystem())
        expected = program_lines(*(EXAMPLES / name for name in names))
        for filesystem, folder in ((memory, "/archive"), (local, "examples")):
            found = rows(folder, filesystem)
            for row in found:
                row["file"] = f"{EXAMPLES}/{row['file'].rpartition('/')[2]}"
            self.assertEqual(lines(found), expected)

    def test_a_folder_of_many_files_is_looked_at_at_once(self):
        """Each file waits for an answer: together they take as long as a few."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for n in range(60):
            shutil.copy(EXAMPLES / "vlan.pcap", folder / f"{n:02}.pcap")
        whole = _files._may_be_capture
        self.addCleanup(setattr, _files, "_may_be_capture", whole)
        together = threading.Barrier(_files.SNIFFS - 2)  # no thread goes on before so many came

        def slow(file):
            with contextlib.suppress(threading.BrokenBarrierError):
                together.wait(30)
            together.abort()
            return whole(file)

        _files._may_be_capture = slow
        start = time.monotonic()
        found = find(str(folder), fs.LocalFileSystem())
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual([Path(file.name).name for file in found][::59], ["00.pcap", "59.pcap"])

    def test_a_failing_file_system(self):
        """A capture whose bytes stop coming is a problem that may pass; what came is judged."""
        capture = (EXAMPLES / "office.pcapng").read_bytes()

        class File:
            name = "office.pcapng"
            threads = set()
            error = OSError(5, "the connection was lost")

            def read_at(self, size, offset):
                self.threads.add(threading.get_ident())
                if offset + size > 64_000:
                    raise self.error
                return capture[offset : offset + size]

            def close(self):
                pass

        class System:
            def open_input_file(self, path):
                return File()

        self.addCleanup(setattr, _files, "BLOCK", _files.BLOCK)
        _files.BLOCK = 8000
        file = _files.File("office.pcapng", len(capture), "office.pcapng", System())
        (part,) = plan([file])
        reading = Reading(part)
        batches = list(reading)
        self.assertEqual(reading.error, "the connection was lost (os error 5)")
        self.assertTrue(reading.may_pass)
        self.assertIsNone(reading.counts)
        self.assertNotIn(threading.get_ident(), File.threads)
        found = dictionaries(pa.Table.from_batches(batches))
        begun = [row._asdict() for row in wiresum.read(capture[:64_000])]
        self.assertGreater(len(begun), 50)
        self.assertEqual(lines({**row, "file": ""} for row in found), lines(begun))
        File.error = LookupError("no answer")
        (reading,) = [Reading(part) for part in plan([file])]
        self.assertEqual(sum(batch.num_rows for batch in reading), len(begun))
        self.assertEqual(reading.problem, "LookupError: no answer")
        self.assertTrue(reading.may_pass)


if __name__ == "__main__":
    unittest.main()
