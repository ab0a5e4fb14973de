# SPDX-License-Identifier: MIT OR Apache-2.0
"""Simulation: every module's testbench on Icarus and Verilator, then the driver with the engine."""

import functools
import json
import os
import random
import re
import struct

from rtl import figures, mutants
from rtl.environment import Failed, tool
from rtl.results import RESULTS, keep_results, put_table
from rtl.sources import BUILD, MODELS, ROOT, RTL, SOURCES
from rtl.tests.paper import TABLE_1
from rtl.tests.paper import TABLE_2 as PAPER
from rtl.tests.specification import sum_vectors
from rtl.tests.testbenches import ENGINES, MUTANTS, run_mutants, testbenches
from spec.reference import fold, sum16

TESTS = RTL / "tests"

# The memory of table 2. README.md names the source of each number; the gap is fitted.
TABLE_MEMORY = {"latency": 24, "gap": 6, "refresh_every": 780, "refresh_takes": 8, "fifo": 1}
BETWEEN = [1, *range(100, 12001, 100)]  # sizes around the crossovers, for evidence/lab/tcoe
# Cycles of the driver's own code a job, on the laboratory's model of the PowerPC 405 with its
# instruction cache alone. `python3 -m evidence.lab.tcoe.limits` fails if the model has another
# number.
PROCESSOR = 280


def build_harness(bursts):
    place = BUILD / "harness" / str(bursts)
    place.mkdir(parents=True, exist_ok=True)
    driver = place / "tcoe.o"
    tool(
        "gcc",
        "-O2",
        "-Wall",
        "-Werror",
        "-DTCOE_EXTERNAL_IO",
        "-c",
        RTL / "driver/tcoe.c",
        "-o",
        driver,
    )
    tool(
        "verilator",
        "--cc",
        "--exe",
        "--build",
        "-O3",
        "-Wno-fatal",
        "-CFLAGS",
        f"-O2 -I{RTL / 'driver'}",
        "--top-module",
        "system",
        f"-GBURSTS=4'd{bursts}",
        "--Mdir",
        place,
        *SOURCES,
        *MODELS,
        TESTS / "system/harness.cpp",
        driver,
    )
    return place / "Vsystem"


@functools.cache
def driver_objects():
    """The engine's driver and the C library."""
    place = BUILD / "harness" / "driver"
    place.mkdir(parents=True, exist_ok=True)
    c, objects = ROOT / "c", []
    for source in (
        RTL / "driver/wiresum_engine.c",
        RTL / "driver/wiresum_engine_calibrate.c",
        *sorted(c.glob("src/*.c")),
        *sorted(c.glob("kernels/*.c")),
    ):
        objects.append(place / f"{source.stem}.o")
        tool(
            *("gcc", "-O2", "-Wall", "-Werror", f"-I{c / 'include'}", f"-I{c / 'src'}"),
            *("-DWIRESUM_ENGINE_EXTERNAL_IO", "-DWIRESUM_ENGINE_MAX_POLLS=3000"),
            *("-DWIRESUM_ENGINE_MAX_RESET_POLLS=10000",),
            *("-include", TESTS / "engine_driver/look.h", "-c", source, "-o", objects[-1]),
        )
    return objects


def build_engine_harness(width, **parameters):
    """The engine's driver and the C library with the engine at that width."""
    name = "-".join(["engine", str(width), *map(str, parameters.values())])
    place, c, objects = BUILD / "harness" / name, ROOT / "c", driver_objects()
    place.mkdir(parents=True, exist_ok=True)
    parameters = {"DATA_WIDTH": width, **parameters}
    tool(
        *("verilator", "--cc", "--exe", "--build", "-O3", "-Wno-fatal"),
        *(f"-G{name}={value}" for name, value in parameters.items()),
        *("-CFLAGS", f"-std=c++17 -O2 -I{RTL / 'driver'} -I{c / 'include'} -DDATA_WIDTH={width}"),
        *("-LDFLAGS", "-Wl,--wrap=wiresum_gather"),
        *("--top-module", "wiresum_engine", "--Mdir", place, *ENGINES),
        *(TESTS / "engine_driver/harness.cpp", *objects),
    )
    return place / "Vwiresum_engine"


