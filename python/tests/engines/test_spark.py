# SPDX-License-Identifier: MIT OR Apache-2.0
"""Spark with two executors in processes of their own: the tables of the program, also when an
executor is killed.

python3 -m unittest discover -s python/tests/engines -p test_spark.py
"""

import contextlib
import os
import sys
import unittest
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyspark
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
)
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.datasource import EqualTo, Not
from wiresum.engines import _results
from wiresum.engines import spark as spark_engine

HERE = Path(__file__).resolve().parent
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.python.filterPushdown.enabled": "true",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.showConsoleProgress": "false",
}


class Spark(ArchiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # The processes of the cluster take these from this one.
        paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
        os.environ["PYTHONPATH"] = ":".join(paths)
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
        builder = SparkSession.builder.master("local-cluster[2,1,1024]")
        for name, value in SETTINGS.items():
            builder = builder.config(name, value)
        builder = builder.config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        builder = builder.config("spark.sql.warehouse.dir", str(cls.scratch / "warehouse"))
        with contextlib.chdir(ROOT):  # where relative paths begin
            cls.spark = builder.getOrCreate()
        cls.addClassCleanup(cls.spark.stop)
        cls.spark.sparkContext.setLogLevel("ERROR")
        wiresum.spark.register(cls.spark)

    def load(self, table="checksums", schema=None):
        reader = self.spark.read.format("wiresum").option("table", table).option("split", SPLIT)
        return (reader.schema(schema) if schema else reader).load(str(self.archive))

    def rows(self, frame):
        """The rows of a frame, with times in nanoseconds."""
        rows = frame.toArrow().to_pylist()
        for row in rows:
            row["time"] = row.pop("nanoseconds")
        return [{name: row[name] for name in wiresum.Row._fields} for row in rows]

    def test_rows(self):
        self.assertGreater(len(self.expected), 4000)
        frame = self.load()
        self.assertEqual(lines(self.rows(frame)), self.expected)
        self.assertEqual(frame.columns, [*wiresum.Row._fields, "nanoseconds"])
        # `time` is the same time, without its last three digits.
        at = frame.selectExpr("unix_micros(time) = nanoseconds div 1000 as same")
        self.assertEqual(at.where("not same").count(), 0)

    def test_some_columns(self):
        frame = self.load(schema="cause string, nanoseconds long")
        found = frame.where("cause = 'offload'").count()
        self.assertEqual(found, sum(",offload," in line for line in self.expected))
        with self.assertRaisesRegex(PySparkException, "'causes' is no column"):
            self.load(schema="causes string").count()

    def test_filters(self):
        """The rows that a query drops do not come to Spark, and the others do."""
        frame = self.load()
        whole = self.rows(frame)
        for where, holds in (
            ("status = 'bad'", lambda row: row["status"] == "bad"),
            (
                "status in ('bad', 'illegal') and source_port is not null and frame > 10",
                lambda row: (
                    row["status"] in ("bad", "illegal")
                    and row["source_port"] is not None
                    and row["frame"] > 10
                ),
            ),
            ("cause is null and layer <= 1", lambda row: not row["cause"] and row["layer"] < 2),
            (
                "not quoted and found > 60000",
                lambda row: not row["quoted"] and (row["found"] or 0) > 60000,
            ),
            ("status = 'none'", lambda row: False),
        ):
            with self.subTest(where):
                expected = lines(row for row in whole if holds(row))
                self.assertEqual(lines(self.rows(frame.where(where))), expected)
        reader = spark_engine._Filtering(
            str(self.archive), "checksums", spark_engine.Captures({}).schema(), SPLIT, 4
        )
        filters = [EqualTo(("status",), "bad"), EqualTo(("time",), 1), Not(EqualTo(("frame",), 1))]
        self.assertEqual(list(reader.pushFilters(filters)), filters)
        read = [batch for each in reader.partitions() for batch in reader.read(each)]
        bad = sum(row["status"] == "bad" for row in whole)
        self.assertEqual(sum(batch.num_rows for batch in read), bad)

    def test_counts_and_problems(self):
        counts = self.load("counts").toArrow().to_pylist()
        self.assertEqual(counted(counts), program_counted(self.archive))
        problems = self.load("problems").toArrow().to_pylist()
        errors = program_counts(self.archive)[1]
        self.assertEqual(len(errors), 2)
        self.assertEqual({row["file"]: row["error"] for row in problems}, errors)

    def test_the_documentation(self):
        (block,) = documented("wiresum.spark")
        with beside_examples():  # which is another folder
            self.assertRegex(printed(block), r"\|\s*offload\|\s*\d+\|")

    def test_packets(self):
        packets = list(wiresum.packets(ROOT / "examples/tunnels-offload.pcap"))
        made = [(packet.frame, packet.data, packet.link_type) for packet in packets]
        frame = self.spark.createDataFrame(made, "frame long, data binary, link_type int")
        judged = wiresum.spark.verify_packets(frame, link_type="link_type")
        found = sorted(judged.select("frame", "verdict").collect())
        data = pa.array([packet.data for packet in packets])
        verdicts = wiresum.verify_packets(data).to_list()
        self.assertEqual([row.verdict.asDict() for row in found], verdicts)

    def test_an_executor_is_killed(self):
        marker, out = self.scratch / "marker", self.scratch / "results"
        context = self.spark.sparkContext

        def run(function, arguments):
            if function is _results.write_part:
                function = partial(dies_once, str(marker), True, function)
            slices = context.parallelize(arguments, 4)
            return slices.map(lambda each: function(*each)).collect()

        written = _results.write(str(self.archive), str(out), run=run, split=SPLIT)
        self.assertTrue(marker.exists())
        self.assertEqual(written.problems, program_counts(self.archive)[1])
        again = wiresum.spark.write(self.spark, str(self.archive), str(out), split=SPLIT)
        self.assertEqual((again.parts, again.skipped), (0, written.parts))
        rows = ds.dataset(out / "checksums", format="parquet", partitioning=None)
        self.assertEqual(lines(dictionaries(rows.to_table())), self.expected)
        self.assertEqual(page("report", out), page("verify", self.archive))
        # The cluster has replaced the executor.
        self.assertEqual(lines(self.rows(self.load())), self.expected)


if __name__ == "__main__":
    unittest.main()
