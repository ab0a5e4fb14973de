# SPDX-License-Identifier: MIT OR Apache-2.0
"""The generated tables of evidence/bench/results/instructions/README.md, made from the records next
to it.

python3 -m evidence.bench.instructions.tables --write  write them
python3 -m evidence.bench.instructions.tables --check  fail if a table is another one
"""

import csv
import sys

from c.tests.cross.targets import ANY_LENGTH, TARGETS
from evidence.documents import generated

from . import count
from .exceptions import EXCEPTIONS, FAR_FROM_LOADS

PAGE = "evidence/bench/results/instructions/README.md"


def per_byte(cells, form, code):
    """Instructions a byte at each of count.SIZES, of one code."""
    numbers = [cells[form, size].get(code) for size in count.SIZES]
    return " / ".join(
        "-" if number is None else f"{number / size:.3f}"
        for number, size in zip(numbers, count.SIZES, strict=True)
    )


def counts():
    rows = []
    for target in TARGETS:
        recorded = count.read(target)
        for (kernel, bits), cells in count.table(target, recorded).items() if recorded else ():
            for form in ("sum", "copy"):
                name = f"`{kernel}`" + (f" {bits} bits" if bits else "")
                own = [per_byte(cells, form, code) for code in ("kernel", "portable")]
                rivals = ("words16", "words32", "linux")
                others = [per_byte(cells, form, c) if form == "sum" else "" for c in rivals]
                rows.append((target.name, name, form, *own, *others))
    loops = ("-O3, 16-bit words", "-O3, 32-bit words", "Linux")
    header = ("target", "kernel", "form", "kernel", "portable", *loops)
    return generated.markdown_table(header, rows)


def predictions():
    rows = []
    with (count.RECORD / "loops.csv").open() as record:
        for row in csv.DictReader(record):
            ratio = float(row["predicted"]) / float(row["loads"])
            core = row["core"] + (f", {row['vector_bits']} bits" if row["vector_bits"] else "")
            numbers = (row[n] for n in ("bytes", "instructions", "loads", "ports", "predicted"))
            name = f"`{row['kernel']}`"
            rows.append((row["target"], name, row["form"], core, *numbers, f"{ratio:.2f}"))
    cycles = ("loads alone", "all ports", "predicted", "predicted : loads")
    header = ("target", "kernel", "form", "core", "bytes a step", "instructions", *cycles)
    return generated.markdown_table(header, rows)


def lengths():
    rows = []
    with (count.RECORD / "lengths.csv").open() as record:
        for row in csv.DictReader(record):
            bits = row["vector_bits"] if row["kernel"] in ANY_LENGTH else ""
            core = row["core"] + (f", {bits} bits" if bits else "")
            numbers = ("instructions", "taken", "wrong", "unhindered", "cycles")
            name = f"`{row['kernel']}`"
            rows.append((name, row["form"], row["lengths"], core, *(row[n] for n in numbers)))
    header = ("kernel", "form", "lengths", "core", "instructions", "taken branches", "wrong")
    return generated.markdown_table((*header, "unhindered", "cycles"), rows)


def reasons():
    rows = []
    for e in EXCEPTIONS:
        kernel = f"`{e.kernel}`" + (f" ({', '.join(e.targets)})" if e.targets else "")
        where = f"{', '.join(e.forms)} of {', '.join(map(str, e.sizes))} B"
        rows.append((kernel, where, ", ".join(e.against), e.reason))
    for kernel, why in FAR_FROM_LOADS.items():
        rows.append((f"`{kernel}`", "main loop", "1.25 × its loads", why))
    return generated.markdown_table(("kernel", "where", "is not below", "because"), rows)


TABLES = [
    (PAGE, "counts", counts),
    (PAGE, "predictions", predictions),
    (PAGE, "lengths", lengths),
    (PAGE, "reasons", reasons),
]


if __name__ == "__main__":
    sys.exit(generated.main(TABLES))
