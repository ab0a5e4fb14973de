# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether the counts and predictions on record are of the sources and tools that are here.

    python3 -m evidence.bench.instructions.recorded --write
        runs count, lengths and loops whole; if all of them agree with their records, writes the
        digests of their inputs to evidence/bench/results/instructions/inputs.json

The same sources, compiled by the same compilers and executed by the same emulators, give the same
counts. So --check without names takes a sample of the targets or kernels where no digest changed,
and its last line says "recorded, inputs unchanged". With WIRESUM_FRESH=1 it takes all of them.
WIRESUM_SEED chooses the sample.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from c.tests.cross import targets as cross
from c.tests.cross.recorded import digest, sources, version

ROOT = Path(__file__).resolve().parents[3]
RECORDS = ROOT / "evidence/bench/results/instructions"
INPUTS = RECORDS / "inputs.json"
FOLDERS = ("c/include", "c/src", "c/kernels", "c/tests/cross", "evidence/bench/instructions")
PROGRAMS = ("count", "lengths", "loops")


def inputs():
    """The digest of each input: the sources, the records, and the version of each tool."""
    tools = {"gcc", "llvm-mca-22", "llvm-objdump-22"}
    tools |= {target.compiler[0] for target in cross.TARGETS if "ziglang" not in target.compiler}
    tools |= {cpu.run[0] for target in cross.TARGETS for cpu in target.cpus if cpu.run}
    names = {tool: Path(tool).name for tool in tools if not Path(tool).name.startswith("python")}
    return {
        "sources": sources(FOLDERS, (".c", ".h", ".py")),
        "records": digest(file.read_text() for file in sorted(RECORDS.glob("*.csv"))),
        **{names[tool]: version([tool]) for tool in sorted(names)},
    }


def sample(names, number):
    """Some of the names, or None where all of them are to run: the inputs are other ones than those
    on record, or WIRESUM_FRESH asks for all."""
    if os.environ.get("WIRESUM_FRESH") or not INPUTS.exists():
        return None
    kept, now = json.loads(INPUTS.read_text()), inputs()
    changed = sorted(key for key in {*kept, *now} if kept.get(key) != now.get(key))
    if changed:
        print(f"other inputs than on record, so all is run: {', '.join(changed)}")
        return None
    return random.Random(os.environ.get("WIRESUM_SEED")).sample(names, number)


def main():
    if sys.argv[1:] != ["--write"]:
        print(__doc__, file=sys.stderr)
        return 2
    env = {**os.environ, "WIRESUM_FRESH": "1"}
    for program in PROGRAMS:
        command = [sys.executable, "-m", f"evidence.bench.instructions.{program}", "--check"]
        if subprocess.run(command, cwd=ROOT, env=env).returncode:
            print(f"{program} differs from its record, so no digest is written", file=sys.stderr)
            return 1
    INPUTS.write_text(json.dumps(inputs(), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
