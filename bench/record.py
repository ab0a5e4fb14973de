#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures wiresum and its rivals, and keeps what was found.

    record.py [--quick]    measure: bench/results/MACHINE/DATE.csv and .txt, build/bench.json, and README.md's table
    record.py --write      README.md's table, of the newest record
    record.py --check      fails if README.md's table is not of the newest record

A rival that cannot be had here is in the table with the reason.
"""

import csv
import json
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench/results"
BUILD = ROOT / "build"
RIVALS = ROOT / "bench/rivals"
README = ROOT / "README.md"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"

# What of the report is a column. The rest of it is the same for all rows, and stands above them.
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
]
OTHER_SIZES = [20, 64, 576, 1500, 4096, 16384, 65536]  # for what has a process of its own


def run(command, **options):
    return subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True, **options
    ).stdout


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
    try:
        if not python.exists():
            venv.create(home, with_pip=True)
        run(
            [
                python,
                "-m",
                "pip",
                "install",
                "-q",
                "--disable-pip-version-check",
                "-r",
                RIVALS / "requirements.txt",
            ]
        )
    except (OSError, subprocess.CalledProcessError):
        return "scapy and dpkt could not be installed from PyPI"
    return json.loads(run([python, RIVALS / "python.py", ROOT / "spec/vectors.json", *OTHER_SIZES]))


def join(report, names, rivals):
    """Puts what was measured in a process of its own into the report; a text says why nothing was."""
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
        report["contenders"].append(
            {
                "name": rival["name"],
                "role": "rival",
                "verified": rival["verified"],
                "note": rival["note"],
            }
        )
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
                }
            )


def measure(quick):
    subprocess.run(
        [sys.executable, ROOT / "bench/instructions/linux.py"], stdout=subprocess.DEVNULL
    )  # says itself what it lacks
    run(["cargo", "build", "--release", "--quiet"], cwd=ROOT)
    run(["cargo", "build", "--release", "--quiet", "--locked"], cwd=RIVALS)
    report = json.loads(
        run([RIVALS / "target/release/wiresum-rivals", *(["--quick"] if quick else [])])
    )
    join(report, ["gVisor", "wireguard-go"], go_rivals())
    join(report, ["scapy", "dpkt"], python_rivals())
    BUILD.mkdir(exist_ok=True)
    (BUILD / "bench.json").write_text(json.dumps(report))
    machine = report["machine"]
    folder = RESULTS / re.sub(r"\W+", "-", machine["cpu"].lower()).strip("-")
    folder.mkdir(parents=True, exist_ok=True)
    name = machine["date"][:10]
    (folder / f"{name}.txt").write_text(
        run([ROOT / "target/release/wiresum", "bench", "--from", BUILD / "bench.json"])
    )
    with (folder / f"{name}.csv").open("w", newline="") as file:
        for key, value in machine.items():
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
    return folder / f"{name}.csv"


def newest():
    """The newest record: (path, machine, contenders, rows)."""
    records = sorted(
        (path for path in RESULTS.glob("*/*.csv") if re.fullmatch(r"\d{4}-\d\d-\d\d", path.stem)),
        key=lambda path: (path.stem, str(path)),
    )
    if not records:
        raise FileNotFoundError("there is no record: bench/record.py makes one")
    machine, contenders, lines = {}, {}, []
    for line in records[-1].read_text().splitlines():
        if line.startswith("# contender: "):
            entry = json.loads(line.removeprefix("# contender: "))
            contenders[entry["name"]] = entry
        elif line.startswith("# "):
            key, _, value = line[2:].partition(": ")
            machine[key] = json.loads(value)
        else:
            lines.append(line)
    return records[-1], machine, contenders, list(csv.DictReader(lines))


def table():
    path, machine, contenders, rows = newest()
    sizes = {
        (row["contender"], int(float(row["bytes"])), int(row["alignment"])): row
        for row in rows
        if row["section"] == "sizes" and row["operation"] == "sum" and row["level"] != "DRAM"
    }
    mixes = {
        (row["contender"], row["mix"]): row
        for row in rows
        if row["section"] == "mixes"
        and row["operation"] == "sum"
        and row["level"] != "DRAM"
        and row["alignment"] == "14"
    }
    shown = [20, 64, 576, 1500, 4096, 65536]

    def figure(row, key):
        return "" if row is None or not row[key] else f"{float(row[key]):.3g}"

    lines = [
        "| | right | "
        + " | ".join(f"{size} B" if size < 4096 else f"{size >> 10} KiB" for size in shown)
        + " | IMIX, cycles |",
        "|---|---|" + "---:|" * (len(shown) + 1),
    ]
    order = {"library": 0, "yardstick": 1, "kernel": 2, "rival": 3}
    for name, entry in sorted(contenders.items(), key=lambda item: order[item[1]["role"]]):
        if entry["role"] == "kernel" or (
            entry["role"] == "yardstick" and (name, 64, 14) not in sizes
        ):
            continue
        cells = [
            figure(sizes.get((name, size, 14)) or sizes.get((name, size, 0)), "bytes_per_cycle")
            for size in shown
        ]
        cells.append(figure(mixes.get((name, "IMIX")), "min_cycles"))
        right = (
            {"True": "yes", "False": "**no**", "None": "not here"}[str(entry["verified"])]
            if entry["role"] != "yardstick"
            else ""
        )
        lines.append(
            f"| {f'**{name}**' if entry['role'] == 'library' else name} | {right} | "
            + " | ".join(cells)
            + " |"
        )
    caches = machine["caches"]
    lines += [
        "",
        f"Bytes a cycle, at offset 14 as IP lies behind Ethernet, and cycles a packet of a shuffled IMIX; the best of many samples. {machine['cpu']}, "
        f"L1 {caches['l1'] >> 10} KiB; {machine['c_compiler']}; {machine['rust_compiler']}; commit {machine['commit']}; {machine['date'][:10]}. "
        f"`wiresum_partial` leaves the fold to its caller, as Linux' function, the two vectorized loops and the load-only loops do. What is wrong with a rival, and all else, is in [{path.relative_to(ROOT).with_suffix('.txt')}]({path.relative_to(ROOT).with_suffix('.txt')}); "
        "`load-only` sums nothing. Go and Python ran in processes of their own, Python on aligned data.",
    ]
    return "\n".join([BEGIN, *lines, END])


def with_table(readme):
    if BEGIN not in readme:
        raise ValueError(f"README.md has no {BEGIN}")
    block = table()
    return re.sub(f"{BEGIN}.*{END}", lambda _: block, readme, flags=re.DOTALL)


def main():
    words = sys.argv[1:]
    if words not in ([], ["--quick"], ["--write"], ["--check"]):
        sys.exit(__doc__)
    if words == ["--check"]:
        if README.read_text() != with_table(README.read_text()):
            sys.exit("README.md's table is not of the newest record: bench/record.py --write")
        return
    if words != ["--write"]:
        print(measure(words == ["--quick"]).relative_to(ROOT))
    README.write_text(with_table(README.read_text()))


if __name__ == "__main__":
    main()
