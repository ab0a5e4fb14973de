# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ray Data on a real local cluster: the tables of the program, also when a worker is killed.

python3 -m unittest discover -s python/tests/engines -p test_ray.py
"""

import ast
import os
import unittest
from collections import Counter
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import ray
import wiresum
from archives import (
    ROOT,
    SPLIT,
    ArchiveTest,
    beside_examples,
    counted,
    dictionaries,
    dies_once,
    documented,
    lines,
    page,
    printed,
    program_counted,
    program_counts,
    program_lines,
)
from ray.data.expressions import col
from wiresum.engines import _parts, _results
from wiresum.engines import ray as engine

HERE = Path(__file__).resolve().parent


def table(dataset):
    """The rows of a dataset."""
    blocks = list(dataset.iter_batches(batch_format="pyarrow", batch_size=None))
    return [row for block in blocks for row in dictionaries(block)]


class Ray(ArchiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            runtime_env={"env_vars": {"PYTHONPATH": ":".join(paths)}},
        )
        cls.addClassCleanup(ray.shutdown)
        ray.data.DataContext.get_current().enable_progress_bars = False

    def setUp(self):
        # Several tasks, although the archive is small.
        for module, name in ((_parts, "SMALL"), (engine, "START")):
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, 400_000)

    def test_rows(self):
        rows = wiresum.ray.read_captures(str(self.archive), split=SPLIT)
        self.assertGreater(len(self.expected), 4000)
        self.assertEqual(lines(table(rows)), self.expected)
        self.assertEqual(rows.schema().names, list(wiresum.Row._fields))

    def test_only_what_is_wanted_is_made(self):
        """Ray asks the source for columns and rows, and the workers make no others."""
        whole = wiresum.ray.read_captures(str(self.archive), split=SPLIT)
        expected = [row for row in table(whole) if row["status"] == "bad" and row["layer"] < 2]
        self.assertGreater(len(expected), 10)
        wanted = (col("status") == "bad") & (col("layer") < 2)
        made = engine._read
        self.addCleanup(setattr, engine, "_read", made)

        def read(parts, name, schema, rows):
            assert sorted(schema.names) == ["cause", "frame"], schema
            assert "layer" in str(rows) and "status" in str(rows), rows
            return made(parts, name, schema, rows)

        engine._read = read
        for rows in (
            whole.filter(expr=wanted).select_columns(["frame", "cause"]),
            whole.select_columns(["frame", "cause", "status", "layer"])
            .filter(expr=wanted)
            .select_columns(["frame", "cause"]),
        ):
            found = Counter((row["frame"], row["cause"]) for row in table(rows))
            self.assertEqual(found, Counter((row["frame"], row["cause"]) for row in expected))
        engine._read = made
        self.assertEqual(whole.count(), len(self.expected))
        self.assertEqual(whole.filter(expr=col("cause") == "time").count(), 0)

    def test_a_worker_is_killed_while_it_reads(self):
        marker = self.scratch / "read"
        self.addCleanup(setattr, engine, "_read", engine._read)
        engine._read = partial(dies_once, str(marker), False, engine._read)
        rows = wiresum.ray.read_captures(str(self.archive), split=SPLIT)
        self.assertEqual(lines(table(rows)), self.expected)
        self.assertTrue(marker.exists())

    def test_counts_and_problems(self):
        archive = str(self.archive)
        counts = wiresum.ray.read_captures(archive, table="counts", split=SPLIT)
        self.assertEqual(counted(table(counts)), program_counted(archive))
        problems = wiresum.ray.read_captures(archive, table="problems", columns=["error", "file"])
        errors = program_counts(archive)[1]
        self.assertEqual(len(errors), 2)
        self.assertEqual({row["file"]: row["error"] for row in table(problems)}, errors)
        with self.assertRaisesRegex(ValueError, "'packets' is no table"):
            wiresum.ray.read_captures(archive, table="packets")

    def test_the_documentation(self):
        (block,) = documented("wiresum.ray")
        with beside_examples():
            shown = ast.literal_eval(printed(block))
        counts = {row["cause"]: row["count()"] for row in shown}
        expected = program_lines(*(ROOT / "examples").glob("*.pcap*"))
        self.assertEqual(counts["one-bit"], sum(",one-bit," in line for line in expected))

    def test_packets(self):
        packets = pa.table(wiresum.packets(ROOT / "examples/tunnels-offload.pcap"))
        judged = wiresum.ray.verify_packets(ray.data.from_arrow(packets), link_type="link_type")
        found = sorted((row["frame"], row["verdict"]["status"]) for row in judged.take_all())
        verdicts = wiresum.verify_packets(packets["data"]).to_list()
        self.assertEqual([status for _, status in found], [v["status"] for v in verdicts])

    def test_a_worker_is_killed_while_it_writes(self):
        marker, out = self.scratch / "written", self.scratch / "results"

        def run(function, arguments):
            if function is _results.write_part:
                function = partial(dies_once, str(marker), False, function)
            return engine._run(function, arguments)

        written = _results.write(str(self.archive), str(out), run=run, split=SPLIT)
        self.assertTrue(marker.exists())
        self.assertEqual(written.problems, program_counts(self.archive)[1])
        again = wiresum.ray.write(str(self.archive), str(out), split=SPLIT)
        self.assertEqual((again.parts, again.skipped), (0, written.parts))
        rows = ds.dataset(out / "checksums", format="parquet", partitioning=None)
        self.assertEqual(lines(dictionaries(rows.to_table())), self.expected)
        self.assertEqual(page("report", out), page("verify", self.archive))


if __name__ == "__main__":
    unittest.main()
