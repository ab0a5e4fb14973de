# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of the folder's README: both vector loops against the 16-bit scalar loop, by size."""

from ..machines.mpc7441 import MPC7441
from ..machines.ppc970 import PPC970
from ..report.chart import COLORS, chart
from .experiment import ALL, IBM, MOT, S16, cycles

TITLE = "Motorola's and IBM's AltiVec loops against the 16-bit scalar loop, all unrolled four times"
TICKS = {16: "16", 64: "64", 256: "256", 1024: "1 K", 4096: "4 K", 16384: "16 K", 65536: "64 K"}


def draw():
    with chart(7.5, 2.9, columns=2, sharey=True) as drawing:
        for axes, machine, name in zip(drawing.axes, (MPC7441, PPC970), ("G4", "G5"), strict=True):
            for kernel, color, label in ((MOT, 0, "MOT (Motorola)"), (IBM, 1, "IBM")):
                gain = [cycles(machine, *S16, n) / cycles(machine, *kernel, n) for n in ALL]
                axes.plot(ALL, gain, color=COLORS[color], label=label)
            axes.axhline(4, color=COLORS[7], linewidth=1.2, linestyle="--")
            axes.text(16, 4.08, "the article: around 4.0 on average", fontsize=8)
            axes.set_xscale("log", base=2)
            axes.set_xticks(list(TICKS), TICKS.values())
            axes.minorticks_off()
            axes.set_title(f"{name}, on the model of the {'MPC7441' if name == 'G4' else '970'}")
            axes.set_xlabel("bytes")
        drawing.axes[0].set_ylim(0, 4.6)
        drawing.axes[0].set_ylabel("speedup")
        handles = drawing.axes[0].get_legend_handles_labels()
        drawing.figure.legend(*handles, loc="outside upper center", ncols=2)
    return drawing.svg
