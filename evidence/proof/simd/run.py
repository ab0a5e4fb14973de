# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proves the functions and the kernels, compares the models with CPUs and emulators, and refutes
planted faults.

    python3 -m evidence.proof.simd.run [--full] [--thin N] [--record] [--jobs N]
    [KERNEL|FUNCTION...]

Without --full a proof takes some of the lengths, and fewer inputs go to the emulators. A kernel or
a function whose code is not the code of record.json fails: --full --record renews its row.

Exit status: 0 proved, 1 not proved or not recorded, 2 something is missing.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from c.tests.cross import native
from c.tests.cross import targets as cross

from .functions import FUNCTIONS, FUNCTIONS_BY_NAME, LIMITS
from .kernels import BY_NAME, KERNELS, NUMERIC

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RECORD = HERE / "record.json"
BUILD = ROOT / "build" / "proof"
LLVM = "22"  # of zig and of opt
PASSES = "always-inline,function(sroa),globaldce"
INPUTS = 100_000  # random inputs of each function in the full form
MOST = 4096  # the longest data that is proved at every length
EACH = 1100  # up to here --thin leaves out no length
ALL_OFFSETS = 160  # up to here all bytes are unknown at every offset
STEP = 65  # of the lengths beyond EACH at every offset: a block, and one byte more
LONGEST_BLOCK = 1 << 20  # a block that is proved as a whole; larger ones by their slope


class Failed(Exception):
    pass


def execute(command, **options):
    done = subprocess.run(
        list(map(str, command)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        **options,
    )
    return done.returncode, done.stdout, done.stderr


def execute_timed(command):
    """The same, and the CPU time. Other programs may share the machine, so the clock says less."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    return process.returncode, *texts, usage.ru_utime + usage.ru_stime


def must(command, **options):
    status, out, err = execute(command, **options)
    if status != 0:
        raise Failed(f"{shlex.join(map(str, command))}: exit status {status}\n{out}{err}")
    return out


def engine_sources():
    return sorted([*HERE.glob("*.h"), *HERE.glob("*.cpp")])


def build_engine():
    """The engine, which is built again where its sources are other ones."""
    to = BUILD / f"prove-{engine_digest()[:16]}"
    if not to.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"]
        must(["g++", *flags, "-o", to, HERE / "prove.cpp"])
    return to


def digest_of(texts):
    hasher = hashlib.sha256()
    for text in texts:
        hasher.update(text.encode())
    return hasher.hexdigest()


def engine_digest():
    """The digest of the engine's code, without comments and layout."""
    code = (re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.S) for file in engine_sources())
    return digest_of("".join(text.split()) for text in code)


class Sources:
    """A copy of the library's sources, with changes."""

    def __init__(self, folder, changes=()):
        self.folder = folder
        for part in ("include", "src", "kernels"):
            shutil.copytree(ROOT / "c" / part, folder / "c" / part)
        for change in changes:
            file = folder / change.file
            text = file.read_text()
            if text.count(change.text) != 1:
                raise Failed(
                    f"{change.file} has {text.count(change.text)} times, not once, the text of "
                    f"'{change.about}': {change.text}"
                )
            file.write_text(text.replace(change.text, change.to))


def lower_source(source, machine, sources, flags=()):
    """A source as LLVM's intermediate representation for a machine."""
    to = sources.folder / f"{source.stem}-{machine.name}.ll"
    compiler = cross.zig(machine.triple, *machine.flags)
    must(
        [
            *compiler,
            *("-std=c11", "-O1", "-g0", "-w", "-fno-sanitize=all"),
            *("-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", to),
            *(f"-I{sources.folder}/c", f"-I{sources.folder}/c/include", *flags, source),
        ]
    )
    must([f"opt-{LLVM}", "-S", f"-passes={PASSES}", to, "-o", to])
    return to


def lower(kernel, machine, sources):
    """The kernel's sources so: a file each."""
    return [
        lower_source(sources.folder / f"c/kernels/{name}.c", machine, sources)
        for name in (kernel.name, *kernel.beside)
    ]


def extract(file, shim):
    """What of a file a shim needs: the code that a proof is of, and that its digest is of."""
    to = file.with_name(f"{file.stem}-{shim}.ll")
    only = f"-internalize-public-api-list=prove_{shim}"
    must([f"opt-{LLVM}", "-S", "-passes=internalize,globaldce", only, file, "-o", to])
    return to


