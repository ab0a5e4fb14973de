# SPDX-License-Identifier: MIT OR Apache-2.0
import cocotb
from bench import begin, chance, edges

BASE = 0xC0000000
IDLE = dict.fromkeys(
    [f"plb_{name}" for name in ("pavalid", "abus", "rnw", "be", "size", "type", "wrdbus")], 0
)


async def transfer(dut, address, read, data=0, be=15, size=0, kind=0):
    """One request, held until acknowledged or for 20 cycles. What the bus showed, as a dict."""
    dut.plb_abus.value, dut.plb_rnw.value, dut.plb_be.value = address, read, be
    dut.plb_size.value, dut.plb_type.value, dut.plb_wrdbus.value, dut.plb_pavalid.value = (
        size,
        kind,
        data,
        1,
    )
    seen = {"writes": [], "answers": 0}
    for cycle in range(20):
        await edges(dut)
        assert dut.sl_rddack.value == 1 or int(dut.sl_rddbus.value) == 0, (
            "the read bus is ORed: zeros between answers"
        )
        if dut.write.value == 1:
            seen["writes"].append((int(dut.index.value), int(dut.wdata.value)))
        if dut.sl_addrack.value == 1:
            seen["acknowledged"] = cycle + 1
        if dut.sl_wrdack.value == 1 or dut.sl_rddack.value == 1:
            assert (
                dut.sl_wrcomp.value == dut.sl_wrdack.value
                and dut.sl_rdcomp.value == dut.sl_rddack.value
            )
            seen["answers"] += 1
            seen["answered"] = cycle + 1
            seen["error"] = dut.sl_wrerr.value == 1 or dut.sl_rderr.value == 1
            seen["data"] = int(dut.sl_rddbus.value)
            seen["index"] = int(dut.index.value)
        if "acknowledged" in seen and cycle + 1 > seen["acknowledged"]:
            dut.plb_pavalid.value = 0
    dut.plb_pavalid.value = 0
    await edges(dut)
    return seen


@cocotb.test()
async def single_transfers(dut):
    rng = chance("bus")
    await begin(dut, **IDLE, rdata=0)
    for _ in range(100):
        word, data = rng.randrange(5), rng.getrandbits(32)
        seen = await transfer(dut, BASE + 4 * word, 0, data)
        assert (
            seen["writes"] == [(word, data)]
            and seen["acknowledged"] == 1
            and seen["answered"] == 1
            and not seen["error"]
        )
        dut.rdata.value = data
        seen = await transfer(dut, BASE + 4 * word, 1)
        assert seen == {
            "writes": [],
            "answers": 1,
            "acknowledged": 1,
            "answered": 3,
            "error": False,
            "data": data,
            "index": word,
        }


@cocotb.test()
async def refused_and_ignored(dut):
    await begin(dut, **IDLE, rdata=0xFFFFFFFF)
    for read in (0, 1):
        for bad in ({"be": 8}, {"be": 3}, {"be": 0}):
            seen = await transfer(dut, BASE, read, 5, **bad)
            assert (
                seen["answers"] == 1
                and seen["error"]
                and seen["writes"] == []
                and seen["data"] == 0
            )
        for address in (BASE + 0x14, BASE + 0x1C, BASE + 1, BASE + 2):
            seen = await transfer(dut, address, read, 5)
            assert (
                seen["answers"] == 1
                and seen["error"]
                and seen["writes"] == []
                and seen["data"] == 0
            )
        for elsewhere in (
            {"address": BASE + 0x20},
            {"address": BASE ^ 0x80000000},
            {"address": BASE, "size": 2},
            {"address": BASE, "size": 10},
            {"address": BASE, "kind": 6},
        ):
            seen = await transfer(dut, read=read, data=5, **elsewhere)
            assert seen == {"writes": [], "answers": 0}, elsewhere
