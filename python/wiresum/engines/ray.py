# SPDX-License-Identifier: MIT OR Apache-2.0
"""Archives on Ray Data. The workers open the captures themselves, so packets never cross Python.

import wiresum

rows = wiresum.ray.read_captures("s3://bucket/2026/**/*.pcapng.zst")
rows.filter(expr="status == 'bad'").groupby("cause").count().show()
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import ray
from ray.data import Dataset
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from .. import verify_packets as _verify_packets
from . import _results
from ._files import Paths, find
from ._parts import SPLIT, Part, plan, tasks_of
from ._results import Written
from ._tables import plain_schema, rows_of, schema

__all__ = ["Written", "read_captures", "verify_packets", "write"]

START = 64 << 20
"""The bytes that a worker counts in some times the 20 ms in which Ray starts a task."""


def _run(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Calls a function on the cluster. Ray calls it again if a worker dies."""
    call = ray.remote(_call)
    return list(ray.get([call.remote(function, *each) for each in arguments]))


def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


def read_captures(
    paths: Paths,
    *,
    table: str = "checksums",
    columns: Sequence[str] | None = None,
    filesystem: Any = None,
    split: int = SPLIT,
) -> Dataset:
    """Judge the checksums of captures, and return a table of them.

    `paths` are paths, globs, folders and URIs of captures, which every worker can open. With
    `filesystem`, one of pyarrow or of fsspec, they are paths of that file system. `table` is
    "checksums", a row for each checksum, as `wiresum.read` has it; "counts"; or "problems", the
    captures that cannot be read to their end. The order of the rows is not told, and strings have
    no dictionaries. Several tasks read a capture of more than `split` bytes that is not compressed.
    Workers make only the columns and hand on only the rows that the steps after this one select by
    `select_columns` and by `filter` with an expression.
    """
    schema(table, columns)  # refuses names that the table does not have
    parts = plan(find(paths, filesystem), _run, split)
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    cores = int(resources.get("CPU", 1))
    tasks = tasks_of(parts, table, cores, START)
    captures = _Captures(tasks, table, columns)
    # Ray would split the rows of each task until there are as many blocks as it likes to have.
    blocks = max(len(tasks), 1)
    rows: Dataset = ray.data.read_datasource(captures, override_num_blocks=blocks)
    return rows


class _Captures(Datasource):
    """Parts of captures, by the task that reads them: one, or several small ones. Ray says which
    columns and rows it wants.
    """

    def __init__(
        self, tasks: Sequence[Sequence[Part]], table: str, columns: Sequence[str] | None
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._tasks = tasks
        self._table = table
        self._columns = columns
        self._projection_map: dict[str, str] | None = None

    def supports_projection_pushdown(self) -> bool:
        return True

    def supports_predicate_pushdown(self) -> bool:
        return True

    def get_name(self) -> str:
        return "wiresum"

    def estimate_inmemory_data_size(self) -> int | None:
        return None  # it depends on the length of packets

    def get_read_tasks(self, *_: object, **__: object) -> list[ReadTask]:
        names = self._get_data_columns()
        wanted = plain_schema(schema(self._table, self._columns if names is None else names))
        predicate = self.get_current_predicate()
        rows = None if predicate is None else predicate.to_pyarrow()
        return [
            ReadTask(
                partial(_read, parts, self._table, wanted, rows),
                BlockMetadata(
                    num_rows=None,
                    size_bytes=sum(part.size for part in parts),
                    input_files=tuple(sorted({part.file.name for part in parts})),
                    exec_stats=None,
                ),
                schema=wanted,
            )
            for parts in self._tasks
        ]


def _read(
    parts: Sequence[Part], table: str, wanted: pa.Schema, rows: pc.Expression | None
) -> Iterator[pa.Table]:
    """The wanted columns of the rows for which an expression is true."""
    # A text in the expression may be a word of these too; then its column is made in vain.
    named = set(re.findall(r"\w+", "" if rows is None else str(rows)))
    needed = plain_schema(schema(table))
    needed = pa.schema([f for f in needed if f.name in named or f.name in wanted.names])
    for batch in rows_of(parts, table, needed.names):
        found = pa.Table.from_batches([batch.cast(needed)])
        found = found if rows is None else found.filter(rows)
        yield found.select(wanted.names)


def verify_packets(
    dataset: Dataset,
    packets: str = "data",
    *,
    link_type: int | str = 1,
    original_length: str | None = None,
    flags: str | None = None,
    verdict: str = "verdict",
) -> Dataset:
    """Judge the packets of a column, and add a column of verdicts, as `wiresum.verify_packets`.

    `packets`, `original_length` and `flags` name columns; `link_type` is a number or names one.
    """
    judge = partial(
        _judge,
        packets=packets,
        link_type=link_type,
        original_length=original_length,
        flags=flags,
        verdict=verdict,
    )
    return dataset.map_batches(judge, batch_format="pyarrow", zero_copy_batch=True)


def _judge(
    table: pa.Table,
    packets: str,
    link_type: int | str,
    original_length: str | None,
    flags: str | None,
    verdict: str,
) -> pa.Table:
    verdicts = _verify_packets(
        table[packets],
        table[link_type] if isinstance(link_type, str) else link_type,
        table[original_length] if original_length else None,
        table[flags] if flags else None,
    )
    return table.append_column(verdict, pa.array(verdicts))


def write(paths: Paths, folder: str, *, filesystem: Any = None, split: int = SPLIT) -> Written:
    """Judge the checksums of captures, and write the results into a folder that all workers share.

    The folder has the three tables as Parquet. The files of `checksums` are by date and capture. A
    run that was cut off goes on where it was when it is started again, and skips what is done.
    """
    return _results.write(paths, folder, filesystem=filesystem, run=_run, split=split)
