# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures wiresum and its rivals on this CPU, and keeps the record of its family.

    python3 -m evidence.bench.record            measures, and writes the record and the charts of
        the CPU's family (evidence/bench/results/FAMILY/), then the README's section on speed. A
        family without a record gets its first one, and the command says so. Some fifteen minutes
        with builds.
    python3 -m evidence.bench.record --replace  replaces the record that the family has
    python3 -m evidence.bench.record --quick    measures in short and prints the table
    python3 -m evidence.bench.record --write    writes the README's section and the charts again
    python3 -m evidence.bench.record --check    fails if the README's section or a chart is not what
        the records give

A record needs a machine that does nothing else, a tree without changes, and the rivals that the
README shows: the command stops and says which of them is missing, unless --anyway is given.
Of the other rivals, one that cannot be had is in the record with the reason.
"""

import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path

from evidence.bench import readme
from evidence.bench.families import family, this_cpu

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
RIVALS = ROOT / "evidence/bench/rivals"
REPORT = BUILD / "bench.json"

# The columns of a record. The rest of a report is the same for all rows, and precedes them.
COLUMNS = [
    "section",
    "operation",
    "contender",
    "role",
    "mix",
    "bytes",
    "level",
    "alignment",
    "min_ns",
    "median_ns",
    "spread",
    "min_cycles",
    "median_cycles",
    "bytes_per_cycle",
    "of_limit",
    "of_limit_median",
    "page_end",
    "core",
]
OTHER_SIZES = [20, 40, 64, 576, 1500, 4096, 16384, 65536]  # of rivals in a process of their own

# A quiet machine: other programs and other guests use at most these parts of the processors' time,
# and the middle half of a timing's samples lies within this part of their median.
MOST_OTHERS = 0.02
MOST_STEAL = 0.005
MOST_SPREAD = 0.05


def run(command, **options):
    return subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True, **options
    ).stdout


def busy(seconds):
    """The parts of the processors' time that other programs use, and that other guests use."""

    def now():
        words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        user, nice, system, idle, waiting, interrupts, soft, stolen = map(int, words)
        own = sum(os.times()[:2]) * os.sysconf("SC_CLK_TCK")
        return user + nice + system + interrupts + soft - own, stolen, idle + waiting + own

    before = now()
    end = time.monotonic() + seconds
    while time.monotonic() < end:  # a hypervisor takes no time from a processor that sleeps
        pass
    others, stolen, rest = (after - was for was, after in zip(before, now(), strict=True))
    total = others + stolen + rest
    return others / total, stolen / total


def obstacles():
    """The reasons against a record now, each with the remedy."""
    found = []
    changed = run(["git", "status", "--porcelain", "--untracked-files=no"], cwd=ROOT)
    if changed:
        found.append(
            f"{len(changed.splitlines())} files differ from the commit that the record would name: "
            "commit them first"
        )
    others, stolen = busy(2)
    if others > MOST_OTHERS:
        found.append(
            f"other programs use {others:.0%} of the processors, and may use {MOST_OTHERS:.0%}: "
            "wait until nothing else runs here"
        )
    if stolen > MOST_STEAL:
        found.append(
            f"other guests use {stolen:.1%} of the processors, and may use {MOST_STEAL:.1%}: "
            "record on a machine whose cores are not shared"
        )
    if not build_linux():
        found.append(
            "Linux csum_partial is not built: apt-get install linux-source-6.12 qemu-user, "
            "and what the line of this machine's architecture above names"
        )
    if subprocess.run(["pkg-config", "--exists", "libdpdk"]).returncode:
        found.append("DPDK rte_raw_cksum is missing: apt-get install libdpdk-dev pkg-config")
    return found


def build_linux():
    """Builds Linux's code, and returns whether it is there. The module prints what it lacks."""
    words = [sys.executable, "-m", "evidence.bench.instructions.linux"]
    subprocess.run(words, cwd=ROOT, stdout=sys.stderr)
    return (BUILD / "linux" / os.uname().machine / "rival.o").exists()


def go_rivals():
    if not shutil.which("go"):
        return "go is not installed: apt-get install golang, or go.dev"
    program = BUILD / "go-rivals"
    try:
        run(["go", "build", "-o", program, "."], cwd=RIVALS / "go")
    except subprocess.CalledProcessError:
        return "the Go program does not build here"
    return json.loads(run([program, ROOT / "spec/vectors.json", *OTHER_SIZES]))


def python_rivals():
    home = BUILD / "rivals-venv"
    python = home / "bin/python"
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r"]
    try:
        if not python.exists():
            venv.create(home, with_pip=True)
        run([*install, RIVALS / "requirements.txt"])
    except (OSError, subprocess.CalledProcessError):
        return "scapy and dpkt could not be installed from PyPI"
    return json.loads(run([python, RIVALS / "python.py", ROOT / "spec/vectors.json", *OTHER_SIZES]))


