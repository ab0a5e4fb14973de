# SPDX-License-Identifier: MIT OR Apache-2.0
"""The generated parts of documents: a program writes them, and a test compares them.

A generated part is what lies between the lines <!-- NAME:begin ... --> and <!-- NAME:end -->.
"""

import difflib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def markdown_table(header, rows):
    """A table of Markdown; each row is a sequence of texts."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def parts_of(file, name):
    """The text of a file before, in, and after its generated part of this name."""
    text = (ROOT / file).read_text()
    begin, end = f"<!-- {name}:begin[^>]*-->\n", f"<!-- {name}:end -->"
    found = re.search(f"({begin})(.*?)({end})", text, re.DOTALL)
    if not found:
        raise ValueError(f"{file} has no lines <!-- {name}:begin --> and <!-- {name}:end -->")
    return text[: found.start(2)], found.group(2), text[found.end(2) :]


def write(file, name, content):
    """Puts content in place of a generated part."""
    before, _, after = parts_of(file, name)
    (ROOT / file).write_text(f"{before}{content.strip()}\n{after}")


def is_up_to_date(file, name, content):
    """Whether a generated part is this content."""
    return parts_of(file, name)[1].strip() == content.strip()


def main(tables, faults=()):
    """The command line of a program that makes tables, each (file, name, function that makes it):
    --write writes them, --check compares them. `faults` are lines about other faults."""
    if sys.argv[1:] == ["--write"]:
        for file, name, make in tables:
            write(file, name, make())
            print(f"{file}: {name}: written")
        return 0
    if sys.argv[1:] != ["--check"]:
        print("usage: --write or --check", file=sys.stderr)
        return 2
    wrong = list(faults)
    for file, name, make in tables:
        if not is_up_to_date(file, name, make()):
            stands, due = parts_of(file, name)[1].strip(), make().strip()
            diff = difflib.unified_diff(stands.splitlines(), due.splitlines(), lineterm="", n=0)
            lines = "\n".join(list(diff)[2:])
            wrong.append(f"{file}: the table {name} is not what --write would write:\n{lines}")
    for line in wrong:
        print(f"WRONG {line}")
    print(f"{len(tables)} tables compared")
    return 1 if wrong else 0
