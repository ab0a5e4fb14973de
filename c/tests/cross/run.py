# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds the test programs of one target once, and runs them on each of its CPU models.

    python3 -m c.tests.cross.run [--jobs N] [--cpu TEXT] [--thin N] [--record] TARGET...

targets.py declares the targets and their CPU models. On each CPU model the library must choose the
kernel that targets.py names, support exactly those that it names, and refuse to be forced to any
other; then every test program must run every one of them. Prints the lines "kernel NAME
ran|unsupported WHERE" for the table of ./check, and leaves the same in build/cross/TARGET.json for
tables.py.

More than 4 GiB through each kernel take an emulator longer than all else, and give the same result
for the same sources, compiler and emulator. huge.json has a digest of these for each target, which
--record writes after a whole run. Where it holds, one kernel takes the 4 GiB, which WIRESUM_SEED
chooses, and the run says "recorded, inputs unchanged"; with WIRESUM_FRESH=1 all of them do.
"""

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import native, recorded
from .targets import (
    BUILD,
    BY_NAME,
    ROOT,
    compile_one,
    missing,
    workers,
)

PROGRAMS = [
    "vectors",
    "exports",
    "exhaustive",
    "lengths",
    "huge",
    "algebra",
    "dispatch",
    "fuzz",
]  # of c/tests
THIN_NATIVE = 4  # other parts of ./check run the whole grids on this CPU
TIMEOUT = 600
HUGE = Path(__file__).with_name("huge.json")
HUGE_CODE = ("c/include", "c/src", "c/kernels", "c/tests/huge.c", "c/tests/test.h")

printing = threading.Lock()


class Failed(Exception):
    pass


def beside(target):
    return [BUILD / target.name / Path(source).with_suffix(".o").name for source in target.beside]


def driver(target, cpu=None):
    """The call of c/tests/run that builds the programs of a target, and runs them on a CPU
    model."""
    flags = " ".join(target.flags)
    words = ["c/tests/run", "--cc", shlex.join(target.compiler)]
    words += ["--cflags", flags] if flags else []
    libraries = [] if target.name.startswith("wasm") else ["-pthread"]
    if target.beside or not libraries:
        words += ["--ldflags", " ".join([*map(str, beside(target)), *libraries])]
    return words + (["--runner", shlex.join(cpu.run)] if cpu and cpu.run else [])


def build(target):
    """Builds the tests with c/tests/run, to which `true` is a runner; then the program kernels.c
    from the same objects."""
    out = BUILD / target.name
    out.mkdir(parents=True, exist_ok=True)
    for source, to in zip(target.beside, beside(target)):
        compile_one(target, source, to, ["-O2"])
    command = [*driver(target), "--runner", "true", "--out", str(out), *PROGRAMS]
    done = subprocess.run(
        ["sh", *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        raise Failed(f"{shlex.join(command)}: exit status {done.returncode}\n{done.stdout}")
    objects = sorted(map(str, [*(out / "objects").glob("*.o"), *beside(target)]))
    threads = [] if target.name.startswith("wasm") else ["-pthread"]
    command = [*target.compiler, "-std=c11", "-O2", *target.flags, "-Ic/include"]
    command += ["c/tests/cross/kernels.c", *objects, *threads, "-o", str(out / "kernels")]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        raise Failed(f"{shlex.join(command)}: exit status {done.returncode}\n{done.stdout}")
    return out


def place(cpu):
    """A CPU model as the tables name it."""
    return cpu.name + (f", {cpu.vector_bits} bit vectors" if cpu.vector_bits else "")


def execute(cpu, program, arguments=(), **variables):
    env = {**os.environ, **variables}
    try:
        return subprocess.run(
            [*cpu.run, str(program), *arguments],
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise Failed(
            f"{shlex.join([*cpu.run, str(program), *arguments])}: still running after {TIMEOUT} s"
        ) from None


def programs(target, cpu):
    """(program, arguments, the kernels that it must run) on this CPU model. More than 4 GiB go
    through each kernel on one model of a target: the one with the shortest vectors, where a lane
    has to take the most."""
    for name in PROGRAMS:
        if name != "huge":
            yield name, [], cpu.runs
            continue
        yield name, ["--group", "crafted"], cpu.runs
        for kernel in cpu.runs:
            if kernel == "portable" and not target.portable_huge:
                continue
            if cpu is min(
                (c for c in target.cpus if kernel in c.runs), key=lambda c: c.vector_bits
            ):
                for group in ("sum", "copy"):
                    yield name, ["--group", group, "--fill", "ff", "--kernel", kernel], [kernel]


def run_program(target, cpu, out, name, arguments, kernels, thin):
    """Runs one test program; returns {kernel: checks}. It must run these kernels and no other."""
    arguments = ["--thin", str(thin if cpu.run else THIN_NATIVE), *arguments]
    done = execute(
        cpu,
        out / name,
        arguments,
        WIRESUM_TEST_COMMAND=shlex.join([*driver(target, cpu), name, "--"]),
    )
    if done.returncode != 0:
        raise Failed(
            f"{place(cpu)}: {name} {' '.join(arguments)}: exit status {done.returncode}\n"
            f"{done.stdout}"
        )
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("kernel ")]
    ran = {words[1]: int(words[3]) for words in lines if words[2] == "ran"}
    if set(ran) != set(kernels):
        raise Failed(
            f"{place(cpu)}: {name} ran {' '.join(ran) or 'no kernel'}, not {' '.join(kernels)}\n"
            f"{done.stdout}"
        )
    return ran


def check_choice(target, cpu, out):
    """What the library says of itself on this CPU model, and what it refuses."""
    done = execute(cpu, out / "kernels")
    if done.returncode != 0:
        raise Failed(f"{place(cpu)}: exit status {done.returncode}\n{done.stdout}")
    # In addition to what the program prints, QEMU may warn of features that it leaves out of a
    # model.
    states = dict(re.findall(r"^(\w+) (in-use|supported|unsupported)$", done.stdout, re.M))
    expected = {
        kernel: "in-use"
        if kernel == cpu.runs[0]
        else "supported"
        if kernel in cpu.runs
        else "unsupported"
        for kernel in target.kernels
    }
    if states != expected:
        raise Failed(f"{place(cpu)}: the library says {states}, and targets.py says {expected}")
    for kernel in [k for k in target.kernels if k not in cpu.runs] + ["no_such_kernel"]:
        done = execute(cpu, out / "vectors", WIRESUM_KERNEL=kernel)
        if done.returncode != 2:
            raise Failed(
                f"{place(cpu)}: WIRESUM_KERNEL={kernel} gives exit status {done.returncode}, not "
                f"2\n{done.stdout}"
            )


def first_line(command):
    try:
        shown = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return (
        (shown.stdout or shown.stderr).splitlines()[0]
        if shown.returncode == 0 and shown.stdout + shown.stderr
        else ""
    )


def huge_inputs(target):
    """A digest of what the result of 4 GiB through the kernels of a target depends on."""
    emulated = [cpu for cpu in target.cpus if cpu.run]
    tools = [target.compiler, *(cpu.run[:1] for cpu in emulated)]
    versions = sorted({recorded.version(tool) for tool in tools})
    words = [target.flags, *([cpu.name, cpu.runs, cpu.vector_bits] for cpu in emulated)]
    return recorded.digest([recorded.sources(HUGE_CODE, (".c", ".h")), *versions, repr(words)])


def huge_record():
    return json.loads(HUGE.read_text()) if HUGE.exists() else {}


def without_recorded(target, work):
    """The runs without the huge ones on record, except one of them."""
    if os.environ.get("WIRESUM_FRESH") or huge_record().get(target.name) != huge_inputs(target):
        return work
    huge = [item for item in work if "--kernel" in item[2] and item[0].run]
    left_out = sorted(huge, key=lambda item: (item[0].name, item[2]))
    if left_out:
        left_out.remove(random.Random(os.environ["WIRESUM_SEED"]).choice(left_out))
        print(f"{target.name}: 4 GiB through one kernel; recorded, inputs unchanged", flush=True)
    return [item for item in work if item not in left_out]


def run_target(target, jobs, only_cpu, thin, record_huge):
    start = time.monotonic()
    out = build(target)
    built_in = time.monotonic() - start
    cpus = [cpu for cpu in target.cpus if only_cpu in place(cpu)]
    failures, checks = [], {place(cpu): {} for cpu in cpus}

    def job(work):
        cpu, name, arguments, kernels = work
        begun = time.monotonic()
        try:
            if name == "choice":
                check_choice(target, cpu, out)
            else:
                for kernel, number in run_program(
                    target, cpu, out, name, arguments, kernels, thin
                ).items():
                    with printing:
                        checks[place(cpu)][kernel] = checks[place(cpu)].get(kernel, 0) + number
        except Failed as failure:
            with printing:
                failures.append(cpu)
                print(f"FAILED {target.name}: {failure}", flush=True)
        else:
            with printing:
                words, took = " ".join([name, *arguments]), time.monotonic() - begun
                print(f"{target.name}, {place(cpu)}: {words} passed in {took:.1f} s", flush=True)

    work = [(cpu, *rest) for cpu in cpus for rest in [("choice", [], []), *programs(target, cpu)]]
    if not record_huge:
        work = without_recorded(target, work)
    work.sort(key=lambda item: item[1] != "huge")  # the longest first
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(job, work))

    compiler = first_line([*target.compiler, "--version"])
    record = {"target": target.name, "compiler": compiler, "thin": thin, "cpus": []}
    record["ran_on"] = native.this_cpu()
    for cpu in cpus:
        bad = any(cpu is failed for failed in failures)
        for kernel in target.kernels:
            state = "ran" if kernel in cpu.runs else "unsupported"
            if not (bad and state == "ran"):
                print(f"kernel {kernel} {state} {place(cpu)}", flush=True)
        record["cpus"].append(
            {
                "name": cpu.name,
                "vector_bits": cpu.vector_bits,
                "passed": not bad,
                "checks": checks[place(cpu)],
            }
        )
    if not only_cpu:
        (BUILD / f"{target.name}.json").write_text(json.dumps(record, indent=1) + "\n")
    if record_huge and not failures and not only_cpu:
        record = {**huge_record(), target.name: huge_inputs(target)}
        HUGE.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    ran_in = time.monotonic() - start - built_in
    print(
        f"{target.name}: built in {built_in:.0f} s, {len(cpus)} CPU models in {ran_in:.0f} s; "
        f"emulators ran one cell in {thin} of the large grids (--thin {thin})",
        flush=True,
    )
    return not failures


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "targets", nargs="+", choices=sorted(BY_NAME), metavar="TARGET", help=", ".join(BY_NAME)
    )
    parser.add_argument("--jobs", type=int, default=workers(), help="programs at a time")
    parser.add_argument("--cpu", default="", help="only CPU models whose name has this in it")
    parser.add_argument("--thin", type=int, default=0, help="in place of what targets.py says")
    parser.add_argument("--record", action="store_true", help="write huge.json")
    options = parser.parse_args()
    os.environ.setdefault("WIRESUM_SEED", str(time.time_ns() % 2**32))
    print(f"seed {os.environ['WIRESUM_SEED']}", flush=True)
    right = True
    for name in options.targets:
        target = BY_NAME[name]
        absent = missing(target)
        if absent:
            print(f"{name}: not installed: {' '.join(absent)}", file=sys.stderr)
            return 2
        try:
            thin = options.thin or target.thin
            right = run_target(target, options.jobs, options.cpu, thin, options.record) and right
        except Failed as failure:
            print(f"FAILED {name}: {failure}", flush=True)
            right = False
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
