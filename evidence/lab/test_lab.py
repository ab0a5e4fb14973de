# SPDX-License-Identifier: MIT OR Apache-2.0
"""The framework: the pages, the vectors, and the sources of the parameters."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evidence.lab import conftest, vectors
from evidence.lab.__main__ import (
    DOCUMENTS,
    HERE,
    README,
    built_with,
    picture,
    recorded,
    table,
    tally,
)
from evidence.lab.claims import REPRODUCED, rounds_to
from evidence.lab.machines.list import MODELS
from evidence.lab.report import readme
from evidence.lab.report.chart import chart
from evidence.lab.testing import result

sys.path.insert(0, str(Path(vectors.SPEC).parent))
from reference import sum16


def test_vectors_agree_with_the_reference():
    assert len(vectors.sums()) > 800
    assert all(sum16(data) == total for _, data, total in vectors.sums(5000))
    assert all(sum16(b"".join(pieces)) == total for _, pieces, total in vectors.chains(5000))


def test_a_wrong_kernel_is_found():
    names, count = vectors.wrong(lambda data: sum16(data) ^ 1, longest=100)
    assert len(names) == count > 100


@pytest.mark.parametrize("name,rows", MODELS, ids=[name for name, _ in MODELS])
def test_every_parameter_has_a_source(name, rows):
    assert rows and all(len(source) > 10 for _, _, source in rows)


def test_charts_are_the_same_every_time():
    def draw():
        with chart(3, 2) as drawing:
            drawing.axes.plot([1, 2, 3], [1, 4, 9], label="squares")
            drawing.axes.legend()
        return drawing.svg

    svg = draw()
    assert svg == draw() and svg.startswith("<svg") and "#010203" not in svg and "var(--ink)" in svg


# The pages. With other compilers the figures may differ, for they make other code; the claims, the
# verdicts and the notes may not.


def same_compilers():
    return all(f"Built with {built_with()}." in page_of(key) for key in DOCUMENTS)


def page_of(key):
    return (HERE / key / "README.md").read_text()


def test_tally_is_what_the_command_writes():
    written = README.read_text()
    fresh = readme.replace(written, tally({key: result(key) for key in DOCUMENTS}))
    assert written == fresh, "run python -m evidence.lab, and commit evidence/lab/README.md"


@pytest.mark.parametrize("key", DOCUMENTS)
def test_table_is_what_the_command_writes(key):
    written = page_of(key)
    fresh = readme.replace(written, table(key, result(key)))
    if same_compilers():
        assert written == fresh, (
            f"run python -m evidence.lab, and commit evidence/lab/{key}/README.md"
        )
    else:

        def said(text):
            """Of each row: its id, the claim, the verdict, the evidence, the note."""
            lines = [line.split(" | ") for line in text.splitlines() if line.startswith("| <a id=")]
            return [[*cells[:2], *cells[4:]] for cells in lines]

        assert said(written) == said(fresh)


@pytest.mark.parametrize("key", DOCUMENTS)
def test_picture_is_what_the_command_draws(key):
    written = (HERE / key / "picture.svg").read_text()
    if same_compilers():
        assert written == picture(key), (
            f"run python -m evidence.lab, and commit evidence/lab/{key}/picture.svg"
        )
    ElementTree.fromstring(written)
    assert "#010203" not in written and "#040506" not in written  # the stand-in colors
    assert all(f"--{name}: #" in written for name in ("paper", "ink", "faint"))
    assert len(written) < 40_000
    for path in (README, HERE / key / "README.md"):
        assert f"({(HERE / key / 'picture.svg').relative_to(path.parent)})" in path.read_text()


@pytest.mark.parametrize("key", DOCUMENTS)
def test_table_has_every_row_and_seven_cells_a_row(key):
    lines = [line for line in page_of(key).splitlines() if line.startswith("| <a id=")]
    assert [re.match(r'\| <a id="([^"]+)"', line)[1] for line in lines] == [
        row.id for row in result(key).rows
    ]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {8}


def numbers(text):
    """The figures of a text: 39, 10,000, 3.16; no part of a name as POWER9, 16-bit or gcc 12."""
    text = re.sub(r"`[^`]*`|gcc [\d.]+", "", text)
    figure = r"(?<![\w.-])\d+(?:,\d{3})*(?:\.\d+)?(?!\w|-[a-z])"
    return {found.replace(",", "") for found in re.findall(figure, text)}


def links_to_rows(text, here=""):
    """[(words, key, row id)] of a page's links to rows; the row id is empty for a picture."""
    link = r"\[([^\]]+)\]\((?:(\w+)/)?(?:README\.md)?(?:#([^)]+)|picture\.svg)\)"
    return [(words, key or here, row) for words, key, row in re.findall(link, text)]


