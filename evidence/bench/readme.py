# SPDX-License-Identifier: MIT OR Apache-2.0
"""The README's section on speed: a table and a chart for each CPU family that has a record.

Both are made of the committed records alone, and the same records give the same bytes.
"""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

from evidence import generated
from evidence.bench import chart
from evidence.bench.families import family

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "evidence/bench/results"
README = ROOT / "README.md"

SIZES = [20, 64, 576, 1500, 4096, 65536]  # of the table; the chart has all from 20 bytes to 64 KiB
OFFSET = 14  # where IP lies after an Ethernet header


@dataclass(frozen=True)
class Shown:
    """A row of the table, and a line of the chart."""

    name: str
    contenders: tuple  # the fastest of them at each size
    operation: str = "sum"
    is_rival: bool = False


SHOWN = [
    Shown("wiresum_sum", ("wiresum",)),
    Shown("wiresum_copy", ("wiresum",), "copy"),
    Shown(
        "limit: loads alone",
        tuple(f"load-only {bits}{how}" for bits in (512, 256, 128) for how in ("", ", no branch")),
    ),
    Shown("limit: memcpy", ("memcpy",), "copy"),
    Shown("C loop, gcc -O3 -march=native", ("32-bit loop -O3 -march=native",), is_rival=True),
    Shown("Linux csum_partial", ("Linux csum_partial",), is_rival=True),
    Shown("DPDK rte_raw_cksum", ("DPDK rte_raw_cksum",), is_rival=True),
    Shown("smoltcp", ("smoltcp",), is_rival=True),
]
# What site/compare.md shows in addition.
COMPARED = ("etherparse", "scapy")
RIVALS = [name for shown in SHOWN if shown.is_rival for name in shown.contenders]


def is_shown(row):
    """Whether a table or the chart has a row of the benchmark."""
    return (
        row["section"] in ("sizes", "mixes")
        and row["level"] != "DRAM"
        and (
            (row["contender"] in COMPARED and row["operation"] == "sum")
            or (
                int(row["alignment"]) == OFFSET
                and any(
                    row["contender"] in shown.contenders and row["operation"] == shown.operation
                    for shown in SHOWN
                )
            )
        )
    )


@dataclass
class Record:
    """What the README shows of a committed run of the benchmark."""

    folder: Path
    name: str  # of the CPU family
    machine: dict
    contenders: dict
    rows: list

    @property
    def unit(self):
        """Of all speeds: the cycles of the core are not known on every CPU."""
        return "bytes a cycle" if self.machine["cycles_per_tick"] else "GB/s"

    def rates(self, shown):
        """Speeds by size, and by "IMIX"."""
        rates = {}
        for row in self.rows:
            if row["contender"] not in shown.contenders or row["operation"] != shown.operation:
                continue
            at = row["mix"] or int(float(row["bytes"]))
            if self.machine["cycles_per_tick"]:
                rate = float(row["bytes_per_cycle"])
            else:
                rate = float(row["bytes"]) / float(row["min_ns"])
            rates[at] = max(rates.get(at, 0.0), rate)
        return rates


def read(path):
    machine, contenders, lines = {}, {}, []
    for line in path.read_text().splitlines():
        if line.startswith("# contender: "):
            entry = json.loads(line.removeprefix("# contender: "))
            contenders[entry["name"]] = entry
        elif line.startswith("# "):
            key, _, value = line[2:].partition(": ")
            machine[key] = json.loads(value)
        else:
            lines.append(line)
    return Record(
        path.parent, family(machine["cpu"])[1], machine, contenders, list(csv.DictReader(lines))
    )


def records():
    """All records, in the order of their folders."""
    found = [read(path) for path in sorted(RESULTS.glob("*/shown.csv"))]
    if not found:
        raise FileNotFoundError("there is no record: python3 -m evidence.bench.record makes one")
    return found


def is_right(record, shown):
    """The word of the table about the results of a row."""
    if not shown.is_rival:
        return "yes" if shown.name.startswith("wiresum") else ""
    entry = record.contenders.get(shown.contenders[0])
    if entry is None or entry["verified"] is None:
        return "not measured"
    return "yes" if entry["verified"] else "**no**"


def table(record):
    sizes = [f"{size} B" if size < 4096 else f"{size >> 10} KiB" for size in SIZES]
    lines = [
        f"| {record.unit} | right | {' | '.join(sizes)} | IMIX |",
        "|---|---|" + "---:|" * (len(SIZES) + 1),
    ]
    for shown in SHOWN:
        rates = record.rates(shown)
        cells = [f"{rates[at]:.3g}" if at in rates else "" for at in [*SIZES, "IMIX"]]
        name = f"**{shown.name}**" if shown.name.startswith("wiresum") else shown.name
        lines.append(f"| {name} | {is_right(record, shown)} | {' | '.join(cells)} |")
    return lines


def picture(record):
    """The chart of a record, as SVG."""
    limits = {"limit: loads alone", "limit: memcpy"}
    lines = [
        chart.Line(
            shown.name,
            sorted((at, rate) for at, rate in record.rates(shown).items() if at in chart.TICKS),
            is_ours=shown.name.startswith("wiresum"),
            is_limit=shown.name in limits,
        )
        for shown in SHOWN
    ]
    return chart.svg(f"{record.name}: {record.unit} over the size of the data", lines)


def section(record):
    at, machine = record.folder.relative_to(ROOT), record.machine
    in_spite_of = "".join(
        f"Recorded in spite of this: {why}. " for why in machine.get("in_spite_of", [])
    )
    unit = record.unit[0].upper() + record.unit[1:]
    return [
        f"### {record.name}",
        "",
        f"![{unit} over the size of the data, on {record.name}]({at}/speed.svg)",
        "",
        *table(record),
        "",
        f"{machine['cpu']}, L1 cache {machine['caches']['l1'] >> 10} KiB; {machine['c_compiler']}; "
        f"{machine['rust_compiler']}; commit {machine['commit']}; {machine['date'][:10]}. "
        f"{in_spite_of}All {machine['figures']:,} figures: [record.txt]({at}/record.txt).",
        "",
    ]


def block():
    lines = [line for record in records() for line in section(record)]
    return "\n".join(lines[:-1])


def write():
    for record in records():
        (record.folder / "speed.svg").write_text(picture(record))
    generated.write("README.md", "bench", block())


def stale():
    """The files that differ from those that the records give."""
    charts = {record.folder / "speed.svg": picture(record) for record in records()}
    found = [p for p, text in charts.items() if not p.exists() or p.read_text() != text]
    return found if generated.is_up_to_date("README.md", "bench", block()) else [README, *found]
