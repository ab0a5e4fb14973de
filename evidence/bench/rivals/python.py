# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the checksums of Python programs in the way of cli/measure, as far as Python can.

    python.py VECTORS SIZE...    print the figures as JSON

record.py runs this program in an environment with requirements.txt, and adds its figures.
"""

import json
import random
import statistics
import sys
import time
from importlib.metadata import version

import dpkt
from scapy.utils import checksum as scapy_checksum

RIVALS = [
    ("scapy", "scapy", lambda data: ~scapy_checksum(data) & 0xFFFF),
    ("dpkt", "dpkt", lambda data: ~dpkt.in_cksum(data) & 0xFFFF),
]


def vectors(path):
    for vector in json.load(open(path))["sum"]:
        if all(part.get("length", 0) <= 4 << 20 for part in vector["data"]):
            data = b""
            for part in vector["data"]:
                pattern = bytes.fromhex(part.get("hex", part.get("repeat")))
                length = part.get("length", len(pattern))
                data += (pattern * (length // max(len(pattern), 1) + 1))[:length]
            yield vector["name"], data, int(vector["sum"], 16)


def sample(function, data, reps):
    start = time.perf_counter_ns()
    for _ in range(reps):
        function(data)
    return (time.perf_counter_ns() - start) / reps


def main():
    tried = list(vectors(sys.argv[1]))
    found = []
    for name, package, function in RIVALS:
        wrong = [vector for vector, data, expected in tried if function(data) != expected]
        note = f"PyPI, {version(package)}, Python {sys.version.split()[0]}; a process of its own"
        if wrong:
            note += f"; wrong on {len(wrong)} of {len(tried)} vectors, {wrong[0]} the first"
        rows = []
        for size in map(int, sys.argv[2:]):
            data = random.Random(1071).randbytes(size)
            reps = max(1, int(100_000 / sample(function, data, 3)))
            samples = [sample(function, data, reps) for _ in range(21)]
            lower, median, upper = statistics.quantiles(samples)
            rows.append(
                {
                    "bytes": size,
                    "alignment": 0,
                    "min_ns": min(samples),
                    "median_ns": median,
                    "spread": (upper - lower) / median,
                }
            )
        found.append({"name": name, "note": note, "verified": not wrong, "rows": rows})
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
