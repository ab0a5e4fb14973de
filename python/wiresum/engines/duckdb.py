# SPDX-License-Identifier: MIT OR Apache-2.0
"""Archives on DuckDB.

import duckdb
import wiresum

con = duckdb.connect()
wiresum.duckdb.install(con)
con.sql("select status, cause, count(*) from wiresum_verify('archive/**/*.pcap*') group by all")
"""

import contextlib
import hmac
import json
import os
import pickle
import queue
import secrets
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import duckdb
import pyarrow as pa

from .. import _wiresum
from .. import checksums as _checksums
from .. import verify_packets as _verify_packets
from . import _results
from ._files import Paths, find
from ._parts import TASKS_A_CORE, Part, groups, on_threads, plan
from ._results import Written
from ._tables import TABLES, plain, rows_of, schema

__all__ = ["Captures", "Written", "install", "write"]

SPLIT = 32 << 20
"""A capture of more bytes than this is split. The rows of so many bytes are in memory at once, for
each thread.
"""
VECTOR = 2048
"""The rows for which DuckDB calls a function at once."""
SCHEMES = ("file", "s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss")
"""The schemes of the URIs that SQL may read, unless `install` is given others."""
KEY = secrets.token_bytes(32)
"""Signs the parts that go through DuckDB: SQL must not hand pickles of its own to this process."""


class Captures:
    """A table of captures as an Arrow stream, which a query of DuckDB names by its variable. Only
    `columns` are made, all by default, on `threads` threads. Memory is bounded: a batch waits until
    DuckDB takes it. Each query reads the captures again.

    The other arguments are the arguments of `wiresum.ray.read_captures`.
    """

    def __init__(
        self,
        paths: Paths,
        *,
        table: str = "checksums",
        columns: Sequence[str] | None = None,
        filesystem: Any = None,
        threads: int | None = None,
        split: int = SPLIT,
    ) -> None:
        self._schema = _for_duckdb(schema(table, columns))
        self._table = table
        self._columns = columns
        self._threads = threads or os.cpu_count() or 1
        self._parts = plan(find(paths, filesystem), on_threads(self._threads), split)

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        reader = pa.RecordBatchReader.from_batches(self._schema, self._batches())
        return reader.__arrow_c_stream__(requested_schema)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        parts: queue.SimpleQueue[Sequence[Part]] = queue.SimpleQueue()
        for group in _shares(self._parts, self._table, self._threads):
            parts.put(group)
        batches: queue.Queue[pa.RecordBatch | BaseException | None] = queue.Queue(self._threads)
        stopped = threading.Event()

        def put(what: pa.RecordBatch | BaseException | None) -> None:
            while not stopped.is_set():
                try:
                    return batches.put(what, timeout=0.1)
                except queue.Full:
                    continue

        def work() -> None:
            try:
                while not stopped.is_set():
                    try:
                        some = parts.get_nowait()
                    except queue.Empty:
                        return put(None)
                    for batch in rows_of(some, self._table, self._columns):
                        put(_cast(batch, self._schema))
                        if stopped.is_set():
                            return
            except BaseException as error:
                put(error)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self._threads)]
        for thread in threads:
            thread.start()
        try:
            working = len(threads)
            while working:
                batch = batches.get()
                if batch is None:
                    working -= 1
                elif isinstance(batch, BaseException):
                    raise batch
                else:
                    yield batch
        finally:
            stopped.set()


