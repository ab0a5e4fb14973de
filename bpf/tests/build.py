# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles the BPF programs and the program that tests them, and boots kernels in QEMU."""

import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BPF = ROOT / "bpf"
BUILD = ROOT / "build/bpf"
KERNELS = ROOT / "build/kernels"
SOURCES = [*sorted(BPF.glob("*.bpf.c")), BPF / "tests/functions.bpf.c"]
RUN = BUILD / "run"
# <linux/bpf.h> includes headers of the machine, which clang does not look for where it compiles
# for BPF.
HEADERS = f"/usr/include/{sysconfig.get_config_var('MULTIARCH')}"


def compile_bpf(source, to):
    flags = ["-O2", "-g", "-Wall", "-Wextra", "-Werror", "-target", "bpf", f"-I{HEADERS}"]
    subprocess.run(["clang", *flags, "-c", source, "-o", to], check=True)
    return to


def build():
    """Compiles everything. Returns the objects."""
    BUILD.mkdir(parents=True, exist_ok=True)
    vectors = [sys.executable, "spec/make_vectors.py", "--c", BUILD / "vectors.h"]
    subprocess.run(vectors, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    # Static, because the same program is /init of the virtual machines.
    flags = ["-O2", "-Wall", "-Wextra", "-static", f"-I{BUILD}"]
    libraries = ["-lbpf", "-lelf", "-lz"]
    subprocess.run(["cc", *flags, BPF / "tests/run.c", "-o", RUN, *libraries], check=True)
    return [compile_bpf(source, BUILD / f"{source.stem}.o") for source in SOURCES]


def cpio(files):
    """An archive in the format of an initramfs (newc): names, modes and bytes."""
    archive = b""
    for number, (name, mode, data) in enumerate([*files, ("TRAILER!!!", 0, b"")]):
        words = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        head = b"070701" + b"".join(b"%08X" % word for word in words) + name.encode() + b"\0"
        archive += head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)
    return archive


def kernel(package):
    """The kernel of an unpacked Debian package, or None."""
    return next(iter(sorted((KERNELS / package / "boot").glob("vmlinuz-*"))), None)


def boot(image, objects, steps):
    """Boots a kernel, whose only program is `run` with each of some lists of arguments. Returns
    what it prints. The emulated CPU needs no rights, and works where KVM would hang, in a guest."""
    files = [("init", 0o100755, RUN.read_bytes()), ("steps", 0o100644, steps.encode())]
    files += [(path.name, 0o100644, path.read_bytes()) for path in objects]
    initramfs = BUILD / f"{image.name}.cpio"
    initramfs.write_bytes(cpio(files))
    machine = "qemu-system-x86_64 -accel tcg -cpu max -m 512 -nodefaults -display none -no-reboot"
    command = [*shlex.split(machine), "-serial", "stdio", "-kernel", image, "-initrd", initramfs]
    ran = subprocess.run(
        [*command, "-append", "console=ttyS0 quiet panic=-1 no_timer_check"],
        capture_output=True,
        text=True,
        timeout=150,
    )
    return ran.stdout + ran.stderr


def loaded(text):
    """The programs that `run load` names, with the instructions that the verifier processed."""
    rows = re.findall(r"^loaded (\S+) (\S+) (\d+)\s*$", text, re.M)
    return {(file, name): int(processed) for file, name, processed in rows}


def release(text):
    """The kernel that `run` names."""
    return re.search(r"^kernel (\S+)", text, re.M)[1]
