# SPDX-License-Identifier: MIT OR Apache-2.0
"""ARM9TDMI (and ARM920T with warm caches): five stages, separate instruction and data memory, one
instruction a cycle, and interlocks.

StrongARM (strongarm.py) is the same pipeline with other numbers. Data wait states stand for
accesses to memory that the cache does not hold; the cache hides instruction fetches.
"""

from dataclasses import dataclass

from . import Slot, Timing, parameter
from .arm import walk

TRM = (
    "ARM DDI 0145B, ARM9TDMI manual, chapter 7; Sloss, Symes, Wright, ARM System Developer's Guide"
    " (2004), table D.3"
)


@dataclass(frozen=True)
class Arm9:
    alu: int = parameter(1, TRM)
    register_shift: int = parameter(1, f"more for a shift by a register: {TRM}")
    new_pc: int = parameter(2, f"more for whatever writes the program counter, branches too: {TRM}")
    load: int = parameter(1, TRM)
    load_use: int = parameter(
        1, f"cycles that a loaded word is late, also the last of a load multiple: {TRM}"
    )
    narrow_use: int = parameter(2, f"cycles that a loaded byte or halfword is late: {TRM}")
    store: int = parameter(1, TRM)
    one_of_multiple: int = parameter(
        2, f"a load or store multiple takes n cycles, of one register this: {TRM}"
    )
    multiply: int = parameter(5, f"2+m with m = 3; none of the kernels multiplies: {TRM}")
    failed: int = parameter(1, TRM)
    data_wait: int = parameter(0, "wait states of a data access: a parameter of the board, unknown")

    def time(self, steps):
        clock, slots, ready = 0, [], {}
        for step, kind, done in walk(steps):
            late, why = 0, ""
            for register in kind.reads:
                if ready.get(register, 0) - clock > late:
                    late, why = ready[register] - clock, f"r{register} is loading"
            accesses = 0
            if not done:
                cycles = self.failed
            elif kind.name == "load":
                cycles, accesses = self.load, 1
            elif kind.name == "store":
                cycles, accesses = self.store, 1
            elif kind.name in ("load_multiple", "store_multiple"):
                cycles = accesses = kind.registers
                if cycles == 1:
                    cycles = self.one_of_multiple
            elif kind.name == "swap":
                cycles, accesses = 2, 2
            elif kind.name == "multiply":
                cycles = self.multiply + kind.long
            else:
                cycles = self.alu + self.register_shift * kind.shifts_by_register
            if done and kind.writes_pc:
                cycles += self.new_pc
            cycles += self.data_wait * accesses
            slots.append(Slot(step, clock + late, cycles, late, why))
            clock += late + cycles
            if done and kind.loads:
                for register in kind.loads:
                    ready.pop(register, None)
                ready[kind.loads[-1]] = clock + (
                    self.load_use if kind.size == 4 else self.narrow_use
                )
        return Timing(clock, slots)


ARM9 = Arm9()
