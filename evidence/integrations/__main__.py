# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the programs with their own checksum and with wiresum.

    python3 -m evidence.integrations --record [NAME...]   builds and measures all programs, or those
        named, and writes the record of this CPU's family and the table of the README
    python3 -m evidence.integrations --write              writes the table again
    python3 -m evidence.integrations --check              compares the table with the record

`python3 -m unittest evidence.integrations.test_integrations` builds and tests the programs.
"""

import datetime
import hashlib
import importlib
import json
import platform
import statistics
import sys

from evidence import generated
from evidence.bench import families
from evidence.integrations import build

PROGRAMS = ("libslirp", "passt", "dpdk", "qemu")
RESULTS = build.ROOT / "evidence/bench/results/integrations"
README = "evidence/integrations/README.md"
VARIANTS = ("theirs", "ours")
ROUNDS = 3


def program(name):
    return importlib.import_module(f"evidence.integrations.{name}.program")


def digest(name):
    """What a record was measured with: the pinned source and the patch."""
    patch = hashlib.sha256(build.patch_of(name).read_bytes()).hexdigest()
    return {"source": program(name).SOURCE.sha256, "patch": patch}


def measure(name, environment):
    """The figures of a program: by turns, the old code and wiresum."""
    module = program(name)
    built = module.compile_both(environment)
    cases = {}
    for case, (size, *_) in module.CASES.items():
        rounds = {variant: [] for variant in VARIANTS}
        for number in range(ROUNDS):
            for variant in sorted(VARIANTS, reverse=number % 2):
                rounds[variant].append(module.figures(built[variant], case, size))
        cases[case] = {variant: joined(found) for variant, found in rounds.items()}
        print(name, case, cases[case], flush=True)
    return {**digest(name), "lines": build.changed_lines(name), "cases": cases}


def joined(rounds):
    """The figures of several rounds as one: medians, and the share in all samples together."""
    samples = sum(found["samples"] for found in rounds)
    share = sum(found["share"] * found["samples"] for found in rounds) / samples
    middle = {
        key: round(statistics.median(found[key] for found in rounds), 4)
        for key in rounds[0]
        if key not in ("share", "samples")
    }
    return {"share": round(share, 5), "samples": samples, **middle}


def records():
    return {path: json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))}


def of_checksum(found):
    """The CPU time that the checksum takes for each gigabyte, in seconds."""
    return found["share"] * found["cpu_s_per_gb"]


def table():
    """The table of the README, with each program and each case."""
    header = ["program", "what is sent", "lines", "its checksum", "wiresum", "wiresum / its own"]
    header += ["CPU s/GB, its own", "CPU s/GB, wiresum"]
    parts = []
    for record in records().values():
        rows = []
        for name in PROGRAMS:
            for case, found in record["programs"][name]["cases"].items():
                added, removed = record["programs"][name]["lines"]
                theirs, ours = found["theirs"], found["ours"]
                rows.append(
                    [
                        f"[{name}]({name}/README.md)",
                        case,
                        f"+{added} −{removed}",
                        f"{theirs['share']:.1%}",
                        f"{ours['share']:.1%}",
                        f"{of_checksum(ours) / of_checksum(theirs):.2f}",
                        f"{theirs['cpu_s_per_gb']:.3f}",
                        f"{ours['cpu_s_per_gb']:.3f}",
                    ]
                )
        machine = record["machine"]
        parts.append(
            f"{machine['cpu']}, Linux {machine['kernel']}, {record['date']}, commit "
            f"{record['commit']}:\n\n{generated.markdown_table(header, rows)}"
        )
    return "\n\n".join(parts)


def faults():
    """What a record was not measured with."""
    return [
        f"{path.name}: {name} was measured with another source or patch: measure it again"
        for path, record in records().items()
        for name in PROGRAMS
        if not digest(name).items() <= record["programs"].get(name, {}).items()
    ]


def record(names):
    """Measures, and writes the record."""
    folder, _ = families.family(families.this_cpu())
    path = RESULTS / f"{folder}.json"
    found = json.loads(path.read_text()) if path.exists() else {"programs": {}}
    environment = build.install_library()
    for name in names:
        found["programs"][name] = measure(name, environment)
    found["date"] = datetime.date.today().isoformat()
    found["commit"] = build.run("git", "rev-parse", "--short", "HEAD", cwd=build.ROOT).strip()
    found["machine"] = {"cpu": families.this_cpu(), "kernel": platform.release()}
    RESULTS.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{path}: written")


def main():
    names = sys.argv[2:] or PROGRAMS
    if sys.argv[1:2] == ["--record"] and set(names) <= {*PROGRAMS}:
        return record(names)
    return generated.main([(README, "programs", table)], faults())


if __name__ == "__main__":
    sys.exit(main())
