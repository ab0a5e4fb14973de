# SPDX-License-Identifier: MIT OR Apache-2.0
"""The inputs and answers of spec/vectors.json, as a kernel of the laboratory needs them."""

import functools
import json
from pathlib import Path

SPEC = Path(__file__).resolve().parent.parent.parent / "spec" / "vectors.json"


def build(recipe):
    """The bytes of a recipe (spec/checksum.md, "vectors.json")."""
    data = b""
    for part in recipe:
        if "hex" in part:
            data += bytes.fromhex(part["hex"])
        else:
            unit = bytes.fromhex(part["repeat"])
            data += (unit * (part["length"] // max(len(unit), 1) + 1))[: part["length"]]
    return data


@functools.cache
def sums(longest=1 << 20):
    """(name, data, sum) of every vector of at most `longest` bytes. The sum is the numeric value,
    big-endian."""
    chosen = []
    for vector in json.loads(SPEC.read_text())["sum"]:
        if not vector.get("huge"):
            data = build(vector["data"])
            if len(data) <= longest:
                chosen.append((vector["name"], data, int(vector["sum"], 16)))
    return chosen


@functools.cache
def chains(longest=1 << 20):
    """(name, pieces, sum) of every split vector: each piece's data, and the sum of the whole."""
    chosen = []
    for vector in json.loads(SPEC.read_text())["split"]:
        data, pieces, at = build(vector["data"]), [], 0
        for piece in vector["pieces"]:
            pieces.append(data[at : at + piece["length"]])
            at += piece["length"]
        if len(data) <= longest:
            chosen.append((vector["name"], pieces, int(vector["sum"], 16)))
    return chosen


def pad(data, granule):
    """The data, padded with zeros to a whole number of granules, which simple kernels need. The sum
    stays the same."""
    return data + bytes(-len(data) % granule)


def fold(total):
    """Any integer sum of 16-bit words, folded to 16 bits."""
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def wrong(function, granule=1, longest=1 << 20):
    """(names of the vectors for which function(data) is not the numeric folded sum, number of
    vectors)."""
    cases = sums(longest)
    return [name for name, data, total in cases if function(pad(data, granule)) != total], len(
        cases
    )