class Image:
    """Memory's contents: random bytes, and long runs of FF and 00, the extremes for carries."""

    def __init__(self, seed):
        rng = random.Random(f"{seed} image")
        self.data = bytearray(rng.randbytes(131072))
        for at in range(0, 131072, 2048):
            fill = rng.choice([None, None, b"\xff", b"\xff", b"\x00"])
            if fill:
                length = rng.randrange(64, 2048)
                self.data[at : at + length] = fill * length
        self.data[66000:] = b"\xff" * (131072 - 66000)
        self.path = BUILD / "image"
        self.path.write_bytes(self.data)

    def run_of(self, offset, longest):
        """The sums of all lengths up to `longest` from an offset, by the reference's fold."""
        total, sums = 0, [0]
        for i in range(longest):
            total += self.data[offset + i] << (0 if i % 2 else 8)
            sums.append(fold(total))
        return sums


def drive(harness, image, jobs, *words):
    """Runs jobs (offset, length, sum) through the harness; its output."""
    path = BUILD / "jobs"
    path.write_bytes(b"".join(struct.pack("<III", *job) for job in jobs))
    return tool(harness, image.path, path, *words)


def exhaustive(harness, seed, bounded):
    rng = random.Random(f"{seed} jobs")
    image = Image(seed)

    def say(what, output):
        print(f"sim: {what}: {output.strip().splitlines()[-1]}", flush=True)

    # The paper's test: N = 1 to 65535 from one address. The reference checks a sample of the sums.
    for base in (0, 65537) if not bounded else (0,):
        sums = image.run_of(base, 65535)
        for n in [*range(40), *rng.sample(range(65536), 60), 65535]:
            if sums[n] != sum16(image.data[base : base + n]):
                raise Failed("the running sums are not the reference's")
        lengths = (
            range(65536)
            if not bounded
            else sorted({*range(2000), *range(2000, 65536, 97), *range(65279, 65536)})
        )
        say(
            f"every length from {base}" if not bounded else f"{len(lengths)} lengths from {base}",
            drive(harness, image, [(base, n, sums[n]) for n in lengths], "latency=2", "gap=1"),
        )

    # Every start offset with many lengths; then a sample of these on memory with random delays.
    some = [*range(0, 1101 if not bounded else 290), 1500, 2047, 2048, 2049, 4095, 4096, 4097, 8191]
    jobs = []
    for offset in range(256):
        sums = image.run_of(offset, max(some))
        jobs += [(offset, n, sums[n]) for n in some]
    say(f"256 offsets × {len(some)} lengths", drive(harness, image, jobs, "latency=2", "gap=1"))
    jobs = rng.sample(jobs, 100000 if not bounded else 15000)
    say(
        f"{len(jobs)} of them with random delays, seed {seed}",
        drive(harness, image, jobs, f"random={rng.getrandbits(31) | 1}"),
    )
    for fifo in (0, 2):
        say(
            f"port latency {fifo}",
            drive(harness, image, jobs[:10000], f"fifo={fifo}", "latency=2", "gap=1"),
        )
    far = []
    for _ in range(200 if not bounded else 50):
        offset, n = rng.randrange(65536), rng.randrange(65536)
        far.append((offset, n, sum16(image.data[offset : offset + n])))
    say(
        "long ones anywhere, with random delays",
        drive(harness, image, far, f"random={rng.getrandbits(31) | 1}"),
    )
    threshold = int(
        re.search(r"# *define TCOE_THRESHOLD (\d+)", (RTL / "driver/tcoe.h").read_text())[1]
    )
    far = [
        (offset, n, sum16(image.data[offset : offset + n]))
        for offset, n in [
            (0, 131072),
            (1, 131071),
            (3, 65536),
            *((0, threshold + n) for n in (-1, 0, 1)),
            (5, 0),
            (1, 70001),
        ]
    ]
    say("the hybrid, small and past 65535", drive(harness, image, far, "hybrid=1"))
    vectors(harness)


def vectors(harness):
    """Runs the specification's vectors, one after the other in memory, at each offset of a word."""
    image, jobs, at = Image(0), [], 0
    count, batches = 0, []
    for _, data, expected in sum_vectors(65535):
        at += count % 8 + 8 - at % 8
        if at + len(data) > 131072:
            batches.append((bytes(image.data), jobs))
            jobs, at = [], count % 8
        image.data[at : at + len(data)] = data
        jobs.append((at, len(data), expected))
        at += len(data)
        count += 1
    batches.append((bytes(image.data), jobs))
    for data, jobs in batches:
        image.path.write_bytes(data)
        drive(harness, image, jobs)
    print(
        f"sim: {count} vectors of spec/vectors.json, up to 65535 bytes: "
        "engine = driver's software = specification",
        flush=True,
    )


