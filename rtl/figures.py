# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of figures in README.md: the record of other designs, what was asked for, and ours."""

import json
import math
import re
import statistics

from rtl.results import RESULTS, put_table
from rtl.sources import RTL

# Bytes a cycle of 64-byte frames at 512 bits: no_dead_cycle of tx_insert fails if it is less.
INSERTED = 64


def limits():
    """The driver's limits: bytes of a job alone, and in an endless batch."""
    header = (RTL / "driver/wiresum_engine.h").read_text()
    return [
        int(re.search(rf"# *define WIRESUM_ENGINE_{name} (\d+)", header)[1])
        for name in ("ALONE", "MANY")
    ]


def sums(row, size, latency):
    lut, ff, *_ = row["xc7"]
    clock = statistics.median(row["ECP5"][2])
    return lut, clock, f"{lut} LUT / {ff} FF, {clock:.0f} MHz, {size} B/cycle, {latency} cycles"


def table():
    kept = json.loads(RESULTS.read_text())
    blocks, engine = kept["blocks"], kept["engine"]["0"]
    lut_64, clock_64, ours_64 = sums(blocks["sum_stream, 64 bits, the sum only"], 8, 6)
    lut_512, clock_512, ours_512 = sums(blocks["sum_stream, 512 bits, the sum only"], 64, 9)
    rate, first = engine["bytes a cycle"], engine["alone"]["1"]
    alone, many = limits()
    batch = many + math.ceil((alone - many) / 32)

    def says(met, why=""):
        return ("met" if met else "not met") + why

    rows = [
        (
            "raw sum, 64 bits",
            "109 LUT / 92 FF, 116 MHz, 8 B/cycle",
            "at most 109 LUT, at least 200 MHz, 8 B/cycle",
            ours_64,
            says(lut_64 <= 109 and clock_64 >= 200),
        ),
        (
            "raw sum, 512 bits",
            "812 LUT / 597 FF, 117 MHz, 64 B/cycle, 6 cycles",
            "at most 650 LUT, at least 210 MHz, 64 B/cycle, at most 8 cycles",
            ours_512,
            says(lut_512 <= 650 and clock_512 >= 210)
            + ", except for one cycle: each addition has its own, and two in one would lower the "
            "clock below 200 MHz",
        ),
        (
            "insertion, 64-byte frames, 512 bits",
            "32 B/cycle",
            "64 B/cycle",
            f"{INSERTED} B/cycle",
            says(INSERTED >= 64),
        ),
        (
            "memory to memory, 64 bits",
            "6.70 B/cycle, 241 cycles at least, a handshake of 2359",
            "at least 7.9 B/cycle, at most 40 cycles and memory's latency, one posted write a "
            "batch, no bus read",
            f"{rate:.2f} B/cycle, {engine['copied bytes a cycle']:.2f} with a copy, {first} "
            "cycles, one posted write a batch, no bus read",
            says(rate >= 7.9 and first <= 40),
        ),
        (
            "from where on quicker than software",
            "79 bytes, against slow software",
            "stated for good software, alone and in batches of 32",
            f"{alone} bytes alone, {batch} in batches of 32, against a carry chain",
            says(True, ": the write to the paper's bus costs 443 cycles of its processor"),
        ),
    ]
    lines = ["| | record of others | asked for | ours | |", "|:--|:--|:--|:--|:--|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def put(bounded):
    put_table("figures", table(), bounded)
