# SPDX-License-Identifier: MIT OR Apache-2.0
"""At how many bytes a job of the engine becomes quicker than software on the PowerPC 405 next to
it: the paper's question, asked of more than one software.

The engine's side is the simulation's (rtl/results.json: the driver's accesses over the bus, at the
costs that the paper measured, until the poll that finds the job done) and the processor's cycles
between the accesses: the driver's tcoe_run, traced and timed. The software's side is traced and
timed on the same model. The size is where two fitted lines meet, as in the paper.
"""

import bisect
import dataclasses
import functools
import json
import math
import random
import re

from rtl.tests import paper

from .. import build
from ..machines.ppc import decode
from ..machines.ppc405 import PPC405
from ..trace.cpu import CPU, DATA

RTL = build.ROOT / "rtl"
HERE = build.ROOT / "evidence/lab/tcoe"
REGISTERS, ENGINE, SUM = 0xC000_0000, DATA + 0x30_0000, DATA + 0x30_1000
OUTPUT = 0x0C


SETTINGS = {  # name: (instruction cache, data cache, data not in it at first)
    "caches on, data in the cache": (True, True, False),
    "caches on, data not in the cache": (True, True, True),
    "instruction cache alone": (True, False, False),
    "caches off": (False, False, False),
}
SOFTWARE = {  # name: (function of software.c, optimization)
    "the paper's as described, `-O0`": ("paper", "-O0"),
    "the paper's as described, `-O1`": ("paper", "-O1"),
    "the paper's as described, `-O2`": ("paper", "-O2"),
    "the same, carries folded at each step, `-O0`": ("paper_folding", "-O0"),
    "the driver's routine, `-O2`": ("driver", "-O2"),
    "words, in C (this library's `portable`), `-O2`": ("words", "-O2"),
    "this library's `ppc_scalar`": ("ppc_scalar", "-O2"),
}
DEFAULT = (
    "the driver's routine, `-O2`",
    "caches on, data in the cache",
)  # what TCOE_THRESHOLD is for
SIZES = [n for n, *_ in paper.TABLE_2 if n <= 10000] + [2000, 5000]
LIMITS = [100, 150, 500, 1000, 3000, 10000]


@functools.cache
def results():
    return json.loads((RTL / "results.json").read_text())


def image(optimization):
    c = build.ROOT / "c"
    return build.image(
        "ppc",
        HERE / "software.c",
        RTL / "driver/tcoe.c",
        c / "kernels/ppc_scalar.c",
        c / "kernels/portable.c",
        flags=f"-mcpu=405 -ffreestanding {optimization} -I{c}/include -I{c}/src",
    )


def machine(setting, model=PPC405):
    instructions, data, cold = SETTINGS[setting]
    return dataclasses.replace(model, instruction_cache=instructions, data_cache=data), cold


@functools.cache
def cpu(optimization):
    """Unicorn has no 405. A 604 runs the same integer instructions, and no others are modeled."""
    loaded = CPU("ppc", image(optimization), "604")
    loaded.write(DATA, random.Random(405).randbytes(65536))
    return loaded


@functools.cache
def steps(name, size):
    function, optimization = SOFTWARE[name]
    return cpu(optimization).call(function, DATA, size, trace=True)[1]


@functools.cache
def cycles(name, setting, size, model=PPC405):
    """Of one call of a software routine."""
    timed, cold = machine(setting, model)
    return timed.time(steps(name, size), cold=cold).cycles


@functools.cache
def _driver(writes_back):
    """The driver's own job on an engine that is ready at once. Without a data cache there is
    nothing to write back."""
    flags = "-mcpu=405 -ffreestanding -O2" + (
        "" if writes_back else " '-DTCOE_WRITE_BACK(data,n)=((void)(data))'"
    )
    loaded = CPU("ppc", build.image("ppc", RTL / "driver/tcoe.c", flags=flags), "604")
    loaded.uc.mem_map(REGISTERS, 0x1000)
    loaded.write(REGISTERS + OUTPUT, (1).to_bytes(4, "big"))
    loaded.call("tcoe_init", ENGINE, REGISTERS)
    return loaded


