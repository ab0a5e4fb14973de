# SPDX-License-Identifier: MIT OR Apache-2.0
import cocotb
from bench import LENGTHS, begin, chance, edges, plan, rounds


@cocotb.test()
async def against_the_simple_plan(dut):
    """Each start in a page with lengths around each boundary, and random jobs."""
    rng = chance("planner")
    lengths = (
        [n for bit, n in enumerate(LENGTHS) if int(dut.BURSTS.value) >> bit & 1]
        if hasattr(dut, "BURSTS")
        else LENGTHS
    )
    page = max(lengths)
    await begin(dut, address=0, bytes=0)
    cases = [
        (a, n)
        for a in range(256)
        for n in {1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257, 512, 513, 65535}
    ]
    cases += [(rng.randrange(256), rng.randrange(1, 65536)) for _ in range(rounds(4000))]
    for address, count in cases:
        dut.address.value, dut.bytes.value = address, count
        await edges(dut)
        bursts = plan(address, count, lengths)
        end = address + count - 1
        assert int(dut.pages.value) == len(bursts) - 1, (address, count)
        assert int(dut.last.value) == end % page
        assert LENGTHS[int(dut.first_burst.value)] == bursts[0][1], (address, count)
        assert LENGTHS[int(dut.last_burst.value)] == bursts[-1][1], (address, count)
        assert bool(dut.exact.value) == (end // 8 == (bursts[-1][0] + bursts[-1][1] - 1) // 8)
