# SPDX-License-Identifier: MIT OR Apache-2.0
"""The engine in a system of LiteX: jobs by its rings, over the bus and the memory of LiteX."""

import os
import random
import re
import struct
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from specification import sum16

RAM, ENGINE = 0x1000_0000, 0x9000_0000
RING, COMPLETIONS, DATA, TARGET = 0x100, 0x400, 0x1000, 0x8000
AROUND = 0x900  # bytes about the target
LOG2 = 3
HEADER = Path(__file__).resolve().parents[2] / "driver/wiresum_engine_registers.h"
NAMES = dict(re.findall(r"#define WIRESUM_ENGINE_(\w+) +(0x[0-9A-F]+|\d+)u?\n", HEADER.read_text()))
COPY = 4


def number(name):
    return int(NAMES[name], 0)


@cocotb.test()
async def jobs(dut):
    """Sums and copies of any alignment; the interrupt comes, and goes when it is taken back."""
    rng = random.Random(f"{os.environ['WIRESUM_SEED']} litex")
    cocotb.start_soon(Clock(dut.sys_clk, 10, "ns").start())
    host = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "host"), dut.sys_clk, dut.sys_rst)
    dut.sim_trace.value = 0
    dut.sys_rst.value = 1
    await ClockCycles(dut.sys_clk, 10)
    dut.sys_rst.value = 0
    await ClockCycles(dut.sys_clk, 10)

    async def write(name, value):
        await host.write_dword(ENGINE + number(name), value)

    assert await host.read_dword(ENGINE + number("ID")) == number("ID_VALUE_VALUE")
    data = rng.randbytes(3000)
    await host.write(RAM + DATA, data)
    await host.write(RAM + COMPLETIONS, bytes(8 << LOG2))
    await write("RING_LOW", RAM + RING)
    await write("RING_HIGH", 0)
    await write("COMPLETION_LOW", RAM + COMPLETIONS)
    await write("COMPLETION_HIGH", 0)
    await write("RING_SIZE", LOG2)
    await write("CTRL", number("CTRL_ENABLE_MASK"))
    await write("COALESCE", 1 << number("COALESCE_COUNT_SHIFT"))
    await write("INTERRUPT_ENABLE", number("INTERRUPT_ENABLE_COMPLETION_MASK"))
    tail = 0
    for length in (0, 1, 7, 64, 65, 1500, 2048):
        at = rng.randrange(0, len(data) - length + 1)
        to = rng.randrange(0x80)
        await host.write(RAM + TARGET, bytes(AROUND))
        words = (RAM + DATA + at, 0, RAM + TARGET + to, 0, length, COPY << 16, 1000 + length, 0)
        await host.write(RAM + RING + 32 * tail, struct.pack("<8I", *words))
        tail += 1
        await write("TAIL", tail)
        if not dut.irq.value:
            await with_timeout(RisingEdge(dut.irq), 200, "us")
        place = await host.read(RAM + COMPLETIONS + 8 * (tail - 1), 8)
        status, tag = struct.unpack_from("<HI", place.data, 2)
        piece = data[at : at + length]
        assert status >> 1 == 0 and tag == 1000 + length, (length, status, tag)
        assert int.from_bytes(place.data[:2], "big") == sum16(piece), length
        copied = (await host.read(RAM + TARGET, AROUND)).data
        assert copied == bytes(to) + piece + bytes(AROUND - to - length), length
        await write("INTERRUPT", number("INTERRUPT_COMPLETION_MASK"))
        await ClockCycles(dut.sys_clk, 10)
        assert dut.irq.value == 0, "the interrupt stays"
