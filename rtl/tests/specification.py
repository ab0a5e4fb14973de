# SPDX-License-Identifier: MIT OR Apache-2.0
"""The specification: its reference, and its vectors of sums."""

import json
import os
import sys
from pathlib import Path

SPEC = Path(os.environ["WIRESUM_SPEC"])
sys.path.insert(0, str(SPEC))
from reference import (  # noqa: E402, F401
    checksum,
    fold,
    pseudo_ipv4,
    pseudo_ipv6,
    sum16,
    udp_field,
    update,
)


def spelled(parts):
    """The bytes that a vector spells: pieces of hexadecimal digits, or of repeated ones."""
    return b"".join(
        bytes.fromhex(part["hex"])
        if "hex" in part
        else (bytes.fromhex(part["repeat"]) * (part["length"] * 2 // len(part["repeat"]) + 1))[
            : part["length"]
        ]
        for part in parts
    )


def update_vectors():
    """The group `update`: checksum, offset, bytes that were, bytes that are, both results."""
    for vector in json.loads((SPEC / "vectors.json").read_text())["update"]:
        numbers = (int(vector[name], 16) for name in ("checksum", "after", "udp_after"))
        old, after, udp_after = numbers
        changed = (spelled(vector[name]) for name in ("was", "is"))
        yield old, vector["offset"], *changed, after, udp_after


def sum_vectors(most):
    """The vectors of the group `sum` with at most that many bytes: name, data, numeric sum."""
    for vector in json.loads((SPEC / "vectors.json").read_text())["sum"]:
        length = sum(part.get("length", len(part.get("hex", "")) // 2) for part in vector["data"])
        if length <= most and not vector.get("huge"):
            yield vector["name"], spelled(vector["data"]), int(vector["sum"], 16)
