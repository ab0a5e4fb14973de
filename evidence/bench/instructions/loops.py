# SPDX-License-Identifier: MIT OR Apache-2.0
"""What llvm-mca predicts for the main loop of each kernel, next to what the loop's loads alone
take.

    python3 -m evidence.bench.instructions.loops --check|--write|--show [KERNEL...]

No mark in the source shows where the main loop is: it is the innermost loop of the compiled kernel
(a backward branch, and no other inside) with the most loads. The counts of count.py tell how many
bytes a step of it takes: the instructions that 65,536 bytes take more than 32,768, divided by the
instructions of a step. If the result is no multiple of 8 bytes, the loop found is not the loop that
runs, and this program fails. For a kernel without counts, the widths of its loads tell.

Three numbers, in cycles for 64 bytes:

    loads      the throughput of the loop's loads alone; an arithmetic instruction with an operand
               in memory counts as a load of that width
    ports      the throughput of all its instructions, if none waited for another
    predicted  the time of all its instructions, with all waits

A main loop may take at most 1.25 times its loads on the best of its cores; exceptions.py has the
kernels that take more, with the reason.
"""

import argparse
import csv
import functools
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from c.tests.cross import targets as cross

from . import count, recorded
from .exceptions import FAR_FROM_LOADS

LLVM = "22"
RECORD = count.RECORD / "loops.csv"
FIELDS = [
    "target",
    "kernel",
    "form",
    "core",
    "vector_bits",
    "bytes",
    "instructions",
    "loads",
    "ports",
    "predicted",
]
FAR = 1.25
TOLERANCE = 0.01


@dataclass
class Machine:
    """How llvm-mca models a target: triple, attributes, cores. The brackets of a core hold its
    vector length in bits, for SVE and RVV."""

    triple: str
    cores: list
    attributes: str = ""


X86 = [
    "znver3",
    "znver4",
    "znver5",
    "skylake-avx512",
    "icelake-server",
    "sapphirerapids",
    "alderlake",
    "lunarlake",
]
# llvm-mca does not mind if a core lacks an instruction: these are the ones that have them.
ONLY = {
    "x86_avx512bw": ["znver4", "znver5", "skylake-avx512", "icelake-server", "sapphirerapids"],
    "x86_avx512vnni": ["znver4", "znver5", "icelake-server", "sapphirerapids"],
    "x86_avxvnni": ["znver5", "sapphirerapids", "alderlake", "lunarlake"],
    "x86_vnni_int16": ["lunarlake"],
}
MACHINES = {
    "x86_64": Machine("x86_64", X86),
    "x86_64-clang": Machine("x86_64", X86),  # for the kernels that GCC 12 cannot build
    "i386": Machine("i386", ["znver4", "skylake", "btver2"]),
    "aarch64": Machine(
        "aarch64",
        [
            "cortex-a53",
            "cortex-a57",
            "cortex-a510[128]",
            "neoverse-n1",
            "neoverse-n2[128]",
            "neoverse-v1[256]",
            "neoverse-v2[128]",
            "neoverse-v3[128]",
            "a64fx[512]",
        ],
        "+sve",
    ),
    "armel": Machine("armv7a", ["cortex-a8", "cortex-a9", "cortex-a57"]),
    "armhf": Machine("thumbv7a", ["cortex-a8", "cortex-a9", "cortex-a57"], "+neon"),
    "ppc64": Machine("powerpc64", ["pwr7", "pwr8", "pwr9"]),
    "ppc64le": Machine("powerpc64le", ["pwr8", "pwr9", "pwr10"]),
    "riscv64": Machine(
        "riscv64",
        ["sifive-u74", "sifive-p550", "sifive-p670[128]", "sifive-x280[512]", "spacemit-x60[256]"],
        "+v,+zbb",
    ),
    "s390x": Machine("s390x", ["z13", "z14", "z15", "z16"]),
}

LOADS = {
    "aarch64": r"ld[a-z0-9]+$",
    "arm": r"v?ld[a-z0-9.]+$",
    "powerpc": r"(l[bhwd]z?[au]?x?|l[wd]brx|lmw|lvx|lvxl|lxv\w*|lq|plxv\w*)$",
    "riscv": r"(c\.)?(l[bhwd]u?|vle\d+\.v|vl\dre?\d*\.v)$",
    "s390x": r"(lg|l|lm|lmg|vl|vlm|vll|alg|alcg|ag|algf)$",
}