def install(
    con: duckdb.DuckDBPyConnection,
    *,
    threads: int | None = None,
    schemes: Iterable[str] = (),
) -> None:
    """Give a connection the functions of this package:

    - `wiresum_verify(paths)`: a table with a row for each checksum. `paths` is a path, a glob, a
      folder or a URI, or a list of them.
    - `wiresum_counts(paths)` and `wiresum_problems(paths)`: the counts, and the captures that
      cannot be read to their end.
    - `inet_checksum(blob)`: the checksum of bytes, which is 0 if they include their right one.
    - `inet_verify(blob, link_type)`: the verdict on a packet, as `wiresum.verify_packets`.

    SQL may read the files of this machine and of the object stores S3, GCS and Azure. `schemes` are
    the schemes of further URIs, such as "https". After `set enable_external_access = false`, SQL
    reads no file at all.

    The tables are macros over a function that returns lists, so DuckDB cannot tell it which columns
    a query needs: `Captures` leaves out the others, and takes less memory. The functions
    belong to this connection and its process.
    """
    count = threads or os.cpu_count() or 1

    allowed = {*SCHEMES, *(scheme.lower() for scheme in schemes)}

    known = weakref.ref(con)  # a connection keeps its functions, so they must not keep it

    def check() -> None:
        """Refuses files in a data base that may read none. A query is under way on `con`."""
        con = known()
        if con is None:
            raise PermissionError("the connection is gone for which this function was made")
        with con.cursor() as other:
            setting = other.execute("select current_setting('enable_external_access')").fetchone()
        if setting != (True,):
            raise PermissionError(
                "this data base must not read files: enable_external_access is false"
            )

    def parts_of(paths: str) -> list[bytes | None]:
        check()
        named = json.loads(paths)
        for path in [named] if isinstance(named, str) else named:
            scheme, separator, _ = path.partition("://")
            if separator and scheme.lower() not in allowed:
                raise PermissionError(
                    f"SQL may not read {scheme}: URIs here; "
                    f"wiresum.duckdb.install(con, schemes=[{scheme!r}]) allows it"
                )
        return _padded(plan(find(named), on_threads(count), SPLIT), count)

    _define(
        con,
        "_wiresum_parts",
        partial(_wiresum.heeding, parts_of),
        ["VARCHAR"],
        "BLOB[]",
        side_effects=True,
    )
    for table, columns in TABLES.items():
        name, public = f"_wiresum_{table}", "verify" if table == "checksums" else table
        rows = partial(_wiresum.heeding, _rows_of_groups(table, count, check))
        kind = f"{_sql(pa.struct(list(_for_duckdb(columns))))}[]"
        # With its own handling of NULL, DuckDB would copy the list of a group into each row without
        # a group before it empties these rows again.
        how: dict[str, Any] = {"type": "arrow", "null_handling": "special", "side_effects": True}
        _define(con, name, rows, ["BLOB"], kind, **how)
        con.execute(
            f"create or replace temp macro wiresum_{public}(paths) as table "
            f"select unnest(rows, recursive := true) from (select {name}(part) as rows "
            "from (select unnest(_wiresum_parts(to_json(paths)::varchar)) as part))"
        )
    _define(con, "inet_checksum", _checksum, ["BLOB"], "USMALLINT", type="arrow")
    verdict = pa.array(_verify_packets(pa.array([], pa.binary()))).type
    _define(con, "inet_verify", _verify, ["BLOB", "UINTEGER"], _sql(verdict), type="arrow")


def _define(con: duckdb.DuckDBPyConnection, name: str, *how: Any, **more: Any) -> None:
    """Defines a function, in the place of an earlier one."""
    with contextlib.suppress(duckdb.Error):
        con.remove_function(name)
    con.create_function(name, *how, **more)


def _padded(parts: Sequence[Part], threads: int) -> list[bytes | None]:
    """Groups of parts that are read at once, each in a vector of its own: DuckDB calls a function
    for a whole vector, and would have the rows of all parts in memory.
    """
    rows: list[bytes | None] = []
    for group in groups(parts, 1, threads * SPLIT):
        packed = pickle.dumps(group)
        rows += [_signature(packed) + packed, *[None] * (VECTOR - 1)]
    return rows


def _signature(packed: bytes) -> bytes:
    return hmac.digest(KEY, packed, "sha256")


