#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks and measures the engine: lint, simulation, proofs, synthesis.

    python3 rtl/run.py                    all parts; writes results.json and README's tables
    python3 rtl/run.py lint|sim|formal|synth...
    python3 rtl/run.py --bounded ...      as ./check runs them, with fewer lengths and seeds
    python3 rtl/run.py --bounded --record sim|formal|synth...   whole, and then keeps the record

A bounded run writes nothing: it fails if its results are not in results.json, or its tables not in
README.md. If records.json has the inputs of sim, formal or synth, the bounded run repeats a sample
only (records.py); WIRESUM_FRESH=1 makes it whole. The laboratory (evidence/lab/tcoe), which has no
simulator, reads results.json, and computes from how many bytes on the engines are quicker.

environment.py pins the Python packages, which go into build/rtl/venv. The system has to provide a
C++ compiler, make, perl, iverilog and cvc5 (on Debian: apt-get install g++ make perl python3-venv
iverilog cvc5). ccache saves time where it is installed.
"""

import argparse
import importlib
import sys
import time
from pathlib import Path

# The folder of a program is where Python looks first; the modules are named from the root.
sys.path[0] = str(Path(__file__).resolve().parents[1])

from rtl import records  # noqa: E402
from rtl.environment import Failed, enter_venv, set_environment  # noqa: E402

MODULES = {
    "lint": "rtl.lint",
    "sim": "rtl.tests.simulate",
    "formal": "rtl.formal.prove",
    "synth": "rtl.synth.synthesize",
}


def run_part(part, bounded, record):
    """Runs a part: whole, or a sample of it if the bounded run's inputs are the recorded ones."""
    module = importlib.import_module(MODULES[part])
    if record:
        before = records.digest(part)
        records.keep(part, before, module.run(bounded))
    elif bounded and (found := records.recorded(part)):
        print(f"{part}: recorded, inputs unchanged: {found}; a sample:", flush=True)
        module.sample()
    else:
        module.run(bounded)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(MODULES) + "; none: all")
    parser.add_argument("--bounded", action="store_true", help="what ./check runs")
    parser.add_argument("--record", action="store_true", help="keep what the bounded run found")
    options = parser.parse_args()
    if options.record and not (
        options.bounded and options.parts and {*options.parts} <= {*records.PARTS}
    ):
        parser.error("--record is of --bounded runs of " + ", ".join(records.PARTS))
    unknown = [part for part in options.parts if part not in MODULES]
    if unknown:
        parser.error(f"no such part: {' '.join(unknown)}")
    enter_venv()
    try:
        set_environment()
        for part in options.parts or MODULES:
            begin = time.monotonic()
            run_part(part, options.bounded, options.record)
            print(f"run: {part} passed in {time.monotonic() - begin:.0f} s", flush=True)
    except Failed as failure:
        print(f"{failure}\nrun: failed", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
