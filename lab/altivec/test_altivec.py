# SPDX-License-Identifier: MIT OR Apache-2.0
"""AltiVec: every loop on the vectors, every verdict pinned, and pins shown to depend on the models."""

import dataclasses

import pytest

from lab.altivec import experiment, printed
from lab.altivec.traced import KERNELS, cycles, faults
from lab.claims import DIRECTION, NOT, REPRODUCED
from lab.machines.mpc7441 import MPC7441
from lab.machines.ppc970 import PPC970
from lab.testing import pinned, result

VERDICTS = {
    "factor-4": DIRECTION, "sound-64k": DIRECTION, "limit-576": NOT, "listing-1": REPRODUCED, "half-reads": DIRECTION, "big-endian-only": NOT,
    "figure-1-g4": DIRECTION, "two-adds": REPRODUCED, "figure-1-g5": DIRECTION, "constant": REPRODUCED, "table-1": DIRECTION,
    "table-2": DIRECTION, "no-unroll": NOT, "unroll-g5": DIRECTION, "unroll-g4-16": DIRECTION, "unroll-g4-32": REPRODUCED,
    "baseline": REPRODUCED, "figure-2": DIRECTION, "elements": REPRODUCED, "listing-3-4": REPRODUCED, "listing-5": DIRECTION, "two-a-cycle": DIRECTION, "mot-8": REPRODUCED, "mot-each-cycle": NOT, "mot-four": REPRODUCED,
    "signed": REPRODUCED, "saturates": REPRODUCED, "no-overflow": REPRODUCED, "figure-3": REPRODUCED, "ibm-2": REPRODUCED,
    "vector-unrolled": REPRODUCED, "ibm-32": DIRECTION, "mot-64": DIRECTION, "ibm-shorter": REPRODUCED, "epilogue": REPRODUCED, "mot-1k": DIRECTION,
    "mot-32k": DIRECTION, "reversed": REPRODUCED, "knee": REPRODUCED, "miss-every-turn": REPRODUCED, "figure-5": DIRECTION, "g5-sooner": REPRODUCED,
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


@pytest.mark.parametrize("g4,g5,lost", [
    # A quick VIU2, a cache that holds all sizes, no serialisation; and a G5 whose additions take so long that MOT has nothing for it.
    ({"complex": 1, "l1": 128 << 10, "serial": False}, {"simple": 8, "complex": 1}, {"knee", "baseline", "g5-no-knee", "g5-sooner"}),
    # The cache alone: without it the trend is not reversed.
    ({"l1": 128 << 10}, {}, {"knee", "reversed"}),
])
def test_verdicts_go_with_the_models(g4, g5, lost):
    rows = experiment.run({}, dataclasses.replace(MPC7441, **g4), dataclasses.replace(PPC970, **g5)).rows
    changed = {row.id for row in rows if row.verdict != VERDICTS[row.id]}
    assert lost <= changed


def test_descriptions_of_the_instructions():
    # Figure 3 by hand: one half-word of -1 in each pair, an accumulator of 1; saturation at the top; ones that only add.
    assert printed.vsum4shs([0xFFFF, 0] * 4, [1] * 4) == [0] * 4
    assert printed.vsum4shs([0x7FFF, 0x7FFF] * 4, [0x7FFF_FFFF] * 4) == [0x7FFF_FFFF] * 4
    assert printed.vmsumuhm([0xFFFF, 2] * 4, [1] * 8, [0xFFFF_FFFF] * 4) == [0x1_0000] * 4
