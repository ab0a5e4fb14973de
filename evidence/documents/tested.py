# SPDX-License-Identifier: MIT OR Apache-2.0
"""The numbers of evidence/README.md, from the sources of the tests and from their records.

python3 -m evidence.documents.tested --write    write them
python3 -m evidence.documents.tested --check    fail if a number is not what would be written
"""

import json
import re
import sys
import textwrap
import tomllib

from c.tests.cross import native, targets
from evidence.checks.parts import PARTS
from evidence.documents import generated
from evidence.documents.generated import ROOT
from evidence.proof.simd.run import MOST, recorded
from rtl.formal.proofs import PROOFS

PAGE = "evidence/README.md"
FUZZ = ROOT / "evidence/checks/corpus/record.json"
MUTANTS = [ROOT / "c/tests/mutants/record.json", ROOT / "rust/tests/mutants/record.json"]
SURVIVORS = ROOT / "c/tests/mutants/survivors.toml"
RUST_SURVIVORS = ROOT / ".cargo/mutants.toml"
SCALAR_PROOF = ROOT / "evidence/proof/scalar/record.json"
EXHAUSTIVE = "c/tests/exhaustive.c"
LENGTHS = "c/tests/lengths.c"
PLANTED = ROOT / "c/tests/planted/record.json"
TSHARK = "packet/tests/tshark"
SANITIZERS = ("c-asan", "c-valgrind", "rust-miri", "rust-pure")


def found(file, pattern, flags=re.M):
    """What a pattern finds in a source, where it must find something."""
    matches = re.findall(pattern, (ROOT / file).read_text(), flags)
    if not matches:
        raise ValueError(f"{file} has no text like {pattern}")
    return matches


def constant(file, pattern):
    """A number of a source; the first group of the pattern."""
    return int(found(file, pattern)[0].replace("_", ""))


def check(*names):
    """The command that runs parts, which must exist."""
    unknown = set(names) - {part.name for part in PARTS}
    if unknown:
        raise ValueError(f"evidence/checks/parts.py has no part {', '.join(sorted(unknown))}")
    return f"`./check {' '.join(names)}`"


def code(words):
    return ", ".join(f"`{word}`" for word in words)


def wrapped(text, indent=""):
    """A paragraph in lines of at most 100 columns."""
    options = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(text, 100, subsequent_indent=indent, **options)


def vectors():
    groups = json.loads((ROOT / "spec/vectors.json").read_text())
    sizes = {name: len(group) for name, group in groups.items() if isinstance(group, list)}
    by_group = ", ".join(f"`{name}` {size:,}" for name, size in sizes.items())
    return f"{sum(sizes.values()):,} cases: {by_group}"


def grid():
    longest = constant(EXHAUSTIVE, r"\bLONGEST = (\d+)")
    offsets = constant(EXHAUSTIVE, r"\bOFFSETS = (\d+)")
    fills = found("c/tests/test.h", r"test_fills\[\] = \{ (.*) \};")[0].count('"') // 2
    cells = (longest + 1) * 2 * offsets * fills
    return (
        f"each length from 0 to {longest:,} at each offset from 0 to {offsets - 1}, after one "
        f"unmapped page and before another, with {fills} fills: {cells:,} sums and as many pairs "
        "of copies on each kernel"
    )


def copies():
    short = constant(EXHAUSTIVE, r"\bSHORT = (\d+)")
    longest = constant(EXHAUSTIVE, r"\bLONGEST_COPY = (\d+)")
    offsets = constant(EXHAUSTIVE, r"\bOFFSETS = (\d+)")
    pairs = (short + 1) * offsets**2
    return (
        f"each length from 0 to {short} with each of {offsets} × {offsets} offsets of source and "
        f"destination: {pairs:,} pairs of copies on each kernel; of each length to {longest:,}, "
        f"one in {offsets} of these pairs of offsets, chosen by the seed"
    )


def lengths():
    first = constant(EXHAUSTIVE, r"\bLONGEST = (\d+)") + 1
    most = constant(EXHAUSTIVE, r"FIRST = LONGEST \+ 1, MOST = (\d+)")
    return f"each length from {first:,} to {most:,} bytes, each at one offset"


def overflows():
    sizes = found(EXHAUSTIVE, r"\{ (\d+), (\d+) \}")
    around = ", ".join(f"{int(size) >> 10:,} KiB" for size, _ in sizes)
    cells = sum(2 * int(by) + 1 for _, by in sizes)
    return f"{cells} lengths around {around}, with each fill; more than 4 GiB of each fill"


def emulated_cpus():
    return [cpu for target in targets.TARGETS for cpu in target.cpus if cpu.run]


def emulators():
    return (
        f"{len(targets.kernel_list())} kernels in {len(targets.TARGETS)} builds, on "
        f"{len(emulated_cpus())} CPU models of emulators and WebAssembly runtimes"
    )


def sanitized():
    about = {part.name: part.about for part in PARTS}
    return "; ".join(f"`{name}`: {about[name]}" for name in SANITIZERS)


def proofs():
    return (
        f"{len(PROOFS)} modules and lemmas, for runs of any length; "
        f"{sum(len(proof.mutants) for proof in PROOFS)} mutants, each of which breaks a property"
    )


