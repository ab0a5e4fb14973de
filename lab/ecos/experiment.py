# SPDX-License-Identifier: MIT OR Apache-2.0
"""A post to ecos-discuss: an assembly checksum on an ARM against portable C, and optimised C that is slower than C that is not."""

import ctypes
import dataclasses
import functools
import random
import struct

from .. import build, native, vectors
from ..claims import Chart, Document, Listing, Result, Row, Table, near, rounds_to, verdict
from ..machines.arm import decode
from ..machines.arm7tdmi import ARM7TDMI
from ..machines.arm9 import ARM9
from ..machines.strongarm import STRONGARM
from ..report.chart import COLOURS, chart
from .chain import BLIND, HERE, LEVELS, Routines, body

DOCUMENT = Document(
    key="ecos",
    title="[ECOS] TCP/IP checksum routine performance",
    authors="Grant Edwards, ecos-discuss mailing list",
    year="27 April 2000",
    about=(
        "An assembly routine against portable C over a chain of four mbufs on an ARM, where `gcc -O1` to `-O3` made code 50 %"
        " slower than `-O0`."
    ),
)

# Seconds of the post.
POST = {"assembly": 5.04, "-O0": 10.62, "-O1": 15.95, "-O2": 15.95, "-O3": 15.95}
UNOPTIMISED, OPTIMISED = POST["-O0"] / POST["assembly"], POST["-O2"] / POST["assembly"]
SLOWER = POST["-O2"] / POST["-O0"]

# "a chain of 4 mbufs of varying lengths": the lengths are not given. Headers, and segments of several sizes behind them.
CHAINS = {
    "20, 20, 512, 908": (20, 20, 512, 908),
    "14, 20, 20, 1460": (14, 20, 20, 1460),
    "20, 8, 128, 256": (20, 8, 128, 256),
    "40, 128, 256, 1024": (40, 128, 256, 1024),
    "100, 200, 300, 400": (100, 200, 300, 400),
    "21, 19, 511, 909": (21, 19, 511, 909),
}
CHAIN = "20, 20, 512, 908"
WAITS = range(6)
MACHINES = {"ARM7TDMI": ARM7TDMI, "ARM9": ARM9, "StrongARM": STRONGARM}


def folded(steps):
    """The steps of -O0 without the additions that only make the address of the next load.

    GCC before 4.0 expanded an expression as a tree, so `w[3]` was one load with an offset even at -O0; since GIMPLE it is two
    statements there. This is what the same code costs without the second.
    """
    kept = []
    for step, following in zip(steps, [*steps[1:], None]):
        word = step.opcode
        adds_constant = word & 0x0FF00000 == 0x02800000
        if adds_constant and following is not None:
            kind, target = decode(following.opcode), word >> 12 & 15
            if (
                kind.name == "load"
                and kind.size == 2
                and following.opcode >> 16 & 15 == target == following.opcode >> 12 & 15
            ):
                continue
        kept.append(step)
    return tuple(kept)


def traces(chains=CHAINS):
    """{chain: {level, "assembly" or "-O0, folded": steps}}."""
    found = {name: {} for name in chains}
    for level in LEVELS:
        routines = Routines(level)
        for name, lengths in chains.items():
            found[name][level] = tuple(routines.steps("in_cksum", lengths))
            if level == "-O0":
                found[name]["-O0, folded"] = folded(found[name][level])
                found[name]["assembly"] = tuple(routines.steps("in_cksum_arm", lengths))
    return found


@functools.cache
def cycles(steps, machine, data_wait=0):
    return dataclasses.replace(machine, data_wait=data_wait).time(steps).cycles


def ratio(found, level, machine, data_wait=0, to="assembly"):
    return cycles(found[level], machine, data_wait) / cycles(found[to], machine, data_wait)


def spread(found, level, machine=ARM7TDMI, waits=WAITS, to="assembly"):
    """(least, greatest) ratio over all chains and wait states."""
    ratios = [ratio(one, level, machine, wait, to) for one in found.values() for wait in waits]
    return min(ratios), max(ratios)


