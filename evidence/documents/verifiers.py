# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of bpf/README.md: how many instructions the verifiers of several kernels take for each
program. bpf/tests/kernels.py makes the record.

    python3 -m evidence.documents.verifiers --write    write it
    python3 -m evidence.documents.verifiers --check    fail if it is not what would be written
"""

import json
import sys
import textwrap

from bpf.tests.kernels import RECORD
from evidence import generated


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
    names = ", ".join(f"`{kernel}`" for kernel in kernels)
    about = textwrap.fill(f"Kernels: {names}. Compiler: {record['compiler']}.", 100)
    return f"{generated.markdown_table(header, rows)}\n\n{about}"


TABLES = [("bpf/README.md", "kernels", table)]

if __name__ == "__main__":
    sys.exit(generated.main(TABLES))
