# SPDX-License-Identifier: MIT OR Apache-2.0
"""Jobs of odd pieces in bursts of memory, against the specification."""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds, sum16
from cocotb.triggers import RisingEdge
from specification import fold
from streams import PATTERNS, Sink, Source, now, pauses

SIZE = PARAMETERS.get("DATA_WIDTH", 64) // 8
OKAY, SLVERR, DECERR = 0, 2, 3


class Job:
    """Pieces (lane of the first byte, data, response), a seed, and where its words begin."""

    def __init__(self, pieces, seed=0, odd=False, invalid=False):
        self.pieces, self.seed, self.odd, self.invalid = pieces, seed, odd, invalid
        data = bytes(odd) + b"".join(data for _, data, _ in pieces)
        self.sum = fold(sum16(data) + seed)
        responses = {response for _, data, response in pieces if data}
        self.errors = (SLVERR in responses) | (DECERR in responses) << 1 | (invalid and 1) << 2


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.pieces = Source(dut, "s_piece_", "valid", "ready")
        self.beats = Source(dut, "m_axi_", "rvalid", "rready")
        self.results = Sink(dut, "m_result_", ("sum", "errors", "note"), "valid", "ready")
        self.tickets, self.jobs, self.fetched = [], 0, []
        self.copied, self.to_copy = [], []
        cocotb.start_soon(self._tickets())
        cocotb.start_soon(self._fetched())

    async def _tickets(self):
        """Pushes a ticket whenever there is room, before its beats."""
        while True:
            push = bool(self.tickets) and self.dut.s_ticket_ready.value == 1
            self.dut.s_ticket_valid.value = int(push)
            if push:
                fetch, last = self.tickets.pop(0)
                self.dut.s_ticket_fetch.value = fetch
                self.dut.s_ticket_last.value = last
            await RisingEdge(self.dut.clk)
            await cocotb.triggers.Timer(1, "ns")

    async def _fetched(self):
        while True:
            await RisingEdge(self.dut.clk)
            if self.dut.m_fetch_valid.value == 1:
                self.fetched.append(int(self.dut.m_axi_rdata.value))
            if self.dut.copy_beat.value == 1:
                self.copied.append((int(self.dut.m_axi_rdata.value), int(self.dut.copy_turn.value)))

    def burst(self, beats, last, response=OKAY, fetch=0):
        """A ticket and its beats; the response is the last beat's or a random one's."""
        self.tickets.append((fetch, last))
        bad = self.rng.randrange(len(beats))
        for number, data in enumerate(beats):
            self.beats.queue.append(
                {
                    "rdata": data,
                    "rresp": response if number == bad else OKAY,
                    "rlast": int(number == len(beats) - 1),
                }
            )

    def send(self, job, note):
        odd = job.odd
        for number, (lane, data, response) in enumerate(job.pieces):
            last = number == len(job.pieces) - 1
            copy, turn = bool(data) and self.rng.random() < 0.5, self.rng.randrange(SIZE)
            self.pieces.queue.append(
                {
                    "empty": int(not data),
                    "invalid": int(job.invalid and last),
                    "first": int(number == 0),
                    "last": int(last),
                    "swap": int(lane % 2 ^ odd),
                    "begin": lane,
                    "end": (lane + len(data) - 1) % SIZE,
                    "copy": int(copy),
                    "turn": turn,
                    "note": note << 16 | (job.seed if number == 0 else self.rng.getrandbits(16)),
                }
            )
            odd ^= len(data) % 2
            if not data:
                continue
            noise = self.rng.choice([b"\xff" * SIZE, self.rng.randbytes(SIZE)])
            whole = noise[:lane] + data
            whole += noise[: -len(whole) % SIZE]
            words = [
                int.from_bytes(whole[at : at + SIZE], "little") for at in range(0, len(whole), SIZE)
            ]
            self.to_copy += [(word, turn) for word in words if copy]
            while words:
                count = self.rng.choice([1, 2, len(words), len(words)])
                burst, words = words[:count], words[count:]
                if self.rng.random() < 0.2:
                    self.burst([self.rng.getrandbits(8 * SIZE)], self.rng.getrandbits(1), fetch=1)
                self.burst(burst, int(not words), OKAY if words else response)

    async def run(self, jobs):
        # A place is reserved before the job's last beat.
        for number, job in enumerate(jobs):
            while self.dut.reserve_ready.value == 0:
                await edges(self.dut)
            self.dut.reserve.value = 1
            await edges(self.dut)
            self.dut.reserve.value = 0
            self.send(job, number)
        for number, job in enumerate(jobs):
            got = await self.results.take()
            wanted = {"sum": job.sum, "errors": job.errors, "note": number}
            assert got == wanted, (job.pieces, job.seed, job.odd, wanted, got)
        await edges(self.dut, 30)
        assert not self.results.beats and self.dut.idle.value == 1
        assert self.copied == self.to_copy
        self.copied, self.to_copy = [], []


