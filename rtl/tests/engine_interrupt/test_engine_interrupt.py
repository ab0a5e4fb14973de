# SPDX-License-Identifier: MIT OR Apache-2.0
"""When completions raise the interrupt: by their number, and by the time since the first."""

import cocotb
from bench import begin, chance, edges, rounds


async def step(dut, completion):
    """A cycle; whether it is announced by its end."""
    dut.completion.value = int(completion)
    await edges(dut)
    return bool(dut.announce.value)


async def fresh(dut, count, cycles):
    await begin(dut, count=count, cycles=cycles, completion=0)


@cocotb.test()
async def by_number(dut):
    """Every third completion raises it, in the cycle after the completion."""
    await fresh(dut, 3, 0)
    raised = [await step(dut, i % 4 == 0) for i in range(48)]
    assert [i for i, up in enumerate(raised) if up] == [8, 20, 32, 44]


@cocotb.test()
async def every_completion(dut):
    await fresh(dut, 1, 0)
    assert all([await step(dut, True) for _ in range(20)])


@cocotb.test()
async def by_time(dut):
    """The first completion starts the time, later ones do not start it again."""
    await fresh(dut, 0, 10)
    raised = [await step(dut, i in (2, 5, 8, 30)) for i in range(60)]
    assert [i for i, up in enumerate(raised) if up] == [12, 40]


@cocotb.test()
async def never(dut):
    await fresh(dut, 0, 0)
    assert not any([await step(dut, True) for _ in range(100)])


@cocotb.test()
async def none_is_forgotten(dut):
    """With both, at most `count` completions and `cycles` cycles pass before they are announced."""
    rng = chance("engine_interrupt")
    for _ in range(rounds(20)):
        count, cycles = rng.randrange(1, 6), rng.randrange(2, 30)
        await fresh(dut, count, cycles)
        waiting, since = 0, None
        for now in range(150):
            come = rng.random() < 0.2
            raised = await step(dut, come)
            if come:
                waiting += 1
                since = now if since is None else since
            if raised:
                assert waiting, "raised without a completion"
                waiting, since = 0, None
            assert waiting < count
            assert since is None or now - since <= cycles
