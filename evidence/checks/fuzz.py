# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fuzzes the C library and the capture reader with libFuzzer, and keeps what it learns.

    python3 evidence/checks/fuzz.py --minutes N [TARGET...]  each target for N minutes
    python3 evidence/checks/fuzz.py --hours N [TARGET...]    all together, for N hours of CPU time
    python3 evidence/checks/fuzz.py --hours N --record       the same, and keeps the corpus
    python3 evidence/checks/fuzz.py --replay FILE TARGET     runs one input again

Targets: c (c/tests/fuzz.c) and capture, compressed, fix, frame (packet/fuzz/fuzz_targets). A target
begins with its corpus of evidence/checks/corpus, with its inputs of earlier runs
(build/fuzz/corpus) and, if it reads captures, with the seeds of packet/fuzz/seeds.rs and with
examples/.

--record minimizes each corpus at the end, and writes evidence/checks/corpus/TARGET.tar.xz and
record.json. The files of a corpus are the inputs that reach code beyond the seeds, the smallest
first, as many as the archive has room for. SIGTERM and SIGINT end the fuzzing; minimization and
record follow. As long as the fuzzed code stays the same, the same command goes on where a run was
killed, or where the recorded run ended: N is the number of hours of all these runs together.

A crash, an input that takes a minute, and one that takes too much memory are faults: the input is
saved in build/fuzz/faults, and the target ends. Exit status: 0 no fault, 1 a fault, 2 the command
line is wrong or a target does not build.
"""

import argparse
import bisect
import hashlib
import io
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from c.tests.cross import native  # noqa: E402
from evidence.checks.parts import SANITIZED  # noqa: E402

CORPUS = ROOT / "evidence/checks/corpus"
RECORD = CORPUS / "record.json"
BUILD = ROOT / "build/fuzz"
PROGRESS = BUILD / "progress.json"
SEEDS = BUILD / "seeds"
PACKET = ("capture", "compressed", "fix", "frame")
NAMES = ("c", *PACKET)
LONGEST = {"c": 4096}  # bytes of an input; the others: 64 KiB
ARCHIVE = 400 << 10  # bytes of an archive, at most
SLICE = 600  # seconds after which a target starts again, with its memory empty
GRACE = 300  # seconds after which a target that should have ended is killed
# What the targets are compiled from: a record is of one state of these files.
CODE = (
    "c/include",
    "c/kernels",
    "c/src",
    "c/tests/fuzz.c",
    "rust/src",
    "packet/fuzz",
    "packet/src",
)
LIMITS = ("-timeout=60", "-rss_limit_mb=4096")
INTERRUPTED = 72  # the exit status of libFuzzer after a signal
INPUT = re.compile(r"[0-9a-f]{40}")  # libFuzzer's name of an input


class Failed(Exception):
    pass


def run(*command, **options):
    """Runs a command that must succeed; what it would have printed follows if it does not."""
    ran = subprocess.run(command, cwd=ROOT, text=True, **options)
    if ran.returncode:
        sys.stderr.write(ran.stdout or "")
        raise Failed(f"{' '.join(command)}: exit status {ran.returncode}")
    return ran


def output(*command):
    return run(*command, stdout=subprocess.PIPE).stdout.strip()


@dataclass
class Target:
    name: str
    seconds: float = 0.0
    executions: int = 0
    faults: list = field(default_factory=list)
    running: bool = False
    program: Path = None

    @property
    def corpus(self):
        return BUILD / "corpus" / self.name

    @property
    def faulty(self):
        """The folder of the inputs that showed a fault."""
        return BUILD / "faults" / self.name

    @property
    def archive(self):
        return CORPUS / f"{self.name}.tar.xz"

    @property
    def log(self):
        return BUILD / f"{self.name}.log"

    def seeds(self):
        """The files that the target begins with, in addition to its corpus."""
        if self.name not in PACKET:
            return []
        folders = (SEEDS / self.name, ROOT / "examples")
        return sorted(file for folder in folders for file in folder.iterdir() if file.is_file())

    def command(self, *words):
        longest = f"-max_len={LONGEST.get(self.name, 1 << 16)}"
        saved = f"-artifact_prefix={self.faulty}/"
        stats = "-print_final_stats=1"
        return [str(self.program), longest, *LIMITS, saved, stats, *map(str, words)]

    def prepare(self):
        """Puts the inputs of the archive next to the inputs of earlier runs."""
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.faulty.mkdir(parents=True, exist_ok=True)
        if not self.archive.exists():
            return
        with tarfile.open(self.archive) as archive:
            for member in archive:
                if not (member.isfile() and INPUT.fullmatch(member.name)):
                    raise Failed(f"{self.archive}: {member.name} is no input of libFuzzer")
                (self.corpus / member.name).write_bytes(archive.extractfile(member).read())


def build(targets):
    """Compiles the targets and makes the seeds."""
    BUILD.mkdir(parents=True, exist_ok=True)
    host = None
    if any(target.name in PACKET for target in targets):
        run("cargo", "+nightly", "fuzz", "build", "--fuzz-dir", "packet/fuzz")
        shutil.rmtree(SEEDS, ignore_errors=True)
        seeds = ("--quiet", "-p", "wiresum-packet", "--example", "seeds", "--", str(SEEDS))
        run("cargo", "run", *seeds)
        host = re.search(r"^host: (.*)", output("rustc", "+nightly", "-vV"), re.M)[1]
    for target in targets:
        if target.name in PACKET:
            target.program = ROOT / "packet/fuzz/target" / host / "release" / target.name
            continue
        flags = f"{SANITIZED} -fsanitize=fuzzer -DWIRESUM_LIBFUZZER"
        where = BUILD / target.name
        compiled = ("--cc", "clang", "--cflags", flags, "--out", str(where))
        silent = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        run("sh", "c/tests/run", *compiled, "fuzz", "--", "-runs=0", **silent)
        target.program = where / "fuzz"


def number(log, pattern):
    """The last number of a log that a pattern finds, or 0."""
    found = re.findall(pattern, log)
    return int(found[-1]) if found else 0


def wait(process, limit):
    """Waits for a process, and kills it after the limit; its exit status and its CPU seconds."""
    end = time.monotonic() + limit
    pid = 0
    while not pid:
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.2)
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime + used.ru_stime


class Fuzzing:
    """Runs targets in turns, some at a time, until each has had its seconds or a signal comes."""

    def __init__(self, targets, seconds, jobs, after_each):
        self.targets, self.seconds, self.jobs = targets, seconds, jobs
        self.after_each = after_each  # a function, called after each turn
        self.changed = threading.Condition(threading.RLock())
        self.stopped = False
        self.processes = set()

    def stop(self, *_):
        self.stopped = True
        for process in list(self.processes):
            process.terminate()
        print("fuzz: stopping; a second signal leaves out what follows", flush=True)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def left(self, target):
        return 0 if target.faults else self.seconds - target.seconds

    def next(self):
        waiting = [t for t in self.targets if not t.running and self.left(t) >= 1]
        return max(waiting, key=self.left, default=None)

    def work(self):
        while True:
            with self.changed:
                target = None if self.stopped else self.next()
                if target is None:
                    return
                target.running = True
            try:
                self.turn(target)
            finally:
                with self.changed:
                    target.running = False
                    self.after_each()

    def turn(self, target):
        """Runs a target once, and counts what it did."""
        seconds = int(min(SLICE, self.left(target)) + 0.5)
        # examples/ and the seeds are read alone; new inputs go to the first folder.
        read = [SEEDS / target.name, ROOT / "examples"] if target.name in PACKET else []
        command = target.command(f"-max_total_time={seconds}", target.corpus, *read)
        with open(target.log, "w") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=ENV
            )
            self.processes.add(process)
            if self.stopped:  # the signal came while the process began
                process.terminate()
            status, cpu_seconds = wait(process, seconds + GRACE)
            self.processes.discard(process)
        text = target.log.read_text(errors="replace")
        target.seconds += cpu_seconds
        target.executions += number(text, r"stat::number_of_executed_units:\s*(\d+)")
        for line in re.findall(r"^kernel .*", text, re.M):  # for the table of ./check
            print(line)
        done = f"{target.seconds:.0f} s, {target.executions:,} runs"
        print(f"fuzz: {target.name}: {done}", flush=True)
        if status not in (0, INTERRUPTED) and not (self.stopped and status == -signal.SIGTERM):
            self.tell_fault(target, status, text)

    def tell_fault(self, target, status, text):
        saved = [Path(name) for name in re.findall(r"Test unit written to (.*)", text)]
        target.faults += [file.name for file in saved] or [f"exit status {status}"]
        print("\n".join(text.splitlines()[-60:]))
        print(f"fuzz: {target.name} failed, exit status {status}")
        for file in saved:
            where = file.relative_to(ROOT)
            print(f"fuzz: the input is {where}")
            print(f"      again: python3 evidence/checks/fuzz.py --replay {where} {target.name}")
        if not saved:
            print(f"fuzz: no input was saved; the whole output is {target.log.relative_to(ROOT)}")
        sys.stdout.flush()

    def run(self):
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        threads = [threading.Thread(target=self.work) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


# cargo-fuzz runs its targets with this option: parts of Rust's library are there twice.
ENV = {**os.environ, "ASAN_OPTIONS": "detect_odr_violation=0"}


def quiet(target, *words):
    """Runs a target without fuzzing; returns the exit status and what it printed."""
    with open(target.log, "w") as log:
        ran = subprocess.run(target.command(*words), cwd=ROOT, stdout=log, stderr=log, env=ENV)
    return ran.returncode, target.log.read_text(errors="replace")


def minimize(target):
    """Leaves in the corpus the inputs that reach what no seed reaches, each feature once."""
    merged = BUILD / "merged" / target.name
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    for count, seed in enumerate(target.seeds()):
        shutil.copy(seed, merged / f"seed-{count}")
    status, text = quiet(target, "-merge=1", merged, target.corpus)
    if status:
        print("\n".join(text.splitlines()[-30:]), file=sys.stderr)
        print(f"fuzz: {target.name}: the corpus stays as it is, exit status {status}", flush=True)
        return
    for file in merged.glob("seed-*"):
        file.unlink()
    aside = BUILD / "merged" / f"{target.name}.whole"
    shutil.rmtree(aside, ignore_errors=True)
    target.corpus.rename(aside)
    merged.rename(target.corpus)
    shutil.rmtree(aside)


def packed(inputs):
    """An archive of these inputs: the same bytes for the same inputs."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in inputs:
            member = tarfile.TarInfo(file.name)
            member.size = file.stat().st_size
            archive.addfile(member, io.BytesIO(file.read_bytes()))
    return lzma.compress(plain.getvalue(), preset=9)