def normalized(file):
    """The code without the names of folders and without the places in the sources."""
    lines = []
    for line in file.read_text().splitlines():
        if not line.startswith((";", "!", "source_filename")):
            lines.append(re.sub(r", !\w+ !\d+|, !srcloc !\d+", "", line))
    return "\n".join(lines)


def check_limits(name, file, beyond, known):
    """Fails if the code compares a number with a larger one than the proof reaches, and nobody
    says that tests surround it: it may be right at all lengths of the proof, and wrong at one."""
    text = file.read_text()
    found = re.findall(r"icmp \w+ (?:samesign )?i\d+ [^,]+, (\d+)|^ +i\d+ (\d+), label", text, re.M)
    unknown = {int(a or b) for a, b in found if int(a or b) > beyond} - set(known)
    if unknown:
        raise Failed(
            f"{name} compares a number with {', '.join(map(str, sorted(unknown)))}, which no proof "
            "reaches: test lengths around it, and name it as a limit"
        )


@dataclass
class Goal:
    """A run of the engine."""

    kernel: str
    about: str
    command: list
    refutes: bool = False  # a planted fault, which the engine must find


def functions(kernel):
    """The functions of a kernel, with the engine's options for each."""
    name = f"wiresum_kernel_{kernel.name}"
    yield name, []
    yield f"{name}_copy", ["--copy"]
    if kernel.folds:
        yield f"{name}_folded", ["--folded"]
        yield f"{name}_copy_folded", ["--copy", "--folded"]
        yield f"{name}_checksum", ["--folded", "--complement"]


def looks_at_pages(kernel):
    return kernel.name == "x86_avx2" or "avx512" in kernel.name


def ranges(kernel, options, vector, shipped):
    """The lengths and addresses of a proof, as options of the engine."""
    short = vector == kernel.vectors[0]
    if not options.full:
        yield ["--lengths", "0-160:3" if short else "0-400:57", "--offsets", "0-63"]
        yield ["--lengths", "161-4096:251" if short else "401-4096:1231", "--wander", "1"]
    elif options.every_offset:
        yield ["--lengths", f"0-{MOST}", "--offsets", "0-63"]
    elif short:
        yield ["--lengths", f"0-{ALL_OFFSETS}", "--offsets", "0-63"]
        yield ["--lengths", f"{ALL_OFFSETS + 1}-{EACH}", "--wander", "2"]
        yield ["--lengths", f"{EACH + 1}-{MOST}:{options.thin}", "--wander", "2"]
    else:
        yield ["--lengths", f"0-{MOST}:{options.thin}", "--wander", "1"]
    # What looks at its address may read beyond the data at one offset and length. No byte decides
    # which bytes are read, so the run has numbers in place of unknown bytes, and is fast.
    if shipped and short and not options.every_offset:
        first = ALL_OFFSETS + 1 + (0 if options.full else options.seed % 37)
        yield ["--lengths", f"{first}-{EACH}:{1 if options.full else 37}", *NUMERIC]
        if options.full:
            yield ["--lengths", f"{EACH + 1}-{MOST}:{STEP}", *NUMERIC]
    if looks_at_pages(kernel):
        every = options.full and options.thin == 1
        yield ["--lengths", "0-320" if every else "1-320:107", "--end-of-page"]
    # The bound of the comments: a whole block, as shipped, and what begins the next one.
    if shipped and short and 0 < kernel.block <= LONGEST_BLOCK:
        for length in (kernel.block, 2 * kernel.block + 35) if options.full else (kernel.block,):
            yield ["--lengths", str(length), "--offsets", "1-1"]


