# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every machine that the tests run the C library on: how to build for it, and its CPU models.

A target is built once, and the same programs run on each of its CPU models. `has` lists the kernels
that a model must run; the first of them must be the one that the library chooses. The library must
report every other kernel of the target as unsupported, and must refuse to be forced to it. run.py
checks all of that, and evidence/bench/instructions counts on the same models.

No target has a flag that names instructions: the kernels ask for them function by function, and the
library finds out at run time. WebAssembly is the exception, because a module has SIMD or has not;
`-static` only saves the emulators from looking for shared libraries.
"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from . import native

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "cross"
VENV = ROOT / "build" / "venv"
ZIG = "ziglang==0.17.0"
WASMTIME = "wasmtime==50.0.1"


@dataclass
class Cpu:
    """A CPU model of an emulator, or this CPU, where `run` is empty."""

    name: str  # as the tables show it
    run: list  # the words before the program
    has: list  # the kernels that it can run, best first
    vector_bits: int = 0  # where the vector length is the machine's to choose

    @property
    def runs(self):
        """The kernels that must run on it: `has`, less what a mask hides."""
        return [kernel for kernel in self.has if kernel not in native.hidden()]


@dataclass
class Target:
    name: str
    about: str  # for the README: instruction set, byte order
    compiler: list
    needs: list  # as in ./check
    cpus: list
    flags: list = field(default_factory=list)
    only_native: list = field(default_factory=list)  # kernels built, that no emulator runs
    thin: int = 40  # one cell of the large grids in so many, because emulators are slow
    # kernel → flags with which the compiler's own loop may use the same instructions
    rivals: dict = field(default_factory=dict)
    # sources to link with the tests, around a fault of an emulator
    beside: list = field(default_factory=list)
    counted: bool = True  # by evidence/bench/instructions, too
    # whether more than 4 GiB go through portable, too: slow on a CPU where it loads bytes
    portable_huge: bool = True

    @property
    def kernels(self):
        """All kernels that the target builds."""
        seen = [kernel for cpu in self.cpus for kernel in cpu.has] + self.only_native
        return list(dict.fromkeys(seen))


def kernel_list():
    """c/src/kernel_list.h: kernel → (instruction, idea)."""
    text = (ROOT / "c/src/kernel_list.h").read_text()
    row = r'^KERNEL(?:_THAT_FOLDS)?\(\s*(\w+),[^"]*"([^"]*)",\s*"([^"]*)"\)'
    return {name: (word, idea) for name, word, idea in re.findall(row, text, re.M)}


def why_not(kernel):
    """Why a kernel did not run here."""
    if kernel in native.ONLY_NATIVE:
        return f"no emulator has it, and this CPU lacks {native.ONLY_NATIVE[kernel][1]}"
    return "no CPU model of the targets has it"


def qemu(machine, model):
    return [f"qemu-{machine}", "-cpu", model]


# Debian 12's QEMU 7.2 sums wrongly with VCKSM (its words 1 0 0 0 make 8) and has no LSX. The QEMU
# of Debian's backports has both right. ./check unpacks it here and leaves the installed one alone,
# because the newer one is linked statically and therefore takes no plugins to count with.
BACKPORTS = ROOT / "build" / "backports"
NEWER = "backports:qemu-user"


def newer_qemu(machine, model):
    unpacked = BACKPORTS / "usr/bin" / f"qemu-{machine}"
    return [str(unpacked) if unpacked.exists() else f"qemu-{machine}", "-cpu", model]


