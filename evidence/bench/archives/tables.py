# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of the benchmark of archives, made of the newest record alone.

    python3 -m evidence.bench.archives.tables --write    writes them into the documents
    python3 -m evidence.bench.archives.tables --check    compares them

Without a record the tables are empty.
"""

import statistics
import sys
import textwrap

from evidence import generated
from evidence.bench import families
from evidence.bench.archives import cost

README = "evidence/bench/archives/README.md"
PAGE = "python/archives.md"
PROGRAM = "wiresum verify"
TARGETS = {"DuckDB": 0.8, "Ray": 0.7, "Spark": 0.7}
"""The part of the command line's throughput that an engine is to reach."""
EFFICIENCY = 0.9
TASK = 256 << 20
"""The bytes of a range of a capture: SPLIT of python/wiresum/engines/_parts.py."""
DUCKDB_TASK = 32 << 20
"""The same in DuckDB: SPLIT of python/wiresum/engines/duckdb.py."""
WORDS = {
    "counts": "counts (`verify --json`, table `counts`)",
    "write": "rows to Parquet (`verify --parquet`, `write`)",
    "checksums": "rows through the engine (`verify --csv`, table `checksums`)",
}
TEN = 10e12
CONNECTION = 50e6
PRICE = 0.05
START = 60.0


def wrap(text):
    return "\n".join(textwrap.wrap(text, 99))


def stored(record):
    return sum(kind["stored"] for kind in record["archive"]["kinds"].values())


def expanded(record):
    return sum(kind["expanded"] for kind in record["archive"]["kinds"].values())


def runs(record, engine, job):
    """The seconds of the runs of a job, without the start of the engine. Each job of the command
    line starts a process of its own."""
    figures = record["engines"][engine]
    seconds = figures[job] if isinstance(figures[job], list) else [figures[job]]
    own = statistics.median(figures["start"]) if engine == PROGRAM else 0.0
    return [max(each - own, 1e-3) for each in seconds]


def job_seconds(record, engine, job):
    return statistics.median(runs(record, engine, job))


def ratio(record, engine, job):
    """The throughput of an engine, as a part of the throughput of the command line."""
    return job_seconds(record, PROGRAM, job) / job_seconds(record, engine, job)


def speed(record, jobs=tuple(WORDS)):
    """What each engine takes for each job."""
    rows = []
    for job in jobs:
        for engine in record["engines"]:
            each = runs(record, engine, job)
            seconds = statistics.median(each)
            half = (max(each) - min(each)) / 2
            part = f"{ratio(record, engine, job):.2f}" if engine in TARGETS else ""
            rows.append(
                (
                    WORDS[job] if engine == PROGRAM else "",
                    engine,
                    f"{seconds:.2f}" + (f" ± {half:.2f}" if len(each) > 1 else ""),
                    f"{stored(record) / seconds / 1e9:.2f}",
                    f"{expanded(record) / seconds / 1e9:.2f}",
                    f"{record['archive']['packets'] / seconds / 1e6:.2f}",
                    part,
                )
            )
    header = (
        *("job", "engine", "seconds", "GB/s of files", "GB/s decompressed"),
        *("million packets/s", "of the command line"),
    )
    return f"{generated.markdown_table(header, rows)}\n\n{sentence(record)}"


def sentence(record):
    """What the figures are figures of."""
    holds, versions = record["archive"], record["versions"]
    files = sum(kind["files"] for kind in holds["kinds"].values())
    starts = ", ".join(
        f"{engine} {statistics.median(figures['start']):.1f} s"
        for engine, figures in record["engines"].items()
    )
    words = [
        f"{files:,} files of {stored(record) / 1e9:.2f} GB, {expanded(record) / 1e9:.2f} GB "
        f"decompressed, {holds['packets']:,} packets, {holds['rows']:,} rows; the largest file has "
        f"{holds['large'] / 1e9:.2f} GB.",
        f"{families.family(record['cpu'])[1]}, {record['cpus']} CPUs, DuckDB {versions['duckdb']}, "
        f"Ray {versions['ray']}, Spark {versions['pyspark']}, CPython {record['python']}; commit "
        f"{record['commit']}, {record['date']}.",
        "Medians of the rounds, ± half the range; the last job ran once. The start of the engine "
        f"is left out: {starts}.",
    ]
    if record["tshark"]:
        packets = record["tshark"]["packets"]
        rate = packets / statistics.median(record["tshark"]["seconds"])
        words.append(
            f"tshark, with checks of checksums, takes {rate:,.0f} packets/s of a sample of "
            f"{packets:,}."
        )
    if record["load"] > 1:
        words.append(f"The machine was busy, with a load of {record['load']:.0f}.")
    return wrap(" ".join(words))


