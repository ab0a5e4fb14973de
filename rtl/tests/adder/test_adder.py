# SPDX-License-Identifier: MIT OR Apache-2.0
import cocotb
from bench import begin, chance, edges, rounds, sum16, sum_vectors


async def run(dut, data, offset, rng):
    """Adds data that start at an offset in a word, with random bytes around them and idle cycles.

    Returns the 16 bits of the result.
    """
    dut.clear.value = 1
    await edges(dut)
    dut.clear.value = 0
    wanted = [None] * offset + list(data)
    wanted += [None] * (-len(wanted) % 8)
    for at in range(0, len(wanted), 8):
        while rng.random() < 0.1:
            dut.take.value, dut.data.value, dut.enable.value = (
                0,
                rng.getrandbits(64),
                rng.getrandbits(8),
            )
            await edges(dut)
        beat = wanted[at : at + 8]
        dut.take.value = 1
        dut.enable.value = sum(1 << k for k, byte in enumerate(beat) if byte is not None)
        dut.data.value = sum(
            (rng.getrandbits(8) if byte is None else byte) << 8 * k for k, byte in enumerate(beat)
        )
        await edges(dut)
    dut.take.value = 0
    await edges(dut)
    dut.fold.value = 1
    await edges(dut, 2)
    dut.fold.value = 0
    return int(dut.sum.value)


def swapped(value):
    return value >> 8 | value << 8 & 0xFF00


@cocotb.test()
async def vectors(dut):
    """The specification's vectors, at each offset in a word; an odd offset swaps the bytes."""
    rng, count = chance("adder vectors"), 0
    await begin(dut, clear=0, take=0, enable=0, data=0, fold=0)
    for name, data, expected in sum_vectors(rounds(4096)):
        offset = count % 8
        count += 1
        got = await run(dut, data, offset, rng)
        assert got == (swapped(expected) if offset % 2 else expected), (name, offset)
    assert count > 100, count
    cocotb.log.info("%d vectors", count)


@cocotb.test()
async def random_and_longest(dut):
    rng = chance("adder random")
    await begin(dut, clear=0, take=0, enable=0, data=0, fold=0)
    for _ in range(rounds(200)):
        data, offset = rng.randbytes(rng.randrange(200)), rng.randrange(8)
        assert await run(dut, data, offset, rng) == (
            swapped(sum16(data)) if offset % 2 else sum16(data)
        )
    for offset in (0, 1, 7)[: rounds(4)]:
        assert await run(dut, b"\xff" * 65535, offset, rng) == (
            swapped(sum16(b"\xff" * 65535)) if offset % 2 else sum16(b"\xff" * 65535)
        )
