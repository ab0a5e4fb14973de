# SPDX-License-Identifier: MIT OR Apache-2.0
"""The picture of the folder's README: the sizes from which on the engine is quicker."""

from ..report.chart import COLORS, chart
from .crossover import SIZES, crossover, cycles, hardware, meet
from .experiment import DRIVER, HALF, ON, SCALAR, THEIRS, WORDS

TITLE = "The engine against four software routines: the size from which on the engine is quicker"


def draw():
    sizes = sorted(n for n in SIZES if n >= 10)
    theirs = {n: software for n, (_, software, _) in THEIRS.items() if 10 <= n <= 10000}
    small = [n for n in THEIRS if n <= 100]
    meets = meet(lambda n: THEIRS[n][1], lambda n: hardware(HALF, n), small)
    with chart(7.5, 3.3) as drawing:
        axes = drawing.axes
        axes.plot(
            list(theirs),
            theirs.values(),
            "--",
            color=COLORS[7],
            label=f"the paper's software: {meets:.0f} bytes (the paper: 79)",
        )
        for name, color, label in (
            (DRIVER, COLORS[1], "the driver's loop"),
            (WORDS, COLORS[2], "words in C"),
            (SCALAR, COLORS[3], "the assembly kernel"),
        ):
            size = crossover(name, ON)
            axes.plot(
                sizes,
                [cycles(name, ON, n) for n in sizes],
                color=color,
                label=f"{label}: {size:,.0f} bytes",
            )
            axes.plot(size, hardware(ON, round(size)), "o", color=color)
        engine = [hardware(ON, n) for n in sizes]
        axes.plot(
            sizes, engine, color=COLORS[0], linewidth=2.5, label="the engine, with its driver"
        )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("bytes")
        axes.set_ylabel("cycles of the PowerPC 405")
        axes.legend(loc="upper left")
    return drawing.svg
