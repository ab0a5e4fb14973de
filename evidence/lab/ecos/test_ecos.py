# SPDX-License-Identifier: MIT OR Apache-2.0
"""eCos: both routines on the vectors, every verdict pinned, the mechanism seen in the code."""

import dataclasses

import pytest

from evidence.lab import vectors
from evidence.lab.claims import DIRECTION, NOT, REPRODUCED
from evidence.lab.ecos import chain, experiment
from evidence.lab.machines.arm7tdmi import ARM7TDMI
from evidence.lab.testing import pinned, result

VERDICTS = {
    "most-time": DIRECTION,
    "add-with-carry": REPRODUCED,
    "asm-seconds": NOT,
    "o0-seconds": DIRECTION,
    "o1-seconds": DIRECTION,
    "o2-seconds": DIRECTION,
    "o3-seconds": DIRECTION,
    "levels-equal": DIRECTION,
    "half-slower": DIRECTION,
    "code-longer": DIRECTION,
    "twice-as-long": DIRECTION,
    "worthwhile": DIRECTION,
    "cache-disabled": DIRECTION,
    "header-lengths": REPRODUCED,
    "turn-it-off": NOT,
}


def test_verdicts():
    pinned(result("ecos"), VERDICTS)


@pytest.mark.parametrize("level", chain.LEVELS)
@pytest.mark.parametrize("name", ["in_cksum", "in_cksum_arm"])
def test_right_on_the_vectors(level, name):
    routines = chain.Routines(level)
    wrong, count = vectors.wrong(lambda data: routines.sum(name, [data]), longest=65535)
    assert not wrong and count > 800
    chains = vectors.chains(65535)
    assert len(chains) > 20
    for vector, pieces, total in chains:
        for offset in range(4) if sum(map(len, pieces)) < 5000 else (0,):
            assert routines.sum(name, pieces, [offset] * len(pieces)) == total, (vector, offset)


@pytest.mark.parametrize("name", ["in_cksum", "in_cksum_arm"])
def test_every_seam(name):
    # All ways to cut 13 bytes into three mbufs, at mixed alignments: odd seams, empty mbufs,
    # single bytes.
    routines, data = chain.Routines("-O2"), bytes(range(0xF0, 0xFD))
    right = vectors.fold(256 * sum(data[0::2]) + sum(data[1::2]))
    for first in range(14):
        for second in range(first, 14):
            pieces = [data[:first], data[first:second], data[second:]]
            assert routines.sum(name, pieces, [first % 4, second % 4, 3]) == right, (first, second)


def test_a_wrong_length_shows():
    # The length given ends the sum, not the chain's.
    routines = chain.Routines("-O2")
    routines.lay_out([b"\1\2\3\4", b"\5\6\7\10"])
    for name in ("in_cksum", "in_cksum_arm"):
        assert routines.cpu.call(name, chain.MBUFS, 6) == 0xFFFF ^ int.from_bytes(
            b"\x09\x0c", "little"
        )


def test_blind_scheduling_spills_and_todays_does_not():
    counts = {level: chain.body(level) for level in chain.LEVELS}
    for level in ("-O1, blind", "-O2, blind", "-O3, blind"):
        assert counts[level][2] > 0
        assert experiment.loads_first(counts[level][3]) >= 12  # above the first addition
    assert all(line.startswith("ldrh") for line in counts["-O2, blind"][3][:12])
    assert all(counts[level][2] == 0 for level in ("-O0", "-O1", "-O2", "-O3"))


def test_the_post_lies_within_the_range_of_blind_scheduling_at_each_level():
    found = experiment.traces()
    for level in ("-O1", "-O2", "-O3"):
        low, high = experiment.spread(found, f"{level}, blind")
        assert low < experiment.OPTIMISED < high
        assert experiment.spread(found, level)[1] < experiment.OPTIMISED


@pytest.mark.parametrize("flag", chain.BLIND.split()[1:])
def test_either_guard_alone_is_enough(flag, monkeypatch):
    monkeypatch.setitem(chain.LEVELS, "one guard", f"-O2 {flag}")
    assert chain.body("one guard")[2] == 0


def test_a_verdict_goes_with_the_model():
    # With a slow load-multiple the assembly would not be worth writing.
    slow = dataclasses.replace(ARM7TDMI, load_multiple=400)
    verdicts = {row.id: row.verdict for row in experiment.run({}, slow).rows}
    assert verdicts["worthwhile"] == NOT and verdicts["o3-seconds"] == NOT
