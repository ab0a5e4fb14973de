# SPDX-License-Identifier: MIT OR Apache-2.0
import cocotb
from bench import begin, chance, edges, rounds


async def write(dut, index, value):
    dut.index.value, dut.wdata.value, dut.write.value = index, value, 1
    await edges(dut)
    dut.write.value = 0


async def read(dut, index):
    dut.index.value = index
    await edges(dut)
    return int(dut.rdata.value)


IDLE = {"index": 0, "write": 0, "wdata": 0, "done": 0, "failed": 0, "sum": 0}


@cocotb.test()
async def reset_values(dut):
    await begin(dut, **IDLE)
    await edges(dut)
    assert [await read(dut, i) for i in range(5)] == [0, 0, 0, 0, 0xFFFF]


@cocotb.test()
async def against_a_model(dut):
    """Random writes and ends of jobs: registers and start pulse are those of a short model."""
    rng = chance("registers")
    await begin(dut, **IDLE)
    await edges(dut)
    address = count = go = went = ready = error = busy = starts = 0
    for _ in range(rounds(20000)):
        index, value, writes = (
            rng.randrange(5),
            rng.getrandbits(32) >> rng.choice([0, 15, 16, 17, 31]),
            rng.random() < 0.5,
        )
        done, failed, total = busy and rng.random() < 0.2, rng.random() < 0.3, rng.getrandbits(16)
        dut.index.value, dut.wdata.value, dut.write.value = index, value, writes
        dut.done.value, dut.failed.value, dut.sum.value = bool(done), failed, total
        start = go and not went and not busy
        if start:
            ready = error = 0
            busy = 1
            starts += 1
        elif done:
            ready, error, busy = 1, int(failed), 0
        went = go
        if writes:
            address = value if index == 0 else address
            count = value & 0xFFFF | (0x10000 if value >> 16 else 0) if index == 1 else count
            go = value & 1 if index == 2 else go
        await edges(dut)
        expected = [
            address,
            count,
            go,
            busy << 2 | error << 1 | ready,
            total << 16 | total ^ 0xFFFF,
        ]
        assert int(dut.rdata.value) == expected[index]
        assert bool(dut.start.value) == bool(go and not went and not busy)
        assert int(dut.address.value) == address
        assert int(dut.bytes.value) == count & 0xFFFF and int(dut.too_long.value) == count >> 16
    assert starts > 100


@cocotb.test()
async def a_start_while_busy_is_forgotten(dut):
    await begin(dut, **IDLE)
    await write(dut, 2, 1)
    await edges(dut, 2)
    assert await read(dut, 3) == 4
    await write(dut, 2, 0)
    await write(dut, 2, 1)
    assert dut.start.value == 0
    dut.done.value = 1
    await edges(dut)
    dut.done.value = 0
    for _ in range(10):
        await edges(dut)
        assert dut.start.value == 0
    assert await read(dut, 3) == 1
