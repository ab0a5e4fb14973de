# SPDX-License-Identifier: MIT OR Apache-2.0
"""PowerPC 405, the processor inside a Virtex-II Pro: five stages, one instruction at a time, in
order.

Instructions come two at a time into a queue (two prefetch buffers before the decode stage), and
from there one a cycle into execution. A taken branch that waited in the queue costs only its own
cycle; a wrong guess is corrected when its condition is known. With the caches off each word of data
is a transaction of its own, and so is each line of instructions that the buffer does not hold.
"""

from collections import OrderedDict
from dataclasses import dataclass

from . import Slot, Timing, parameter
from .mpc7441 import Cache
from .ppc import CR, CTR, LR, decode

UM = "IBM SA14-2339, PPC405 Core User's Manual"
XILINX = "Xilinx DS083, Virtex-II Pro data sheet, embedded PowerPC 405"
UG018 = "Xilinx UG018, PowerPC 405 Processor Block Reference Guide"
STORES = 3


@dataclass(frozen=True)
class Ppc405:
    integer: int = parameter(
        1, f"cycles of every instruction that no other line names: {UM}, C.2.1"
    )
    load_use: int = parameter(
        1, f"cycles more where the next instruction uses the result of a load: {UM}, C.2.4"
    )
    multiply: int = parameter(
        4,
        f"cycles of a multiplication of words: GCC, 40x.md, ppc405-imul; {UM}, C.2.1, one to five",
    )
    cache_control: int = parameter(2, f"cycles of a data cache control instruction: {UM}, C.2.1")
    taken_late: int = parameter(
        1,
        "cycles more for a taken branch first decoded in the decode stage, not in the queue before "
        f"it: {UM}, C.2.2",
    )
    resolve: int = parameter(
        3,
        "cycles from a compare's execution to the decoding of the instruction after a branch that "
        "was guessed wrong: such a branch takes three cycles next to its compare, two with one "
        f"instruction between: {UM}, C.2.2",
    )
    fetch: int = parameter(
        2,
        "instructions a cycle from the instruction cache, of one aligned pair: "
        f"{UM}, 4.2.1; {XILINX}",
    )
    queue: int = parameter(
        3, f"instructions that wait: decode stage and two prefetch buffers: {UM}, figure 4-1"
    )
    instruction_cache: bool = parameter(True, "whether it is on: the FPGA paper does not say")
    data_cache: bool = parameter(True, "whether it is on: the FPGA paper does not say")
    cache: int = parameter(16 << 10, f"bytes of each cache, two ways of 32-byte lines: {XILINX}")
    transaction: int = parameter(
        3,
        "cycles of a read on the bus in addition to the memory's, so that uncached loads take four "
        f"each at best: {UM}, 4.6.4",
    )
    memory: int = parameter(
        24,
        "cycles from a request to its first word: assumed, as in rtl/models, because an example of "
        "Xilinx DS643 seems to have 25; 1 is the least that the bus allows",
    )
    fill: int = parameter(
        3,
        "cycles in which a full line buffer moves into the data cache, and no access can begin: "
        f"{UM}, 4.6.1",
    )
    store: int = parameter(
        2, f"cycles between uncached stores, three of which may wait: {UM}, 4.6.4"
    )

    def time(self, steps, cold=False, device=1 << 32):
        """Cycles of the steps. Caches that are on hold the code, and the data that an earlier run
        left in them; or, cold, no data.

        Accesses from the address `device` on are to registers of a device. They take a cycle here;
        the caller adds their cost.
        """
        data = Cache(self.cache, 2, 32)
        if self.data_cache and not cold:
            for step in steps:
                if step.address is not None and step.address < device:
                    data.touch(step.address)
        kinds = {}
        ready = {}  # register → first execution that may read it
        setter = {}  # condition, CTR or LR → execution that set it
        slots, starts, stored = [], [], []
        # Line of data on its way → (the cycle of its first doubleword, which one that is).
        arriving = OrderedDict()
        fetch_at = room = 0  # the cycle of the next pair; instructions left of the last pair
        line = following = None  # the buffered line; the next program counter
        arrive = free = bus = full = 0
        latency = self.transaction + self.memory
        for n, step in enumerate(steps):
            kind = kinds.get(step.opcode)
            if kind is None:
                kind = kinds[step.opcode] = decode(step.opcode)
                if kind.vector:
                    raise ValueError(f"ppc405: no such instruction: {step.opcode:08x}")
            pc, unit = step.pc, kind.unit
            # Fetch: an aligned pair a cycle while the queue has room; without a cache by lines of
            # eight, each kept until the next.
            if not room or pc != following:
                room = self.fetch - (pc >> 2) % self.fetch
                if n >= self.queue:
                    fetch_at = max(fetch_at, starts[-self.queue])
                if not self.instruction_cache and pc >> 5 != line:
                    bus = fetch_at = max(bus, fetch_at) + latency
                    line = pc >> 5
                arrive = fetch_at
                fetch_at += 1
            room -= 1
            following = pc + 4
            decoded = max(arrive, starts[-1]) if starts else arrive
            # Execution.
            start, why = max(decoded + 1, free), ""
            for register in kind.reads:
                if ready.get(register, 0) > start:
                    start, why = ready[register], "operand"
            cycles = self.integer
            done = start + cycles
            if unit in ("load", "store"):
                address = step.address
                if address >= device:
                    done = start + 1 + self.load_use
                elif self.data_cache:
                    number, word = address >> 5, address >> 3
                    if full <= start < full + self.fill:
                        start, why = full + self.fill, "line fill"
                    done = start + 1 + self.load_use
                    if number in arriving and start < arriving[number][0] + 4:
                        first, begun = arriving[number]
                        done = max(done, first + (word - begun) % 4)
                    elif not data.touch(address):
                        if len(arriving) > 1:  # at most two fills on their way
                            first, _ = arriving.popitem(last=False)[1]
                            start = max(start, first + 4)
                        bus = max(start + latency, bus + 4)
                        arriving[number] = bus, word
                        full = bus + 4
                        done = max(start + 1 + self.load_use, bus)
                elif unit == "load":
                    start = max(start, bus, stored[-1] if stored else 0)
                    bus = done = start + latency
                else:
                    if len(stored) >= STORES:
                        start = max(start, stored[-STORES])
                    stored = [
                        *stored[-STORES:],
                        max(start, bus, stored[-1] if stored else 0) + self.store,
                    ]
                if kind.update >= 0:
                    ready[kind.update] = start + 1
                if unit == "load":
                    ready[kind.writes[0]] = done
            else:
                if kind.name in ("mul", "mulli"):
                    cycles = self.multiply
                elif kind.name == "dcbst":
                    cycles = self.cache_control
                done = start + cycles
            # The instruction after a branch comes at once, unless the branch was decoded late, or
            # guessed wrong and known later.
            if unit == "branch" and n + 1 < len(steps):
                taken = steps[n + 1].pc != following
                target = [register for register in kind.reads if register in (CTR, LR)]
                needs = (
                    [kind.condition] * (kind.condition >= 0)
                    + [CTR] * (kind.name == "bdnz")
                    + target
                )
                after = decoded + 1 + (self.taken_late if taken and arrive == decoded else 0)
                if needs and (target or _taken_by_default(step.opcode) != taken):
                    after = max(
                        after, *(setter.get(register, -9) + self.resolve for register in needs)
                    )
                if taken or after > decoded + 1:
                    fetch_at, room = after, 0
            for register in kind.writes:
                if unit != "load":
                    ready[register] = done
                if register >= CR:
                    setter[register] = start
            starts.append(start)
            free = start + cycles
            slots.append(Slot(step, start, cycles, start - decoded - 1, why))
        return Timing(free, slots)


def _taken_by_default(word):
    """The static guess: backwards yes, forwards no, reversed by the lowest bit of BO. A branch to a
    register counts as forwards."""
    backwards = word >> 26 == 16 and bool(word & 0x8000)
    return backwards != bool(word >> 21 & 1)


PPC405 = Ppc405()
