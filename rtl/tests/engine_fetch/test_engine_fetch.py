# SPDX-License-Identifier: MIT OR Apache-2.0
"""The descriptor ring: each descriptor before the tail is fetched once, in order, and no other."""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds
from cocotb.triggers import RisingEdge
from streams import PATTERNS, Sink, pauses

WIDTH = PARAMETERS.get("DATA_WIDTH", 64)
BASE = 0xFEDC_BA98_7654_3200 - 0x3200 % 128
NAMES = ("source", "target", "length", "seed", "flags", "tag", "number")


class Bench:
    """A memory of descriptors behind the requests: the descriptor of number i has i in it."""

    def __init__(self, dut, rng):
        self.dut, self.rng, self.asked, self.bad = dut, rng, [], set()
        self.requests = Sink(dut, "m_fetch_", ("address",), "valid", "ready")
        self.descriptors = Sink(dut, "m_descriptor_", NAMES, "valid", "ready")
        self.beats, self.pauses, self.tail = [], None, 0
        cocotb.start_soon(self._memory())

    def descriptor(self, number):
        rng = chance(f"descriptor {number}")
        values = {
            "source": rng.getrandbits(64),
            "target": rng.getrandbits(64),
            "length": rng.getrandbits(32),
            "seed": rng.getrandbits(16),
            "flags": rng.getrandbits(16),
            "tag": rng.getrandbits(32),
        }
        at = {"source": 0, "target": 8, "length": 16, "seed": 20, "flags": 22, "tag": 24}
        whole = sum(values[name] << 8 * place for name, place in at.items())
        whole |= rng.getrandbits(32) << 224
        return values | {"number": number}, whole

    async def _memory(self):
        """Answers the requests in order; `bad` are numbers whose last beat has an error."""
        self.dut.s_beat_valid.value = 0
        while True:
            while self.requests.beats:
                address = self.requests.beats.popleft()["address"]
                number = len(self.asked)
                self.asked.append(address)
                _, whole = self.descriptor(number)
                if WIDTH <= 256:
                    parts = [whole >> at & (1 << WIDTH) - 1 for at in range(0, 256, WIDTH)]
                else:
                    noise = self.rng.getrandbits(WIDTH)
                    at = address % (WIDTH // 8) * 8
                    mask = (1 << 256) - 1 << at
                    parts = [noise & ~mask | whole << at]
                self.beats += [
                    (part, number in self.bad and i == len(parts) - 1)
                    for i, part in enumerate(parts)
                ]
            send = bool(self.beats) and not (self.pauses and next(self.pauses))
            self.dut.s_beat_valid.value = int(send)
            if send:
                data, error = self.beats.pop(0)
                self.dut.s_beat_data.value = data
                self.dut.s_beat_error.value = int(error)
            await RisingEdge(self.dut.clk)

    async def ring(self, tail):
        self.dut.doorbell.value = 1
        self.dut.doorbell_tail.value = tail & 0xFFFF
        await edges(self.dut)
        self.dut.doorbell.value = 0

    async def retire(self, head):
        self.dut.sent.value = 1
        self.dut.sent_head.value = head & 0xFFFF
        await edges(self.dut)
        self.dut.sent.value = 0


async def bench(dut, name, size=3):
    made = Bench(dut, chance(f"engine_fetch {name}"))
    await begin(
        dut,
        **{"enable": 1, "base": BASE, "size": size, "misplaced": 0},
        **{"doorbell": 0, "sent": 0, "s_beat_error": 0},
    )
    return made


@cocotb.test()
async def random_doorbells(dut):
    """Laps of a ring of eight, in every pattern of pauses: order, address, contents, no other."""
    made = await bench(dut, "random")
    rng, tail, head = made.rng, 0, 0
    for sender, receiver in PATTERNS.values():
        made.pauses = pauses(rng, sender)
        made.requests.pauses = pauses(rng, receiver)
        made.descriptors.pauses = pauses(rng, receiver)
        for _ in range(rounds(80)):
            tail += rng.randrange(0, head + 8 - tail + 1)
            await made.ring(tail)
            while head < tail and rng.random() < 0.8:
                got = await made.descriptors.take()
                wanted, _ = made.descriptor(head)
                assert got == wanted, (head, got, wanted)
                head += 1
                await made.retire(head)
                assert dut.head.value == head & 0xFFFF
    while head < tail:
        assert (await made.descriptors.take()) == made.descriptor(head)[0]
        head += 1
    await edges(dut, 40)
    assert made.asked == [BASE + 32 * (i % 8) for i in range(tail)]
    assert not made.descriptors.beats and dut.overrun.value == 0


@cocotb.test()
async def sixteen_wait(dut):
    """A reader that takes nothing: sixteen descriptors and one more are fetched; none is lost."""
    made = await bench(dut, "wait", size=6)
    made.descriptors.paused = True
    await made.ring(64)
    await edges(dut, 200)
    assert len(made.asked) == 17
    made.descriptors.paused = False
    for number in range(64):
        assert (await made.descriptors.take()) == made.descriptor(number)[0]
    assert dut.pending.value == 1
    await made.retire(64)
    await edges(dut, 2)
    assert dut.pending.value == 0


@cocotb.test()
async def a_tail_too_far_is_refused(dut):
    """More descriptors than places, or a tail that moves back: an error, and no fetch."""
    made = await bench(dut, "overrun")
    for tail, first in ((9, 0), (0x8000, 0), (2, 3)):
        dut.rst.value = 1
        await edges(dut, 2)
        dut.rst.value = 0
        made.asked.clear()
        await made.ring(first)
        await edges(dut, 60)
        assert dut.overrun.value == 0 and len(made.asked) == first
        await made.ring(tail)
        await edges(dut, 60)
        assert dut.overrun.value == 1 and len(made.asked) == first
        await made.ring(first + 1)
        await edges(dut, 60)
        assert len(made.asked) == first


@cocotb.test()
async def a_full_ring_is_no_error(dut):
    made = await bench(dut, "full")
    await made.ring(8)
    for number in range(8):
        assert (await made.descriptors.take()) == made.descriptor(number)[0]
    assert dut.overrun.value == 0


@cocotb.test()
async def small_rings(dut):
    """Rings of one, two and four places, which may be fewer than a beat has descriptors."""
    made = await bench(dut, "small")
    for size in (0, 1, 2):
        dut.size.value = size
        dut.rst.value = 1
        await edges(dut, 2)
        dut.rst.value = 0
        made.asked.clear()
        for number in range(9):
            await made.ring(number + 1)
            assert (await made.descriptors.take()) == made.descriptor(number)[0]
            await made.retire(number + 1)
        assert made.asked == [BASE + 32 * (i % (1 << size)) for i in range(9)]


@cocotb.test()
async def a_descriptor_with_an_error_halts(dut):
    """Those before it are handed on; it and those behind it are not."""
    made = await bench(dut, "halt")
    made.bad = {3}
    await made.ring(8)
    await edges(dut, 150)
    assert dut.halted.value == 1
    assert [d["number"] for d in made.descriptors.beats] == [0, 1, 2]
    asked = len(made.asked)
    await made.retire(3)
    await made.ring(10)
    await edges(dut, 50)
    assert len(made.asked) == asked


@cocotb.test()
async def a_stopped_ring_fetches_nothing(dut):
    made = await bench(dut, "enable")
    dut.enable.value = 0
    await made.ring(4)
    await edges(dut, 30)
    assert not made.asked and dut.pending.value == 1
    dut.enable.value = 1
    for number in range(4):
        assert (await made.descriptors.take()) == made.descriptor(number)[0]
