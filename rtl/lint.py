# SPDX-License-Identifier: MIT OR Apache-2.0
"""Lint: what is generated from other files is up to date, and every tool accepts the sources."""

import io
import subprocess
import sys
import unittest

from rtl import adopters, diagrams, lists, registers, templates
from rtl.environment import Failed, tool
from rtl.sources import BUILD, ENGINE, MODELS, ROOT, RTL, SOURCES, STREAM, TCOE

ENGINE_PARAMETERS = [  # of the memory-to-memory engine, which lint sets
    ["DATA_WIDTH=64"],
    ["DATA_WIDTH=64", "COPY_BURSTS=0"],
    ["DATA_WIDTH=128", "BURST_BYTES=4096"],
    ["DATA_WIDTH=256", "ADDR_WIDTH=32", "ID_WIDTH=4", "COPY_BURSTS=2"],
    ["DATA_WIDTH=512", "BURST_BYTES=128"],
    ["DATA_WIDTH=512", "LATENCY_CYCLES=250", "AR_CACHE=4'hF", "AW_CACHE=4'hF", "PROT=3'd2"],
    ["DATA_WIDTH=1024", "ADDR_WIDTH=40"],
]
BLOCK_PARAMETERS = {  # the streaming blocks, with the parameters that lint sets
    "frame_buffer": ["DATA_WIDTH=16", "BEATS=4", "DATA_WIDTH=1024"],
    "header_unit": [""],
    "headers": [f"DATA_WIDTH={width}" for width in (16, 32, 64, 128, 512, 1024)],
    "place": ["KEEP_WIDTH=2", "KEEP_WIDTH=128"],
    "port": [f"DATA_WIDTH={width}" for width in (64, 512)],
    "queue": ["WIDTH=1", "WIDTH=33", "PLACES=2", "PLACES=32"],
    "rx_check": [*(f"DATA_WIDTH={width}" for width in (16, 64, 512, 1024)), "HEADER_BYTES=256"],
    "rx_pass": [*(f"DATA_WIDTH={width}" for width in (16, 64, 512, 1024)), "USER_WIDTH=96"],
    "sum_stream": [*(f"DATA_WIDTH={width}" for width in (16, 64, 512, 1024)), "SUM_ONLY=1"],
    "tx_insert": [
        *(f"DATA_WIDTH={width}" for width in (16, 64, 512, 1024)),
        *("BEATS=4", "ABORT_LONG=1"),
    ],
    "update": ["WORDS=1", "WORDS=3", "WORDS=16"],
}


def slang(top, settings, *files):
    """Elaborates with slang, which is strict: it refuses a name before its declaration."""
    from pyslang.driver import Driver

    # At the widest beat a vector of one bit is shifted by one, which empties it.
    settings = [setting.replace("'", "\\'") for setting in settings]  # it reads a quote
    words = [
        "-Werror",
        "-Wno-shift-count-overflow",
        "--top",
        top,
        *(f"-G{setting}" for setting in settings),
    ]
    driver = Driver()
    driver.addStandardArgs()
    sys.stdout.flush()
    if not (
        driver.parseCommandLine(" ".join(map(str, ["slang", *words, *files])))
        and driver.processOptions()
        and driver.parseAllSources()
        and driver.runFullCompilation(quiet=True)
    ):
        raise Failed(f"slang refuses {top} {' '.join(settings)}")


