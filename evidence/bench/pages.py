# SPDX-License-Identifier: MIT OR Apache-2.0
"""The pages of the site about machines, from the records alone: one a CPU family, and their list.

python3 -m evidence.bench.pages    prints a JSON object: the file of each page, and its Markdown
"""

import json
import re

from evidence.bench import readme
from evidence.bench.readme import RESULTS

FOLDER = "site/machines"
UP = "../" * (FOLDER.count("/") + 1)  # from a page to the root
COMPARED = ["wiresum_sum", "Linux csum_partial"]
LENGTHS = [20, 1500, "IMIX"]


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def from_the_root(lines):
    """Lines whose links begin at the root, for a page in FOLDER."""
    return [re.sub(r"\]\((?!\w+:|#)", f"]({UP}", line) for line in lines]


def nanoseconds(calls):
    """A table of {size: {contender: nanoseconds}}."""
    contenders = list(next(iter(calls.values())))
    rows = [
        [f"{int(size):,}", *(f"{times[name]:,.0f}" for name in contenders)]
        for size, times in calls.items()
    ]
    return table(["bytes", *contenders], rows)


def captures(name):
    record = RESULTS / f"captures/{name}.txt"
    if not record.exists():
        return []
    link = f"[evidence/bench/captures]({UP}evidence/bench/captures/README.md)"
    return ["## Captures", "", f"{link} says what is measured.", "", record.read_text()]


def python(name):
    record = RESULTS / f"python/{name}.json"
    if not record.exists():
        return []
    run = json.loads(record.read_text())
    versions = ", ".join(f"{package} {version}" for package, version in run["versions"].items())
    return [
        "## Python",
        "",
        f"The table has nanoseconds a call. Python {run['python']}; {versions}; {run['date']}.",
        "",
        *nanoseconds(run["calls"]),
    ]


def tcp(name):
    if not (RESULTS / f"tcp/{name}/README.md").exists():
        return []
    page = f"{UP}evidence/bench/results/tcp/{name}/README.md"
    return ["## TCP stacks", "", f"[The run of the TCP benchmark]({page}) has a page.", ""]


def machine(record):
    """The page of a CPU family."""
    name = record.folder.name
    heading, *rest = readme.section(record)
    figures = (record.folder / "record.txt").read_text().rstrip()
    return [
        heading.replace("### ", "# "),
        *from_the_root(rest),
        *tcp(name),
        *captures(name),
        *python(name),
        "## Every figure",
        "",
        "```text",
        figures,
        "```",
        "",
    ]


def comparison(records, shown):
    """A table of one function on each machine."""
    lengths = [at if at == "IMIX" else f"{at} B" for at in LENGTHS]
    rows = []
    for record in records:
        rates = record.rates(shown)
        link = f"[{record.name}]({record.folder.name}.md)"
        rows.append([link, *(f"{rates[at]:.3g}" for at in LENGTHS), record.unit])
    return table([shown.name, *lengths, "unit"], rows)


def machines(records):
    """The list of all CPU families on record."""
    browser = json.loads((RESULTS / "web/record.json").read_text())
    compared = [shown for shown in readme.SHOWN if shown.name in COMPARED]
    return [
        "# Machines on record",
        "",
        "A machine has one record, and each machine has its page. More is better.",
        f"[The benchmarks]({UP}evidence/bench/README.md) say what is measured, "
        "and how to record a machine.",
        "",
        *(line for shown in compared for line in comparison(records, shown)),
        "## In a browser",
        "",
        f"The table has nanoseconds a checksum in {browser['browser']} on {browser['cpu']},",
        f"{browser['date']}: the npm package, and a loop in JavaScript.",
        "",
        *nanoseconds(browser["nanoseconds_a_checksum"]),
    ]


def pages():
    """{file, from the root: Markdown}"""
    records = readme.records()
    found = {f"{record.folder.name}.md": machine(record) for record in records}
    found["README.md"] = machines(records)
    return {f"{FOLDER}/{name}": "\n".join(lines) for name, lines in found.items()}


if __name__ == "__main__":
    print(json.dumps(pages()))
