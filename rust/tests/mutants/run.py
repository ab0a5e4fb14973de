# SPDX-License-Identifier: MIT OR Apache-2.0
"""Mutation testing of the crate wiresum by cargo-mutants, in its two builds.

    python3 rust/tests/mutants/run.py [OPTION]... BUILD [FILE...]

BUILD is `pure`, the crate in Rust alone, or `c`, the crate with the C library. They share all
files except rust/src/pure* and rust/src/ffi*. .cargo/mutants.toml holds the survivors that are
known, each with the reason why no test can see it, so `cargo mutants` leaves them out. This script
tries them too: another survivor is a failure, and so is a row that is not one.

A first run has the vectors alone, which kill most mutants soon. A second run has all tests except
the tests of the documentation, for the mutants that are left.

    --sample N   N mutants of each file, chosen by the seed, in place of all
    --seed N     the seed of the sample
    --again      tries the survivors of the last run alone, and counts what it killed as killed
    --record     writes the counts to record.json
    FILE         default: all files of the build that this CPU compiles

Exit status: 0 every survivor is known, 1 another survived, 2 the unchanged crate fails its tests.
"""

import argparse
import json
import os
import platform
import random
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KNOWN = ROOT / ".cargo/mutants.toml"
RECORD = Path(__file__).with_name("record.json")
MUTANTS = ["cargo", "mutants", "-p", "wiresum", "--colors", "never"]
# Build → the features, and the files that no other build compiles.
BUILDS = {
    "pure": (["--no-default-features", "--features", "std"], "rust/src/pure"),
    "c": ([], "rust/src/ffi"),
}
# The stand-in is for builds of the documentation.
FOREIGN = ["ffi/stand_in", "pure/arm_neon" if platform.machine() == "x86_64" else "pure/x86"]
FIRST = ["--test", "vectors"]
ALL = ["--lib", "--tests"]
WORDS = {"caught": "killed", "timeout": "killed", "unviable": "invalid", "missed": "survived"}


def file_of(mutant):
    return mutant.partition(":")[0]


def listed():
    """The names of all mutants."""
    command = [*MUTANTS, "--no-config", "--list"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def by_file(names, build, files):
    """{file: the names of its mutants} for the files that the build compiles on this CPU."""
    others = [own for other, (_, own) in BUILDS.items() if other != build]
    found = defaultdict(list)
    for name in names:
        file = file_of(name)
        if any(word in file for word in (*others, *FOREIGN)) or (files and file not in files):
            continue
        found[file].append(name)
    return found


def run(build, names, tests):
    """{mutant: what became of it}"""
    folder = ROOT / "build/mutants" / f"rust-{build}"
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "config.toml"
    config.write_text(f"examine_re = {json.dumps([f'^{re.escape(name)}$' for name in names])}\n")
    # Debug information takes longer to link than the tests take to run, and no failure need be made
    # small.
    env = {**os.environ, "CARGO_PROFILE_DEV_DEBUG": "0", "PROPTEST_MAX_SHRINK_ITERS": "0"}
    words = ["--config", str(config), "-o", str(folder), *BUILDS[build][0], "--", *tests]
    status = subprocess.run([*MUTANTS, *words], cwd=ROOT, env=env).returncode
    if status not in (0, 2, 3):  # 2: a mutant was missed; 3: one ran out of time
        sys.exit(2)
    out = folder / "mutants.out"
    return {
        name: word
        for file, word in WORDS.items()
        for name in (out / f"{file}.txt").read_text().splitlines()
    }


def known_rows():
    return tomllib.loads(KNOWN.read_text())["exclude_re"]


def main():
    parser = argparse.ArgumentParser(
        prog="python3 rust/tests/mutants/run.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1071)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("build", choices=BUILDS)
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()

    all_names = listed()
    every = by_file(all_names, options.build, options.files)
    chance = random.Random(options.seed)
    names = []
    for mutants in every.values():
        few = 0 < options.sample < len(mutants)
        names += chance.sample(mutants, options.sample) if few else mutants
    last = ROOT / "build/mutants" / f"rust-{options.build}.json"
    before = json.loads(last.read_text()) if last.exists() else {}
    found = {name: before[name] for name in names if options.again and name in before}
    for tests in (ALL,) if options.again else (FIRST, ALL):
        left = [name for name in names if found.get(name, "survived") == "survived"]
        if left:
            found |= run(options.build, left, tests)
            last.write_text(json.dumps(before | found))

    for file in every:
        row = dict.fromkeys(("mutants", "killed", "invalid", "equal", "survived"), 0)
        for name in names:
            if file_of(name) == file:
                row["mutants"] += 1
                row[found[name]] += 1
        print(f"{file}: " + ", ".join(f"{n} {word}" for word, n in row.items()))
        if row["mutants"] < len(every[file]):
            row["of"] = len(every[file])
        if options.record:
            write_record(options.build, file, row)
    survived = [name for name in names if found[name] == "survived"]
    rows = {row: [name for name in names if re.search(row, name)] for row in known_rows()}
    new = [name for name in survived if not any(name in hit for hit in rows.values())]
    wrong = [row for row, hit in rows.items() if any(found[name] == "killed" for name in hit)]
    wrong += [row for row in rows if not any(re.search(row, name) for name in all_names)]
    for name in new:
        print(f"SURVIVED {name}")
    for row in wrong:
        print(f"{KNOWN.name} has a row of no survivor: {row}")
    sys.exit(1 if new or wrong else 0)


def write_record(build, file, row):
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    version = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    of = record.setdefault(f"Rust, {build}", {"files": {}})
    of["compiler"] = version.stdout.split(" (")[0]
    of["files"][file] = row
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
