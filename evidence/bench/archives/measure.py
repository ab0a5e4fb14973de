# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times an archive of captures on the command line, DuckDB, Ray and Spark, next to each other.

    python3 -m evidence.bench.archives.measure [--gigabytes 4] [--captures FOLDER] [--rounds 3]
        [--seconds 40] [--minutes 19] [--write]

The Python that runs it has the package, and python/tests/engines/requirements.txt; the machine has
Java 17 or later, and tshark. The program makes an archive, and deletes it afterwards. First it
compares what each engine says with what the command line says, row by row, and stops if they
differ. Then all engines run one after the other in each round, each in a process of its own with
all CPUs. At last 1, 2, 4 and 8 workers read captures from an object store whose connections are
slow. `--seconds` is the time that one worker takes for that. No further round begins that would
make the whole longer than `--minutes`. `--write` puts the figures into
the CPU family's record in evidence/bench/results/archives/, and the tables into the documents.
"""

import argparse
import datetime
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from evidence import generated
from evidence.bench import families
from evidence.bench.archives import archive, compare, cost, jobs, slow, tables
from evidence.bench.captures import measure as captures
from evidence.bench.captures.mixed import ROOT, Mix, examples, head

PACKAGES = ("wiresum", "duckdb", "ray", "pyspark", "pyarrow")
WORKERS = (1, 2, 4, 8)
CONNECTION = 50e6
"""Bytes a second of a connection, if this machine can feed the most workers at twice the speed."""
BLOCK = 8 << 20
"""The bytes of a request: BLOCK of python/wiresum/engines/_files.py."""
OBJECT = 4 * cost.CONNECTIONS * BLOCK
"""The bytes of a capture in the object store: a worker asks four times over all connections."""
SAMPLE = 50_000
"""The packets of which tshark, which is slow, gets a capture."""
START = 10
"""The seconds of the start of an engine, about."""
WARM = 2_000_000
"""The bytes of the capture of the first job. It is large enough to be a task of its own."""


def say(*words):
    print(f"{time.strftime('%H:%M:%S')} ", *words, file=sys.stderr, flush=True)


def verify(folder, scratch, cpus, warm):
    """Compares every engine with the command line. Returns the seconds of the jobs on the rows, of
    one run, and what the archive holds."""
    seconds, found = {}, {}
    program = scratch / "program"
    for engine in jobs.ENGINES:
        made = program if engine == tables.PROGRAM else scratch / engine
        made.mkdir()
        names = ["counts", "checksums"] + (["problems", "write"] if made != program else [])
        ran = jobs.run(engine, cpus, [(name, folder, made) for name in names], warm)
        seconds[engine] = ran["jobs"][1]
        if made != program:
            rows, problems = compare.compare(engine, made, program)
            files = {Path(file).name for file in problems}
            if files != set(archive.PROBLEMS):
                raise compare.Different(f"{engine}: the problems are {sorted(files)}")
            found = {"rows": rows, "problems": len(problems)}
            shutil.rmtree(made)
        say(engine, "agrees" if made != program else "has judged the archive")
    found["packets"] = compare.packets(program)
    shutil.rmtree(program)
    return seconds, found


def scale_seconds(options):
    """The seconds of the scale, about: the seconds of the workers, and of as many starts."""
    engines = len(jobs.ENGINES) - 1
    return engines * sum(options.seconds / workers + START for workers in WORKERS)


def rounds(options, until, folder, made, scratch, cpus, warm):
    """The seconds of each engine in each round, the seconds of tshark, and the rates of a worker.
    No round but the first one begins that would end after the time `until`."""
    engines = {engine: {"start": [], "counts": [], "write": []} for engine in jobs.ENGINES}
    rates = {kind: [] for kind in (*archive.KINDS, "index")}
    sample, large = scratch / "sample.pcap", folder / "large.pcap"
    head(large, sample, SAMPLE)
    packets = captures.records(sample)
    tshark = {"packets": packets, "seconds": []} if shutil.which("tshark") else None
    small = [each for each in made if each.path != large]
    paths = {kind: [each for each in small if each.kind == kind] for kind in archive.KINDS}
    longest = 0.0
    for turn in range(options.rounds):
        began = time.monotonic()
        if turn and began + longest > until:
            say("there is no time for another round")
            break
        for engine, seconds in engines.items():
            out = scratch / "out"
            out.mkdir()
            wanted = [("counts", folder, out), ("write", folder, out)]
            ran = jobs.run(engine, cpus, wanted, warm)
            for name, value in zip(("start", "counts", "write"), [ran["start"], *ran["jobs"]]):
                seconds[name].append(round(value, 4))
            shutil.rmtree(out)
        if tshark:
            tshark["seconds"].append(captures.timed([*captures.TSHARK, "-r", sample])["wall"])
        wanted = [("counts", [str(each.path) for each in paths[kind]]) for kind in paths]
        ran = jobs.run("threads", cpus, [*wanted, ("index", str(large))], warm)
        sizes = [sum(each.expanded for each in paths[kind]) for kind in paths]
        sizes.append(large.stat().st_size)
        for kind, size, seconds in zip(rates, sizes, ran["jobs"]):
            rates[kind].append(round(size / seconds / cpus))
        longest = max(longest, time.monotonic() - began)
        say("round", turn + 1, "of", options.rounds)
    return engines, tshark, rates


def scale(options, scratch, cpus, warm):
    """The seconds of jobs on 1 to 8 workers, on an object store with slow connections."""
    capture, uri = scratch / "object.pcap", f"s3://{slow.BUCKET}/*.pcap"
    with capture.open("wb") as out:
        Mix(examples()).write(out, OBJECT - 10_000)  # a record more may be written
    size, most = capture.stat().st_size, max(WORKERS)
    with slow.serving(capture, 4 * most, 0) as env:
        ran = jobs.run("threads", cpus, [("counts", uri)], warm, env)
    feeds = 4 * most * size / ran["jobs"][0]
    connection = min(CONNECTION, feeds / 2 / (most * cost.CONNECTIONS))
    objects = most * math.ceil(options.seconds * connection * cost.CONNECTIONS / size / most)
    say(f"the object store feeds {feeds / 1e6:.0f} MB/s; {connection / 1e6:.1f} a connection")
    points = {}
    with slow.serving(capture, objects, connection) as env:
        for engine in jobs.ENGINES:
            if engine == tables.PROGRAM:
                continue  # it reads files alone
            points[engine] = {}
            for workers in WORKERS:
                ran = jobs.run(engine, workers, [("counts", uri)], warm, env)
                points[engine][str(workers)] = round(ran["jobs"][0], 3)
                say(engine, workers, "workers", points[engine][str(workers)])
    return {
        "feeds": round(feeds),
        "connection": round(connection),
        "objects": objects,
        "bytes": size,
        "seconds": points,
    }


def circumstances(cpus, load):
    """What the figures of a record are figures of."""
    return {
        "cpu": families.this_cpu(),
        "cpus": cpus,
        "date": datetime.date.today().isoformat(),
        "commit": captures.output(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).strip(),
        "load": round(load, 2),
        "python": sys.version.split()[0],
        "versions": {package: version(package) for package in PACKAGES},
    }


def measure(options):
    """The figures, with what they are figures of."""
    cpus, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.scratch, prefix="archives-") as scratch:
        scratch = Path(scratch)
        folder, warm = scratch / "archive", scratch / "warm.pcap"
        made = archive.make(folder, options.gigabytes, options.captures)
        with warm.open("wb") as out:
            Mix(examples()).write(out, WARM)
        say("the archive is made")
        checksums, found = verify(folder, scratch, cpus, warm)
        until = began + 60 * options.minutes - scale_seconds(options)
        engines, tshark, rates = rounds(options, until, folder, made, scratch, cpus, warm)
        scaled = scale(options, scratch, cpus, warm)
    for engine, seconds in checksums.items():
        engines[engine]["checksums"] = round(seconds, 4)
    kinds = {
        kind: {
            "files": sum(each.kind == kind for each in made),
            "stored": sum(each.stored for each in made if each.kind == kind),
            "expanded": sum(each.expanded for each in made if each.kind == kind),
        }
        for kind in (*archive.KINDS, "broken")
    }
    large = max(each.stored for each in made if each.kind == "plain")
    return {
        **circumstances(cpus, load),
        "archive": {"large": large, "kinds": kinds, **found},
        "engines": engines,
        "tshark": tshark,
        "rates": rates,
        "scale": scaled,
        "minutes": round((time.monotonic() - began) / 60, 1),
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gigabytes", type=float, default=4, help="of captures, decompressed")
    parser.add_argument("--captures", type=Path, help="a folder of more captures")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=40, help="of one worker, for the scale")
    parser.add_argument("--minutes", type=float, default=19, help="after which no round begins")
    parser.add_argument("--scratch", type=Path, default=ROOT / "build", help="where there is room")
    parser.add_argument("--record", type=Path, help="write the record into this file")
    parser.add_argument("--write", action="store_true", help="write the record and the documents")
    options = parser.parse_args()
    if not shutil.which("java"):
        parser.error("Spark needs Java 17 or later: apt-get install openjdk-17-jre-headless")
    options.scratch.mkdir(exist_ok=True)
    try:
        record = measure(options)
    except (compare.Different, subprocess.CalledProcessError) as error:
        sys.exit(f"evidence.bench.archives: {error}")
    text = json.dumps(record, indent=1) + "\n"
    print(text)
    if options.record:
        options.record.write_text(text)
    if options.write:
        cost.RESULTS.mkdir(exist_ok=True)
        folder, _ = families.family(record["cpu"])
        (cost.RESULTS / f"{folder}.json").write_text(text)
        for file, name, make in tables.TABLES:
            generated.write(file, name, make())
    print(*tables.all_of(record), sep="\n\n")


if __name__ == "__main__":
    main()
