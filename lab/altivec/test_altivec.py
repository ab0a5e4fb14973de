# SPDX-License-Identifier: MIT OR Apache-2.0
"""AltiVec: every loop on the vectors, every verdict pinned, and pins shown to depend on the models."""

import dataclasses

import pytest

from lab.altivec import experiment
from lab.altivec.traced import KERNELS, cycles, faults
from lab.claims import DIRECTION, NOT, REPRODUCED
from lab.machines.mpc7441 import MPC7441
from lab.machines.ppc970 import PPC970
from lab.testing import pinned, result

VERDICTS = {
    "factor-4": DIRECTION, "sound-64k": DIRECTION, "limit-576": NOT, "half-reads": DIRECTION, "big-endian-only": NOT,
    "figure-1-g4": DIRECTION, "two-adds": REPRODUCED, "figure-1-g5": DIRECTION, "constant": REPRODUCED, "table-1": DIRECTION,
    "table-2": DIRECTION, "no-unroll": NOT, "unroll-g5": DIRECTION, "unroll-g4-16": DIRECTION, "unroll-g4-32": REPRODUCED,
    "baseline": REPRODUCED, "two-a-cycle": DIRECTION, "mot-8": REPRODUCED, "mot-each-cycle": NOT, "mot-four": REPRODUCED,
    "signed": REPRODUCED, "saturates": REPRODUCED, "no-overflow": REPRODUCED, "ibm-2": REPRODUCED,
    "vector-unrolled": REPRODUCED, "ibm-32": DIRECTION, "mot-64": DIRECTION, "ibm-shorter": REPRODUCED, "mot-1k": DIRECTION,
    "mot-32k": DIRECTION, "reversed": REPRODUCED, "knee": REPRODUCED, "miss-every-turn": REPRODUCED, "g5-sooner": REPRODUCED,
    "g5-no-knee": REPRODUCED, "g5-why": DIRECTION, "autovectorised": REPRODUCED,
}


def test_verdicts():
    pinned(result("altivec"), VERDICTS)


@pytest.mark.parametrize("unrolled", [False, True])
@pytest.mark.parametrize("name", [name for name in KERNELS if name != "vsum4shs"])
def test_right_on_the_vectors(name, unrolled):
    wrong, count = faults(name, unrolled)
    assert not wrong and count > 800


def test_the_knee_goes_with_the_cache():
    def slower(machine):
        return cycles(machine, "MOT", True, 40960) / 40960 / (cycles(machine, "MOT", True, 16384) / 16384)
    assert slower(MPC7441) > 1.5 and slower(dataclasses.replace(MPC7441, l1=128 << 10)) < 1.1


def test_verdicts_go_with_the_models():
    quick = dataclasses.replace(MPC7441, complex=1, l1=128 << 10, serial=False)
    slow = dataclasses.replace(PPC970, simple=8)
    rows = {row.id: row.verdict for row in experiment.run({}, quick, slow).rows}
    assert {"knee", "baseline", "mot-32k"} <= {key for key, value in VERDICTS.items() if rows[key] != value}
