# SPDX-License-Identifier: MIT OR Apache-2.0
"""Completions in memory: place, contents, order, answers with errors."""

import cocotb
from cocotb.triggers import RisingEdge
from streams import PATTERNS, Sink, Source, pauses

from bench import PARAMETERS, begin, chance, edges, rounds

SIZE = PARAMETERS.get("DATA_WIDTH", 64) // 8
BASE = 0xFEDC_BA98_7654_3200 - 0x3200 % 128
RING = 3


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.results = Source(dut, "s_result_", "valid", "ready")
        self.addresses = Sink(dut, "m_axi_aw", ("addr",), "valid", "ready")
        self.data = Sink(dut, "m_axi_w", ("data", "strb"), "valid", "ready")
        self.answers = Source(dut, "m_axi_", "bvalid", "bready")
        self.retired, self.sent, self.response = [], [], 0
        cocotb.start_soon(self._memory())
        cocotb.start_soon(self._watch())
        self.stored, self.answered = [], 0

    async def _memory(self):
        """Stores a beat once its address and its data are there, and answers."""
        while True:
            await RisingEdge(self.dut.clk)
            while self.addresses.beats and self.data.beats:
                address = self.addresses.beats.popleft()["addr"]
                beat = self.data.beats.popleft()
                assert address % SIZE == 0
                for word in range(SIZE // 8):
                    strobes = beat["strb"] >> 8 * word & 0xFF
                    assert strobes in (0, 0xFF)
                    if strobes:
                        value = beat["data"] >> 64 * word & (1 << 64) - 1
                        self.stored.append((address + 8 * word, value))
                self.answers.queue.append({"bresp": self.response})

    async def _watch(self):
        while True:
            await RisingEdge(self.dut.clk)
            if self.dut.retire.value == 1:
                self.retired.append(int(self.dut.retire_error.value))
            if self.dut.sent.value == 1:
                self.sent.append(int(self.dut.sent_head.value))


def completion(number, result):
    """The place and the contents of the completion of the job with that number."""
    total, errors, tag = result["sum"], result["errors"], result["tag"]
    status = errors << 1 | 1 - (number >> RING & 1)
    data = total.to_bytes(2, "big") + status.to_bytes(2, "little") + tag.to_bytes(4, "little")
    return BASE + 8 * (number % 8), int.from_bytes(data, "little")


def result(rng, number):
    return {
        "sum": rng.getrandbits(16),
        "errors": rng.choice([0, 0, 0, 1, 2, 4, 7]),
        "tag": rng.getrandbits(32),
        "number": number,
    }


async def bench(dut, name):
    made = Bench(dut, chance(f"engine_writer {name}"))
    await begin(dut, stop=0, base=BASE, size=RING)
    return made


@cocotb.test()
async def random_results(dut):
    """Every pattern of pauses, several laps, gaps in the numbers as long jobs leave them."""
    made = await bench(dut, "random")
    rng, number, wanted, retired, sent = made.rng, 65500, [], [], []
    for sender, receiver in PATTERNS.values():
        made.results.pauses = pauses(rng, sender)
        made.answers.pauses = pauses(rng, sender)
        made.addresses.pauses = pauses(rng, receiver)
        made.data.pauses = pauses(rng, receiver)
        for _ in range(rounds(120)):
            number += rng.choice([1, 1, 1, 2, 7])
            item = result(rng, number & 0xFFFF)
            made.results.queue.append(item)
            wanted.append(completion(len(wanted), item))
            sent.append((number + 1) & 0xFFFF)
            retired.append(int(item["errors"] != 0))
        while made.results.queue:
            await edges(dut)
    await edges(dut, 200)
    assert made.stored == wanted
    assert made.retired == retired and made.sent == sent and dut.idle.value == 1


@cocotb.test()
async def a_completion_a_cycle(dut):
    made = await bench(dut, "rate")
    for number in range(10):
        made.results.queue.append(result(made.rng, number))
    await edges(dut, 40)
    times = made.addresses.taken
    assert times == list(range(times[0], times[0] + 10)) == made.data.taken
    assert times[0] - made.results.taken[0] == 1


@cocotb.test()
async def address_and_data_go_their_own_ways(dut):
    """Memory that takes all data first, or all addresses first, gets the same."""
    made = await bench(dut, "ways")
    wanted = []
    for slow in ("addresses", "data"):
        getattr(made, slow).paused = True
        items = [result(made.rng, number) for number in range(4)]
        made.results.queue.extend(items)
        await edges(dut, 20)
        assert made.stored == wanted
        getattr(made, slow).paused = False
        await edges(dut, 40)
        wanted += [completion(len(wanted) + n, item) for n, item in enumerate(items)]
        assert made.stored == wanted


@cocotb.test()
async def an_error_stops(dut):
    """A completion that memory refuses is not announced, and none follows it."""
    made = await bench(dut, "error")
    made.response = 2
    made.results.queue.append(result(made.rng, 0))
    await edges(dut, 20)
    assert dut.failed.value == 1 and not made.retired
    made.results.queue.append(result(made.rng, 1))
    await edges(dut, 20)
    assert len(made.stored) == 1


@cocotb.test()
async def a_stop_keeps_what_stands(dut):
    made = await bench(dut, "stop")
    made.addresses.paused = True
    made.results.queue.extend(result(made.rng, number) for number in range(3))
    await edges(dut, 5)
    dut.stop.value = 1
    await edges(dut, 10)
    assert dut.m_axi_awvalid.value == 1 and dut.idle.value == 0
    made.addresses.paused = False
    await edges(dut, 20)
    assert len(made.stored) == 1 and dut.idle.value == 1
