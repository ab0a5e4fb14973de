# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plain loop by today's compilers: its vector loop, the instructions a byte, and by llvm-mca
the cycles a byte."""

import functools
import re
from pathlib import Path

from .. import build, mca

HERE = Path(__file__).parent
PLAIN = HERE / "plain.c"
C = build.ROOT / "c"
INCLUDE = ["-I", C / "include", "-I", C / "src"]

# target: (compilers, flags of gcc, of clang, llvm-mca's triple and processor, width, our kernel's
# (source, flags))
TARGETS = {
    "AltiVec, 7450": (
        ("powerpc-linux-gnu-gcc", "clang"),
        ["-mcpu=7450", "-maltivec"],
        ["--target=powerpc-linux-gnu", "-mcpu=7450", "-maltivec"],
        None,
        16,
        (
            HERE / "kernel.c",
            ["-DKERNEL=listing7", "-funroll-loops", "--param", "max-unroll-times=4"],
        ),
    ),
    "VSX, POWER9": (
        ("powerpc64le-linux-gnu-gcc", "clang"),
        ["-mcpu=power9"],
        ["--target=powerpc64le-linux-gnu", "-mcpu=pwr9"],
        ("powerpc64le-linux-gnu", "pwr9"),
        16,
        (
            HERE / "kernel.c",
            ["-DKERNEL=listing7", "-funroll-loops", "--param", "max-unroll-times=4"],
        ),
    ),
    "AVX2": (
        ("gcc", "clang"),
        ["-mavx2", "-mtune=haswell"],
        ["--target=x86_64-linux-gnu", "-mavx2"],
        ("x86_64", "skylake"),
        32,
        (C / "kernels" / "x86_avx2.c", INCLUDE),
    ),
    "AVX-512": (
        ("gcc", "clang"),
        ["-mavx512bw", "-mprefer-vector-width=512"],
        ["--target=x86_64-linux-gnu", "-mavx512bw", "-mprefer-vector-width=512"],
        ("x86_64", "skylake-avx512"),
        64,
        (C / "kernels" / "x86_avx512bw.c", INCLUDE),
    ),
    "NEON": (
        ("aarch64-linux-gnu-gcc", "clang"),
        [],
        ["--target=aarch64-linux-gnu"],
        ("aarch64", "neoverse-n1"),
        16,
        (C / "kernels" / "arm_neon.c", INCLUDE),
    ),
}


def loops(text):
    """The bodies of all innermost loops of an assembly text, from a label to a branch back to
    it."""
    lines, found, labels = [], [], {}
    for line in text.splitlines():
        line = re.sub(r"\s*(#|//|;).*$", "", line) if not re.match(r"\s*\.", line) else line
        if label := re.match(r"([.\w$]+):", line):
            labels[label[1]] = len(lines)
        elif re.match(r"\s+[a-z]", line):
            words = line.strip()
            lines.append(words)
            target = re.search(r"(\.?L\w+)\s*$", words)
            if target and target[1] in labels and re.match(r"(j|b|cb|tb)", words):
                start = labels[target[1]]
                if not any(a >= start for a, _ in found):
                    found.append((start, len(lines)))
    return [lines[a:b] for a, b in found]


def loaded(body, width):
    """Bytes that the vector loads of a loop read; a load may be an operand on x86."""
    total = 0
    for line in body:
        if re.match(r"(lvx|lxv|lxvx|lxvd2x|lxvw4x|lxvh8x)\b", line):
            total += 16
        elif re.match(r"ldp\s+q", line):
            total += 32
        elif re.match(r"ldp\s+d", line):
            total += 16
        elif re.match(r"lxsd|lfd|ldr\s+d", line):
            total += 8
        elif re.match(r"ldr\s+q|ld1\s+\{", line):
            total += 16
        elif (
            re.search(r"\(.*\)", line)
            and not re.search(r"\)$", line)
            and "%" in line
            and re.search(r"%[xyz]mm", line)
        ):
            # a widening load reads half of what it fills; any other all of it
            register = {"x": 16, "y": 32, "z": 64}[re.findall(r"%([xyz])mm", line)[-1]]
            total += (
                register // 2
                if "vpmovzxwd" in line
                else register // 4
                if "vpmovzxwq" in line
                else register
            )
    return total


def best(text, width):
    """The body of the vector loop with the fewest instructions a byte, which is the main one, or
    None."""
    candidates = [
        (len(body) / loaded(body, width), body) for body in loops(text) if loaded(body, width)
    ]
    return min(candidates, key=lambda c: c[0])[1] if candidates else None


def _compile(compiler, flags, source):
    return build.command(compiler, "-O3", *flags, "-w", "-S", "-o", "-", source)


def _cycles(body, model):
    if model is None:
        return None
    names = set(re.findall(r"\.?L\w+", "\n".join(body)))
    text = "\n".join([*(f"{name}:" for name in names), *body]) + "\n"
    try:
        printed = build.command(
            mca.LLVM_MCA,
            f"-mtriple={model[0]}",
            f"-mcpu={model[1]}",
            "-iterations=200",
            "-instruction-info=0",
            "-resource-pressure=0",
            input=text,
        )
    except build.BuildError:
        return None
    return int(re.search(r"Total Cycles:\s+(\d+)", printed)[1]) / 200


@functools.cache
def table():
    """[(target, who, bytes a turn, instructions a byte, cycles a byte or None)]. Without a vector
    loop the bytes are 0."""
    found = []
    for target, (compilers, gcc, clang, model, width, ours) in TARGETS.items():
        jobs = [
            (
                "clang 14" if "clang" in name else "gcc 12",
                name,
                clang if name == "clang" else gcc,
                PLAIN,
            )
            for name in compilers
        ]
        if ours:
            jobs.append(("our kernel", compilers[0], [*gcc, *ours[1]], ours[0]))
        for who, compiler, flags, source in jobs:
            body = best(_compile(compiler, flags, source), width)
            if body is None:
                found.append((target, who, 0, None, None))
                continue
            size, cycles = loaded(body, width), _cycles(body, model)
            found.append((target, who, size, len(body) / size, cycles / size if cycles else None))
    return found
