# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of the folder's README: the time of compiled C, in times of the assembly routine."""

from ..machines.arm7tdmi import ARM7TDMI
from ..report.chart import COLORS, chart
from .experiment import CHAIN, OPTIMISED, UNOPTIMISED, ratio, spread, traces

TITLE = "C by gcc 12 on an ARM7TDMI against the assembly routine, next to the ratios of the post"


def draw():
    found = traces()
    spans = {level: spread(found, level) for level in found[CHAIN] if level != "assembly"}
    right = max(high for _, high in spans.values()) + 0.5
    with chart(7.5, 0.9 + 0.3 * len(spans)) as drawing:
        axes = drawing.axes
        for row, (level, (low, high)) in enumerate(spans.items()):
            color = COLORS[1] if "blind" in level else COLORS[0]
            axes.barh(row, high - low, left=low, height=0.5, color=color)
            axes.plot(ratio(found[CHAIN], level, ARM7TDMI), row, "o", color="white", markersize=3)
            words = f"{low:.2f} to {high:.2f}"
            axes.text(right, row, words, ha="right", va="center", fontsize=8)
        for value, words in ((UNOPTIMISED, "-O0"), (OPTIMISED, "-O1 to -O3")):
            words = f"the post, {words}: {value:.2f}"
            axes.vlines(value, -0.6, len(spans), color=COLORS[7], linewidth=1.2, linestyle="--")
            axes.text(value, -0.75, words, ha="center", fontsize=8)
        axes.set_yticks(range(len(spans)), list(spans))
        axes.set_ylim(len(spans) - 0.5, -1.1)
        axes.set_xlim(min(low for low, _ in spans.values()) - 0.3, right)
        axes.set_xlabel("times the assembly routine, over six chains and 0 to 5 wait states")
        axes.grid(False, axis="y")
    return drawing.svg
