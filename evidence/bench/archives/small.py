# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the CPU seconds of counts of many small captures, and what of them is the engine's own.

    python3 -m evidence.bench.archives.small [--files 1500] [--captures FOLDER] [--rounds 3]
        [--repeat 4] [--write]

Each engine adds up the counts of copies of examples/, with the code of python/archives.md, and of
copies of the captures of a folder. It also runs an empty job, which has one task and reads no file.
The engines take turns, each in a process of its own that runs all jobs several times. CPU seconds
include all processes of the engine, without its start. `--write` puts the figures into the CPU
family's record in evidence/bench/results/archives/small/, and the table into the README.
"""

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

from evidence import generated
from evidence.bench import families
from evidence.bench.archives import cost, jobs, measure, tables
from evidence.bench.captures.mixed import ROOT


def copy(folder, names, files):
    """Copies captures by turns, until there are so many files. Returns a glob of all of them."""
    folder.mkdir()
    for n in range(files):
        name = names[n % len(names)]
        shutil.copyfile(name, folder / f"{n:05}-{name.name}")
    return str(folder / "*")


def measured(engine, cpus, sets, repeat, warm):
    """The CPU seconds of an empty job and of the jobs on sets of captures: the first and the
    cheapest run of each."""
    wanted = [("nothing", ""), *(("summed", paths) for paths in sets.values())]
    ran = iter(jobs.run(engine, cpus, wanted * repeat, warm)["cpu"])
    runs = {name: [] for name in ("nothing", *sets)}
    for _ in range(repeat):
        for each in runs.values():
            each.append(next(ran))
    return {name: {"first": each[0], "least": min(each)} for name, each in runs.items()}


def measure_all(options):
    """The figures, with what they are figures of."""
    cpus, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    folders = {"examples": ROOT / "examples"}
    if options.captures:
        folders["captures"] = options.captures
    least = {}
    with tempfile.TemporaryDirectory(dir=options.scratch, prefix="small-") as scratch:
        sets, sizes = {}, {}
        for name, folder in folders.items():
            found = sorted(folder.glob("*.pcap*"))
            sets[name] = copy(Path(scratch, name), found, options.files)
            sizes[name] = sum(path.stat().st_size for path in Path(scratch, name).iterdir())
        warm = sorted((ROOT / "examples").glob("*.pcap*"))[0]
        for turn in range(options.rounds):
            for engine in jobs.ENGINES:
                ran = measured(engine, cpus, sets, options.repeat, warm)
                best = least.setdefault(engine, ran)
                for name, figures in ran.items():
                    for which, value in figures.items():
                        best[name][which] = round(min(best[name][which], value), 3)
                measure.say("round", turn + 1, engine, ran)
    return {
        **measure.circumstances(cpus, load),
        "files": options.files,
        "bytes": sizes,
        "engines": least,
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=1500, help="captures of a job")
    parser.add_argument("--captures", type=Path, help="a folder of further captures")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each engine")
    parser.add_argument("--repeat", type=int, default=4, help="runs of a job in a process")
    parser.add_argument("--scratch", type=Path, default=ROOT / "build", help="where there is room")
    parser.add_argument("--write", action="store_true", help="write the record and the table")
    options = parser.parse_args()
    options.scratch.mkdir(exist_ok=True)
    record = measure_all(options)
    text = json.dumps(record, indent=1) + "\n"
    print(text)
    if options.write:
        results = cost.RESULTS / "small"
        results.mkdir(parents=True, exist_ok=True)
        folder, _ = families.family(record["cpu"])
        (results / f"{folder}.json").write_text(text)
        generated.write(tables.README, "small", tables.of_newest_small())
    print(tables.small(record))


if __name__ == "__main__":
    main()
