# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a kernel takes where lengths vary: instructions, taken branches, wrong predictions, and the
cycles that llvm-mca predicts.

    python3 -m evidence.bench.instructions.lengths --check|--write|--show [KERNEL...]

The lengths of a call are drawn at random from a range, each as often as any other. QEMU's plugin
shows the way of each length through the code, as the blocks that it executes (plugin.c).

    wrong      the wrong predictions a call of the best possible predictor: it knows how often each
               branch goes which way after all that this call has done before, but not the length
    unhindered the cycles of a call without wrong predictions: llvm-mca takes each way as
               straight-line code, call after call
    cycles     those, and for each wrong prediction what it costs on the core (PENALTY)

--check counts again, and fails where instructions, taken branches or wrong predictions are more
than in the record. It needs no llvm-mca.
"""

import argparse
import csv
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from c.tests.cross import targets as cross

from . import count, loops, recorded

RECORD = count.RECORD / "lengths.csv"
FIELDS = [
    "target",
    "kernel",
    "form",
    "lengths",
    "core",
    "vector_bits",
    "instructions",
    "taken",
    "wrong",
    "unhindered",
    "cycles",
]
COUNTED = FIELDS[6:9]
KERNELS = ["arm_neon", "arm_sve", "ppc_vsx", "riscv_v"]
# Targets, and how each call begins for llvm-mca: with arguments that do not wait for the result of
# the call before, which would be in one of their registers.
TARGETS = {
    "aarch64": ["mov x0, x19", "mov x1, x20", "mov x2, x21"],
    "ppc64le": ["mr 3, 14", "mr 4, 15", "mr 5, 16"],
    "riscv64": ["mv a0, s2", "mv a1, s3", "mv a2, s4"],
}
RANGES = [(20, 256), (0, 1500)]
# Cycles of a wrong prediction: MispredictPenalty in LLVM's models of these cores, whose files in
# llvm/lib/Target cite the makers' optimization guides. LLVM has none for POWER10, and so takes 10.
PENALTY = {
    "cortex-a53": 9,
    "cortex-a57": 16,
    "neoverse-n1": 11,
    "neoverse-n2": 10,
    "neoverse-v1": 11,
    "neoverse-v2": 10,
    "pwr8": 16,
    "pwr9": 16,
    "pwr10": 10,
    "sifive-x280": 3,
    "spacemit-x60": 9,
}


def calls_of(target, cpu, kernel, program):
    """{form: [the call of each length]}, less what a call of an empty function takes."""
    out = count.BUILD / target.name / f"lengths-{kernel}-{cpu.vector_bits}.txt"
    plugin = f"{count.BUILD / 'plugin.so'},out={out},ways=on"
    command = [cpu.run[0], "-plugin", plugin, *cpu.run[1:], str(program), "every-length", kernel]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
    calls = [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("call ")]
    found, empty = {}, {}
    with out.open() as lines:
        for (code, form), line in zip(calls, lines, strict=True):
            number, *blocks = line.split()
            way = [tuple(int(part, 16) for part in block.split("+")) for block in blocks]
            if code == "empty":
                empty[form] = (int(number), taken(way), {address for address, _ in way})
            else:
                found.setdefault(form, []).append((int(number), way))
    out.unlink()
    return {
        form: [
            {
                "instructions": number - empty[form][0],
                "taken": taken(way) - empty[form][1],
                "way": tuple(way),
                "own": tuple(block for block in way if block[0] not in empty[form][2]),
            }
            for number, way in calls
        ]
        for form, calls in found.items()
    }


def taken(way):
    """How often the code went on elsewhere than after a block."""
    return sum(address + size != after for (address, size), (after, _) in zip(way, way[1:]))


def wrong_predictions(ways):
    """Of the best predictor, a call. Where ways part, it bets on the one that most calls take."""
    visits = {}
    node_of = {}
    for way in ways:
        node = 0
        for block in way:
            onward = visits.setdefault(node, {})
            onward[block] = onward.get(block, 0) + 1
            node = node_of.setdefault((node, block), len(node_of) + 1)
    missed = sum(sum(onward.values()) - max(onward.values()) for onward in visits.values())
    return Fraction(missed, len(ways))


def in_decimal(operands):
    """With a last operand that is no address in decimal, which loops.py takes for no address."""
    return re.sub(r"\b0x[0-9a-f]+$", lambda number: str(int(number.group(), 16)), operands)


def cycles_of(machine, core, lines):
    """Of straight-line code, executed again and again, once. LLVM's model of POWER8 has no time for
    mtctr, which is left out there."""
    known = "-skip-unsupported-instructions=lack-sched"
    few, why = loops.mca(machine, core, lines, 20, known)
    many, _ = loops.mca(machine, core, lines, 40, known)
    if not (few and many):
        raise SystemExit(f"llvm-mca, {core}: {why}")
    return (many["cycles"] - few["cycles"]) / 20


def rows_of(job):
    target, cpu, kernel, cores = job
    program = count.BUILD / target.name / "count_marked"
    machine = loops.MACHINES[target.name]
    rows = []
    for form, calls in calls_of(target, cpu, kernel, program).items():
        blocks = {block for call in calls for block in call["own"]}
        low, high = min(blocks)[0], max(address + size for address, size in blocks)
        code = loops.code_of(program, "ways", {"ways": (low, high - low)}) if cores else []
        cycles = {}
        for first, last in RANGES:
            chosen = calls[first : last + 1]
            n = len(chosen)
            counted = {
                "instructions": Fraction(sum(call["instructions"] for call in chosen), n),
                "taken": Fraction(sum(call["taken"] for call in chosen), n),
                "wrong": wrong_predictions([call["way"] for call in chosen]),
            }
            row = {
                "target": target.name,
                "kernel": kernel,
                "form": form,
                "lengths": f"{first}-{last}",
                "vector_bits": str(cpu.vector_bits or ""),
                **{name: f"{float(value):.2f}" for name, value in counted.items()},
            }
            for core in cores:
                total = 0
                for call in chosen:
                    way = call["own"]
                    if (core, way) not in cycles:
                        lines = [
                            f"{mnemonic}\t{in_decimal(operands)}"
                            for address, size in way
                            for at, mnemonic, operands in code
                            if address <= at < address + size
                        ]
                        cycles[core, way] = cycles_of(machine, core, TARGETS[target.name] + lines)
                    total += cycles[core, way]
                wrong = float(counted["wrong"]) * PENALTY[core]
                rows.append(
                    {
                        **row,
                        "core": core,
                        "unhindered": f"{total / n:.1f}",
                        "cycles": f"{total / n + wrong:.1f}",
                    }
                )
            if not cores:
                rows.append({**row, "core": "", "unhindered": "", "cycles": ""})
    return rows


def cores_of(target, kernel, bits):
    """The cores of a machine with a known penalty, and with that vector length."""
    found = []
    for core in loops.MACHINES[target.name].cores:
        core, _, length = core.rstrip("]").partition("[")
        if core in PENALTY and (kernel not in cross.ANY_LENGTH or length == str(bits)):
            found.append(core)
    return found


def jobs(kernels, predict):
    """One for each kernel, on the first CPU model that has it and on each vector length."""
    found = []
    for target in cross.TARGETS:
        wanted = set(kernels) & set(target.kernels)
        if not wanted or target.name not in TARGETS:
            continue
        count.build(target, [])
        for cpu, here in count.counted_on(target):
            for kernel in sorted(wanted & set(here)):
                cores = cores_of(target, kernel, cpu.vector_bits)
                if cpu.run and cores:
                    found.append((target, cpu, kernel, cores if predict else []))
    return found


def judge(rows, recorded):
    """What is worse than in the record, or not in it, in words."""
    key = ("target", "kernel", "form", "lengths", "vector_bits")
    was = {tuple(row[name] for name in key): row for row in recorded}
    wrong = []
    for row in rows:
        name = " ".join(row[part] for part in key)
        before = was.get(tuple(row[part] for part in key))
        if before is None:
            wrong.append(
                f"{name}: not in the record: python3 -m evidence.bench.instructions.lengths --write"
            )
            continue
        for what in COUNTED:
            if float(row[what]) > float(before[what]) * count.TOLERANCE:
                wrong.append(f"{name}: {what} {row[what]}, and {before[what]} in the record")
    return wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    for word in ("check", "write", "show"):
        what.add_argument(f"--{word}", action="store_true")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help=" ".join(KERNELS))
    options = parser.parse_args()
    unknown = set(options.kernels) - set(KERNELS)
    if unknown:
        parser.error(f"no kernel here is named {' '.join(sorted(unknown))}")
    sample = recorded.sample(KERNELS, 1) if options.check and not options.kernels else None
    chosen = options.kernels or sample or KERNELS
    count.tools()
    with ThreadPoolExecutor(cross.workers()) as pool:
        parts = list(pool.map(rows_of, jobs(chosen, not options.check)))
    rows = [row for part in parts for row in part]
    kept = list(csv.DictReader(RECORD.open())) if RECORD.exists() else []
    if not options.check:
        for row in rows:
            print(" ".join(f"{row[name]:>12}" for name in FIELDS))
    if options.write:
        rows += [row for row in kept if row["kernel"] not in chosen]
        rows.sort(key=lambda row: KERNELS.index(row["kernel"]))
        with RECORD.open("w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    wrong = judge(rows, kept) if options.check else []
    for line in wrong:
        print(f"WRONG {line}")
    print(f"{len(rows)} rows for {len(chosen)} kernels, {len(wrong)} wrong")
    if sample:
        print("a sample of the kernels: recorded, inputs unchanged")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
