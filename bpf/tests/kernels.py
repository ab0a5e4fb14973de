# SPDX-License-Identifier: MIT OR Apache-2.0
"""The record of what the verifiers of several kernels make of each program, kernels.json.

python3 -m bpf.tests.kernels --write             loads them here and on old kernels; the record
python3 -m evidence.documents.verifiers --write  writes the table of README.md from the record
"""

import json
import subprocess
import sys

from bpf.tests import build

# Packages that depend on Debian's newest kernels of these series: 6.1 and 6.12.
KERNELS = ["linux-image-cloud-amd64", "linux-image-6.12-cloud-amd64"]
RECORD = build.BPF / "kernels.json"


def compiler():
    shown = subprocess.run(["clang", "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()[0]


def as_json(rows):
    return {
        kernel: {f"{file} {name}": n for (file, name), n in sorted(programs.items())}
        for kernel, programs in rows.items()
    }


def measure():
    """Loads every program on each kernel."""
    objects = build.build()
    steps = f"load {' '.join('/' + path.name for path in objects)}\n"
    texts = [build.boot(build.kernel(package), objects, steps) for package in KERNELS]
    here = subprocess.run([build.RUN, "load", *objects], capture_output=True, text=True)
    texts.append(here.stdout)
    rows = {build.release(text): build.loaded(text) for text in texts}
    if len({frozenset(programs) for programs in rows.values()}) > 1:
        sys.exit("a kernel rejects a program:\n" + "\n".join(texts))
    return {"compiler": compiler(), "kernels": as_json(rows)}


def compare(test, rows):
    """Compares with the record what a test has loaded: the same programs on every kernel, and the
    same numbers where kernel and compiler are the same."""
    record = json.loads(RECORD.read_text())
    for kernel, programs in as_json(rows).items():
        for recorded in record["kernels"].values():
            test.assertEqual(sorted(programs), sorted(recorded))
        if record["compiler"] == compiler() and kernel in record["kernels"]:
            test.assertEqual(programs, record["kernels"][kernel])


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: --write")
    RECORD.write_text(json.dumps(measure(), indent=1) + "\n")
