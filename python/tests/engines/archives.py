# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the tests of the engines share: rows and counts as the program writes them."""

import csv
import io
import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from captures import ROOT, captures, program

__all__ = [
    "ROOT",
    "captures",
    "dictionaries",
    "lines",
    "program",
    "program_counts",
    "program_lines",
]


def program_lines(*names):
    """The rows of `wiresum verify --csv`, sorted. Times have nine digits, as Arrow keeps them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        program("verify", "--csv", path, *names)
        with path.open(newline="") as rows:
            rows = list(csv.DictReader(rows))
    for row in rows:
        if row["time"]:
            whole, _, digits = row["time"].rstrip("Z").partition(".")
            row["time"] = f"{whole}.{digits:<09}Z"
    return _written(rows)


def lines(rows):
    """Rows of an engine, each a dictionary, as the lines of the same CSV, sorted."""
    return _written(map(_texts, rows))


def _texts(row):
    texts = {name: "" if value is None else str(value) for name, value in row.items()}
    texts["quoted"] = texts["quoted"].lower()
    digits = 8 if row["protocol"] == "sctp" else 4
    for name in ("found", "expected"):
        if row[name] is not None:
            texts[name] = f"{row[name]:#0{digits + 2}x}"
    if row["time"] is not None:
        seconds, nanoseconds = divmod(row["time"], 10**9)
        at = datetime.fromtimestamp(seconds, UTC)
        texts["time"] = f"{at:%Y-%m-%dT%H:%M:%S}.{nanoseconds:09}Z"
    return texts


def _written(rows):
    written = io.StringIO(newline="")
    writer = None
    for row in rows:
        writer = writer or csv.DictWriter(written, row, lineterminator="\n")
        writer.writerow(row)
    return sorted(written.getvalue().splitlines(keepends=True))


def dictionaries(table):
    """The rows of an Arrow table, with times as nanoseconds."""
    import pyarrow as pa

    if "time" in table.column_names:
        at = table.column_names.index("time")
        table = table.set_column(at, "time", table.column("time").cast(pa.int64()))
    return table.to_pylist()


def program_counts(*names):
    """The counts of `wiresum verify --json` by path, and the errors by path."""
    document = json.loads(program("verify", "--json", *names).stdout)
    files = {file["path"]: file for file in document["files"]}
    return files, {each["path"]: each["error"] for each in document["errors"]}
