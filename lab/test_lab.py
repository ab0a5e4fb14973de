# SPDX-License-Identifier: MIT OR Apache-2.0
"""The framework: the README is what the command would write, the vectors are read right, each parameter has a source."""

import re
import sys
from pathlib import Path

import pytest

from lab import vectors
from lab.__main__ import DOCUMENTS, README, built_with, recorded, table
from lab.claims import REPRODUCED, rounds_to
from lab.machines.list import MODELS
from lab.report import readme
from lab.report.chart import chart
from lab.testing import result

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


def test_readme_is_what_the_command_writes():
    written = README.read_text()
    fresh = readme.replace(written, table([(key, result(key)) for key in DOCUMENTS]))
    if f"Built with {built_with()}." in written:
        assert written == fresh, "run python -m lab, and commit lab/README.md"
    else:  # other compilers make other code: the figures may differ, what they say may not

        def verdicts(text):
            return [line.split(" | ")[0::4] for line in text.splitlines() if line.count(" | ") == 4]

        assert verdicts(written) == verdicts(fresh)


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
