# SPDX-License-Identifier: MIT OR Apache-2.0
"""Plants faults in the C library, one at a time: do the tests find each one, or else a proof?

    python3 -m c.tests.planted.run [--record] [TEXT...]

faults.toml has the faults. A copy of the library with a fault goes through the test programs until
one of them fails. A fault that all of them pass goes to the proof that faults.toml names. TEXT
chooses the faults whose description has it; --record writes all results to record.json.

Exit status: 0 the survivors are the same as in record.json, 1 they are others, 2 faults.toml is
wrong.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from types import SimpleNamespace

from evidence.proof.scalar import prove as scalar
from evidence.proof.simd import run as simd
from evidence.proof.simd.functions import FUNCTIONS_BY_NAME
from evidence.proof.simd.kernels import BY_NAME, Change

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RECORD = HERE / "record.json"
FAULTS = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
# What runs, in this order. The grids are thin: a fault is at all cells, or at one that they miss.
TESTS = [
    ["lengths"],
    ["--thin", "40", "vectors", "exports", "exhaustive", "algebra", "dispatch", "fuzz"],
]


def tested(fault, folder):
    """The program that fails on the fault, or None."""
    for part in ("c", "spec"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("proof"))
    path = folder / fault["file"]
    path.write_text(path.read_text().replace(fault["text"], fault["to"]))
    for words in TESTS:
        command = [folder / "c/tests/run", "--cc", "gcc", "--cflags", "-w", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            continue
        failed = [
            line.split()[1].rstrip(":") for line in done.stderr.splitlines() if "FAILED" in line
        ]
        if not failed:
            raise SystemExit(f"planted: {fault['about']}: {done.stderr}")
        return failed[0].split(":")[0]
    return None


def refutes(goals):
    return any(simd.execute(goal.command)[0] == 1 for goal in goals)


def proved(fault, folder, engine):
    """The proof that refutes the fault, or None."""
    change = Change(fault["about"], fault["file"], fault["text"], fault["to"])
    # The proof that a change of a kernel has to renew; its quick runs first.
    options = SimpleNamespace(full=True, every_offset=False, thin=61, seed=0)
    if "kernel" in fault:
        kernel = BY_NAME[fault["kernel"]]
        sources = simd.Sources(folder / "kernel", [change])
        files = simd.lower(kernel, kernel.machines[0], sources)
        try:
            simd.check_limits(kernel.name, files[0], simd.MOST, {kernel.block, *kernel.limits})
        except simd.Failed:
            return "evidence/proof/simd, limits"
        goals = [
            simd.Goal(kernel.name, "", [engine, *words, *where, "--bound", function, *files])
            for function, words in simd.functions(kernel)
            for where in simd.ranges(kernel, options, kernel.vectors[0], True)
        ]
        goals.sort(key=lambda goal: "--numeric" not in goal.command)
        return "evidence/proof/simd" if refutes(goals) else None
    if "function" in fault:
        function, goals = FUNCTIONS_BY_NAME[fault["function"]], []
        sources = simd.Sources(folder / "function", [change])
        machine = function.machines[0]
        file = simd.lower_source(simd.HERE / function.file, machine, sources, function.flags)
        simd.runs_of(function, machine, False, engine, file, goals)
        return "evidence/proof/simd" if refutes(goals) else None
    if "scalar" in fault:
        name = fault["scalar"]
        file = next(file for file in scalar.FILES if name in file["functions"])
        found = []
        for planted in (False, True):  # without the fault the provers prove each goal
            tree = scalar.Tree(scalar.MACHINE, folder / f"scalar-{planted}")
            source = (ROOT / file["path"]).read_text()
            if planted:
                source = source.replace(fault["text"], fault["to"])
            tree.put(file, source)
            rows = scalar.by_group(tree, [name])
            found.append(all(valid == count for count, valid, _ in rows.values()))
        if not found[0]:
            raise SystemExit(f"planted: {name} is not proved without a fault")
        return "evidence/proof/scalar" if not found[1] else None
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    parser.add_argument("--record", action="store_true", help="write record.json")
    options = parser.parse_args()
    chosen = [f for f in FAULTS if not options.texts or any(t in f["about"] for t in options.texts)]
    for fault in chosen:
        number = (ROOT / fault["file"]).read_text().count(fault["text"])
        if number != 1:
            print(f"{fault['about']}: {fault['file']} has its text {number} times", file=sys.stderr)
            return 2
    os.environ.pop("WIRESUM_KERNEL", None)
    scalar.BUILD.mkdir(parents=True, exist_ok=True)
    detect = ["why3", "-C", "why3.conf", "config", "detect"]
    subprocess.run(detect, cwd=scalar.BUILD, check=True, capture_output=True)
    engine, found = simd.build_engine(), {}
    for fault in chosen:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            by = tested(fault, folder / "tests") or proved(fault, folder, engine)
        found[fault["about"]] = by
        print(f"{fault['about']}: {by or 'SURVIVED'}", flush=True)
    if options.record:
        every = {**(json.loads(RECORD.read_text()) if RECORD.exists() else {}), **found}
        ordered = {
            fault["about"]: every[fault["about"]] for fault in FAULTS if fault["about"] in every
        }
        RECORD.write_text(json.dumps(ordered, indent=1) + "\n")
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    survivors = [about for about, by in found.items() if by is None]
    print(f"{len(found)} faults, {len(survivors)} survive the tests and the proofs")
    return int(any(recorded.get(about, "") is not None for about in survivors))


if __name__ == "__main__":
    sys.exit(main())
