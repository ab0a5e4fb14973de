# SPDX-License-Identifier: MIT OR Apache-2.0
"""QEMU: the checksums that its network devices compute for a guest."""

import random
from pathlib import Path

from evidence.integrations import build, measure
from spec import reference

SOURCE = build.Source(
    "qemu",
    "qemu_7.2+dfsg.orig.tar.xz",
    "91aca71520040edc40b8d437aa3004dae614f58e286cf653ee8996c07af2962f",
    ("net/checksum.c", "include/*"),
)
# The compiler puts the loop into each function that calls it.
FUNCTIONS = ("net_checksum_add_cont", "net_checksum_tcpudp", "net_checksum_calculate")
CASES = {  # the bytes to compute, and the size of a frame
    "frames of 1,514 bytes, the function alone": (2_000_000_000, 1514),
    "frames of 65,550 bytes, the function alone": (2_000_000_000, 65550),
}
PROGRAM = Path(__file__).with_name("frames.c")
# What ./configure would write into config-host.h on Linux.
CONFIG = ("-DCONFIG_POSIX", "-DCONFIG_LINUX", "-DCONFIG_IOVEC")


def compile_both(environment):
    """Builds the function of the patched source, with its own code and with wiresum."""
    folder = build.patched("qemu", SOURCE)
    for name in ("config-host.h", "config-poison.h"):
        (folder / "include" / name).touch()
    built = {}
    for variant, packages, more in (
        ("theirs", ["glib-2.0"], []),
        ("ours", ["glib-2.0", "wiresum"], ["-DCONFIG_WIRESUM"]),
    ):
        built[variant] = folder / variant
        words = ["-O2", *CONFIG, *more, "-I", folder / "include", "-o", built[variant]]
        found = build.flags(environment, *packages)
        build.run("gcc", *words, PROGRAM, folder / "net/checksum.c", *found)
    return built


def links(built):
    return build.links_library(built)


def own_tests(_):
    """QEMU has no test of these functions."""
    return 0


def checks(built, _):
    """Yields the sums that are not the sums of the contract."""
    chance = random.Random(1)
    data = [bytes(n) for n in (0, 1, 2)] + [b"\xff" * n for n in (1, 2, 3, 65535)]
    data += [chance.randbytes(n) for n in (*range(200), 1460, 9001, 65535)]
    rows = [(first, some) for some in data for first in (0, 1)]
    lines = "".join(f"{first} {len(some)} {some.hex()}\n" for first, some in rows)
    printed = build.run(built, "check", input=lines, env=measure.library_path())
    found = [int(line) for line in printed.splitlines()]
    if len(found) != len(rows):
        yield f"{len(found)} sums of {len(rows)}"
    for (first, some), got in zip(rows, found):
        due = reference.sum16(bytes(first) + some)
        if got != due:
            yield f"the sum of {len(some)} bytes from byte {first} on is {got:04x}, not {due:04x}"


def figures(built, case, size):
    """Computes the checksums of frames with `size` bytes together."""
    frame = CASES[case][1]
    count = size // frame
    command = [built, "run", frame, count]
    environment = measure.library_path()
    return measure.command_figures(FUNCTIONS, command, environment, count * frame)
