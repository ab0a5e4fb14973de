# SPDX-License-Identifier: MIT OR Apache-2.0
"""AIX: every routine on the vectors, every verdict pinned, pins shown to depend on the model."""

import dataclasses

import pytest

from evidence.lab import vectors
from evidence.lab.aix import experiment
from evidence.lab.claims import DIRECTION, NOT, REPRODUCED
from evidence.lab.machines.power1 import POWER1
from evidence.lab.testing import pinned, result

VERDICTS = {
    "39-cycles": REPRODUCED,
    "32-cycles": REPRODUCED,
    "18-percent": REPRODUCED,
    "22-and-5": REPRODUCED,
    "less-memory": REPRODUCED,
    "lm-16": DIRECTION,
    "bubble-3": DIRECTION,
    "bdn-0": DIRECTION,
    "fold-once": REPRODUCED,
    "benefit-a": REPRODUCED,
    "benefit-b": REPRODUCED,
    "benefit-c": DIRECTION,
    "benefit-d": REPRODUCED,
    "current-clears": REPRODUCED,
    "new-clears": NOT,
    "bz-below-8": NOT,
    "new-code-right": NOT,
    "set-up-once": REPRODUCED,
}


def test_verdicts():
    pinned(result("aix"), VERDICTS)


@pytest.mark.parametrize("model", ["601", "604"])
@pytest.mark.parametrize("name", experiment.GRANULE)
def test_right_on_the_vectors(name, model):
    routines = experiment.Routines(model)
    names, count = vectors.wrong(
        lambda data: routines.sum(name, data), granule=experiment.GRANULE[name]
    )
    assert not names and count > 800


@pytest.mark.parametrize("name", ["printed", "carry_mended", "branch_mended"])
def test_wrong_as_printed_and_half_mended(name):
    routines = experiment.Routines()
    names, count = vectors.wrong(lambda data: routines.sum(name, data), granule=8, longest=2000)
    assert len(names) > count / 2


def test_the_ways_into_the_remains_agree_once_corrected():
    routines = experiment.Routines()
    for length in range(0, 40):
        assert routines.remains("corrected", length) == (length // 8 * 8 - 4, length % 8)
    assert routines.remains("printed", 16) == (0, 0) and routines.remains("printed", 20) == (12, 4)


@pytest.mark.parametrize(
    "change,old,new",
    [
        ({"compare_branch": 2}, 38, 32),
        ({"count_branch": 1}, 39, 40),
        ({"load_use": 2}, 39, 40),
        ({"load_multiple": 2}, 55, 32),
    ],
)
def test_the_figures_depend_on_every_parameter(change, old, new):
    machine, routines = dataclasses.replace(POWER1, **change), experiment.Routines()
    assert experiment.cycles(routines, "current", 64, machine)[0] == old
    assert experiment.cycles(routines, "corrected", 64, machine)[0] == new


def test_a_verdict_goes_with_the_model(monkeypatch):
    monkeypatch.setattr(experiment, "BUFFERS", 50)
    rows = {
        row.id: row.verdict
        for row in experiment.run({}, dataclasses.replace(POWER1, compare_branch=2)).rows
    }
    assert rows["39-cycles"] == DIRECTION and rows["bubble-3"] == NOT
