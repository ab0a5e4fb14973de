# SPDX-License-Identifier: MIT OR Apache-2.0
"""Mutation testing of the C library: does a test fail for each small fault in the code?

    python3 -m c.tests.mutants.run [--target NAME] [--sample N] [--seed N] [--record] [FILE...]

Each mutant (mutate.py) of a source is compiled. A mutant that does not compile, or whose objects
are those of the unchanged source, is set aside. The test programs run on every other mutant, the
fast ones first, until one of them fails: the mutant is killed. A mutant that no program kills has
survived. survivors.toml holds the survivors that are known, each with the reason why no test can
see it; another survivor is a failure.

    --target NAME  the machine: this CPU, or a target of c/tests/cross/targets.py. Default: native
    --sample N     N mutants of these files, chosen by the seed, in place of all
    --record       writes the counts to record.json
    --list         prints the mutants
    FILE           sources of the library; default: all that the target runs

Exit status: 0 every survivor is known, 1 another survived, 2 the unchanged library fails its tests.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from c.tests.cross import native
from c.tests.cross import run as cross_run
from c.tests.cross import targets as cross

from .mutate import mutants

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build" / "mutants"
SURVIVORS = HERE / "survivors.toml"
RECORD = HERE / "record.json"
PROGRAMS = ["vectors", "exports", "exhaustive", "huge", "algebra", "dispatch", "fuzz"]
SLOWEST = 20  # a mutant that takes so many times as long as the library has failed, by its time


@dataclass
class Machine:
    """What builds the tests, and what runs them."""

    name: str
    compiler: list
    flags: list
    cpus: list  # of targets.Cpu
    thin: int  # emulators are slow: only every so many-th cell

    @property
    def kernels(self):
        return list(dict.fromkeys(kernel for cpu in self.cpus for kernel in cpu.runs))


def machines(name):
    if name == "native":
        kernels = [k for k in native.kernels() if k not in native.hidden()]
        kernels += [k for k in cross.X86_64 if k not in kernels]
        return Machine(name, ["gcc"], [], [cross.Cpu("this CPU", [], kernels)], 1)
    target = cross.BY_NAME[name]
    if target.beside:
        sys.exit(f"{name}: its tests are linked with {target.beside[0]}, which this does not do")
    # A CPU model whose kernels another one runs too would only repeat its tests.
    cpus, seen = [], set()
    for cpu in sorted(target.cpus, key=lambda cpu: -len(cpu.runs)):
        if cpu.run and not set(cpu.runs) <= seen:
            cpus.append(cpu)
            seen.update(cpu.runs)
    return Machine(name, target.compiler, target.flags, cpus, target.thin)


def stages(machine, kernels):
    """(CPU model, program, arguments) in the order in which they run: the fastest first. With
    kernels, only the tests of these run, on the first CPU model that has each."""
    fine, coarse = str(machine.thin * 8), str(machine.thin * 300)
    order = [
        ("exhaustive", ["--thin", coarse]),
        ("vectors", []),
        ("algebra", ["--thin", fine]),
        ("exhaustive", ["--thin", fine]),
        ("dispatch", []),
        ("exports", []),
        ("fuzz", []),
        ("huge", ["--group", "crafted"]),
        ("exhaustive", ["--thin", str(machine.thin)]),
        ("huge", ["--fill", "ff"]),
    ]
    for program, arguments in order:
        for kernel in kernels or [None]:
            cpus = [cpu for cpu in machine.cpus if kernel in (None, *cpu.runs)]
            for cpu in cpus[:1] if kernel else cpus:
                chosen = ["--kernel", kernel] if kernel else []
                yield cpu, program, [*arguments, *chosen]


class Tree:
    """A copy of the library in which one worker compiles its mutants."""

    def __init__(self, machine, number):
        self.machine, self.root = machine, BUILD / machine.name / str(number)
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(ROOT / "c", self.root / "c", ignore=shutil.ignore_patterns("mutants"))
        self.objects = self.root / "objects"
        self.objects.mkdir()
        header = self.root / "vectors.h"
        command = ["python3", str(ROOT / "spec/make_vectors.py"), "--c", str(header)]
        subprocess.run(command, check=True, capture_output=True)
        library = [*sorted((self.root / "c/src").glob("*.c"))]
        library += sorted((self.root / "c/kernels").glob("*.c"))
        self.sources = [file.relative_to(self.root) for file in library]
        self.tests = [Path(f"c/tests/{name}.c") for name in PROGRAMS]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self.first = dict(
                zip(
                    [*self.sources, *self.tests],
                    pool.map(self.compiled, [*self.sources, *self.tests]),
                )
            )
        if None in self.first.values():
            failed = [str(source) for source, code in self.first.items() if code is None]
            sys.exit(f"the unchanged sources do not compile: {' '.join(failed)}")
        self.headers = {source: self.included(source) for source in self.first}
        self.put(self.first)
        for program in PROGRAMS:
            self.link(program)

    def command(self, *words):
        # -g0: with debug information, objects would differ where their code does not.
        return [
            *(*self.machine.compiler, "-std=c11", "-O2", "-g0", "-w", *self.machine.flags),
            *("-Ic/include", "-I.", *words),
        ]

    def object(self, source):
        return self.objects / f"{source.parent.name}-{source.stem}.o"

    def compiled(self, source):
        """The object of a source as bytes; None if the source does not compile."""
        to = self.object(source).with_suffix(".new")
        command = self.command("-c", str(source), "-o", str(to))
        done = subprocess.run(command, cwd=self.root, capture_output=True)
        return to.read_bytes() if done.returncode == 0 else None

    def included(self, source):
        command = self.command("-MM", str(source))
        rule = subprocess.run(command, cwd=self.root, capture_output=True, text=True).stdout
        names = rule.replace("\\\n", " ").split()[1:]
        return {os.path.normpath(name) for name in names}

    def put(self, objects):
        for source, code in objects.items():
            self.object(source).write_bytes(code)

    def link(self, program):
        words = [str(self.object(Path(f"c/tests/{program}.c")))]
        words += [str(self.object(source)) for source in self.sources]
        threads = [] if self.machine.name.startswith("wasm") else ["-pthread"]
        command = self.command(*words, *threads, "-o", program)
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        return done.returncode == 0

    def try_mutant(self, mutant, order, limits):
        """What becomes of a mutant: invalid, equal, survived, or the program that killed it."""
        file = self.root / mutant.file
        text = file.read_bytes()
        changed = {}
        try:
            file.write_bytes(mutant.apply(text))
            for source in self.first:
                if mutant.file not in self.headers[source]:
                    continue
                code = self.compiled(source)
                if code is None:
                    return "invalid"
                if code != self.first[source]:
                    changed[source] = code
            if not changed:
                return "equal"
            self.put(changed)
            linked = set()
            for cpu, program, arguments in order:
                if program not in linked and not self.link(program):
                    return "invalid"
                linked.add(program)
                limit = SLOWEST * limits[cpu.name, program, *arguments] + 5
                if self.run(cpu, program, arguments, limit) != 0:
                    return program
            return "survived"
        finally:
            file.write_bytes(text)
            self.put({source: self.first[source] for source in changed})

    def run(self, cpu, program, arguments, limit):
        """The exit status of a test program; None if it is still running after the limit."""
        command = [*cpu.run, str(self.root / program), "--seed", "1071", *arguments]
        try:
            return subprocess.run(
                command,
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=limit,
            ).returncode
        except subprocess.TimeoutExpired:
            return None

    def baseline(self, order):
        """How long each test program takes on the unchanged library, which must pass."""
        seconds = {}
        for cpu, program, arguments in order:
            self.link(program)
            begin = time.monotonic()
            status = self.run(cpu, program, arguments, 600)
            if status != 0:
                words = " ".join([*cpu.run, program, *arguments])
                print(f"the unchanged library fails: {words}: exit status {status}")
                sys.exit(2)
            seconds[cpu.name, program, *arguments] = time.monotonic() - begin
        return seconds


def kernels_of(file, machine):
    """The kernels whose code is in a file alone; none for a file that all kernels share."""
    if not file.startswith("c/kernels/"):
        return []
    names = [Path(path).stem for path in dependents(file)]
    return [kernel for kernel in machine.kernels if kernel in names]


def dependents(file):
    """The kernels' sources that are this file or include it, directly or through a header."""
    name = Path(file).name
    if file.endswith(".c"):
        return [file]
    found = []
    for other in sorted((ROOT / "c/kernels").glob("*.[ch]")):
        if f'#include "{name}"' in other.read_text():
            relative = str(other.relative_to(ROOT))
            found += dependents(relative)
    return list(dict.fromkeys(found))


