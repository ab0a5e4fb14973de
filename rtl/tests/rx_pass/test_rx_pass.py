# SPDX-License-Identifier: MIT OR Apache-2.0
"""Frames that pass with their verdicts, which are judged as in the tests of rx_check."""

from collections import deque

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds
from frames import FIELDS, GOOD, UDP_, Frame, plain_udp, random_frame
from streams import PATTERNS, Sink, Source, along, lanes, pauses

BEATS, ABORT_LONG = PARAMETERS["BEATS"], PARAMETERS.get("ABORT_LONG", 0)
# Where m_axis_tuser has each field of a result.
PLACES = dict(
    zip(
        ("ipv4", "verdict", "status", "sum", "length", "network", "upper", "protocol"),
        ((2, 2), (4, 2), (6, 9), (15, 16), (31, 16), (47, 8), (55, 10), (65, 8)),
        strict=True,
    )
)
assert {*PLACES} == {*FIELDS}


def result(tuser):
    return {name: tuser >> at & (1 << bits) - 1 for name, (at, bits) in PLACES.items()}


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng, self.width = dut, rng, len(dut.s_axis_tdata)
        self.size = self.width // 8
        self.source = Source(dut, "s_axis_")
        self.sink = Sink(dut, "m_axis_", ("tdata", "tkeep", "tlast", "tid", "tdest", "tuser"))
        self.sent = deque()  # the beats that have to leave

    def pause(self, sender, receiver):
        self.source.pauses = pauses(self.rng, sender)
        self.sink.pauses = pauses(self.rng, receiver)

    def send(self, frame):
        beats = [along(beat, self.rng) for beat in frame.beats(self.width, self.rng)]
        self.source.queue.extend(beats)
        self.sent.extend(beats)

    async def check(self, frame):
        """Takes the beats of a frame: each as it came, with what is known of the frame."""
        beats = lanes(frame.data, self.width, frame.null)
        long = len(beats) > BEATS
        for _, tkeep, tlast in beats:
            got, sent = await self.sink.take(20000), self.sent.popleft()
            about = (frame.data[:160].hex(), len(frame.data), got, sent)
            mask = sum(0xFF << 8 * k for k in range(self.size) if tkeep >> k & 1)
            for name in ("tkeep", "tlast", "tid", "tdest"):
                assert got[name] == sent[name], (name, about)
            assert (got["tdata"] ^ sent["tdata"]) & mask == 0, about
            assert got["tuser"] >> 73 == sent["tuser"] >> 1, about
            assert got["tuser"] & 1 == (tlast and (frame.aborted or (long and ABORT_LONG))), about
            assert got["tuser"] >> 1 & 1 == long, about
            if long:
                assert not any(result(got["tuser"]).values()), about
            else:
                frame.check(result(got["tuser"]))

    async def run(self, frames):
        """Sends the frames, checks each, and that nothing else comes."""
        for frame in frames:
            self.send(frame)
        for frame in frames:
            await self.check(frame)
        await edges(self.dut, 80)
        assert not self.sink.beats, "a beat of no frame"


async def bench(dut, name):
    made = Bench(dut, chance(f"rx_pass {name}"))
    await begin(dut)
    return made


def any_frame(data):
    """A frame that may have any verdict."""
    frame = Frame(data, None, None, None, None, None)
    frame.wanted["status"] = None
    return frame


@cocotb.test()
async def random_frames(dut):
    """Every pattern of pauses; aborted and sparse frames among them."""
    made = await bench(dut, "random")
    for chances in PATTERNS.values():
        made.pause(*chances)
        frames = []
        for i in range(rounds(120)):
            frame = random_frame(made.rng, 900 if i % 10 == 0 else 200)
            frame.aborted = int(made.rng.random() < 0.1)
            if made.rng.random() < 0.05:
                frame.null = {made.rng.randrange(len(frame.data) - 1)}
            frames.append(frame)
        await made.run(frames)


@cocotb.test()
async def long_frames(dut):
    """A frame that fits to the last beat is judged, one of a beat more passes. None blocks."""
    made = await bench(dut, "long")
    full, judged = BEATS * made.size, Frame(plain_udp(b"after"), 14, 34, UDP_, GOOD, GOOD)
    lengths = [full, full + 1, 0, 0, 3 * full, full + made.size, full + 1, 0, full - 1]
    for sender, receiver in ((0, 0), (0, 0.7), (0.5, 0)):
        made.pause(sender, receiver)
        await made.run([any_frame(made.rng.randbytes(n)) if n else judged for n in lengths])


@cocotb.test()
async def no_dead_cycle(dut):
    """Frames of one beat, then whole ones, come and go without a dead cycle."""
    made = await bench(dut, "rate")
    frames = [any_frame(made.rng.randbytes(made.size)) for _ in range(150)]
    frames += [random_frame(made.rng, 60) for _ in range(40)]
    longest = (BEATS - 64) * made.size
    frames += [any_frame(made.rng.randbytes(longest - i)) for i in (0, 1, 2)]
    await made.run(frames)
    came, left = made.source.taken, made.sink.taken
    assert came == list(range(came[0], came[0] + len(came))), "a dead cycle"
    assert left[:150] == list(range(left[0], left[0] + 150)), "a dead cycle of the output"


@cocotb.test()
async def nothing_is_lost(dut):
    """A receiver that takes nothing stops the input; then each frame leaves whole."""
    made = await bench(dut, "wait")
    for length in (1, made.size, 5 * made.size + 1):
        made.sink.paused = True
        frames = [any_frame(made.rng.randbytes(length)) for _ in range(2 * BEATS)]
        for frame in frames:
            made.send(frame)
        await edges(dut, 3 * BEATS + 300)
        assert dut.s_axis_tready.value == 0
        made.sink.paused = False
        for frame in frames:
            await made.check(frame)
        await edges(dut, 80)
        assert not made.sink.beats


@cocotb.test()
async def resets(dut):
    """A reset leaves no frame, no sum and no status behind."""
    made = await bench(dut, "resets")
    for number in range(rounds(40)):
        made.pause(0, 0.8 if number % 2 else 0)
        for i in range(6):
            long = number % 3 == 0 and i == 2
            size = 2 * BEATS * made.size if long else made.rng.randrange(14, 300)
            made.send(any_frame(made.rng.randbytes(size)))
        await edges(dut, made.rng.randrange(1, 150))
        made.source.queue.clear()
        dut.rst.value = 1
        await edges(dut, made.rng.randrange(1, 5))
        assert dut.m_axis_tvalid.value == 0 and dut.s_axis_tready.value == 0
        dut.rst.value = 0
        made.sink.beats.clear()
        made.sent.clear()
        made.pause(0, 0)
        await made.run([Frame(plain_udp(b"odd"), 14, 34, UDP_, GOOD, GOOD)])


LATENCY = {64: 29}  # cycles after the last beat, by width


@cocotb.test()
async def latency(dut):
    """The latency of README.md, of a UDP packet over IPv4, short or long, at 64 bits."""
    made = await bench(dut, "latency")
    for size in (18, 1000):
        frame = Frame(plain_udp(bytes(size)), 14, 34, UDP_, GOOD, GOOD)
        left = len(made.sink.taken)
        await made.run([frame])
        waited = made.sink.taken[left] - made.source.taken[-1]
        assert waited == LATENCY.get(made.width, waited), (size, waited)