def goals_of(kernel, options, engine, folder):
    """What is to prove and to refute of a kernel, and the digest of its code."""
    goals, code = [], []
    for machine in kernel.machines:
        for about, changes in {"as shipped": [], "lower blocks": kernel.seams}.items():
            if about != "as shipped" and not changes:
                continue
            sources = Sources(folder / f"{machine.name}-{len(changes)}", changes)
            files = lower(kernel, machine, sources)
            if not changes:
                code += [normalized(file) for file in files]
                for file in files:
                    check_limits(kernel.name, file, MOST, {kernel.block, *kernel.limits})
            for vector in kernel.vectors:
                for function, words in functions(kernel):
                    for where in ranges(kernel, options, vector, not changes):
                        goals.append(
                            Goal(
                                kernel.name,
                                f"{machine.name}, {about}, vectors of {vector} bytes",
                                [
                                    *(engine, *words, *where, "--vector", vector, "--bound"),
                                    *(function, *files),
                                ],
                            )
                        )
    for number, fault in enumerate(kernel.faults):
        sources = Sources(folder / f"fault-{number}", [fault])
        files = lower(kernel, kernel.machines[0], sources)
        function, words = list(functions(kernel))[fault.copies]
        where = ["--lengths", fault.lengths, *fault.options, "--vector", kernel.vectors[0]]
        command = [engine, *words, *where, function, *files]
        goals.append(Goal(kernel.name, fault.about, command, refutes=True))
    return goals, digest_of(code)


def attempt(goal):
    """Runs the engine; returns the cells that it proved, or what refuted the fault, its bound, and
    its CPU time."""
    status, out, err, took = execute_timed(goal.command)
    if status == 2 or status < 0:
        raise Failed(f"{goal.kernel}, {goal.about}: {shlex.join(map(str, goal.command))}\n{err}")
    if status == 1 and not goal.refutes:
        raise Failed(f"{goal.kernel}, {goal.about}: {shlex.join(map(str, goal.command))}\n{out}")
    if status == 0 and goal.refutes:
        raise Failed(f"{goal.kernel}: the fault '{goal.about}' is not refuted: {out}")
    if goal.refutes:
        return {"refuted": out.split(": ", 1)[1].strip(), "seconds": took}
    cells, bound = re.search(r": (\d+) cells.* at most (\d+)", out).groups()
    lengths = str(goal.command[goal.command.index("--lengths") + 1])
    return {
        "shipped": "as shipped" in goal.about,
        "longest": int(re.split("[-:]", lengths)[1] if "-" in lengths else lengths),
        "cells": int(cells),
        "numeric": "--numeric" in goal.command,
        "bound": int(bound),
        "everywhere": "at every address" in out,
        "seconds": took,
    }


def check_comment(kernel, bits):
    """Checks that the kernel's comment states its bound, and that the proof found no larger total
    than one of `bits` bits."""
    file = kernel.comment_in or kernel.source
    words = re.sub(r"\s+(\* )?\s*", " ", (ROOT / file).read_text())
    if kernel.comment not in words:
        raise Failed(f"{file} does not state the bound of its proof: {kernel.comment}")
    if kernel.bits and bits > kernel.bits:
        raise Failed(
            f"{file} states '{kernel.comment}', a total of {kernel.bits} bits, but the total "
            f"of a block may have {bits} bits"
        )


# ---- The models against CPUs and emulators ----


def runner(kernel, machine):
    """The CPU model that runs a kernel, and the target that builds for it, or None."""
    target = cross.BY_NAME.get(machine.name)
    if target is None:
        return None
    if not machine.cpu:
        wanted = "x86_avx2" if kernel.name in native.EMULATED else kernel.name
        return (target, []) if wanted in [*native.kernels(), *cross.X86_64] else None
    cpu = next(cpu for cpu in target.cpus if cpu.name == machine.cpu)
    return target, cpu.run


def commands_for_vectors(kernel, machine, target):
    """(vector length, command) for each CPU model that runs the kernel with another length."""
    for cpu in target.cpus:
        if cpu.name == machine.cpu and cpu.vector_bits // 8 in kernel.vectors:
            yield cpu.vector_bits // 8, cpu.run


def inputs(kernel, number, generator):
    """Lines "LENGTH OFFSET TO SEED COUNT" with `number` inputs together."""
    lines, each = [], 200
    while number > 0:
        length = generator.choice([generator.randrange(90), generator.randrange(700)])
        offset, to = generator.randrange(64), generator.randrange(64)
        count = min(each, number)
        lines.append(f"{length} {offset} {to} {generator.randrange(2**60)} {count}")
        number -= count
    return "\n".join(lines) + "\n"


