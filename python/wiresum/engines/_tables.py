# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables that every engine has.

`checksums` has a row for each checksum, as `wiresum verify --parquet`. `counts` has the counts of
`wiresum verify --json`, one a row; the counts of parts, of captures and of archives add up.
`problems` has the captures that cannot be read to their end. `checksums` has what came before; so
has `counts` if compressed data are cut short, and no count includes other problems.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from .. import _wiresum, read
from ._parts import COLUMNS, Counts, Part, Reading, words

EMPTY = bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000")
"""A pcap without packets."""

CHECKSUMS: pa.Schema = pa.schema(read(EMPTY))
COUNTS: pa.Schema = pa.schema(
    [
        pa.field("file", pa.string(), nullable=False),
        pa.field("what", pa.string(), nullable=False),
        pa.field("protocol", pa.string()),
        pa.field("name", pa.string()),
        pa.field("n", pa.int64(), nullable=False),
    ]
)
PROBLEMS: pa.Schema = pa.schema(
    [
        pa.field("file", pa.string(), nullable=False),
        pa.field("error", pa.string(), nullable=False),
    ]
)
TABLES = {"checksums": CHECKSUMS, "counts": COUNTS, "problems": PROBLEMS}


def plain(kind: pa.DataType) -> pa.DataType:
    """A type without dictionaries: engines that group or join rows of several batches need that."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def plain_schema(of: pa.Schema) -> pa.Schema:
    """The columns without dictionaries."""
    return pa.schema([field.with_type(plain(field.type)) for field in of])


def schema(table: str, columns: Sequence[str] | None = None) -> pa.Schema:
    """The columns of a table, or the wanted ones among them."""
    if table not in TABLES:
        raise ValueError(f"{table!r} is no table; the tables are {', '.join(TABLES)}")
    whole = TABLES[table]
    if columns is None:
        return whole
    for name in columns:
        if name not in whole.names:
            raise ValueError(f"{name!r} is no column of {table}; it has {', '.join(whole.names)}")
    return pa.schema([whole.field(name) for name in columns])


def rows_of(
    parts: Sequence[Part], table: str, columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows that parts add to a table. The rows of `counts` and `problems` are one batch:
    a batch for each of many small captures would take longer than the captures themselves.
    """
    if table == "checksums":
        for part in parts:
            yield from Reading(part, COLUMNS if columns is None else columns)
        return
    counts, said = _wiresum.count([part.open(None) for part in parts])
    rows = pa.record_batch(counts)
    if table == "problems":
        names = [parts[n].file.name for n, _ in said]
        errors = [words(error) for _, error in said]
        rows = pa.record_batch(
            [pa.array(names, pa.string()), pa.array(errors, pa.string())], PROBLEMS
        )
    yield rows if columns is None else rows.select(list(columns))


def counts(of: Counts) -> pa.RecordBatch:
    """Counts as rows: the name of the count, and of which protocol, and of what."""
    rows: list[tuple[str, str | None, str | None, int]] = []
    for what, value in of.items():
        if isinstance(value, int):
            rows.append((what, None, None, value))
        elif isinstance(value, dict):
            for key, inner in value.items():
                if isinstance(inner, dict):
                    rows += ((what, key, name, n) for name, n in inner.items() if n)
                else:
                    rows.append((what, None, key, inner))
    columns = [[of.get("path")] * len(rows), *([row[at] for row in rows] for at in range(4))]
    return pa.RecordBatch.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, COUNTS)], schema=COUNTS
    )


def problems(part: Part, reading: Reading) -> pa.RecordBatch:
    """The problem of a part, if it has one."""
    rows: list[dict[str, Any]] = []
    if reading.problem is not None:
        rows.append({"file": part.file.name, "error": reading.problem})
    return pa.RecordBatch.from_pylist(rows, schema=PROBLEMS)
