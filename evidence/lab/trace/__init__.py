# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs machine code and records it: one Step an instruction.

`evidence.lab.trace.cpu` runs bare functions on Unicorn (32-bit PowerPC with AltiVec, ARM);
`evidence.lab.trace.qemu` runs whole programs under qemu-user with a plugin, for processors that
Unicorn lacks (the 970, POWER8 and so on). Both give the same steps for the same code.
"""

from typing import NamedTuple


class Step(NamedTuple):
    pc: int
    opcode: int  # the 32-bit instruction word
    address: int | None  # of its first memory access, if it makes one
