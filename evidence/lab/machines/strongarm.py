# SPDX-License-Identifier: MIT OR Apache-2.0
"""StrongARM (SA-110, SA-1100, SA-1110) with warm caches: the pipeline of arm9.py, with quicker
branches and loads."""

from dataclasses import dataclass

from . import parameter
from .arm9 import Arm9

GUIDE = (
    "Sloss, Symes, Wright, ARM System Developer's Guide (2004), table D.4; Intel SA-1110"
    " developer's manual (1999)"
)


@dataclass(frozen=True)
class StrongArm(Arm9):
    new_pc: int = parameter(1, f"more for a branch: {GUIDE}")
    load_use: int = parameter(1, f"cycles that a loaded word is late: {GUIDE}")
    narrow_use: int = parameter(1, f"cycles that a loaded byte or halfword is late: {GUIDE}")
    one_of_multiple: int = parameter(
        2, f"a load or store multiple takes n cycles, of one register this: {GUIDE}"
    )
    multiply: int = parameter(3, f"1 to 3; none of the kernels multiplies: {GUIDE}")


STRONGARM = StrongArm()