def proved_kernels():
    rows = recorded()["kernels"].values()
    return (
        f"{len(rows)} kernels, sum and copy, for all bytes of up to {MOST:,}: "
        f"{sum(row['cells'] for row in rows):,} lengths at addresses; "
        f"{sum(len(row['refuted']) for row in rows)} planted faults, each of which is refuted; "
        f"{sum(sum(row['compared'].values()) for row in rows):,} results, whose 64 bits the proof "
        "predicts as a CPU or an emulator computes them"
    )


def proved_functions():
    rows = recorded()["functions"].values()
    return (
        f"{len(rows)} functions in addition to the kernels, by the same proof: "
        f"{sum(row['cells'] for row in rows):,} lengths with their arguments; "
        f"{sum(len(row['refuted']) for row in rows)} planted faults, each of which is refuted"
    )


def scalar_proof():
    record = json.loads(SCALAR_PROOF.read_text())
    count = sum(count for count, _ in record["functions"].values())
    return (
        f"{len(record['functions'])} functions of the C library, for every length and all bytes: "
        f"{count:,} goals; {len(record['lemmas'])} lemmas; {sum(record['mutants'].values())} "
        "planted bugs, each of which breaks a proof ([what is assumed]"
        "(proof/scalar/README.md))"
    )


def planted():
    record = json.loads(PLANTED.read_text())
    by_proof = sum(str(by).startswith("evidence/proof") for by in record.values())
    survivors = sum(by is None for by in record.values())
    return (
        f"{len(record)} faults that are right for nearly all data: "
        f"{len(record) - by_proof - survivors} are found by tests, {by_proof} more by proofs, "
        f"{survivors} by neither"
    )


def public_functions():
    short = constant(LENGTHS, r"\bSHORT = (\d+)")
    middle = constant(LENGTHS, r"\bMIDDLE = (\d+)")
    every = constant(LENGTHS, r"\bEVERY = (\d\d+)")
    number = constant(LENGTHS, r"\bLENGTHS = (\d+)")
    return (
        f"each that takes data of any length, on each kernel: lengths from 0 to {short:,}, one in "
        f"{every} to {middle:,}, {number} random ones to 1 MiB; lists of 5 MiB"
    )


def engine():
    tried = json.loads((ROOT / "rtl/results.json").read_text())["functional"]
    lengths, offsets = tried["lengths from one address"], tried["start offsets"]
    return f"{lengths:,} lengths from one address, and {offsets} start offsets"


def frames():
    links = found("packet/tests/frames.txt", r"^  link (\d+)")
    ethernet = constant(f"{TSHARK}/main.rs", r"const ETHERNET: usize = ([\d_]+)")
    others = constant(f"{TSHARK}/main.rs", r"const OTHERS: usize = ([\d_]+)")
    damaged = ethernet + others * (len(set(links)) - 1)
    known = constant(f"{TSHARK}/differences.rs", r"DIFFERENCES: \[.*; (\d+)\]")
    return (
        f"the captures of `examples/`, as they are and repaired; {len(links)} frames made by hand "
        f"and their damaged twins; about {damaged:,} frames damaged at random. {known} known kinds "
        "of differences, each with the reason; tcpdump and scapy are asked about those frames"
    )


def bpf():
    record = json.loads((ROOT / "bpf/kernels.json").read_text())["kernels"]
    kernels = sorted(".".join(name.split(".")[:2]) for name in record)
    programs = {name for of in record.values() for name in of}
    source = (ROOT / "bpf/tests/run.c").read_text()
    longest = int(re.search(r"length <= (\d+); length \+= thin", source)[1])
    alignments = int(
        re.search(r"at < PAD \+ (\d+); at\+\+\) \{\n +arguments->len = length", source)[1]
    )
    return (
        f"the vectors; each length to {longest:,} at {alignments} alignments, and the longest "
        f"frames; damaged packets and lengths that lie; {len(programs)} programs on Linux "
        f"{', '.join(kernels)}; traffic between network namespaces"
    )


def tests():
    """A row for each kind of test: what, how much, and the command that repeats it."""
    rows = [
        ("vectors, each with the mistake that it catches", vectors(), check("spec", "c-gcc")),
        ("lengths × offsets × fills", grid(), check("c-gcc", "c-clang")),
        ("offsets of a copy", copies(), check("c-gcc", "c-clang")),
        ("longer data", lengths(), check("c-lengths")),
        ("public functions", public_functions(), check("c-gcc", "c-clang")),
        ("overflows of lanes and totals", overflows(), check("c-gcc")),
        ("instruction sets", emulators(), "`./check 'cross-*'`"),
        ("memory and undefined behavior", sanitized(), check(*SANITIZERS)),
        ("verdicts on packets, against tshark", frames(), check("tshark")),
        ("the kernels, proven", proved_kernels(), check("proof-kernels")),
        ("functions of a small size, proven", proved_functions(), check("proof-kernels")),
        ("scalar C code, proven", scalar_proof(), check("proof-scalar")),
        (
            "planted faults, tests and proofs together",
            planted(),
            "`python3 -m c.tests.planted.run`",
        ),
        ("functions in XDP and tc programs", bpf(), check("bpf")),
        ("the Go module", go_module(), check("go")),
        ("the engine, proven", proofs(), check("rtl-formal")),
        ("the engine, simulated", engine(), "`python3 rtl/run.py sim`"),
    ]
    return generated.markdown_table(("what", "how much", "again"), rows)


