# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares what engines made of an archive with what the command line made of it.

Rows are compared as lines of CSV, in any order, by a digest of each file: the number of its lines
and the sum of their hashes. So memory is bounded, whatever the size of the archive. Times have nine
digits, because Arrow has nanoseconds.
"""

import functools
import json
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from python.tests.engines.archives import counted, counted_files, files_and_errors

COLUMNS = (
    *("file", "frame", "time", "layer", "quoted", "protocol", "source", "source_port"),
    *("destination", "destination_port", "status", "cause", "reason", "found", "expected"),
    "offset",
)
DIGEST = "select file, count(*), sum(hash(line)::hugeint) from ({lines}) group by file"
OF_CSV = r"""
    select split_part(line, ',', 1) as file,
        regexp_replace(line, '(:\d\d\.\d{{6}})Z', '\1000Z') as line
    from read_csv('{path}', columns = {{'line': 'varchar'}}, delim = '\x01', quote = '',
        escape = '', header = true, auto_detect = false)
"""
TEXTS = {
    "time": "strftime(make_timestamp(time // 1000), '%Y-%m-%dT%H:%M:%S') "
    "|| printf('.%09dZ', time % 1000000000)",
    **{
        name: f"case protocol when 'sctp' then printf('0x%08x', {name}) "
        f"else printf('0x%04x', {name}) end"
        for name in ("found", "expected")
    },
}


DAMAGE = "the compressed data are damaged: "
"""How a problem begins that the program counts as malformed, and so has no error for."""


class Different(Exception):
    """An engine has other rows, counts or problems than the command line."""


@functools.cache
def digests_of_csv(path):
    """The digest of each file in a CSV of the program."""
    return _digests(duckdb.connect(), OF_CSV.format(path=path))


def digests_of_rows(folder):
    """The digest of each file in Parquet files of an engine, which may be in folders."""
    dataset = ds.dataset(folder, format="parquet", partitioning=None)
    reader = pa.RecordBatchReader.from_batches(ROWS, map(_batch, dataset.to_batches()))
    con = duckdb.connect()
    con.register("rows", reader)
    texts = (TEXTS.get(name, f'"{name}"::varchar') for name in COLUMNS)
    line = ", ".join(f"coalesce({text}, '')" for text in texts)
    return _digests(con, f"select file, concat_ws(',', {line}) as line from rows")


NUMBERS = {
    **dict.fromkeys(("frame", "time", "offset", "found", "expected"), pa.int64()),
    **dict.fromkeys(("layer", "source_port", "destination_port"), pa.int64()),
    "quoted": pa.bool_(),
}
ROWS = pa.schema([(name, NUMBERS.get(name, pa.string())) for name in COLUMNS])


def _batch(batch):
    """A batch of rows with the same types from every engine."""
    time = "nanoseconds" if "nanoseconds" in batch.schema.names else "time"
    columns = [batch.column(time if name == "time" else name) for name in COLUMNS]
    casts = [column.cast(field.type) for column, field in zip(columns, ROWS, strict=True)]
    return pa.RecordBatch.from_arrays(casts, schema=ROWS)


def _digests(con, lines):
    rows = con.execute(DIGEST.format(lines=lines)).fetchall()
    return {file: (count, total) for file, count, total in rows}


def differing(said, expected):
    """What differs between two dictionaries, in a few words."""
    keys = [key for key in said.keys() | expected.keys() if said.get(key) != expected.get(key)]
    if not keys:
        return ""
    first = min(keys, key=str)
    return (
        f"{len(keys)} differ; of {first} the command line has {expected.get(first)}, "
        f"the engine {said.get(first)}"
    )


def compare(engine, made, program):
    """Compares the tables in a folder of an engine with those in a folder of the program. Returns
    the number of rows, and the problems."""
    files, errors = files_and_errors(json.loads((program / "counts.json").read_text()))
    expected = digests_of_csv(program / "checksums.csv")
    rows = {name: pq.read_table(made / f"{name}.parquet") for name in ("counts", "problems")}
    problems = {row["file"]: row["error"] for row in rows["problems"].to_pylist()}
    for path, file in files.items():
        if "damaged compressed data" in file["malformed_by"]:
            said = problems.get(path, "")
            errors[path] = said if said.startswith(DAMAGE) else DAMAGE
    for what, said, due in (
        ("counts", counted(rows["counts"].to_pylist()), counted_files(files)),
        ("problems", problems, errors),
        ("rows", digests_of_rows(made / "checksums.parquet"), expected),
        ("written rows", digests_of_rows(made / "written" / "checksums"), expected),
    ):
        if found := differing(said, due):
            raise Different(f"{engine}: {what}: {found}")
    return sum(count for count, _ in expected.values()), problems


def packets(program: Path):
    """The packets that the program has counted."""
    document = json.loads((program / "counts.json").read_text())
    return sum(file["packets"] for file in document["files"])
