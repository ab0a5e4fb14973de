# SPDX-License-Identifier: MIT OR Apache-2.0
import cocotb
from bench import LENGTHS, SIZE_CODE, begin, chance, edges, plan, rounds

IDLE = {
    "start": 0,
    "abort": 0,
    "hold": 0,
    "address": 0,
    "pages": 0,
    "first_burst": 0,
    "last_burst": 0,
    "npi_addrack": 0,
}


async def start(dut, address, count):
    bursts = plan(address, count)
    dut.address.value, dut.pages.value = address >> 3, len(bursts) - 1
    dut.first_burst.value, dut.last_burst.value = (
        LENGTHS.index(bursts[0][1]),
        LENGTHS.index(bursts[-1][1]),
    )
    dut.start.value = 1
    await edges(dut)
    # The processor may write the next job's registers now.
    (
        dut.start.value,
        dut.address.value,
        dut.pages.value,
        dut.first_burst.value,
        dut.last_burst.value,
    ) = 0, 0x1555555, 0, 2, 1
    return bursts


@cocotb.test()
async def asks_for_the_plan(dut):
    rng = chance("requester")
    await begin(dut, **IDLE)
    for _ in range(rounds(300)):
        address, count = (
            rng.getrandbits(32) >> rng.choice([0, 16]),
            rng.choice([rng.randrange(1, 600), rng.randrange(1, 65536)]),
        )
        address = min(address, 2**32 - count)
        bursts, asked, slow = await start(dut, address, count), [], rng.random()
        while len(asked) < len(bursts):
            assert dut.npi_addrreq.value == 1
            request = int(dut.npi_addr.value), int(dut.npi_size.value)
            while rng.random() < slow * 0.8:
                await edges(dut)
                assert dut.npi_addrreq.value == 1 and request == (
                    int(dut.npi_addr.value),
                    int(dut.npi_size.value),
                )
            dut.npi_addrack.value = 1
            await edges(dut)
            dut.npi_addrack.value = 0
            asked.append(request)
        assert asked == [(at, SIZE_CODE[length]) for at, length in bursts]
        for _ in range(3):
            assert dut.npi_addrreq.value == 0
            await edges(dut)


@cocotb.test()
async def hold_and_abort(dut):
    await begin(dut, **IDLE)
    dut.hold.value = 1
    bursts = await start(dut, 0x1000, 1000)
    for _ in range(20):
        assert dut.npi_addrreq.value == 0
        await edges(dut)
    dut.hold.value = 0
    await edges(dut)
    assert dut.npi_addrreq.value == 1 and int(dut.npi_addr.value) == bursts[0][0]
    dut.abort.value = 1
    await edges(dut)
    dut.abort.value = 0
    for _ in range(5):
        assert dut.npi_addrreq.value == 0
        await edges(dut)
    await start(dut, 0x2000, 8)
    assert (
        dut.npi_addrreq.value == 1
        and int(dut.npi_addr.value) == 0x2000
        and int(dut.npi_size.value) == 0
    )