def targets(record):
    """Which engine reaches its target in which job."""
    rows = [
        (
            job,
            engine,
            f"{ratio(record, engine, job):.2f}",
            f"{target:.1f}",
            "yes" if ratio(record, engine, job) >= target else "**no**",
        )
        for job in ("counts", "write")
        for engine, target in TARGETS.items()
        if engine in record["engines"]
    ]
    rows += [
        (
            f"scale, {workers} workers",
            engine,
            f"{efficiency(points, workers):.2f}",
            f"{EFFICIENCY}",
            "yes" if efficiency(points, workers) >= EFFICIENCY else "**no**",
        )
        for engine, points in record["scale"]["seconds"].items()
        for workers in points
        if workers != "1"
    ]
    return generated.markdown_table(("what", "engine", "measured", "target", "reached"), rows)


def efficiency(points, workers):
    """The speed of so many workers, as a part of so many times the speed of one."""
    return points["1"] / points[workers] / int(workers)


def scale(record):
    """The seconds and the efficiency of 1 to 8 workers."""
    source = record["scale"]
    workers = next(iter(source["seconds"].values())).keys()
    rows = [
        (
            engine,
            *(f"{points[each]:.1f} s, {efficiency(points, each):.2f}" for each in workers),
        )
        for engine, points in source["seconds"].items()
    ]
    table = generated.markdown_table(
        ("engine", *(f"{each} worker{'s' * (each != '1')}" for each in workers)), rows
    )
    words = (
        f"Seconds of the job `counts`, and efficiency: the speed as a part of so many times the "
        f"speed of one worker. {source['objects']} plain captures of "
        f"{source['bytes'] / 1e6:.0f} MB come from an object store on the same machine, at "
        f"{source['connection'] / 1e6:.1f} MB/s a connection. A worker has {cost.CONNECTIONS} "
        f"connections. Without that limit the store and the workers pass "
        f"{source['feeds'] / 1e6:.0f} MB/s on the {record['cpus']} CPUs. "
        "The limit is so low that 8 workers need at most half of that."
    )
    return f"{table}\n\n{wrap(words)}"


def predictions(record):
    """What the model says of each measured point: name, predicted and measured seconds."""
    rates, cpus, kinds = cost.rates_of(record), record["cpus"], record["archive"]["kinds"]
    large, found = record["archive"]["large"], []
    for engine in record["engines"]:
        task = DUCKDB_TASK if engine == "DuckDB" else TASK
        is_split = engine != PROGRAM and large > task
        archive = [
            cost.Files(
                kind,
                kinds[kind]["stored"],
                kinds[kind]["expanded"] / kinds[kind]["stored"],
                large / kinds[kind]["stored"] if kind == "plain" and is_split else 0.0,
            )
            for kind in ("plain", "gzip", "zstd")
        ]
        said = cost.predict(archive, cost.Cluster(cpus), rates).seconds
        found.append((f"the archive, {engine}", said, job_seconds(record, engine, "counts")))
    source = record["scale"]
    for engine, points in source["seconds"].items():
        for workers, seconds in points.items():
            files = cost.Files("plain", source["objects"] * source["bytes"])
            cluster = cost.Cluster(int(workers), connection=source["connection"])
            said = cost.predict([files], cluster, rates).seconds
            found.append((f"slow connections, {engine}, {workers} workers", said, seconds))
    return found


def model(record):
    """The predictions of the cost model next to what was measured."""
    rows = [
        (what, f"{said:.2f}", f"{seconds:.2f}", f"{said / seconds - 1:+.0%}")
        for what, said, seconds in predictions(record)
    ]
    table = generated.markdown_table(("job", "predicted s", "measured s", "error"), rows)
    rates = cost.rates_of(record)
    words = (
        f"Rates of a worker, in MB of packets a second, with all {record['cpus']} CPUs at work: "
        f"plain {rates.plain / 1e6:.0f}, gzip {rates.gzip / 1e6:.0f}, "
        f"zstd {rates.zstd / 1e6:.0f}, the index pass {rates.index / 1e6:.0f}."
    )
    return f"{table}\n\n{words}"


