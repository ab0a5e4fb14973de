# SPDX-License-Identifier: MIT OR Apache-2.0
"""The packages for adopters, as they are shipped: FuseSoC lints and simulates the cores, and the
engine does jobs in a system of LiteX."""

import sys

from rtl.environment import Failed, tool
from rtl.sources import BUILD, RTL
from rtl.tests.testbenches import ENGINES


def fusesoc(target, core, *words):
    place = BUILD / "fusesoc" / f"{core}-{target}{''.join(words)}"
    return tool(
        *("fusesoc", "--cores-root", RTL, "run", f"--work-root={place}", "--target", target),
        *(f"wiresum:rtl:{core}", *words),
        cwd=BUILD,
    )


def litex(standard):
    """Jobs of the engine in a system of LiteX with a bus of that standard."""
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    tests, place = RTL / "tests/litex_soc", BUILD / "litex" / standard
    place.mkdir(parents=True, exist_ok=True)
    tool("python", tests / "soc.py", place, standard, cwd=place, log=place / "litex.log")
    sys.path.insert(0, str(tests))  # where the simulator looks for the test
    # Icarus evaluates the combinational blocks that LiteX writes without end.
    runner = get_runner("verilator")
    runner.build(
        sources=[place / "litex_soc.v", *ENGINES],
        hdl_toplevel="litex_soc",
        build_dir=place,
        always=True,
        timescale=("1ns", "1ps"),
        build_args=["-Wno-fatal", "-O3", "--output-split", "0", "-CFLAGS", "-O0"],
        log_file=place / "build.log",
    )
    results = runner.test(
        hdl_toplevel="litex_soc",
        test_module="test_litex",
        test_dir=place,
        build_dir=place,
        results_xml=place / "results.xml",
        log_file=place / "sim.log",
    )
    if get_results(results) != (1, 0):
        raise Failed(f"{(place / 'sim.log').read_text()[-6000:]}\nlitex: {standard} fails")


def run(bounded):
    for core in ("stream", "engine"):
        fusesoc("lint", core)
    for width in (64, 256):
        output = fusesoc("sim", "stream", "--DATA_WIDTH", str(width))
        if f"PASS: 39 frames at {width} bits" not in output:
            raise Failed(f"{output}\nfusesoc: the simulation at {width} bits fails")
    for standard in ("wishbone",) if bounded else ("wishbone", "axi-lite", "axi"):
        litex(standard)
