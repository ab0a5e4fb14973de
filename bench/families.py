# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names the family of a CPU, as people know it.

A hypervisor may hide the name of a model ("AMD EPYC", "Intel(R) Xeon(R) Processor"), but shows its
family and model as numbers. They tell which core runs, and a record measures that core. Sources:
Intel's Software Developer's Manual, volume 4, table 2-1; AMD's Processor Programming References.
"""

import re
from pathlib import Path

# (vendor, CPU family, first and last model): the name that people use.
NAMES = {
    ("Intel", 6, 85, 85): "Intel Skylake-SP",  # and Cascade Lake, which is the same core
    ("Intel", 6, 106, 108): "Intel Ice Lake-SP",
    ("Intel", 6, 143, 143): "Intel Sapphire Rapids",
    ("Intel", 6, 173, 174): "Intel Granite Rapids",
    ("Intel", 6, 175, 175): "Intel Sierra Forest",
    ("Intel", 6, 207, 207): "Intel Emerald Rapids",
    ("AMD", 23, 49, 49): "AMD Zen 2",
    ("AMD", 25, 0, 15): "AMD Zen 3",
    ("AMD", 25, 16, 31): "AMD Zen 4",
    ("AMD", 25, 97, 97): "AMD Zen 4",
    ("AMD", 25, 160, 175): "AMD Zen 4c",
    ("AMD", 26, 0, 15): "AMD Zen 5",
    ("AMD", 26, 16, 31): "AMD Zen 5c",
    ("AMD", 26, 68, 68): "AMD Zen 5",
}


def family(cpu):
    """The folder and the name of a CPU's family, of the CPU as a report names it.

    "AMD EPYC (family 25, model 17)" gives "amd-zen4" and "AMD Zen 4". The name of a CPU that the
    table lacks is its vendor and its numbers.
    """
    numbers = re.search(r"\(family (\d+), model (\d+)\)$", cpu)
    if not numbers:
        return re.sub(r"\W+", "-", cpu.lower()).strip("-"), cpu
    vendor = next((vendor for vendor in ("Intel", "AMD") if vendor in cpu), "x86")
    number, model = map(int, numbers.groups())
    known = (
        name
        for (of, has, first, last), name in NAMES.items()
        if (of, has) == (vendor, number) and first <= model <= last
    )
    name = next(known, f"{vendor} family {number} model {model}")
    return name.lower().replace("zen ", "zen").replace(" ", "-"), name


def this_cpu():
    """The CPU of this machine as a report names it (bench/measure/src/machine.rs does the same)."""
    info = dict(
        re.findall(r"^([\w ]+?)\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    )
    name = info.get("model name") or info.get("cpu") or info.get("CPU part") or "unknown"
    if "cpu family" in info and "model" in info:
        return f"{name} (family {info['cpu family']}, model {info['model']})"
    return name


if __name__ == "__main__":
    print(*family(this_cpu()), this_cpu(), sep="\n")
