# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of README.md: what the verifiers of several kernels make of each program.

    python3 -m bpf.tests.table --write

compiles the programs, loads them here and on old kernels, and writes the record and the table.
"""

import json
import subprocess
import sys

from bpf.tests import build
from evidence.documents import generated

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
    rows = {build.release(text): build.loaded(text) for text in (*texts, here.stdout)}
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
    test.assertTrue(generated.is_up_to_date("bpf/README.md", "kernels", table()))


def series(kernel):
    return ".".join(kernel.split(".")[:2])


def table():
    record = json.loads(RECORD.read_text())
    kernels = record["kernels"]
    header = ["function or program", *(f"Linux {series(kernel)}" for kernel in kernels)]
    rows = []
    for name in next(iter(kernels.values())):
        file, program = name.split()
        if file == "functions.bpf.o":
            kind, _, function = program.partition("_")
            if kind == "frags" or not function:
                continue
            label = f"`wiresum_{kind}_{function}`"
        else:
            label = f"program `{program}`"
        rows.append([label, *(f"{programs[name]:,}" for programs in kernels.values())])
    return f"""{generated.markdown_table(header, rows)}

Kernels: {", ".join(f"`{kernel}`" for kernel in kernels)}. Compiler: {record["compiler"]}."""


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        RECORD.write_text(json.dumps(measure(), indent=1) + "\n")
    sys.exit(generated.main([("bpf/README.md", "kernels", table)]))
