# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests of the benchmark of archives: its archive, its comparison, its slow store, its cost model
and its tables.

python3 -m unittest evidence.bench.archives.test_archives
"""

import contextlib
import os
import tempfile
import time
import unittest
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import wiresum
from pyarrow import fs

from evidence.bench.archives import archive, compare, cost, jobs, slow, tables
from evidence.bench.archives.cost import Cluster, Files, Rates
from evidence.bench.captures.mixed import ROOT, examples

VLAN = ROOT / "examples/vlan.pcap"
RATES = Rates(plain=1e9, gzip=4e8, zstd=5e8, index=2e9)


def temporary(test):
    return Path(test.enterContext(tempfile.TemporaryDirectory()))


class Archive(unittest.TestCase):
    def test_the_same_options_give_the_same_bytes(self):
        folders = [temporary(self) / "archive" for _ in range(2)]
        made = [archive.make(folder, 0.005, copies=1) for folder in folders]
        names = [[each.path.relative_to(folder) for each in files]
                 for folder, files in zip(folders, made, strict=True)]  # fmt: skip
        self.assertEqual(names[0], names[1])
        for name in names[0]:
            contents = [(folder / name).read_bytes() for folder in folders]
            self.assertEqual(contents[0], contents[1], name)

    def test_what_the_archive_holds(self):
        folder = temporary(self) / "archive"
        made = archive.make(folder, 0.005, copies=1)
        self.assertEqual(len(made), archive.FEW)
        self.assertEqual({each.path for each in made}, set(filter(Path.is_file, folder.rglob("*"))))
        kinds = [each.kind for each in made]
        for kind in archive.KINDS:
            self.assertGreater(kinds.count(kind), 10)
        self.assertEqual(kinds.count("broken"), 2)
        whole = sum(each.expanded for each in made)
        self.assertAlmostEqual(whole / 5e6, 1, delta=0.02)
        large = max(made, key=lambda each: each.stored)
        self.assertEqual((large.kind, large.path.name), ("plain", "large.pcap"))
        self.assertAlmostEqual(large.stored / 5e6, archive.LARGE, delta=0.01)
        for each in made:
            self.assertEqual(each.stored, each.path.stat().st_size)
            if each.packets is not None:
                self.assertEqual(wiresum.verify(each.path).packets, each.packets, each.path)

    def test_frames_vary_and_keep_their_sums(self):
        pool = examples()[:400]
        varied = archive.varied(pool, 2)
        self.assertEqual(len(varied), 2 * len(pool))
        changed = 0
        for n, frame in enumerate(varied):
            original = pool[n // 2]
            self.assertEqual(len(frame), len(original))
            self.assertEqual(frame[:128], original[:128])
            self.assertEqual(wiresum.sum(frame), wiresum.sum(original))
            changed += frame != original
        self.assertGreater(changed, 50)


class Compare(unittest.TestCase):
    """The comparison, of what the command line and DuckDB make of a small archive."""

    @classmethod
    def setUpClass(cls):
        scratch = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        folder, cls.program, cls.made = (scratch / name for name in ("archive", "program", "made"))
        archive.make(folder, 0.005, copies=1)
        for engine, made, names in (
            (tables.PROGRAM, cls.program, ("counts", "checksums")),
            ("DuckDB", cls.made, ("counts", "checksums", "problems", "write")),
        ):
            made.mkdir()
            ran = jobs.run(engine, 2, [(name, folder, made) for name in names], VLAN)
            assert len(ran["jobs"]) == len(names) and min(ran["jobs"]) > 0 and ran["start"] > 0

    def compare(self):
        return compare.compare("DuckDB", self.made, self.program)

    @contextlib.contextmanager
    def changed(self, path, change):
        """Changes a table for a while."""
        whole = pq.read_table(path)
        pq.write_table(change(whole), path)
        try:
            yield
        finally:
            pq.write_table(whole, path)

    def test_they_agree(self):
        rows, problems = self.compare()
        self.assertGreater(rows, 10_000)
        said = {Path(file).name: words for file, words in problems.items()}
        self.assertEqual(sorted(said), [*archive.PROBLEMS])
        self.assertRegex(said["cut.pcap.gz"], f"^{compare.DAMAGE}incomplete deflate")
        self.assertEqual(said["no-capture.pcap"], "the file ends within its own header")
        self.assertGreater(compare.packets(self.program), 10_000)

    def test_every_difference_is_found(self):
        def without_a_row(table):
            return table.slice(1)

        def with_another_value(name, value):
            def change(table):
                column = table[name].to_pylist()
                column[7] = value
                at = table.column_names.index(name)
                return table.set_column(at, table.field(at), pa.array(column, table[name].type))

            return change

        def with_a_row_twice(table):
            rows = table.to_pylist()
            return type(table).from_pylist([*rows[1:], rows[1]], schema=table.schema)

        (written,) = list((self.made / "written/checksums").rglob("*.parquet"))[:1]
        for path, what, change in (
            (self.made / "counts.parquet", "counts", without_a_row),
            (self.made / "problems.parquet", "problems", without_a_row),
            (self.made / "checksums.parquet", "rows", without_a_row),
            (self.made / "checksums.parquet", "rows", with_a_row_twice),
            (self.made / "checksums.parquet", "rows", with_another_value("frame", 10**6)),
            (self.made / "checksums.parquet", "rows", with_another_value("found", 0xABC)),
            (self.made / "checksums.parquet", "rows", with_another_value("reason", "none")),
            (written, "written rows", without_a_row),
        ):
            with (
                self.subTest(what),
                self.changed(path, change),
                self.assertRaisesRegex(compare.Different, f"DuckDB: {what}: "),
            ):
                self.compare()


class SlowStore(unittest.TestCase):
    SIZE = 1 << 20

    def setUp(self):
        self.file = temporary(self) / "object"
        self.file.write_bytes(os.urandom(self.SIZE))

    def serve(self, objects, rate):
        env = self.enterContext(slow.serving(self.file, objects, rate))
        self.enterContext(unittest.mock.patch.dict(os.environ, env))
        return fs.S3FileSystem(
            scheme="http", endpoint_override=env["AWS_ENDPOINT_URL"].removeprefix("http://")
        )

    def read(self, store, name="0000.pcap"):
        """The bytes of an object, and the seconds that they take."""
        with store.open_input_file(f"{slow.BUCKET}/{name}") as opened:
            start = time.monotonic()
            data = opened.read_at(self.SIZE, 0)
        return data, time.monotonic() - start

    def test_a_connection_has_its_rate_and_others_have_theirs(self):
        store = self.serve(4, self.SIZE)  # a second for each object
        data, seconds = self.read(store)
        self.assertEqual(data, self.file.read_bytes())
        self.assertGreater(seconds, 0.95)
        start = time.monotonic()
        with ThreadPoolExecutor(4) as pool:
            each = list(pool.map(lambda n: self.read(store, f"{n:04}.pcap")[1], range(4)))
        self.assertGreater(min(each), 0.95)
        self.assertLess(time.monotonic() - start, 3.8)  # one after the other takes 4

    def test_ranges_names_and_no_limit(self):
        store = self.serve(12, 0)
        with store.open_input_file(f"{slow.BUCKET}/0011.pcap") as opened:
            self.assertEqual(opened.size(), self.SIZE)
            self.assertEqual(opened.read_at(100, 5000), self.file.read_bytes()[5000:5100])
        self.assertLess(self.read(store)[1], 0.95)
        listed = store.get_file_info(fs.FileSelector(slow.BUCKET))
        self.assertEqual(len(listed), 12)
        self.assertEqual({info.size for info in listed}, {self.SIZE})
        missing = store.get_file_info(f"{slow.BUCKET}/0012.pcap")
        self.assertEqual(missing.type, fs.FileType.NotFound)


class CostModel(unittest.TestCase):
    """The expected numbers are worked out by hand."""

    def predict(self, *files, workers=10, rates=RATES, **cluster):
        return cost.predict(files, Cluster(workers, **cluster), rates)

    def test_processors(self):
        said = self.predict(Files("plain", 10e12), price=0.36)
        self.assertAlmostEqual(said.seconds, 1000)  # 10 TB / (10 * 1 GB/s)
        self.assertAlmostEqual(said.price, 1.0)  # 10 workers * 1000 s * 0.36 / 3600 s
        self.assertEqual(said.limit, "processors")

    def test_decompressed_bytes_count(self):
        said = self.predict(Files("zstd", 1e12, ratio=2))
        self.assertAlmostEqual(said.seconds, 400)  # 2 TB / (10 * 0.5 GB/s)

    def test_connections(self):
        said = self.predict(Files("plain", 9e12), connection=100e6)
        self.assertAlmostEqual(said.seconds, 3000)  # 9 TB / (10 * 3 * 100 MB/s)
        self.assertEqual(said.limit, "connections")

    def test_kinds_add_up(self):
        said = self.predict(Files("plain", 1e12), Files("gzip", 1e12, ratio=2))
        self.assertAlmostEqual(said.seconds, 600)  # 100 s, and 2 TB / (10 * 0.4 GB/s)

    def test_the_index_pass(self):
        said = self.predict(Files("plain", 1e12, indexed=0.5))
        self.assertAlmostEqual(said.seconds, 125)  # 100 s, and half of it at 20 GB/s
        slow_one = self.predict(Files("plain", 3e12, indexed=1), connection=100e6)
        self.assertAlmostEqual(slow_one.seconds, 2000)  # twice 3 TB / (10 * 300 MB/s)

    def test_the_largest_piece_and_the_start(self):
        said = self.predict(Files("gzip", 1e12, ratio=2, largest=1e11), workers=1000, start=60)
        self.assertAlmostEqual(said.seconds, 560)  # 200 GB at 0.4 GB/s, and the start

    def test_the_engine_makes_so_many_requests_as_the_model_says(self):
        from wiresum.engines import _files, _parts
        from wiresum.engines import duckdb as engine

        self.assertEqual(cost.CONNECTIONS, _files.AHEAD)
        self.assertEqual((tables.TASK, tables.DUCKDB_TASK), (_parts.SPLIT, engine.SPLIT))


KIND = {"files": 10, "stored": 1e9, "expanded": 2e9}
RECORD = {
    "cpu": "AMD EPYC (family 25, model 17)",
    "cpus": 2,
    "date": "2026-01-02",
    "commit": "abc",
    "load": 0.1,
    "python": "3.11",
    "versions": dict.fromkeys(("wiresum", "duckdb", "ray", "pyspark", "pyarrow"), "1"),
    "archive": {
        "large": 1e9,
        "kinds": {
            "plain": {**KIND, "expanded": 1e9},
            "gzip": KIND,
            "zstd": KIND,
            "broken": {"files": 2, "stored": 100, "expanded": 0},
        },
        "rows": 2000,
        "problems": 1,
        "packets": 10_000_000,
    },
    "engines": {
        tables.PROGRAM: {"start": [0.5], "counts": [4.5], "write": [8.5], "checksums": 10.5},
        "DuckDB": {"start": [2], "counts": [5, 4, 9], "write": [20], "checksums": 20},
        "Ray": {"start": [3], "counts": [8], "write": [8], "checksums": 30},
        "Spark": {"start": [4], "counts": [4], "write": [16], "checksums": 40},
    },
    "tshark": {"packets": 50_000, "seconds": [0.5]},
    "rates": {"plain": [1e9], "gzip": [4e8], "zstd": [5e8], "index": [1e9, 3e9]},
    "scale": {
        "feeds": 5e8,
        "connection": 1e7,
        "objects": 80,
        "bytes": 3e7,
        "seconds": {"Ray": {"1": 80.0, "2": 41.0, "4": 25.0, "8": 10.0}},
    },
}


class Tables(unittest.TestCase):
    def rows(self, table):
        lines = table.split("\n\n")[0].splitlines()[2:]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]

    def test_speed(self):
        rows = self.rows(tables.speed(RECORD, ("counts",)))
        program, duck, ray, spark = [row[1:] for row in rows]
        # The start of the program is not in its 4.0 s; 3 GB of files, 5 GB decompressed.
        self.assertEqual(program, ["wiresum verify", "4.00", "0.75", "1.25", "2.50", ""])
        self.assertEqual(duck, ["DuckDB", "5.00 ± 2.50", "0.60", "1.00", "2.00", "0.80"])
        self.assertEqual([ray[-1], spark[-1]], ["0.50", "1.00"])
        self.assertIn("100,000 packets/s", tables.speed(RECORD).replace("\n", " "))

    def test_targets(self):
        reached = {(row[0], row[1]): row[-1] for row in self.rows(tables.targets(RECORD))}
        self.assertEqual(reached["counts", "DuckDB"], "yes")
        self.assertEqual(reached["counts", "Ray"], "**no**")
        self.assertEqual(reached["write", "Ray"], "yes")
        self.assertEqual(reached["scale, 2 workers", "Ray"], "yes")  # 0.98
        self.assertEqual(reached["scale, 4 workers", "Ray"], "**no**")  # 0.80
        self.assertEqual(reached["scale, 8 workers", "Ray"], "yes")  # 1.00
        self.assertEqual(len(reached), 9)

    def test_the_model_beside_what_was_measured(self):
        found = {what: (said, seconds) for what, said, seconds in tables.predictions(RECORD)}
        # (1 GB plain at 1 GB/s, 2 GB at 0.4 GB/s, 2 GB at 0.5 GB/s) on two CPUs.
        self.assertAlmostEqual(found["the archive, wiresum verify"][0], 5.0)
        self.assertAlmostEqual(found["the archive, Ray"][0], 5.25)  # 1 GB indexed at 2 GB/s
        said, seconds = found["slow connections, Ray, 8 workers"]
        self.assertEqual((said, seconds), (10.0, 10.0))  # 2.4 GB / (8 * 30 MB/s)
        self.assertIn("| slow connections, Ray, 4 workers | 20.00 | 25.00 | -20% |",
                      tables.model(RECORD))  # fmt: skip

    def test_sizing(self):
        rows = self.rows(tables.sizing(RECORD))
        self.assertEqual(len(rows), 9)
        # Plain, 8 workers: 10 TB / (8 * 150 MB/s) and a minute; 8 workers * 2.33 h * 0.05.
        self.assertEqual(rows[0], ["plain", "10.0 TB", "8", "2.3", "0.93", "connections"])
        # gzip: 20 TB / (8 * 0.4 GB/s) are 6250 s, less than 8333 s for the bytes.
        self.assertEqual(rows[3], ["gzip", "20.0 TB", "8", "2.3", "0.93", "connections"])

    def test_without_a_record_the_tables_are_empty(self):
        with unittest.mock.patch.object(cost, "RESULTS", temporary(self)):
            self.assertEqual([make() for _, _, make in tables.TABLES], [""] * len(tables.TABLES))


if __name__ == "__main__":
    unittest.main()
