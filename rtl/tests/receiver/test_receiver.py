# SPDX-License-Identifier: MIT OR Apache-2.0
import cocotb
from bench import LENGTHS, begin, chance, edges, plan, rounds

IDLE = {
    "start": 0,
    "empty_job": 0,
    "bad_job": 0,
    "abort": 0,
    "hold": 0,
    "address": 0,
    "pages": 0,
    "last": 0,
    "first_burst": 0,
    "npi_rdfifo_empty": 1,
    "npi_rdfifo_latency": 0,
}


async def start(dut, address, count, **flags):
    bursts = plan(address, count) if count else [(address, 8)]
    dut.address.value, dut.pages.value = address & 255, len(bursts) - 1
    dut.last.value, dut.first_burst.value = (address + count - 1) & 255, LENGTHS.index(bursts[0][1])
    for name, value in {"start": 1, **flags}.items():
        getattr(dut, name).value = value
    await edges(dut)
    for name in {"start": 1, **flags}:
        getattr(dut, name).value = 0
    dut.address.value, dut.pages.value, dut.last.value, dut.first_burst.value = 0x55, 3, 0x77, 1
    return bursts


@cocotb.test()
async def takes_each_wanted_byte_once(dut):
    """Beats come at random times, at each latency of the port. The receiver lets through the bytes
    of the request, each once, in order."""
    rng = chance("receiver")
    await begin(dut, **IDLE)
    for _ in range(rounds(400)):
        address, count = (
            rng.randrange(256),
            rng.choice([rng.randrange(1, 40), rng.randrange(1, 700), rng.randrange(1, 4000)]),
        )
        latency, quick = rng.randrange(3), rng.random()
        dut.npi_rdfifo_latency.value = latency
        bursts = await start(dut, address, count)
        words = iter([at + w for at, length in bursts for w in range(0, length, 8)])
        counted, shown = [], [None] * latency
        finished = None
        while True:
            dut.npi_rdfifo_empty.value = rng.random() > quick and rng.random() < 0.9
            await cocotb.triggers.Timer(1, "ns")
            popped = next(words, "beyond") if dut.npi_rdfifo_pop.value == 1 else None
            shown.append(popped)
            beat = shown.pop(0)
            if dut.take.value == 1:
                assert beat is not None and beat != "beyond" and finished is None
                enable = int(dut.enable.value)
                counted += [beat + k for k in range(8) if enable >> k & 1]
                if dut.finished.value == 1:
                    finished = 0
            elif finished is None:
                assert beat is None, "a beat was popped and not taken"
            if finished is not None:
                # the beat itself · add · fold · fold · done
                assert (int(dut.fold.value), int(dut.done.value)) == [
                    (0, 0),
                    (0, 0),
                    (1, 0),
                    (1, 0),
                    (0, 1),
                ][finished]
                if finished == 4:
                    break
                finished += 1
            else:
                assert dut.fold.value == 0 and dut.done.value == 0
            await edges(dut)
        assert counted == list(range(address, address + count)), (address, count, latency)
        assert dut.failed.value == 0 and int(dut.odd.value) == address & 1
        dut.npi_rdfifo_empty.value = 1
        await edges(dut, 3)
        assert dut.done.value == 0 and dut.taking.value == 0


@cocotb.test()
async def jobs_without_beats(dut):
    await begin(dut, **IDLE)
    for flags, failed in (({"empty_job": 1}, 0), ({"bad_job": 1}, 1), ({"empty_job": 1}, 0)):
        dut.npi_rdfifo_empty.value = 0
        await start(dut, 0, 0, **flags)
        assert (
            dut.done.value == 1
            and int(dut.failed.value) == failed
            and dut.npi_rdfifo_pop.value == 0
        )
        await edges(dut)
        assert dut.done.value == 0 and dut.npi_rdfifo_pop.value == 0


@cocotb.test()
async def hold_abort_reset(dut):
    await begin(dut, **IDLE)
    await start(dut, 0, 64)
    dut.npi_rdfifo_empty.value, dut.hold.value = 0, 1
    for _ in range(5):
        await edges(dut)
        assert dut.npi_rdfifo_pop.value == 0
    dut.hold.value = 0
    await edges(dut, 3)
    dut.abort.value = 1
    await edges(dut)
    dut.abort.value = 0
    assert dut.done.value == 1 and dut.failed.value == 1 and dut.npi_rdfifo_pop.value == 0
    await edges(dut, 2)
    await start(dut, 0, 64)
    await edges(dut, 3)
    assert dut.taking.value == 1
    dut.rst.value = 1
    await edges(dut)
    dut.rst.value = 0
    for _ in range(10):
        assert dut.taking.value == 0 and dut.done.value == 0 and dut.npi_rdfifo_pop.value == 0
        await edges(dut)
