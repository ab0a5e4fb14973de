# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a full run keeps, and a bounded run compares: results.json, and the tables of README.md."""

import hashlib
import json
import re
import textwrap

from rtl.environment import Failed
from rtl.sources import MODELS, RTL, SOURCES

RESULTS = RTL / "results.json"


def folded(text):
    """The text with its paragraphs in lines of at most 100 columns."""
    return "\n".join(
        line
        if line.startswith("|")
        else textwrap.fill(line, 100, break_long_words=False, break_on_hyphens=False)
        for line in text.strip().splitlines()
    )


def put_table(name, text, bounded=False):
    """Rewrites the block of that name in README.md. Bounded: fails if the block has other text."""
    readme = RTL / "README.md"
    page = readme.read_text()
    begin, end = f"<!-- {name}: made by run.py -->\n", f"<!-- {name}: end -->"
    head, found, rest = page.partition(begin)
    if not found or end not in rest:
        raise Failed(f"README.md has no block {name}")
    text = head + begin + "\n" + folded(text) + "\n\n" + end + rest.partition(end)[2]
    if bounded and text != page:
        raise Failed(
            f"README.md: the block {name} has other text than this run: python3 rtl/run.py"
        )
    if text != page:
        readme.write_text(text)


def without_comments(text):
    """SystemVerilog or C without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def sources_hash():
    """A hash of the code that decides the simulation's results, without comments and white space.

    results.json names it, so a test finds results of other sources.
    """
    digest = hashlib.sha256()
    for path in (*SOURCES, *MODELS, RTL / "tests/system/harness.cpp", RTL / "driver/tcoe.c"):
        code = without_comments(path.read_text())
        digest.update(f"{path.name} {''.join(code.split())}".encode())
    return digest.hexdigest()[:16]


def keep_results(name, found, bounded):
    """Writes the results to results.json. Bounded: fails if the file has other results."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    found = json.loads(json.dumps(found))
    if not bounded:
        text = json.dumps({**kept, "sources": sources_hash(), name: found}, indent=1)
        RESULTS.write_text(
            re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
            + "\n"
        )
        return
    if kept.get("sources") != sources_hash():
        raise Failed("results.json is of other sources: python3 rtl/run.py sim synth")
    other = [key for key in found if kept.get(name, {}).get(key) != found[key]]
    if other:
        raise Failed(
            f"results.json: {name}: {', '.join(other)}: found {[found[key] for key in other]}, "
            f"kept {[kept.get(name, {}).get(key) for key in other]}: "
            "python3 rtl/run.py sim synth"
        )
