# SPDX-License-Identifier: MIT OR Apache-2.0
"""DPDK: rte_raw_cksum() and the functions that call it, on chains of buffers."""

import random
from pathlib import Path

from evidence.integrations import build, measure
from spec import reference

SOURCE = build.Source(
    "dpdk",
    "dpdk_22.11.11.orig.tar.xz",
    "27a3bb1f57e02eb68c7c0a6f8bbf9fb74ec198c5aab74ed602da5b71c492a476",
    ("lib/net/rte_ip.h", "lib/eal/include/rte_test.h", "app/test/test*.[ch]"),
)
# rte_raw_cksum() is inline, so its samples have the name of the program's function.
FUNCTIONS = ("run",)
CASES = {  # the bytes to compute, and the bytes of a buffer
    "frames of 1,514 bytes in one buffer": (2_000_000_000, 2000),
    "frames of 1,514 bytes in buffers of 256": (2_000_000_000, 256),
}
FRAME = 1514
PROGRAM = Path(__file__).with_name("chains.c")
EAL = "--no-huge --no-pci --no-shconf --no-telemetry --log-level=error -m 64 -l 0 --".split()


def compile_both(environment):
    """Builds the program with the patched header and Debian's DPDK."""
    folder = build.patched("dpdk", SOURCE)
    built = {}
    for variant, packages, more in (
        ("theirs", ["libdpdk"], []),
        ("ours", ["libdpdk", "wiresum"], ["-DRTE_USE_WIRESUM"]),
    ):
        built[variant] = folder / variant
        words = ["-O3", *more, "-I", folder / "lib/net", "-I", folder / "lib/eal/include"]
        words += [
            "-I",
            folder / "app/test",
            "-o",
            built[variant],
            PROGRAM,
            folder / "app/test/test_cksum.c",
        ]
        build.run("gcc", *words, *build.flags(environment, *packages))
    return built


def run(built, *words, **options):
    return build.run(built, *EAL, *words, env=measure.library_path(), **options)


def links(built):
    return build.links_library(built)


def own_tests(built):
    """Runs cksum_autotest of DPDK, which is one test of five packets."""
    run(built, "tests")
    return 1


def wrong_sums(built, rows):
    """What is wrong in the sums of chains, each row (offset, bytes in a buffer, data)."""
    lines = "".join(f"{offset} {segment} {data.hex()}\n" for offset, segment, data in rows)
    found = [int(line) for line in run(built, "check", input=lines).splitlines()]
    if len(found) != len(rows):
        yield f"{len(found)} sums of {len(rows)}"
    for (offset, segment, data), got in zip(rows, found):
        due = reference.sum16(data[offset:])
        if got != due:
            yield (
                f"the sum of {len(data)} bytes from byte {offset}, in buffers of {segment}, is "
                f"{got:04x}, not {due:04x}"
            )


def checks(built, is_ours):
    """Yields the sums that are not the sums of the contract. DPDK's own code loses carries of a
    buffer that begins at an odd offset of the data, so it must be wrong about such chains."""
    chance = random.Random(1)
    even, odd = [], []
    for length in (20, 21, 256, 257, 1500, 1501, 8999):
        for segment in (2000, 256, 1000, 255, 257):
            for offset in (0, 1, 14, 19):
                begins_odd = any((n - offset) % 2 for n in range(segment, length, segment))
                rows = odd if begins_odd else even
                rows.append((offset, segment, chance.randbytes(length)))
    yield from wrong_sums(built, even)
    if is_ours:
        yield from wrong_sums(built, odd)
    elif not any(wrong_sums(built, odd)):
        yield "DPDK's own code is right about all chains: say so in README.md"


def figures(built, case, size):
    """Computes the checksums of frames with `size` bytes together."""
    count = size // FRAME
    command = [built, *EAL, "run", CASES[case][1], count]
    return measure.command_figures(FUNCTIONS, command, measure.library_path(), count * FRAME)
