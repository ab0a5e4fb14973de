# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes vectors.json from the reference; its format is in checksum.md.

python3 make_vectors.py           write vectors.json
python3 make_vectors.py --check   fail if vectors.json is not what would be written
python3 make_vectors.py --c FILE  write the same vectors as a C header ("-": to standard output)
"""

import argparse
import json
import sys
from pathlib import Path

from groups.c_header import render_c
from groups.inputs import SEED, VECTORS
from groups.packets import packets
from groups.segments import (
    finishes,
    icmps,
    icmpv6s,
    ipv4_headers,
    pseudos,
    replacements,
    tcps,
    udps,
    verifies,
)
from groups.sums import ranges, splits, subtracts, sums
from groups.udplites import udplites
from groups.updates import removals, updates

GROUPS = {
    "sum": sums,
    "split": splits,
    "subtract": subtracts,
    "update": updates,
    "verify": verifies,
    "pseudo": pseudos,
    "ipv4_header": ipv4_headers,
    "tcp": tcps,
    "udp": udps,
    "icmp": icmps,
    "icmpv6": icmpv6s,
    "range": ranges,
    "remove_head": removals,
    "replace": replacements,
    "finish": finishes,
    "udplite": udplites,
    "packet": packets,
}


def make():
    vectors = {"format": 1, "seed": SEED}
    for group, generate in GROUPS.items():
        vectors[group] = list(generate())
        names = [v["name"] for v in vectors[group]]
        assert len(names) == len(set(names)), group
    return vectors


def render_json(vectors):
    """One vector to a line, so that a change shows as what it is."""

    def value(v):
        if not isinstance(v, list):
            return json.dumps(v)
        return "[\n" + ",\n".join("  " + json.dumps(one) for one in v) + "\n ]"

    return "{\n" + ",\n".join(f" {json.dumps(k)}: {value(v)}" for k, v in vectors.items()) + "\n}\n"


def main():
    arguments = argparse.ArgumentParser(description="Writes vectors.json from the reference.")
    arguments.add_argument(
        "--check", action="store_true", help="fail if vectors.json is not what would be written"
    )
    arguments.add_argument(
        "--c", metavar="FILE", help='write the vectors as a C header instead ("-": standard output)'
    )
    options = arguments.parse_args()
    vectors = make()
    print(f"seed: {SEED}", file=sys.stderr)
    if options.c == "-":
        sys.stdout.write(render_c(vectors))
    elif options.c:
        Path(options.c).write_text(render_c(vectors))
    elif options.check:
        if not VECTORS.exists() or VECTORS.read_text() != render_json(vectors):
            sys.exit(
                "vectors.json is out of date: run python3 spec/make_vectors.py, and look at the "
                "difference"
            )
    else:
        VECTORS.write_text(render_json(vectors))


if __name__ == "__main__":
    main()
