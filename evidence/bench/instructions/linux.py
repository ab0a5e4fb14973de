# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prepares the Linux kernel's own checksum code of each machine as a rival for count.py.

    python3 -m evidence.bench.instructions.linux
        takes the code from Debian's package linux-source-6.12 (apt-get install
        linux-source-6.12, 150 MB) into build/linux

The code is under the GPL. This program builds and runs it at bench time, and no line of it is in
this project; evidence/bench/results/instructions has its counts. A machine that CODE does not name
has no code of its own in Linux: there Linux uses the plain C of lib/checksum.c.
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from c.tests.cross import targets as cross

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = ROOT / "build/linux"
VERSION = "linux-source-6.12"
TARBALL = Path(f"/usr/src/{VERSION}.tar.xz")


@dataclass
class Code:
    source: str
    function: str
    flags: list = field(default_factory=list)
    headers: list = field(default_factory=list)  # those that the code needs as they are
    runs_with: str = "portable"  # runs on the CPU models that have this kernel


CODE = {
    "aarch64": Code("arch/arm64/lib/csum.c", "do_csum"),
    "armel": Code("arch/arm/lib/csumpartial.S", "csum_partial", ["-marm"]),
    "armhf": Code("arch/arm/lib/csumpartial.S", "csum_partial", ["-marm"]),
    "ppc": Code("arch/powerpc/lib/checksum_32.S", "__csum_partial", ["-Wa,-mregnames"]),
    "ppc64": Code("arch/powerpc/lib/checksum_64.S", "__csum_partial", ["-Wa,-mregnames"]),
    "ppc64le": Code("arch/powerpc/lib/checksum_64.S", "__csum_partial", ["-Wa,-mregnames"]),
    "riscv64": Code("arch/riscv/lib/csum.c", "do_csum"),
    "s390x": Code(
        "arch/s390/lib/csum-partial.c",
        "csum_partial",
        ["-march=z13"],
        [
            "arch/s390/include/asm/checksum.h",
            "arch/s390/include/asm/fpu-insn.h",
            "arch/s390/include/asm/fpu-insn-asm.h",
        ],
        "s390x_vx",
    ),
    "i386": Code("arch/x86/lib/checksum_32.S", "csum_partial", ["-DCONFIG_X86_USE_PPRO_CHECKSUM"]),
    "x86_64": Code("arch/x86/lib/csum-partial_64.c", "csum_partial"),
}


def prepared(target):
    """The objects to link, if main() has run here."""
    objects = [BUILD / target.name / "linux.o", BUILD / target.name / "rival.o"]
    return objects if all(path.exists() for path in objects) else []


def stub_headers(source, include, real):
    """For each header that the source includes, one that includes shim.h instead."""
    for name in re.findall(r"#include <([\w/.-]+)>", source.read_text()):
        path = include / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name in real:
            path.write_text(real[name])
            continue
        path.write_text(
            '#include "shim.h"\n'
            if not name == "asm/fpu.h"
            else '#include "shim.h"\n#include <asm/fpu-insn.h>\n'
        )


def prepare(target, code):
    folder = BUILD / target.name
    include = folder / "include"
    include.mkdir(parents=True, exist_ok=True)
    for path in ("linux.o", "rival.o"):
        (folder / path).unlink(missing_ok=True)
    real = {name.split("include/", 1)[1]: (BUILD / name).read_text() for name in code.headers}
    for name in code.headers:
        stub_headers(BUILD / name, include, real)
    stub_headers(BUILD / code.source, include, real)
    for name, text in real.items():
        (include / name).parent.mkdir(parents=True, exist_ok=True)
        (include / name).write_text(text)
    source = BUILD / code.source
    if (
        target.name == "i386"
    ):  # a macro with an argument after a blank, which the C preprocessor cannot take
        source = folder / "linux.S"
        source.write_text(
            re.sub(r"JMP_NOSPEC (\w+)", r"jmp *%\1", (BUILD / code.source).read_text())
        )
    common = [
        *target.compiler,
        "-O2",
        "-std=gnu11",
        "-w",
        f"-I{include}",
        f"-Wa,-I{include}",
        f"-I{HERE / 'linux'}",
        *target.flags,
    ]
    shapes = ["-DDO_CSUM"] if code.function == "do_csum" else [f"-DFUNCTION={code.function}"]
    for command in (
        [*common, *code.flags, "-c", str(source), "-o", str(folder / "linux.o")],
        [*common, *shapes, "-c", str(HERE / "linux/rival.c"), "-o", str(folder / "rival.o")],
    ):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{target.name}: {' '.join(command)}\n{done.stderr[:2000]}", file=sys.stderr)
            return False
    return True


def main():
    if not TARBALL.exists():
        print(f"linux.py: {TARBALL} is missing: apt-get install {VERSION}", file=sys.stderr)
        return 2
    files = sorted({name for code in CODE.values() for name in [code.source, *code.headers]})
    BUILD.mkdir(parents=True, exist_ok=True)
    if not all((BUILD / name).exists() for name in files):
        subprocess.run(
            [
                "tar",
                "xf",
                str(TARBALL),
                "-C",
                str(BUILD),
                "--strip-components=1",
                *(f"{VERSION}/{name}" for name in files),
            ],
            check=True,
        )
    right = True
    for name, code in CODE.items():
        target = cross.BY_NAME[name]
        if cross.missing(target):
            print(f"{name}: not installed: {' '.join(cross.missing(target))}")
            continue
        if prepare(target, code):
            print(f"{name}: {code.source}")
        else:
            right = False
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
