# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of README.md, from functions.toml and record.json.

python3 -m evidence.proof.scalar.tables --write    write them
python3 -m evidence.proof.scalar.tables --check    fail if a table is not what would be written
"""

import json
import re
import sys
import textwrap

from evidence.documents import generated

from .annotate import code, definitions
from .prove import FILES, RECORD, ROOT, UNIT

PAGE = "evidence/proof/scalar/README.md"


def functions():
    """A row for each proved function, and a line about the lemmas."""
    record = json.loads(RECORD.read_text())
    rows = []
    for file in FILES:
        for name, (about, _) in file["functions"].items():
            count, seconds = record["functions"][name]
            mutants = record["mutants"][name]
            rows.append((f"`{name}`", about, str(count), f"{seconds:.2f}", str(mutants)))
    header = ("function", "the result", "goals", "seconds", "planted bugs refuted")
    lemmas = (
        f"{len(record['lemmas'])} lemmas are proved too, in "
        f"{sum(record['lemmas'].values()):.1f} seconds of the provers."
    )
    return f"{generated.markdown_table(header, rows)}\n\n{lemmas}"


def stated():
    """The functions whose contracts are assumed, by file."""
    lines = []
    for file in FILES:
        names = [*file["assumed"], *file["stated"]]
        if names:
            text = f"- `{file['path']}`: {', '.join(f'`{name}`' for name in names)}."
            lines.append(textwrap.fill(text, 100, subsequent_indent="  "))
    return "\n".join(lines)


def bodies():
    """The code of each function; of wiresum_sum and its like the exported form, which is proved and
    comes after the inline one, and of dispatch.h the form with one kernel, which comes first."""
    paths = sorted({*UNIT, *(file["path"] for file in FILES)})
    found = {}
    for path in paths:
        lines = (ROOT / path).read_text().splitlines()
        text = "\n".join(lines)
        for name in set(re.findall(r"^[A-Za-z_][\w *]*[ *](\w+)\(", text, re.MULTILINE)):
            for first, last in definitions(lines, name):
                body = "\n".join(code("\n".join(lines[first : last + 1])))
                if not (path.endswith("dispatch.h") and name in found):
                    found[name] = body
    for file in FILES:
        lines = (ROOT / file["path"]).read_text().splitlines()
        for name, call in file.get("macros", {}).items():
            for first, last in definitions(lines, call.partition("(")[0]):
                found[name] = "\n".join(code("\n".join(lines[first : last + 1])))
    return found


def header():
    """A row for each function of wiresum.h: whether it is proved, and if so the contracts without a
    proof that it calls, or else a test of the C library that calls it."""
    proved = {name for file in FILES for name in file["functions"]}
    contracts = {name for file in FILES for name in (*file["assumed"], *file["stated"])}
    tests = {path: path.read_text() for path in sorted((ROOT / "c/tests").glob("*.c"))}
    code_of = bodies()
    text = "\n".join(code((ROOT / "c/include/wiresum.h").read_text()))
    rows = []
    for name in re.findall(r"^(?:WIRESUM_\w+|static inline) [^()#;]*?(\w+)\(", text, re.MULTILINE):
        if name in proved:
            calls, seen = [name], set()
            while calls:
                called = set(re.findall(r"(\w+)\(", code_of.get(calls.pop(), ""))) - seen
                seen |= called
                calls += called & proved
            open_ones = ", ".join(f"`{one}`" for one in sorted(seen & contracts))
            rows.append((f"`{name}`", "proved", open_ones or "nothing"))
            continue
        state = "stated only: open goals" if name in contracts else "no proof"
        call = re.compile(rf"\b{name}\b")
        where = [path.name for path, source in tests.items() if call.search(source)]
        rows.append((f"`{name}`", state, f"tested by `c/tests/{where[0]}`" if where else "no test"))
    head = ("function", "state", "rests on contracts without a proof, or a test")
    return generated.markdown_table(head, rows)


TABLES = [(PAGE, "functions", functions), (PAGE, "header", header), (PAGE, "stated", stated)]

if __name__ == "__main__":
    sys.exit(generated.main(TABLES))
