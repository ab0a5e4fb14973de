# SPDX-License-Identifier: MIT OR Apache-2.0
"""The inputs of the vectors: bytes and recipes for them."""

import hashlib
from pathlib import Path

from reference import fold, sum16, total

SEED = "wiresum vectors 1"
VECTORS = Path(__file__).resolve().parents[1] / "vectors.json"


def random_bytes(purpose, length):
    """The same bytes on every machine and Python version: SHAKE-256 is specified, `random` is not."""
    return hashlib.shake_256(f"{SEED}: {purpose}".encode()).digest(length)


def repeat(pattern, length):
    return {"repeat": pattern, "length": length}


def recipe(*parts):
    """Bytes, or dicts as they stand in the JSON, to the list of parts that describes an input."""
    return [p if isinstance(p, dict) else {"hex": p.hex()} for p in parts if p]


def pattern_of(part):
    return bytes.fromhex(part["hex"] if "hex" in part else part["repeat"])


def length_of(part):
    return part["length"] if "length" in part else len(part["hex"]) // 2


def expand(parts):
    """The bytes that a recipe describes: each pattern over and over, cut off at its length."""
    out = bytearray()
    for part in parts:
        pattern, length = pattern_of(part), length_of(part)
        out += (pattern * (length // len(pattern) + 1))[:length] if length else b""
    return bytes(out)


def repeat_total(pattern, length):
    """total() of a repeated pattern by multiplication, for inputs too large to build.

    Right because total() of a concatenation is the sum of the totals when every piece but the last has
    an even length. test_reference.py compares it with total() itself on every small size.
    """
    even = pattern * (1 + len(pattern) % 2)
    copies, rest = divmod(length, len(even))
    return copies * total(even) + total(even[:rest])


def word(number):
    return f"0x{number:04x}"


def sum_vector(name, catches, *parts):
    s = sum16(expand(recipe(*parts)))
    return {
        "name": name,
        "catches": catches,
        "data": recipe(*parts),
        "sum": word(s),
        "checksum": word(0xFFFF - s),
    }


def huge_vector(name, catches, pattern, length):
    s = fold(repeat_total(bytes.fromhex(pattern), length))
    data = recipe(repeat(pattern, length))
    return {
        "name": name,
        "catches": catches,
        "data": data,
        "sum": word(s),
        "checksum": word(0xFFFF - s),
        "huge": True,
    }


PERIOD_251 = bytes(range(251))
