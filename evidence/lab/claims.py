# SPDX-License-Identifier: MIT OR Apache-2.0
"""The results of an experiment: rows that set a document's claim next to ours, and exhibits.

A document's folder holds `experiment.py` with

    DOCUMENT = Document(...)
    def measure() -> dict          native timings, numbers for JSON; {} where nothing is timed
    def run(measured) -> Result    everything else; equal input gives equal rows on every machine

`run` gets the return value of `measure`: a fresh one for the report, and the one of measured.json
for README.md. So the table of the README changes only when a model, a kernel, a compiler or
the recorded measurement does, and a test can compare it.
"""

from dataclasses import dataclass, field

# The verdicts. A test pins the verdict of each row.
REPRODUCED = "reproduced"  # our figure is the document's, within the digits that it prints
DIRECTION = "direction only"  # our figure points the same way, or it is the document's own
NOT = "not reproducible"  # our figure contradicts the claim, or nothing can be run for it
HOLDS = "arithmetic holds"  # the document's own numbers, computed again, agree with each other
VERDICTS = (REPRODUCED, DIRECTION, NOT, HOLDS)

# The evidence: the origin of our figure. A figure of two kinds has the weaker one, the later here.
RUN = "run"  # code, or the engine in simulation, was executed, and its result or time observed
COUNT = "count"  # instructions, accesses or parts were counted, in a trace, a listing or a source
MODEL = "model"  # the cycle model of a processor, or of a network, gave it
ARITHMETIC = "arithmetic"  # the document's own numbers were computed again
NONE = "none"  # nothing was executed: the claim needs what nobody has, or is about other texts
EVIDENCE = (RUN, COUNT, MODEL, ARITHMETIC, NONE)


@dataclass(frozen=True)
class Document:
    key: str  # its folder
    title: str
    authors: str
    year: str
    about: str  # one sentence


@dataclass(frozen=True)
class Row:
    """One claim of a document.

    Every verdict except "reproduced" needs a `why`. Arithmetic reproduces nothing: a row with that
    evidence is "arithmetic holds", "direction only" (most of the numbers agree) or "not
    reproducible". A row without evidence is "not reproducible".
    """

    id: str  # unique in its document; tests pin verdicts by it
    claim: str
    theirs: str
    ours: str
    evidence: str
    verdict: str
    why: str = ""
    today: str = ""  # the answer of a current processor, or of the model that the text names
    measured: bool = False  # ours depends on the machine that ran it

    def __post_init__(self):
        assert self.evidence in EVIDENCE, (self.id, self.evidence)
        assert self.verdict in VERDICTS, (self.id, self.verdict)
        if self.evidence == ARITHMETIC:
            assert self.verdict != REPRODUCED, self.id
        else:
            assert self.verdict != HOLDS, self.id
        if self.evidence == NONE:
            assert self.verdict == NOT, self.id


@dataclass(frozen=True)
class Chart:
    title: str
    svg: str  # from evidence.lab.report.chart
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
    """The verdict from two computed conditions: our figure is the document's, within the digits
    that it prints; our figure points the same way."""
    return REPRODUCED if exact else DIRECTION if direction else NOT


def given(agrees):
    """The verdict on a figure that is a parameter of a model, or a choice of ours.

    One rule serves all: a number that was put in is no result, whatever other source has it. If it
    agrees with the document, the claim is "direction only".
    """
    return DIRECTION if agrees else NOT


def arithmetic(exact, direction=False):
    """The verdict on the document's own arithmetic."""
    return HOLDS if exact else DIRECTION if direction else NOT


def rounds_to(ours, theirs):
    """Whether ours, rounded as a document prints a figure, is that figure.

    "4" is for whole multiples, "1.5" for tenths. The tolerance is the one that the authors left
    open: half a unit of the last digit, and no more.
    """
    digits = len(theirs.partition(".")[2])
    return ours is not None and abs(ours - float(theirs)) <= 0.5 * 10**-digits


def near(ours, theirs, tolerance):
    """Whether ours is theirs within a relative tolerance, 0.1 for 10 %: for verdicts below
    "reproduced", where no printed figure sets the bound."""
    return abs(ours - theirs) <= tolerance * abs(theirs)
