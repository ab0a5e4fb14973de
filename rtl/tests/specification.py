# SPDX-License-Identifier: MIT OR Apache-2.0
"""The specification: its reference, and its vectors of sums."""

import json
import sys
from pathlib import Path

SPEC = Path(__file__).resolve().parents[2] / "spec"
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


def finish_vectors():
    """The group `finish`: name, frame, start, offset, the field or None if it does not fit."""
    for vector in json.loads((SPEC / "vectors.json").read_text())["finish"]:
        field = int(vector["field"], 16) if vector["ok"] else None
        yield vector["name"], spelled(vector["frame"]), vector["start"], vector["offset"], field


def segment_vectors():
    """The groups of segments: name, segment with a right field, the field's offset, seed, field."""
    groups = json.loads((SPEC / "vectors.json").read_text())
    for group in ("tcp", "udp", "icmp", "icmpv6"):
        for vector in groups[group]:
            if vector["status"] == "good":
                numbers = (int(vector[name], 16) for name in ("seed", "field"))
                data = spelled(vector["segment"])
                yield f"{group} {vector['name']}", data, vector["field_offset"], *numbers


def packet_vectors():
    """The group `packet`: name, packet, the result of its verification."""
    for vector in json.loads((SPEC / "vectors.json").read_text())["packet"]:
        yield vector["name"], spelled(vector["packet"]), vector["result"]


def sum_vectors(most):
    """The vectors of the group `sum` with at most that many bytes: name, data, numeric sum."""
    for vector in json.loads((SPEC / "vectors.json").read_text())["sum"]:
        length = sum(part.get("length", len(part.get("hex", "")) // 2) for part in vector["data"])
        if length <= most and not vector.get("huge"):
            yield vector["name"], spelled(vector["data"]), int(vector["sum"], 16)
