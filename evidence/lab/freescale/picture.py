# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of the folder's README: how much faster AltiVec is than scalar assembly, by size."""

from ..machines.mpc7455 import MPC7455
from ..report.chart import COLORS, chart
from .experiment import FIGURES, SIZES, cycles

TITLE = "AltiVec against scalar assembly on the model of the MPC7455, next to the paper's words"
TICKS = (64, 256, 1024, 4096, 8192)


def draw():
    with chart(7.5, 2.9, columns=2) as drawing:
        for axes, cold in zip(drawing.axes, (False, True), strict=True):
            for color, (what, (_, scalar, warm, touched)) in zip(
                COLORS, FIGURES.items(), strict=False
            ):
                vector = touched if cold else warm
                gain = [
                    cycles(MPC7455, scalar, size, cold) / cycles(MPC7455, vector, size, cold)
                    for size in SIZES
                ]
                axes.plot(SIZES, gain, "o-", markersize=3, color=color, label=what)
            value, words = (2, "combined: more than 2") if cold else (4, "about four times")
            axes.axhline(value, color=COLORS[7], linewidth=1.2, linestyle="--")
            axes.text(SIZES[0], value + 0.25, f"the paper, {words}", fontsize=8)
            axes.set_xscale("log", base=2)
            axes.set_xticks(TICKS, TICKS)
            axes.minorticks_off()
            axes.set_title("cold caches" if cold else "warm caches")
            axes.set_ylim(0, 4.6)
            axes.set_xlabel("bytes")
        drawing.axes[0].set_ylabel("speedup")
        handles = drawing.axes[0].get_legend_handles_labels()
        drawing.figure.legend(*handles, loc="outside upper center", ncols=3)
    return drawing.svg