def text_of(key, row_id):
    """The text of a row, or the text of the document's picture."""
    if not row_id:
        picture = ElementTree.parse(HERE / key / "picture.svg")
        return " ".join(node.text for node in picture.iter("{http://www.w3.org/2000/svg}text"))
    row = {row.id: row for row in result(key).rows}[row_id]
    return f"{row.claim} {row.theirs} {row.ours} {row.today} {row.why}".replace("`", " ")


@pytest.mark.parametrize("key", ["", *DOCUMENTS])
def test_figures_in_links_are_those_of_their_rows(key):
    links = links_to_rows(page_of(key) if key else README.read_text(), key)
    assert len(links) >= 5
    for words, document, row in links:
        assert numbers(words) <= numbers(text_of(document, row)), (words, text_of(document, row))


def test_optimized_code_is_more_than_twice_as_slow_today():
    """The fourth finding has no figure, for the ratio is measured on one machine or another."""
    rows = {row.id: row for row in result("ecos").rows}
    o2, o3 = (
        float(re.search(r"x86-64: ([\d.]+)×", rows[name].today)[1])
        for name in ("o2-seconds", "o3-seconds")
    )
    assert o3 > 2 * o2


def test_ten_findings_have_the_figures_of_their_rows():
    section = README.read_text().split("## Ten findings")[1].split("\n## ")[0]
    findings = re.findall(r"^\d+\. (.*(?:\n   .*)*)", section, re.M)
    assert len(findings) == 10
    for finding in findings:
        links = links_to_rows(finding)
        assert links, finding
        linked = set().union(*(numbers(text_of(key, row)) for _, key, row in links))
        assert numbers(finding) <= linked, (finding, numbers(finding) - linked)


@pytest.mark.parametrize("key", DOCUMENTS)
def test_measured_rows_have_a_record(key):
    if any(row.measured for row in result(key).rows):
        assert recorded(key)["date"] and recorded(key)["machine"]


NUMBERED = {  # what the documents number themselves; AIX's and eCos's number nothing
    "altivec": {"Figure": 5, "Table": 2, "Listing": 7},
    "freescale": {"Figure": 11, "Table": 2},
    "tcoe": {"Figure": 3, "Table": 3},
}


@pytest.mark.parametrize("key", NUMBERED)
def test_every_figure_table_and_listing_has_a_row(key):
    claims = " ".join(row.claim for row in result(key).rows)
    named = set()
    for kind, numbers in re.findall(
        r"(Figure|Table|Listing)s? ((?:\d+(?:, | and | to )?)+)", claims, re.I
    ):
        for low, high in re.findall(r"(\d+)(?: to (\d+))?", numbers):
            named |= {(kind.title(), n) for n in range(int(low), int(high or low) + 1)}
    assert {
        (kind, n) for kind, count in NUMBERED[key].items() for n in range(1, count + 1)
    } <= named


@pytest.mark.parametrize(
    "ours,theirs,expected",
    [
        (3.5, "4", True),
        (3.49, "4", False),
        (1.06, "1.1", True),
        (1.04, "1.1", False),
        (2.11, "2.1", True),
        (2.16, "2.1", False),
        (None, "4", False),
    ],
)
def test_rounding_is_the_tolerance(ours, theirs, expected):
    assert rounds_to(ours, theirs) == expected


@pytest.mark.parametrize("key", DOCUMENTS)
def test_what_is_not_reproduced_says_why(key):
    assert not [row.id for row in result(key).rows if row.verdict != REPRODUCED and not row.why]


def test_a_changed_input_is_noticed(monkeypatch):
    kept = conftest.inputs()
    monkeypatch.setattr(conftest, "record", lambda: kept)
    assert conftest.changed() == []
    real = conftest.sources
    monkeypatch.setattr(conftest, "sources", lambda *words: real(*words)[::-1])
    assert set(conftest.changed()) == {*conftest.FOLDERS, *conftest.RESULTS}
    kept.clear()
    assert "gcc" in conftest.changed()
