# SPDX-License-Identifier: MIT OR Apache-2.0
"""The registers over AXI4-Lite: what software reads, writes, sets, clears, and may not."""

import cocotb
from bench import begin, chance, edges, rounds
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from streams import pauses

ID, CAPABILITY, CTRL, STATUS, INTERRUPT, ENABLE = 0x00, 0x08, 0x0C, 0x10, 0x14, 0x18
COALESCE, RING_LOW, RING_HIGH, RING_SIZE, TAIL, HEAD = 0x1C, 0x20, 0x24, 0x30, 0x34, 0x38
JOBS, CYCLES = 0x40, 0x4C
INPUTS = (
    "capability_beat capability_burst capability_address capability_copy status_busy "
    "status_fetch_error status_completion_error status_tail_error interrupt_completion_set "
    "interrupt_error_set head_position jobs_count_increment job_errors_count_increment "
    "beats_count_increment cycles_count_increment clear"
)


class Bench:
    def __init__(self, dut):
        self.dut = dut
        bus = AxiLiteBus.from_prefix(dut, "s_axil")
        self.master = AxiLiteMaster(bus, dut.clk, dut.rst)

    async def read(self, address):
        got = await self.master.read(address, 4)
        assert got.resp == AxiResp.OKAY, hex(address)
        return int.from_bytes(got.data, "little")

    async def write(self, address, value):
        done = await self.master.write(address, value.to_bytes(4, "little"))
        assert done.resp == AxiResp.OKAY, hex(address)


async def bench(dut):
    await begin(dut, **dict.fromkeys(INPUTS.split(), 0))
    made = Bench(dut)
    await edges(dut, 4)
    return made


@cocotb.test()
async def values(dut):
    """Constants, inputs, and fields that keep what was written, and nothing beside it."""
    made = await bench(dut)
    assert await made.read(ID) == 0x57534531 and await made.read(0x04) == 0x00010001
    dut.capability_beat.value = 3
    dut.capability_burst.value = 9
    dut.capability_address.value = 64
    assert await made.read(CAPABILITY) == 64 << 8 | 9 << 4 | 3
    dut.capability_copy.value = 1
    assert await made.read(CAPABILITY) == 1 << 15 | 64 << 8 | 9 << 4 | 3
    dut.status_tail_error.value = 1
    dut.head_position.value = 0xBEEF
    assert await made.read(STATUS) == 8 and await made.read(HEAD) == 0xBEEF
    assert await made.read(COALESCE) == 1
    rng = chance("engine_registers")
    masks = {RING_LOW: 0xFFFFFF80, RING_HIGH: 2**32 - 1, RING_SIZE: 15, ENABLE: 3}
    masks[COALESCE] = 2**32 - 1
    for _ in range(rounds(20)):
        wrote = {address: rng.getrandbits(32) for address in masks}
        for address, value in wrote.items():
            await made.write(address, value)
        for address, value in wrote.items():
            assert await made.read(address) == value & masks[address], hex(address)
        assert int(dut.ring_low_low.value) == wrote[RING_LOW] >> 7
        assert int(dut.ring_size_log2.value) == wrote[RING_SIZE] & 15
        assert int(dut.coalesce_cycles.value) == wrote[COALESCE] >> 16


@cocotb.test()
async def the_doorbell(dut):
    """One pulse a write, with the new value, even if it is the old one."""
    made = await bench(dut)
    rung = []

    async def watch():
        while True:
            await cocotb.triggers.RisingEdge(dut.clk)
            if dut.tail_position_written.value == 1:
                rung.append(int(dut.tail_position.value))

    cocotb.start_soon(watch())
    for value in (1, 1, 65535, 0):
        await made.write(TAIL, value)
    await made.write(RING_SIZE, 3)
    await edges(dut, 4)
    assert rung == [1, 1, 65535, 0]


@cocotb.test()
async def interrupts(dut):
    """The engine sets a bit, a 1 clears it, and a set in the cycle of the clear is not lost."""
    made = await bench(dut)
    dut.interrupt_completion_set.value = 1
    await edges(dut)
    dut.interrupt_completion_set.value = 0
    assert await made.read(INTERRUPT) == 1
    await made.write(INTERRUPT, 2)
    assert await made.read(INTERRUPT) == 1
    await made.write(INTERRUPT, 1)
    assert await made.read(INTERRUPT) == 0
    dut.interrupt_error_set.value = 1
    await made.write(INTERRUPT, 3)
    dut.interrupt_error_set.value = 0
    assert await made.read(INTERRUPT) == 2


@cocotb.test()
async def a_reset_by_software(dut):
    """CTRL.RESET stays until the engine clears all; a write of 0 does not take it back."""
    made = await bench(dut)
    await made.write(RING_HIGH, 7)
    await made.write(CTRL, 3)
    await made.write(CTRL, 1)
    assert await made.read(CTRL) == 3
    dut.clear.value = 1
    await edges(dut)
    dut.clear.value = 0
    assert await made.read(CTRL) == 0 and await made.read(RING_HIGH) == 0
    assert await made.read(COALESCE) == 1


@cocotb.test()
async def counters(dut):
    made = await bench(dut)
    for _ in range(5):
        dut.jobs_count_increment.value = 1
        await edges(dut)
        dut.jobs_count_increment.value = 0
        await edges(dut)
    assert await made.read(JOBS) == 5 and await made.read(CYCLES) == 0


@cocotb.test()
async def refused_accesses(dut):
    """No register, a register that only reads, less than a word: SLVERR, and nothing changes."""
    made = await bench(dut)
    await made.write(RING_HIGH, 0x12345678)
    for address in (0x3C, 0x50, 0xFC):
        assert (await made.master.read(address, 4)).resp == AxiResp.SLVERR
        assert (await made.master.write(address, bytes(4))).resp == AxiResp.SLVERR
    for address in (ID, STATUS, HEAD, JOBS):
        assert (await made.master.write(address, bytes(4))).resp == AxiResp.SLVERR
    assert (await made.master.write(RING_HIGH, b"\xff")).resp == AxiResp.SLVERR
    assert (await made.master.write(RING_HIGH + 2, b"\xff\xff")).resp == AxiResp.SLVERR
    assert await made.read(RING_HIGH) == 0x12345678


@cocotb.test()
async def slow_channels(dut):
    """Each channel with pauses of its own: no access is lost or done twice."""
    made = await bench(dut)
    rng = chance("engine_registers slow")
    for number, channel in enumerate(
        (
            made.master.write_if.aw_channel,
            made.master.write_if.w_channel,
            made.master.write_if.b_channel,
            made.master.read_if.ar_channel,
            made.master.read_if.r_channel,
        )
    ):
        channel.set_pause_generator(pauses(chance(f"channel {number}"), 0.5))
    for _ in range(rounds(60)):
        value = rng.getrandbits(32)
        await made.write(RING_HIGH, value)
        assert await made.read(RING_HIGH) == value
