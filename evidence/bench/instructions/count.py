# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts the instructions that each kernel executes, exactly, and compares them.

    python3 -m evidence.bench.instructions.count --check [TARGET...]
        recounts; fails where a kernel needs more instructions than
        evidence/bench/results/instructions says, or as many as something that it must beat
    python3 -m evidence.bench.instructions.count --write [TARGET...]
        recounts, and writes the record
    python3 -m evidence.bench.instructions.count --show  [TARGET...]
        recounts, and prints a table

A kernel must beat, on the same CPU model and at each size: portable.c, built by the same compiler
with -O2, as the library is; the plain loops of plain.c, built with -O3 and the flags of the
kernel's instruction set; the Linux kernel's own code for that machine, if linux.py has prepared it,
or else the Linux rows of the record. exceptions.py has what cannot be beaten, with the reason.

A plugin of QEMU counts (plugin.c), or a log of all that QEMU executes if that QEMU takes no
plugins. Single steps on this CPU count the kernels that no emulator has (step.c). For WebAssembly
wasmtime's fuel counts, an instruction being one operation of the virtual machine. An empty function
is subtracted.

A count does not depend on the CPU that executes the instructions. So the record keeps the counts of
a kernel that this CPU lacks, with the name of the CPU family that counted them; and a kernel that
the record lacks is judged by what it must beat, and named.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from c.tests.cross import native
from c.tests.cross import targets as cross

from . import recorded
from .exceptions import EXCEPTIONS
from .linux import CODE, prepared

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RECORD = ROOT / "evidence/bench/results/instructions"
BUILD = ROOT / "build/instructions"
FIELDS = ["cpu", "vector_bits", "code", "form", "size", "instructions"]
SIZES = [64, 1500, 65536]
MARK = int(re.search(r"MARK (0x\w+)", (HERE / "mark.h").read_text()).group(1), 16)
# Another patch release of the same compiler may move an instruction at the ends of the data.
TOLERANCE = 1.005


def host(command, to):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return to


def tools():
    BUILD.mkdir(parents=True, exist_ok=True)
    plugin, step = BUILD / "plugin.so", BUILD / "step"
    host(
        ["gcc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", plugin, HERE / "plugin.c"],
        plugin,
    )
    host(["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-o", step, HERE / "step.c"], step)


def counted_on(target):
    """[(cpu, kernels to count there)]: each kernel once, or once a vector length if the machine
    chooses that length."""
    seen, plan = set(), []
    for cpu in sorted(target.cpus, key=lambda cpu: not cpu.run):  # single steps, the slowest, last
        if target.name.startswith("wasm") and cpu.name != "wasmtime":
            continue
        bits = {k: cpu.vector_bits if k in cross.ANY_LENGTH else 0 for k in cpu.runs}
        kernels = [k for k in cpu.runs if (k, bits[k]) not in seen]
        seen |= {(k, bits[k]) for k in kernels}
        if kernels:
            plan.append((cpu, kernels))
    return plan


def build(target, linux):
    folder = BUILD / target.name
    objects = cross.build(
        target, folder, [(source, []) for source in cross.library_sources()], ["-O2"]
    )
    rivals = []
    for kernel, (compiler, flags) in cross.rivals(target).items():
        with_compiler = cross.Target(target.name, "", compiler, [], [])
        objects.append(
            cross.compile_one(
                with_compiler,
                HERE / "plain.c",
                folder / f"plain_{kernel}.o",
                [*flags, f"-DSUFFIX={kernel}"],
            )
        )
        rivals += [f"X(words16_{kernel},{kernel})", f"X(words32_{kernel},{kernel})"]
    if linux:
        objects += linux
        rivals.append(f"X(linux,{CODE[target.name].runs_with})")
    programs = {}
    for way, flags in {"marked": [], "signaled": ["-DMARK_BY_SIGNAL"]}.items():
        if way == "signaled" and all(cpu.run for cpu in target.cpus):
            continue
        main = cross.compile_one(
            target,
            HERE / "count.c",
            folder / f"count_{way}.o",
            ["-O2", "-D_GNU_SOURCE", f"-DRIVALS(X)={' '.join(rivals)}", *flags],
        )
        programs[way] = cross.link(target, [main, *objects], folder / f"count_{way}")
    return programs