def sizing(record):
    """Hours and price of 10 TB."""
    rates, rows = cost.rates_of(record), []
    for kind in ("plain", "gzip", "zstd"):
        whole = record["archive"]["kinds"][kind]
        share = whole["expanded"] / whole["stored"]
        for workers in (8, 32, 128):
            files = cost.Files(kind, TEN, share, 0.0, 1e9)
            cluster = cost.Cluster(workers, START, CONNECTION, PRICE)
            said = cost.predict([files], cluster, rates)
            rows.append(
                (
                    kind if workers == 8 else "",
                    f"{share * TEN / 1e12:.1f} TB" if workers == 8 else "",
                    str(workers),
                    f"{said.hours:.1f}",
                    f"{said.price:.2f}",
                    said.limit,
                )
            )
    header = ("10 TB of files", "decompressed", "workers", "hours", "price", "limit")
    words = (
        f"Assumed: {CONNECTION / 1e6:.0f} MB/s a connection, {START:.0f} s until the cluster is "
        f"ready, {PRICE} a worker-hour, pieces of at most 1 GB. A worker is one CPU of "
        f"{families.family(record['cpu'])[1]}, with the rates of its record."
    )
    return f"{generated.markdown_table(header, rows)}\n\n{wrap(words)}"


SETS = {"examples": "copies of `examples/`", "captures": "copies of a folder's captures"}


def small(record):
    """The CPU seconds of counts of many small captures, with the engine's own empty job apart."""
    rows, files = [], record["files"]
    for name in record["bytes"]:
        for engine, figures in record["engines"].items():
            own, whole = figures["nothing"]["least"], figures[name]["least"]
            program = record["engines"][PROGRAM][name]["least"]
            rest = max(whole - own, 1e-3)
            rows.append(
                (
                    SETS[name] if engine == PROGRAM else "",
                    engine,
                    f"{own:.2f}",
                    f"{whole:.2f}",
                    f"{rest / files * 1e3:.2f}",
                    f"{program / whole:.2f}" if engine in TARGETS else "",
                    f"{program / rest:.2f}" if engine in TARGETS else "",
                    f"{figures[name]['first']:.2f}",
                )
            )
    header = (
        *("captures", "engine", "empty job", "all captures", "ms a capture", "of the command line"),
        *("without the empty job", "first run"),
    )
    sizes = " and ".join(f"{size / 1e6:.1f} MB" for size in record["bytes"].values())
    words = [
        f"CPU seconds of {files:,} captures of {sizes}, all processes of the engine. "
        "*Empty job* is a query in the engine's own words with one task and no capture; *ms a "
        "capture* is the rest. Minima of runs in a process that is warm; the first run follows a "
        "first job on one capture.",
        f"{families.family(record['cpu'])[1]}, {record['cpus']} CPUs; commit {record['commit']}, "
        f"{record['date']}.",
    ]
    if record["load"] > 1:
        words.append(f"The machine was busy, with a load of {record['load']:.0f}.")
    return f"{generated.markdown_table(header, rows)}\n\n{wrap(' '.join(words))}"


def of_newest_small():
    """The table of the newest record of small captures."""
    record = cost.recorded(cost.RESULTS / "small")
    return small(record) if record else ""


def of_newest(make, *arguments):
    """A function that makes a table of the newest record."""

    def made():
        record = cost.recorded()
        return make(record, *arguments) if record else ""

    return made


TABLES = [
    (README, "speed", of_newest(speed)),
    (README, "targets", of_newest(targets)),
    (README, "scale", of_newest(scale)),
    (README, "model", of_newest(model)),
    (README, "small", of_newest_small),
    (PAGE, "speed", of_newest(speed, ("counts", "write"))),
    (PAGE, "sizing", of_newest(sizing)),
]


def all_of(record):
    """All tables of a record."""
    return [make(record) for make in (speed, targets, scale, model, sizing)]


if __name__ == "__main__":
    sys.exit(generated.main(TABLES))
