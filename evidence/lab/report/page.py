# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report: one HTML file with everything in it, light and dark, no script."""

import html
import re

from ..claims import DIRECTION, NOT, REPRODUCED, VERDICTS, Chart, Listing, Table
from .chart import THEME

_CLASS = {REPRODUCED: "yes", DIRECTION: "half", NOT: "no"}

_STYLE = (
    THEME
    + """
:root { --line: #d9dde2; --soft: #f5f6f8; --link: #0a5fb4; --yes: #116329; --half: #8a5a00;
  --no: #b3261e; --quiet: #5b646d; }
@media (prefers-color-scheme: dark) {
  :root { --line: #343a40; --soft: #1d2125; --link: #6cb2f7; --yes: #5fc77a; --half: #e0ab4a;
    --no: #ff8a80; --quiet: #9aa3ac; }
}
* { box-sizing: border-box; }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  margin: 0 auto; max-width: 80rem; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .2rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.8rem 0 .4rem; }
p, ul { margin: .4rem 0; max-width: 52rem; }
a { color: var(--link); }
.quiet { color: var(--quiet); font-size: .9rem; }
figure { margin: .4rem 0; }
figcaption { font-size: .9rem; max-width: 52rem; margin-top: .3rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; }
table.claims { width: 100%; }
th { text-align: left; border-bottom: 2px solid var(--line); padding: .3rem .6rem .3rem 0;
  vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: .35rem .6rem .35rem 0; vertical-align: top; }
.claims td:nth-child(1) { width: 22%; }
.claims td:nth-child(2) { width: 10%; }
.claims td:nth-child(3) { width: 19%; }
.claims td:nth-child(4) { width: 9%; font-weight: 600; }
.claims td:nth-child(5) { width: 7%; }
.claims td:nth-child(6) { width: 12%; }
.yes { color: var(--yes); }
.half { color: var(--half); }
.no { color: var(--no); }
th.number { text-align: right; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 4px;
  padding: .7rem .9rem; overflow-x: auto; font: .8rem/1.4 ui-monospace, monospace; }
code { font: .9em ui-monospace, monospace; }
figure svg { max-width: 100%; height: auto; display: block; }
svg.chart { width: 100%; }
@media (max-width: 45rem) {
  .claims thead { display: none; }
  .claims tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .claims td { display: block; width: auto !important; border: 0; padding: .1rem 0; }
  .claims td:empty { display: none; }
  .claims td + td::before { content: attr(data-label) ": "; color: var(--quiet);
    font-weight: 400; }
}
"""
)


def text(value):
    """Escaped, with `code` marked up as in the README."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(str(value)))


def _number(cell):
    return (
        isinstance(cell, (int, float))
        or re.fullmatch(r"[-+−]?[\d,.]+( ?[%×])?", str(cell)) is not None
    )


def _table(table):
    numbers = [
        all(_number(row[n]) or row[n] == "" for row in table.rows) for n in range(len(table.header))
    ]
    head = "".join(
        f'<th class="number">{text(cell)}</th>' if number else f"<th>{text(cell)}</th>"
        for cell, number in zip(table.header, numbers, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="number">{text(cell)}</td>' if _number(cell) else f"<td>{text(cell)}</td>"
            for cell in row
        )
        + "</tr>\n"
        for row in table.rows
    )
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody>'
        "</table></div>"
    )


def _exhibit(exhibit):
    if isinstance(exhibit, Chart):
        inner = exhibit.svg
    elif isinstance(exhibit, Table):
        inner = _table(exhibit)
    elif isinstance(exhibit, Listing):
        inner = f"<pre>{html.escape(exhibit.text)}</pre>"
    else:
        raise TypeError(exhibit)
    caption = f"<figcaption>{text(exhibit.caption)}</figcaption>" if exhibit.caption else ""
    return f"<h3>{text(exhibit.title)}</h3>\n<figure>{inner}{caption}</figure>\n"


def counts(rows):
    """{verdict: the number of rows with it}, in the order of the verdicts."""
    return {name: sum(row.verdict == name for row in rows) for name in VERDICTS}


_HEADER = ("claim", "its figure", "ours", "verdict", "evidence", "today", "why")


def _claims(key, rows):
    body = ""
    for row in rows:
        measured = ' <span class="quiet">(measured)</span>' if row.measured else ""
        cells = (
            text(row.claim),
            text(row.theirs),
            text(row.ours) + measured,
            text(row.verdict),
            text(row.evidence),
            text(row.today),
            text(row.why),
        )
        body += f'<tr id="{key}-{html.escape(row.id)}">'
        for label, cell in zip(_HEADER, cells, strict=True):
            mark = f' class="{_CLASS.get(row.verdict, "quiet")}"' if label == "verdict" else ""
            body += f'<td data-label="{label}"{mark}>{cell}</td>'
        body += "</tr>\n"
    head = "".join(f"<th>{label}</th>" for label in _HEADER)
    return f'<table class="claims"><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>'


_HEAD = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>wiresum: the laboratory</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>The laboratory</h1>
<p>Five historic documents about the Internet checksum, rerun claim by claim: an emulator runs their
code, a model of their processor times it, and processors of today answer the same questions. The
run that wrote this page computed most figures; <a href="#sources">some come from records</a>.</p>
"""