def replace(path, content):
    """Writes a file whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(content)
    beside.replace(path)


def keep(target):
    """Writes the archive of a corpus; returns what the record says about it."""
    inputs = [file for file in target.corpus.iterdir() if INPUT.fullmatch(file.name)]
    inputs.sort(key=lambda file: (file.stat().st_size, file.name))
    content, most = packed(inputs), len(inputs)
    if len(content) > ARCHIVE:
        # As many inputs as the archive has room for, by bisection; none always fit.
        numbers = range(len(inputs))
        most = bisect.bisect_right(numbers, ARCHIVE, key=lambda n: len(packed(inputs[:n]))) - 1
        content = packed(inputs[:most])
    replace(target.archive, content)
    kept = BUILD / "merged" / f"{target.name}.kept"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for file in [*inputs[:most], *target.seeds()]:
        shutil.copy(file, kept / file.name)
    status, text = quiet(target, "-runs=0", kept)
    shutil.rmtree(kept)
    return {
        "edges": number(text, r"\((\d+) inline 8-bit counters\)"),
        # A seed that shows a fault ends the count.
        "edges_reached": None if status else number(text, r"\bcov: (\d+)"),
        "inputs": most,
        "inputs_without_room": len(inputs) - most,
        "archive_bytes": len(content),
    }


def code_id():
    """What names the committed state of the fuzzed code."""
    trees = output("git", "rev-parse", *(f"HEAD:{path}" for path in CODE))
    return hashlib.sha256(trees.encode()).hexdigest()[:12]


def obstacle():
    """Why no record can be made of this tree, or None."""
    changed = output("git", "status", "--porcelain", "--", *CODE)
    if changed:
        return f"{len(changed.splitlines())} files differ from the commit: commit them first"
    return None


def load_progress(targets, code):
    """Takes what earlier runs of this code have done, killed or recorded; returns the seconds that
    they took."""
    for file in (PROGRESS, RECORD):
        progress = json.loads(file.read_text()) if file.exists() else {}
        if progress.get("code") != code:
            continue
        for target in targets:
            done = progress["targets"].get(target.name, {})
            target.seconds = done.get("seconds", 0.0)
            target.executions = done.get("executions", 0)
            target.faults = done.get("faults", [])
        return progress["wall_seconds"]
    return 0.0


def write_json(path, content):
    replace(path, (json.dumps(content, indent=1) + "\n").encode())


def main():
    parser = argparse.ArgumentParser(
        prog="python3 evidence/checks/fuzz.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--minutes", type=float, metavar="N", help="minutes of each target")
    how.add_argument("--hours", type=float, metavar="N", help="CPU hours of all targets together")
    how.add_argument("--replay", type=Path, metavar="FILE", help="an input to run again")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--record", action="store_true", help="writes evidence/checks/corpus")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    options = parser.parse_args()
    unknown = [name for name in options.targets if name not in NAMES]
    if unknown:
        parser.error(f"no target is named {unknown[0]}; there are {', '.join(NAMES)}")
    if options.replay and (len(options.targets) != 1 or not options.replay.is_file()):
        parser.error("--replay takes a file that is there, and one target")
    if (options.minutes or options.hours or 0) < 0 or options.jobs < 1:
        parser.error("a time is at least 0, and --jobs at least 1")
    if options.record and options.targets:
        parser.error("--record takes all targets")
    targets = [Target(name) for name in options.targets or NAMES]
    try:
        return fuzz(targets, options)
    except Failed as failure:
        print(f"fuzz: {failure}", file=sys.stderr)
        return 2


def fuzz(targets, options):
    if options.record and (why := obstacle()):
        raise Failed(why)
    build(targets)
    if options.replay:
        command = targets[0].command(options.replay.resolve())
        return 1 if subprocess.run(command, cwd=ROOT, env=ENV).returncode else 0
    for target in targets:
        target.prepare()
    jobs = min(options.jobs, len(targets))
    hours = options.hours
    seconds = hours * 3600 / len(targets) if hours is not None else options.minutes * 60
    commit, code = output("git", "rev-parse", "HEAD"), code_id()
    before = load_progress(targets, code) if options.record else 0.0
    start = time.monotonic()

    def summary():
        return {
            "commit": commit,
            "code": code,
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "cpu": native.cpu_family(),
            "jobs": jobs,
            "wall_seconds": round(before + time.monotonic() - start),
            "targets": {
                target.name: {
                    "seconds": round(target.seconds),
                    "executions": target.executions,
                    "faults": target.faults,
                }
                for target in targets
            },
        }

    def save():
        if options.record:
            write_json(PROGRESS, summary())

    fuzzing = Fuzzing(targets, seconds, jobs, save)
    fuzzing.run()
    if options.record:
        record = {**summary(), "stopped_early": fuzzing.stopped}
        for target in targets:
            print(f"fuzz: {target.name}: minimizing", flush=True)
            minimize(target)
            record["targets"][target.name] |= keep(target)
        write_json(RECORD, record)
        PROGRESS.unlink(missing_ok=True)
        print("fuzz: the corpus is written; next: python3 -m evidence.documents.tested --write")
    faults = sum(len(target.faults) for target in targets)
    runs = sum(target.executions for target in targets)
    print(f"fuzz: {runs:,} runs, {faults} faults")
    if fuzzing.stopped and not options.record:
        return 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
