# SPDX-License-Identifier: MIT OR Apache-2.0
"""Charts as inline SVG that follow the page's theme: text and axes take the page's colours, lines colours that read on both.

    with chart(6, 3) as (figure, axes):
        axes.plot(...)
    svg = chart.svg

The same input gives the same bytes: no date, no random ids.
"""

import contextlib
import hashlib
import io
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

# Drawn in these two stand-ins, replaced by the page's variables afterwards.
_INK, _FAINT = "#010203", "#040506"

# Okabe and Ito's palette, told apart by colour-blind readers, without its black and yellow: all have contrast on white and on black.
COLOURS = ["#0a84c6", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56a0d9", "#8a7fd0", "#808080"]

_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "wiresum",
    "font.size": 9,
    "font.family": "sans-serif",
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.titlecolor": _INK,
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "grid.color": _FAINT,
    "grid.linewidth": 0.4,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "lines.linewidth": 1.6,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "figure.constrained_layout.use": True,
}


class Drawing:
    """What `chart` yields: figure, axes (one, or an array of them), and the SVG once the block is over."""

    svg = ""

    def __iter__(self):
        return iter((self.figure, self.axes))


@contextlib.contextmanager
def chart(width=7.5, height=3.2, rows=1, columns=1, **subplots):
    drawing = Drawing()
    with matplotlib.rc_context(_STYLE):
        drawing.figure, drawing.axes = pyplot.subplots(
            rows, columns, figsize=(width, height), **subplots
        )
        try:
            yield drawing
            out = io.StringIO()
            drawing.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        finally:
            pyplot.close(drawing.figure)
    drawing.svg = _inline(out.getvalue())


def _inline(svg):
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = svg.replace(_INK, "var(--ink)").replace(_FAINT, "var(--faint)")
    svg = re.sub(r'font: ([^;"]*?)\'?sans-serif\'?', r"font: \1sans-serif", svg)
    # Many charts share a page: their ids must not meet.
    prefix = "c" + hashlib.sha256(svg.encode()).hexdigest()[:8]
    ids = {}
    for name in re.findall(r'\bid="([^"]+)"', svg):
        ids.setdefault(name, f"{prefix}-{len(ids)}")
    svg = re.sub(r'\bid="([^"]+)"', lambda m: f'id="{ids[m[1]]}"', svg)
    svg = re.sub(r'href="#([^"]+)"', lambda m: f'href="#{ids.get(m[1], m[1])}"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", lambda m: f"url(#{ids.get(m[1], m[1])})", svg)
    return re.sub(
        r'(<svg[^>]*?) height="[^"]*"([^>]*?) width="([^"]*)pt"',
        r'\1\2 style="max-width:\3pt" class="chart"',
        svg,
        count=1,
    )
