# SPDX-License-Identifier: MIT OR Apache-2.0
"""ARMv4 instructions for the three ARM models, decoded as far as their timing depends on it.

A trace does not hold the flags. It shows all the same whether a conditional instruction was
executed: a branch was if the next program counter is not the next word, a load or store if it
touched memory. The others take the same time either way, except the rare conditional multiply and
shift by register, which count as executed.
"""

import functools
from dataclasses import dataclass

PC = 15


@dataclass(frozen=True)
class Kind:
    name: str  # alu, load, store, load_multiple, store_multiple, branch, multiply, swap, status
    reads: tuple = ()
    loads: tuple = ()  # registers that come from memory, in order
    writes_pc: bool = False
    registers: int = 1  # that a multiple moves
    size: int = 4
    shifts_by_register: bool = False
    long: bool = False  # a multiply of 64 bits
    accumulates: bool = False
    multiplier: int = None  # the register that decides how long a multiply takes


@functools.cache
def decode(word):
    """The Kind of an ARMv4 instruction word."""
    rn, rd, rs, rm = word >> 16 & 15, word >> 12 & 15, word >> 8 & 15, word & 15
    group = word >> 25 & 7
    if word & 0x0FFFFFF0 == 0x012FFF10:
        return Kind("branch", reads=(rm,), writes_pc=True)
    if group == 0b101:
        return Kind("branch", writes_pc=True)
    if group == 0b100:
        registers = tuple(n for n in range(16) if word >> n & 1)
        if word >> 20 & 1:
            return Kind(
                "load_multiple",
                reads=(rn,),
                loads=registers,
                writes_pc=PC in registers,
                registers=len(registers),
            )
        return Kind("store_multiple", reads=(rn, *registers), registers=len(registers))
    if group in (0b010, 0b011):
        size, offset = (1 if word >> 22 & 1 else 4), ((rm,) if group == 0b011 else ())
        if word >> 20 & 1:
            return Kind("load", reads=(rn, *offset), loads=(rd,), writes_pc=rd == PC, size=size)
        return Kind("store", reads=(rn, rd, *offset), size=size)
    if group == 0 and word & 0x90 == 0x90:
        if word & 0x60:  # halfwords and signed bytes
            size, offset = (2 if word & 0x20 else 1), (() if word >> 22 & 1 else (rm,))
            if word >> 20 & 1:
                return Kind("load", reads=(rn, *offset), loads=(rd,), size=size)
            return Kind("store", reads=(rn, rd, *offset), size=size)
        if word >> 24 & 1:
            return Kind("swap", reads=(rn, rm), loads=(rd,))
        accumulates = bool(word >> 21 & 1)
        return Kind(
            "multiply",
            reads=(rm, rs) + ((rd,) if accumulates else ()),
            long=bool(word >> 23 & 1),
            accumulates=accumulates,
            multiplier=rs,
        )
    if group in (0, 1):
        opcode, sets = word >> 21 & 15, word >> 20 & 1
        if 8 <= opcode <= 11 and not sets:
            return Kind("status", reads=(rm,) if group == 0 else ())
        reads = () if opcode in (13, 15) else (rn,)
        by_register = group == 0 and bool(word >> 4 & 1)
        if group == 0:
            reads += (rm,) + ((rs,) if by_register else ())
        return Kind(
            "alu",
            reads=reads,
            writes_pc=rd == PC and not 8 <= opcode <= 11,
            shifts_by_register=by_register,
        )
    raise ValueError(f"arm: no rule for the instruction {word:08x}")


def executed(kind, step, following):
    """Whether an instruction passed its condition, as far as the trace shows it and time depends on
    it."""
    if step.opcode >> 28 == 0xE:
        return True
    if kind.name == "branch" or kind.writes_pc:
        return following is not None and following.pc != step.pc + 4
    if kind.name in ("load", "store", "load_multiple", "store_multiple", "swap"):
        return step.address is not None
    return True


def walk(steps):
    """(step, kind, executed) of each step. A conditional branch that ends the trace counts as not
    taken, for a loop falls out of its end."""
    for n, step in enumerate(steps):
        kind = decode(step.opcode)
        following = steps[n + 1] if n + 1 < len(steps) else None
        yield step, kind, executed(kind, step, following)