def go_module():
    (longest, offsets), *_ = found(
        "go/internal/kernel/kernel_test.go", r"const longest, offsets = (\d+), (\d+)"
    )
    return (
        f"the vectors; each length to {int(longest):,} at {offsets} offsets after one unmapped "
        "page and before another, and more than 4 GiB, on each kernel; no allocation; 386, arm64, "
        "riscv64 and s390x; the results of gVisor and wireguard-go"
    )


def fuzzing():
    if not FUZZ.exists():
        return "No run of the final code is recorded."
    record = json.loads(FUZZ.read_text())
    rows = []
    for name, of in record["targets"].items():
        edges = of["edges_reached"]
        reached = "not known" if edges is None else f"{edges:,} of {of['edges']:,}"
        hours = f"{of['seconds'] / 3600:.2f}"
        inputs, faults = f"{of['inputs']:,}", str(len(of["faults"]))
        rows.append((name, hours, f"{of['executions']:,}", faults, reached, inputs))
    header = ("target", "hours", "inputs run", "faults", "edges reached", "inputs kept")
    table = generated.markdown_table(header, rows)
    total = sum(of["seconds"] for of in record["targets"].values()) / 3600
    runs = sum(of["executions"] for of in record["targets"].values())
    ended = " A signal ended it early." if record["stopped_early"] else ""
    about = (
        f"{total:.2f} hours of CPU time, {runs:,} inputs; commit {record['commit'][:12]} on "
        f"{record['cpu']}, {record['date']}.{ended}"
    )
    return f"{wrapped(about)}\n\n{table}"


def mutants():
    """A row for each machine and build, and the files that it is about."""
    rows, about = [], []
    records = [
        record
        for path in MUTANTS
        if path.exists()
        for record in json.loads(path.read_text()).items()
    ]
    for name, of in records:
        files = of["files"]
        total = {
            word: sum(file[word] for file in files.values())
            for word in ("mutants", "killed", "invalid", "equal", "survived")
        }
        aside = total["invalid"] + total["equal"]
        counts = (total["mutants"], aside, total["killed"], total["survived"])
        rows.append((name, of["compiler"], str(len(files)), *(f"{count:,}" for count in counts)))
        whole = [file for file, row in files.items() if "of" not in row]
        parts = [
            f"{row['mutants']} of {row['of']:,} of `{file}`"
            for file, row in files.items()
            if "of" in row
        ]
        cpu = f" (on {of['cpu']})" if "cpu" in of else ""
        if whole:
            about.append(f"{name}{cpu}, all mutants: {code(whole)}.")
        if parts:
            about.append(f"{name}{cpu}, a random sample: {', '.join(parts)}.")
    header = ("build", "compiler", "files", "mutants", "set aside", "killed", "survived")
    table = generated.markdown_table(header, rows)
    groups = tomllib.loads(SURVIVORS.read_text())["because"]
    known = sum(len(group["mutants"]) for group in groups)
    known_in_rust = len(tomllib.loads(RUST_SURVIVORS.read_text())["exclude_re"])
    about.append(
        f"`{SURVIVORS.relative_to(ROOT)}` has the reason for each of {known:,} survivors in C, and "
        f"`{RUST_SURVIVORS.relative_to(ROOT)}` for {known_in_rust:,} in Rust."
    )
    return "\n\n".join([table, *map(wrapped, about)])


def untested():
    """The kernels that no CPU has run, and what emulators leave out."""
    ran = {kernel for kernels in native.HAVE_RUN.values() for kernel in kernels}
    x86 = [kernel for kernel in targets.kernel_list() if kernel.startswith("x86_")]
    never = [kernel for kernel in native.ONLY_NATIVE if kernel not in ran]
    emulators_alone = [k for k in targets.kernel_list() if k not in (*x86, "portable")]
    families = ", ".join(sorted(native.HAVE_RUN))
    thin = " or ".join(str(n) for n in sorted({target.thin for target in targets.TARGETS}))
    lines = [
        f"- {len(emulators_alone)} kernels run in emulators and WebAssembly runtimes alone: "
        f"{code(emulators_alone)}. The large grids have one cell in {thin} there, which the seed "
        "chooses.",
        f"- The CPUs that ran the kernels for AVX-512 and AVX-VNNI are {families}.",
    ]
    if never:
        lines.append(f"- The tests emulate the instruction of {code(never)}: no CPU ran it.")
    return "\n".join(wrapped(line, "  ") for line in lines)


TABLES = [
    (PAGE, "tests", tests),
    (PAGE, "fuzzing", fuzzing),
    (PAGE, "mutants", mutants),
    (PAGE, "untested", untested),
]

if __name__ == "__main__":
    sys.exit(generated.main(TABLES))