_LEGEND = """<ul class="quiet">
<li><em>Reproduced</em>: our figure is the document's, within the digits that the document prints.
</li>
<li><em>Direction only</em>: our figure points the same way as the document's and differs from it,
or our figure is a parameter that was put into the model.</li>
<li><em>Not reproducible</em>: our figure contradicts the claim, or nothing can be run for it. The
last column says which of the two.</li>
<li><em>Arithmetic holds</em>: the document's own numbers, computed again, agree with each other.
</li>
<li><em>Evidence</em> is the origin of our figure. Run: code, or the engine in simulation, was
executed. Count: instructions, accesses or parts were counted. Model: a cycle model gave the figure.
Arithmetic: only the document's own numbers were computed again. None: nothing was executed.</li>
<li><em>Today</em>: the same question, asked of a current processor.</li>
</ul>
"""

_SOURCES = """<h2 id="sources">Where the figures come from</h2>
<ul>
<li>The run that wrote this page computed the figures of the columns “ours” and “today”, except
those that it read from the records below: it executed the code, counted, timed the traces on the
models, and timed the native code.</li>
<li>People copied the figures of the column “its figure” from the documents, and the parameters of
the models from the sources that are named next to them.</li>
</ul>
"""


def page(results, models, records, machine, built_with):
    """The page. results: [(name, Document, Result)]; models: [(name, machine model)]; records:
    [(file, its figures, its origin)]; machine, built_with: text for the foot."""
    summary = [
        (name, *counts(result.rows).values(), len(result.rows)) for name, _, result in results
    ]
    parts = [_HEAD, _table(Table("", ("document", *VERDICTS, "claims"), summary)), _LEGEND]
    for _, document, result in results:
        parts.append(
            f'<h2 id="{document.key}">{text(document.title)}</h2>\n<p'
            f' class="quiet">{text(document.authors)}, {text(document.year)}</p>\n'
            f"<p>{text(document.about)}</p>\n"
        )
        parts.append(_claims(document.key, result.rows))
        parts += [_exhibit(exhibit) for exhibit in result.exhibits]
    parts.append(_SOURCES)
    parts.append(_table(Table("", ("record", "its figures", "its origin"), records)))
    parts.append('<h2 id="models">The processor models</h2>\n')
    for name, rows in models:
        parts.append(
            f"<h3>{text(name)}</h3>\n" + _table(Table("", ("parameter", "value", "source"), rows))
        )
    parts.append(
        f'\n<p class="quiet">The native timings of this run are from {text(machine)}.</p>\n'
        f'<p class="quiet">Built with {text(built_with)}.</p>\n</body>\n</html>\n'
    )
    return "".join(parts)
