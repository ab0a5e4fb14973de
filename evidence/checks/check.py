# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests this copy on this machine, then prints a table of what ran and what could not, and why.

./check            the parts that tell a user that this copy works here, in under ten minutes
./check all        every part
./check NAME...    these parts; a name with * matches several (c-*)
./check list       the parts by name

As root on Debian, ./check installs what its parts need. A part whose result is on record for the
same inputs runs a sample and says so; with --fresh it runs whole. Exit status: 0 if all that ran
passed, 1 if a part failed or a part that was named or required did not run, 2 if the command line
is wrong.
"""

import argparse
import contextlib
import fnmatch
import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from c.tests.cross import native
from c.tests.cross import targets as cross

from . import needs
from .parts import PARTS

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "build/check"

# A line that a test prints for the tables: "kernel NAME STATE [where...]".
KERNEL_LINE = re.compile(r"^kernel (\S+) (ran|unsupported|not built)(?: (.*))?$")
# A line of a part that has its result on record, and ran a sample: "recorded, inputs unchanged".
RECORDED_LINE = re.compile(r"recorded, inputs unchanged$")
# The CPU seconds that fixed_work() takes on the machine of which Part.seconds are.
FIXED_WORK = 0.06

speaking = threading.Lock()


def say(text, color="bold"):
    codes = {"red": "\033[31m", "green": "\033[32m", "yellow": "\033[33m", "bold": "\033[1m"}
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ and color:
        text = codes[color] + text + "\033[0m"
    with speaking:
        print(text, flush=True)


def fixed_work():
    """The CPU seconds of a fixed piece of work, the least of three tries."""

    def once():
        begin = time.process_time()
        digest = b""
        for _ in range(120_000):
            digest = hashlib.md5(digest).digest()
        return time.process_time() - begin

    return min(once() for _ in range(3))


def slowness():
    """How many times as long as the machine of Part.seconds this one takes; 1 at the least."""
    return max(1.0, fixed_work() / FIXED_WORK)


def limit(part, slow):
    """The seconds after which a part is stopped: several times what it takes when the machine does
    nothing else, and time for what it compiles and downloads only once."""
    return (600 + 5 * max(part.seconds, part.whole)) * slow


groups = set()  # of the commands that run, which are no part of the group of this program
stopping = threading.Event()  # set by ctrl-C: nothing begins any more


def kill_group(group):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def run_command(command, seconds, **options):
    """Runs a command for at most these seconds; returns its exit status, or None if it was stopped,
    and its CPU time with all children. No process of its group outlives it."""
    process = subprocess.Popen(command, start_new_session=True, **options)
    groups.add(process.pid)
    if stopping.is_set():
        kill_group(process.pid)
    late = threading.Event()

    def end():
        late.set()
        kill_group(process.pid)

    timer = threading.Timer(seconds, end)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    kill_group(process.pid)
    groups.discard(process.pid)
    return None if late.is_set() else process.returncode, usage.ru_utime + usage.ru_stime


class Outcome:
    """What became of a part."""

    def __init__(self, part):
        self.part, self.state, self.why, self.seconds = part, "not run", "", 0.0
        self.cpu = 0.0  # CPU seconds
        self.recorded = False  # a sample ran, because the result is on record for these inputs
        self.kernels = []  # (kernel, state, where), from the part's output


def run(part, options, slow):
    """Runs the commands of a part, with their output in build/check/NAME.log."""
    outcome = Outcome(part)
    missing = [need for need in part.needs if not needs.have(need)]
    if missing:
        outcome.why = "; ".join(map(needs.how_to_get, missing))
        return outcome
    env = {**os.environ, "WIRESUM_SEED": str(options.seed), "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("PYTHONPATH", None)  # it served this program
    env.update(part.env)
    if options.fresh:
        env["WIRESUM_FRESH"] = "1"
    if native.mask():
        env["CFLAGS"] = f"{env.get('CFLAGS', '')} {native.mask_flag(native.mask())}"
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{part.name}.log"
    start, seconds = time.monotonic(), limit(part, slow)
    outcome.state = "passed"
    with open(log, "w") as out:
        for command in part.commands:
            print("$", " ".join(command), file=out, flush=True)
            left = start + seconds - time.monotonic()
            try:
                status, cpu = run_command(
                    command,
                    max(left, 1),
                    cwd=ROOT,
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                )
                outcome.cpu += cpu
                if status is None:
                    status = f"none: stopped after {seconds / 60:.0f} minutes"
            except OSError as error:  # no such program
                status = f"none: {error}"
            if status != 0:
                outcome.state = "failed"
                outcome.why = f"{' '.join(command)}: exit status {status}"
                break
    outcome.seconds = time.monotonic() - start
    lines = log.read_text(errors="replace").splitlines()
    outcome.recorded = any(map(RECORDED_LINE.search, lines))
    outcome.kernels = [match.groups() for match in map(KERNEL_LINE.match, lines) if match]
    if outcome.state == "failed":
        say("\n".join(lines[-60:]), "")
        say(f"check: {part.name} failed: {outcome.why}", "red")
        again = f"./check --seed={options.seed} {part.name}"
        say(f"       its whole output: {log.relative_to(ROOT)}; again, alone: {again}", "")
    return outcome


class Schedule:
    """Runs parts side by side, as many as there are cores: the longest begin first, parts with one
    lock take turns, and a part waits for those whose results it reads."""

    def __init__(self, parts, options):
        self.parts, self.options, self.slow = parts, options, slowness()
        self.waiting = sorted(parts, key=lambda part: -part.seconds)
        self.running, self.outcomes = [], {}
        self.changed = threading.Condition()

    def may_begin(self, part):
        unfinished = [other for other in (*self.waiting, *self.running) if other is not part]
        return not any(part.lock and part.lock == other.lock for other in self.running) and not any(
            fnmatch.fnmatch(other.name, pattern)
            for other in unfinished
            for pattern in part.after.split()
        )

    def work(self):
        while True:
            with self.changed:
                while not stopping.is_set():
                    part = next(filter(self.may_begin, self.waiting), None)
                    if part or not self.waiting:
                        break
                    self.changed.wait()
                if stopping.is_set() or not part:
                    return
                self.waiting.remove(part)
                self.running.append(part)
            say(f"check: {part.name}: {part.about}")
            outcome = run(part, self.options, self.slow)
            told = f"in {outcome.seconds:.0f} s" if outcome.seconds else outcome.why
            told += "; recorded, inputs unchanged" if outcome.recorded else ""
            color = {"passed": "green", "failed": "red"}.get(outcome.state, "yellow")
            say(f"       {part.name} {outcome.state} {told}", color)
            with self.changed:
                self.running.remove(part)
                self.outcomes[part.name] = outcome
                self.changed.notify_all()

    def run(self):
        workers = [threading.Thread(target=self.work, daemon=True) for _ in range(cross.workers())]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                worker.join()
        except KeyboardInterrupt:
            stopping.set()
            for group in list(groups):
                kill_group(group)
            for worker in workers:
                worker.join(10)
            raise SystemExit(130) from None
        return [self.outcomes[part.name] for part in self.parts]


def table(rows, header):
    columns = range(len(header) - 1)
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in columns]
    for row in [header, *rows]:
        cells = [str(row[i]).ljust(widths[i]) for i in columns]
        say("  ".join([*cells, str(row[-1])]).rstrip(), "bold" if row is header else "")


def kernels_that_ran(outcomes):
    """Prints kernel × part with the CPU models on which the kernel ran; returns the kernels."""
    places = {}
    for outcome in outcomes:
        for name, state, where in outcome.kernels:
            where = "this CPU" if not where or re.fullmatch(r"\d+ checks", where) else where
            state = state if outcome.state == "passed" or state != "ran" else "failed"
            places.setdefault((name, outcome.part.name), {}).setdefault(state, {})[where] = None
    rows = []
    for (name, part), states in sorted(places.items()):
        lacking = [
            f"{state} on {', '.join(where)}" for state, where in states.items() if state != "ran"
        ]
        ran = ", ".join(states.get("ran", {})) or "nowhere"
        rows.append((name, part, ran, "; ".join(lacking)))
    if rows:
        say("")
        table(rows, ("kernel", "part", "ran on", "and not"))
    return {name for (name, _), states in places.items() if "ran" in states}


def choose(parser, names):
    """The parts that the names ask for, in the order of the list."""
    chosen = []
    for name in names:
        found = [part for part in PARTS if name == "all" or fnmatch.fnmatch(part.name, name)]
        if not found:
            parser.error(f"no part is named {name}; ./check list shows them all")
        chosen += [part for part in found if part not in chosen]
    return chosen or [part for part in PARTS if part.default]


def absent(required, outcomes, ran):
    """What was required and did not run. The word kernels asks for every kernel that this CPU or an
    emulated one can run; the others are named."""
    settled = {o.part.name for o in outcomes if o.state != "not run"}
    missing = sorted(required - settled - {"kernels"})
    if "kernels" in required:
        can_run = {kernel for target in cross.TARGETS for cpu in target.cpus for kernel in cpu.runs}
        missing += [f"kernel {name}" for name in sorted(can_run - ran)]
        for name in sorted(cross.kernel_list().keys() - can_run - ran):
            say(f"check: kernel {name} did not run: {cross.why_not(name)}", "yellow")
    return missing


def main():
    parser = argparse.ArgumentParser(
        prog="./check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument(
        "--require",
        default="",
        metavar="NAME,...",
        help="a part that does not run is a failure; the word kernels requires every kernel that "
        "this CPU or an emulated one can run",
    )
    parser.add_argument("--no-install", action="store_true", help="install nothing")
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="every part runs whole, also one whose result is on record for the same inputs",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=time.time_ns() % 2**32,
        help="the seed of every random test; printed, and taken from the clock if not given",
    )
    options = parser.parse_args()
    if options.names == ["list"]:
        rows = [(p.name, "default" if p.default else "", p.about) for p in PARTS]
        table(rows, ("part", "", "what it checks"))
        return 0
    chosen = choose(parser, options.names)
    required = set(filter(None, options.require.split(",")))
    unknown = required - {part.name for part in PARTS} - {"kernels"}
    if unknown:
        parser.error(f"--require names no part: {', '.join(sorted(unknown))}")
    required.update(part.name for part in chosen if part.name in options.names)

    machine = os.uname()
    say(
        f"check: {machine.machine}, {sys.byteorder}-endian, {os.cpu_count()} CPUs of "
        f"{native.this_cpu()}, {machine.sysname} {machine.release}, "
        f"seed {options.seed}"
    )
    start = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not options.no_install:
        needs.install({need for part in chosen for need in part.needs}, say)
    outcomes = Schedule(chosen, options).run()

    say("")
    rows = [
        (
            *(o.part.name, o.state),
            *(f"{t:.0f} s" if o.state != "not run" else "" for t in (o.seconds, o.cpu)),
            o.why or ("recorded, inputs unchanged: " if o.recorded else "") + o.part.about,
        )
        for o in outcomes
    ]
    table(rows, ("part", "state", "time", "CPU", "what it checks, or why not"))
    ran = kernels_that_ran(outcomes)
    say("")
    missing = absent(required, outcomes, ran)
    for name in missing:
        say(f"check: {name} is required, and did not run", "red")
    passed = sum(o.state == "passed" for o in outcomes)
    failed = sum(o.state == "failed" for o in outcomes) + len(missing)
    cpu = sum(outcome.cpu for outcome in outcomes) / 60
    minutes = (time.monotonic() - start) / 60
    say(f"check: {minutes:.1f} minutes, installation included; {cpu:.1f} minutes of CPU time", "")
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