def run(bounded):
    registers.run(bounded)
    lists.run(bounded)
    diagrams.run(bounded)
    templates.run(bounded)
    unlisted = sorted(path.name for path in {*TCOE.glob("*.sv")} ^ {*SOURCES})
    if unlisted:
        raise Failed(f"tcoe.f and the folder differ in: {' '.join(unlisted)}")
    tool("iverilog", "-g2012", "-t", "null", "-f", "tcoe.f", cwd=TCOE)
    tool("verilator", "--lint-only", "-Wall", "--top-module", "tcoe", "-F", TCOE / "tcoe.f")
    for top, files in (("tcoe", SOURCES), ("system", SOURCES + MODELS)):
        tool("verilator", "--lint-only", "-Wall", "--top-module", top, *files)
        slang(top, [], *files)
    for bursts in (1, 2, 4, 8, 9, 12):
        tool(
            "verilator",
            "--lint-only",
            "-Wall",
            "-Wno-UNUSEDSIGNAL",
            f"-GBURSTS=4'd{bursts}",
            "--top-module",
            "tcoe",
            *SOURCES,
        )
    blocks = sorted(STREAM.glob("*.sv"))
    tool("iverilog", "-g2012", "-t", "null", "-f", "stream.f", cwd=STREAM)
    for block, values in BLOCK_PARAMETERS.items():
        for setting in values:
            tool(
                *("verilator", "--lint-only", "-Wall", *([f"-G{setting}"] if setting else [])),
                *("--top-module", f"wiresum_{block}", "-F", STREAM / "stream.f"),
            )
            slang(f"wiresum_{block}", [setting] if setting else [], *blocks)
    unseen = sorted(
        {path.stem for path in blocks} ^ {f"wiresum_{name}" for name in BLOCK_PARAMETERS}
    )
    if unseen:
        raise Failed(f"BLOCK_PARAMETERS and {STREAM.name} differ in: {' '.join(unseen)}")
    engine = sorted(ENGINE.glob("*.sv"))
    tool("iverilog", "-g2012", "-t", "null", "-s", "wiresum_engine", "-f", "engine.f", cwd=ENGINE)
    for settings in ENGINE_PARAMETERS:
        tool(
            *("verilator", "--lint-only", "-Wall", *(f"-G{setting}" for setting in settings)),
            *("--top-module", "wiresum_engine", "-F", ENGINE / "engine.f"),
        )
        slang("wiresum_engine", settings, *blocks, *engine)
    rules = RTL / ".rules.verible_lint"
    verilog = SOURCES + MODELS + blocks + engine + sorted((RTL / "formal").glob("*.sv"))
    tool("verible-verilog-lint", f"--rules_config={rules}", *verilog)
    verilog += sorted((RTL / "formal").glob("*.svh"))
    tool(
        "verible-verilog-format",
        f"--flagfile={RTL / '.verible_format'}",
        "--verify",
        "--inplace",
        *verilog,
    )
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in verilog
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 100
    ]
    if long:
        raise Failed(f"more than 100 columns: {', '.join(long)}")
    drivers, external = RTL / "driver", "-DWIRESUM_ENGINE_EXTERNAL_IO"
    for source, *words in (
        ("wiresum_engine.c", "-std=c99", "-ffreestanding"),
        ("wiresum_engine.c", "-std=c11", external),
        ("wiresum_engine_calibrate.c", "-std=c99", "-ffreestanding"),
        ("wiresum_engine_calibrate.h", "-x", "c++", "-fsyntax-only"),
        ("wiresum_engine.h", "-x", "c++", "-fsyntax-only"),
        ("uio.c", "-std=gnu11", external),
    ):
        tool(
            *("gcc", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-O2", *words),
            *(f"-I{ROOT / 'c/include'}", "-c", drivers / source, "-o", "/dev/null"),
        )
    for words in (
        ["-std=c99", "-ffreestanding"],
        ["-std=c11", "-DTCOE_EXTERNAL_IO"],
        ["-x", "c++", "-fsyntax-only"],
    ):
        source = RTL / "driver" / ("tcoe.h" if "c++" in words else "tcoe.c")
        tool(
            "gcc",
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Werror",
            "-O2",
            *words,
            "-c",
            source,
            "-o",
            "/dev/null",
        )
    small_map()
    records_rule()
    adopters.run(bounded)
    print(
        f"lint: {len(verilog)} files pass Verilator -Wall, slang, Verible's linter and formatter; "
        "the drivers pass gcc; FuseSoC lints and simulates, and the engine works in LiteX"
    )


def small_map():
    """The example for UIO refuses a map that is too small for the registers, or for the rings."""
    place = BUILD / "uio"
    program, sizes = place / "uio", {"map0": 0x1000, "map1": 0x2000}
    place.mkdir(parents=True, exist_ok=True)
    (place / "uio9").write_bytes(bytes(0x3000))
    tool(
        *("gcc", "-std=gnu11", f'-DUIO_CLASS="{place}/class"', "-DWIRESUM_ENGINE_EXTERNAL_IO"),
        f"-I{ROOT / 'c/include'}",
        # It does not come to a sum, so it needs no library.
        *("-no-pie", "-Wl,--defsym=wiresum_gather=0", "-Wl,--defsym=wiresum_gather_copy=0"),
        *("-o", program),
        *(RTL / "driver/uio.c", RTL / "driver/wiresum_engine.c"),
    )
    for small, size in (("map0", 0x40), ("map1", 0), ("map1", 0x800), ("map1", 0x1001)):
        for name, whole in sizes.items():
            attributes = place / "class/uio9/maps" / name
            attributes.mkdir(parents=True, exist_ok=True)
            (attributes / "addr").write_text("0x80000000\n")
            (attributes / "size").write_text(f"{size if name == small else whole:#x}\n")
        done = subprocess.run([program, place / "uio9", program], capture_output=True, text=True)
        said = f"map {small[-1]} has {size} bytes and needs"
        if done.returncode != 1 or said not in done.stderr:
            raise Failed(f"uio.c with {small} of {size} bytes: {done.returncode} {done.stderr}")


def records_rule():
    """Tests when a bounded run may repeat a sample only."""
    said = io.StringIO()
    tests = unittest.defaultTestLoader.loadTestsFromName("rtl.tests.records.test_records")
    done = unittest.TextTestRunner(stream=said).run(tests)
    if not done.wasSuccessful() or not done.testsRun:
        raise Failed(said.getvalue())