def have_newer_qemu():
    """Whether the QEMU unpacked here, or else the one in the path, is new enough."""
    command = [newer_qemu("s390x", "")[0], "--version"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return False
    version = re.search(r"version (\d+)", shown)
    return version is not None and int(version.group(1)) >= 9


def gcc(triple):
    return [f"{triple}-gcc"]


def zig(triple, *flags):
    python = str(VENV / "bin" / "python3")
    return [python, str(ROOT / "c/tests/cross/zig.py"), "-target", triple, *flags]


# Kernels whose vectors are as long as the machine's.
ANY_LENGTH = ["arm_sve", "riscv_v"]


def this_cpu(builds, always):
    """This CPU as one more CPU model of an x86-64 target: with the kernels of `builds` that it can
    run, and the kernels of `always`."""
    if os.uname().machine != "x86_64" or sys.platform != "linux":
        return []
    return [Cpu("this CPU", [], [k for k in builds if k in native.kernels()] + always)]


# Node 20 crashes at the end of one in 40 programs whose memory has grown by much, unless V8
# compiles in the program's own thread.
NODE = [
    "node",
    "--no-warnings",
    "--single-threaded",
    str(ROOT / "c/tests/cross/wasi.mjs"),
]

AARCH64_NEON = ["arm_neon", "portable"]
AARCH64_SVE = ["arm_sve", "arm_neon", "portable"]
ARM_A32 = ["arm_a32", "portable"]
ARM_NEON = ["arm_neon", "arm_a32", "portable"]
PPC = ["ppc_scalar", "portable"]
PPC_ALTIVEC = ["ppc_altivec", "ppc_scalar", "portable"]
PPC_VSX = ["ppc_vsx", "ppc_altivec", "ppc_scalar", "portable"]
RISCV = ["riscv_scalar", "portable"]
RISCV_V = ["riscv_v", "riscv_scalar", "portable"]
S390X = ["s390x_cksm", "portable"]
S390X_VX = ["s390x_vx", "s390x_cksm", "portable"]
X86_64 = ["x86_sse2", "x86_adc", "portable"]
X86_64_AVX2 = ["x86_avx2", *X86_64]
# GCC 12 does not know AVX-VNNI-INT16.
ONLY_NATIVE_GCC = [kernel for kernel in native.ONLY_NATIVE if kernel != "x86_vnni_int16"]

TARGETS = [
    Target(
        "aarch64",
        "ARM, 64 bit",
        gcc("aarch64-linux-gnu"),
        ["qemu-aarch64", "apt:gcc-aarch64-linux-gnu", "apt:libc6-dev-arm64-cross"],
        [
            Cpu("cortex-a53", qemu("aarch64", "cortex-a53"), AARCH64_NEON),
            Cpu("cortex-a72", qemu("aarch64", "cortex-a72"), AARCH64_NEON),
            Cpu("neoverse-n1", qemu("aarch64", "neoverse-n1"), AARCH64_NEON),
            Cpu("a64fx", qemu("aarch64", "a64fx,sve-default-vector-length=64"), AARCH64_SVE, 512),
            *[
                Cpu(
                    "max",
                    qemu("aarch64", f"max,sve-default-vector-length={bits // 8}"),
                    AARCH64_SVE,
                    bits,
                )
                for bits in (128, 256, 512, 2048)
            ],
        ],
        flags=["-static"],
        rivals={
            "arm_neon": ["-O3"],
            "arm_sve": ["-O3", "-march=armv8-a+sve", "--param=aarch64-autovec-preference=2"],
        },
    ),
    Target(
        "aarch64_be",
        "ARM, 64 bit, big-endian",
        zig("aarch64_be-linux-musl"),
        ["qemu-aarch64_be", "pip:" + ZIG],
        [
            Cpu("cortex-a72", qemu("aarch64_be", "cortex-a72"), AARCH64_NEON),
            Cpu("max", qemu("aarch64_be", "max"), AARCH64_NEON),
        ],
        flags=["-static"],
        rivals={"arm_neon": ["-O3"]},
    ),
    Target(
        "armel",
        "ARM, 32 bit, no floating point",
        gcc("arm-linux-gnueabi"),
        ["qemu-arm", "apt:gcc-arm-linux-gnueabi", "apt:libc6-dev-armel-cross"],
        [Cpu("arm926", qemu("arm", "arm926"), ARM_A32)],
        flags=["-static"],
        rivals={"arm_a32": ["-O3"]},
        portable_huge=False,
    ),
    Target(
        "armhf",
        "ARM, 32 bit",
        gcc("arm-linux-gnueabihf"),
        ["qemu-arm", "apt:gcc-arm-linux-gnueabihf", "apt:libc6-dev-armhf-cross"],
        [
            Cpu("cortex-a9 without NEON", qemu("arm", "cortex-a9,neon=off"), ARM_A32),
            Cpu("cortex-a8", qemu("arm", "cortex-a8"), ARM_NEON),
            Cpu("max", qemu("arm", "max"), ARM_NEON),
        ],
        flags=["-static"],
        rivals={"arm_a32": ["-O3"], "arm_neon": ["-O3", "-mfpu=neon"]},
        portable_huge=False,
    ),
    Target(
        "ppc",
        "PowerPC, 32 bit, big-endian",
        gcc("powerpc-linux-gnu"),
        ["qemu-ppc", "apt:gcc-powerpc-linux-gnu", "apt:libc6-dev-powerpc-cross"],
        [
            Cpu("750 (G3)", qemu("ppc", "750"), PPC),
            Cpu("7450 (G4)", qemu("ppc", "7450"), PPC_ALTIVEC),
            Cpu("7455 (G4)", qemu("ppc", "7455"), PPC_ALTIVEC),
        ],
        flags=["-static"],
        rivals={"ppc_scalar": ["-O3"], "ppc_altivec": ["-O3", "-mcpu=7450", "-maltivec"]},
    ),
    Target(
        "ppc64",
        "PowerPC, 64 bit, big-endian",
        gcc("powerpc64-linux-gnu"),
        ["qemu-ppc64", "apt:gcc-powerpc64-linux-gnu", "apt:libc6-dev-ppc64-cross"],
        [
            Cpu("power5+", qemu("ppc64", "power5+"), PPC),
            Cpu("970 (G5)", qemu("ppc64", "970"), PPC_ALTIVEC),
            Cpu("power8", qemu("ppc64", "power8"), PPC_VSX),
            Cpu("power9", qemu("ppc64", "power9"), PPC_VSX),
        ],
        flags=["-static"],
        beside=["c/tests/cross/memset.c"],
        rivals={
            "ppc_scalar": ["-O3"],
            "ppc_altivec": ["-O3", "-mcpu=970"],
            "ppc_vsx": ["-O3", "-mcpu=power8"],
        },
    ),
    Target(
        "ppc64le",
        "PowerPC, 64 bit, little-endian",
        gcc("powerpc64le-linux-gnu"),
        ["qemu-ppc64le", "apt:gcc-powerpc64le-linux-gnu", "apt:libc6-dev-ppc64el-cross"],
        [
            Cpu("power8", qemu("ppc64le", "power8"), PPC_VSX),
            Cpu("power9", qemu("ppc64le", "power9"), PPC_VSX),
            Cpu("power10", qemu("ppc64le", "power10"), PPC_VSX),
        ],
        flags=["-static"],
        rivals={
            "ppc_scalar": ["-O3", "-mno-vsx", "-mno-altivec"],
            "ppc_altivec": ["-O3", "-mno-vsx"],
            "ppc_vsx": ["-O3"],
        },
    ),
    Target(
        "riscv64",
        "RISC-V, 64 bit",
        gcc("riscv64-linux-gnu"),
        ["qemu-riscv64", "apt:gcc-riscv64-linux-gnu", "apt:libc6-dev-riscv64-cross"],
        [
            Cpu("rv64", qemu("riscv64", "rv64,v=false"), RISCV),
            Cpu(
                "rv64 without Zbb",
                qemu("riscv64", "rv64,v=false,zba=false,zbb=false,zbc=false,zbs=false"),
                RISCV,
            ),
            *[
                Cpu(
                    "rv64 with V",
                    qemu(
                        "riscv64",
                        f"rv64,v=true,vext_spec=v1.0,vlen={bits},"
                        "rvv_ta_all_1s=true,rvv_ma_all_1s=true",
                    ),
                    RISCV_V,
                    bits,
                )
                for bits in (128, 256, 512, 1024)
            ],
        ],
        flags=["-static"],
        rivals={"riscv_scalar": ["-O3"]},
    ),
    Target(
        "s390x",
        "IBM Z, big-endian",
        gcc("s390x-linux-gnu"),
        [NEWER, "apt:gcc-s390x-linux-gnu", "apt:libc6-dev-s390x-cross"],
        [
            Cpu("z900", newer_qemu("s390x", "z900"), S390X),
            Cpu("max", newer_qemu("s390x", "max"), S390X_VX),
        ],
        flags=["-static"],
        rivals={"s390x_cksm": ["-O3"], "s390x_vx": ["-O3", "-march=z13"]},
    ),
    Target(
        "i386",
        "x86, 32 bit",
        gcc("i686-linux-gnu"),
        ["qemu-i386", "apt:gcc-i686-linux-gnu", "apt:libc6-dev-i386-cross"],
        [
            Cpu("pentium2", qemu("i386", "pentium2"), ["portable"]),
            Cpu("coreduo", qemu("i386", "coreduo"), ["x86_sse2", "portable"]),
            *this_cpu([], ["x86_sse2", "portable"]),
        ],
        flags=["-static"],
        rivals={"x86_sse2": ["-O3", "-msse2"]},
    ),
    Target(
        "x86_64",
        "x86, 64 bit",
        gcc("x86_64-linux-gnu"),
        ["qemu-x86_64", "gcc"],
        [
            Cpu("Nehalem", qemu("x86_64", "Nehalem"), X86_64),
            Cpu("Haswell", qemu("x86_64", "Haswell"), X86_64_AVX2),
            *this_cpu([*ONLY_NATIVE_GCC, "x86_avx2"], X86_64),
        ],
        flags=["-static"],
        only_native=ONLY_NATIVE_GCC,
        rivals={
            "x86_adc": ["-O3", "-fno-tree-vectorize"],
            "x86_sse2": ["-O3"],
            "x86_avx2": ["-O3", "-mavx2"],
            "x86_avx512bw": ["-O3", "-mavx512f", "-mavx512bw", "-mavx512vl"],
            "x86_avx512vnni": ["-O3", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512vnni"],
        },
    ),
    Target(
        "x86_64-clang",
        "x86, 64 bit, with Clang",
        zig("x86_64-linux-musl", "-mcpu=baseline"),
        ["qemu-x86_64", "pip:" + ZIG],
        [
            Cpu("Haswell", qemu("x86_64", "Haswell"), X86_64_AVX2),
            *this_cpu([*native.ONLY_NATIVE, "x86_avx2"], X86_64),
        ],
        flags=["-static"],
        only_native=list(native.ONLY_NATIVE),
        counted=False,
    ),
    Target(
        "wasm",
        "WebAssembly with SIMD",
        zig("wasm32-wasi", "-mcpu=generic+simd128"),
        ["node", "pip:" + ZIG, "pip:" + WASMTIME],
        [
            Cpu(
                "wasmtime",
                [str(VENV / "bin/python3"), str(ROOT / "c/tests/cross/wasi.py")],
                ["wasm_simd128", "portable"],
            ),
            Cpu("node", NODE, ["wasm_simd128", "portable"]),
        ],
        rivals={"wasm_simd128": ["-O3"]},
    ),
    Target(
        "wasm-plain",
        "WebAssembly without SIMD",
        zig("wasm32-wasi", "-mcpu=generic"),
        ["node", "pip:" + ZIG, "pip:" + WASMTIME],
        [
            Cpu(
                "wasmtime",
                [str(VENV / "bin/python3"), str(ROOT / "c/tests/cross/wasi.py")],
                ["portable"],
            ),
            Cpu("node", NODE, ["portable"]),
        ],
        counted=False,
    ),
    Target(
        "loongarch64",
        "LoongArch, 64 bit",
        zig("loongarch64-linux-musl", "-mcpu=baseline-lsx"),
        [NEWER, "pip:" + ZIG],
        [
            Cpu("la464 without LSX", newer_qemu("loongarch64", "la464,lsx=off"), ["portable"]),
            Cpu("la464", newer_qemu("loongarch64", "la464"), ["loongarch_lsx", "portable"]),
        ],
        flags=["-static"],
    ),
]
# GCC 12 vectorizes no loop for RISC-V; Clang does.
RIVAL_COMPILERS = {
    "riscv_v": (zig("riscv64-linux-musl", "-mcpu=generic_rv64+m+a+f+d+c+v"), ["-O3"]),
    "loongarch_lsx": (zig("loongarch64-linux-musl", "-mcpu=baseline"), ["-O3"]),
}


def rivals(target):
    """kernel → (compiler, flags) of the plain loop that the kernel has to beat."""
    own = {kernel: (target.compiler, flags) for kernel, flags in target.rivals.items()}
    return own | {
        kernel: how for kernel, how in RIVAL_COMPILERS.items() if kernel in target.kernels
    }


BY_NAME = {target.name: target for target in TARGETS}


def missing(target, extra=()):
    """What is not installed of what the target needs."""
    words = [target.compiler[0], *(cpu.run[0] for cpu in target.cpus if cpu.run), *extra]
    return sorted({word for word in words if shutil.which(word) is None})


def workers():
    return max(1, len(os.sched_getaffinity(0)))


def compile_one(target, source, to, flags):
    include = ["-I", str(ROOT / "c/include")]
    command = [*target.compiler, "-std=c11", *flags, *target.flags, *include]
    command += ["-c", str(source), "-o", str(to)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0 or done.stderr.strip():
        print(" ".join(command), done.stderr, sep="\n", file=sys.stderr)
    if done.returncode != 0:
        raise SystemExit(f"{target.name}: {source} does not compile")
    return to


def library_sources():
    return sorted((ROOT / "c/src").glob("*.c")) + sorted((ROOT / "c/kernels").glob("*.c"))


def build(target, folder, sources, flags):
    """Compiles each (source, extra flags[, name of the object]); returns the objects."""
    folder.mkdir(parents=True, exist_ok=True)

    def compile_item(item):
        source, extra, name = (*item, Path(item[0]).stem + ".o")[:3]
        return compile_one(target, source, folder / name, [*flags, *extra])

    with ThreadPoolExecutor(workers()) as pool:
        return list(pool.map(compile_item, sources))


def link(target, objects, to, flags=()):
    # Clang's WebAssembly linker knows no -static, and needs no threads library.
    threads = [] if target.name.startswith("wasm") else ["-pthread"]
    command = [*target.compiler, *target.flags, *map(str, objects), *threads, *flags, "-o", str(to)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        raise SystemExit(f"{target.name}: {' '.join(command)}\n{done.stderr}")
    return to
