# SPDX-License-Identifier: MIT OR Apache-2.0
"""The whole engine between its models: the specification's vectors, and tcoe.sv's corner cases."""

import cocotb
from bench import begin, chance, edges, plan, rounds, sum16, sum_vectors
from cocotb.triggers import RisingEdge

BASE = 0xC0000000
ADDRESS, BYTES, INPUT, OUTPUT, CHECKSUM = (BASE + 4 * i for i in range(5))
READY, ERROR, BUSY = 1, 2, 4

IDLE = {
    "fast": 1,
    "cmd_valid": 0,
    "cmd_read": 0,
    "cmd_address": 0,
    "cmd_be": 15,
    "cmd_data": 0,
    "cfg_latency": 24,
    "cfg_gap": 6,
    "cfg_refresh_every": 0,
    "cfg_refresh_takes": 0,
    "cfg_random_ack": 0,
    "cfg_random_start": 0,
    "cfg_random_pause": 0,
    "cfg_seed": 1,
    "cfg_dead": 0,
    "cfg_fifo_latency": 1,
    "poke": 0,
    "poke_index": 0,
    "poke_data": 0,
}


class System:
    def __init__(self, dut):
        self.dut = dut
        self.memory = bytearray(131072)

    async def begin(self, **knobs):
        await begin(self.dut, **{**IDLE, **knobs})
        await edges(self.dut, 4200)  # the silence after a reset

    async def store(self, address, data):
        """Puts data into memory, whole words at a time."""
        self.memory[address : address + len(data)] = data
        dut = self.dut
        dut.poke.value = 1
        for word in range(address // 8, (address + len(data) + 7) // 8):
            dut.poke_index.value = word
            dut.poke_data.value = int.from_bytes(self.memory[8 * word : 8 * word + 8], "little")
            await edges(dut)
        dut.poke.value = 0

    async def transfer(self, address, read, data=0, be=15):
        dut = self.dut
        (
            dut.cmd_address.value,
            dut.cmd_read.value,
            dut.cmd_data.value,
            dut.cmd_be.value,
            dut.cmd_valid.value,
        ) = address, read, data, be, 1
        await edges(dut)
        dut.cmd_valid.value = 0
        while dut.cmd_done.value == 0:
            await edges(dut)
        return int(dut.cmd_result.value) if read and not dut.cmd_error.value else 0, bool(
            dut.cmd_error.value
        )

    async def write(self, address, data):
        assert not (await self.transfer(address, 0, data))[1]

    async def read(self, address):
        value, error = await self.transfer(address, 1)
        assert not error
        return value

    async def start(self, address, count):
        await self.write(ADDRESS, address)
        await self.write(BYTES, count)
        await self.write(INPUT, 0)
        await self.write(INPUT, 1)

    async def end(self):
        """Polls until ready: the flags, and CHECKSUM."""
        for _ in range(20000):
            flags = await self.read(OUTPUT)
            assert bool(flags & READY) != bool(flags & BUSY)
            if flags & READY:
                return flags, await self.read(CHECKSUM)
        raise AssertionError("never ready")

    async def check(self, address, count):
        await self.start(address, count)
        await self.ends_right(address, count)

    async def ends_right(self, address, count):
        flags, result = await self.end()
        expected = sum16(self.memory[address : address + count])
        assert flags == READY and result == expected << 16 | expected ^ 0xFFFF, (
            address,
            count,
            hex(result),
            hex(expected),
        )
        assert int(self.dut.violations.value) == 0


@cocotb.test()
async def vectors(dut):
    rng, count = chance("system vectors"), 0
    system = System(dut)
    await system.begin()
    await system.store(0, rng.randbytes(5000))
    for name, data, expected in sum_vectors(rounds(2048)):
        address = 8 * rng.randrange(60) + count % 8
        await system.store(address, data)
        await system.start(address, len(data))
        flags, result = await system.end()
        assert flags == READY and result == expected << 16 | expected ^ 0xFFFF, (name, address)
        count += 1
    assert count > 100 and int(dut.violations.value) == 0


@cocotb.test()
async def random_jobs_with_random_delays(dut):
    rng = chance("system random")
    system = System(dut)
    await system.begin()
    await system.store(0, rng.randbytes(4096) + b"\xff" * 1024 + rng.randbytes(1024))
    for _ in range(rounds(160)):
        dut.cfg_latency.value, dut.cfg_gap.value = rng.randrange(60), rng.randrange(1, 20)
        dut.cfg_refresh_every.value, dut.cfg_refresh_takes.value = (
            rng.choice([0, rng.randrange(60, 800)]),
            rng.randrange(1, 30),
        )
        dut.cfg_random_ack.value, dut.cfg_random_start.value = (
            rng.choice([0, 3, 31, 255]),
            rng.choice([0, 3, 31, 255]),
        )
        dut.cfg_random_pause.value, dut.cfg_fifo_latency.value = (
            rng.choice([0, 60, 200]),
            rng.randrange(3),
        )
        address, count = (
            rng.randrange(4096),
            rng.choice([rng.randrange(20), rng.randrange(300), rng.randrange(2000)]),
        )
        await system.check(address, count)


@cocotb.test()
async def bursts_as_planned(dut):
    system = System(dut)
    await system.begin()
    await system.store(0, bytes(range(256)) * 8)
    for address, count in (
        (0, 1),
        (7, 2),
        (0, 64),
        (63, 2),
        (120, 16),
        (0, 256),
        (1, 256),
        (255, 600),
        (0, 2048),
    ):
        before = int(dut.bursts.value)
        await system.check(address, count)
        assert int(dut.bursts.value) - before == len(plan(address, count))


@cocotb.test()
async def no_bytes(dut):
    system = System(dut)
    await system.begin()
    await system.store(0, b"\xff" * 64)
    for address in (0, 1, 255, 0xFFFFFFFF):
        await system.start(address, 0)
        assert await system.end() == (READY, 0x0000FFFF)
    assert int(dut.bursts.value) == 0
    await system.check(3, 20)
    await system.start(3, 0)
    assert await system.end() == (READY, 0x0000FFFF), "not the last job's sum"


@cocotb.test()
async def the_end_of_the_address_space(dut):
    """Data that end at the last address, and data that go on from it at address zero."""
    system = System(dut)
    await system.begin()
    end = len(system.memory)  # where the model's memory, which repeats, ends with the address space
    await system.store(end - 4096, chance("end").randbytes(4096))
    await system.store(0, chance("beginning").randbytes(4096))
    asked = []

    async def watch():
        while True:
            await RisingEdge(dut.clk)
            if dut.npi_addrreq.value == 1 and dut.npi_addrack.value == 1:
                asked.append(int(dut.npi_addr.value))

    cocotb.start_soon(watch())
    for before, count in (
        (1, 1),
        (8, 8),
        (256, 256),
        (1000, 1000),
        (1, 2),
        (8, 9),
        (7, 300),
        (256, 512),
        (257, 1),
        (1500, 3000),
        (3, 4000),
    ):
        asked.clear()
        address = (1 << 32) - before
        await system.start(address, count)
        flags, result = await system.end()
        data = system.memory[end - before :] + system.memory
        expected = sum16(data[:count])
        assert flags == READY and result == expected << 16 | expected ^ 0xFFFF, (before, count)
        assert asked == [at % (1 << 32) for at, _ in plan(address, count)], (
            before,
            count,
            [hex(at) for at in asked],
        )
        assert (0 in asked) == (count > before)
    assert int(dut.violations.value) == 0


@cocotb.test()
async def too_many_bytes(dut):
    system = System(dut)
    await system.begin()
    await system.store(0, bytes(range(64)))
    for count in (65536, 65544, 0x10000000, 0xFFFFFFFF):
        await system.start(0, count)
        flags, _ = await system.end()
        assert flags == READY | ERROR
    assert int(dut.bursts.value) == 0
    await system.check(0, 64)


@cocotb.test()
async def start_needs_a_rising_edge(dut):
    system = System(dut)
    await system.begin()
    await system.store(0, bytes(range(64)))
    await system.check(0, 33)
    for value in (1, 1, 0, 2, 0xFFFFFFFE):
        await system.write(INPUT, value)
        assert await system.read(OUTPUT) == READY
    assert int(dut.bursts.value) == 1
    await system.write(INPUT, 3)
    await edges(dut, 100)
    assert int(dut.bursts.value) == 2


@cocotb.test()
async def start_and_writes_during_a_run(dut):
    system = System(dut)
    await system.begin()
    await system.store(0, chance("during a run").randbytes(6000))
    await system.start(5, 3000)
    assert await system.read(OUTPUT) == BUSY
    await system.write(ADDRESS, 777)
    await system.write(BYTES, 70000)
    await system.write(BYTES, 100)
    await system.write(INPUT, 0)
    await system.write(INPUT, 1)
    await system.ends_right(5, 3000)
    bursts = int(dut.bursts.value)
    await edges(dut, 300)
    assert int(dut.bursts.value) == bursts and await system.read(OUTPUT) == READY, (
        "the start during the run came to nothing"
    )
    assert await system.read(ADDRESS) == 777 and await system.read(BYTES) == 100
    await system.write(INPUT, 0)
    await system.write(INPUT, 1)
    await system.ends_right(777, 100)


@cocotb.test()
async def bus_errors(dut):
    system = System(dut)
    await system.begin()
    await system.write(ADDRESS, 0x12345678)
    for address, be in (
        (BASE + 0x14, 15),
        (BASE + 0x1C, 15),
        (BASE, 8),
        (BASE, 3),
        (BASE + 0x20, 15),
        (0x80000000, 15),
    ):
        for read in (0, 1):
            assert (await system.transfer(address, read, 0xFFFFFFFF, be))[1], hex(address)
    assert await system.read(ADDRESS) == 0x12345678 and await system.read(BYTES) == 0


@cocotb.test()
async def a_dead_port(dut):
    """Memory falls silent before or after the first burst: an error; the next job is right."""
    system = System(dut)
    await system.begin()
    await system.store(0, chance("dead").randbytes(4096))
    for alive in (0, 40, 150):
        await system.start(1, 3000)
        await edges(dut, alive)
        dut.cfg_dead.value = 1
        flags, _ = await system.end()
        assert flags == READY | ERROR
        dut.cfg_dead.value = 0
        # The beats of the failed job come now; the next job must not take them.
        await system.start(9, 1000)
        flags, result = await system.end()
        expected = sum16(system.memory[9:1009])
        assert flags == READY and result == expected << 16 | expected ^ 0xFFFF


@cocotb.test()
async def reset_in_mid_run(dut):
    """The engine is reset and the memory goes on: no beat of the old job counts for the new one."""
    rng = chance("reset")
    system = System(dut)
    await system.begin()
    await system.store(0, rng.randbytes(6000))
    for _ in range(rounds(24)):
        await system.start(rng.randrange(256), 3000)
        await edges(dut, rng.randrange(300))
        dut.engine_rst.value = 1
        await edges(dut, rng.randrange(1, 4))
        dut.engine_rst.value = 0
        assert (
            await system.read(OUTPUT) == 0
            and await system.read(ADDRESS) == 0
            and await system.read(INPUT) == 0
        )
        address, count = rng.randrange(256), rng.randrange(1, 900)
        await system.start(address, count)
        flags, result = await system.end()
        expected = sum16(system.memory[address : address + count])
        assert flags == READY and result == expected << 16 | expected ^ 0xFFFF


@cocotb.test()
async def one_after_the_other(dut):
    """A job starts with the fewest accesses, while beats of the last one are still on their way."""
    rng = chance("one after the other")
    system = System(dut)
    await system.begin(cfg_latency=5, cfg_random_pause=150)
    await system.store(0, rng.randbytes(4096))
    for _ in range(rounds(60)):
        address, count = 256 * rng.randrange(8) + rng.randrange(256), rng.randrange(1, 700)
        await system.check(address, count)


@cocotb.test()
async def accesses_cost_what_the_paper_measured(dut):
    system = System(dut)
    await system.begin(fast=0)
    clock = []

    async def timed(access):
        before = cocotb.utils.get_sim_time("ns")
        await access
        clock[-1] += (cocotb.utils.get_sim_time("ns") - before) / 10

    for access, cost in (
        (lambda: system.write(ADDRESS, 0), 482.24),
        (lambda: system.write(BYTES, 8), 443.39),
        (lambda: system.write(INPUT, 0), 443.93),
        (lambda: system.read(OUTPUT), 272.49),
        (lambda: system.read(CHECKSUM), 273.07),
    ):
        clock.append(0)
        for _ in range(100):
            await timed(access())
        assert abs(clock[-1] / 100 - cost) < 0.02, (clock[-1] / 100, cost)
