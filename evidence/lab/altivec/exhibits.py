# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables and charts of the document."""

from .. import mca
from ..claims import Chart, Table
from ..machines.ppc970 import PPC970
from ..report.chart import COLORS, chart
from .traced import ALL, FINE, IBM, MIDDLE, MOT, S16, S32, SIZES, cycles


def of(f):
    return [
        Chart(
            "Figure 1: 32-bit words over half-words, rolled",
            _ratio(f.g4, f.g5),
            "Speedup of listing 2 over listing 1 by size, warm caches.",
        ),
        Chart(
            "Figure 4: MOT and IBM over the 16-bit scalar loop on the G4, all unrolled",
            _figure4(f.g4),
            "Steps of 16 bytes, 256 bytes and 1 KiB.",
        ),
        Chart(
            "Figure 5: the same on the G5",
            _figure4(f.g5),
            "Solid: over the 16-bit scalar loop, as its caption says; dotted: over the 32-bit one,"
            " as the text does. Below 128 bytes the vectors' epilogues are too quick, because the"
            " model has no store forwarding.",
        ),
        Table(
            "The plain loop by today's compilers",
            ("instruction set", "by", "bytes a turn", "instructions a byte", "cycles a byte"),
            [
                (t, who, size or "not vectorized", f"{i:.3f}" if i else "", f"{c:.3f}" if c else "")
                for t, who, size, i, c in f.made
            ],
            "-O3; the vector loop that each emits, its cycles by"
            f" {mca.version()} (POWER9, Skylake, Skylake-X, Neoverse N1). LLVM has no model of the"
            " 7450. For AltiVec and VSX our kernel is the article's, with four turns unrolled;"
            " elsewhere it is this library's.",
        ),
    ]


def _ratio(g4, g5):
    sizes = [n for n in SIZES if n >= 64]
    with chart(7.5, 3) as drawing:
        axes = drawing.axes
        for machine, name, color in ((g4, "G4", COLORS[1]), (g5, "G5", COLORS[0])):
            for unrolled, style in ((False, "-"), (True, "--")):
                axes.plot(
                    sizes,
                    [
                        cycles(machine, "16-bit", unrolled, n)
                        / cycles(machine, "32-bit", unrolled, n)
                        for n in sizes
                    ],
                    style,
                    color=color,
                    label=f"{name}{', unrolled' if unrolled else ''}",
                )
        axes.set_ylim(0)
        axes.set_xlabel("bytes")
        axes.set_ylabel("speedup")
        axes.legend(ncols=2)
    return drawing.svg


def _figure4(machine):
    with chart(9, 3, columns=3, sharey=True) as drawing:
        ranges = {
            "to 256 bytes": FINE,
            "to 8 KiB": [256, *MIDDLE],
            "to 64 KiB": [n for n in ALL if n % 1024 == 0],
        }
        for axes, (title, sizes) in zip(drawing.axes, ranges.items(), strict=True):
            for kernel, color in ((MOT, COLORS[0]), (IBM, COLORS[1])):
                axes.plot(
                    [n / 1024 if title == "to 64 KiB" else n for n in sizes],
                    [cycles(machine, *S16, n) / cycles(machine, *kernel, n) for n in sizes],
                    color=color,
                    label=kernel[0],
                )
                if isinstance(machine, type(PPC970)):
                    axes.plot(
                        [n / 1024 if title == "to 64 KiB" else n for n in sizes],
                        [cycles(machine, *S32, n) / cycles(machine, *kernel, n) for n in sizes],
                        ":",
                        color=color,
                    )
            axes.axhline(1, color=COLORS[7], linewidth=0.8)
            axes.set_title(title)
            axes.set_xlabel("KiB" if title == "to 64 KiB" else "bytes")
        drawing.axes[0].set_ylim(0)  # at the end, because it ends the scaling
        drawing.axes[0].set_ylabel("speedup over 16-bit scalar")
        drawing.axes[0].legend()
    return drawing.svg