def faults():
    """{level: (wrong, checks)} of both routines, over the vectors, whole and as chains, at four alignments."""
    found = {}
    for level in LEVELS:
        routines, wrong, count = Routines(level), 0, 0
        cases = [([data], total) for _, data, total in vectors.sums(65535)] + [
            (pieces, total) for _, pieces, total in vectors.chains(65535)
        ]
        for pieces, total in cases:
            for offset in (0, 1, 2, 3) if sum(map(len, pieces)) < 3000 else (0,):
                for name in ("in_cksum", "in_cksum_arm"):
                    wrong += routines.sum(name, pieces, [offset] * len(pieces)) != total
                    count += 1
        found[level] = wrong, count
    return found


def measure():
    """Nanoseconds of one call over the chain, C at each level and this project's kernels."""
    root = build.ROOT / "c"
    include = f"-I{root}/include -I{root}/src"
    functions = {
        f"C {level}": native.functions(
            build.library(HERE / "in_cksum.c", flags=flags), ["in_cksum"]
        )["in_cksum"]
        for level, flags in LEVELS.items()
    }
    functions["C -O3, loops not vectorised"] = native.functions(
        build.library(HERE / "in_cksum.c", flags="-O3 -fno-tree-loop-vectorize"), ["in_cksum"]
    )["in_cksum"]
    functions |= native.functions(
        build.library(
            HERE / "native_chain.c",
            *sorted(root.glob("src/*.c")),
            *sorted(root.glob("kernels/*.c")),
            flags=f"-O2 {include}",
        ),
        ["chain_adc", "chain_wiresum"],
    )
    lengths = CHAINS[CHAIN]
    data = random.Random(1).randbytes(4096)
    address, _data_owner = native.buffer(data)
    mbufs, _mbufs_owner = native.buffer(bytes(24 * len(lengths)))
    at, whole = 0, b""
    for n, length in enumerate(lengths):
        following = mbufs + 24 * (n + 1) if n + 1 < len(lengths) else 0
        ctypes.memmove(mbufs + 24 * n, struct.pack("<QQi4x", following, address + at, length), 24)
        whole += data[at : at + length]
        at += (length + 63) // 64 * 64
    right = 0xFFFF ^ vectors.fold(256 * sum(whole[0::2]) + sum(whole[1::2]))
    for name, function in functions.items():
        assert (function(mbufs, len(whole)) & 0xFFFF).to_bytes(2, "little") == right.to_bytes(
            2, "big"
        ), name
    return {
        name: native.nanoseconds(function, mbufs, len(whole), total=2_000_000)
        for name, function in functions.items()
    }


def per_32_bytes(level_or_assembly, routines):
    """Instructions that the body runs for 32 bytes."""
    if level_or_assembly == "assembly":
        symbols = routines.image.symbols
        return (symbols["arm_loop_end"] - symbols["arm_loop"]) // 4
    return body(level_or_assembly)[1]


