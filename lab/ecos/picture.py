# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of the folder's README: the time of compiled C, in times of the assembly routine."""

from ..machines.arm7tdmi import ARM7TDMI
from ..report.chart import COLOURS, chart
from .experiment import CHAIN, OPTIMISED, UNOPTIMISED, ratio, spread, traces

TITLE = "C by gcc 12 on an ARM7TDMI against the assembly routine, beside the ratios of the post"


def draw():
    found = traces()
    levels = [level for level in found[CHAIN] if level != "assembly"]
    with chart(7.5, 2.7) as drawing:
        axes = drawing.axes
        for row, level in enumerate(levels):
            low, high = spread(found, level)
            color = COLOURS[1] if "blind" in level else COLOURS[0]
            axes.barh(row, high - low, left=low, height=0.5, color=color)
            axes.text(3.75, row, f"{low:.2f} to {high:.2f}", va="center", fontsize=8)
            axes.plot(ratio(found[CHAIN], level, ARM7TDMI), row, "o", color="white", markersize=3)
        for value, words in ((UNOPTIMISED, "the post, -O0"), (OPTIMISED, "the post, -O1 to -O3")):
            axes.vlines(value, -0.6, len(levels), color=COLOURS[7], linewidth=1.2, linestyle="--")
            axes.text(value, -0.75, f"{words}: {value:.2f}", ha="center", fontsize=8)
        axes.set_yticks(range(len(levels)), levels)
        axes.set_ylim(len(levels) - 0.5, -1.1)
        axes.set_xlim(1.5, 4)
        axes.set_xlabel("times the assembly routine, over six chains and 0 to 5 wait states")
        axes.grid(False, axis="y")
    return drawing.svg
