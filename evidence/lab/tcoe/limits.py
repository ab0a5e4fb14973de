# SPDX-License-Identifier: MIT OR Apache-2.0
"""From how many bytes on an engine is quicker than software, on the paper's own processor: the
limits of both drivers, the tables of rtl/README.md, and the lines of `wiresum plan`, lines.json.

    python3 -m evidence.lab.tcoe.limits           writes the tables and the lines
    python3 -m evidence.lab.tcoe.limits --check   fails if they are not what this would write

The engines' cycles come from the simulation (results.json). The drivers' own cycles, and the
software's cycles, come from the laboratory's model of the PowerPC 405 with its caches on and the
data in them; one cycle of the processor is one of the engine. The driver's one write to the bus
costs what the paper measured for one.
"""

import argparse
import json
import math
import re
import sys
import zlib

from rtl.environment import Failed
from rtl.results import RESULTS, put_table
from rtl.sources import ROOT, RTL
from rtl.tests import simulate
from rtl.tests.paper import TABLE_1

from .. import build
from ..trace.cpu import CPU, DATA
from . import crossover

LINES = RTL / "lines.json"
SETTING = "caches on, data in the cache"
SOFTWARE = {  # name of the line: the laboratory's software
    "portable C": "words, in C (this library's `portable`), `-O2`",
    "carry chain": "this library's `ppc_scalar`",
}
DRIVER = "carry chain"  # the line that the driver's limits are for
WRITE = TABLE_1["write BYTES"]
REGISTERS = 0xC000_0000


def driver():
    """The driver's own cycles: of a batch, of a job, of a byte."""
    # The linker drops what sums in software, and with it what that needs of the library.
    drop = "-ffunction-sections -Wl,--gc-sections -Wl,-u,prepare -Wl,-u,batch"
    # cost.c includes the driver, which the name of the built image has to tell.
    included = zlib.crc32((RTL / "driver/wiresum_engine.c").read_bytes())
    image = build.image(
        "ppc",
        RTL / "driver/cost.c",
        flags=f"-mcpu=405 -ffreestanding -O2 -I{build.ROOT / 'c/include'} {drop} "
        f"-DINCLUDED={included}",
    )
    cpu = CPU("ppc", image, "604")
    cpu.uc.mem_map(REGISTERS, 0x1000)
    timed, cold = crossover.machine(SETTING)

    def cycles(jobs, size):
        cpu.call("prepare", REGISTERS, DATA, size)
        ended, trace = cpu.call("batch", jobs, trace=True)
        if ended != jobs:
            raise Failed(f"crossover: {ended} of {jobs} jobs end")
        return timed.time(trace, cold=cold, device=REGISTERS).cycles

    byte = (cycles(1, 4096) - cycles(1, 0)) / 4096
    job = (cycles(32, 0) - cycles(1, 0)) / 31
    return cycles(1, 0) - job, job, byte


def lines():
    """The lines, as `wiresum plan --lines` reads them."""
    found = []
    for name, software in SOFTWARE.items():
        sizes = [64, 128, 256, 576, 1500]
        byte, job = crossover.line([(n, crossover.cycles(software, SETTING, n)) for n in sizes])
        found.append((name, 0.0, job, byte, f"{software.replace('`', '')}; {SETTING}"))
    slow = json.loads(RESULTS.read_text())["engine"][str(simulate.ENGINE_LATENCIES[-1])]
    engine, own = simulate.engine_line(slow), driver()
    found.append(
        (
            "engine",
            *(a + b for a, b in zip(engine, own, strict=True)),
            f"wiresum_engine, 64 bits, memory of {simulate.ENGINE_LATENCIES[-1]} cycles, with its "
            "driver on a PowerPC 405",
        )
    )
    name, batch, job, byte, measured = found[-1]
    found[-1] = (name, batch + WRITE, job, byte, measured)
    return {
        "format": 1,
        "lines": [
            {
                "name": name,
                "unit": "cycles",
                "batch": round(batch, 2),
                "job": round(job, 2),
                "byte": round(byte, 5),
                "measured": measured,
            }
            for name, batch, job, byte, measured in found
        ],
    }


def meeting(software, engine, batch):
    """The bytes at which two lines cost the same, as `wiresum plan` computes them, or none."""
    fixed = engine["job"] + engine["batch"] / batch - software["job"]
    slope = software["byte"] - engine["byte"]
    return max(fixed / slope, 0.0) if slope > 0 else None


def limits(found):
    """The driver's limits: the whole bytes from which on the engine is quicker."""
    by_name = {line["name"]: line for line in found["lines"]}
    alone, endless = (meeting(by_name[DRIVER], by_name["engine"], batch) for batch in (1, math.inf))
    return math.ceil(alone), math.ceil(endless)


def constants():
    header = (RTL / "driver/wiresum_engine.h").read_text()
    return tuple(
        int(re.search(rf"# *define WIRESUM_ENGINE_{name} (\d+)", header)[1])
        for name in ("ALONE", "MANY")
    )


def table(found):
    *software, engine = found["lines"]
    rows = [
        "| software | cycles of a sum | the engine is quicker from, alone | in batches of 32 |",
        "|:--|:--|--:|--:|",
    ]
    for line in software:
        alone, many = (meeting(line, engine, batch) for batch in (1, 32))
        cells = " | ".join(
            "never" if at is None else f"{math.ceil(at)} bytes" for at in (alone, many)
        )
        cost = f"{line['job']:.0f} + {line['byte']:.3f} × n"
        rows.append(f"| {line['measured'].partition(';')[0]} | {cost} | {cells} |")
    rows += [
        "",
        f"The engine with its driver takes {engine['batch']:.0f} / N + {engine['job']:.0f} + "
        f"{engine['byte']:.3f} × n cycles for each of N jobs of n bytes. The write to the bus is "
        f"{WRITE:.0f} of the {engine['batch']:.0f}.",
    ]
    return "\n".join(rows)


def paper_engine(bounded):
    """The engine of the paper, and the limit of its driver."""
    rows = crossover.table()
    if (driver := crossover.processor("instruction cache alone", 1)) != simulate.PROCESSOR:
        raise Failed(f"simulate.PROCESSOR is {simulate.PROCESSOR}; computed: {driver}")
    if crossover.threshold(rows) != crossover.constant():
        raise Failed(
            f"TCOE_THRESHOLD in driver/tcoe.h is {crossover.constant()}; "
            f"computed: {crossover.threshold(rows)}"
        )
    put_table("crossover", crossover.markdown(rows), bounded)
    print(
        f"{crossover.threshold(rows)} bytes for the driver's routine, caches on, data in the cache"
    )


def memory_engine(bounded):
    """The memory-to-memory engine, its lines, and the two limits of its driver."""
    found = lines()
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if bounded and LINES.read_text() != text:
        raise Failed(
            f"{LINES.relative_to(ROOT)} is not what python3 -m evidence.lab.tcoe.limits writes"
        )
    LINES.write_text(text)
    if limits(found) != constants():
        raise Failed(
            f"WIRESUM_ENGINE_ALONE and _MANY in driver/wiresum_engine.h are {constants()}; "
            f"computed: {limits(found)}"
        )
    put_table("engine crossover", table(found), bounded)
    print(f"the engine's driver: {limits(found)} bytes, alone and in an endless batch")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    bounded = parser.parse_args().check
    try:
        paper_engine(bounded)
        memory_engine(bounded)
    except Failed as failure:
        print(f"limits: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
