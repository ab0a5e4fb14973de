# SPDX-License-Identifier: MIT OR Apache-2.0
"""The testbenches' clock, random numbers, specification, and a simple plan of a job's bursts."""

import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from specification import sum16, sum_vectors  # noqa: F401

PERIOD = 10  # ns, of the clock
SEED = int(os.environ.get("WIRESUM_SEED", "1"))
PARAMETERS = json.loads(os.environ.get("WIRESUM_PARAMETERS", "{}"))  # of the module at the top


def rounds(count):
    """The number of a test's rounds: a quarter of `count` in the bounded run."""
    return count // 4 if os.environ.get("WIRESUM_BOUNDED") else count


def chance(name):
    cocotb.log.info("seed %d", SEED)
    return random.Random(f"{SEED} {name}")


async def begin(dut, **inputs):
    """Starts the clock, sets inputs, and holds reset for some cycles."""
    for name, value in inputs.items():
        getattr(dut, name).value = value
    reset = [getattr(dut, name) for name in ("rst", "engine_rst") if hasattr(dut, name)]
    for signal in reset:
        signal.value = 1
    cocotb.start_soon(Clock(dut.clk, PERIOD, unit="ns").start())
    await edges(dut, 4)
    for signal in reset:
        signal.value = 0


async def edges(dut, count=1):
    """Waits for that many rising edges. The next edge takes inputs that are set afterwards."""
    for _ in range(count):
        await RisingEdge(dut.clk)
    await Timer(1, "ns")


LENGTHS = (8, 64, 128, 256)
SIZE_CODE = {8: 0, 64: 3, 128: 4, 256: 5}


def plan(address, count, lengths=LENGTHS):
    """The bursts of a job, as (address, length): for each page the shortest aligned block that
    contains all its wanted bytes."""
    page, bursts = max(lengths), []
    for base in range(address // page * page, address + count, page):
        first, last = max(base, address), min(base + page, address + count) - 1
        length = min(n for n in lengths if first // n == last // n)
        bursts.append((first // length * length, length))
    return bursts
