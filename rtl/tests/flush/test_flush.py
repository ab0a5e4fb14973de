# SPDX-License-Identifier: MIT OR Apache-2.0
import cocotb
from bench import begin, edges

FULL, TAIL = 4095, 127
IDLE = {"start": 0, "taking": 0, "finished": 0, "exact": 0, "progress": 0}


async def pulse(dut, **names):
    for name, value in names.items():
        getattr(dut, name).value = value
    await edges(dut)
    for name in names:
        getattr(dut, name).value = 0


async def silence(dut):
    """How many cycles hold stays up from now."""
    cycles = 0
    while dut.hold.value == 1:
        assert dut.npi_rdfifo_flush.value == 1 and dut.abort.value == 0
        await edges(dut)
        cycles += 1
    return cycles


async def job(dut, exact):
    await pulse(dut, start=1, exact=exact)
    dut.taking.value = 1
    await edges(dut)
    assert dut.npi_rdfifo_flush.value == 0 and dut.hold.value == 0
    await pulse(dut, finished=1)
    dut.taking.value = 0
    await cocotb.triggers.Timer(1, "ns")
    assert dut.npi_rdfifo_flush.value == 1


@cocotb.test()
async def guards(dut):
    await begin(dut, **IDLE)
    assert FULL <= await silence(dut) <= FULL + 2, "after a reset"
    for _ in range(3):
        await job(dut, exact=1)
        assert dut.hold.value == 0, "nothing was left: the next job may begin"
        await job(dut, exact=0)
        assert TAIL <= await silence(dut) <= TAIL + 2, "after a job that left words behind"


@cocotb.test()
async def a_start_waits_for_the_guard(dut):
    await begin(dut, **IDLE)
    await silence(dut)
    await job(dut, exact=0)
    await pulse(dut, start=1, exact=1)
    dut.taking.value = 1
    assert TAIL - 3 <= await silence(dut) <= TAIL + 2
    assert dut.npi_rdfifo_flush.value == 0
    await edges(dut, 200)
    assert dut.abort.value == 0, "the watchdog starts afresh behind the guard"


@cocotb.test()
async def watchdog(dut):
    await begin(dut, **IDLE)
    await silence(dut)
    await pulse(dut, start=1, exact=1)
    dut.taking.value = 1
    for _ in range(3):
        await edges(dut, FULL - 5)
        assert dut.abort.value == 0
        await pulse(dut, progress=1)
    waited = 0
    while dut.abort.value == 0:
        await edges(dut)
        waited += 1
    assert FULL - 2 <= waited <= FULL + 2
    await edges(dut)
    dut.taking.value = 0
    await cocotb.triggers.Timer(1, "ns")
    assert dut.abort.value == 0 and FULL - 2 <= await silence(dut) <= FULL + 2
