# SPDX-License-Identifier: MIT OR Apache-2.0
"""AXI4-Streams for the testbenches: beats, results, pauses, and what goes on in each cycle."""

from collections import deque

import cocotb
from bench import PARAMETERS, PERIOD, edges
from cocotb.triggers import Event, RisingEdge, with_timeout
from cocotb.utils import get_sim_time

PATTERNS = {  # name: the chance that a side pauses in a cycle, the sender's and the receiver's
    "neither pauses": (0, 0),
    "the sender pauses": (0.6, 0),
    "the receiver pauses": (0, 0.8),
    "both pause": (0.4, 0.6),
}


def pauses(rng, chance):
    """A pause generator. Half the pauses are single cycles, others last longer."""
    while True:
        paused = rng.random() < chance
        for _ in range(rng.choice([1, 1, 3, 20])):
            yield paused


def lanes(data, width, null=()):
    """The beats of a frame as (tdata, tkeep, tlast). `null` names byte places that are null.

    The lanes of null bytes carry ones, so a byte that is not nulled changes the sum.
    """
    size = width // 8
    found = []
    for at in range(0, max(len(data), 1), size):
        kept = [i < len(data) and i not in null for i in range(at, at + size)]
        beat = bytes(data[at + i] if keep else 0xFF for i, keep in enumerate(kept))
        tkeep = sum(keep << i for i, keep in enumerate(kept))
        found.append((int.from_bytes(beat, "little"), tkeep, at + size >= len(data)))
    return found


def along(beat, rng):
    """The beat with any tid, tdest and bits of the user's in tuser, after its bit 0."""
    tid, tdest, user = (
        rng.getrandbits(PARAMETERS.get(f"{name}_WIDTH", 1)) for name in ("ID", "DEST", "USER")
    )
    return {**beat, "tid": tid, "tdest": tdest, "tuser": beat["tuser"] | user << 1}


class Source:
    """Drives beats, dictionaries of a stream's signals; a beat stands until it is taken."""

    def __init__(self, dut, prefix, valid="tvalid", ready="tready"):
        self.dut, self.prefix = dut, prefix
        self.valid, self.ready = (getattr(dut, prefix + name) for name in (valid, ready))
        self.queue, self.pauses, self.taken = deque(), None, []
        self.valid.value = 0
        cocotb.start_soon(self._run())

    async def _run(self):
        stands = False
        while True:
            if not stands or not self.queue:
                paused = self.pauses is not None and next(self.pauses)
                stands = bool(self.queue) and not paused
                self.valid.value = int(stands)
                for name, value in (self.queue[0] if stands else {}).items():
                    getattr(self.dut, self.prefix + name).value = value
            await RisingEdge(self.dut.clk)
            if stands and self.queue and self.ready.value == 1:
                self.queue.popleft()
                self.taken.append(now())
                stands = False


class Sink:
    """Takes beats as dictionaries. A beat that changes or goes before it is taken is a failure.

    `pulses`: each beat stands for one cycle, whether the sink is ready or not.
    """

    def __init__(self, dut, prefix, names, valid="tvalid", ready="tready", pulses=False):
        self.pulses = pulses
        self.dut, self.signals = dut, {name: getattr(dut, prefix + name) for name in names}
        self.valid, self.ready = (getattr(dut, prefix + name) for name in (valid, ready))
        self.beats, self.pauses, self.taken = deque(), None, []
        self.paused, self.came = False, Event()
        cocotb.start_soon(self._run())

    async def _run(self):
        waits = None
        while True:
            ready = not (self.paused or (self.pauses is not None and next(self.pauses)))
            self.ready.value = int(ready)
            await RisingEdge(self.dut.clk)
            if self.dut.rst.value != 0:
                waits = None
                continue
            beat = None
            if self.valid.value == 1:
                beat = {name: int(signal.value) for name, signal in self.signals.items()}
            assert waits is None or beat == waits, (waits, beat)
            taken = ready or self.pulses
            waits = None if taken else beat
            if beat is not None and taken:
                self.beats.append(beat)
                self.taken.append(now())
                self.came.set()

    async def take(self, most=10000):
        """The next beat. None within that many cycles is a failure."""
        if not self.beats:
            self.came.clear()
            await with_timeout(self.came.wait(), most * PERIOD, "ns")
        return self.beats.popleft()


class Bench:
    """A block that takes frames and gives a result for each: it sends the frames of a test, which
    know their beats, and has each of them check its result."""

    def __init__(self, dut, rng, fields, pulses=False, most=10000, quiet=30):
        self.dut, self.rng, self.width = dut, rng, len(dut.s_axis_tdata)
        self.size = self.width // 8
        self.most, self.quiet = most, quiet  # cycles: to a result, and without one at the end
        self.source = Source(dut, "s_axis_")
        self.sink = Sink(dut, "m_result_", fields, "valid", "ready", pulses)

    def pause(self, sender, receiver):
        self.source.pauses = pauses(self.rng, sender)
        self.sink.pauses = pauses(self.rng, receiver)

    def send(self, frame):
        self.source.queue.extend(frame.beats(self.width, self.rng))

    async def run(self, frames):
        """Sends the frames, checks each one's result, and that no other comes."""
        for frame in frames:
            self.send(frame)
        for frame in frames:
            frame.check(await self.sink.take(self.most))
        await edges(self.dut, self.quiet)
        assert not self.sink.beats, "a result without a frame"


def now():
    """The number of the cycle."""
    return round(get_sim_time("ns") / PERIOD)
