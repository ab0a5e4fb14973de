# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an experiment hands over: rows that set a document's claim beside ours, and exhibits that show why.

A document's folder holds `experiment.py` with

    DOCUMENT = Document(...)
    def measure() -> dict          native timings, numbers that JSON can hold; {} where nothing is measured
    def run(measured) -> Result    everything else; the same input gives the same rows, on every machine

`run` gets what `measure` returned: just now for the report, from measured.json for README.md. So the table of the README
changes only when a model, a kernel, a compiler or the recorded measurement does, and a test can compare it.
"""

from dataclasses import dataclass, field

REPRODUCED = "reproduced"
DIRECTION = "direction only"
NOT = "not reproducible"


@dataclass(frozen=True)
class Document:
    key: str  # its folder
    title: str
    authors: str
    year: str
    about: str  # one sentence


@dataclass(frozen=True)
class Row:
    """One claim of a document. `why` is needed for every verdict but a plain `reproduced` (a test sees to it)."""

    id: str  # unique in its document; tests pin verdicts by it
    claim: str
    theirs: str
    ours: str
    verdict: str
    why: str = ""
    today: str = (
        ""  # the same asked of a current processor: measured there, or by the model that it names
    )
    measured: bool = False  # ours depends on the machine that ran it

    def __post_init__(self):
        assert self.verdict in (REPRODUCED, DIRECTION, NOT), self.verdict


@dataclass(frozen=True)
class Chart:
    title: str
    svg: str  # from lab.report.chart
    caption: str = ""


@dataclass(frozen=True)
class Table:
    title: str
    header: tuple
    rows: list
    caption: str = ""


@dataclass(frozen=True)
class Listing:
    title: str
    text: str
    caption: str = ""


@dataclass
class Result:
    rows: list
    exhibits: list = field(default_factory=list)  # Chart, Table and Listing, in the order to show


def verdict(exact, direction=False):
    """The verdict from two computed conditions: our figure is theirs within what they printed; it points the same way."""
    return REPRODUCED if exact else DIRECTION if direction else NOT


def rounds_to(ours, theirs):
    """Whether ours, rounded as a document prints a figure, is that figure: "4" for whole multiples, "1.5" for tenths. The tolerance is what
    its authors left open, half a unit of the last digit, and no more."""
    digits = len(theirs.partition(".")[2])
    return ours is not None and abs(ours - float(theirs)) <= 0.5 * 10**-digits


def near(ours, theirs, tolerance):
    """Whether ours is theirs within a relative tolerance, 0.1 for 10 %: for what is less than reproduced, where no figure sets the bound."""
    return abs(ours - theirs) <= tolerance * abs(theirs)
