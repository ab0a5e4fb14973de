# SPDX-License-Identifier: MIT OR Apache-2.0
"""POWER1, the processor of the first RISC System/6000: integer code with warm caches.

The branch unit runs ahead of the fixed-point unit (FXU), which takes one operation a cycle, in
order. So an unconditional branch and a branch on count cost nothing; a branch on the condition
register costs the time from the compare to its arrival in the branch unit. The loops of the
laboratory need no more: no floating point, no cache misses, no page faults.
"""

from dataclasses import dataclass

from . import Slot, Timing, parameter

AIX = "IBM, TCP/IP Checksum Improvement for AIX 3.2 under RISC System/6000"
GCC = "GCC 4.6, gcc/config/rs6000/rios1.md"


@dataclass(frozen=True)
class Power1:
    load_use: int = parameter(1, f"cycles between a load and its use: {GCC}, rios1-load: latency 2")
    load_multiple: int = parameter(
        1, f"cycles a register of lm, as single loads take: {AIX}, drawback 2"
    )
    compare_branch: int = parameter(
        3,
        f"idle cycles between a compare and what runs after its branch: {AIX}, drawback 3; {GCC}, "
        "rios1-compare: latency 4",
    )
    count_branch: int = parameter(0, f"cycles of a taken bdn: {AIX}, benefit c")
    move_to_special: int = parameter(
        4, f"cycles between mtctr and a branch that reads it: {GCC}, rios1-mtjmpr: latency 5"
    )

    def time(self, steps):
        clock = 0  # when the FXU is free
        loaded = {}  # register → when its load has arrived
        condition = {}  # CR field → when it is known
        special = 0  # when CTR and LR are known
        slots = []
        for step in steps:
            kind = decode(step.opcode)
            wait, why = 0, ""
            for register in kind.reads:
                if loaded.get(register, 0) - clock > wait:
                    wait, why = loaded[register] - clock, f"r{register} is loading"
            if kind.branch:
                if kind.field is not None and condition.get(kind.field, 0) > clock:
                    wait, why = condition[kind.field] - clock, "compare to branch"
                elif kind.special and special > clock:
                    wait, why = special - clock, "mtctr to branch"
                cycles = self.count_branch if kind.counts else 0
            else:
                cycles = kind.registers * self.load_multiple if kind.multiple else 1
            start = clock + wait
            slots.append(Slot(step, start, cycles, wait, why))
            clock = start + cycles
            for register in kind.writes:
                loaded.pop(register, None)
            # An update form's address is ready at once, for the adder made it. Of several loads
            # only the last is late.
            if kind.loads is not None:
                loaded[kind.loads] = clock + self.load_use
            if kind.compares is not None:
                condition[kind.compares] = clock + self.compare_branch
            if kind.moves_special:
                special = clock + self.move_to_special
        return Timing(clock, slots)


POWER1 = Power1()


@dataclass(frozen=True)
class Kind:
    """The properties of one instruction that its timing depends on."""

    name: str
    reads: tuple = ()
    writes: tuple = ()
    loads: int = None  # the register that comes from memory, of several the last
    multiple: bool = False
    registers: int = 1
    branch: bool = False
    field: int = None  # of the condition register, that a branch tests
    counts: bool = False
    special: bool = False  # a branch that reads CTR or LR
    compares: int = None  # the field that it sets
    moves_special: bool = False