def files_of(machine):
    """The sources whose code the machine runs."""
    every = sorted(
        str(path.relative_to(ROOT))
        for folder in ("src", "kernels", "include")
        for path in (ROOT / "c" / folder).glob("*.[ch]")
    )
    other = ("wiresum.h", "wiresum_lwip.h", "wiresum_version.h")
    shared = [file for file in every if "/kernels/" not in file and Path(file).name not in other]
    return shared + [file for file in every if "/kernels/" in file and kernels_of(file, machine)]


def known_survivors():
    """{key of a mutant: reason}"""
    known = {}
    if SURVIVORS.exists():
        for group in tomllib.loads(SURVIVORS.read_text()).get("because", []):
            for context, was, becomes in group["mutants"]:
                known[group["file"], context, was, becomes] = group["reason"]
    return known


def chosen_mutants(machine, files, sample, seed):
    found = []
    for file in files or files_of(machine):
        found += mutants(file, (ROOT / file).read_bytes())
    if sample and sample < len(found):
        found = sorted(random.Random(seed).sample(found, sample), key=lambda m: (m.file, m.start))
    return found


def work(machine, number, share, limits, report):
    tree = Tree(machine, number)
    for mutant in share:
        order = list(stages(machine, kernels_of(mutant.file, machine)))
        report(mutant, tree.try_mutant(mutant, order, limits))


