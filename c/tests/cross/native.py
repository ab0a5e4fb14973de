# SPDX-License-Identifier: MIT OR Apache-2.0
"""The CPU that the tests run on: its family, the kernels that it can run, and masks that hide some.

WIRESUM_TEST_CPU names a mask: the tests then treat this CPU as if it had no more than the mask lets
through. A mask works at build time (WIRESUM_HIDE_CPU_FEATURES of c/src/cpu_features.h), because the
library never reads the environment. ./check passes it on to every part.
"""

import os
import re
import sys
from pathlib import Path

# mask → (the CPU features that it lets through, as /proc/cpuinfo names them; the features that the
# library hides, as c/src/cpu_features.h names them)
MASKS = {
    "avx-vnni": ({"avx2", "bmi2", "avx_vnni"}, "AVX512 AVX512VNNI"),
    "avx2": ({"avx2", "bmi2"}, "AVX512 AVX512VNNI AVXVNNI VNNI_INT16"),
    "sse2": (set(), "AVX2 AVX512 AVX512VNNI AVXVNNI VNNI_INT16"),
}
VARIABLE = "WIRESUM_TEST_CPU"

# The kernels that no emulator runs, best first: the CPU features that a kernel wants, and their
# name for a reader.
ONLY_NATIVE = {
    "x86_avx512vnni": (
        {"avx2", "bmi2", "avx512f", "avx512bw", "avx512vl", "avx512_vnni"},
        "AVX-512 and VNNI (Ice Lake, Zen 4)",
    ),
    "x86_avx512bw": (
        {"avx2", "bmi2", "avx512f", "avx512bw", "avx512vl"},
        "AVX-512 (Skylake-SP, Zen 4)",
    ),
    "x86_vnni_int16": (
        {"avx2", "bmi2", "avx_vnni_int16"},
        "AVX-VNNI-INT16 (Arrow Lake, Lunar Lake)",
    ),
    "x86_avxvnni": (
        {"avx2", "bmi2", "avx_vnni"},
        "AVX-VNNI (Alder Lake, Sapphire Rapids, Zen 5)",
    ),
}

# CPU family → the kernels of ONLY_NATIVE that have passed all tests on it. A run on a CPU that this
# does not list says what to add.
HAVE_RUN = {
    "AMD Zen 4": ("x86_avx512vnni", "x86_avx512bw"),
    "AMD Zen 5": ("x86_avx512vnni", "x86_avx512bw", "x86_avxvnni"),
    "Intel Emerald Rapids": ("x86_avx512vnni", "x86_avx512bw"),
}

# (vendor, CPU family, models) → the name that people use. Sources: Intel's Software Developer's
# Manual, volume 4, table 2-1; AMD's Processor Programming References.
FAMILIES = [
    ("Intel", 6, (85,), "Intel Skylake-SP"),  # and Cascade Lake, which is the same core
    ("Intel", 6, range(106, 109), "Intel Ice Lake-SP"),
    ("Intel", 6, (143,), "Intel Sapphire Rapids"),
    ("Intel", 6, (207,), "Intel Emerald Rapids"),
    ("Intel", 6, (173, 174), "Intel Granite Rapids"),
    ("Intel", 6, (175,), "Intel Sierra Forest"),
    ("Intel", 6, (151, 154, 190), "Intel Alder Lake"),
    ("Intel", 6, (183, 186, 191), "Intel Raptor Lake"),
    ("Intel", 6, (189,), "Intel Lunar Lake"),
    ("Intel", 6, (197, 198), "Intel Arrow Lake"),
    ("AMD", 23, range(0, 48), "AMD Zen"),
    ("AMD", 23, range(48, 256), "AMD Zen 2"),
    ("AMD", 25, range(160, 176), "AMD Zen 4c"),
    ("AMD", 25, (*range(16, 32), *range(96, 128)), "AMD Zen 4"),
    ("AMD", 25, range(0, 256), "AMD Zen 3"),
    ("AMD", 26, range(16, 32), "AMD Zen 5c"),
    ("AMD", 26, range(0, 256), "AMD Zen 5"),
]


def cpuinfo():
    """The first CPU of /proc/cpuinfo, as {field: text}; empty where there is no such file."""
    try:
        text = Path("/proc/cpuinfo").read_text().split("\n\n")[0]
    except OSError:
        return {}
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def family_name(vendor, family, model):
    """The name of a CPU family, by the numbers that CPUID gives."""
    for of, number, models, name in FAMILIES:
        if (vendor, family) == (of, number) and model in models:
            return name
    return f"{vendor} family {family} model {model}"


def cpu_family():
    """The name of the family of this CPU."""
    info = cpuinfo()
    if "cpu family" not in info:
        return os.uname().machine
    vendor = {"GenuineIntel": "Intel", "AuthenticAMD": "AMD"}.get(info["vendor_id"], "x86")
    return family_name(vendor, int(info["cpu family"]), int(info["model"]))


def mask():
    """The mask of WIRESUM_TEST_CPU, or None."""
    name = os.environ.get(VARIABLE) or None
    if name and name not in MASKS:
        sys.exit(f"{VARIABLE}={name}: no mask has this name; there are {', '.join(MASKS)}")
    return name


def this_cpu():
    """The name of the family of this CPU, and of the mask, if there is one."""
    return cpu_family() + (f", masked as {mask()}" if mask() else "")


def feature_bits(names):
    """The number that CPU features have in c/src/cpu_features.h."""
    header = (Path(__file__).resolve().parents[2] / "src/cpu_features.h").read_text()
    bits = dict(re.findall(r"WIRESUM_CPU_(\w+) = 1 << (\d+)", header))
    return sum(1 << int(bits[name]) for name in names)


def mask_flag(name):
    """The compiler's flag with which the library hides what the mask hides."""
    return f"-DWIRESUM_HIDE_CPU_FEATURES={feature_bits(MASKS[name][1].split())}u"


# The kernels whose instruction the tests can emulate, with their features in c/src/cpu_features.h.
EMULATED = {"x86_avxvnni": "AVXVNNI", "x86_vnni_int16": "VNNI_INT16"}


def add_flag(kernel):
    """The compiler's flag that makes the library believe that the CPU has the kernel's feature."""
    return f"-DWIRESUM_ADD_CPU_FEATURES={feature_bits([EMULATED[kernel]])}u"


def wants():
    """kernel → the CPU features that it wants, of the kernels that not every x86-64 CPU can run."""
    return {name: of for name, (of, _) in ONLY_NATIVE.items()} | {"x86_avx2": {"avx2", "bmi2"}}


def kernels():
    """The kernels of wants() that this CPU can run, best first, with no regard to a mask."""
    shown = set(cpuinfo().get("flags", "").split())
    runs = [name for name, features in wants().items() if features <= shown]
    if cpu_family() == "Intel Skylake-SP":  # vectors of 512 bits lower its clock
        runs.sort(key=lambda name: "avx512" in name)
    return runs


def hidden():
    """The kernels that the mask hides."""
    if not mask():
        return []
    let_through = MASKS[mask()][0]
    return [name for name, features in wants().items() if not features <= let_through]


def main():
    """Prints the compiler's flag for the mask that the command line or WIRESUM_TEST_CPU names."""
    name = sys.argv[1] if len(sys.argv) > 1 else mask()
    if name and name not in MASKS:
        sys.exit(f"no mask is named {name}; there are {', '.join(MASKS)}")
    print(mask_flag(name) if name else "")


if __name__ == "__main__":
    main()