def _group(signed: bytes | None) -> list[Part]:
    """The group of parts in a row, which is none in most rows."""
    if signed is None:
        return []
    signature, packed = signed[:32], signed[32:]
    if not hmac.compare_digest(signature, _signature(packed)):
        raise ValueError("this function takes parts from wiresum_verify alone")
    parts: list[Part] = pickle.loads(packed)
    return parts


def _rows_of_groups(
    table: str, threads: int, check: Callable[[], None]
) -> Callable[[pa.ChunkedArray], pa.Array]:
    """A function that has the rows of each group of parts as a list."""
    wanted = _for_duckdb(TABLES[table])

    def rows(parts: Sequence[Part]) -> list[pa.Array]:
        return [_cast(batch, wanted).to_struct_array() for batch in rows_of(parts, table)]

    def lists(packed: pa.ChunkedArray) -> pa.Array:
        check()
        offsets, chunks = [0], [pa.array([], pa.struct(list(wanted)))]
        for signed in packed:
            parts = [(some,) for some in _shares(_group(signed.as_py()), table, threads)]
            for arrays in on_threads(threads)(rows, parts):
                chunks += arrays
            offsets.append(sum(map(len, chunks)))
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.concat_arrays(chunks))

    return lists


def _shares(parts: Sequence[Part], table: str, threads: int) -> Iterable[Sequence[Part]]:
    """The parts that a thread reads before it takes others: one; or several small ones, if the rows
    of all of them are one batch.
    """
    if table == "checksums":
        return ([part] for part in parts)
    return groups(parts, TASKS_A_CORE * threads)


def _checksum(blobs: pa.ChunkedArray) -> pa.Array:
    return pa.array(_checksums(blobs))


def _verify(blobs: pa.ChunkedArray, link_types: pa.ChunkedArray) -> pa.Array:
    verdicts = pa.array(_verify_packets(blobs, link_types))
    fields = [field.with_type(plain(field.type)) for field in verdicts.type]
    children = [child.cast(field.type) for child, field in zip(verdicts.flatten(), fields)]
    return pa.StructArray.from_arrays(children, fields=fields, mask=verdicts.is_null())


def _for_duckdb(columns: pa.Schema) -> pa.Schema:
    """The columns as DuckDB has them: strings without dictionaries, and times in UTC without a
    zone, because its times with a zone have no nanoseconds.
    """
    fields = [field.with_type(_arrow(field.type)) for field in columns]
    return pa.schema([field.with_nullable(True) for field in fields])


def _arrow(kind: pa.DataType) -> pa.DataType:
    return pa.timestamp("ns") if pa.types.is_timestamp(kind) else plain(kind)


SQL = {
    pa.string(): "VARCHAR",
    pa.bool_(): "BOOLEAN",
    pa.int64(): "BIGINT",
    pa.uint8(): "UTINYINT",
    pa.uint16(): "USMALLINT",
    pa.uint32(): "UINTEGER",
    pa.uint64(): "UBIGINT",
    pa.timestamp("ns"): "TIMESTAMP_NS",
}


def _sql(kind: pa.DataType) -> str:
    """The type of DuckDB."""
    if pa.types.is_struct(kind):
        fields = (f'"{field.name}" {_sql(field.type)}' for field in kind)
        return f"STRUCT({', '.join(fields)})"
    return SQL[_arrow(kind)]


def _cast(batch: pa.RecordBatch, wanted: pa.Schema) -> pa.RecordBatch:
    columns = [
        column.cast(pa.int64()).cast(field.type)  # without the data base of time zones
        if pa.types.is_timestamp(field.type)
        else column.cast(field.type)
        for column, field in zip(batch.columns, wanted)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=wanted)


def write(
    paths: Paths, folder: str, *, filesystem: Any = None, threads: int | None = None
) -> Written:
    """Judge the checksums of captures on threads of this process, and write the results into a
    folder, as `wiresum.ray.write` does, for `read_parquet` with `hive_partitioning`.
    """
    return _results.write(paths, folder, filesystem=filesystem, run=on_threads(threads))
