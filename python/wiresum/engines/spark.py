# SPDX-License-Identifier: MIT OR Apache-2.0
"""Archives on Spark 4. The executors open the captures themselves, so packets cross neither the JVM
nor Python.

    import wiresum

    wiresum.spark.register(spark)
    rows = spark.read.format("wiresum").load("s3a://bucket/2026/**/*.pcapng.zst")
    rows.where("status = 'bad'").groupBy("cause").count().show()
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    InputPartition,
    IsNotNull,
    IsNull,
    LessThan,
    LessThanOrEqual,
)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from .. import verify_packets as _verify_packets
from . import _results
from ._files import Paths, find
from ._parts import SPLIT, TASKS_A_CORE, Part, in_turn, on_threads, plan, tasks_of
from ._results import Written
from ._tables import plain, rows_of, schema

__all__ = ["Captures", "Written", "register", "verify_packets", "write"]

START = 128 << 20
"""The bytes that a worker counts in the time in which Spark starts a task: 100 ms, about."""

CORES = 16
"""The cores of a cluster that does not tell them."""

NANOSECONDS = "nanoseconds"
"""Spark's times have microseconds. This column has the nanoseconds since 1970."""


def register(spark: SparkSession) -> None:
    """Make `spark.read.format("wiresum")` known to a session."""

    setting = spark.conf.get("spark.sql.python.filterPushdown.enabled", "false")

    class OfSession(Captures):
        cores = _cores(spark)
        # Spark refuses a reader that takes filters while the setting is off.
        readers = _Filtering if setting == "true" else _Reader

    spark.dataSource.register(OfSession)


def _cores(spark: SparkSession) -> int:
    """The cores of the cluster. A session of Connect does not know them."""
    try:
        return int(spark.sparkContext.defaultParallelism)
    except PySparkException:
        return CORES


class Captures(DataSource):
    """The data source `wiresum`. Its option `table` is checksums (the default), counts or problems;
    `split` is the number of bytes above which a capture is split.

    Spark has no unsigned numbers, so each has the next larger type. If the caller gives a schema
    with some of the columns, the others never come to Spark.
    """

    cores = CORES
    readers: "type[_Reader] | None" = None

    @classmethod
    def name(cls) -> str:
        return "wiresum"

    @property
    def _table(self) -> str:
        return self.options.get("table", "checksums")

    def schema(self) -> StructType:
        return from_arrow_schema(_schema(self._table))

    def reader(self, schema: StructType) -> "_Reader":
        paths = self.options.get("path") or json.loads(self.options.get("paths", "[]"))
        if not paths:
            raise ValueError("name the captures: load(path), with paths, globs, folders or URIs")
        split = int(self.options.get("split", SPLIT))
        reader = self.readers or _Reader
        return reader(paths, self._table, schema, split, self.cores)


class _Partition(InputPartition):
    def __init__(self, parts: list[Part]) -> None:
        super().__init__(None)
        self.parts = parts


class _Reader(DataSourceReader):
    def __init__(
        self, paths: Paths, table: str, wanted: StructType, split: int, cores: int
    ) -> None:
        whole = _schema(table)
        for name in wanted.fieldNames():
            if name not in whole.names:
                raise ValueError(f"{name!r} is no column of {table}; it has {whole.names}")
        self._paths = paths
        self._table = table
        self._wanted = pa.schema(
            [whole.field(field.name).with_nullable(field.nullable) for field in wanted]
        )
        self._split = split
        self._cores = cores
        self._filters: list[tuple[str, str, Any]] = []
        """What must hold of the rows: the names of a column and of a function, and a value."""

    def partitions(self) -> Sequence[InputPartition]:
        parts = plan(find(self._paths), on_threads(), self._split)
        tasks = tasks_of(parts, self._table, self._cores, START)
        return [_Partition(parts) for parts in tasks]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, _Partition)
        needed = {"time" if name == NANOSECONDS else name for name in self._wanted.names}
        needed |= {name for name, _, _ in self._filters}
        columns = [name for name in schema(self._table).names if name in needed]
        for batch in rows_of(partition.parts, self._table, columns):
            for name, function, value in self._filters:
                if batch.num_rows:
                    batch = batch.filter(_holds(batch.column(name), function, value))
            if batch.num_rows:
                yield _for_spark(batch, self._wanted)


FILTERS: dict[type[Filter], str] = {
    EqualTo: "equal",
    GreaterThan: "greater",
    GreaterThanOrEqual: "greater_equal",
    In: "is_in",
    IsNotNull: "is_valid",
    IsNull: "is_null",
    LessThan: "less",
    LessThanOrEqual: "less_equal",
}
"""The filters that a reader takes, and the functions of pyarrow that they are."""