def is_load(machine, mnemonic, operands):
    if machine.triple in ("x86_64", "i386"):
        if mnemonic.startswith(("lea", "prefetch", "nop")) or "(" not in operands:
            return False
        last = re.split(r",\s*(?![^()]*\))", operands)[-1]
        return "(" not in last or mnemonic.startswith(("cmp", "test"))
    family = next(f for f in LOADS if machine.triple.replace("thumb", "arm").startswith(f))
    return re.match(LOADS[family], mnemonic) is not None


def bytes_loaded(operands):
    """x86 only."""
    return (
        64 if "%zmm" in operands else 32 if "%ymm" in operands else 16 if "%xmm" in operands else 8
    )


def as_plain_load(machine, mnemonic, operands):
    if machine.triple not in ("x86_64", "i386") or mnemonic.startswith(("mov", "vmov")):
        return f"{mnemonic}\t{operands}"
    memory = re.search(r"[-\w]*\([^)]*\)", operands).group()
    width = bytes_loaded(operands)
    if width >= 16:
        register = {64: "zmm", 32: "ymm", 16: "xmm"}[width]
        move = {
            64: "vmovdqu64",
            32: "vmovdqu",
            16: "vmovdqu" if mnemonic.startswith("v") else "movdqu",
        }[width]
        return f"{move}\t{memory}, %{register}0"
    return f"movq\t{memory}, %rax" if machine.triple == "x86_64" else f"movl\t{memory}, %eax"


def llvm(tool, *words):
    return subprocess.run(
        [f"llvm-{tool}-{LLVM}", *map(str, words)], capture_output=True, text=True, check=True
    ).stdout


def symbols(path):
    """{function: (address, size)}."""
    found = {}
    for line in llvm("nm", "-S", path).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTdD":
            found[words[3]] = (int(words[0], 16), int(words[1], 16))
    return found


@functools.cache
def descriptors(program):
    """{address: the word there} of the section .opd. In ELFv1 of 64-bit PowerPC, a function's
    symbol is the address of its descriptor in that section, and the descriptor begins with the
    address of its code."""
    if ".opd" not in llvm("objdump", "-h", program):
        return {}
    words = {}
    for line in llvm("objdump", "-s", "-j", ".opd", program).splitlines():
        row = re.match(
            r" ([0-9a-f]+) ([0-9a-f]{8}) ([0-9a-f]{8}) (?:([0-9a-f]{8}) ([0-9a-f]{8}) )?", line
        )
        if row:
            words[int(row.group(1), 16)] = int(row.group(2) + row.group(3), 16)
            if row.group(4):
                words[int(row.group(1), 16) + 8] = int(row.group(4) + row.group(5), 16)
    return words