def run(measured, machine=ARM7TDMI):
    found = traces()
    one = found[CHAIN]
    wrong = faults()
    counts = {level: body(level) for level in LEVELS}
    asm_body = per_32_bytes("assembly", Routines("-O2"))
    now = {level: ratio(one, level, machine) for level in one if level != "assembly"}
    span = {level: spread(found, level, machine) for level in now}
    slower = {to: spread(found, "-O2, blind", machine, to=to) for to in ("-O0", "-O0, folded")}
    best_slower = max(
        (ratio(f, "-O2, blind", machine, wait, "-O0, folded"), name, wait)
        for name, f in found.items()
        for wait in WAITS
    )
    gcc_now = spread(found, "-O2", machine, to="-O0")
    same = {level: one[level] == one["-O2"] for level in ("-O1", "-O3")}
    memories = {
        "cache": ARM7TDMI,
        "flat": dataclasses.replace(ARM7TDMI, fetch_wait=3, data_wait=3),
        "burst": dataclasses.replace(ARM7TDMI, fetch_wait=1, data_wait=1, nonsequential_wait=4),
    }
    uncached = {
        level: {name: ratio(one, level, memory) for name, memory in memories.items()}
        for level in ("-O0", "-O2")
    }
    vectors_of_x86 = {level: _x86_registers(level) for level in ("-O2", "-O3")}
    wide_loads = sum(
        decode(s.opcode).registers == 8
        for s in traces({"header": (20,)})["header"]["assembly"]
        if decode(s.opcode).name == "load_multiple"
    )
    header = {
        length: spread(traces({"header": (length,)}), "-O2", machine, waits=[0])[0]
        for length in (20, 40, 1460)
    }
    code_longer = counts["-O2, blind"][1] / body_folded(counts["-O0"])

    rows = [
        Row(
            "most-time",
            "The checksum takes more time than all other instrumented routines of `nc_test_slave` together",
            "> half",
            "–",
            verdict(False),
            "needs its board, its driver and eCos's network stack as of April 2000; a whole stack is an experiment of its own",
        ),
        Row(
            "add-with-carry",
            "Add-with-carry sums 32 bits at a time, load-multiple reads 32 bytes",
            "32 bits; 32 bytes",
            f"{asm_body} instructions for 32 bytes; C {counts['-O2'][1]} (`-O2`) to {counts['-O0'][1]} (`-O0`)",
            verdict(
                asm_body == 1 + 32 // 4 + 3, asm_body < counts["-O2"][1]
            ),  # one load-multiple, eight additions, the loop
            f"all kernels right on the vectors: {sum(w for w, _ in wrong.values())} of {sum(c for _, c in wrong.values()):,}"
            " checks wrong",
        ),
        Row(
            "asm-seconds",
            "Assembly routine: 5.04 s",
            "5.04 s",
            f"{cycles(one['assembly'], machine):,} cycles a chain of {CHAIN} bytes",
            verdict(False),
            "processor, clock, lengths and number of turns are not given; only ratios can be compared",
        ),
        Row(
            "o0-seconds",
            "C with -O0: 10.62 s, so 2.1 times the assembly routine",
            f"{UNOPTIMISED:.2f}×",
            f"{now['-O0']:.2f}× ({span['-O0'][0]:.2f} to {span['-O0'][1]:.2f}); with addresses folded into loads, as compilers"
            f" of the time did, {now['-O0, folded']:.2f}× ({span['-O0, folded'][0]:.2f} to {span['-O0, folded'][1]:.2f})",
            verdict(rounds_to(now["-O0"], "2.1"), now["-O0"] > 1.5),
            "ARM7TDMI, no wait states (six chains, 0 to 5 data wait states); his assembly may be slower than ours, his"
            " compiler's -O0 better",
            today=_native(measured, "C -O0"),
        ),
        Row(
            "o1-seconds",
            "C with -O1: 15.95 s, so 3.2 times",
            f"{OPTIMISED:.2f}×",
            f"{now['-O1']:.2f}× ({span['-O1'][0]:.2f} to {span['-O1'][1]:.2f})",
            verdict(
                rounds_to(now["-O1"], "3.2") and now["-O1"] > now["-O0"], now["-O1"] > now["-O0"]
            ),
            "gcc 12 does not schedule before register allocation at -O1; its -O1 is faster than its -O0",
            today=_native(measured, "C -O1"),
        ),
        Row(
            "o2-seconds",
            "C with -O2: 15.95 s, so 3.2 times",
            f"{OPTIMISED:.2f}×",
            f"{now['-O2']:.2f}× as it is ({span['-O2'][0]:.2f} to {span['-O2'][1]:.2f}); scheduled blindly"
            f" {now['-O2, blind']:.2f}× ({span['-O2, blind'][0]:.2f} to {span['-O2, blind'][1]:.2f})",
            verdict(
                span["-O2"][0] <= OPTIMISED <= span["-O2"][1],
                span["-O2, blind"][0] <= OPTIMISED <= span["-O2, blind"][1],
            ),
            "only with the two guards off that gcc has got since (`-fno-sched-pressure -fno-sched-critical-path-heuristic`);"
            " then his figure lies within the range",
            today=_native(measured, "C -O2"),
        ),
        Row(
            "o3-seconds",
            "C with -O3: 15.95 s, so 3.2 times",
            f"{OPTIMISED:.2f}×",
            f"{now['-O3']:.2f}× ({span['-O3'][0]:.2f} to {span['-O3'][1]:.2f})",
            verdict(rounds_to(now["-O3"], "3.2"), now["-O3"] > now["-O0"]),
            "as -O2: gcc 12 keeps the sixteen loads beside their additions",
            today=_native(measured, "C -O3"),
        ),
        Row(
            "levels-equal",
            "-O1, -O2 and -O3 take the same time",
            "equal",
            f"{cycles(one['-O1'], machine):,}, {cycles(one['-O2'], machine):,}, {cycles(one['-O3'], machine):,} cycles",
            verdict(
                all(same.values()),
                near(now["-O1"], now["-O2"], 0.02) and near(now["-O3"], now["-O2"], 0.02),
            ),
            "within 2 % of each other, but not the same code",
        ),
        Row(
            "half-slower",
            "Code of gcc -O1 to -O3 is 50 % slower than that of -O0",
            f"{SLOWER:.2f}×",
            f"blind: {slower['-O0'][0]:.2f} to {slower['-O0'][1]:.2f} of gcc 12's -O0, {slower['-O0, folded'][0]:.2f} to"
            f" {slower['-O0, folded'][1]:.2f} of an -O0 with folded addresses; gcc 12 as it is: {gcc_now[0]:.2f} to"
            f" {gcc_now[1]:.2f}",
            verdict(
                slower["-O0"][0] <= SLOWER <= slower["-O0"][1],
                slower["-O0"][0] > 1 or slower["-O0, folded"][0] > 1,
            ),
            f"the mechanism, not the figure: all sixteen loads go before the additions, {counts['-O2, blind'][2]} of them"
            f" through the stack; most, {best_slower[0]:.2f}×, at {best_slower[2]} wait states",
            today=(
                f"{_native(measured, 'C -O2', 'C -O0')}, but -O3 {measured['C -O3'] / measured['C -O0']:.2f}× of -O0: its"
                " vectoriser"
                if measured
                else ""
            ),
        ),
        Row(
            "code-longer",
            "The assembly listing with optimisation is indeed about 50 % longer",
            "1.5×",
            f"32-byte body: {counts['-O2, blind'][1]} instructions blind, {body_folded(counts['-O0'])} at -O0 with folded"
            f" addresses: {code_longer:.2f}×; gcc 12 as it is {counts['-O2'][1]} against {counts['-O0'][1]}",
            verdict(rounds_to(code_longer, "1.5"), code_longer > 1),
            "again only with the guards off, and by less",
        ),
        Row(
            "twice-as-long",
            "The portable C only takes twice as long as carefully crafted assembly",
            "2×",
            f"{now['-O2']:.2f}× on ARM7TDMI, {ratio(one, '-O2', ARM9):.2f}× on ARM9, {ratio(one, '-O2', STRONGARM):.2f}× on"
            " StrongARM (gcc 12 -O2)",
            verdict(
                all(rounds_to(ratio(one, "-O2", m), "2") for m in MACHINES.values()),
                all(1.5 < ratio(one, "-O2", m) < 3 for m in MACHINES.values()),
            ),
            "with the compiler's best, not with -O0",
            today=_native(measured, "C -O2", "chain_adc", "of the add-with-carry kernel")
            if measured
            else "",
        ),
        Row(
            "worthwhile",
            "An ARM assembly routine gives a pretty good improvement",
            "2.1 to 3.2×",
            f"{min(now[l] for l in LEVELS):.2f} to {max(now[l] for l in LEVELS):.2f}×",
            verdict(
                min(now[level] for level in LEVELS) >= UNOPTIMISED,
                min(now[level] for level in LEVELS) > 1,
            ),
            today=_native(measured, "C -O2", "chain_wiresum", "of this library")
            if measured
            else "",
        ),
        Row(
            "cache-disabled",
            "The difference between C and assembly would be greater with the cache disabled (his guess)",
            "greater",
            "; ".join(
                f"{level}: {u['cache']:.2f}× → {u['flat']:.2f}× (3 wait states for all), {u['burst']:.2f}× (1, and 4 more where"
                " an address does not follow the last)"
                for level, u in uncached.items()
            ),
            verdict(
                all(u["flat"] > u["cache"] and u["burst"] > u["cache"] for u in uncached.values()),
                any(u["burst"] > u["cache"] for u in uncached.values()),
            ),
            "ARM7TDMI; it depends on the memory: load-multiple gains where sequential accesses are quick",
        ),
        Row(
            "header-lengths",
            "The assembly routine could be tuned to the lengths of IP or TCP headers",
            "unnumbered",
            "; ".join(f"{length} bytes: {value:.2f}×" for length, value in header.items()),
            verdict(
                wide_loads == 0 and max(header[20], header[40]) < header[1460],
                header[20] < header[1460],
            ),
            "C -O2 against our routine by length of one mbuf: at header sizes the 32-byte loop does not run at all",
        ),
        Row(
            "turn-it-off",
            "ARM users improve TCP/IP by compiling in_cksum.c with optimisation off",
            "-O0 is 1.5× faster",
            f"with gcc 12 -O0 is {1 / gcc_now[1]:.2f} to {1 / gcc_now[0]:.2f}× slower",
            verdict(gcc_now[0] > 1),
            "true of his compiler only; the schedulers since count registers",
            today=_native(measured, "C -O0", "C -O2", "of -O2") if measured else "",
        ),
    ]
    exhibits = [
        Chart(
            "C against assembly, by data wait states",
            _by_waits(one),
            f"A chain of {CHAIN} bytes. Dashed: the post's two ratios, {UNOPTIMISED:.2f} and {OPTIMISED:.2f}. Blind is"
            f" `{BLIND}`: the scheduler of gcc 12 made to ignore how many registers there are, as that of 2.95 did. Folded is"
            " -O0 without the additions that only make addresses.",
        ),
        Table(
            "The chain in cycles",
            (
                "routine",
                "instructions",
                *MACHINES,
                "ARM7TDMI, 3 data waits",
                "32-byte body",
                "spills in it",
            ),
            [
                (
                    level,
                    len(steps),
                    *(cycles(steps, m) for m in MACHINES.values()),
                    cycles(steps, ARM7TDMI, 3),
                    *(_body_cells(level, counts, asm_body)),
                )
                for level, steps in one.items()
            ],
            f"Chain {CHAIN}. All routines are right on {sum(c for _, c in wrong.values()):,} vectors, chains and alignments.",
        ),
        Table(
            "Ratio to assembly, chain by chain, ARM7TDMI",
            ("chain", *(level for level in now)),
            [
                (name, *(f"{ratio(f, level, machine):.2f}" for level in now))
                for name, f in found.items()
            ],
            "No wait states. The last chain has odd lengths throughout: its mbufs stand swapped, the C routine goes byte by"
            " byte at each seam.",
        ),
        Listing(
            "gcc 12, scheduled blindly: the 32-byte body",
            "\n".join(counts["-O2, blind"][3]),
            "Every `[sp]` is a register too few. Thirteen loads stand before the first addition.",
        ),
        Listing(
            "gcc 12 -O2 as it is",
            "\n".join(counts["-O2"][3]),
            "Loads and additions alternate; nothing is spilled.",
        ),
    ]
    if measured:
        exhibits.append(
            Chart(
                "The same chain on x86-64 (measured)",
                _native_chart(measured),
                "Nanoseconds a chain, warm. Today's -O3 does on x86-64 what -O2 did on his ARM: it takes the loop that was"
                f" unrolled by hand for sixteen interleaved streams, and makes {vectors_of_x86['-O3'][0]} instructions on"
                f" vector registers of it, {vectors_of_x86['-O3'][1]} of them spills; -O2 has {vectors_of_x86['-O2'][0]}."
                " Without that pass -O3 is as fast as -O2.",
            )
        )
    return Result(rows, exhibits)


