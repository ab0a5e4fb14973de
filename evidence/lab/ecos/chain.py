# SPDX-License-Identifier: MIT OR Apache-2.0
"""Chains of mbufs, laid out in the memory of an emulated ARM, and the two routines over them."""

import random
import struct
from pathlib import Path

from .. import build
from ..trace.cpu import CPU, DATA

HERE = Path(__file__).parent
SOURCES = (HERE / "in_cksum.c", HERE / "in_cksum_arm.s")
TARGET = "-mcpu=arm7tdmi"

# GCC of the post's time (2.95) scheduled before register allocation, and asked neither how many
# registers there are nor how long the chain of additions is. These flags take both questions from
# the scheduler of today's GCC; either question alone keeps each load next to its addition. The
# scheduler itself is off at -O1 unless it is asked for.
BLIND = "-fschedule-insns -fno-sched-pressure -fno-sched-critical-path-heuristic"
PLAIN = ("-O0", "-O1", "-O2", "-O3")
LEVELS = {
    **{level: level for level in PLAIN},
    **{f"{level}, blind": f"{level} {BLIND}" for level in PLAIN[1:]},
}

MBUFS = DATA + 0x30_0000


def image(level):
    return build.image("arm", *SOURCES, flags=f"{LEVELS[level]} {TARGET}")


class Routines:
    def __init__(self, level):
        self.image = image(level)
        self.cpu = CPU("arm", self.image, "arm926")

    def lay_out(self, pieces, offsets=None):
        """Writes pieces as a chain, each at a 64-byte boundary plus its offset; their length."""
        at = DATA
        for n, piece in enumerate(pieces):
            start = at + (offsets[n] if offsets else 0)
            self.cpu.write(start, piece)
            following = MBUFS + 12 * (n + 1) if n + 1 < len(pieces) else 0
            self.cpu.write(MBUFS + 12 * n, struct.pack("<III", following, start, len(piece)))
            at += (len(piece) + 127) // 64 * 64
        return sum(map(len, pieces))

    def sum(self, name, pieces, offsets=None):
        """The numeric sum of a chain by `in_cksum` or `in_cksum_arm`."""
        length = self.lay_out(pieces, offsets)
        checksum = self.cpu.call(name, MBUFS if pieces else 0, length)
        assert checksum < 0x10000
        return int.from_bytes((checksum ^ 0xFFFF).to_bytes(2, "little"), "big")

    def steps(self, name, lengths, offset=0):
        generator = random.Random(1)
        length = self.lay_out([generator.randbytes(n) for n in lengths], [offset] * len(lengths))
        return self.cpu.call(name, MBUFS, length, trace=True)[1]


def body(level):
    """(instructions of the function, instructions of its 32-byte body, accesses of the body to
    spilled registers, the text of the body)."""
    text = build.assembly("arm", SOURCES[0], f"{LEVELS[level]} {TARGET}")
    blocks, count = [[]], 0
    for line in text.splitlines():
        line = " ".join(line.split("@")[0].split())
        if line.startswith(".L") and line.endswith(":"):
            blocks.append([])
        elif line and not line.startswith(".") and not line.endswith(":"):
            count += 1
            blocks[-1].append(line)
            if line.startswith("b") and not line.startswith("bic"):
                blocks.append([])
    unrolled = max(blocks, key=lambda block: sum(line.startswith("ldrh") for line in block))
    spills = sum(
        line.startswith(("ldr ", "str ")) and ("[sp" in line or "[fp" in line) for line in unrolled
    )
    return count, len(unrolled), spills, unrolled