def _trace(setting, size):
    status, trace = _driver(SETTINGS[setting][1]).call(
        "tcoe_run", ENGINE, DATA, size, SUM, trace=True
    )
    assert status == 0
    return trace, [step for step in trace if step.address is not None and step.address >= REGISTERS]


def accesses(size):
    """The driver's accesses to the bus, in order: "write 8" is to the register at offset 8."""
    return [
        f"{'read' if decode(step.opcode).unit == 'load' else 'write'} {step.address - REGISTERS}"
        for step in _trace(next(iter(SETTINGS)), size)[1]
    ]


@functools.cache
def processor(setting, size, model=PPC405):
    """Cycles of the processor in addition to its accesses to the registers: the driver's code, and
    the write-back of the data's cache lines."""
    timed, cold = machine(setting, model)
    trace, bus = _trace(setting, size)
    return timed.time(trace, cold=cold, device=REGISTERS).cycles - len(bus)


def job(size):
    """Cycles of a job on the bus: simulated at this size, or between two that were."""
    known = {int(n): value for n, value in results()["whole job on the bus"].items()}
    known |= {int(n): row[1] for n, row in results()["table 2: engine, bus, polls"].items()}
    sizes = sorted(known)
    place = bisect.bisect_left(sizes, size)
    if sizes[place] == size:
        return known[size]
    low, high = sizes[place - 1], sizes[place]
    return known[low] + (known[high] - known[low]) * (size - low) / (high - low)


def hardware(setting, size, model=PPC405):
    return job(size) + processor(setting, size, model)


def line(points):
    """(slope, value at zero) of the least-squares line."""
    n, sx, sy = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    slope = (n * sum(x * y for x, y in points) - sx * sy) / (
        n * sum(x * x for x, _ in points) - sx * sx
    )
    return slope, (sy - slope * sx) / n


def meet(software, engine, sizes=None):
    """The size at which the lines of two functions of the size meet, or None where software stays
    ahead.

    The lines are fitted over the smallest range of sizes from 1 that contains the place; the
    paper's is the first, 1 to 100.
    """
    for limit in LIMITS if sizes is None else [max(sizes)]:
        fitted = sizes or [n for n in SIZES if n <= limit]
        (a, b), (c, d) = (
            line([(n, software(n)) for n in fitted]),
            line([(n, engine(n)) for n in fitted]),
        )
        if a > c and 0 < (d - b) / (a - c) <= limit:
            return (d - b) / (a - c)
    return None


def crossover(name, setting, model=PPC405):
    return meet(lambda n: cycles(name, setting, n, model), lambda n: hardware(setting, n, model))


def slope(name, setting, model=PPC405):
    """Cycles a byte in the long run."""
    return (cycles(name, setting, 10000, model) - cycles(name, setting, 5000, model)) / 5000


def table(model=PPC405):
    """{(software, setting): (cycles a byte, crossover or None)}."""
    return {
        (name, setting): (slope(name, setting, model), crossover(name, setting, model))
        for name in SOFTWARE
        for setting in SETTINGS
    }


def threshold(rows):
    """The right value of TCOE_THRESHOLD: the first whole size not below the crossover."""
    return math.ceil(rows[DEFAULT][1])


def constant():
    """The value of TCOE_THRESHOLD in the driver."""
    header = (RTL / "driver/tcoe.h").read_text()
    return int(re.search(r"# *define TCOE_THRESHOLD (\d+)", header)[1])


def cell(row):
    per_byte, size = row
    return f"{per_byte:.2f}: " + (f"**{math.ceil(size)}**" if size else "never up to 10000")


def markdown(rows):
    lines = [
        "| software: cycles a byte, and from how many bytes on the engine is quicker | "
        + " | ".join(SETTINGS)
        + " |",
        "|:--|" + "--:|" * len(SETTINGS),
    ]
    lines += [
        f"| {name} | " + " | ".join(cell(rows[name, setting]) for setting in SETTINGS) + " |"
        for name in SOFTWARE
    ]
    besides = " | ".join(
        f"{processor(setting, 100)}, {processor(setting, 1000)}" for setting in SETTINGS
    )
    lines += [f"| *the driver's own cycles of a job, 100 and 1000 bytes* | {besides} |"]
    return "\n".join(lines)
