# SPDX-License-Identifier: MIT OR Apache-2.0
"""The MPC745x and 970 models against published timings: the loops of AN2203, and the latencies of
tables.

AN2203 is Freescale's optimization guide for this family. We know no timed loop of the 970, so that
its tests are of latencies.
"""

import dataclasses

import pytest

from evidence.lab import build
from evidence.lab.machines.mpc7441 import MPC7441
from evidence.lab.machines.ppc970 import PPC970
from evidence.lab.trace.cpu import CPU, DATA


def cycles(folder, machine, text, turns, before=0):
    source = folder / f"loop{before}.s"
    source.write_text(
        ".globl f\n.balign 32\nf: mtctr 4\n .balign 32\n" + " nop\n" * before + text + "\n blr\n"
    )
    cpu = CPU("ppc", build.image("ppc", source, flags="-Wa,-maltivec,-m7450"), "7455")
    found = [machine.time(cpu.call("f", DATA, n, trace=True)[1]).cycles for n in (turns, 2 * turns)]
    return (found[1] - found[0]) / turns


@pytest.mark.parametrize("before,each", [(0, 2), (6, 3)])
def test_fetch_alignment_example(tmp_path, before, each):
    # AN2203, 3.1.1.1: one iteration every two cycles within a cache block, every three across one.
    assert cycles(tmp_path, MPC7441, "h: lwzu 10,4(3)\n add 11,11,10\n bdnz h", 200, before) == each


@pytest.mark.parametrize(
    "body,g4,g5",
    [
        ("vadduwm 1,1,2\n" * 8, 8, 16),
        ("vmsumuhm 1,3,4,1\n" * 8, 32, 40),
        ("vperm 1,1,2,3\n" * 8, 16, 16),
    ],
)
def test_chains_take_their_latency(tmp_path, body, g4, g5):
    # The latencies of the article's table 2, in dependent chains.
    assert cycles(tmp_path, MPC7441, f"h: {body} bdnz h", 100) == g4
    assert cycles(tmp_path, PPC970, f"h: {body} bdnz h", 100) == g5


@pytest.mark.parametrize("add,each", [("adde", 3), ("add", 1.5)])
def test_carries_wait_until_they_are_the_oldest(tmp_path, add, each):
    # AN2203: adde is execution-serialized. A word takes three cycles with adde, half with add.
    turn = f"h: lwz 9,0(3)\n {add} 11,9,11\n lwz 10,4(3)\n addi 3,3,8\n {add} 11,10,11\n bdnz h"
    assert cycles(tmp_path, MPC7441, turn, 200) == 2 * each


@pytest.mark.parametrize("misses,each", [(1, 151), (5, 30)])
def test_misses_overlap_until_the_bus_is_the_limit(tmp_path, misses, each):
    # AN2203: five loads can miss at a time. With one load to each line, from memory, a line takes
    # the bus's 30 cycles, or memory's 150 if loads miss one by one.
    source = tmp_path / "walk.s"
    source.write_text(".globl f\nf: mtctr 4\nh: lwzu 10,32(3)\n bdnz h\n blr\n")
    cpu = CPU("ppc", build.image("ppc", source), "7455")
    machine = dataclasses.replace(MPC7441, misses=misses)
    found = [machine.time(cpu.call("f", DATA, n, trace=True)[1], True).cycles for n in (100, 200)]
    assert abs((found[1] - found[0]) / 100 - each) <= 1
