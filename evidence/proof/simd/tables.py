# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of evidence/proof/README.md, from record.json.

python3 -m evidence.proof.simd.tables --write    write them
python3 -m evidence.proof.simd.tables --check    fail if a table is not what would be written
"""

import sys
import textwrap

from evidence.documents import generated

from .functions import FUNCTIONS
from .kernels import KERNELS
from .run import EACH, MOST, recorded

PAGE = "evidence/proof/README.md"


def vectors(row):
    bits = [8 * size for size in row["vectors"]]
    return f", {len(bits)} vector lengths from {bits[0]} to {bits[-1]:,} bits" if bits else ""


def lengths(row):
    if row["thin"] == 1:
        return f"0–{MOST:,}"
    return f"0–{EACH:,}, then one in {row['thin']} to {MOST:,}"


def addresses(row):
    if row["every address"]:
        return "every"
    return "0–63" if row["every offset"] else "0–63 to 160 bytes, then 2 a length"


def bound(kernel, row):
    """What the kernel's comment says of the largest total, and what the proof found."""
    if not kernel.block:
        return "none needed"
    if row["block"]:
        return f"{kernel.block >> 10:,} KiB, whole"
    total = f": total below 2^{row['bits of a block']}" if kernel.bits else ""
    return f"{kernel.block >> 20:,} MiB{total}"


def with_missing(table, missing):
    if not missing:
        return table
    note = f"No full run is recorded of {', '.join(missing)}."
    return "\n".join([table, "", *textwrap.wrap(note, 100)])


def kernels():
    rows, missing = [], []
    done = recorded()["kernels"]
    for kernel in KERNELS:
        row = done.get(kernel.name)
        if row is None:
            missing.append(f"`{kernel.name}`")
            continue
        rows.append(
            (
                f"`{kernel.name}`",
                ", ".join(row["machines"]) + vectors(row),
                lengths(row),
                addresses(row),
                bound(kernel, row),
                f"{row['cells']:,}",
                str(len(row["refuted"])),
                f"{sum(row['compared'].values()):,}",
                f"{row['seconds']:.0f}",
            )
        )
    header = (
        *("kernel", "machines", "lengths", "offsets", "block", "cells", "faults refuted"),
        *("compared", "seconds"),
    )
    return with_missing(generated.markdown_table(header, rows), missing)


def lengths_of(function):
    """The least and the greatest length of all runs."""
    ends = []
    for _, words in function.runs(True):
        ends += map(int, str(words[words.index("--lengths") + 1]).split("-"))
    return f"{min(ends):,}–{max(ends):,}" if min(ends) < max(ends) else f"{min(ends):,}"


def functions():
    rows, missing = [], []
    done = recorded()["functions"]
    for function in FUNCTIONS:
        name = " with ".join(f"`{word}`" for word in function.name.split(" with "))
        row = done.get(function.name)
        if row is None:
            missing.append(name)
            continue
        rows.append(
            (
                name,
                ", ".join(row["machines"]),
                lengths_of(function),
                function.given or "nothing",
                f"{row['cells']:,}",
                str(len(row["refuted"])),
                f"{sum(row['compared'].values()):,}",
                f"{row['seconds']:.1f}",
            )
        )
    header = (
        *("function", "machines", "bytes", "what is given", "cells", "faults refuted"),
        *("compared", "seconds"),
    )
    return with_missing(generated.markdown_table(header, rows), missing)


if __name__ == "__main__":
    sys.exit(generated.main([(PAGE, "kernels", kernels), (PAGE, "functions", functions)]))
