# SPDX-License-Identifier: MIT OR Apache-2.0
"""A chart of speed over size as SVG, for pages that a browser shows in a light or a dark theme.

The drawing has a background of its own for either theme, so it is readable wherever a page shows
it. The same lines give the same bytes.
"""

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 52, 624, 44, 372  # of the plot; names of lines stand at its right
TICKS = [20, 40, 64, 128, 256, 576, 1024, 1500, 4096, 9000, 16384, 65536]
LOWEST, HIGHEST = 0.5, 160.0  # bytes a cycle, or GB/s
LABEL = 17  # from one name to the next

STYLE = """
  .back { fill: #ffffff } text { fill: #1f2328; font: 13px system-ui, sans-serif }
  .title { font-weight: 600; font-size: 15px } .grid { stroke: #d1d9e0 } .tick { fill: #59636e }
  polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round }
  .ours { stroke-width: 3.2 } .limit { stroke-dasharray: 5 4 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #f0f6fc } .grid { stroke: #3d444d } .tick { fill: #9198a1 }
  }
"""

# After Okabe and Ito, whose colors color-blind readers tell apart; each has contrast on both
# backgrounds.
OURS = ["#0a84c6", "#d55e00"]
LIMITS = ["#808080", "#b8860b"]
OTHERS = ["#009e73", "#cc79a7", "#8a7fd0", "#56a0d9"]


@dataclass
class Line:
    name: str
    points: list  # (bytes, bytes a cycle), in the order of sizes
    is_ours: bool = False
    is_limit: bool = False


def x_of(size):
    low, high = math.log(TICKS[0]), math.log(TICKS[-1])
    return LEFT + (math.log(size) - low) / (high - low) * (RIGHT - LEFT)


def y_of(rate):
    low, high = math.log(LOWEST), math.log(HIGHEST)
    return BOTTOM - (math.log(rate) - low) / (high - low) * (BOTTOM - TOP)


def spread(wanted):
    """Heights of names near the wanted ones, each at least LABEL below the one above."""
    order = sorted(range(len(wanted)), key=lambda which: wanted[which])
    placed = [0.0] * len(wanted)
    floor = TOP
    for which in order:
        placed[which] = floor = max(wanted[which], floor)
        floor += LABEL
    ceiling = BOTTOM
    for which in reversed(order):
        placed[which] = ceiling = min(placed[which], ceiling)
        ceiling -= LABEL
    return placed


def text(x, y, words, kind="", anchor="start"):
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{escape(words)}</text>'


def grid():
    marks = []
    for rate in (0.5, 1, 2, 4, 8, 16, 32, 64, 128):
        y = y_of(rate)
        marks.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>')
        marks.append(text(LEFT - 8, y + 4, f"{rate:g}", "tick", "end"))
    for size in (20, 64, 256, 576, 1500, 4096, 16384, 65536):
        x = x_of(size)
        marks.append(f'<path class="grid" d="M{x:.1f} {TOP}V{BOTTOM}"/>')
        name = f"{size} B" if size < 4096 else f"{size >> 10} KiB"
        marks.append(text(x, BOTTOM + 20, name, "tick", "middle"))
    return marks


def svg(title, lines):
    """The chart. Lines without points are left out."""
    lines = [line for line in lines if line.points]
    colors = {"ours": iter(OURS), "limit": iter(LIMITS), "": iter(OTHERS)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="back" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        text(LEFT, 24, title, "title"),
        *grid(),
        text(LEFT, HEIGHT - 8, "Both scales are logarithmic. Dashed: what the CPU can do.", "tick"),
    ]
    names = []
    heights = spread([y_of(line.points[-1][1]) for line in lines])
    for line, height in zip(lines, heights, strict=True):
        kind = "ours" if line.is_ours else "limit" if line.is_limit else ""
        color = next(colors[kind])
        points = " ".join(f"{x_of(size):.1f},{y_of(rate):.1f}" for size, rate in line.points)
        drawn = f'<polyline class="{kind}" stroke="{color}" points="{points}"/>'
        (names if line.is_ours else parts).append(drawn)  # ours lie above all others
        names.append(
            f'<path stroke="{color}" d="M{RIGHT} {y_of(line.points[-1][1]):.1f}'
            f'L{RIGHT + 14} {height:.1f}"/>'
        )
        names.append(text(RIGHT + 18, height + 4, line.name))
    return "\n".join([*parts, *names, "</svg>", ""])
