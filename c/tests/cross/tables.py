# SPDX-License-Identifier: MIT OR Apache-2.0
"""The generated tables of platforms in README.md and of kernels in c/kernels/README.md.

    python3 -m c.tests.cross.tables --write    write them
    python3 -m c.tests.cross.tables --check    fail if a table is not what would be written

The tables say on which CPU models of emulators each kernel runs, which targets.py declares and each
run of run.py enforces, and on which CPU families the kernels run that no emulator has, which
native.py records. So the tables do not depend on the machine. --check also compares them with what
the tests of this checkout left in build/cross.
"""

import json
import sys

from evidence.documents import generated

from . import native
from .targets import ANY_LENGTH, BUILD, TARGETS, kernel_list


def lengths(bits):
    return f" at {', '.join(map(str, bits))} bits" if bits else ""


def models(cpus):
    """CPU models as a reader names them: each once, with its vector lengths."""
    bits = {}
    for cpu in cpus:
        bits.setdefault(cpu.name, []).extend([cpu.vector_bits] if cpu.vector_bits else [])
    return ", ".join(name + lengths(of) for name, of in bits.items())


def emulated(target):
    return [cpu for cpu in target.cpus if cpu.run]


def families(kernel):
    """The CPU families on which a kernel has run that no emulator has."""
    return [family for family, kernels in sorted(native.HAVE_RUN.items()) if kernel in kernels]


def natively(kernel):
    """Where a kernel has run that no emulator has."""
    places = families(kernel)
    if kernel in native.EMULATED:
        places.append("any CPU with AVX2 (the tests emulate the instruction)")
    return ", ".join(places)


def emulator(cpu):
    name = cpu.run[0].rsplit("/", 1)[-1]
    return "wasmtime" if name.startswith("python") else name


def platforms():
    """README.md: a row a target, with the kernel that the library chooses on each CPU model."""
    rows = []
    for target in TARGETS:
        chosen = {}
        for cpu in emulated(target):
            chosen.setdefault(cpu.has[0], []).append(cpu)
        portable_last = sorted(chosen.items(), key=lambda item: item[0] == "portable")
        words = [f"`{kernel}` on {models(cpus)}" for kernel, cpus in portable_last]
        words += [f"`{kernel}` on {natively(kernel)}" for kernel in target.only_native]
        runs_on = dict.fromkeys(emulator(cpu) for cpu in emulated(target))
        cpus = ["x86-64 CPUs"] if target.only_native else []
        rows.append((target.about, ", ".join([*runs_on, *cpus]), "<br>".join(words)))
    header = ("platform", "runs on", "kernel in use, on CPU model")
    return generated.markdown_table(header, rows)


def kernels():
    """c/kernels/README.md: a row a kernel, with its idea and the CPU models that run it."""
    rows = []
    for kernel, (instruction, idea) in kernel_list().items():
        places = []
        for target in TARGETS:
            cpus = [cpu for cpu in emulated(target) if kernel in cpu.has]
            if cpus:
                names = ", ".join(dict.fromkeys(cpu.name for cpu in cpus))
                places.append(f"{target.name}: {models(cpus) if kernel in ANY_LENGTH else names}")
        if kernel in native.ONLY_NATIVE:
            places.append(natively(kernel))
        where = "all of them" if kernel == "portable" else "; ".join(places)
        rows.append((f"`{kernel}`", f"`{instruction}`" if instruction else "", idea, where))
    return generated.markdown_table(("kernel", "instruction", "idea", "runs on"), rows)


def contradictions():
    """What the tests of this checkout found against the tables."""
    for target in TARGETS:
        path = BUILD / f"{target.name}.json"
        if not path.exists():
            print(f"{target.name}: its tests have not run in this checkout")
            continue
        left = json.loads(path.read_text())
        if left.get("ran_on") != native.this_cpu():
            print(f"{target.name}: its tests ran on {left.get('ran_on')}, not {native.this_cpu()}")
            continue
        ran = left["cpus"]
        for cpu in target.cpus:
            found = [r for r in ran if (r["name"], r["vector_bits"]) == (cpu.name, cpu.vector_bits)]
            if not found or not found[0]["passed"] or set(found[0]["checks"]) != set(cpu.runs):
                wanted = " ".join(cpu.runs)
                yield f"{target.name}: {cpu.name} did not run {wanted}; run its test again"
    here, listed = set(native.kernels()), native.HAVE_RUN.get(native.cpu_family())
    if not set(listed or ()) <= here:
        lacking = " ".join(sorted(set(listed) - here))
        # A hypervisor may hide features of the family.
        print(f"native.py says that {native.cpu_family()} runs {lacking}; this CPU does not")
    new = (here & set(native.ONLY_NATIVE)) - set(listed or ())
    if new:
        print(
            f"native.py does not list {' '.join(sorted(new))} for {native.cpu_family()} yet: add it"
        )


TABLES = [("README.md", "platforms", platforms), ("c/kernels/README.md", "kernels", kernels)]


if __name__ == "__main__":
    sys.exit(generated.main(TABLES, contradictions()))
