# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that no x86 kernel returns with a vector register in use that slows down its caller.

    python3 c/tests/abi/registers.py gcc clang

A function that writes one of the registers 0 to 15 with an instruction of AVX has to execute
vzeroupper before it returns (Intel 64 and IA-32 Architectures Optimization Reference Manual, on
mixing AVX code with SSE code). If it does not, the SSE instructions of its caller take hundreds of
cycles on some CPUs, and so does its own next call. No test of sums sees this.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = sorted(Path(__file__).resolve().parents[2].glob("kernels/x86_*.c"))
FUNCTION = re.compile(r"[0-9a-f]+ <(.+)>:$")
AVX = re.compile(r"v.*%[xyz]mm(?:[0-9]|1[0-5])\b")


def functions(compiler, kernel):
    """{name: instructions} of a kernel's functions, as objdump shows them."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "kernel.o")
        subprocess.run([compiler, "-O2", "-c", kernel, "-o", out], check=True)
        shown = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", out],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    found, instructions = {}, []
    for line in shown.splitlines():
        if name := FUNCTION.match(line):
            instructions = found[name[1]] = []
        elif "\t" in line:
            instructions.append(line.split("\t", 1)[1])
    return found


def main(compilers):
    checked, wrong = 0, []
    for compiler in compilers:
        for kernel in KERNELS:
            for name, instructions in functions(compiler, kernel).items():
                checked += 1
                lower = [one for one in instructions if AVX.match(one)]
                if lower and not any(one.startswith("vzeroupper") for one in instructions):
                    wrong.append(
                        f"{compiler}, {kernel.name}: {name} ends without vzeroupper, but "
                        f"has {lower[0]}"
                    )
    if not checked:
        wrong.append("no function was checked")
    print("\n".join(wrong) or f"{checked} functions leave no register in use")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
