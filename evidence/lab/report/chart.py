# SPDX-License-Identifier: MIT OR Apache-2.0
"""Charts as SVG that follow the reader's color scheme.

    with chart(6, 3) as drawing:
        drawing.axes.plot(...)
    drawing.svg                      for the report, which has the colors of the text and the axes
    standalone(drawing.svg, title)   a file of its own, with those colors and a background in it

The same input gives the same bytes: a chart has no date and no random ids, and its coordinates are
rounded to a hundredth of a point, which is coarser than the last digits that depend on the CPU.
"""

import contextlib
import hashlib
import html
import io
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

# The colors of a page in both schemes: background, text, and what is less than text.
THEME = """:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #8a929b; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e3e6ea; --faint: #7d8690; }
}"""

# matplotlib draws in these two stand-ins, and the variables of THEME replace them afterwards.
_INK, _FAINT = "#010203", "#040506"

# The palette of Okabe and Ito without its black and its yellow. Color-blind readers can tell these
# colors apart, and each has contrast on white and on black.
COLORS = ["#0a84c6", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56a0d9", "#8a7fd0", "#808080"]

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
    "axes.prop_cycle": matplotlib.cycler(color=COLORS),
    "figure.constrained_layout.use": True,
}


class Drawing:
    """A chart: its figure, its axes (one, or an array of them), and its SVG after the block."""

    svg = ""

    def __iter__(self):
        return iter((self.figure, self.axes))


@contextlib.contextmanager
def chart(width=7.5, height=3.2, rows=1, columns=1, **subplots):
    """Yields a Drawing of that many inches."""
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


def standalone(svg, title):
    """A chart as the text of an SVG file, which an <img> shows in either color scheme."""
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    size = f'role="img" width="{width}pt" height="{height}pt"'
    head, rest = re.sub(r'class="chart" style="[^"]*"', size, svg, count=1).split(">", 1)
    background = '<rect width="100%" height="100%" rx="6" style="fill: var(--paper)"/>'
    return (
        f"{head}>\n<title>{html.escape(title, quote=False)}</title>\n<style>{THEME}</style>\n"
        f"{background}\n{rest.strip()}\n"
    )


def _rounded(tag):
    return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{round(float(number[0]), 2):g}", tag[0])


def _inline(svg):
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->\s*", "", svg, flags=re.S)
    svg = re.sub(r"<[^>]*>", _rounded, svg)
    svg = svg.replace(_INK, "var(--ink)").replace(_FAINT, "var(--faint)")
    svg = re.sub(r'font-family: [^;"]*(sans-serif|monospace)', r"font-family: \1", svg)
    svg = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", svg)
    # Many charts share a page: no two may have an id in common. The rest of the ids is not needed.
    # matplotlib's own ids depend on digits that are rounded away, so they must not decide.
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)
    ids = {}
    for name in (one or other for one, other in used):
        ids.setdefault(name, f"@{len(ids)}")
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{ids[m[1]]}"' if m[1] in ids else "", svg)
    svg = re.sub(r'href="#([^"]+)"', lambda m: f'href="#{ids[m[1]]}"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", lambda m: f"url(#{ids[m[1]]})", svg)
    prefix = "c" + hashlib.sha256(svg.encode()).hexdigest()[:8]
    svg = re.sub(r'(["#])@(\d+)', rf"\g<1>{prefix}-\2", svg)
    # The page decides on the width, up to the one for which the chart was drawn.
    head, rest = svg.split(">", 1)
    width = re.search(r' width="([\d.]+pt)"', head)[1]
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    return f'{head} class="chart" style="max-width: {width}">{rest}'
