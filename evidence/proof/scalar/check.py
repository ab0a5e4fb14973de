# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks the scalar proofs against their record: all of them, or a sample where nothing changed.

    python3 -m evidence.proof.scalar.check [--fresh]

Where the digest of the code, the contracts and the prover's scripts is the digest of record.json,
the result of the proofs is known: a few functions are proved again, a bug is planted in each, and
the last line says "recorded, inputs unchanged". With another digest, or with --fresh (also
WIRESUM_FRESH=1), everything is proved, as by evidence.proof.scalar.prove. WIRESUM_SEED chooses the
sample.
"""

import json
import os
import random
import subprocess
import sys

from . import prove

SAMPLE = 3  # functions


def sample():
    """Proves some functions, and refutes a planted bug in each."""
    prove.BUILD.mkdir(parents=True, exist_ok=True)
    detect = ["why3", "-C", "why3.conf", "config", "detect"]
    subprocess.run(detect, cwd=prove.BUILD, check=True, capture_output=True)
    prove.bits()
    every = [name for file in prove.FILES for name in file["functions"]]
    names = random.Random(prove.SEED).sample(every, SAMPLE)
    rows, slow = prove.functions(prove.MACHINE, names)
    goals = sum(count for count, _ in rows.values())
    refuted = prove.refuted(prove.MACHINE, prove.SEED % 3, names, slow)
    print(f"{', '.join(names)}: {goals} goals are proved; {len(refuted)} planted bugs are refuted")
    print(f"of {len(every)} functions; recorded, inputs unchanged")


def main(words):
    if words not in ([], ["--fresh"]):
        print(__doc__, file=sys.stderr)
        return 2
    fresh = words or os.environ.get("WIRESUM_FRESH")
    if fresh or json.loads(prove.RECORD.read_text())["digest"] != prove.digest():
        sys.argv = sys.argv[:1]
        return prove.main()
    sample()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
