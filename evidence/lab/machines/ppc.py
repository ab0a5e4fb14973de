# SPDX-License-Identifier: MIT OR Apache-2.0
"""PowerPC instruction words as the pipeline models need them: the unit, the registers, the
access."""

import functools
from typing import NamedTuple

V, CR, CA, CTR, LR = 32, 64, 72, 73, 74  # numbers of registers after the 32 general ones


class Kind(NamedTuple):
    name: str
    unit: str  # int, mul, load, store, touch, zero, branch, simple, complex, permute, none
    reads: tuple = ()
    writes: tuple = ()
    update: int = -1  # base register of an update form, ready before the data
    vector: bool = False
    serial: bool = False  # reads the carry: waits until it is the oldest
    condition: int = -1  # the register of the condition that a branch waits for; -1: none
    size: int = 4


_LOADS = {
    32: (4, 0),
    33: (4, 1),
    34: (1, 0),
    35: (1, 1),
    40: (2, 0),
    41: (2, 1),
    42: (2, 0),
    43: (2, 1),
}
_STORES = {36: (4, 0), 37: (4, 1), 38: (1, 0), 39: (1, 1), 44: (2, 0), 45: (2, 1)}
_X_LOADS = {
    23: (4, 0),
    55: (4, 1),
    279: (2, 0),
    311: (2, 1),
    87: (1, 0),
    119: (1, 1),
    21: (8, 0),
    53: (8, 1),
    534: (4, 0),  # lwbrx, lhbrx
    790: (2, 0),
}
_X_STORES = {
    151: (4, 0),
    183: (4, 1),
    407: (2, 0),
    439: (2, 1),
    215: (1, 0),
    247: (1, 1),
    149: (8, 0),
    181: (8, 1),
    662: (4, 0),  # stwbrx, sthbrx
    918: (2, 0),
}
_VECTOR_LOADS, _VECTOR_STORES = (7, 39, 71, 103, 359), (135, 167, 199, 231, 487)
_LOGIC = {24, 27, 28, 60, 124, 284, 316, 412, 444, 476, 536, 539, 792, 794}
_UNARY = {26, 58, 824, 826, 827, 922, 954, 986}
_ADDS = {
    266: (0, 0),
    10: (0, 1),
    138: (1, 1),
    202: (1, 1),
    234: (1, 1),
    40: (0, 0),
    8: (0, 1),
    136: (1, 1),
    200: (1, 1),
    232: (1, 1),
    104: (0, 0),
}


