# SPDX-License-Identifier: MIT OR Apache-2.0
"""PowerPC 970, the G5: groups of five are dispatched in order and executed out of order, by two
units of most kinds.

The model is for long calls on warm caches. It has no store forwarding, so that a vector's epilogue
is too quick, and sizes below 128 bytes are not to be trusted.
"""

from dataclasses import dataclass

from . import Slot, Timing, parameter
from .mpc7441 import Cache
from .ppc import decode

GCC = "GCC, gcc/config/rs6000/power4.md (also the 970's)"
TENDLER = "Tendler et al., POWER4 system microarchitecture, IBM J. Res. Dev. 46(1), 2002"
IBM = "the AltiVec article, table"


@dataclass(frozen=True)
class Ppc970:
    group: int = parameter(
        5,
        f"instructions of a dispatch group, the last a branch; one group a cycle: {TENDLER}; {GCC}",
    )
    taken: int = parameter(
        2, f"bubbles of fetching after a taken branch: {TENDLER}, instruction fetch"
    )
    buffered: int = parameter(20, f"groups in flight, the group completion table: {TENDLER}")
    integer: int = parameter(2, f"latency of an integer operation: {GCC}")
    compare: int = parameter(3, f"latency of a compare: {GCC}")
    load: int = parameter(4, f"latency of an integer load: {GCC}, power4-load (3 to 5); {IBM} 2")
    vector_load: int = parameter(5, f"latency of a vector load: {GCC}, power4-vecload")
    simple: int = parameter(2, f"latency of VSIU: {GCC}; {IBM} 2")
    complex: int = parameter(5, f"latency of VCIU: {GCC}; {IBM} 2")
    permute: int = parameter(2, f"latency of VPERM: {GCC}; {IBM} 2")
    multiply: int = parameter(
        7, f"latency of a multiplication or move to a special register: {GCC}"
    )
    units: int = parameter(2, f"integer units, and load/store units: {TENDLER}")
    vector_units: int = parameter(
        1, f"vector instructions a cycle that are not permutes: {IBM} 2's text"
    )
    mispredict: int = parameter(12, f"cycles lost by a wrong prediction: {TENDLER}")
    l1: int = parameter(
        32 << 10, f"bytes of the data cache, 2 ways of 128-byte lines: {IBM} 1; {TENDLER}"
    )
    l2_latency: int = parameter(
        12, f"cycles from L2, hidden by the prefetch of sequential lines: {TENDLER}"
    )
    prefetch: bool = parameter(
        True, f"the hardware fetches lines ahead of a sequential reader: {IBM} 1's text; {TENDLER}"
    )

    def time(self, steps):
        l1 = Cache(self.l1, 2, 128)
        for step in steps:
            if step.address is not None:
                l1.touch(step.address)
        ready, busy, slots, groups, taken_before = {}, {}, [], [], {}
        at, filled, end, group_end, previous_line = 0, 0, 0, 0, None
        for n, step in enumerate(steps):
            kind = decode(step.opcode)
            places = 2 if kind.update >= 0 else 1  # an update form is cracked into two
            if filled + places > (self.group if kind.unit == "branch" else self.group - 1):
                groups.append(group_end)
                at, filled = at + 1, 0
                if len(groups) >= self.buffered:
                    at = max(at, groups[-self.buffered])
            filled += places
            unit, count, latency = {
                "int": (
                    "fxu",
                    self.units,
                    self.compare if kind.name.startswith("cmp") else self.integer,
                ),
                "mul": ("fxu", 1, self.multiply),
                "load": ("lsu", self.units, self.vector_load if kind.vector else self.load),
                "store": ("lsu", self.units, 1),
                "touch": ("lsu", self.units, 1),
                "zero": ("lsu", self.units, 1),
                "simple": ("valu", self.vector_units, self.simple),
                "complex": ("valu", self.vector_units, self.complex),
                "permute": ("vperm", 1, self.permute),
                "branch": ("bru", 1, 1),
                "none": ("cru", 1, 1),
                "system": ("cru", 1, 3),
            }[kind.unit]
            start = max([at + 2, *(ready.get(r, 0) for r in kind.reads)])
            if kind.update >= 0:  # the addition of a cracked load takes an integer unit
                slot = start
                while busy.get(("fxu", slot), 0) >= self.units:
                    slot += 1
                busy["fxu", slot] = busy.get(("fxu", slot), 0) + 1
                ready[kind.update] = slot + self.integer
            while busy.get((unit, start), 0) >= count:
                start += 1
            busy[unit, start] = busy.get((unit, start), 0) + 1
            finish = start + latency
            if kind.unit == "load" and step.address is not None and not l1.touch(step.address):
                line = step.address >> 7
                if not (self.prefetch and previous_line is not None and line == previous_line + 1):
                    finish += self.l2_latency
            if step.address is not None:
                previous_line = step.address >> 7
            for register in kind.writes:
                ready[register] = finish
            end = max(end, finish)
            group_end = max(group_end, finish)
            slots.append(Slot(step, start, finish - start))
            if kind.unit == "branch":
                groups.append(group_end)
                is_taken = n + 1 < len(steps) and steps[n + 1].pc != step.pc + 4
                at, filled = at + 1 + (self.taken if is_taken else 0), 0
                if len(groups) >= self.buffered:
                    at = max(at, groups[-self.buffered])
                if n + 1 < len(steps) and taken_before.get(step.pc, is_taken) != is_taken:
                    at = max(
                        at, finish + self.mispredict
                    )  # as a loop's last turn: the guess is its last outcome
                taken_before[step.pc] = is_taken
        return Timing(end, slots)


PPC970 = Ppc970()
