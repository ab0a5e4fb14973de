# SPDX-License-Identifier: MIT OR Apache-2.0
"""Verdicts and evidence: each row says where its figure comes from, and claims no more."""

import pytest

from evidence.lab.__main__ import DOCUMENTS
from evidence.lab.claims import (
    ARITHMETIC,
    DIRECTION,
    EVIDENCE,
    HOLDS,
    MODEL,
    NONE,
    NOT,
    REPRODUCED,
    RUN,
    VERDICTS,
    Row,
    arithmetic,
    given,
    verdict,
)
from evidence.lab.testing import result


@pytest.mark.parametrize("key", DOCUMENTS)
def test_the_verdicts_fit_the_evidence(key):
    for row in result(key).rows:
        assert row.evidence in EVIDENCE and row.verdict in VERDICTS, row.id
        if row.evidence == ARITHMETIC:
            assert row.verdict != REPRODUCED, row.id
        if row.evidence == NONE:
            assert row.verdict == NOT, row.id
        assert (row.verdict == HOLDS) <= (row.evidence == ARITHMETIC), row.id


# The rows that only compute a document's own numbers again.
REDONE = {
    "freescale": {"linear", "mss", "244"},
    "tcoe": {
        "32-bits",
        "percent",
        "without-bus",
        "crossover-theirs",
        "table-3-percent",
        "4-times",
    },
}


@pytest.mark.parametrize("key", DOCUMENTS)
def test_what_only_redoes_arithmetic_is_named(key):
    found = {row.id for row in result(key).rows if row.evidence == ARITHMETIC}
    assert found == REDONE.get(key, set())


# The rows whose figure is a parameter of a model, or a choice of ours.
GIVEN = {
    "aix": {"lm-16", "bubble-3", "bdn-0", "benefit-c"},
    "freescale": {
        "table-1",
        "102",
        "one-cycle",
        "table-2",
        "two-calls",
        "tcp-figure-8",
        "tcp-tests",
    },
    "altivec": {"table-1", "table-2", "figure-2", "two-a-cycle", "pipelined"},
    "tcoe": {"five-and-five", "one-port", "nine-inputs", "16-cycles", "table-1"},
}


@pytest.mark.parametrize("key", GIVEN)
def test_a_number_that_was_put_in_is_no_result(key):
    verdicts = {row.id: row.verdict for row in result(key).rows}
    assert all(verdicts[name] == DIRECTION for name in GIVEN[key])


def test_a_row_needs_evidence_and_may_not_claim_more():
    row = {"id": "x", "claim": "c", "theirs": "1", "ours": "1"}
    with pytest.raises(TypeError):
        Row(**row, verdict=REPRODUCED)
    for evidence, claimed in (
        (ARITHMETIC, REPRODUCED),
        (MODEL, HOLDS),
        (NONE, DIRECTION),
        ("hearsay", NOT),
        (RUN, "proved"),
    ):
        with pytest.raises(AssertionError):
            Row(**row, evidence=evidence, verdict=claimed)
    assert Row(**row, evidence=ARITHMETIC, verdict=HOLDS).verdict == "arithmetic holds"


def test_verdicts_from_conditions():
    assert [verdict(True), verdict(False, True), verdict(False)] == [REPRODUCED, DIRECTION, NOT]
    assert [arithmetic(True), arithmetic(False, True), arithmetic(False)] == [HOLDS, DIRECTION, NOT]
    assert [given(True), given(False)] == [DIRECTION, NOT]