def count_log(command, out):
    """Counts by a log of every instruction and system call, for a QEMU that takes no plugins: the
    log is slower than a plugin, and as exact."""
    log = out.with_suffix(".log")
    log.unlink(missing_ok=True)
    os.mkfifo(log)
    program = subprocess.Popen(
        [command[0], "-one-insn-per-tb", "-d", "nochain,exec,strace", "-D", str(log), *command[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    numbers, executed, begun = [], 0, False
    with open(log, errors="replace") as lines:
        for line in lines:
            if line.startswith("Trace "):
                executed += 1
            elif f"close({MARK})" in line:
                if begun:
                    numbers.append(executed)
                begun, executed = not begun, 0
    log.unlink()
    output = program.communicate()[0]
    out.write_text("".join(f"{number}\n" for number in numbers))
    return subprocess.CompletedProcess(command, program.returncode, output, "")


def count_on(target, cpu, kernels, programs):
    """Rows of the record for one CPU model."""
    out = BUILD / target.name / f"{cpu.name}-{cpu.vector_bits}.txt".replace(" ", "-")
    out.unlink(missing_ok=True)
    if target.name.startswith("wasm"):
        command = [
            str(cross.VENV / "bin/python3"),
            str(HERE / "fuel.py"),
            str(out),
            str(programs["marked"]),
        ]
    elif cpu.run and cross.NEWER in target.needs:
        command = [*cpu.run, str(programs["marked"])]
    elif cpu.run:
        command = [
            cpu.run[0],
            "-plugin",
            f"{BUILD / 'plugin.so'},out={out}",
            *cpu.run[1:],
            str(programs["marked"]),
        ]
    else:
        command = [str(BUILD / "step"), str(out), str(programs["signaled"])]
    done = (
        count_log([*command, *kernels], out)
        if cross.NEWER in target.needs
        else subprocess.run([*command, *kernels], capture_output=True, text=True, timeout=600)
    )
    if done.returncode != 0:
        raise SystemExit(
            f"{target.name}, {cpu.name}: {' '.join(command)}: exit status {done.returncode}\n"
            f"{done.stdout}{done.stderr}"
        )
    calls = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("call ")]
    numbers = [int(line) for line in out.read_text().split()]
    if len(calls) != len(numbers):
        raise SystemExit(f"{target.name}, {cpu.name}: {len(calls)} calls and {len(numbers)} counts")
    empty = {form: number for (code, form, _), number in zip(calls, numbers) if code == "empty"}
    return [
        {
            "cpu": cpu.name if cpu.run else native.cpu_family(),
            "vector_bits": str(cpu.vector_bits or ""),
            "code": code,
            "form": form,
            "size": size,
            "instructions": str(number - empty[form]),
        }
        for (code, form, size), number in zip(calls, numbers)
        if code != "empty"
    ]


def is_native(target, row):
    """Whether a CPU counted this row, and no emulator."""
    return row["cpu"] not in {cpu.name for cpu in target.cpus if cpu.run}


def recount(target):
    """The rows of the target: counted here, or from the record if they cannot be counted here."""
    linux = prepared(target)
    programs = build(target, linux)
    rows = [
        row
        for cpu, kernels in counted_on(target)
        for row in count_on(target, cpu, kernels, programs)
    ]
    counted = {row["code"] for row in rows}
    for row in read(target):
        if row["code"] == "rival:linux" and not linux:
            rows.append(row)
        elif is_native(target, row) and row["code"] not in counted:
            rows.append(row)
    kept = {(r["code"], r["cpu"]) for r in rows if r["code"] not in {*counted, "rival:linux"}}
    for code, cpu in sorted(kept):
        print(f"{target.name}: {code} is not counted here; the record's count is of {cpu}")
    return rows


def read(target):
    path = RECORD / f"{target.name}.csv"
    return list(csv.DictReader(path.open())) if path.exists() else []


def write(target, rows):
    RECORD.mkdir(parents=True, exist_ok=True)
    with (RECORD / f"{target.name}.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def table(target, rows):
    """{(kernel, vector_bits): {(form, size): {code: instructions}}}: the kernel, and what it must
    beat."""
    by = {
        (row["code"], row["vector_bits"], row["form"], int(row["size"])): int(row["instructions"])
        for row in rows
    }
    any_length = {(code, form, size): number for (code, _, form, size), number in by.items()}
    found = {}
    for (code, bits, form, size), number in by.items():
        if code == "portable" or code.startswith("rival:"):
            continue
        cell = found.setdefault((code, bits), {}).setdefault((form, size), {})
        cell["kernel"] = number
        cell["portable"] = any_length["portable", form, size]
        for rival in (f"words16_{code}", f"words32_{code}", "linux"):
            value = by.get(
                (f"rival:{rival}", bits, form, size), any_length.get((f"rival:{rival}", form, size))
            )
            if value is not None:
                cell[rival.split("_")[0]] = value
    return found


def excepted(target, kernel, against, form, size):
    """The exception that allows a kernel not to beat something, or None."""
    for exception in EXCEPTIONS:
        if (
            (exception.kernel == kernel and against in exception.against)
            and (form in exception.forms and size in exception.sizes)
            and (not exception.targets or target.name in exception.targets)
        ):
            return exception
    return None


def judge(target, rows, recorded):
    """(what is wrong, in words; the exceptions that were needed)"""
    wrong, used = [], set()
    for (kernel, bits), cells in table(target, rows).items():
        for (form, size), cell in cells.items():
            for against, number in cell.items():
                if against == "kernel" or size not in SIZES or cell["kernel"] < number:
                    continue
                exception = excepted(target, kernel, against, form, size)
                if exception:
                    used.add(exception)
                    continue
                name = f"{kernel} at {bits} bits" if bits else kernel
                wrong.append(
                    f"{target.name}: {name} needs {cell['kernel']} instructions for the {form} of "
                    f"{size} bytes, {against} {number}"
                )

    def key(row):
        cpu = "native" if is_native(target, row) else row["cpu"]
        return (cpu, *(row[name] for name in FIELDS[1:-1]))

    was = {key(row): int(row["instructions"]) for row in recorded}
    for row in rows:
        before, now = was.get(key(row)), int(row["instructions"])
        where = ", ".join([target.name, *(row[name] for name in FIELDS[:-1] if row[name])])
        command = f"python3 -m evidence.bench.instructions.count --write {target.name}"
        if before is None and is_native(target, row):
            print(f"{where}: {now} instructions, not in the record yet: {command}")
        elif before is None:
            wrong.append(f"{where}: not in the record: {command}")
        elif now > before * TOLERANCE and not row["code"].startswith("rival:"):
            wrong.append(f"{where}: {now} instructions, and {before} in the record")
        elif now != before:
            print(f"{where}: {now} instructions, {before} in the record")
    return wrong, used


def show(target, rows):
    print(f"\n{target.name}: instructions per byte")
    for (kernel, bits), cells in table(target, rows).items():
        for (form, size), cell in sorted(cells.items()):
            if size in SIZES:
                print(
                    f"  {kernel + (' ' + bits if bits else ''):20} {form:5} {size:6} "
                    + "  ".join(f"{code} {number / size:.4f}" for code, number in cell.items())
                )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    for word in ("check", "write", "show"):
        what.add_argument(f"--{word}", action="store_true")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    options = parser.parse_args()
    unknown = set(options.targets) - set(cross.BY_NAME)
    if unknown:
        parser.error(f"no target is named {' '.join(sorted(unknown))}")
    counted_targets = [t.name for t in cross.TARGETS if t.counted]
    sample = recorded.sample(counted_targets, 2) if options.check and not options.targets else None
    wanted = options.targets or sample or counted_targets
    chosen = [t for t in cross.TARGETS if t.name in wanted]
    absent = {t.name: cross.missing(t) for t in chosen if cross.missing(t)}
    if absent:
        print(
            "not installed: "
            + "; ".join(f"{' '.join(words)} ({name})" for name, words in absent.items()),
            file=sys.stderr,
        )
        return 2
    tools()
    wrong, used = [], set()

    def try_to_recount(target):
        try:
            return recount(target)
        except SystemExit as failure:
            wrong.append(str(failure))
            return None

    with ThreadPoolExecutor(cross.workers()) as pool:
        counted = {
            t.name: rows
            for t, rows in zip(chosen, pool.map(try_to_recount, chosen))
            if rows is not None
        }
    chosen = [target for target in chosen if target.name in counted]
    for target in chosen:
        rows = counted[target.name]
        if options.write:
            write(target, rows)
        if not options.check:
            show(target, rows)
        found, exceptions = judge(target, rows, rows if options.write else read(target))
        wrong += found
        used |= exceptions
    if wanted == counted_targets:
        wrong += [
            f"exceptions.py has one that is not needed any more: {e}"
            for e in EXCEPTIONS
            if e not in used
        ]
    for exception in sorted(used, key=str):
        print(f"excepted: {exception}")
    for line in wrong:
        print(f"WRONG {line}")
    print(f"{sum(map(len, counted.values()))} counts on {len(chosen)} targets, {len(wrong)} wrong")
    if sample:
        print("a sample of the targets: recorded, inputs unchanged")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
