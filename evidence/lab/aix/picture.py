# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of the folder's README: the cycles of both loops on POWER1, by what they do."""

from ..machines.power1 import POWER1, decode
from ..report.chart import COLORS, chart
from .experiment import Routines

TITLE = "AIX 3.2's loop takes 39 cycles on POWER1 for 64 bytes, the proposed loop 32"
PARTS = {
    "loads": COLORS[0],
    "adds with carry": COLORS[2],
    "fold": COLORS[4],
    "pointer and counter": COLORS[3],
    "compare, branch, idle": COLORS[1],
}


def part(name):
    """The part of the work that an instruction belongs to."""
    if name in ("lm", "lu"):
        return "loads"
    if name == "ae":
        return "adds with carry"
    if name == "aze":
        return "fold"
    return "pointer and counter" if name == "ai" else "compare, branch, idle"


def draw():
    routines = Routines()
    with chart(7.5, 1.9) as drawing:
        axes = drawing.axes
        for row, routine in enumerate(("current", "corrected")):
            timing = POWER1.time(routines.steps(routine, 64)[0])
            cycles = dict.fromkeys(PARTS, 0)
            for slot in timing.slots:
                cycles[part(decode(slot.step.opcode).name)] += slot.cycles + slot.wait
            assert sum(cycles.values()) == timing.cycles
            left = 0
            for name, color in PARTS.items():
                axes.barh(row, cycles[name], left=left, color=color, label=name if not row else "")
                if cycles[name]:
                    middle = left + cycles[name] / 2
                    axes.text(middle, row, cycles[name], ha="center", va="center", color="white")
                left += cycles[name]
            axes.text(left + 0.4, row, f"{left} cycles", va="center", weight="bold")
        axes.set_yticks((0, 1), ("AIX 3.2", "proposed"))
        axes.invert_yaxis()
        axes.set_xlim(0, 44)
        axes.set_xlabel("cycles for 64 bytes on the model of POWER1")
        axes.grid(False, axis="y")
        drawing.figure.legend(loc="outside upper center", ncols=len(PARTS))
    return drawing.svg