def join(report, names, rivals):
    """Adds rivals that ran in a process of their own to a report. A text is the reason why they did
    not run."""
    if isinstance(rivals, str):
        report["contenders"] += [
            {"name": name, "role": "rival", "verified": None, "note": rivals} for name in names
        ]
        return
    machine = report["machine"]
    per_ns = (
        machine["cycles_per_tick"] * machine["ticks_per_second"] / 1e9
        if machine["cycles_per_tick"]
        else None
    )
    levels = {
        row["bytes"]: row["level"]
        for row in report["rows"]
        if row["section"] == "sizes" and row["operation"] == "sum"
    }
    for rival in rivals:
        entry = {key: rival[key] for key in ("name", "verified", "note")}
        report["contenders"].append({**entry, "role": "rival"})
        for row in rival["rows"]:
            cycles = row["min_ns"] * per_ns if per_ns else None
            report["rows"].append(
                {
                    "section": "sizes",
                    "operation": "sum",
                    "contender": rival["name"],
                    "role": "rival",
                    "mix": None,
                    **row,
                    "bytes": float(row["bytes"]),
                    "level": levels.get(row["bytes"], "L1"),
                    "min_cycles": cycles,
                    "median_cycles": row["median_ns"] * per_ns if per_ns else None,
                    "bytes_per_cycle": row["bytes"] / cycles if cycles else None,
                    "of_limit": None,
                    "of_limit_median": None,
                    "page_end": None,
                    "core": None,
                }
            )


def measure(quick):
    """Builds and runs all contenders, and returns the report, which is also in build/bench.json."""
    BUILD.mkdir(exist_ok=True)
    run(
        ["cargo", "build", "--profile", "dist", "--quiet", "--features", "bench", "--locked"],
        cwd=ROOT,
    )
    run(["cargo", "build", "--release", "--quiet", "--locked"], cwd=RIVALS)
    words = ["--quick"] if quick else []
    report = json.loads(run([RIVALS / "target/release/wiresum-rivals", *words]))
    join(report, ["gVisor", "wireguard-go", "Tailscale"], go_rivals())
    join(report, ["scapy", "dpkt"], python_rivals())
    REPORT.write_text(json.dumps(report))
    return report


def table():
    """All of build/bench.json as text."""
    return run([ROOT / "target/dist/wiresum", "bench", "--from", REPORT])


def spread(report):
    """The median of the spreads of the library's and the limits' timings in the first cache."""
    return statistics.median(
        row["spread"]
        for row in report["rows"]
        if row["role"] in ("library", "yardstick") and row["level"] == "L1"
    )


def keep(report, folder):
    """Writes the record."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "record.txt").write_text(table())
    with (folder / "record.csv").open("w", newline="") as file:
        for key, value in report["machine"].items():
            file.write(f"# {key}: {json.dumps(value)}\n")
        for entry in report["contenders"]:
            file.write(f"# contender: {json.dumps(entry)}\n")
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row in report["rows"]:
            writer.writerow(
                {
                    key: f"{value:.5g}" if isinstance(value, float) else value
                    for key, value in row.items()
                }
            )


def place_of(cpu, replace):
    """The folder of a CPU's record, and the name of its family. Stops where there is a record that
    is not to be replaced."""
    key, name = family(cpu)
    path = readme.RESULTS / key / "record.csv"
    if path.exists() and not replace:
        was = readme.read(path).machine
        sys.exit(
            f"{name} has a record of {was['date'][:10]}, commit {was['commit']}: "
            "python3 -m evidence.bench.record --replace puts a new one in its place"
        )
    return path.parent, name


def record(replace, anyway):
    place_of(this_cpu(), replace)
    found = obstacles()
    stop_for(found, anyway, "nothing was measured")
    report = measure(quick=False)
    folder, name = place_of(report["machine"]["cpu"], replace)  # as readers of the record find it
    is_first = not (folder / "record.csv").exists()
    core = report["machine"]["core"]
    if core and core["shared"]:
        found.append(
            f"a memcpy of 4 KiB was slow in {core['slow_rounds'] / core['rounds']:.0%} of the "
            "rounds: another program, another guest or the core's sibling used this core"
        )
        stop_for(found[-1:], anyway, f"nothing was recorded; the report is in {REPORT}")
    if spread(report) > MOST_SPREAD:
        found.append(
            f"the median spread of the timings is {spread(report):.1%}, and may be "
            f"{MOST_SPREAD:.0%}: another program or another guest used this core, or its clock "
            "changed"
        )
        stop_for(found[-1:], anyway, f"nothing was recorded; the report is in {REPORT}")
    report["machine"]["in_spite_of"] = found
    keep(report, folder)
    what = "the first record" if is_first else "the new record"
    print(f"{folder.relative_to(ROOT)}: {what} of {name}; README.md and the charts show it")


def stop_for(obstacles, anyway, outcome):
    for obstacle in obstacles:
        print(f"evidence.bench.record: {obstacle}", file=sys.stderr)
    if obstacles and not anyway:
        sys.exit(
            f"evidence.bench.record: {outcome}; --anyway records in spite of that, and says so"
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group()
    for option in ("--quick", "--write", "--check"):
        what.add_argument(option, action="store_true")
    parser.add_argument("--replace", action="store_true")
    parser.add_argument("--anyway", action="store_true")
    options = parser.parse_args()
    if options.quick:
        build_linux()  # without it, the report says that this rival is missing
        measure(quick=True)
        print(table())
        return
    if options.check:
        stale = [str(path.relative_to(ROOT)) for path in readme.stale()]
        if stale:
            sys.exit(
                f"{', '.join(stale)}: not what the records give; "
                "python3 -m evidence.bench.record --write"
            )
        return
    if not options.write:
        record(options.replace, options.anyway)
    readme.write()


if __name__ == "__main__":
    main()
