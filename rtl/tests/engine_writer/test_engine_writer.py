# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes: completions with place, contents and order, bursts, answers with errors."""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds
from cocotb.triggers import RisingEdge
from streams import PATTERNS, Sink, Source, pauses

SIZE = PARAMETERS.get("DATA_WIDTH", 64) // 8
BASE = 0xFEDC_BA98_7654_3200 - 0x3200 % 128
RING = 3


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.results = Source(dut, "s_result_", "valid", "ready")
        self.bursts = Source(dut, "s_burst_", "valid", "ready")
        self.beats = Source(dut, "s_beat_", "valid", "ready")
        self.addresses = Sink(dut, "m_axi_aw", ("addr", "len"), "valid", "ready")
        self.data = Sink(dut, "m_axi_w", ("data", "strb", "last"), "valid", "ready")
        self.answers = Source(dut, "m_axi_", "bvalid", "bready")
        self.retired, self.sent, self.response, self.copied, self.bad = [], [], 0, [], {}
        cocotb.start_soon(self._memory())
        cocotb.start_soon(self._watch())
        self.stored, self.answered = [], 0

    async def _memory(self):
        """Stores a beat once its address and its data are there, and answers."""
        while True:
            await RisingEdge(self.dut.clk)
            while self.addresses.beats and (len(self.data.beats) > self.addresses.beats[0]["len"]):
                burst = self.addresses.beats.popleft()
                address, count = burst["addr"], burst["len"] + 1
                assert address % SIZE == 0
                if address < 1 << 63:  # a copy's
                    beats = [self.data.beats.popleft() for _ in range(count)]
                    assert [b["last"] for b in beats] == [0] * (count - 1) + [1]
                    self.copied.append((address, [(b["data"], b["strb"]) for b in beats]))
                    self.answers.queue.append({"bresp": self.bad.get(address, 0)})
                    continue
                beat = self.data.beats.popleft()
                assert count == 1 and beat["last"] == 1
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


def completion(number, result, copy_errors=0):
    """The place and the contents of the completion of the job with that number."""
    total, errors, tag = result["sum"], result["errors"], result["tag"]
    errors |= copy_errors << 3
    status = errors << 1 | 1 - (number >> RING & 1)
    data = total.to_bytes(2, "big") + status.to_bytes(2, "little") + tag.to_bytes(4, "little")
    return BASE + 8 * (number % 8), int.from_bytes(data, "little")


def result(rng, number):
    return {
        "sum": rng.getrandbits(16),
        "errors": rng.choice([0, 0, 0, 1, 2, 4, 7]),
        "tag": rng.getrandbits(32),
        "number": number,
        "copied": 0,
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


@cocotb.test()
async def copies(dut):
    """Bursts leave whole, and a job's completion behind the answer to its last one."""
    made = await bench(dut, "copies")
    rng, wanted, copied, at, retired = made.rng, [], [], 0, []
    for sender, receiver in PATTERNS.values():
        for source in (made.results, made.bursts, made.beats, made.answers):
            source.pauses = pauses(rng, sender)
        made.addresses.pauses = pauses(rng, receiver)
        made.data.pauses = pauses(rng, receiver)
        for _ in range(rounds(80)):
            item = result(rng, len(wanted) & 0xFFFF)
            count, errors = rng.choice([0, 0, 1, 2, 3]), 0
            item["copied"] = int(count > 0)
            for burst in range(count):
                last, null = int(burst == count - 1), 0
                if last and burst and rng.random() < 0.3:
                    null = 1
                length = rng.choice([1, 1, 2, rng.randrange(1, 20)])
                address, at = at * SIZE, at + 256
                made.bursts.queue.append(
                    {"address": address, "length": length - 1, "null": null, "last": last}
                )
                if null:
                    continue
                beats = [(rng.getrandbits(8 * SIZE), rng.getrandbits(SIZE)) for _ in range(length)]
                for number, (data, strobes) in enumerate(beats):
                    made.beats.queue.append(
                        {"data": data, "strobes": strobes, "last": int(number == length - 1)}
                    )
                copied.append((address, beats))
                response = rng.choice([0, 0, 0, 2, 3])
                made.bad[address] = response
                errors |= {2: 1, 3: 2}.get(response, 0)
            made.results.queue.append(item)
            wanted.append(completion(len(wanted), item, errors))
            retired.append(int(item["errors"] != 0 or errors != 0))
        while made.results.queue:
            await edges(dut)
    await edges(dut, 300)
    assert made.copied == copied and made.stored == wanted
    assert made.retired == retired and dut.idle.value == 1 and dut.failed.value == 0


@cocotb.test()
async def a_completion_waits_for_its_copy(dut):
    """No completion before memory has answered the copy, and none amid the beats of a burst."""
    made = await bench(dut, "wait")
    made.answers.pauses = iter(lambda: True, False)
    made.results.queue.append(result(made.rng, 0) | {"copied": 1})
    made.bursts.queue.append({"address": 0, "length": 1, "null": 0, "last": 1})
    for last in (0, 1):
        made.beats.queue.append({"data": 5, "strobes": 1, "last": last})
    await edges(dut, 40)
    assert len(made.copied) == 1 and not made.stored and dut.idle.value == 0
    made.answers.pauses = None
    await edges(dut, 20)
    assert len(made.stored) == 1 and dut.idle.value == 1


@cocotb.test()
async def a_stop_ends_the_burst_that_has_begun(dut):
    made = await bench(dut, "stop of a burst")
    for address in (0, 4096):
        made.bursts.queue.append({"address": address, "length": 3, "null": 0, "last": 1})
    made.data.paused = True
    for last in (0, 0, 0, 1):
        made.beats.queue.append({"data": 5, "strobes": 1, "last": last})
    await edges(dut, 10)
    dut.stop.value = 1
    made.data.paused = False
    await edges(dut, 30)
    assert len(made.copied) == 1 and dut.idle.value == 1 and len(made.bursts.queue) == 1
