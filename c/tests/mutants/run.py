# SPDX-License-Identifier: MIT OR Apache-2.0
"""Mutation testing of the C library: does a test fail for each small fault in the code?

    python3 -m c.tests.mutants.run [OPTION]... [FILE...]

Each mutant (mutate.py) of a source is compiled. A mutant that does not compile, or whose objects
equal the objects of the unchanged source, is set aside. The test programs run on every other
mutant, the fast ones first, until one of them fails: the mutant is killed. A mutant that no program
kills has survived. survivors.toml holds the survivors that are known, each with the reason why no
test can see it; another survivor is a failure, and so is a row of survivors.toml that is not one.

    --target NAME  the machine: this CPU, or a target of c/tests/cross/targets.py. Default: native
    --sample N     N mutants, chosen by the seed, in place of all. Mutants of kernels that the
                   machine lacks, and known survivors, are left out of them
    --seed N       the seed of the sample
    --whole        every program in full on each mutant, and not only those that reach its file
    --known        the known survivors alone
    --jobs N       mutants at a time. Default: one a CPU
    --record       writes the counts to record.json
    --list         prints the mutants
    FILE           sources of the library; default: all that the target runs, and for a sample
                   those that record.json has

Exit status: 0 every survivor is known, 1 another survived, 2 the unchanged library fails its tests.
"""

import argparse
import hashlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

from c.tests.cross import native
from c.tests.cross import run as cross_run
from c.tests.cross import targets as cross

from .mutate import mutants

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build" / "mutants"
SURVIVORS = HERE / "survivors.toml"
RECORD = HERE / "record.json"
PROGRAMS = ["vectors", "exports", "exhaustive", "lengths", "huge", "algebra", "dispatch", "fuzz"]
ABI = "abi/check"  # a script, which builds libraries of its own
# Files whose code is the same whichever kernel is in use.
ANY_KERNEL = ("packet.c", "stream.c", "wiresum_packet.h", "wiresum_stream.h")
CHOICE = ("dispatch.c", "dispatch.h", "kernel_list.h", "cpu_features.c", "cpu_features.h")


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
        kernels += [k for k in cross.X86_64 if k not in kernels and k not in native.hidden()]
        flags = [native.mask_flag(native.mask())] if native.mask() else []
        return Machine(name, ["gcc"], flags, [cross.Cpu("this CPU", [], kernels)], 1)
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


@dataclass(frozen=True)
class Stage:
    """A run of a test program."""

    cpu: str  # the name of the CPU model
    program: str
    arguments: tuple
    kernel: str | None  # the only one that runs; None: all


def stages(machine, file, whole=False):
    """The runs that a mutant of a file must pass, in their order: the fastest first. Each program
    that reaches the file has a short run, and those made for such files have a long one."""
    fine, coarse = str(machine.thin * 8), str(machine.thin * 300)
    short = [
        ("exhaustive", "--thin", coarse),
        ("vectors",),
        ("algebra", "--thin", fine),
        ("fuzz", "--thin", str(machine.thin * 60)),
        ("exhaustive", "--thin", fine),
    ]
    data = [
        ("huge", "--group", "crafted"),
        ("exhaustive", "--thin", str(machine.thin)),
        ("huge", "--fill", "ff"),
        ("huge", "--group", "around"),
    ]
    functions = [
        ("dispatch", "--thin", fine),
        ("exports",),
        ("algebra", "--thin", str(machine.thin)),
        ("fuzz", "--thin", str(machine.thin)),
    ]
    choice = [("dispatch", "--thin", str(machine.thin)), ("huge", "--group", "around")]
    if machine.name == "native":
        choice.append((ABI, "processes"))

    name, own = Path(file).name, kernels_of(file, machine)
    if whole:
        yield from runs(machine, [None], short + data + functions + choice)
    elif own:
        yield from runs(machine, own, short + data)
    elif name in ANY_KERNEL:
        # The walk over packets is in no program that runs a kernel on lengths and offsets.
        packets = [("huge", "--group", "packet")]
        yield from runs(machine, ["portable"], [*short[1:4], *functions[1:], *packets])
    elif name in CHOICE:
        first = [("dispatch", "--thin", fine), short[0], ("exports",), *short[1:3]]
        yield from runs(machine, [None], first + choice)
    elif name == "kernel.h":
        for kernel in reversed(machine.kernels):
            yield from runs(machine, [kernel], short[:1])
        yield from runs(machine, list(reversed(machine.kernels)), short[1:] + data)
    else:
        yield from runs(machine, ["portable"], short[:4])
        yield from runs(machine, [None], short + functions[:2])
        yield from runs(machine, ["portable"], functions[2:] + data[1:2])


