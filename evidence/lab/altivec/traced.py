# SPDX-License-Identifier: MIT OR Apache-2.0
"""The article's loops, compiled as it says, run and traced: on Unicorn's 7441 and QEMU's 970."""

import functools
import itertools
import random
from pathlib import Path

from .. import build, vectors
from ..machines.ppc970 import PPC970
from ..trace import qemu
from ..trace.cpu import CPU, DATA

HERE = Path(__file__).parent
SOURCE = HERE / "kernel.c"
# -O3 is the article's. gcc 12 vectorizes and unrolls by itself; the article's gcc 3.1 and 3.3 did
# not.
BASE = "-O3 -fno-tree-vectorize -maltivec"
ROLLED, UNROLLED = "-fno-unroll-loops", "-funroll-loops --param max-unroll-times=4"
KERNELS = {
    "16-bit": "listing1",
    "32-bit": "listing2",
    "MOT": "listing6",
    "IBM": "listing7",
    "vsum4shs": "sum4shs",
}
SCALAR = ("16-bit", "32-bit")

FINE = tuple(range(16, 257, 16))
MIDDLE = tuple(range(512, 8193, 256))
COARSE = tuple(range(9216, 65537, 1024))
ANCHORS = (
    8192,
    16384,
    32768,
    33792,
    34816,
    35840,
    36864,
    40960,
    65536,
)  # one by one where a cache of 32 KB spills
RANDOM = random.Random(2004).randbytes(65536)


def flags(name, unrolled, cpu):
    return f"{BASE} {UNROLLED if unrolled else ROLLED} -mcpu={cpu} -DKERNEL={KERNELS[name]}"


@functools.cache
def g4(name, unrolled):
    cpu = CPU("ppc", build.image("ppc", SOURCE, flags=flags(name, unrolled, 7450)), "7441")
    cpu.write(DATA, RANDOM)
    return cpu


def checksum(name, unrolled, data):
    cpu = g4(name, unrolled)
    data = vectors.pad(data, 16)
    cpu.write(DATA, data)
    found = cpu.call("checksum", DATA, len(data))
    cpu.write(DATA, RANDOM[: len(data)])
    return found


def faults(name, unrolled, longest=65536):
    return vectors.wrong(lambda data: 0xFFFF ^ checksum(name, unrolled, data), longest=longest)


def steps_g4(name, unrolled, size):
    """Not kept: all sizes together are millions."""
    return g4(name, unrolled).call("checksum", DATA, size, trace=True)[1]


@functools.cache
def steps_g5(name, unrolled):
    """{size: steps}, all sizes in one run, whose output is checked. Of a scalar loop's long runs it
    has the anchors."""
    sizes = [
        n for n in (*FINE, *MIDDLE, *COARSE) if n <= 8192 or name not in SCALAR or n in ANCHORS
    ]
    program = build.program("ppc64", SOURCE, flags=flags(name, unrolled, 970) + " -DPROGRAM")
    printed, steps = qemu.run(
        "ppc64", program, "checksum", [str(n) for n in sizes], cpu="970", stdin=RANDOM
    )
    for size, found in zip(sizes, printed.split(), strict=True):
        data = RANDOM[:size]
        assert int(found) == 0xFFFF ^ vectors.fold(256 * sum(data[0::2]) + sum(data[1::2])), (
            name,
            size,
        )
    first = steps[0].pc
    cuts = [n for n, step in enumerate(steps) if step.pc == first] + [len(steps)]
    assert len(cuts) == len(sizes) + 1
    return {size: steps[a:b] for size, (a, b) in zip(sizes, itertools.pairwise(cuts), strict=True)}


@functools.cache
def cycles(machine, name, unrolled, size):
    """Cycles of one call with warm caches.

    Of a scalar loop's long runs the anchors are traced, and the line between two of them is taken:
    within the cache, and where nothing is left in it, all turns take the same time. A test traces
    other sizes.
    """
    if name in SCALAR and size > 8192 and size not in ANCHORS:
        low, high = max(n for n in ANCHORS if n < size), min(n for n in ANCHORS if n > size)
        first, last = cycles(machine, name, unrolled, low), cycles(machine, name, unrolled, high)
        return first + (last - first) * (size - low) / (high - low)
    if isinstance(machine, type(PPC970)):
        return machine.time(steps_g5(name, unrolled)[size]).cycles
    return machine.time(steps_g4(name, unrolled, size)).cycles


def curve(machine, name, unrolled, sizes):
    return [cycles(machine, name, unrolled, size) for size in sizes]


def first_not_slower(machine, fast, slow, sizes):
    """The least of the sizes from which on `fast` (name, unrolled) takes no longer than `slow`."""
    better = [cycles(machine, *fast, size) <= cycles(machine, *slow, size) for size in sizes]
    for n, size in enumerate(sizes):
        if all(better[n:]):
            return size
    return None
