# SPDX-License-Identifier: MIT OR Apache-2.0
"""Freescale: every routine on the vectors at every word alignment, every verdict pinned, and pins
shown to depend on the model."""

import dataclasses
import math

import pytest

from evidence.lab import vectors
from evidence.lab.claims import DIRECTION, HOLDS, NOT, REPRODUCED
from evidence.lab.freescale import experiment, orders, reno
from evidence.lab.machines.mpc7455 import MPC7455
from evidence.lab.testing import pinned, result
from evidence.lab.trace.cpu import DATA

VERDICTS = {
    "bound": DIRECTION,
    "linear": HOLDS,
    "mss": HOLDS,
    "proportional": REPRODUCED,
    "figure-1": REPRODUCED,
    "table-1": DIRECTION,
    "3.07": DIRECTION,
    "244": HOLDS,
    "102": DIRECTION,
    "gigabit": DIRECTION,
    "hardware-assist": NOT,
    "little-impact": REPRODUCED,
    "six": REPRODUCED,
    "one-cycle": DIRECTION,
    "16-at-a-time": REPRODUCED,
    "fewer-operations": NOT,
    "fewer-accesses": REPRODUCED,
    "table-2": DIRECTION,
    "alignment": REPRODUCED,
    "hundred-calls": REPRODUCED,
    "figure-2-small": REPRODUCED,
    "figure-2-grows": REPRODUCED,
    "figure-2": DIRECTION,
    "figure-3": DIRECTION,
    "figure-4": DIRECTION,
    "figure-5": DIRECTION,
    "nearly-free": DIRECTION,
    "three-instructions": REPRODUCED,
    "scalar-10-20": DIRECTION,
    "figure-6": DIRECTION,
    "two-calls": DIRECTION,
    "figure-7": DIRECTION,
    "wan-80": NOT,
    "code-50": NOT,
    "once-each-way": NOT,
    "errors-rare": NOT,
    "control": REPRODUCED,
    "larger-packets": REPRODUCED,
    "jumbo": REPRODUCED,
    "tcp-figure-8": DIRECTION,
    "tcp-tests": DIRECTION,
    "tcp-profile": DIRECTION,
    "tcp-figure-10": DIRECTION,
    "tcp-figure-11": DIRECTION,
}


def test_verdicts():
    pinned(result("freescale"), VERDICTS)


@pytest.mark.parametrize("offset", [0, 4, 8, 12])
@pytest.mark.parametrize(
    "name",
    [
        "scalar_sum",
        "vector_sum",
        "vector_sum_in_order",
        "scalar_copy_sum",
        "vector_copy_sum",
        "vector_copy_sum_touched",
        "copy_checksum",
    ],
)
def test_right_on_the_vectors(name, offset):
    wrong, count = vectors.wrong(
        lambda data: experiment.total(
            name, data, DATA + offset, DATA + 0x10_0000 + 5 * offset % 32
        ),
        granule=4,
        longest=3000,
    )
    assert not wrong and count > 700


def test_figure_1_on_the_vectors():
    wrong0, wrong1 = experiment.byte_swap_rows()
    assert wrong0 and not wrong1


@pytest.mark.parametrize("name", ["copy", "scalar_copy", "vector_copy", "vector_copy_touched"])
def test_copies_copy_and_touch_nothing_else(name):
    machine = experiment.cpu(name)
    for size in range(0, 200, 4):
        for offset in range(0, 32, 4):
            target = DATA + 0x10_0000 + offset
            machine.write(target - 64, b"\xa5" * (size + 128))
            experiment.call(name, experiment.RANDOM[:size], DATA + 4, target)
            assert (
                machine.read(target - 64, size + 128)
                == b"\xa5" * 64 + experiment.RANDOM[:size] + b"\xa5" * 64
            )


def test_verdicts_go_with_the_model():
    other = dataclasses.replace(MPC7455, memory=20, simple=5, serial=False)
    rows = {row.id: row.verdict for row in experiment.run({}, other).rows}
    assert {
        "102",
        "gigabit",
        "one-cycle",
        "figure-2",
        "figure-3",
        "figure-5",
        "figure-6",
        "figure-7",
    } <= {key for key, value in VERDICTS.items() if rows[key] != value}


@pytest.mark.parametrize("acks,theory", [(1, math.sqrt(3 / 2)), (2, math.sqrt(3 / 4))])
def test_the_window_is_the_one_of_the_textbook(acks, theory):
    # Losses at a regular distance: a saw-tooth between W/2 and W, three quarters of W a round trip
    # (Mathis et al., 1997).
    assert reno.factor(1e-4, acks, True) == pytest.approx(theory, rel=0.02)
    assert reno.factor(1e-4, acks, False) == pytest.approx(theory, rel=0.1)


def test_pipelining_by_hand_only_moves_instructions():
    assert experiment.operations("vector_sum") == experiment.operations("vector_sum_in_order")


def test_no_order_of_the_combined_loop_hides_the_additions():
    found = orders.orders()
    assert len(found) == len(set(found)) == 40
    least, greatest = orders.cycles_a_byte(MPC7455)
    ours = experiment.cycles(MPC7455, "scalar_copy_sum", 8192) / 8192
    assert least == pytest.approx(ours, rel=0.01) and least < greatest
    unserial = dataclasses.replace(MPC7455, serial=False)
    assert orders.cycles_a_byte(unserial)[0] < least


def test_the_cold_speedups_go_with_the_bus():
    def speedup(machine, scalar, vector):
        return experiment.cycles(machine, scalar, 1460, True) / experiment.cycles(
            machine, vector, 1460, True
        )

    slow = dataclasses.replace(MPC7455, transfer=60)
    for scalar, vector in (
        ("scalar_copy", "vector_copy_touched"),
        ("scalar_copy_sum", "vector_copy_sum_touched"),
    ):
        assert speedup(slow, scalar, vector) < 2 < speedup(MPC7455, scalar, vector)


def test_lines_of_configuration():
    # lwipopts.h: an include for this library with its copies, four switches for no checksums.
    assert experiment.tcp.configuration_lines("VARIANT_WIRESUM") == 1
    assert experiment.tcp.configuration_lines("VARIANT_WIRESUM_COPY") == 2
    assert experiment.tcp.configuration_lines("VARIANT_OFF") == 4
