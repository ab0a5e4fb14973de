# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of speed in site/compare.md, from the record of one machine.

python3 -m evidence.bench.compare --write or --check
"""

import sys

from evidence import generated
from evidence.bench import readme

RECORD = readme.RESULTS / "intel-emerald-rapids/shown.csv"
SIZES = [20, 64, 1500, 65536]
# What the page calls it, the contenders of the record of which the fastest counts, and what it is.
SHOWN = [
    ("**wiresum_sum**", ["wiresum"], "this project, in C"),
    ("Linux `csum_partial`", ["Linux csum_partial"], "the kernel's, not folded"),
    ("DPDK `rte_raw_cksum`", ["DPDK rte_raw_cksum"], "compiled as DPDK is"),
    ("smoltcp", ["smoltcp"], "Rust"),
    ("etherparse", ["etherparse"], "Rust"),
    ("scapy", ["scapy"], "Python"),
]


def rounded(ns):
    """Three digits, and the commas of large numbers."""
    return f"{ns:,.0f}" if ns >= 1000 else f"{ns:.3g}"


def table():
    """Nanoseconds a call: the least of the alignments that shown.csv has."""
    record = readme.read(RECORD)
    rows = []
    for name, contenders, what in SHOWN:
        least = {}
        for row in record.rows:
            if (row["section"], row["operation"]) != ("sizes", "sum"):
                continue
            if row["contender"] in contenders and row["level"] != "DRAM":
                size, ns = int(float(row["bytes"])), float(row["min_ns"])
                least[size] = min(least.get(size, ns), ns)
        if not least:
            raise ValueError(f"{RECORD} has no row of {contenders}")
        rows.append([name, what, *(rounded(least[size]) for size in SIZES)])
    return generated.markdown_table(["", "", *(f"{size:,} bytes" for size in SIZES)], rows)


if __name__ == "__main__":
    sys.exit(generated.main([("site/compare.md", "speed", table)]))