def code_of(program, name, places):
    """[(address, mnemonic, operands)] of a function, as llvm-objdump shows it. It reads a linked
    program, because in an object the branches of some machines have no targets yet."""
    address, size = places[name]
    address = descriptors(program).get(address, address)
    address &= ~1 if "arm" in program.parent.name else ~0  # Thumb
    attributes = {"riscv64": "--mattr=+v,+zbb,+c", "s390x": "--mcpu=z13"}.get(
        program.parent.name, "--mattr=+all"
    )
    shown = llvm(
        "objdump",
        "-d",
        "--no-show-raw-insn",
        attributes,
        f"--start-address={address}",
        f"--stop-address={address + size}",
        program,
    )
    found = []
    for line in shown.splitlines():
        instruction = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*?)(?:\s+(?:#|@|;|//)\s.*)?$", line)
        if instruction:
            found.append(
                (int(instruction.group(1), 16), instruction.group(2), instruction.group(3).strip())
            )
    return found


# Nothing follows these: what comes after one is reached by a branch only.
NO_FALL_THROUGH = re.compile(r"(jmp\w*|ret\w*|b|br|bx|blr|bctr|j|jr|jg|c\.j|c\.jr)$")


def reached(start, edges):
    seen, todo = {start}, [start]
    while todo:
        for to in edges.get(todo.pop(), ()):
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return seen


def loops(code):
    """The innermost loops, as lists of instructions. A backward branch makes a loop if its target
    leads to it again; the loop has the instructions on the ways there."""
    found = []
    for address, _, operands in code:
        begin = branch_target(operands)
        if begin is None or not code[0][0] <= begin <= address:
            continue
        span = [i for i in code if begin <= i[0] <= address]
        inside, onward, back = {i[0] for i in span}, {}, {}
        for (at, mnemonic, words), (after, _, _) in zip(span, span[1:]):
            ways = [branch_target(words)] if branch_target(words) in inside else []
            returns = words.endswith("pc}")  # A32: pop {r4, pc}
            ways += [] if returns or NO_FALL_THROUGH.match(mnemonic) else [after]
            onward[at] = ways
            for way in ways:
                back.setdefault(way, []).append(at)
        from_begin, to_branch = reached(begin, onward), reached(address, back)
        if address in from_begin and begin in to_branch:
            found.append([i for i in span if i[0] in from_begin & to_branch])
    spans = [{i[0] for i in loop} for loop in found]
    return [loop for loop, span in zip(found, spans) if not any(other < span for other in spans)]


# The operand of a branch: no other number is as large as an address in a statically linked program.
BRANCH_TARGET = r"\b0x([0-9a-f]{5,})(?: <[^>]*>)?$"


def branch_target(operands):
    to = re.search(BRANCH_TARGET, operands)
    return int(to.group(1), 16) if to else None


def main_loop(target, machine, program, kernel, form):
    """The main loop of the kernel's sum or copy, or of a function that the compiler split off from
    it (sum_aligned.part.0)."""
    wanted = f"wiresum_kernel_{kernel}" + ("_copy" if form == "copy" else "")
    places = symbols(program)
    own = [
        name
        for name in symbols(count.BUILD / target.name / f"{kernel}.o")
        if name in places and not name.startswith(("rival", ".", "__x86"))
    ]
    code = [
        code_of(program, name, places)
        for name in own
        if name == wanted
        or (
            not name.startswith("wiresum_kernel")
            and ("copy" in name) == (form == "copy")
            and "around_caches" not in name
        )
    ]  # that is for more than is counted here
    candidates = [loop for body in code for loop in loops(body)]
    loads = [sum(is_load(machine, m, o) for _, m, o in loop) for loop in candidates]
    if not candidates or max(loads) == 0:
        return None
    return candidates[loads.index(max(loads))]


def mca(machine, core, lines, iterations, *flags):
    text = "\n".join(re.sub(BRANCH_TARGET, ".Lloop", line) for line in lines)
    command = [
        f"llvm-mca-{LLVM}",
        f"-mtriple={machine.triple}",
        f"-mcpu={core}",
        f"-iterations={iterations}",
        *([f"-mattr={machine.attributes}"] if machine.attributes else []),
        "-instruction-info=0",
        "-resource-pressure=0",
        *flags,
    ]
    done = subprocess.run(command, input=".Lloop:\n" + text + "\n", capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr

    def number(name):
        return float(re.search(rf"^{name}:\s+([\d.]+)", done.stdout, re.M).group(1))

    return {"cycles": number("Total Cycles"), "throughput": number("Block RThroughput")}, ""


def bytes_a_step(target, machine, kernel, form, bits, loop, rows):
    """From the counts; from the widths of the loads where there are none."""
    counts = {
        int(row["size"]): int(row["instructions"])
        for row in rows
        if row["code"] == kernel and row["form"] == form and row["vector_bits"] == bits
    }
    if not counts:
        return (
            sum(bytes_loaded(o) for _, m, o in loop if is_load(machine, m, o))
            if machine.triple == "x86_64"
            else None
        )
    # Twice, for a kernel may go another way to its end from some size on.
    rates = [
        len(loop) * (large - small) / (counts[large] - counts[small])
        for small, large in ((16384, 32768), (32768, 65536))
    ]
    near = min((abs(rate / (round(rate / 8) * 8 or 8) - 1), round(rate / 8) * 8) for rate in rates)
    if near[0] > 0.002:
        raise ValueError(
            f"{target.name}, {kernel}, {form}: the loop found has {len(loop)} instructions, which "
            "at the counted rate is "
            f"{rates[0]:.2f} or {rates[1]:.2f} bytes a step: it is not the loop that runs\n"
            + "\n".join(f"  {m} {o}" for _, m, o in loop)
        )
    return near[1]


def predict(job):
    target, machine, kernel, form = job
    rows = count.read(cross.BY_NAME[target.name])
    loop = main_loop(target, machine, count.BUILD / target.name / "count_marked", kernel, form)
    if loop is None:
        return [], f"{target.name}, {kernel}, {form}: no loop that loads"
    text = [f"{m}\t{o}" for _, m, o in loop]
    loads = [as_plain_load(machine, m, o) for _, m, o in loop if is_load(machine, m, o)]
    found, trouble = [], ""
    for core in machine.cores:
        core, _, bits = core.rstrip("]").partition("[")
        bits = bits if kernel in cross.ANY_LENGTH else ""
        if (kernel in cross.ANY_LENGTH and not bits) or core not in ONLY.get(kernel, [core]):
            continue
        whole, why = mca(machine, core, text, 200)
        twice, _ = mca(machine, core, text, 400)
        alone, why_loads = mca(machine, core, loads, 200)
        if not (whole and twice and alone):
            trouble = (why + why_loads).strip().splitlines()[0]  # a core without these instructions
            continue
        # The machine of the counts may have other vectors than the core: a step is as many vectors.
        counted = next((row["vector_bits"] for row in rows if row["code"] == kernel), "")
        size = bytes_a_step(target, machine, kernel, form, counted, loop, rows)
        if size is None:
            return [], f"{target.name}, {kernel}, {form}: never ran, so its step is not known"
        if bits:
            size = size * int(bits) // int(counted)
        scale = 64 / size
        found.append(
            {
                "target": target.name,
                "kernel": kernel,
                "form": form,
                "core": core,
                "vector_bits": bits,
                "bytes": size,
                "instructions": len(loop),
                "loads": f"{alone['throughput'] * scale:.2f}",
                "ports": f"{whole['throughput'] * scale:.2f}",
                "predicted": f"{(twice['cycles'] - whole['cycles']) / 200 * scale:.2f}",
            }
        )
    return found, "" if found else f"{target.name}, {kernel}, {form}: on no core ({trouble})"


def judge(rows):
    wrong, used = [], set()
    for kernel in dict.fromkeys(row["kernel"] for row in rows):
        ratios = {
            row["core"]: float(row["predicted"]) / float(row["loads"])
            for row in rows
            if row["kernel"] == kernel and row["form"] == "sum"
        }
        if not ratios:
            continue
        best = min(ratios, key=ratios.get)
        if ratios[best] <= FAR:
            continue
        if kernel in FAR_FROM_LOADS:
            used.add(kernel)
        else:
            wrong.append(
                f"{kernel}: {ratios[best]:.2f} times what its loads take, on {best}, its best core"
            )
    return wrong, used


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    for word in ("check", "write", "show"):
        what.add_argument(f"--{word}", action="store_true")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    options = parser.parse_args()

    every = sorted({k for name in MACHINES for k in cross.BY_NAME[name].kernels} - {"portable"})
    sample = recorded.sample(every, 2) if options.check and not options.kernels else None
    chosen = options.kernels or sample or every
    jobs, built_elsewhere = [], set()
    for name, machine in MACHINES.items():
        target, here = cross.BY_NAME[name], []
        for kernel in target.kernels:
            if (kernel in built_elsewhere and name.endswith("-clang")) or kernel == "portable":
                continue
            if kernel in chosen:
                here += [(target, machine, kernel, form) for form in ("sum", "copy")]
            built_elsewhere.add(kernel)
        if here:
            count.build(target, [])
            jobs += here
    wrong = []

    def try_to_predict(job):
        try:
            return predict(job)
        except ValueError as failure:
            wrong.append(str(failure))
            return [], ""

    with ThreadPoolExecutor(cross.workers()) as pool:
        results = list(pool.map(try_to_predict, jobs))
    rows = [row for found, _ in results for row in found]
    rows = [{field: str(row[field]) for field in FIELDS} for row in rows]
    for note in sorted({note for _, note in results if note}):
        print(f"not modelled: {note}")

    if options.show or options.write:
        for row in rows:
            print(" ".join(f"{row[f]:>8}" for f in FIELDS))
    judged, used = judge(rows)
    wrong += judged
    if options.write:
        with RECORD.open("w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    elif options.check:
        key = FIELDS[:5]
        was = (
            {tuple(row[f] for f in key): row for row in csv.DictReader(RECORD.open())}
            if RECORD.exists()
            else {}
        )
        for row in rows:
            before = was.get(tuple(row[f] for f in key))
            if before is None:
                wrong.append(
                    f"{' '.join(row[f] for f in key)}: not in the record; loops.py --write"
                )
            elif float(row["predicted"]) > float(before["predicted"]) * (1 + TOLERANCE):
                wrong.append(
                    f"{' '.join(row[f] for f in key)}: {row['predicted']} cycles for 64 bytes "
                    f"predicted, {before['predicted']} in the record"
                )
        if chosen == every:
            wrong += [
                f"{' '.join(gone)}: in the record, and not found"
                for gone in set(was) - {tuple(row[f] for f in key) for row in rows}
            ]
    for kernel in sorted(used):
        print(f"excepted: {kernel}: {FAR_FROM_LOADS[kernel]}")
    if chosen == every:
        wrong += [
            f"exceptions.py has one that is not needed any more: {kernel}"
            for kernel in set(FAR_FROM_LOADS) - used
        ]
    for line in wrong:
        print(f"WRONG {line}")
    print(
        f"{len(rows)} predictions for {len({row['kernel'] for row in rows})} kernels, "
        f"{len(wrong)} wrong"
    )
    if sample:
        print("a sample of the kernels: recorded, inputs unchanged")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
