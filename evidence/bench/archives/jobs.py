# SPDX-License-Identifier: MIT OR Apache-2.0
"""The jobs of an engine, in a process of its own, so that no other engine is in memory.

`run` starts the process, and returns the seconds that the engine took to start, and the seconds and
the CPU seconds of each job. The start includes a first job on small captures, for which an engine
starts its workers.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evidence.bench.captures.mixed import HEADER

ROOT = Path(__file__).resolve().parents[3]
SPLIT = 256 << 20
"""The bytes of a capture that DuckDB reads in one part, as Ray and Spark do by default."""
COUNT = ("file", "what", "protocol", "name")
SETTLE = 0.3
"""Seconds after a job, in which the processes of an engine end what belongs to it."""


class Program:
    """The command line of the package."""

    def __init__(self, workers):
        self.command = [sys.executable, "-m", "wiresum", "verify", "--force", f"--jobs={workers}"]

    def verify(self, paths, *words, out=subprocess.DEVNULL):
        paths = [paths] if isinstance(paths, str) else paths
        ended = subprocess.run(
            [*self.command, *words, *paths], stdout=out, stderr=subprocess.DEVNULL
        )
        if ended.returncode not in (0, 1, 2):  # 1: a checksum is bad; 2: a file is broken
            raise RuntimeError(f"wiresum verify: exit status {ended.returncode}")

    def nothing(self, paths, folder):
        """Starts, and reads a capture without packets."""
        empty = folder / "empty.pcap"
        empty.write_bytes(HEADER)
        self.verify(str(empty))

    def counts(self, paths, folder):
        with (folder / "counts.json").open("wb") as out:
            self.verify(paths, "--json", out=out)

    def checksums(self, paths, folder):
        self.verify(paths, "--quiet", "--csv", folder / "checksums.csv")

    summed = counts

    def write(self, paths, folder):
        self.verify(paths, "--quiet", "--parquet", folder / "written.parquet")

    def stop(self):
        pass


class Threads:
    """Threads that read parts, which no engine schedules: what a worker can do."""

    def __init__(self, workers):
        from wiresum.engines._parts import on_threads

        self.run = on_threads(workers)

    def counts(self, paths, folder):
        from wiresum.engines._files import find
        from wiresum.engines._parts import Part, Reading

        readings = [(Reading(Part(file), None),) for file in find(paths)]
        self.run(list, readings)

    def index(self, paths, folder):
        """The index pass over a capture."""
        from wiresum.engines._files import find
        from wiresum.engines._parts import SPLIT, plan

        files = find(paths)
        plan(files, self.run, min(SPLIT, max(file.size for file in files) // 8))

    def stop(self):
        pass


class DuckDB:
    def __init__(self, workers):
        import duckdb
        import wiresum

        self.engine, self.workers = wiresum.duckdb, workers
        self.con = duckdb.connect(config={"threads": workers})
        self.engine.install(self.con, threads=workers)

    def nothing(self, paths, folder):
        self.con.sql("select n, count(*) from range(8) as t(n) group by all").fetchall()

    def summed(self, paths, folder):
        """The query of python/archives.md."""
        self.con.execute(
            "select what, protocol, name, sum(n) from wiresum_counts($paths) group by all",
            {"paths": paths},
        ).fetchall()

    def counts(self, paths, folder):
        counts = "select file, what, protocol, name, sum(n)::bigint as n from rows group by all"
        self.copy(counts, paths, "counts", folder)

    def problems(self, paths, folder):
        self.copy("from rows", paths, "problems", folder)

    def checksums(self, paths, folder):
        self.copy("from rows", paths, "checksums", folder)

    def copy(self, query, paths, table, folder):
        rows = self.engine.Captures(paths, table=table, threads=self.workers, split=SPLIT)
        self.con.register("rows", rows)
        self.con.execute(f"copy ({query}) to '{folder / table}.parquet'").fetchall()

    def write(self, paths, folder):
        self.engine.write(paths, str(folder / "written"), threads=self.workers)

    def stop(self):
        self.con.close()


def _ready(folder, workers):
    """A task that lasts until every worker has one, or for 20 seconds. So each worker starts its
    process, and imports what a job needs, before the first job."""
    for module in ("wiresum.engines.ray", "pyarrow._s3fs"):
        importlib.import_module(module)
    Path(folder, str(os.getpid())).touch()
    until = time.monotonic() + 20
    while len(os.listdir(folder)) < workers and time.monotonic() < until:
        time.sleep(0.05)


class Ray:
    def __init__(self, workers):
        import ray
        import wiresum

        self.ray, self.engine = ray, wiresum.ray
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
        ready = ray.remote(scheduling_strategy="SPREAD")(_ready)
        with tempfile.TemporaryDirectory(prefix="wiresum-") as folder:
            ray.get([ready.remote(folder, workers) for _ in range(workers)])

    def read(self, paths, table):
        return _table(self.engine.read_captures(paths, table=table))

    def nothing(self, paths, folder):
        _table(self.ray.data.range(8, override_num_blocks=1))

    def summed(self, paths, folder):
        """What python/archives.md does."""
        self.read(paths, "counts").group_by(COUNT[1:]).aggregate([("n", "sum")])

    def counts(self, paths, folder):
        counts = self.read(paths, "counts").group_by(COUNT).aggregate([("n", "sum")])
        _keep(counts.rename_columns([*COUNT, "n"]), folder / "counts.parquet")

    def problems(self, paths, folder):
        _keep(self.read(paths, "problems"), folder / "problems.parquet")

    def checksums(self, paths, folder):
        self.engine.read_captures(paths).write_parquet(str(folder / "checksums.parquet"))

    def write(self, paths, folder):
        self.engine.write(paths, str(folder / "written"))

    def stop(self):
        self.ray.shutdown()


class Spark:
    def __init__(self, workers):
        import pyspark
        import wiresum

        self.engine = wiresum.spark
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
        builder = pyspark.sql.SparkSession.builder.master(f"local[{workers}]")
        for name, value in {
            "spark.ui.enabled": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "2g",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.shuffle.partitions": str(workers),
            "spark.ui.showConsoleProgress": "false",
        }.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")
        self.engine.register(self.session)

    def nothing(self, paths, folder):
        self.session.dataSource.register(_nothing())
        self.session.read.format("nothing").load().groupBy("n").count().collect()

    def summed(self, paths, folder):
        """The query of python/archives.md."""
        self.load(paths, "counts").groupBy(*COUNT[1:]).sum("n").collect()

    def load(self, paths, table):
        return self.session.read.format("wiresum").option("table", table).load(paths)

    def counts(self, paths, folder):
        counts = self.load(paths, "counts").groupBy(*COUNT).sum("n")
        _keep(counts.withColumnRenamed("sum(n)", "n").toArrow(), folder / "counts.parquet")

    def problems(self, paths, folder):
        _keep(self.load(paths, "problems").toArrow(), folder / "problems.parquet")

    def checksums(self, paths, folder):
        self.load(paths, "checksums").write.parquet(str(folder / "checksums.parquet"))

    def write(self, paths, folder):
        self.engine.write(self.session, paths, str(folder / "written"))

    def stop(self):
        self.session.stop()


ENGINES = {"wiresum verify": Program, "DuckDB": DuckDB, "Ray": Ray, "Spark": Spark}
ALL = {**ENGINES, "threads": Threads}


def _table(rows):
    """The rows of a dataset of Ray."""
    import pyarrow as pa

    return pa.concat_tables(rows.iter_batches(batch_format="pyarrow", batch_size=None))


def _nothing():
    """A data source of Spark in Python with one partition and some rows, which reads no file."""
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

    class Nothing(DataSource, DataSourceReader):
        @classmethod
        def name(cls):
            return "nothing"

        def schema(self):
            return "n long"

        def reader(self, schema):
            return self

        def partitions(self):
            return [InputPartition(0)]

        def read(self, partition):
            import pyarrow as pa

            yield pa.record_batch({"n": pa.array(range(8), pa.int64())})

    return Nothing


def cpu_seconds():
    """The CPU seconds of this process and of all processes under it, also of those that have ended,
    if somebody waited for them."""
    above, ticks = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            numbers = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        process = int(path.parent.name)
        above[process] = int(numbers[1])
        ticks[process] = sum(map(int, numbers[11:15]))

    def is_ours(process):
        while process in above and process != os.getpid():
            process = above[process]
        return process == os.getpid()

    return sum(ticks[process] for process in filter(is_ours, ticks)) / os.sysconf("SC_CLK_TCK")


def _keep(table, path):
    import pyarrow.parquet as pq

    pq.write_table(table, path)


def run(engine, workers, jobs, warm, env=None):
    """Runs jobs in a process: each a name of a job, its paths, and a folder for what it makes. The
    first job reads the capture `warm` once for each worker. Returns {"start": seconds, "jobs":
    [seconds, ...], "cpu": [CPU seconds, ...]}."""
    jobs = [[*map(_plain, job), None][:3] for job in jobs]
    with tempfile.TemporaryDirectory(prefix="wiresum-") as scratch:
        order = Path(scratch, "order.json")
        order.write_text(json.dumps([engine, workers, jobs, str(warm)]))
        ended = subprocess.run(
            [sys.executable, "-m", "evidence.bench.archives.jobs", str(order)],
            cwd=ROOT,
            env={**os.environ, **(env or {}), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        if ended.returncode:
            raise RuntimeError(f"{engine}: {ended.stderr[-4000:]}")
        return json.loads(order.with_name("seconds.json").read_text())


def _plain(value):
    return str(value) if isinstance(value, Path) else value


def main():
    order = Path(sys.argv[1])
    engine, workers, jobs, warm = json.loads(order.read_text())
    with tempfile.TemporaryDirectory(prefix="wiresum-") as scratch:
        start = time.monotonic()
        running = ALL[engine](workers)
        running.counts([warm] * workers, Path(scratch))
        begun = time.monotonic() - start
        seconds, cpu = [], []
        for name, paths, folder in jobs:
            start, before = time.monotonic(), cpu_seconds()
            getattr(running, name)(paths, Path(folder or scratch))
            seconds.append(time.monotonic() - start)
            time.sleep(SETTLE)
            cpu.append(cpu_seconds() - before)
        running.stop()
    result = {"start": begun, "jobs": seconds, "cpu": cpu}
    order.with_name("seconds.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
