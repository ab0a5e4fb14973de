# SPDX-License-Identifier: MIT OR Apache-2.0
"""MPC7441, the G4 of the AltiVec article: the MPC745x core, its caches and its memory.

Each instruction in order is fetched, dispatched, issued to its unit's single reservation station,
executed when its operands are there, and retired in order. Loads that miss are overlapped, but a
second load to a line on its way holds the load unit.
"""

from collections import OrderedDict
from dataclasses import dataclass

from . import Slot, Timing, parameter
from .ppc import decode

AN = "Freescale AN2203, MPC7450 RISC Microprocessor Family Software Optimization Guide"
SPEC = "Motorola MPC7455 hardware specification, comparison table of cores"
LLVM = "LLVM, PPCScheduleG4Plus.td"
IBM = "the AltiVec article, table"
ALTIVEC = {"simple": "viu1", "complex": "viu2", "permute": "vpu"}


class Cache:
    """Least recently used lines of a set-associative cache.

    The G4 replaces by a tree of seven bits a set. Over a walk that is repeated, the tree misses as
    often once it has settled: evidence/lab/altivec has the test.
    """

    def __init__(self, size, ways, line):
        self.line, self.ways, self.sets = (
            line,
            ways,
            [OrderedDict() for _ in range(size // ways // line)],
        )

    def touch(self, address):
        """Whether it was there; it is now."""
        number = address // self.line
        lines = self.sets[number % len(self.sets)]
        hit = number in lines
        lines[number] = True
        lines.move_to_end(number)
        if len(lines) > self.ways:
            lines.popitem(last=False)
        return hit


@dataclass(frozen=True)
class Mpc745x:
    fetch: int = parameter(
        4, f"instructions fetched a cycle, of one cache block: {AN}, instruction fetch"
    )
    queue: int = parameter(12, f"entries of the instruction queue: {SPEC}")
    dispatch: int = parameter(3, f"instructions dispatched, and retired, a cycle: {SPEC}")
    completion: int = parameter(16, f"entries of the completion queue: {SPEC}")
    giq: int = parameter(
        6, "entries of the general issue queue: MPC7450 user's manual, issue queues"
    )
    viq: int = parameter(
        4, "entries of the vector issue queue: MPC7450 user's manual, issue queues"
    )
    vector_issue: int = parameter(
        2, f"vector instructions dispatched and issued a cycle, in order: {AN}, issue"
    )
    taken: int = parameter(1, f"bubbles after a taken branch that hits the BTIC: {AN}, branches")
    predicts: bool = parameter(
        True,
        f"conditional branches are predicted, as AN2203 and HID0 of running systems have it: {AN}",
    )
    mispredict: int = parameter(6, f"cycles lost by a wrong prediction: {AN}; {SPEC}")
    integer: int = parameter(1, f"latency of an integer operation and a compare: {SPEC}")
    multiply: int = parameter(4, f"latency in IU2, multiplications and special registers: {LLVM}")
    load: int = parameter(3, f"latency of a load, vector loads too: {SPEC}; {IBM} 2")
    simple: int = parameter(1, f"latency of VIU1: {SPEC}; {IBM} 2")
    complex: int = parameter(4, f"latency of VIU2: {SPEC}; {IBM} 2")
    permute: int = parameter(2, f"latency of VPU: {SPEC}; {IBM} 2")
    serial: bool = parameter(
        True,
        f"adde and addze wait until they are the oldest instruction: {AN}, execution serialization",
    )
    l1: int = parameter(
        32 << 10, f"bytes of the data cache, 8 ways of 32-byte lines: {SPEC}; {IBM} 1"
    )
    l2: int = parameter(256 << 10, f"bytes of the second cache, 8 ways: {SPEC}; {IBM} 1")
    l2_latency: int = parameter(9, f"cycles from a load that misses to its data out of L2: {SPEC}")
    alias: int = parameter(
        4, f"cycles more for a load to a line that is on its way: {AN}, load misses (4 to 8)"
    )
    misses: int = parameter(5, f"loads that can miss at a time: {AN}, load misses")
    stores: int = parameter(
        5, "entries of the committed store queue: MPC7450 user's manual, load/store unit"
    )
    memory: int = parameter(
        150,
        "cycles from a miss to its data out of memory: chosen for the Freescale paper's 102 MB/s, "
        "cold: its C function gets 103 here if branches wait for their compare (predicts), and 126 "
        "if they are predicted, as is the default",
    )
    transfer: int = parameter(
        30,
        "cycles of a line on the bus: four beats of 8 bytes at 100 MHz, core at 750, with no cycle "
        "for addresses: MPC7450 user's manual, burst",
    )

    def time(self, steps, cold=False, stream=()):
        """Cycles of the steps. Their data are in the caches as an earlier run left them, or, cold,
        only in memory.

        `stream` is the range of addresses that a data-stream touch asks for, if the steps have one.
        """
        l1, l2 = Cache(self.l1, 8, 32), Cache(self.l2, 8, 32)
        if not cold:
            for _ in range(2 if len(steps) < 200 else 1):
                for step in steps:
                    if step.address is not None and not l1.touch(step.address):
                        l2.touch(step.address)
        ready, arriving, slots, unit_start = {}, {}, [], {}
        retired, dispatched, issued_g, issued_v, commits, pending = [], [], [], [], [], []
        history = {}
        fetch_at = count = bus = retire_last = 0
        line = None
        in_cycle = vector_in_cycle = issue_in_cycle = retire_in_cycle = 0
        last_dispatch = last_vector_issue = -1
        int_starts = {}

        def line_arrives(address, now):
            """When the line of an address is in L1, asked for at a time."""
            nonlocal bus
            key = address >> 5
            if l1.touch(address):
                return arriving.get(key, 0)
            if l2.touch(address):
                arriving[key] = now + self.l2_latency
            else:
                bus = max(now + self.memory, bus + self.transfer)
                arriving[key] = bus
            return arriving[key]

        for n, step in enumerate(steps):
            kind = decode(step.opcode)
            if count >= self.fetch or (line is not None and step.pc >> 5 != line):
                fetch_at, count = fetch_at + 1, 0
            if n >= self.queue and dispatched[n - self.queue] > fetch_at:
                fetch_at, count = dispatched[n - self.queue], 0
            line, count = step.pc >> 5, count + 1
            at = max(fetch_at + 1, last_dispatch)
            if n >= self.completion:
                at = max(at, retired[n - self.completion])
            is_vector = kind.unit in ALTIVEC
            queue, depth = (issued_v, self.viq) if is_vector else (issued_g, self.giq)
            if kind.unit not in ("branch", "none") and len(queue) >= depth:
                at = max(at, queue[-depth])
            if at == last_dispatch:
                if in_cycle >= self.dispatch or (
                    is_vector and vector_in_cycle >= self.vector_issue
                ):
                    at += 1
            if at > last_dispatch:
                last_dispatch, in_cycle, vector_in_cycle = at, 0, 0
            in_cycle += 1
            vector_in_cycle += is_vector
            dispatched.append(at)
            operands = max((ready.get(register, 0) for register in kind.reads), default=0)
            start = finish = at
            if kind.unit in ("branch", "none"):
                start = finish = at
            elif kind.unit == "int":
                start = max(at + 2, operands)
                if kind.serial and self.serial and retired:
                    start = max(start, retired[-1] + 1)
                while int_starts.get(start, 0) >= 3:
                    start += 1
                int_starts[start] = int_starts.get(start, 0) + 1
                finish = start + self.integer
                issued_g.append(at + 1)
            else:
                name = ALTIVEC.get(
                    kind.unit, "lsu" if kind.unit in ("load", "store", "touch", "zero") else "iu2"
                )
                issue = max(
                    at + 1, unit_start.get(name, 0)
                )  # one reservation station: the one before has left it
                if is_vector:
                    issue = max(issue, last_vector_issue)
                    if issue == last_vector_issue and issue_in_cycle >= self.vector_issue:
                        issue += 1
                    if issue > last_vector_issue:
                        last_vector_issue, issue_in_cycle = issue, 0
                    issue_in_cycle += 1
                    issued_v.append(issue)
                else:
                    issued_g.append(issue)
                address_ready = operands
                if kind.unit == "store":
                    address_ready = max((ready.get(r, 0) for r in kind.reads[:-1]), default=0)
                start = max(issue + 1, address_ready, unit_start.get(name, -1) + 1)
                finish = start + {
                    "simple": self.simple,
                    "complex": self.complex,
                    "permute": self.permute,
                    "system": 3,
                }.get(kind.unit, self.load if name == "lsu" else self.multiply)
                if kind.unit == "load" and step.address is not None:
                    was = arriving.get(step.address >> 5, 0)
                    pending = [p for p in pending if p > start]
                    if was > start:  # a second load to a line on its way holds the unit
                        finish = max(finish, was + self.alias)
                        unit_start[name] = was
                    else:
                        if len(pending) >= self.misses:
                            start = max(start, min(pending))
                        arrives = line_arrives(step.address, start)
                        if arrives > start:
                            pending.append(arrives)
                            finish = max(finish, arrives + 1)
                elif kind.unit == "store":
                    if len(commits) >= self.stores:
                        start = max(start, commits[-self.stores])
                    finish = max(start + 1, operands + 1)
                    done = (
                        finish
                        if step.address is None
                        else max(finish, line_arrives(step.address, finish))
                    )
                    commits.append(max(done, commits[-1] + 1 if commits else 0))
                elif kind.unit == "zero" and step.address is not None:
                    l1.touch(step.address)
                    l2.touch(step.address)
                elif kind.unit == "touch":
                    for address in stream:
                        line_arrives(address, start)
                unit_start[name] = max(unit_start.get(name, -1), start)
            for register in kind.writes:
                ready[register] = finish
            if kind.update >= 0:
                ready[kind.update] = start + 1
            retire = max(finish + 1, retire_last)
            if retire == retire_last and retire_in_cycle >= self.dispatch:
                retire += 1
            retire_in_cycle = retire_in_cycle + 1 if retire == retire_last else 1
            retire_last = retire
            retired.append(retire)
            slots.append(Slot(step, start, max(finish - start, 1)))
            if kind.unit == "branch" and n + 1 < len(steps):
                is_taken = steps[n + 1].pc != step.pc + 4
                if is_taken:
                    fetch_at, count, line = fetch_at + 1 + self.taken, 0, None
                if kind.condition >= 0:
                    known = ready.get(kind.condition, 0)
                    guess = history.get(
                        step.pc,
                        True
                        if n + 1 < len(steps) and is_taken and steps[n + 1].pc < step.pc
                        else False,
                    )
                    history[step.pc] = is_taken
                    if not self.predicts:
                        fetch_at = max(fetch_at, known + is_taken * self.taken)
                    elif guess != is_taken:
                        fetch_at, count, line = max(fetch_at, known + self.mispredict - 1), 0, None
                elif kind.name == "bdnz" and not is_taken and n > 0:
                    fetch_at, count, line = fetch_at + 1, 0, None
        return Timing(retire_last, slots)


MPC7441 = Mpc745x()