def main():
    parser = argparse.ArgumentParser(
        prog="python3 -m c.tests.mutants.run",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--target", default="native")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1071)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    machine = machines(options.target)
    chosen = chosen_mutants(machine, options.files, options.sample, options.seed)
    if options.list:
        print("\n".join(map(str, chosen)))
        return
    if not chosen:
        sys.exit("no mutant was chosen")

    files = list(dict.fromkeys(mutant.file for mutant in chosen))
    every = {}
    for file in files:
        for cpu, program, arguments in stages(machine, kernels_of(file, machine)):
            every[cpu.name, program, *arguments] = (cpu, program, arguments)
    limits = Tree(machine, "first").baseline(every.values())
    print(f"{len(chosen)} mutants of {len(files)} files on {machine.name}", flush=True)

    outcomes = {}

    def report(mutant, outcome):
        outcomes[mutant] = outcome
        if outcome == "survived":
            state = "known" if mutant.key in known else "SURVIVED"
            print(f"{state} {mutant}", flush=True)

    known = known_survivors()
    with ThreadPoolExecutor(options.jobs) as pool:
        shares = [chosen[i :: options.jobs] for i in range(options.jobs)]
        for done in [
            pool.submit(work, machine, number, share, limits, report)
            for number, share in enumerate(shares)
        ]:
            done.result()

    table = {file: count(outcomes, file) for file in files}
    for file, row in table.items():
        print(f"{file}: " + ", ".join(f"{n} {word}" for word, n in row.items()))
    new = [m for m, outcome in outcomes.items() if outcome == "survived" and m.key not in known]
    if options.record:
        write_record(machine, table)
    print(
        f"{sum(row['killed'] for row in table.values())} mutants killed, {len(new)} new survivors"
    )
    for mutant in sorted(new, key=lambda m: (m.file, m.start)):
        print(f"  {json.dumps([mutant.context, mutant.was, mutant.text])},")
    sys.exit(1 if new else 0)


def count(outcomes, file):
    words = [outcome for mutant, outcome in outcomes.items() if mutant.file == file]
    row = {word: words.count(word) for word in ("invalid", "equal", "survived")}
    return {"mutants": len(words), "killed": len(words) - sum(row.values()), **row}


def write_record(machine, table):
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    compiler = cross_run.first_line([*machine.compiler, "--version"])
    old = record.get(machine.name, {}).get("files", {})
    record[machine.name] = {
        "compiler": re.sub(r"^.*/", "", compiler),
        "files": dict(sorted({**old, **table}.items())),
    }
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