def knobs(memory):
    return [f"{name}={value}" for name, value in memory.items()]


def measure(harness, sizes, runs=100, **memory):
    """{size: [engine's cycles, cycles with the bus, polls]}, means of runs at address 0."""
    image = Image(1)
    jobs = [(0, n, sum16(image.data[:n])) for n in sizes for _ in range(runs)]
    rows = [
        tuple(map(int, line.split()[1:]))
        for line in drive(harness, image, jobs, "fast=0", "print", *knobs(memory)).splitlines()
        if line.startswith("job ")
    ]
    return {
        n: [sum(row[i] for row in rows if row[0] == n) / runs for i in (1, 2, 3)] for n in sizes
    }


def slope(points):
    """The slope of the least-squares line."""
    n, sx, sy = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    return (n * sum(x * y for x, y in points) - sx * sy) / (
        n * sum(x * x for x, _ in points) - sx * sx
    )


def table2(ours):
    """The paper's table 2 beside {bytes: [engine, bus, polls]}, and what can be said of it."""
    sizes = [row[0] for row in PAPER]
    lines = [
        "| bytes | paper, whole job | ours, whole job | paper, less 2359 | ours, less 2359 "
        "| ours, engine alone | polls |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n, whole, _, less in PAPER:
        engine, bus, polls = ours[n]
        job = bus + PROCESSOR
        lines.append(
            f"| {n} | {whole:.0f} | {job:.0f} | {less:.0f} | {job - 2359:.0f} "
            f"| {engine:.1f} | {polls:.1f} |"
        )
    excess = {n: ours[n][1] + PROCESSOR - whole for n, whole, *_ in PAPER}
    poll = TABLE_1["read OUTPUT"]
    if any(abs(x) > poll for x in excess.values()):
        raise Failed(f"a whole job differs from the paper's by more than a poll: {excess}")
    worse = [n for n, _, _, less in PAPER if ours[n][0] > less]
    if worse:
        raise Failed(f"the engine takes more cycles than the paper's at {worse}")
    engine_slope, whole_slope = (slope([(n, ours[n][i]) for n in sizes]) for i in (0, 1))
    paper_slope = slope([(n, row) for n, row, *_ in PAPER])
    fastest, slowest = ours[65535][0], PAPER[-1][3]
    small = [row for row in PAPER if row[0] <= 500]
    few, many = ([x for n, x in excess.items() if (n <= 500) == early] for early in (True, False))
    lines += [
        "",
        "Slope of the least-squares line over all sizes, in cycles a byte: the paper's data "
        f"{paper_slope:.4f} (printed: 0.1492), ours with the bus {whole_slope:.4f}, the engine "
        "alone "
        f"{engine_slope:.4f} ({1 / engine_slope:.2f} of 8 bytes a cycle). Without the bus, 65535 "
        "bytes "
        f"take {slowest:.0f} cycles in the paper and {fastest:.0f} here ({65535 / slowest:.2f} and "
        f"{65535 / fastest:.2f} bytes a cycle). The engine alone takes fewer cycles than the "
        "paper's "
        "column without the bus at every size.",
        "",
        f"From 1 to 500 bytes our whole job takes {ours[1][1] + PROCESSOR:.0f} cycles, the paper's "
        f"{min(row[1] for row in small):.0f} to {max(row[1] for row in small):.0f}: ours takes "
        f"{min(few):.0f} to {max(few):.0f} cycles more. Neither number is fitted to the other. "
        "From 1000 "
        f"bytes, ours takes between {-min(many):.0f} cycles fewer and {max(many):.0f} more. A job "
        "ends "
        f"with the first poll that finds it ready, and a poll takes {poll:.0f} cycles, so such "
        "differences are less than one poll.",
    ]
    return "\n".join(lines)


def burst_table(mapped):
    """The engine's cycles with each choice of burst lengths, for aligned and other data."""
    names = {
        15: "8, 64, 128, 256 (the design)",
        8: "256 only",
        4: "128 only",
        2: "64 only",
        1: "8 only",
        9: "8, 256",
        14: "64, 128, 256",
    }
    sizes = [1, 40, 100, 500, 1500, 9000, 65535]
    image = Image(1)
    lines = [
        "| bursts | "
        + " | ".join(f"{n} B" for n in sizes)
        + " | 40 B, mean of 256 offsets | 1500 B, mean of 256 offsets |",
        "|:--|" + "--:|" * (len(sizes) + 2),
    ]
    # The bus would take longer than the flush of a job's tail; here idle cycles take its place.
    memory = {**TABLE_MEMORY, "refresh_every": 0}
    for bursts, name in names.items():
        harness = mapped(bursts)
        jobs = [(0, n, sum16(image.data[:n])) for n in sizes]
        jobs += [(o, n, sum16(image.data[o : o + n])) for n in (40, 1500) for o in range(256)]
        rows = [
            int(line.split()[2])
            for line in drive(
                harness, image, jobs, "print", "idle=200", *knobs(memory)
            ).splitlines()
            if line.startswith("job ")
        ]
        means = [sum(rows[len(sizes) + 256 * i : len(sizes) + 256 * (i + 1)]) / 256 for i in (0, 1)]
        lines.append(
            f"| {name} | "
            + " | ".join(map(str, rows[: len(sizes)]))
            + f" | {means[0]:.1f} | {means[1]:.1f} |"
        )
    return "\n".join(lines)


def gap_table(harness):
    """The slope for each gap between bursts, the one fitted number."""
    lines = ["| gap, cycles | slope, cycles a byte | 65535 bytes, engine alone |", "|--:|--:|--:|"]
    for gap in range(3, 10):
        ours = measure(harness, [10000, 30000, 65535], runs=1, **{**TABLE_MEMORY, "gap": gap})
        lines.append(
            f"| {gap} | {slope([(n, row[0]) for n, row in ours.items()]):.4f} | "
            f"{ours[65535][0]:.0f} |"
        )
    return "\n".join(lines)


# The memory of the engine's figures answers a read after so many cycles; and one that answers in
# the next cycle, so that what is left is the engine's own.
ENGINE_LATENCIES = (0, 24)
LINE_SIZES = (64, 256, 576, 1500, 9000)  # bytes, to which the engine's line is fitted


def engine_driver(bounded):
    """The memory-to-memory engine with its driver: random jobs, then the cycles of jobs."""
    for width, jobs in ((64, 5000),) if bounded else ((64, 100000), (512, 20000)):
        harness = build_engine_harness(width)
        seed = os.environ["WIRESUM_SEED"]
        output = tool(harness, f"jobs={jobs}", f"seed={seed}").strip().splitlines()[-1]
        print(f"sim: the engine's driver, {width} bits, seed {seed}: {output}", flush=True)
        if width == 64:
            found = {
                str(latency): engine_cycles(tool(harness, "measure", f"latency={latency}"))
                for latency in ENGINE_LATENCIES
            }
            for latency in ENGINE_LATENCIES:
                calibrated(tool(harness, "calibrate", f"latency={latency}"), found[str(latency)])
    kept = json.loads(RESULTS.read_text()).get("engine", {})
    found = json.loads(json.dumps(found))
    if bounded and kept != found:
        raise Failed(f"results.json: engine: found {found}, kept {kept}: python3 rtl/run.py sim")
    if not bounded:
        keep_results("engine", found, False)
    put_table("engine", engine_table(found), bounded)


def calibrated(output, found):
    """The lines that the driver measures. Software takes 40 cycles and half a cycle a byte, as the
    harness has it. The engine's line is near the cycles that the harness counts itself, and its
    processor writes a register and looks at each completion once."""
    text, _, limits = output.rpartition("limits ")
    lines = {line["name"]: line for line in json.loads(text)["lines"]}
    software, engine, cpu = lines["software"], lines["engine"], lines["engine"]["cpu"]
    if abs(software["job"] - 40) > 0.1 or abs(software["byte"] - 0.5) > 0.001:
        raise Failed(f"sim: calibrate: the line of software is {software}")
    for batch, cycles in ((1, found["alone"]), (32, found["32"])):
        for size in map(str, (256, 1024, 4096, 9000)):
            line = engine["batch"] / batch + engine["job"] + engine["byte"] * int(size)
            if not 0.7 < line * batch / cycles[size] < 1.4:
                raise Failed(f"sim: calibrate: {batch} jobs of {size}: {line}, {cycles[size]}")
    if not 0.9 < cpu["job"] < 1.2 or not 1 < cpu["batch"] < 8 or cpu["byte"] > 0.001:
        raise Failed(f"sim: calibrate: the processor's line is {cpu}")
    for limit, batches in zip(map(int, limits.split()), (1, 0), strict=True):
        more = engine["job"] + engine["batch"] * batches - software["job"]
        if abs(limit - max(0, more / (software["byte"] - engine["byte"]))) > 1.1:
            raise Failed(f"sim: calibrate: the limit {limit} of {lines}")
    print(f"sim: calibrate: {' '.join(text.split())}; limits {limits.strip()}", flush=True)


# The engine's bandwidth with memories of these latencies, at these widths, if it is built for one
# of 250 cycles.
WIDTHS_OF_MEMORY, LATENCIES, BUILT_FOR = (64, 128, 256, 512), (24, 64, 128, 250, 500, 1000), 250


def engine_bandwidth(bounded):
    """Cycles of batches of 64 jobs, after random jobs with what is under way then. Bounded: at one
    width and latency."""
    found = {}
    for width in (512,) if bounded else WIDTHS_OF_MEMORY:
        harness = build_engine_harness(width, LATENCY_CYCLES=BUILT_FOR)
        tool(harness, f"jobs={3000 if bounded else 20000}", f"seed={os.environ['WIRESUM_SEED']}")
        for latency in (BUILT_FOR,) if bounded else LATENCIES:
            output = tool(harness, "bandwidth", f"latency={latency}")
            rows = (line.split() for line in output.splitlines() if line[:4] in ("sum ", "copy"))
            found[f"{width} bits, {latency} cycles"] = [int(row[2]) for row in rows]
    kept = json.loads(RESULTS.read_text()).get("bandwidth", {})
    keep_results("bandwidth", found, bounded)
    put_table("bandwidth", bandwidth_table({**kept, **found}), bounded)
    print(f"sim: the engine's bandwidth: {found}", flush=True)


def bandwidth_table(found):
    """The parts of the bus that long jobs use, and the cycles of short jobs. The goal has to be
    met: at 250 cycles, 95 % of the bus, and 90 % with a copy."""
    head = " | ".join(f"{width}, sum | {width}, copy" for width in WIDTHS_OF_MEMORY)
    tables = []
    for title, first, show in (
        ("jobs of 32 KiB, bits", 2, lambda cycles, w: f"{6400 * 32768 / (cycles * w / 8):.1f} %"),
        ("jobs of 64 bytes, bits", 0, lambda cycles, w: f"{cycles / 64:.1f}"),
    ):
        lines = [f"| latency | {head} |".replace("latency", f"latency; {title}")]
        lines.append("|--:|" + "--:|" * 2 * len(WIDTHS_OF_MEMORY))
        for latency in LATENCIES:
            cells = []
            for width in WIDTHS_OF_MEMORY:
                cycles = found[f"{width} bits, {latency} cycles"][first : first + 2]
                cells += [show(number, width) for number in cycles]
                if latency == BUILT_FOR and first:
                    used = [64 * 32768 * 8 / width / number for number in cycles]
                    if used[0] < 0.95 or used[1] < 0.9:
                        raise Failed(f"sim: at {width} bits the engine uses {used} of the bus")
            lines.append(f"| {latency} | {' | '.join(cells)} |")
        tables.append("\n".join(lines))
    return "\n\n".join(tables)


def engine_cycles(output):
    """{jobs of a batch: {bytes: cycles}} of data two bytes behind a beat's first, and the rates."""
    found = {"alone": {}, "32": {}, "copied alone": {}, "copied 32": {}}
    for line in output.splitlines():
        kind, *numbers = line.split()
        if kind in ("rate", "copy_rate"):
            found["copied " * (kind != "rate") + "bytes a cycle"] = float(numbers[0])
        elif kind in ("job", "copy"):
            batch = "alone" if numbers[0] == "1" else "32"
            found["copied " * (kind == "copy") + batch][numbers[1]] = int(numbers[2])
    return found


def engine_line(found):
    """(cycles of a batch, of a job, of a byte) of the line of `wiresum plan`."""
    alone, many = ({int(n): t for n, t in found[of].items()} for of in ("alone", "32"))
    first, last = LINE_SIZES[0], LINE_SIZES[-1]
    byte = (alone[last] - alone[first]) / (last - first)
    jobs = [(many[n] - alone[n]) / 31 - byte * n for n in LINE_SIZES]
    job = sum(jobs) / len(jobs)
    batches = [alone[n] - job - byte * n for n in LINE_SIZES]
    return sum(batches) / len(batches), job, byte


def engine_table(found):
    lines = [
        "| bytes | alone, cycles | in a batch of 32, cycles a job "
        "| alone, memory of 24 cycles | in a batch of 32, memory of 24 cycles "
        "| copied alone, memory of 24 cycles | copied in a batch of 32, memory of 24 cycles |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    fast, slow = (found[str(latency)] for latency in ENGINE_LATENCIES)
    for size in fast["alone"]:
        lines.append(
            f"| {size} "
            + "".join(f"| {of['alone'][size]} | {of['32'][size] / 32:.1f} " for of in (fast, slow))
            + f"| {slow['copied alone'][size]} | {slow['copied 32'][size] / 32:.1f} |"
        )
    batch, job, byte = engine_line(slow)
    lines += [
        "",
        f"Long jobs take {slow['bytes a cycle']:.2f} bytes a cycle of 8, and long copies "
        f"{slow['copied bytes a cycle']:.2f}. With memory of 24 cycles, "
        f"a batch of N jobs of n bytes takes "
        f"{batch:.1f} + N × ({job:.2f} + {byte:.4f} × n) cycles.",
    ]
    return "\n".join(lines)


# What a bounded run repeats if its inputs are the recorded ones: these benches, a mutant,
# and the engine with its driver, which needs the C library, no recorded input.
SAMPLE = ("registers", "adder", "update-3", "engine_interrupt", "engine_writer-64")


def start(bounded):
    if bounded:
        os.environ["WIRESUM_BOUNDED"] = "1"


def keep_tables(bounded):
    found = {}
    for name, test, _, what, *_ in MUTANTS:
        found.setdefault(name, []).append([what, test])
    mutants.keep(mutants.SIMULATIONS, found, bounded)
    figures.put(bounded)


def sample():
    """What a bounded run does if its inputs are the recorded ones."""
    start(True)
    testbenches(True, SAMPLE)
    run_mutants(MUTANTS[:1])
    engine_driver(True)
    keep_tables(True)


def run(bounded):
    """Simulates all; returns what was found, in a line."""
    start(bounded)
    seed = int(os.environ["WIRESUM_SEED"])
    count = testbenches(bounded)
    run_mutants()
    if os.environ.get("WIRESUM_SIM", "engine_driver").startswith("engine_driver"):
        engine_driver(bounded)
    if os.environ.get("WIRESUM_SIM", "engine_bandwidth").startswith("engine_bandwidth"):
        engine_bandwidth(bounded)
    if os.environ.get("WIRESUM_SIM"):
        return ""
    keep_tables(bounded)
    harness = build_harness(15)
    exhaustive(harness, seed, bounded)
    ours = measure(harness, [row[0] for row in PAPER], **TABLE_MEMORY)
    keep_results("table 2: engine, bus, polls", {str(n): row for n, row in ours.items()}, bounded)
    text = table2(ours)
    print(text.splitlines()[-3], flush=True)
    put_table("table 2", text, bounded)
    keep_results(
        "whole job on the bus",
        {str(n): row[1] for n, row in measure(harness, BETWEEN, runs=20, **TABLE_MEMORY).items()},
        bounded,
    )
    if not bounded:
        built = {15: harness}
        put_table("bursts", burst_table(lambda bursts: built.get(bursts) or build_harness(bursts)))
        put_table("gap", gap_table(harness))
        bursts = {
            str(lengths): measure(
                built.get(lengths) or build_harness(lengths), [65535], runs=1, **TABLE_MEMORY
            )[65535][0]
            for lengths in (15, 8, 4, 2, 1)
        }
        keep_results("65535 bytes by burst lengths", bursts, bounded)
        keep_results(
            "functional", {"lengths from one address": 65535, "start offsets": 256}, bounded
        )
    return f"{count} testbenches pass, {len(MUTANTS)} mutants found, table 2 is the same"