# Primary opcode → name, and whether it updates its base, is a store. D forms: rt, d(ra).
_D_MEMORY = {
    32: ("l", 0, 0),
    33: ("lu", 1, 0),
    34: ("lbz", 0, 0),
    35: ("lbzu", 1, 0),
    36: ("st", 0, 1),
    37: ("stu", 1, 1),
    38: ("stb", 0, 1),
    39: ("stbu", 1, 1),
    40: ("lhz", 0, 0),
    41: ("lhzu", 1, 0),
    42: ("lha", 0, 0),
    43: ("lhau", 1, 0),
    44: ("sth", 0, 1),
    45: ("sthu", 1, 1),
}
_D_ARITHMETIC = {7: "muli", 8: "sfi", 12: "ai", 13: "ai.", 14: "cal", 15: "cau"}
_D_LOGIC = {24: "oril", 25: "oriu", 26: "xoril", 27: "xoriu", 28: "andil.", 29: "andiu."}
# Extended opcodes of 31 in XO and X form.
_XO = {
    8: "sf",
    10: "a",
    104: "neg",
    136: "sfe",
    138: "ae",
    200: "sfze",
    202: "aze",
    234: "ame",
    266: "cax",
}
_X_LOGIC = {
    24: "sl",
    28: "and",
    124: "nor",
    316: "xor",
    444: "or",
    536: "sr",
    792: "sra",
    824: "srai",
    954: "exts",
    922: "extsh",
    26: "cntlz",
}


def decode(word):
    """The Kind of an instruction word of the fixed-point unit or a branch, by POWER's mnemonics."""
    primary, rt, ra, rb, record = (
        word >> 26,
        word >> 21 & 31,
        word >> 16 & 31,
        word >> 11 & 31,
        word & 1,
    )
    if primary in _D_MEMORY:
        name, update, store = _D_MEMORY[primary]
        base = (ra,) if ra else ()
        return Kind(
            name,
            reads=base + ((rt,) if store else ()),
            writes=(ra,) if update else (),
            loads=None if store else rt,
        )
    if primary == 46:
        return Kind(
            "lm",
            reads=(ra,) if ra else (),
            writes=tuple(range(rt, 32)),
            loads=31,
            multiple=True,
            registers=32 - rt,
        )
    if primary == 47:
        return Kind(
            "stm",
            reads=((ra,) if ra else ()) + tuple(range(rt, 32)),
            multiple=True,
            registers=32 - rt,
        )
    if primary in _D_ARITHMETIC:
        name = _D_ARITHMETIC[primary]
        reads = () if name in ("cal", "cau") and not ra else (ra,)
        return Kind(name, reads=reads, writes=(rt,), compares=0 if primary == 13 else None)
    if primary in (10, 11):
        return Kind("cmpli" if primary == 10 else "cmpi", reads=(ra,), compares=rt >> 2)
    if primary in _D_LOGIC:
        return Kind(
            _D_LOGIC[primary],
            reads=(rt,),
            writes=(ra,),
            compares=0 if primary in (28, 29) else None,
        )
    if primary in (20, 21, 23):
        return Kind(
            "rl",
            reads=(rt,) + ((ra,) if primary == 20 else ()),
            writes=(ra,),
            compares=0 if record else None,
        )
    if primary == 18:
        return Kind("b", branch=True)
    if primary == 16 or (primary == 19 and word >> 1 & 1023 in (16, 528)):
        # BO bit 4 (0x10) set: the condition is not looked at. Bit 2 (0x04) clear: CTR counts.
        counts = not rt & 4
        return Kind(
            "bc" if not counts else "bdn",
            branch=True,
            field=None if rt & 16 else ra >> 2,
            counts=counts,
            special=counts or primary == 19,
        )
    if primary == 31:
        extended = word >> 1 & 1023
        if extended in (0, 32):
            return Kind("cmp", reads=(ra, rb), compares=rt >> 2)
        if extended == 467:
            return Kind("mt", reads=(rt,), moves_special=True)
        if extended == 339:
            return Kind("mf", writes=(rt,))
        if extended & 511 in _XO:
            one = _XO[extended & 511] in ("neg", "sfze", "aze", "ame")
            return Kind(
                _XO[extended & 511],
                reads=(ra,) if one else (ra, rb),
                writes=(rt,),
                compares=0 if record else None,
            )
        if extended in _X_LOGIC:
            one = _X_LOGIC[extended] in ("srai", "exts", "extsh", "cntlz")
            return Kind(
                _X_LOGIC[extended],
                reads=(rt,) if one else (rt, rb),
                writes=(ra,),
                compares=0 if record else None,
            )
    raise ValueError(f"power1: no rule for the instruction {word:08x}")
