# SPDX-License-Identifier: MIT OR Apache-2.0
"""The PowerPC 405 model against the timings of its user's manual (IBM SA14-2339): a loop for each
sentence, with the manual's figure next to it.

The manual gives cycles of short sequences. We know no other published timing of a loop on this
processor.
"""

import dataclasses

import pytest

from evidence.lab import build
from evidence.lab.machines.ppc405 import PPC405
from evidence.lab.trace.cpu import CPU, DATA

# As the manual assumes: data in the cycle after the address.
QUICK = dataclasses.replace(PPC405, memory=1)
PROLOGUE = (
    ".globl f\n.balign 32\nf: mtctr 4\n li 5,1\n li 6,2\n li 7,3\n cmpwi 1,4,0\n nop\n nop\n nop\n"
)


def turn(folder, text, machine=PPC405, turns=64, **options):
    """Cycles of one turn of a loop in the long run, from two counts of turns. r4 and CTR hold the
    count, r3 the data's address."""
    source = folder / "loop.s"
    source.write_text(PROLOGUE + text + "\n blr\n")
    cpu = CPU("ppc", build.image("ppc", source, flags="-Wa,-m405"), "604")
    found = [
        machine.time(cpu.call("f", DATA, n, trace=True)[1], **options).cycles
        for n in (turns, 2 * turns)
    ]
    return (found[1] - found[0]) / turns


ADDS = "add 9,5,6\n"


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_one_cycle_an_instruction(tmp_path, count):
    # C.2.1: all instructions, assuming cache hits, execute in one cycle. C.2.2: so does a branch
    # that is known as taken and first decoded in PFB0.
    assert turn(tmp_path, "h: " + ADDS * count + "bdnz h") == count + 1


def test_a_branch_first_decoded_in_the_decode_stage_takes_two(tmp_path):
    # C.2.2. A branch to itself never waits in the queue.
    assert turn(tmp_path, "h: bdnz h") == 2


@pytest.mark.parametrize("between,extra", [(0, 1), (1, 0), (2, 0)])
def test_load_use(tmp_path, between, extra):
    # C.2.4: a load immediately followed by a using instruction appears to execute in two cycles.
    assert (
        turn(tmp_path, "h: lwz 8,0(3)\n" + ADDS * between + "add 9,8,5\n bdnz h")
        == 3 + between + extra
    )


@pytest.mark.parametrize("between,cycles", [(0, 3), (1, 2), (2, 1), (4, 1)])
def test_a_wrong_guess(tmp_path, between, cycles):
    # C.2.2: a forward branch, guessed not taken, is taken: three cycles next to its compare, two
    # with one instruction between. With two between it is known (C.1.4 recommends two), and takes
    # one cycle if it waited in the queue.
    skip = "h: cmpwi 0,5,1\n" + ADDS * between + "beq 0,k\n" + ADDS + "k: " + ADDS + ADDS + "bdnz h"
    assert turn(tmp_path, skip) == 1 + between + cycles + 3


@pytest.mark.parametrize("between", [0, 1, 2])
def test_a_right_guess(tmp_path, between):
    # C.2.2: one cycle with any number of instructions between: forwards not taken, and backwards
    # taken from the queue.
    assert (
        turn(
            tmp_path,
            "h: cmpwi 0,5,2\n" + ADDS * between + "beq 0,k\n" + ADDS + "k: " + ADDS + "bdnz h",
        )
        == 1 + between + 1 + 3
    )
    assert (
        turn(tmp_path, "h: addi 4,4,-1\n" + ADDS + "cmpwi 0,4,0\n" + ADDS * between + "bne 0,h")
        == 4 + between
    )


def test_uncached_loads(tmp_path):
    # 4.6.4: no faster than every four cycles; uncached stores every other cycle. The loop lies in
    # one line of instructions.
    off = dataclasses.replace(QUICK, instruction_cache=False, data_cache=False)
    assert (
        turn(tmp_path, "h: lwz 8,0(3)\n lwz 9,4(3)\n lwz 10,8(3)\n lwz 11,12(3)\n bdnz h", off)
        == 16
    )
    assert (
        turn(tmp_path, "h: stw 5,0(3)\n stw 5,4(3)\n stw 5,8(3)\n stw 5,12(3)\n bdnz h", off) == 8
    )


def test_uncached_instructions(tmp_path):
    # UG018: a fetch from the line in the buffer is as quick as a hit; another line is a
    # transaction. The second loop takes turns between two lines.
    off = dataclasses.replace(QUICK, instruction_cache=False, data_cache=False)
    assert turn(tmp_path, "h: " + ADDS * 6 + "bdnz h", off) == 7
    assert turn(tmp_path, "h: " + ADDS * 8 + "bdnz h", off) >= 9 + 2 * (
        off.transaction + off.memory - 3
    )


def test_the_work_behind_a_missing_load_is_free(tmp_path):
    # C.2.8: each instruction after a load that misses takes a cycle off the penalty, if it does
    # not use the load.
    def line(between):
        return turn(
            tmp_path, "h: lwzu 8,32(3)\n" + ADDS * between + "add 9,8,5\n bdnz h", cold=True
        )

    assert line(2) == line(10) > 24
    assert line(40) < 2 * line(10)


def test_data_beyond_the_cache(tmp_path):
    # 16 KB: 256 lines stay; 1024 do not, and each is fetched again. Two fills may be on their way
    # at a time (4.6.4).
    text = "mr 12,4\n mtctr 12\n h: lwzu 8,32(3)\n bdnz h"
    small, large = turn(tmp_path, text, turns=128), turn(tmp_path, text, turns=1024)
    assert small == 2 and large >= (PPC405.transaction + PPC405.memory) / 2