def runs(machine, kernels, programs):
    """The programs on each kernel, on the first CPU model that has it; without a kernel, on all
    models."""
    for program, *arguments in programs:
        for kernel in kernels:
            cpus = [cpu for cpu in machine.cpus if kernel in (None, *cpu.runs)]
            for cpu in cpus[:1] if kernel else cpus:
                yield Stage(cpu.name, program, tuple(arguments), kernel)


class Tree:
    """A copy of the library in which one worker compiles its mutants."""

    def __init__(self, machine, root):
        self.machine, self.root = machine, root
        shutil.copytree(ROOT / "c", self.root / "c", ignore=shutil.ignore_patterns("mutants"))
        self.objects = self.root / "objects"
        self.objects.mkdir()
        header = self.root / "vectors.h"
        command = ["python3", str(ROOT / "spec/make_vectors.py"), "--c", str(header)]
        subprocess.run(command, check=True, capture_output=True)
        library = [*sorted((self.root / "c/src").glob("*.c"))]
        library += sorted((self.root / "c/kernels").glob("*.c"))
        self.sources = [file.relative_to(self.root) for file in library]
        self.tests = {program: Path(f"c/tests/{program}.c") for program in PROGRAMS}
        files = [*self.sources, *self.tests.values()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self.first = dict(zip(files, pool.map(self.compiled, files)))
            self.text = dict(zip(files, pool.map(self.preprocessed, files)))
        failed = [str(source) for source, code in self.first.items() if code is None]
        if failed:
            sys.exit(f"the unchanged sources do not compile: {' '.join(failed)}")
        self.headers = {source: self.included(source) for source in self.first}
        self.put(self.first)
        for program in PROGRAMS:
            self.link(program)

    def copy(self, root):
        """The same tree in another folder."""
        shutil.copytree(self.root, root)
        other = object.__new__(Tree)
        other.__dict__.update(self.__dict__, root=root, objects=root / "objects")
        return other

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

    def preprocessed(self, source):
        command = self.command("-E", "-P", str(source))
        return subprocess.run(command, cwd=self.root, capture_output=True).stdout

    def included(self, source):
        command = self.command("-MM", str(source))
        rule = subprocess.run(command, cwd=self.root, capture_output=True, text=True).stdout
        names = rule.replace("\\\n", " ").split()[1:]
        return {os.path.normpath(name) for name in names}

    def put(self, objects):
        for source, code in objects.items():
            self.object(source).write_bytes(code)

    def link(self, program):
        words = [str(self.object(self.tests[program]))]
        words += [str(self.object(source)) for source in self.sources]
        threads = [] if self.machine.name.startswith("wasm") else ["-pthread"]
        command = self.command(*words, *threads, "-o", program)
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        return done.returncode == 0

    def parts_of(self, stage):
        """The sources whose code can matter in a stage."""
        kernels = [stage.kernel] if stage.kernel else self.machine.kernels
        library = [s for s in self.sources if s.parent.name == "src" or s.stem in kernels]
        return library if stage.program == ABI else [*library, self.tests[stage.program]]

    def try_mutant(self, mutant, order, limits, passed):
        """What becomes of a mutant: invalid, equal, survived, or the stage that killed it. A source
        is compiled when a stage needs it: most mutants die before all are. passed holds the stages
        that other mutants with the same objects have passed."""
        file = self.root / mutant.file
        text = file.read_bytes()
        changed, seen, linked = {}, set(), set()
        try:
            file.write_bytes(mutant.apply(text))
            for stage in order:
                parts = [s for s in self.parts_of(stage) if mutant.file in self.headers[s]]
                for source in parts:
                    if source in seen:
                        continue
                    seen.add(source)
                    if self.preprocessed(source) == self.text[source]:
                        continue  # the fault is in code for other machines
                    code = self.compiled(source)
                    if code is None:
                        return "invalid"
                    if code != self.first[source]:
                        self.put({source: code})
                        changed[source] = hashlib.sha256(code).digest()
                        linked.clear()
                code = frozenset((s, changed[s]) for s in parts if s in changed)
                if not code:
                    continue
                if (stage, code) not in passed:
                    if stage.program not in (ABI, *linked) and not self.link(stage.program):
                        return "invalid"
                    linked.add(stage.program)
                    if self.run(stage, limits.of(stage))[0] != 0:
                        return stage
                    passed.add((stage, code))
            return "survived" if changed else "equal"
        finally:
            file.write_bytes(text)
            self.put({source: self.first[source] for source in changed})

    def run(self, stage, seconds):
        """The exit status of a test program that has this much CPU time, and what it took of it."""
        cpu = next(cpu for cpu in self.machine.cpus if cpu.name == stage.cpu)
        words = [*cpu.run, str(self.root / stage.program), "--seed", "1071", *stage.arguments]
        if stage.program == ABI:
            words = ["sh", "c/tests/abi/check", *stage.arguments]
        if stage.kernel:
            words += ["--kernel", stage.kernel]
        # A mutant that loops uses up its time; timeout ends one that waits for ever.
        bounded = ["timeout", "3600", "sh", "-c", 'ulimit -t "$0"; exec "$@"', str(seconds), *words]
        null = subprocess.DEVNULL
        done = subprocess.Popen(bounded, cwd=self.root, stdin=null, stdout=null, stderr=null)
        _, status, used = os.wait4(done.pid, 0)
        done.returncode = os.waitstatus_to_exitcode(status)
        return done.returncode, used.ru_utime + used.ru_stime


class Limits:
    """How much CPU time each stage may take: four times the time of the unchanged library, which
    must pass."""

    def __init__(self, tree):
        self.tree, self.seconds, self.lock = tree, {}, threading.Lock()

    def of(self, stage):
        with self.lock:
            if stage not in self.seconds:
                status, used = self.tree.run(stage, 600)
                if status != 0:
                    print(f"the unchanged library fails: {stage}: exit status {status}", flush=True)
                    os._exit(2)
                self.seconds[stage] = math.ceil(4 * used)
            return self.seconds[stage]


def kernels_of(file, machine):
    """The kernels whose code is in a file alone; none for a file that all kernels share."""
    if not file.startswith("c/kernels/"):
        return []
    names = [Path(path).stem for path in dependents(file)]
    return [kernel for kernel in machine.kernels if kernel in names]


def dependents(file):
    """The kernels' sources that are this file or include it, directly or through a header."""
    if file.endswith(".c"):
        return [file]
    includes = re.compile(rf'^\s*#\s*include "{re.escape(Path(file).name)}"', re.M)
    found = []
    for other in sorted((ROOT / "c/kernels").glob("*.[ch]")):
        if includes.search(other.read_text()):
            found += dependents(str(other.relative_to(ROOT)))
    return list(dict.fromkeys(found))


def sources():
    """The sources of the library that have code of their own."""
    folders = [ROOT / "c" / folder for folder in ("src", "include", "kernels")]
    every = [str(p.relative_to(ROOT)) for folder in folders for p in sorted(folder.glob("*.[ch]"))]
    return [file for file in every if Path(file).name not in ("wiresum.h", "wiresum_lwip.h")]


def runs_here(file, machine):
    return "/kernels/" not in file or bool(kernels_of(file, machine))


def known_survivors():
    """{key of a mutant: reason}"""
    known = {}
    if SURVIVORS.exists():
        for group in tomllib.loads(SURVIVORS.read_text()).get("because", []):
            for function, place, becomes in group["mutants"]:
                known[group["file"], function, place, becomes] = group["reason"]
    return known


def row_of(mutant):
    """A mutant as a row of survivors.toml."""
    words = [json.dumps(word, ensure_ascii=False) for word in mutant.key[1:]]
    row = "  [" + ", ".join(words) + "],"
    return row if len(row) <= 100 else "  [" + ",\n   ".join(words) + "],"


def chosen_mutants(machine, options, known):
    """The mutants that this run is about."""
    found = []
    judged = list(recorded(machine).get("files", {})) if options.sample else []
    for file in options.files or judged or sources():
        found += mutants(file, (ROOT / file).read_bytes())
    if options.known:
        found = [mutant for mutant in found if mutant.key in known]
    elif options.sample and options.sample < len(found):
        # The choice does not depend on the machine.
        found = [mutant for mutant in found if mutant.key not in known]
        found = sorted(random.Random(options.seed).sample(found, options.sample), key=place)
    return [mutant for mutant in found if runs_here(mutant.file, machine)]


def place(mutant):
    return mutant.file, mutant.start, mutant.text


def stale(known, files):
    """The rows of survivors.toml that name no mutant of these files."""
    here = {m.key for file in files for m in mutants(file, (ROOT / file).read_bytes())}
    return [key for key in known if key[0] in files and key not in here]


class Workers:
    """The trees of the workers, and what they know of each other's work."""

    def __init__(self, machine, jobs, whole, build):
        first = Tree(machine, build / "first")
        self.machine, self.whole = machine, whole
        self.trees = [first.copy(build / str(number)) for number in range(jobs)]
        self.limits, self.passed = Limits(first), set()

    def outcomes(self, chosen, known):
        """{mutant: what became of it}"""
        todo, found = SimpleQueue(), {}
        for mutant in chosen:
            todo.put(mutant)

        def work(tree):
            while True:
                try:
                    mutant = todo.get_nowait()
                except Empty:
                    return
                order = list(stages(self.machine, mutant.file, self.whole))
                found[mutant] = tree.try_mutant(mutant, order, self.limits, self.passed)
                if found[mutant] == "survived":
                    print("known" if mutant.key in known else "SURVIVED", mutant, flush=True)

        with ThreadPoolExecutor(len(self.trees)) as pool:
            for done in [pool.submit(work, tree) for tree in self.trees]:
                done.result()
        return found


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
    for flag in ("--whole", "--known", "--record", "--list"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    machine, known = machines(options.target), known_survivors()
    chosen = chosen_mutants(machine, options, known)
    if options.list:
        print("\n".join(map(str, chosen)))
        return
    if not chosen:
        sys.exit("no mutant was chosen")
    files = list(dict.fromkeys(mutant.file for mutant in chosen))
    print(f"{len(chosen)} mutants of {len(files)} files on {machine.name}", flush=True)

    outcomes = {}
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as build:
        workers = Workers(machine, options.jobs, options.whole, Path(build))
        for file in files:
            found = workers.outcomes([m for m in chosen if m.file == file], known)
            row = count(found)
            print(f"{file}: " + ", ".join(f"{n} {word}" for word, n in row.items()), flush=True)
            if options.sample:
                row["of"] = len(mutants(file, (ROOT / file).read_bytes()))
            if options.record:
                write_record(machine, file, row)
            outcomes |= found
    killed = sum(isinstance(outcome, Stage) for outcome in outcomes.values())
    survived = {mutant.key for mutant, outcome in outcomes.items() if outcome == "survived"}
    new = sorted((m for m in outcomes if m.key in survived and m.key not in known), key=place)
    wrong = stale(known, files)
    if machine.name == "native" and not native.mask():
        tried = {mutant.key for mutant in outcomes}
        wrong += [key for key in known if key in tried and key not in survived]
    killers = Counter(outcome for outcome in outcomes.values() if isinstance(outcome, Stage))
    for stage, number in killers.most_common():
        words = (
            stage.program,
            *stage.arguments,
            *(("--kernel", stage.kernel) * bool(stage.kernel)),
        )
        print(f"{number} killed by {' '.join(words)}")
    print(f"{killed} mutants killed, {len(new)} new survivors")
    for mutant in new:
        print(f"{mutant.file}\n{row_of(mutant)}")
    for file, *row in wrong:
        print(f"{SURVIVORS.name} names a mutant of {file} that does not survive: {json.dumps(row)}")
    sys.exit(1 if new or wrong else 0)


def count(outcomes):
    words = list(outcomes.values())
    row = {word: words.count(word) for word in ("invalid", "equal", "survived")}
    return {"mutants": len(words), "killed": len(words) - sum(row.values()), **row}


def recorded(machine):
    return json.loads(RECORD.read_text()).get(machine.name, {}) if RECORD.exists() else {}


def write_record(machine, file, row):
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    compiler = cross_run.first_line([*machine.compiler, "--version"])
    files = recorded(machine).get("files", {})
    record[machine.name] = {
        "compiler": re.sub(r"^.*/", "", compiler),
        "cpu": native.this_cpu() if machine.name == "native" else machine.cpus[0].name,
        "files": {**files, file: row},
    }
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
