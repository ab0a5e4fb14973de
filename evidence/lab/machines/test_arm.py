# SPDX-License-Identifier: MIT OR Apache-2.0
"""The ARM models against published timings.

ARM9: Sloss, Symes and Wright time a loop over the characters of a text in "Instruction scheduling"
(ARM System Developer's Guide, section 6.3). A character a turn takes 11 cycles on an ARM9TDMI; with
the next load moved up 9; with three characters in a turn 7 each. The loops below were written for
this laboratory: they do other work, with a load, its use, a condition and a store in the same
places. ARM7TDMI and StrongARM: the sums of the manuals' tables for short sequences, each worked out
by hand next to it. We know no published loop on either.
"""

import dataclasses

import pytest

from evidence.lab import build
from evidence.lab.machines.arm import decode
from evidence.lab.machines.arm7tdmi import ARM7TDMI
from evidence.lab.machines.arm9 import ARM9
from evidence.lab.machines.strongarm import STRONGARM
from evidence.lab.trace.cpu import CPU, DATA

# Each space becomes an underscore, up to the zero at the end.
PLAIN = """
1:      ldrb    r6, [r1], #1
        rsb     r7, r6, #'_'
        teq     r7, #'_' - ' '
        moveq   r6, #'_'
        strb    r6, [r0], #1
        teq     r6, #0
        bne     1b
"""
PRELOADED = """
        ldrb    r6, [r1], #1
1:      rsb     r7, r6, #'_'
        teq     r7, #'_' - ' '
        moveq   r6, #'_'
        strb    r6, [r0], #1
        teq     r6, #0
        ldrneb  r6, [r1], #1
        bne     1b
"""
THREE = """
1:      ldrb    r6, [r1], #1
        ldrb    r8, [r1], #1
        ldrb    r9, [r1], #1
        rsb     r7, r6, #'_'
        teq     r7, #'_' - ' '
        moveq   r6, #'_'
        rsb     r7, r8, #'_'
        teq     r7, #'_' - ' '
        moveq   r8, #'_'
        rsb     r7, r9, #'_'
        teq     r7, #'_' - ' '
        moveq   r9, #'_'
        strb    r6, [r0], #1
        teq     r6, #0
        strneb  r8, [r0], #1
        teqne   r8, #0
        strneb  r9, [r0], #1
        teqne   r9, #0
        bne     1b
"""
TEXT = b"The Quick Brown Fox Jumps Over A Lazy Dog!!!" * 3 + bytes(6)


def steps(folder, body, data=TEXT, arguments=(DATA + 4096, DATA)):
    source = folder / "loop.s"
    source.write_text(".arch armv4\n.globl f, g\nf:\n" + body + "\ng: mov pc, lr\n")
    image = build.image("arm", source, flags="-mcpu=strongarm")
    cpu = CPU("arm", image, "arm926")
    cpu.write(DATA, data)
    _, found = cpu.call("f", *arguments, trace=True)
    return [step for step in found if step.pc < image.symbols["g"]], cpu


@pytest.mark.parametrize("body,published", [(PLAIN, 11), (PRELOADED, 9), (THREE, 7)])
def test_arm9_characters(tmp_path, body, published):
    trace, cpu = steps(tmp_path, body)
    joined = TEXT.rstrip(b"\0").replace(b" ", b"_")
    assert cpu.read(DATA + 4096, len(joined)) == joined
    # The long run: two thirds of the text against all of it, so that neither entry nor exit counts.
    short, _ = steps(tmp_path, body, TEXT[:66] + bytes(6))
    assert (ARM9.time(trace).cycles - ARM9.time(short).cycles) / (len(joined) - 66) == published


@pytest.mark.parametrize(
    "line,arm7,arm9,strongarm",
    [
        ("add r2, r0, r1", 1, 1, 1),  # S
        ("add r2, r0, r1, lsl r0", 2, 2, 2),  # S+I
        ("ldr r2, [r1]", 3, 1, 1),  # S+N+I
        ("ldrh r2, [r1]", 3, 1, 1),
        ("str r2, [r1]", 2, 1, 1),  # 2N
        ("ldmia r1, {r2-r9}", 10, 8, 8),  # 8S+N+I
        ("ldmia r1, {r2}", 3, 2, 2),
        ("stmia r1, {r2-r9}", 9, 8, 8),  # 7S+2N
        ("b g", 3, 3, 2),  # 2S+N
        ("cmp r0, r0\n beq 2f\n mov r0, r0\n2: mov r0, r0", 5, 5, 4),
        ("cmp r0, r0\n bne g", 2, 2, 2),  # a failed condition: S
        ("cmp r0, r0\n ldrne r2, [r1]", 2, 2, 2),
        ("ldr r2, [r1]\n add r3, r2, r2", 4, 3, 3),  # a word is one cycle late
        ("ldrh r2, [r1]\n add r3, r2, r2", 4, 4, 3),  # a halfword two on ARM9
        # Of a multiple only the last word is late.
        ("ldmia r1, {r2-r3}\n add r4, r2, r2", 5, 3, 3),
        ("ldmia r1, {r2-r3}\n add r4, r3, r3", 5, 4, 4),
    ],
)
def test_tables(tmp_path, line, arm7, arm9, strongarm):
    trace, _ = steps(tmp_path, line)
    assert [machine.time(trace).cycles for machine in (ARM7TDMI, ARM9, STRONGARM)] == [
        arm7,
        arm9,
        strongarm,
    ]


def test_wait_states_fall_on_the_cycles_of_the_tables(tmp_path):
    slow = dataclasses.replace(ARM7TDMI, fetch_wait=1, data_wait=1, nonsequential_wait=2)
    for line, sequential, nonsequential, internal in [
        ("add r2, r0, r1", 1, 0, 0),
        ("ldr r2, [r1]", 1, 1, 1),
        ("str r2, [r1]", 0, 2, 0),
        ("ldmia r1, {r2-r9}", 8, 1, 1),
        ("stmia r1, {r2-r9}", 7, 2, 0),
        ("b g", 2, 1, 0),
    ]:
        trace, _ = steps(tmp_path, line)
        assert slow.time(trace).cycles == 2 * sequential + 4 * nonsequential + internal, line


def test_unknown_instructions_are_errors():
    with pytest.raises(ValueError):
        decode(0xEE000000)