class _Filtering(_Reader):
    """A reader that hands on only rows that Spark does not drop."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        known = schema(self._table)
        for each in filters:
            path: tuple[str, ...] = getattr(each, "attribute", ())
            if type(each) not in FILTERS or len(path) != 1 or path[0] not in known.names:
                continue
            name, value = path[0], getattr(each, "value", None)
            kind = plain(known.field(name).type)
            if pa.types.is_string(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind):
                self._filters.append((name, FILTERS[type(each)], value))
        return filters  # Spark looks at what remains itself


def _holds(array: pa.Array, function: str, value: Any) -> pa.Array:
    array = _array(array, _type(array.type))
    if function in ("is_null", "is_valid"):
        return pc.call_function(function, [array])
    if function == "is_in":
        return pc.is_in(array, value_set=pa.array(value, array.type))
    return pc.call_function(function, [array, pa.scalar(value, array.type)])


def _schema(table: str) -> pa.Schema:
    """The columns of a table in Spark."""
    fields = [field.with_type(_type(field.type)) for field in schema(table)]
    if table == "checksums":
        fields.append(pa.field(NANOSECONDS, pa.int64()))
    return pa.schema(fields)


SIGNED = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.int64(),
}


def _type(kind: pa.DataType) -> pa.DataType:
    """The type that Spark has for a type of Arrow."""
    if pa.types.is_dictionary(kind):
        return _type(kind.value_type)
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", "UTC")
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_type(field.type)) for field in kind])
    return SIGNED.get(kind, kind)


def _for_spark(batch: pa.RecordBatch, wanted: pa.Schema) -> pa.RecordBatch:
    arrays = []
    for field in wanted:
        array = batch.column("time" if field.name == NANOSECONDS else field.name)
        arrays.append(_array(array, field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=wanted)


def _array(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_struct(kind):
        children = [_array(child, field.type) for child, field in zip(array.flatten(), kind)]
        return pa.StructArray.from_arrays(children, fields=list(kind), mask=array.is_null())
    return array.cast(kind, safe=False)  # a time loses its nanoseconds


def verify_packets(
    packets: DataFrame,
    column: str = "data",
    *,
    link_type: int | str = 1,
    original_length: str | None = None,
    flags: str | None = None,
    verdict: str = "verdict",
) -> DataFrame:
    """Judge the packets of a binary column, and add a column of verdicts, as
    `wiresum.verify_packets`, by `mapInArrow`.

    `column`, `original_length` and `flags` name columns; `link_type` is a number or names one.
    """
    none = pa.array(_verify_packets(pa.array([], pa.binary())))
    added = from_arrow_schema(pa.schema([pa.field(verdict, _type(none.type))]))
    judge = partial(
        _judge,
        column=column,
        link_type=link_type,
        original_length=original_length,
        flags=flags,
        verdict=verdict,
    )
    return packets.mapInArrow(judge, StructType(packets.schema.fields + added.fields))


def _judge(
    batches: Iterable[pa.RecordBatch],
    column: str,
    link_type: int | str,
    original_length: str | None,
    flags: str | None,
    verdict: str,
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        verdicts = pa.array(
            _verify_packets(
                batch[column],
                _numbers(batch[link_type]) if isinstance(link_type, str) else link_type,
                _numbers(batch[original_length]) if original_length else None,
                _numbers(batch[flags]) if flags else None,
            )
        )
        yield batch.append_column(verdict, _array(verdicts, _type(verdicts.type)))


def _numbers(array: pa.Array) -> pa.Array:
    return array.cast(pa.uint32())


def write(
    spark: SparkSession, paths: Paths, folder: str, *, filesystem: Any = None, split: int = SPLIT
) -> Written:
    """Judge the checksums of captures, and write the results into a folder that all executors
    share, as `wiresum.ray.write` does. The session has to be a classic one, not one of Connect.
    """

    def run(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        if not arguments:
            return []
        # Neighbors, such as the ranges of one large capture, go to different tasks. There are
        # more tasks than in a query, because nobody weighs what each of them gets.
        tasks = min(len(arguments), 4 * TASKS_A_CORE * _cores(spark))
        dealt = [arguments[n::tasks] for n in range(tasks)]
        rows = spark.sparkContext.parallelize(dealt, tasks)
        results: list[Any] = [None] * len(arguments)
        for n, found in enumerate(rows.map(lambda some: in_turn(function, some)).collect()):
            results[n::tasks] = found
        return results

    return _results.write(paths, folder, filesystem=filesystem, run=run, split=split)
