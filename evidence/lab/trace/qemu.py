# SPDX-License-Identifier: MIT OR Apache-2.0
"""A whole program under qemu-user, with the steps of one of its functions: for processors that
Unicorn lacks."""

import re
import shutil
import tempfile
from pathlib import Path

from ..build import COMPILERS, command, library
from . import Step

_PLUGIN = Path(__file__).with_name("plugin.c")
_EMULATORS = {
    "ppc": ("qemu-ppc", "big"),
    "ppc64": ("qemu-ppc64", "big"),
    "arm": ("qemu-arm", "little"),
}


def _window(target, program, symbol):
    """The addresses of a function's code: objdump labels it, where nm has descriptors (64-bit
    PowerPC, ELFv1)."""
    objdump = COMPILERS[target][0].removesuffix("gcc") + "objdump"
    lines = command(objdump, "-d", "--no-show-raw-insn", program).splitlines()
    start = next(
        n
        for n, line in enumerate(lines)
        if re.fullmatch(rf"[0-9a-f]+ <\.?{re.escape(symbol)}>:", line)
    )
    end = next(
        (n for n in range(start + 1, len(lines)) if re.match(r"[0-9a-f]+ <", lines[n])), len(lines)
    )
    addresses = [
        int(m[1], 16) for m in map(re.compile(r"\s+([0-9a-f]+):\t").match, lines[start:end]) if m
    ]
    return addresses[0], addresses[-1] + 4


def run(target, program, symbol, arguments=(), cpu=None, stdin=b""):
    """Runs a static program. Returns its output and the steps inside `symbol`."""
    emulator, order = _EMULATORS[target]
    low, high = _window(target, program, symbol)
    with tempfile.TemporaryDirectory() as folder:
        out, given = Path(folder) / "trace", Path(folder) / "stdin"
        given.write_bytes(stdin)
        (Path(folder) / "program").symlink_to(Path(program).resolve())
        plugin = f"{library(_PLUGIN)},low={low:x},high={high:x},order={order},out={out}"
        with open(given) as file:
            # The program's name and the environment lie on its stack and move the addresses of its
            # data, which a model of a cache sees. So both are the same on every machine.
            printed = command(
                shutil.which(emulator) or emulator,
                *(["-cpu", cpu] if cpu else []),
                "-plugin",
                plugin,
                "./program",
                *arguments,
                stdin=file,
                cwd=folder,
                env={"QEMU_LD_PREFIX": "/"},
            )
        steps = []
        with open(out) as lines:
            for line in lines:
                kind, *numbers = line.split()
                if kind == "I":
                    steps.append(Step(int(numbers[0], 16), int(numbers[1], 16), None))
                elif (
                    steps[-1].address is None
                ):  # later accesses of one instruction: lvx comes as two halves, lmw as words
                    steps[-1] = steps[-1]._replace(address=int(numbers[0], 16))
    return printed, steps