def body_folded(counted):
    """Instructions of the -O0 body without the sixteen loads' address additions (all but the first, whose offset is 0)."""
    text = counted[3]
    made = sum(
        text[n].startswith("add ")
        and text[n + 1].startswith("ldrh ")
        and ", #" in text[n]
        and text[n].split()[1].rstrip(",") in text[n + 1].split("[")[1]
        for n in range(len(text) - 1)
    )
    return counted[1] - made


def _body_cells(level, counts, asm_body):
    if level == "assembly":
        return asm_body, 0
    if level == "-O0, folded":
        return body_folded(counts["-O0"]), 0
    return counts[level][1:3]


def _x86_registers(level):
    """(instructions that use a vector register, those of them that store one on the stack) of today's compiler."""
    lines = [
        line
        for line in build.assembly("x86", HERE / "in_cksum.c", LEVELS[level]).splitlines()
        if "%xmm" in line
    ]
    return len(lines), sum(line.rstrip().endswith("(%rsp)") for line in lines)


def _native(measured, name, to="chain_adc", words=""):
    if not measured:
        return ""
    words = words or (
        "of the add-with-carry kernel" if to == "chain_adc" else f"of {to.removeprefix('C ')}"
    )
    return f"x86-64: {measured[name] / measured[to]:.2f}× {words}"


