# SPDX-License-Identifier: MIT OR Apache-2.0
"""llvm-mca on a loop of an image: its cycles by LLVM's model of a current processor."""

import functools
import re

from .build import command, disassembly

LLVM_MCA = "llvm-mca-22"


@functools.cache
def version():
    # "Debian LLVM version 14.0.6"
    return "llvm-mca " + re.search(r"LLVM version (\S+)", command(LLVM_MCA, "--version"))[1]


def loop(target, image, begin, end, triple, cpu, turns=200):
    """Cycles of one turn of the loop between two symbols, in the long run."""
    low, high = image.symbols[begin], image.symbols[end]
    lines = []
    for line in disassembly(target, image.path).splitlines():
        found = re.match(r"\s+([0-9a-f]+):\t(\S+)\s*(.*)", line)
        if found and low <= int(found[1], 16) < high:
            operands = re.sub(r"[0-9a-f]+ <\S+>$", "turn", found[3])
            if target.startswith("ppc"):  # LLVM wants numbers for registers on all but Darwin
                operands = re.sub(r"\b(?:cr|[rfv])(\d+)\b", r"\1", operands)
                if found[2] in ("beq", "bne", "blt", "bge", "bgt", "ble") and operands == "turn":
                    operands = "0, turn"  # nor does it take the condition field for granted
            lines.append(f"{found[2]} {operands}")
    text = "turn:\n" + "\n".join(lines) + "\n"
    printed = command(
        LLVM_MCA,
        f"-mtriple={triple}",
        f"-mcpu={cpu}",
        f"-iterations={turns}",
        "-instruction-info=0",
        "-resource-pressure=0",
        input=text,
    )
    return int(re.search(r"Total Cycles:\s+(\d+)", printed)[1]) / turns
