# SPDX-License-Identifier: MIT OR Apache-2.0
"""ARM7TDMI: one bus for instructions and data, three stages, no interlocks.

The time of an instruction depends on that instruction alone. A cycle is an instruction fetch, a
data access, or internal. Wait states are added to the first two; with both at 0 the model is the
processor of the manuals' tables, with zero-wait memory or with a cache that hits.
"""

from dataclasses import dataclass

from . import Slot, Timing, parameter
from .arm import walk

TRM = (
    "ARM DDI 0029E, ARM7TDMI data sheet, chapter 10; Sloss, Symes, Wright, ARM System Developer's"
    " Guide (2004), table D.2"
)


@dataclass(frozen=True)
class Arm7tdmi:
    alu: int = parameter(1, f"S: {TRM}")
    register_shift: int = parameter(1, f"+I for a shift by a register: {TRM}")
    new_pc: int = parameter(2, f"+N+S for whatever writes the program counter, branches too: {TRM}")
    load: int = parameter(3, f"S+N+I: {TRM}")
    store: int = parameter(2, f"2N: {TRM}")
    load_multiple: int = parameter(2, f"nS+N+I, so n and this: {TRM}")
    store_multiple: int = parameter(1, f"(n-1)S+2N, so n and this: {TRM}")
    multiply: int = parameter(
        5, f"S+mI with m = 4, the most; none of the kernels multiplies: {TRM}"
    )
    failed: int = parameter(1, f"S for an instruction that fails its condition: {TRM}")
    fetch_wait: int = parameter(
        0, "wait states of an instruction fetch: a parameter of the board, unknown"
    )
    data_wait: int = parameter(0, "wait states of a data access: a parameter of the board, unknown")
    nonsequential_wait: int = parameter(
        0, "more of them for each N cycle, as burst memory has: a parameter of the board, unknown"
    )

    def time(self, steps):
        clock, slots = 0, []
        for step, kind, done in walk(steps):
            fetches, accesses, nonsequential = 1, 0, 0
            if not done:
                cycles = self.failed
            elif kind.name == "load":
                cycles, accesses, nonsequential = self.load, 1, 1
            elif kind.name == "store":
                cycles, accesses, nonsequential = self.store, 1, 2
            elif kind.name == "load_multiple":
                cycles, accesses, nonsequential = (
                    self.load_multiple + kind.registers,
                    kind.registers,
                    1,
                )
            elif kind.name == "store_multiple":
                cycles, accesses, nonsequential = (
                    self.store_multiple + kind.registers,
                    kind.registers,
                    2,
                )
            elif kind.name == "swap":
                cycles, accesses, nonsequential = 4, 2, 2
            elif kind.name == "multiply":
                cycles = self.multiply + kind.long + kind.accumulates
            else:
                cycles = self.alu + self.register_shift * kind.shifts_by_register
            if done and kind.writes_pc:
                cycles, fetches, nonsequential = cycles + self.new_pc, 3, nonsequential + 1
            wait = (
                self.fetch_wait * fetches
                + self.data_wait * accesses
                + self.nonsequential_wait * nonsequential
            )
            slots.append(Slot(step, clock, cycles + wait))
            clock += cycles + wait
        return Timing(clock, slots)


ARM7TDMI = Arm7tdmi()