def _by_waits(one):
    styles = {
        "-O0": (COLOURS[0], "-"),
        "-O0, folded": (COLOURS[0], ":"),
        "-O1": (COLOURS[5], "-"),
        "-O2": (COLOURS[2], "-"),
        "-O3": (COLOURS[4], "--"),
        "-O2, blind": (COLOURS[1], "-"),
    }
    with chart(9, 3.3, columns=3, sharey=True) as drawing:
        for axes, (name, machine) in zip(drawing.axes, MACHINES.items()):
            for level, (colour, style) in styles.items():
                axes.plot(
                    list(WAITS),
                    [ratio(one, level, machine, wait) for wait in WAITS],
                    style,
                    color=colour,
                    label=level,
                )
            for value in (UNOPTIMISED, OPTIMISED):
                axes.axhline(value, color=COLOURS[7], linewidth=1, linestyle="--")
            axes.set_title(name)
            axes.set_xlabel("data wait states")
        drawing.axes[0].set_ylim(0, 4)
        drawing.axes[0].set_ylabel("times assembly")
        drawing.axes[2].legend(loc="lower right")
    return drawing.svg


def _native_chart(measured):
    with chart(8, 2.6) as drawing:
        axes, names = drawing.axes, list(measured)
        axes.barh(
            range(len(names)),
            [measured[name] for name in names],
            color=[COLOURS[2] if name.startswith("chain") else COLOURS[0] for name in names],
        )
        for row, name in enumerate(names):
            axes.text(measured[name], row, f" {measured[name]:.0f}", va="center")
        labels = {"chain_adc": "add-with-carry kernel", "chain_wiresum": "wiresum"}
        axes.set_yticks(range(len(names)), [labels.get(name, name) for name in names])
        axes.invert_yaxis()
        axes.set_xlabel("nanoseconds a chain")
        axes.grid(False, axis="y")
    return drawing.svg