def compare(kernel, machine, number, seed, engine, folder):
    """Compares the exact results of the engine with a CPU's; returns how many."""
    found = runner(kernel, machine)
    if found is None:
        return 0
    target, run = found
    if cross.NEWER in target.needs and not cross.have_newer_qemu():
        raise Failed(
            f"{machine.name} needs version 9 of QEMU or later: ./check proof-kernels unpacks it"
        )
    folder.mkdir(parents=True)
    files = lower(kernel, machine, Sources(folder / "sources"))
    generator = random.Random(seed)
    compared = 0
    ways = [(kernel.vectors[0], run)]
    if len(kernel.vectors) > 1:
        ways = list(commands_for_vectors(kernel, machine, target))
    flags = []
    if kernel.name in native.EMULATED:  # by the signal of a CPU that lacks the instruction
        flags = ["-DWIRESUM_TEST_EMULATE", native.add_flag(kernel.name)]
    for function, options in functions(kernel):
        sources = [ROOT / f"c/kernels/{name}.c" for name in (kernel.name, *kernel.beside)]
        program = build_results(folder / function, target, function, options, sources, flags)
        for vector, command in ways:
            lines = inputs(kernel, number // len(ways), generator)
            compared += same_results(
                f"{function} on {machine.name}",
                [*command, program],
                [engine, *options, "--evaluate", "--vector", vector, function, *files],
                lines,
                number // len(ways),
            )
    return compared


def build_results(program, target, function, options, sources, flags=()):
    """Builds results.c with a kernel or a shim."""
    flags = [f"-DKERNEL={function}", *flags]
    flags += ["-DCOPIES"] if "--copy" in options else []
    flags += ["-DFOLDS"] if "--folded" in options else []
    flags += ["-DCOMPLEMENTS"] if "--complement" in options else []
    must(
        [
            *(*target.compiler, *target.flags, "-std=c11", "-O2", "-w", *flags),
            *("-o", program, HERE / "results.c", *sources),
        ]
    )
    return program


def same_results(about, on_cpu, in_engine, lines, number):
    """Compares the results of both commands on the inputs of the lines; returns their number."""
    real = must(on_cpu, input=lines).split()
    ours = must(in_engine, input=lines).split()
    if len(real) != number or real != ours:
        at = next((i for i, pair in enumerate(zip(real, ours)) if len(set(pair)) > 1), None)
        raise Failed(
            f"{about}: the model gives {len(ours)} results and the CPU {len(real)}; the first "
            f"difference is at input {at}: {ours[at] if at is not None else ''} and "
            f"{real[at] if at is not None else ''}: {shlex.join(map(str, in_engine))} with {lines}"
        )
    return len(real)


def example(words, generator):
    """A run of a function as one that results.c can do, too: its length, the numbers after the
    length, the bytes that are fixed, and whether it copies."""
    options = list(map(str, words))
    values = {}
    for name, value in zip(options, options[1:]):
        values.setdefault(name, []).append(value)
    ends = list(map(int, re.split("[-:]", values["--lengths"][0])))
    length = generator.randint(ends[0], ends[1] if len(ends) > 1 else ends[0])
    cuts = int(values.get("--cuts", ["0"])[0])
    numbers = sorted(generator.randint(0, length) for _ in range(cuts))
    numbers += [*values.get("--piece", []), *values.get("--number", [])]
    return length, numbers, values.get("--fixed", []), ["--copy"] if "--copy" in options else []


def compare_function(function, machine, each, seed, engine, folder):
    """Compares `each` exact results of some runs of a function; returns how many."""
    target = cross.BY_NAME[machine.name]
    command = next(cpu.run for cpu in target.cpus if cpu.name == (machine.cpu or "this CPU"))
    kernel = Path(function.file).stem.replace("shims_", "x86_")
    if function.file != "shims.c" and kernel not in native.kernels():
        return 0
    folder.mkdir(parents=True)
    generator = random.Random(seed)
    file = shipped_shims(function, machine, folder.parent)
    by_shim = {}
    for shim, words in function.runs(True):
        by_shim.setdefault(shim, []).append(words)
    compared = 0
    for shim, runs in by_shim.items():
        code, program = extract(file, shim), None
        for words in generator.sample(runs, min(len(runs), 4)):
            length, numbers, fixed_bytes, options = example(words, generator)
            if program is None:
                arguments = "".join(f", number[{i}]" for i in range(len(numbers)))
                flags = [
                    *(f"-I{ROOT}/c", *function.flags, f"-DNUMBERS={arguments}"),
                    "-DNUMBER_TYPES=" + ", size_t" * len(numbers),
                ]
                sources = [HERE / function.file]
                program = build_results(
                    folder / shim, target, f"prove_{shim}", options, sources, flags
                )
            in_engine = [engine, *options, "--evaluate"]
            for number in numbers:
                in_engine += ["--number", number]
            for byte in fixed_bytes:
                in_engine += ["--fixed", byte]
            offset, to = generator.randrange(64), generator.randrange(64)
            compared += same_results(
                f"{shim} on {machine.name}",
                [*command, program, *numbers, *fixed_bytes],
                [*in_engine, f"prove_{shim}", code],
                f"{length} {offset} {to} {generator.randrange(2**60)} {each}\n",
                each,
            )
    return compared


# ---- The record, and the command line ----


def prove(kernel, options, engine, folder, pool):
    """Proves one kernel; returns its row of the record."""
    goals, digest = goals_of(kernel, options, engine, folder)
    proved, refuted, seconds = [], {}, 0.0
    for goal, result in zip(goals, pool.map(attempt, goals)):
        seconds += result["seconds"]
        if goal.refutes:
            refuted[goal.about] = result["refuted"]
        else:
            proved.append(result)
    number = INPUTS // (1 if options.full and options.thin == 1 else 10 if options.full else 100)
    compared = {
        machine.name: compare(
            kernel, machine, number, options.seed, engine, folder / f"compare-{machine.name}"
        )
        for machine in kernel.machines
    }
    # What a block of 4,096 bytes adds at most, times the blocks of this size in one as shipped.
    most = max((r["bound"] for r in proved if r["shipped"] and r["longest"] <= MOST), default=0)
    bits = (most * -(-kernel.block // MOST)).bit_length()
    check_comment(kernel, bits)
    return {
        "digest": digest,
        "thin": options.thin,
        "every offset": options.every_offset,
        "block": 0 < kernel.block <= LONGEST_BLOCK,
        "bits of a block": bits,
        "cells": sum(result["cells"] for result in proved if not result["numeric"]),
        "cells of numbers": sum(result["cells"] for result in proved if result["numeric"]),
        "every address": all(result["everywhere"] for result in proved),
        "machines": [machine.name for machine in kernel.machines],
        "vectors": kernel.vectors if len(kernel.vectors) > 1 else [],
        "compared": compared,
        "refuted": refuted,
        "seconds": round(seconds, 1),
    }


def shipped_shims(function, machine, folder):
    """The shims of a function for a machine, with the sources as shipped. Functions share them."""
    folder = folder.parent / f"shipped-{machine.name}"
    file = folder / f"{Path(function.file).stem}-{machine.name}.ll"
    if not file.exists():
        shutil.rmtree(folder, ignore_errors=True)
        lower_source(HERE / function.file, machine, Sources(folder), function.flags)
        check_limits(function.file, file, 31, LIMITS[function.file])
    return file


def runs_of(function, machine, full, engine, file, goals):
    """Adds the runs of a function on a machine to goals; returns the texts of its code."""
    files = {}
    for shim, words in function.runs(full):
        if shim not in files:
            files[shim] = extract(file, shim)
        command = [engine, *words, "--bound", f"prove_{shim}", files[shim]]
        goals.append(Goal(function.name, machine.name, command))
    return [normalized(file) for file in files.values()]


def refutation(function, number, engine, folder):
    """Plants a fault in a function; returns what refuted it, and the CPU time."""
    fault, seconds = function.faults[number], 0.0
    sources = Sources(folder / f"fault-{number}", [fault])
    machine = next(machine for machine in function.machines if machine.name == fault.machine)
    goals = []
    file = lower_source(HERE / function.file, machine, sources, function.flags)
    runs_of(function, machine, False, engine, file, goals)
    for goal in goals:
        status, out, err, took = execute_timed(goal.command)
        seconds += took
        if status == 1:
            return {"refuted": out.split(": ", 1)[1].strip(), "seconds": seconds}
        if status != 0:
            raise Failed(f"{function.name}: {shlex.join(map(str, goal.command))}\n{err}")
    raise Failed(f"{function.name}: the fault '{fault.about}' is not refuted")


def prove_function(function, options, engine, folder, pool):
    """Proves one function; returns its row of the record."""
    goals, code = [], [repr(list(function.runs(True)))]
    for machine in function.machines:
        file = shipped_shims(function, machine, folder)
        code += runs_of(function, machine, options.full, engine, file, goals)
    proved = list(pool.map(attempt, goals))
    compared = {
        machine.name: compare_function(
            function,
            machine,
            INPUTS // (100 if options.full else 1000),
            options.seed,
            engine,
            folder / f"compare-{machine.name}",
        )
        for machine in (function.machines if options.full else function.machines[:1])
    }
    numbers = range(len(function.faults))
    faults = list(pool.map(lambda i: refutation(function, i, engine, folder), numbers))
    return {
        "digest": digest_of(code),
        "cells": sum(result["cells"] for result in proved),
        "every address": all(result["everywhere"] for result in proved),
        "machines": [machine.name for machine in function.machines],
        "compared": compared,
        "refuted": {
            fault.about: result["refuted"] for fault, result in zip(function.faults, faults)
        },
        "seconds": round(sum(result["seconds"] for result in proved + faults), 1),
    }


def recorded():
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {"engine": ""}
    return {"kernels": {}, "functions": {}, **record}


def chosen_parts(options):
    """(section of the record, name, its proof) of each function and kernel that is asked for."""
    for function in FUNCTIONS:
        if function.name in options.names or not options.names:
            yield "functions", function.name, partial(prove_function, function)
    for kernel in KERNELS:
        if kernel.name in options.names or not options.names:
            yield "kernels", kernel.name, partial(prove, kernel)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"kernels: {', '.join(BY_NAME)}; functions: {', '.join(FUNCTIONS_BY_NAME)}",
    )
    parser.add_argument("--full", action="store_true", help="every length, and more inputs")
    parser.add_argument(
        "--thin", type=int, default=1, help=f"beyond {EACH} bytes one length in N, fewer inputs"
    )
    parser.add_argument(
        "--every-offset", action="store_true", help="beyond 160 bytes, too: hours of CPU time"
    )
    parser.add_argument("--record", action="store_true", help="with --full: write record.json")
    parser.add_argument("--jobs", type=int, default=cross.workers())
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WIRESUM_SEED", "0")))
    options = parser.parse_args()
    options.seed = options.seed or time.time_ns() % 2**32
    unknown = set(options.names) - {*BY_NAME, *FUNCTIONS_BY_NAME}
    if unknown:
        parser.error(f"no kernel or function is named {', '.join(sorted(unknown))}")
    print(f"seed {options.seed}", flush=True)
    record = recorded()
    engine_now = engine_digest()
    wrong = []
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(options.jobs) as pool:
        engine = build_engine()
        for section, name, prove_it in chosen_parts(options):
            folder = Path(place) / name.replace(" ", "-")
            try:
                row = prove_it(options, engine, folder, pool)
            except Failed as failure:
                wrong.append(name)
                print(f"FAILED {failure}", flush=True)
                continue
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            compared = sum(row.get("compared", {}).values())
            print(
                f"{name}: {row['cells']:,} cells proved, {len(row['refuted'])} faults refuted, "
                f"{f'{compared:,} results compared, ' if compared else ''}{row['seconds']} s",
                flush=True,
            )
            if options.full and options.record:
                record = recorded()  # another run may have written meanwhile
                if record["engine"] != engine_now:
                    record = {"engine": engine_now, "kernels": {}, "functions": {}}
                record[section][name] = row
                RECORD.write_text(json.dumps(record, indent=1) + "\n")
            elif record["engine"] != engine_now:
                wrong.append(name)
                print(f"FAILED {name}: the proof in {RECORD.name} is of another engine")
            elif record[section].get(name, {}).get("digest") != row["digest"]:
                wrong.append(name)
                print(
                    f"FAILED {name}: its code is not the code whose proof is recorded: "
                    f"python3 -m evidence.proof.simd.run --full --record '{name}'"
                )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