@functools.cache
def decode(word):
    primary, rt, ra, rb, record = (
        word >> 26,
        word >> 21 & 31,
        word >> 16 & 31,
        word >> 11 & 31,
        word & 1,
    )
    base, dot = ((ra,) if ra else ()), ((CR,) if record else ())
    if primary in _LOADS:
        size, update = _LOADS[primary]
        return Kind("load", "load", base, (rt,), ra if update else -1, size=size)
    if primary in _STORES:
        size, update = _STORES[primary]
        return Kind("store", "store", (*base, rt), (), ra if update else -1, size=size)
    if primary == 58:
        return Kind("ld", "load", base, (rt,), ra if word & 3 == 1 else -1, size=8)
    if primary == 62:
        return Kind("std", "store", (*base, rt), (), ra if word & 3 == 1 else -1, size=8)
    if primary in (14, 15):
        return Kind("addi", "int", base, (rt,))
    if primary in (8, 12, 13):
        return Kind("addic", "int", (ra,), (rt, CA) + ((CR,) if primary == 13 else ()))
    if primary == 7:
        return Kind("mulli", "mul", (ra,), (rt,))
    if primary in (10, 11):
        return Kind("cmpi", "int", (ra,), (CR + (rt >> 2),))
    if 24 <= primary <= 29:
        return Kind("ori", "int", (rt,), (ra,) + ((CR,) if primary > 27 else ()))
    if primary in (20, 21, 23, 30):
        return Kind(
            "rotate",
            "int",
            (rt,) + ((ra,) if primary == 20 else ()) + ((rb,) if primary == 23 else ()),
            (ra, *dot),
        )
    if primary == 18:
        return Kind("b", "branch")
    if primary == 16 or (primary == 19 and word >> 1 & 1023 in (16, 528)):
        counts = not rt & 4
        target = () if primary == 16 else (LR,) if word >> 1 & 1023 == 16 else (CTR,)
        return Kind(
            "bdnz" if counts else "bc",
            "branch",
            target,
            (CTR,) if counts else (),
            condition=-1 if rt & 16 else CR + (ra >> 2),
        )
    if primary == 19:
        return Kind("crlogic", "none")
    if primary == 4:
        minor = word & 63
        vector, target = (V + ra, V + rb), (V + rt,)
        if minor >= 32:
            vector += () if minor == 44 else (V + (word >> 6 & 31),)
            unit = "permute" if minor in (43, 44, 45) else "simple" if minor == 42 else "complex"
            return Kind(
                {38: "vmsumuhm", 43: "vperm"}.get(minor, "va"), unit, vector, target, vector=True
            )
        unit = "permute" if minor in (12, 14) else "complex" if minor == 8 else "simple"
        immediate = word & 0x7FF in (780, 844, 908)
        zero = word & 0x7FF == 1220 and ra == rb  # vxor of a register with itself still reads it
        return Kind(
            "vx",
            unit,
            ()
            if immediate or zero
            else (V + rb,)
            if minor == 12 and word & 0x7FF > 500
            else vector,
            target,
            vector=True,
        )
    if primary == 31:
        x = word >> 1 & 1023
        if x in _X_LOADS:
            size, update = _X_LOADS[x]
            return Kind("load", "load", (*base, rb), (rt,), ra if update else -1, size=size)
        if x in _X_STORES:
            size, update = _X_STORES[x]
            return Kind("store", "store", (*base, rb, rt), (), ra if update else -1, size=size)
        if x in _VECTOR_LOADS:
            return Kind("lvx", "load", (*base, rb), (V + rt,), vector=True, size=16)
        if x in _VECTOR_STORES:
            return Kind("stvx", "store", (*base, rb, V + rt), vector=True, size=16)
        if x in (6, 38):
            return Kind("lvsl", "load", (*base, rb), (V + rt,))
        if x in (342, 374):
            return Kind("dst", "touch", (ra, rb))
        if x in (822, 278, 246):
            return Kind("hint", "none")
        if x == 54:
            return Kind("dcbst", "cache", (*base, rb))
        if x in (598, 854):
            return Kind("sync", "none")
        if x == 1014:
            return Kind("dcbz", "zero", (*base, rb), size=32)
        if x in (0, 32):
            return Kind("cmp", "int", (ra, rb), (CR + (rt >> 2),))
        if x in (467, 339):
            special = {9: CTR, 8: LR}.get((word >> 16 & 31) | (word >> 6 & 0x3E0))
            reads, writes = ((rt,), (special,)) if x == 467 else ((special,), (rt,))
            return Kind(
                "mtspr" if x == 467 else "mfspr",
                "mul" if special else "system",
                tuple(r for r in reads if r is not None),
                tuple(r for r in writes if r is not None),
            )
        if x in _LOGIC:
            return Kind("logic", "int", (rt, rb), (ra, *dot))
        if x in _UNARY:
            return Kind("logic", "int", (rt,), (ra, *dot) + ((CA,) if x in (824, 826, 827) else ()))
        if x & 511 in _ADDS:
            reads, writes = _ADDS[x & 511]
            return Kind(
                "adde" if reads else "add",
                "int",
                (ra,)
                + ((rb,) if x & 511 not in (202, 234, 200, 232, 104) else ())
                + ((CA,) if reads else ()),
                (rt, *((CA,) if writes else ()), *dot),
                serial=bool(reads),
            )
        if x & 511 in (235, 75, 11, 233, 9):
            return Kind("mul", "mul", (ra, rb), (rt, *dot))
    raise ValueError(f"ppc: no rule for the instruction {word:08x}")
