#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The generated tables: of platforms in README.md, of kernels in docs/kernels.md, of counts in bench/results/instructions/README.md.

    tables.py --write    write them
    tables.py --check    fail if one is not what would be written

The first two come from what the tests printed (build/cross/TARGET.json, which run.py leaves), so --write needs a run of every
cross part for them, and --check compares the rows of those that ran here, but for what "this machine" ran. The counts come from the records
beside them. A generated table stands between <!-- NAME:begin --> and <!-- NAME:end -->; a file without these lines has no such table.
"""

import csv
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "bench/instructions"))

import exceptions  # noqa: E402
from targets import ANY_LENGTH, BUILD, BY_NAME, NEVER_RUN, TARGETS  # noqa: E402

RECORD = ROOT / "bench/results/instructions"

# What each kernel is made of. The comment at the top of its file says why.
KERNELS = {
    "arm_a32": ("ldm, adcs", "eight words with one load, the carry in the flag throughout"),
    "arm_neon": ("uadalp", "pairs of words into 64-bit lanes, four accumulators; A64 and A32"),
    "arm_sve": (
        "udot",
        "against ones: four 16-bit words into each 64-bit lane; predicates in place of tails",
    ),
    "ppc_scalar": ("adde, bdnz", "the carry in XER throughout, one addze at the end"),
    "ppc_altivec": (
        "vmsumuhm",
        "against ones: pairs of 16-bit words into 32-bit lanes, along aligned vectors",
    ),
    "ppc_vsx": ("vmsumuhm", "the same with unaligned loads, twelve accumulators"),
    "riscv_scalar": ("add, sltu", "the carries counted apart from the total"),
    "riscv_v": ("vwaddu.wv", "words into 64-bit lanes, vsetvli in place of a tail"),
    "s390x_cksm": ("cksm", "one instruction sums a buffer, end-around carry and all"),
    "s390x_vx": ("vcksm", "four words a vector, the end-around carry in hardware"),
    "wasm_simd128": (
        "extadd_pairwise",
        "pairs of 16-bit words into 32-bit lanes, then pairs of those into 64-bit lanes",
    ),
    "loongarch_lsx": ("vhaddw", "pairs of words into 64-bit lanes"),
    "x86_adc": ("adc", "one chain, the carry in the flag throughout"),
    "x86_sse2": ("pmaddwd", "biased signed words against ones, then into 32-bit lanes"),
    "x86_avx2": ("vpmaddwd", "the same, 32 bytes a vector"),
    "x86_avxvnni": ("vpdpwssd", "the same with the addition in the instruction"),
    "x86_vnni_int16": ("vpdpwuud", "unsigned words against ones into 32-bit lanes: no bias"),
    "x86_avx512bw": (
        "vpaddq, vpsrlq",
        "each 64-bit word added whole and as its high half, from which the low one follows",
    ),
    "x86_avx512vnni": ("vpdpwssd", "as x86_avxvnni, 64 bytes a vector, along cache lines"),
    "portable": ("", "each 64-bit word as two halves, in C: no carry to lose"),
}


def results():
    """TARGET → what run.py left, of those that ran in this checkout with nothing left out."""
    return {
        target.name: json.loads((BUILD / f"{target.name}.json").read_text())
        for target in TARGETS
        if (BUILD / f"{target.name}.json").exists()
    }


def rows_of(path):
    return list(csv.DictReader(path.open())) if path.exists() else []


def markdown(header, rows):
    return "\n".join(
        [
            "| " + " | ".join(header) + " |",
            "|" + "---|" * len(header),
            *("| " + " | ".join(row) + " |" for row in rows),
        ]
    )


def lengths(bits):
    return f" at {', '.join(map(str, bits))} bits" if bits else ""


# ---- README.md: platforms ----


def platforms(found):
    """A row a target: where it ran, and which kernel is in use on which CPU model."""
    rows = {}
    for name, result in found.items():
        uses = {}
        for cpu in result["cpus"]:
            if cpu["passed"]:
                uses.setdefault(cpu["uses"], {}).setdefault(cpu["name"], []).extend(
                    [cpu["vector_bits"]] if cpu["vector_bits"] else []
                )
        kernels = "<br>".join(
            f"`{kernel}` on {', '.join(model + lengths(bits) for model, bits in models.items())}"
            for kernel, models in sorted(uses.items(), key=lambda item: item[0] == "portable")
        )
        never = "<br>".join(
            f"`{kernel}`: {why}"
            for kernel, why in NEVER_RUN.get(name, {}).items()
            if kernel not in {k for cpu in BY_NAME[name].cpus for k in cpu.has}
        )
        emulators = dict.fromkeys(
            cpu["emulator"].removesuffix("3") or "this machine" for cpu in result["cpus"]
        )
        emulators = ["wasmtime" if e == "python" else e for e in emulators]
        rows[name] = (
            result["about"],
            ", ".join(emulators),
            kernels + (f"<br>{never}" if never else ""),
        )
    return markdown(("platform", "runs on", "kernel in use, on CPU model"), rows.values()), rows


# ---- docs/kernels.md: kernels ----


def kernels(found):
    loops = rows_of(RECORD / "loops.csv")
    rows = {}
    for name, (instruction, idea) in KERNELS.items():
        places = []
        for target, result in found.items():
            on = {}
            for cpu in result["cpus"]:
                if cpu["passed"] and name in cpu["checks"]:
                    on.setdefault(cpu["name"], []).extend(
                        [cpu["vector_bits"]] if cpu["vector_bits"] and name in ANY_LENGTH else []
                    )
            if on:
                places.append(
                    f"{target}: {', '.join(model + lengths(bits) for model, bits in on.items())}"
                )
        steps = sorted(
            {int(row["bytes"]) for row in loops if row["kernel"] == name and row["form"] == "sum"}
        )
        never = next(
            (
                why
                for target in NEVER_RUN.values()
                for kernel, why in target.items()
                if kernel == name
            ),
            "nowhere yet",
        )
        if name == "portable":
            places = ["all of them"]
        rows[name] = (
            f"`{name}`",
            f"`{instruction}`" if instruction else "",
            idea,
            ", ".join(map(str, steps)),
            "; ".join(places) or never,
        )
    return markdown(
        ("kernel", "instruction", "idea", "bytes a step", "ran on"), rows.values()
    ), rows


# ---- bench/results/instructions/README.md ----


def counts(_found):
    import count

    rows = {}
    for target in TARGETS:
        recorded = count.read(target)
        for (kernel, bits), cells in count.table(target, recorded).items() if recorded else ():
            for form in ("sum", "copy"):

                def per_byte(code):
                    numbers = [cells[form, size].get(code) for size in count.SIZES]
                    return " / ".join(
                        "-" if number is None else f"{number / size:.3f}"
                        for number, size in zip(numbers, count.SIZES)
                    )

                rows[target.name, kernel, bits, form] = (
                    target.name,
                    f"`{kernel}`" + (f" {bits} bits" if bits else ""),
                    form,
                    per_byte("kernel"),
                    per_byte("portable"),
                    *(
                        (per_byte(code) if form == "sum" else "")
                        for code in ("words16", "words32", "linux")
                    ),
                )
    return markdown(
        (
            "target",
            "kernel",
            "form",
            "kernel",
            "portable",
            "-O3, 16-bit words",
            "-O3, 32-bit words",
            "Linux",
        ),
        rows.values(),
    ), rows


def predictions(_found):
    rows = {}
    for row in rows_of(RECORD / "loops.csv"):
        ratio = float(row["predicted"]) / float(row["loads"])
        rows[tuple(row.values())] = (
            row["target"],
            f"`{row['kernel']}`",
            row["form"],
            row["core"] + (f", {row['vector_bits']} bits" if row["vector_bits"] else ""),
            row["bytes"],
            row["instructions"],
            row["loads"],
            row["ports"],
            row["predicted"],
            f"{ratio:.2f}",
        )
    return markdown(
        (
            "target",
            "kernel",
            "form",
            "core",
            "bytes a step",
            "instructions",
            "loads alone",
            "all ports",
            "predicted",
            "predicted : loads",
        ),
        rows.values(),
    ), rows


def reasons(_found):
    rows = {
        str(e): (
            f"`{e.kernel}`" + (f" ({', '.join(e.targets)})" if e.targets else ""),
            f"{', '.join(e.forms)} of {', '.join(map(str, e.sizes))} B",
            ", ".join(e.against),
            e.reason,
        )
        for e in exceptions.EXCEPTIONS
    }
    rows |= {
        kernel: (f"`{kernel}`", "main loop", "1.25 × its loads", why)
        for kernel, why in exceptions.FAR_FROM_LOADS.items()
    }
    return markdown(("kernel", "where", "is not below", "because"), rows.values()), rows


def elsewhere(text):
    """A table without what the machine that the tests run on adds to it: that differs from one to the next."""
    text = re.sub(
        r"`\w+` on this machine(<br>)?|; [\w-]+: this machine(?=[;|\s])|[\w-]+: this machine(; )?|, this machine",
        "",
        text,
    )
    text = re.sub(r"nowhere yet|(<br>)?(`\w+`: )?compiled only: [^|<]*", "", text)
    return re.sub(r" *\| *", "|", text)


TABLES = [
    ("README.md", "platforms", platforms, True),
    ("docs/kernels.md", "kernels", kernels, True),
    ("bench/results/instructions/README.md", "counts", counts, False),
    ("bench/results/instructions/README.md", "predictions", predictions, False),
    ("bench/results/instructions/README.md", "reasons", reasons, False),
]


def main():
    if sys.argv[1:] not in (["--write"], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    writing = sys.argv[1] == "--write"
    found = results()
    absent = [target.name for target in TARGETS if target.name not in found]
    right = True
    for file, name, make, from_tests in TABLES:
        path = ROOT / file
        text = path.read_text() if path.exists() else ""
        block = re.search(rf"(<!-- {name}:begin[^>]*-->\n)(.*?)(<!-- {name}:end -->)", text, re.S)
        if not block:
            print(f"{file}: no <!-- {name}:begin --> ... <!-- {name}:end -->")
            right = right and file == "README.md"
            continue
        if writing and from_tests and absent:
            print(
                f"{file}: {name}: not written, for these have not run here: {' '.join(absent)}; ./check 'cross-*' runs them"
            )
            right = False
            continue
        table, rows = make(found)
        written = elsewhere(block.group(2))
        if writing:
            path.write_text(text[: block.start(2)] + table + "\n" + text[block.end(2) :])
            print(f"{file}: {name}: {len(rows)} rows written")
            continue
        if absent and from_tests:
            # Only some targets ran here: their rows must stand there. The kernels' rows are made of all targets.
            stale = (
                [row for row in rows.values() if elsewhere(f"| {' | '.join(row)} |") not in written]
                if name == "platforms"
                else []
            )
            print(
                f"{file}: {name}: {'compared for ' + ' '.join(found) if found and name == 'platforms' else 'not compared'}; not run "
                f"here: {' '.join(absent)}"
            )
        else:
            stale = [] if written.strip() == elsewhere(table).strip() else ["all"]
            print(f"{file}: {name}: compared")
        if stale:
            right = False
            print(
                f"WRONG {file}: the table {name} is not what the tests say; c/tests/cross/tables.py --write\n{table}"
            )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
