# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report: one HTML file with everything in it, light and dark, no script."""

import html
import re

from ..claims import DIRECTION, NOT, REPRODUCED, Chart, Listing, Table

_CLASS = {REPRODUCED: "yes", DIRECTION: "half", NOT: "no"}

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #8a929b; --line: #d9dde2; --soft: #f5f6f8;
        --link: #0a5fb4; --yes: #116329; --half: #8a5a00; --no: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e3e6ea; --faint: #7d8690; --line: #343a40; --soft: #1d2125; --link: #6cb2f7;
          --yes: #5fc77a; --half: #e0ab4a; --no: #ff8a80; }
}
* { box-sizing: border-box; }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 74rem;
       padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.3rem; margin: 3rem 0 .2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.8rem 0 .4rem; } p { margin: .4rem 0; max-width: 52rem; } a { color: var(--link); }
.quiet { color: var(--faint); font-size: .9rem; } figure { margin: .4rem 0; } figcaption { font-size: .9rem; max-width: 52rem; margin-top: .3rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .88rem; } table.claims { width: 100%; }
th { text-align: left; border-bottom: 2px solid var(--line); padding: .3rem .6rem .3rem 0; vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: .35rem .6rem .35rem 0; vertical-align: top; }
.claims td:nth-child(1) { width: 25%; } .claims td:nth-child(2) { width: 10%; } .claims td:nth-child(3) { width: 19%; }
.claims td:nth-child(4) { width: 12%; } .claims td:nth-child(5) { width: 9%; font-weight: 600; }
.yes { color: var(--yes); } .half { color: var(--half); } .no { color: var(--no); }
th.number { text-align: right; } td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .7rem .9rem; overflow-x: auto;
      font: .8rem/1.4 ui-monospace, monospace; }
code { font: .9em ui-monospace, monospace; } svg.chart { width: 100%; height: auto; display: block; }
@media (max-width: 45rem) { .claims thead { display: none; } .claims td { display: block; width: auto !important; border: 0; padding: .1rem 0; }
  .claims tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; } }
"""


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
        for cell, number in zip(table.header, numbers)
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
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>'


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
    return {name: sum(row.verdict == name for row in rows) for name in (REPRODUCED, DIRECTION, NOT)}


def _claims(key, rows):
    body = ""
    for row in rows:
        measured = ' <span class="quiet">(measured here)</span>' if row.measured else ""
        body += (
            f'<tr id="{key}-{html.escape(row.id)}"><td>{text(row.claim)}</td><td>{text(row.theirs)}</td><td>{text(row.ours)}{measured}</td><td>{text(row.today)}</td><td'
            f' class="{_CLASS[row.verdict]}">{row.verdict}</td><td>{text(row.why)}</td></tr>\n'
        )
    return (
        '<table class="claims"><thead><tr><th>claim</th><th>its'
        f" figure</th><th>ours</th><th>today</th><th>verdict</th><th>why</th></tr></thead><tbody>\n{body}</tbody></table>"
    )


def page(results, models, machine, built_with):
    """results: [(Document, Result)]; models: [(name, machine model)]; the rest: text for the foot."""
    summary = [
        (document.title, *counts(result.rows).values(), len(result.rows))
        for document, result in results
    ]
    parts = [
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport"'
            ' content="width=device-width">\n<title>wiresum: the'
            f" laboratory</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>The laboratory</h1>\n<p>Five historic"
            " documents about the Internet checksum, rerun claim by claim: their code, on a model of their processor, and on"
            " today's. Every figure here was computed by the run that wrote this page.</p>\n"
        ),
        _table(Table("", ("document", REPRODUCED, DIRECTION, NOT, "rows"), summary)),
        (
            '<p class="quiet"><em>Direction only</em>: ours points the same way, with another figure. <em>Not'
            " reproducible</em>: ours contradicts it, or what it needs is lost; the last column says which.</p>\n"
        ),
    ]
    for document, result in results:
        parts.append(
            f'<h2 id="{document.key}">{text(document.title)}</h2>\n<p class="quiet">{text(document.authors)},'
            f" {text(document.year)}</p>\n<p>{text(document.about)}</p>\n"
        )
        parts.append(_claims(document.key, result.rows))
        parts += [_exhibit(exhibit) for exhibit in result.exhibits]
    parts.append(
        '<h2 id="models">The processor models</h2>\n<p>Every parameter, and where it is written.</p>\n'
    )
    for name, rows in models:
        parts.append(
            f"<h3>{text(name)}</h3>\n" + _table(Table("", ("parameter", "value", "source"), rows))
        )
    parts.append(
        f'\n<p class="quiet">Measured on {text(machine)}.</p>\n<p class="quiet">Built with'
        f" {text(built_with)}.</p>\n</body>\n</html>\n"
    )
    return "".join(parts)
