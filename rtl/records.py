# SPDX-License-Identifier: MIT OR Apache-2.0
"""Records of whole bounded runs: what a part found, and a digest of what it found that from.

A part computes the same from the same inputs. So a bounded run whose inputs have the digest of
records.json repeats a sample only, and says so. Any other bounded run is whole: a run of changed
inputs, and each one with WIRESUM_FRESH=1. `run.py --bounded --record PART` writes the record after
a whole run has passed.

The inputs are the sources without their comments, the properties, the part's scripts, the versions
of the pinned packages, and what results.json and README.md keep of the part.
"""

import hashlib
import json
import os
import re

from c.tests.cross.recorded import code
from rtl.environment import PACKAGES, Failed
from rtl.results import RESULTS
from rtl.sources import ROOT, RTL

RECORDS = RTL / "records.json"
# The files of each part, the members of results.json that it compares, and the blocks of README.md.
# What a sample compares whole, as the table of mutants, is not among them.
PARTS = {
    "sim": (
        [
            *("rtl/src/**/*", "rtl/models/*", "rtl/driver/tcoe.*", "rtl/tests/**/*"),
            *("spec/reference.py", "spec/vectors.json"),
        ],
        ["table 2: engine, bus, polls", "whole job on the bus"],
        ["table 2"],
    ),
    "formal": (["rtl/src/**/*", "rtl/formal/*"], [], []),
    "synth": (
        ["rtl/src/**/*", "rtl/synth/*", "rtl/tests/paper.py"],
        ["synthesis", "blocks"],
        ["synthesis", "blocks", "engine size"],
    ),
}
CHOOSERS = {"sim": "WIRESUM_SIM", "formal": "WIRESUM_FORMAL", "synth": "WIRESUM_SYNTH"}


def text_of(path):
    """What of a file decides a result. A comment of a property file names the property."""
    return path.read_text() if "formal" in path.parts and path.suffix != ".py" else code(path)


def digest(part, root=ROOT, packages=PACKAGES):
    """A hash of the part's inputs."""
    patterns, members, blocks = PARTS[part]
    known = hashlib.sha256("\n".join(packages).encode())
    suffixes = (".sv", ".svh", ".f", ".c", ".h", ".cpp", ".py", ".json")
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            if path.suffix in suffixes:
                known.update(f"\n{path.relative_to(root).as_posix()}\n{text_of(path)}".encode())
    kept = json.loads((root / RESULTS.relative_to(ROOT)).read_text())
    known.update(json.dumps({name: kept.get(name) for name in members}, sort_keys=True).encode())
    page = (root / "rtl/README.md").read_text()
    for block in blocks:
        found = re.search(f"<!-- {block}: made by run.py -->(.*?)<!-- {block}: end -->", page, re.S)
        known.update(f"\n{block}\n{found and ' '.join(found[1].split())}".encode())
    return known.hexdigest()[:16]


def kept(root=ROOT):
    path = root / RECORDS.relative_to(ROOT)
    return json.loads(path.read_text()) if path.exists() else {}


def recorded(part, root=ROOT, packages=PACKAGES):
    """What the part found from these inputs, or none if a bounded run has to be whole."""
    if part not in PARTS or os.environ.get("WIRESUM_FRESH") or os.environ.get(CHOOSERS[part]):
        return None
    record = kept(root).get(part, {})
    return record.get("result") if record.get("inputs") == digest(part, root, packages) else None


def keep(part, before, result, root=ROOT):
    """Writes the record of a whole run, which began with inputs of the digest `before`."""
    if os.environ.get(CHOOSERS[part]):
        raise Failed(f"{part}: a record is of a whole run: unset {CHOOSERS[part]}")
    if digest(part, root) != before:
        raise Failed(f"{part}: its inputs changed during the run: run it again")
    text = json.dumps({**kept(root), part: {"inputs": before, "result": result}}, indent=1)
    (root / RECORDS.relative_to(ROOT)).write_text(text + "\n")