def random_job(rng, most=4):
    pieces = []
    for _ in range(rng.randrange(1, most + 1)):
        length = rng.choice([0, 1, rng.randrange(1, 2 * SIZE), rng.randrange(1, 6 * SIZE)])
        data = rng.choice([rng.randbytes(length), b"\xff" * length, bytes(length)])
        response = rng.choice([OKAY] * 12 + [SLVERR, DECERR])
        pieces.append((rng.randrange(SIZE), data, response))
    seed = rng.choice([0, 0xFFFF, rng.getrandbits(16)])
    return Job(pieces, seed, bool(rng.getrandbits(1)), rng.random() < 0.1)


async def bench(dut, name):
    made = Bench(dut, chance(f"engine_receiver {name}"))
    await begin(dut, reserve=0, s_ticket_valid=0)
    return made


@cocotb.test()
async def random_jobs(dut):
    """Every pattern of pauses, odd and empty pieces, errors, seeds, descriptors between."""
    made = await bench(dut, "random")
    for sender, receiver in PATTERNS.values():
        made.beats.pauses = pauses(made.rng, sender)
        made.results.pauses = pauses(made.rng, receiver)
        for _ in range(rounds(16)):
            await made.run([random_job(made.rng) for _ in range(12)])


@cocotb.test()
async def every_lane_and_length(dut):
    made = await bench(dut, "lanes")
    lanes = range(SIZE) if SIZE <= 8 else (0, 1, SIZE // 2, SIZE - 1)
    jobs = [
        Job([(lane, made.rng.randbytes(n), OKAY)])
        for lane in lanes
        for n in range(1, 2 * SIZE + 2, 1 if SIZE <= 8 else 13)
    ]
    for at in range(0, len(jobs), 12):
        await made.run(jobs[at : at + 12])


@cocotb.test()
async def rate_and_latency(dut):
    """A beat a cycle for pieces of one beat, and the documented latency."""
    made = await bench(dut, "rate")
    await made.run([Job([(0, made.rng.randbytes(SIZE), OKAY)])])
    latency = made.results.taken[-1] - made.beats.taken[-1]
    assert latency == 9 + (SIZE // 8).bit_length() - 1, latency
    bursts = [[made.rng.getrandbits(8 * SIZE)] for _ in range(10)]
    for _ in bursts:
        made.pieces.queue.append(
            {"empty": 0, "invalid": 0, "first": 1, "last": 0, "swap": 0, "begin": 0}
            | {"end": SIZE - 1, "note": 0, "copy": 0, "turn": 0}
        )
    await edges(dut, 20)
    made.tickets += [(0, 1)] * 10
    await edges(dut, 20)
    before = now()
    for burst in bursts:
        made.beats.queue.append({"rdata": burst[0], "rresp": OKAY, "rlast": 1})
    await edges(dut, 20)
    times = made.beats.taken[-10:]
    assert times[0] >= before and times == list(range(times[0], times[0] + 10)), times


@cocotb.test()
async def fetched_beats_pass(dut):
    """A descriptor's beats are handed on as they are, and count for no sum."""
    made = await bench(dut, "fetched")
    values = [made.rng.getrandbits(8 * SIZE) for _ in range(8)]
    for value in values:
        made.burst([value], 1, fetch=1)
    await edges(dut, 40)
    assert made.fetched == values
    await made.run([Job([(1, b"\x12\x34\x56", OKAY)])])


@cocotb.test()
async def resets(dut):
    """A reset drops all that waits; what comes after is right."""
    made = await bench(dut, "resets")
    for _ in range(rounds(40)):
        for number in range(3):
            made.send(random_job(made.rng), number)
        await edges(dut, made.rng.randrange(1, 40))
        for queue in (made.beats.queue, made.pieces.queue, made.tickets):
            queue.clear()
        dut.rst.value = 1
        await edges(dut, 2)
        dut.rst.value = 0
        await edges(dut, 2)
        made.results.beats.clear()
        made.copied, made.to_copy = [], []
        await made.run([random_job(made.rng) for _ in range(2)])
