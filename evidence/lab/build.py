# SPDX-License-Identifier: MIT OR Apache-2.0
"""Assembles, compiles and links kernels into build/lab/, once for each content of sources, flags
and compiler."""

import functools
import hashlib
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "lab"

# The address to which images for Unicorn are linked. Stack, data and the return address lie
# elsewhere (evidence/lab/trace/cpu.py).
TEXT = 0x10000

COMPILERS = {  # target: the compiler, and the flags that make it emit for a bare machine
    "ppc": (
        "powerpc-linux-gnu-gcc",
        "-m32 -fno-pic -no-pie -fno-stack-protector -fno-asynchronous-unwind-tables",
    ),
    "ppc64": ("powerpc64-linux-gnu-gcc", "-fno-stack-protector -fno-asynchronous-unwind-tables"),
    "arm": ("arm-none-eabi-gcc", "-marm -fno-pic -mfloat-abi=soft"),
    "x86": ("gcc", "-fno-asynchronous-unwind-tables"),
}


class BuildError(Exception):
    pass


def command(*words, **options):
    """Runs a command and returns its stdout. A failure shows the command line and all of stderr."""
    words = [str(word) for word in words]
    ran = subprocess.run(words, capture_output=True, text=True, **options)
    if ran.returncode:
        raise BuildError(
            f"{shlex.join(words)}: exit status {ran.returncode}\n{ran.stderr}{ran.stdout}"
        )
    return ran.stdout


@functools.cache
def version(target):
    """The compiler of a target and its version, in one line: generated code depends on it."""
    return command(COMPILERS[target][0], "--version").splitlines()[0]


@dataclass(frozen=True)
class Image:
    """Linked code for a bare machine: its bytes from TEXT on, and its global symbols' addresses."""

    path: Path
    code: bytes
    symbols: dict
    sizes: dict  # bytes of a function, where the source says (.size; compilers do)


def _key(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else str(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def _output(target, sources, flags, suffix):
    compiler, base = COMPILERS[target]
    # Headers next to a source count as part of it.
    texts = [
        path.read_bytes()
        for source in sources
        for path in (Path(source), *sorted(Path(source).parent.glob("*.h")))
    ]
    BUILD.mkdir(parents=True, exist_ok=True)
    name = f"{Path(sources[0]).stem}-{_key(version(target), base, flags, suffix, *texts)}{suffix}"
    return [compiler, *base.split(), *shlex.split(flags)], BUILD / name


def _make(path, words):
    if not path.exists():
        scratch = path.with_suffix(path.suffix + ".new")
        command(*words, "-o", scratch)
        scratch.rename(path)
    return path


def image(target, *sources, flags="-O2"):
    """The sources (C or assembly), linked at TEXT for a machine without an operating system."""
    compile_, path = _output(target, sources, flags, ".elf")
    _make(
        path,
        [
            *compile_,
            "-nostdlib",
            "-static",
            "-Wl,--build-id=none",
            f"-Wl,-Ttext={TEXT:#x}",
            "-Wl,-e,0",
            *sources,
            "-lgcc",
        ],
    )
    return _load(compile_[0].removesuffix("gcc"), path)


@functools.cache
def _load(prefix, path):
    flat = path.with_suffix(".bin")
    if not flat.exists():
        command(prefix + "objcopy", "-O", "binary", path, flat)
    symbols, sizes = {}, {}
    for line in command(prefix + "nm", "--defined-only", "-S", path).splitlines():
        *numbers, _kind, name = line.split()
        symbols[name] = int(numbers[0], 16)
        if len(numbers) > 1:
            sizes[name] = int(numbers[1], 16)
    return Image(path, flat.read_bytes(), symbols, sizes)


def program(target, *sources, flags="-O2"):
    """The sources as a static program for qemu-user; its path."""
    compile_, path = _output(target, sources, flags, "")
    return _make(path, [*compile_, "-static", *sources])


def library(*sources, flags="-O2"):
    """The sources as a shared library for this machine, for ctypes; its path."""
    compile_, path = _output("x86", sources, flags, ".so")
    return _make(path, [*compile_, "-shared", "-fPIC", *sources])


def assembly(target, source, flags="-O2"):
    """One C file compiled to assembly text."""
    compile_, path = _output(target, [source], flags, ".s")
    return _make(path, [*compile_, "-S", source]).read_text()


def disassembly(target, path, symbol=None):
    """objdump of an image's or program's path, of one function or all."""
    objdump = COMPILERS[target][0].removesuffix("gcc") + "objdump"
    chosen = [f"--disassemble={symbol}"] if symbol else ["-d"]
    return command(objdump, "--no-show-raw-insn", *chosen, path)
