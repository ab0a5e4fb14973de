# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proves scalar functions of the C library with Frama-C's WP, as they are shipped.

    python3 -m evidence.proof.scalar.prove           the lemmas, the functions, five planted bugs,
        and whether the sources have the digest of the record
    python3 -m evidence.proof.scalar.prove --record  the same with every planted bug; writes
        record.json
    python3 -m evidence.proof.scalar.prove NAME...   these functions, with their planted bugs

functions.toml names the functions and their planted bugs, *.acsl hold their contracts, and
sums.acsl the mathematics. annotate.py inserts the annotations into the sources at each run. A goal
that no prover proves is a failure, and so are a planted bug under which every goal is proved, and
sources that have another digest than the record.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .annotate import (
    annotated,
    code,
    definitions,
    for_byte_order,
    with_hidden,
    with_lemmas,
    without_axioms,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build/proof/scalar"
RECORD = HERE / "record.json"
SAID = tomllib.loads((HERE / "functions.toml").read_text())
FILES, GROUPS, SECTIONS = SAID["file"], SAID["group"], SAID["section"]
UNIT = ["c/kernels/portable.c", "c/src/checksum.c", "c/src/stream.c", "c/src/packet.c"]


@dataclass(frozen=True)
class Machine:
    """A machine of Frama-C, and the macros of a compiler for it."""

    name: str
    machdep: str
    big: bool
    flags: str


MACHINE = Machine(
    "little-endian, 64 bits", "aarch64", False, "-U__x86_64__ -D__FC_MACHDEP_GCC_X86_64"
)
# Seconds of a prover for one goal of a function, with a planted bug and without one: a goal that a
# bug leaves open is one that would be proved in this time. A busy machine may need PATIENCE for a
# function, which its planted bugs then get too. Lemmas have no planted bugs.
TIMEOUT, PATIENCE = 5, 30
LEMMA_TIMEOUT = 90
SEED = int(os.environ.get("WIRESUM_SEED", "1071"))


def digest():
    """A digest of all that a proof depends on: the code of the sources without comments, and the
    files here that say what is proved, and how."""
    sources = ["c/include/wiresum.h", "c/src/built_kernels.h", *UNIT, *(f["path"] for f in FILES)]
    lines = [line for path in sorted(set(sources)) for line in code((ROOT / path).read_text())]
    suffixes = (".acsl", ".smt2", ".toml", ".ml")
    said = [path for path in sorted(HERE.iterdir()) if path.suffix in suffixes]
    said += [HERE / "annotate.py", HERE / "prove.py"]
    texts = ["\n".join(lines), *(" ".join(path.read_text().split()) for path in said)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


class Tree:
    """Annotated copies of the sources for one machine, in a folder of their own."""

    def __init__(self, machine, folder):
        self.machine, self.folder = machine, folder
        shutil.rmtree(folder, ignore_errors=True)
        for part in ("include", "src", "kernels"):
            shutil.copytree(ROOT / "c" / part, folder / "c" / part)
        for file in FILES:
            self.put(file, (ROOT / file["path"]).read_text())
        shutil.copy(HERE / "machines.ml", folder)  # Frama-C compiles it where it is
        unit = [f'#include "{path}"\n' for path in UNIT]
        (folder / "unit.c").write_text("".join(unit))

    def put(self, file, source):
        said = (HERE / file["annotations"]).read_text()
        path = self.folder / file["path"]
        path.write_text(annotated(source, said, self.machine.big, file["path"]))

    def prove(self, *words, lemmas=(), known=(), hidden=(), omitted=(), timeout=TIMEOUT, jobs=2):
        """Runs WP with these lemmas as hypotheses, and returns its output. A prover takes longer
        the more lemmas it is given."""
        sums = (HERE / "sums.acsl").read_text()
        big = self.machine.big
        said = without_axioms(with_hidden(for_byte_order(sums, big), hidden), omitted)
        said = with_lemmas(said, lemmas, known)
        (self.folder / "sums.acsl").write_text(said)
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        flags = f"-CC -DWIRESUM_ONLY_PORTABLE {self.machine.flags} -include sums.acsl"
        command = [
            *(
                "frama-c",
                "-load-script",
                "machines.ml",
                "-machdep",
                self.machine.machdep,
                f"-cpp-extra-args={flags}",
                "unit.c",
            ),
            *("-wp", "-wp-rte", "-wp-model", "Typed", "-wp-prover", "cvc4,z3"),
            *("-wp-timeout", str(timeout), "-wp-par", str(jobs), "-wp-cache", "none"),
            *("-wp-session", "session", *words),
        ]
        env = {**os.environ, "WHY3CONFIG": str(BUILD / "why3.conf"), "PWD": str(self.folder)}
        log = self.folder / "wp.log"
        with open(log, "w") as out:
            subprocess.run(command, cwd=self.folder, env=env, stdout=out, stderr=subprocess.STDOUT)
        return log.read_text()


GOAL = re.compile(
    r"\[wp\] \[(?P<prover>.*?)\] Goal typed_(?P<goal>\w+)(?: : (?P<verdict>\w+)(?P<times>.*))?"
)
COUNT = re.compile(r"\[wp\] Proved goals:\s+(\d+) / (\d+)")
SECONDS = re.compile(r"\((?:Qed:)?([\d.]+)(ms|s)\)")


def goals(output):
    """What became of each goal: its name, whether it is proved, and the provers' seconds."""
    count = COUNT.search(output)
    found = {m["goal"]: m for m in GOAL.finditer(output)}
    if not count or len(found) != int(count[2]):
        raise SystemExit(f"{output}\nprove: Frama-C did not run to its end")
    for name, match in found.items():
        times = SECONDS.findall(match["times"] or "")
        seconds = sum(float(n) / (1000 if unit == "ms" else 1) for n, unit in times)
        yield name, match["verdict"] == "Valid", seconds


def by_function(output, names):
    """{function: [goals, goals that are proved, seconds]}."""
    result = {name: [0, 0, 0.0] for name in names}
    for goal, valid, seconds in goals(output):
        owner = max((name for name in names if goal.startswith(f"{name}_")), key=len)
        row = result[owner]
        row[0] += 1
        row[1] += valid
        row[2] += seconds
    return result


def planted(file, name, old, new, source):
    """The source with one bug planted in a function, which may be a call of a macro: that call
    alone gets the macro with the bug."""
    lines = source.splitlines(keepends=True)
    call = file.get("macros", {}).get(name)
    macro = call and call.partition("(")[0]
    for first, last in definitions(source.splitlines(), macro or name):
        body = "".join(lines[first : last + 1])
        if old not in body:
            continue
        wrong = body.replace(old, new, 1)
        if not macro:
            return "".join([*lines[:first], wrong, *lines[last + 1 :]])
        head, undefined, at = lines[first - 1], f"#undef {macro}\n", lines.index(f"{call}\n")
        there = [undefined, head, wrong, lines[at], undefined, head, body]
        return "".join([*lines[:at], *there, *lines[at + 1 :]])
    raise SystemExit(f"prove: {file['path']}: {name} has no text `{old}`")


def bits():
    """Fails unless z3 refutes the negation of each axiom about bits."""
    asked = (HERE / "bits.smt2").read_text()
    done = subprocess.run(["z3", "-in"], input=asked, capture_output=True, text=True)
    if done.stdout.split() != ["unsat"] * asked.count("(check-sat)"):
        raise SystemExit(f"prove: bits.smt2: {done.stdout}{done.stderr}")


def by_group(tree, names, timeout=TIMEOUT):
    """Proves the functions, each with what its group may use; returns by_function's rows."""
    groups = {}
    for name in names:
        of = [file["groups"][name] for file in FILES if name in file.get("groups", {})]
        groups.setdefault(of[0] if of else "", []).append(name)
    rows = {}
    for group, members in groups.items():
        said = GROUPS.get(group, {})
        output = tree.prove("-wp-fct", ",".join(members), timeout=timeout, **said)
        rows |= by_function(output, members)
    return rows


def lemmas():
    """Proves the lemmas, each from those before it in its section of sums.acsl and from lemmas of
    sections before that functions.toml names; returns {name: seconds}."""
    proved = {}
    for i, section in enumerate((HERE / "sums.acsl").read_text().split("/* ---- ")):
        names = re.findall(r"\blemma (\w+)", section)
        if not names:
            continue
        said = SECTIONS.get(section.partition(" ----")[0], {})
        early = [name for name in said.get("known", []) if name not in proved]
        if early:
            raise SystemExit(f"prove: not proved before their section: {', '.join(early)}")
        output = Tree(MACHINE, BUILD / f"lemmas-{i}").prove(
            "-wp-prop=@lemma", lemmas=names, timeout=LEMMA_TIMEOUT, **said
        )
        found = {goal.removeprefix("lemma_"): (ok, s) for goal, ok, s in goals(output)}
        missing = [name for name in {*names, *found} if not found.get(name, (False, 0))[0]]
        if missing:
            raise SystemExit(f"{output}\nprove: no prover proves {', '.join(missing)}")
        proved |= {name: round(seconds, 2) for name, (_, seconds) in found.items()}
    unknown = {name for group in GROUPS.values() for name in group["lemmas"]} - set(proved)
    if unknown:
        raise SystemExit(f"prove: groups use lemmas that are not there: {sorted(unknown)}")
    return proved


def functions(machine, names):
    """Proves the functions; returns {function: [goals, seconds]}, and the functions that needed
    PATIENCE."""
    tree = Tree(machine, BUILD / machine.machdep)
    rows, slow = {}, names
    for timeout in (TIMEOUT, PATIENCE):
        rows |= by_group(tree, slow, timeout)
        missing = [name for name, (count, valid, _) in rows.items() if valid < count or not count]
        if not missing:
            break
        slow = missing
    else:
        raise SystemExit(f"prove: {machine.name}: not proved: {', '.join(missing)}")
    found = {name: [count, round(seconds, 2)] for name, (count, _, seconds) in rows.items()}
    return found, slow if timeout == PATIENCE else []


def refuted(machine, turn, names, slow=()):
    """Plants the bug with the number turn in each function, all at once: a caller sees the contract
    of a function alone, so each proof fails by its own bug. Returns the functions that fail."""
    tree = Tree(machine, BUILD / f"{machine.machdep}-{turn}")
    for file in FILES:
        source = (ROOT / file["path"]).read_text()
        for name, (_, mutants) in file["functions"].items():
            if name in names:
                source = planted(file, name, *mutants[turn], source)
        tree.put(file, source)
    rows = by_group(tree, [name for name in names if name not in slow])
    rows |= by_group(tree, [name for name in names if name in slow], PATIENCE)
    survivors = [name for name, (count, valid, _) in rows.items() if valid == count]
    if survivors:
        raise SystemExit(f"prove: a planted bug, number {turn + 1}, is proved: {survivors}")
    return list(rows)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    every = [name for file in FILES for name in file["functions"]]
    names = options.names or every
    BUILD.mkdir(parents=True, exist_ok=True)
    detect = ["why3", "-C", "why3.conf", "config", "detect"]
    subprocess.run(detect, cwd=BUILD, check=True, capture_output=True)
    begin, now = time.monotonic(), digest()
    bits()
    turns = range(3) if options.record or options.names else [SEED % 3]
    sample = names if len(turns) == 3 else random.Random(SEED).sample(names, 5)
    with ThreadPoolExecutor() as pool:
        proofs = pool.submit(lemmas), pool.submit(functions, MACHINE, names)
        for proof in proofs:  # before the bugs, whose goals keep the provers busy to their limit
            proof.result()
        rows, slow = proofs[1].result()
        bugs = [pool.submit(refuted, MACHINE, turn, sample, slow) for turn in turns]
    record = {"digest": now, "lemmas": proofs[0].result(), "functions": rows}
    record["mutants"] = dict(Counter(name for turn in bugs for name in turn.result()))
    record["seconds"] = round(time.monotonic() - begin)
    goals_of = sum(count for count, _ in record["functions"].values())
    print(
        f"{len(record['lemmas'])} lemmas, {len(names)} functions, {goals_of} goals are proved; "
        f"{sum(record['mutants'].values())} planted bugs are refuted"
    )
    if options.record:
        RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    elif not options.names and json.loads(RECORD.read_text())["digest"] != record["digest"]:
        print("prove: the code or its contracts changed: run evidence.proof.scalar.prove --record")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
