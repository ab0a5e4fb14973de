# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names the folder of a CPU's family in evidence/bench/results.

A hypervisor may hide the name of a model ("AMD EPYC", "Intel(R) Xeon(R) Processor"), but shows its
family and model as numbers. They tell which core runs, and a record measures that core.
"""

import re

from c.tests.cross import native


def family(cpu):
    """The folder and the name of a CPU's family, of the CPU as a report names it.

    "AMD EPYC (family 25, model 17)" gives "amd-zen4" and "AMD Zen 4". The name of a CPU that the
    table of native.py lacks is its vendor and its numbers.
    """
    numbers = re.search(r"\(family (\d+), model (\d+)\)$", cpu)
    if not numbers:
        return re.sub(r"\W+", "-", cpu.lower()).strip("-"), cpu
    vendor = next((vendor for vendor in ("Intel", "AMD") if vendor in cpu), "x86")
    name = native.family_name(vendor, *map(int, numbers.groups()))
    return name.lower().replace("zen ", "zen").replace(" ", "-"), name


def this_cpu():
    """The CPU of this machine as a report names it (cli/measure/src/machine.rs does the same)."""
    info = native.cpuinfo()
    name = info.get("model name") or info.get("cpu") or info.get("CPU part") or "unknown"
    if "cpu family" in info and "model" in info:
        return f"{name} (family {info['cpu family']}, model {info['model']})"
    return name


if __name__ == "__main__":
    print(*family(this_cpu()), this_cpu(), sep="\n")
