# SPDX-License-Identifier: MIT OR Apache-2.0
"""The results of an archive as a folder of Parquet files. A run that was cut off can go on.

    checksums/date=2026-11-22/part-1f0c-00000.parquet
    counts/part-1f0c-00000.parquet
    problems/part-1f0c-00000.parquet
    captures/office.pcapng-77aa.json
    .parts/office.pcapng-77aa/00000/checksums/date=2026-11-22/0.arrow

Tasks write the rows of each part of a capture into `.parts`, where no reader looks. `merge` puts
the rows of many parts into few files. It writes down first which file gets the rows of which parts,
and gives each file its name when the file is whole, with one renaming. A run that finds a list of
an earlier run goes on with it: a file that has the number of the list is done. So a row is in the
tables once or not at all, wherever a run is killed.

The name of a capture comes from its place, its size and how it is split. `capture` and `part` are
columns of all tables. The rows of a capture that has changed are removed: each file that has some
is replaced by one without them.
"""

import collections
import contextlib
import hashlib
import itertools
import json
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ._files import File, Paths, filesystem_of, find
from ._parts import COLUMNS, SPLIT, Part, Reading, Run, in_turn, plan
from ._tables import CHECKSUMS, COUNTS, PROBLEMS, counts, problems

NO_DATE = "__HIVE_DEFAULT_PARTITION__"
"""The date of rows without a time, by Hive's convention."""


OF_RESULTS = ("cause_label", "explanation")
"""Further columns of the rows, for `wiresum report`."""

_TEXT = CHECKSUMS.field("cause").type
_PART = [
    pa.field("capture", _TEXT, nullable=False),
    pa.field("part", pa.uint32(), nullable=False),
]
SCHEMAS = {
    "checksums": pa.schema([*CHECKSUMS, *(pa.field(name, _TEXT) for name in OF_RESULTS), *_PART]),
    "counts": pa.schema([*COUNTS, *_PART]),
    "problems": pa.schema([*PROBLEMS, pa.field("again", pa.bool_(), nullable=False), *_PART]),
}
"""The columns of the tables in a folder. `again` is true of a part that could not be
read, whatever it holds: the next run reads it again.
"""

LAYOUT = 2
"""The number of this layout, which each file in `captures` has."""

PARTS = ".parts"
"""The folder of the rows that are in no table yet."""
LIST = f"{PARTS}/merge.json"
"""Which file of a table gets the rows of which files of `PARTS`."""
NUMBER = b"wiresum_merge"
"""The name of the key of a Parquet file that names the list for which it was written last."""
LARGE = 128 << 20
"""A file of a table gets the rows of so many bytes in `PARTS`, or of one part. A file that has
fewer bytes gets further rows by being replaced.
"""

TEMPORARY = re.compile(r"\..+\.[0-9a-f]{32}")
"""The names of files that are being written."""

ROWS = 8 << 10
"""The rows of a row group, at least. It has at most one batch more. `wiresum report` decodes
a row group for each capture in it, so it must not have the rows of hundreds of captures.
"""

OPEN = 16
"""The files that a task has open at once for the dates of its rows."""
BASE = 100
"""The characters of a file's name that the name of its folders has, at most."""


@dataclass(frozen=True)
class Written:
    """What a run has written."""

    folder: str
    captures: int
    """The captures that the paths name."""
    parts: int
    """The parts of them that this run has read."""
    skipped: int
    """The parts that an earlier run had read."""
    problems: dict[str, str]
    """Why captures cannot be read to their end, by path."""


@dataclass(frozen=True)
class Folder:
    """A folder for results."""

    filesystem: Any
    path: str

    def exists(self, name: str) -> bool:
        info = self.filesystem.get_file_info(f"{self.path}/{name}")
        return bool(info.type != fs.FileType.NotFound)

    def temporary(self, name: str) -> str:
        """A name for a file that is being written; no reader of Parquet folders looks at it. An
        object store has a file when it is whole.
        """
        folder, _, base = f"{self.path}/{name}".rpartition("/")
        self.filesystem.create_dir(folder, recursive=True)
        return f"{folder}/.{base}.{uuid.uuid4().hex}" if self.is_local else f"{folder}/{base}"

    def keep(self, temporary: str, name: str) -> None:
        """Gives a file that is whole its name."""
        if self.is_local:
            self.filesystem.move(temporary, f"{self.path}/{name}")

    @property
    def is_local(self) -> bool:
        return isinstance(self.filesystem, fs.LocalFileSystem)

    def write_text(self, name: str, text: str) -> None:
        temporary = self.temporary(name)
        with self.filesystem.open_output_stream(temporary) as out:
            out.write(text.encode())
        self.keep(temporary, name)

    def remove(self, name: str) -> None:
        if self.exists(name):
            self.filesystem.delete_file(f"{self.path}/{name}")

    def remove_folder(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError):  # an object store has no empty folders
            self.filesystem.delete_dir(f"{self.path}/{name}")

    def files(self, name: str) -> list[tuple[str, int]]:
        """The names in the folder of results, and the sizes, of what a folder and its folders hold,
        except for temporary files.
        """
        selector = fs.FileSelector(f"{self.path}/{name}", recursive=True, allow_not_found=True)
        listed = self.filesystem.get_file_info(selector)
        return sorted(
            (info.path[len(self.path) :].lstrip("/"), info.size)
            for info in listed
            if info.is_file and not info.base_name.startswith(".")
        )

    def remove_temporary(self) -> None:
        """Removes what runs that died have left."""
        for table in ("captures", *SCHEMAS):
            selector = fs.FileSelector(f"{self.path}/{table}", recursive=True, allow_not_found=True)
            for info in self.filesystem.get_file_info(selector):
                if TEMPORARY.fullmatch(info.base_name):
                    self.filesystem.delete_file(info.path)

    def parquet(self, name: str) -> pq.ParquetFile:
        return pq.ParquetFile(f"{self.path}/{name}", filesystem=self.filesystem)

    def replace(self, name: str, batches: Iterable[pa.RecordBatch], number: bytes) -> None:
        """Writes a file of a table, or replaces it. A reader sees the one or the other."""
        table = name.partition("/")[0]
        temporary = self.temporary(name)
        with pq.ParquetWriter(
            temporary, SCHEMAS[table], filesystem=self.filesystem, compression="zstd"
        ) as writer:
            writer.add_key_value_metadata({NUMBER: number})
            for group in _row_groups(batches):
                writer.write_table(group.cast(SCHEMAS[table]), group.num_rows)
        self.keep(temporary, name)

    def text(self, name: str) -> str:
        with self.filesystem.open_input_stream(f"{self.path}/{name}") as text:
            return bytes(text.read()).decode()


def capture_name(file: File, split: int) -> str:
    """The name of a capture's folders."""
    told = json.dumps([file.place, file.size, file.modified, split])
    base = re.sub(r"[^A-Za-z0-9._-]", "_", file.name.rpartition("/")[2])[:BASE]
    return f"{base}-{hashlib.sha256(told.encode()).hexdigest()[:16]}"


def write(
    paths: Paths,
    folder: str,
    *,
    filesystem: Any = None,
    run: Run = in_turn,
    split: int = SPLIT,
) -> Written:
    """Judge the checksums of captures, and write the results into a folder."""
    out = Folder(*filesystem_of(folder))
    files: dict[str, File] = {}
    for file in find(paths, filesystem):
        files.setdefault(capture_name(file, split), file)
    before = {
        name.removeprefix("captures/").removesuffix(".json"): json.loads(out.text(name))
        for name, _ in out.files("captures")
    }
    if any(told.get("layout") != LAYOUT for told in before.values()):
        raise ValueError(f"another version wrote the results in {folder}; name another folder")
    out.remove_temporary()
    merge(out, run)
    _remove_changed(out, files, before)
    done = _done(out)
    to_read = {
        name: file
        for name, file in files.items()
        if name not in before or len(done[name]) < before[name]["parts"]
    }
    names = {file.place: name for name, file in to_read.items()}
    skipped = sum(before[name]["parts"] for name in files.keys() - to_read.keys())
    tasks: list[tuple[Part, str, Folder]] = []
    for part in plan(to_read.values(), run, split):
        name = names[part.file.place]
        if part.number == 0 and name not in before:
            told = {
                "layout": LAYOUT,
                "file": part.file.name,
                "place": part.file.place,
                "size": part.file.size,
                "parts": part.of,
            }
            out.write_text(f"captures/{name}.json", json.dumps(told))
        if part.number in done[name]:
            skipped += 1
        else:
            tasks.append((part, name, out))
    run(write_part, tasks)
    merge(out, run)
    return Written(folder, len(files), len(tasks), skipped, _problems(out, files))


def merge(out: Folder, run: Run) -> None:
    """Puts the rows of all finished parts into the tables, and removes what else is in `PARTS`."""
    if not out.exists(LIST):
        outputs = _outputs(out)
        if outputs:
            told = {"number": uuid.uuid4().hex, "outputs": outputs}
            out.write_text(LIST, json.dumps(told))
    if out.exists(LIST):
        told = json.loads(out.text(LIST))
        run(_merge_file, [(out, told["number"], *each) for each in told["outputs"].items()])
        for name in {name.split("/")[1] for name, _ in out.files(PARTS) if name != LIST}:
            out.remove_folder(f"{PARTS}/{name}")
        out.remove(LIST)
    out.remove_folder(PARTS)


def _outputs(out: Folder) -> dict[str, list[str]]:
    """The files of the tables, by name, with the files whose rows each of them gets."""
    parts: dict[str, list[tuple[str, str, int]]] = {}
    for name, size in out.files(PARTS):
        _, capture, part, folder = name.rpartition("/")[0].split("/", 3)
        parts.setdefault(f"{capture}/{part}", []).append((folder, name, size))
    inputs: dict[str, list[tuple[str, int]]] = {}
    for files in parts.values():
        if any(folder == "counts" for folder, _, _ in files):  # which a part has at its end
            for folder, name, size in files:
                inputs.setdefault(folder, []).append((name, size))
    base = uuid.uuid4().hex[:16]
    outputs: dict[str, list[str]] = {}
    for folder, sizes in inputs.items():
        # Who reads an object while it is replaced may get pieces of both.
        there = out.files(folder) if out.is_local else []
        output, total = next((file for file in there if file[1] < LARGE), ("", LARGE))
        for name, size in sizes:
            if total + size > LARGE:
                output, total = f"{folder}/part-{base}-{len(outputs):05}.parquet", 0
            outputs.setdefault(output, []).append(name)
            total += size
    return outputs


def _merge_file(out: Folder, number: str, name: str, inputs: list[str]) -> None:
    """Adds the rows of files to a file of a table, unless it has them."""
    first: Iterable[pa.RecordBatch] = ()
    if out.exists(name):
        with out.parquet(name) as file:
            if file.metadata.metadata.get(NUMBER) == number.encode():
                return
        first = _batches(out, name)
    out.replace(name, itertools.chain(first, _staged(out, inputs)), number.encode())


def _batches(out: Folder, name: str) -> Iterator[pa.RecordBatch]:
    with out.parquet(name) as file:
        yield from file.iter_batches(ROWS)


def _staged(out: Folder, names: Iterable[str]) -> Iterator[pa.RecordBatch]:
    for name in names:
        with out.filesystem.open_input_file(f"{out.path}/{name}") as opened:
            yield from pa.ipc.open_stream(opened)


def _row_groups(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    some: list[pa.RecordBatch] = []
    for batch in batches:
        some.append(batch)
        if sum(each.num_rows for each in some) >= ROWS:
            yield pa.Table.from_batches(some)
            some = []
    if some:
        yield pa.Table.from_batches(some)


def _done(out: Folder) -> dict[str, set[int]]:
    """The parts that need not be read again, by capture. The others are not in the tables."""
    done: dict[str, set[int]] = collections.defaultdict(set)
    again = []
    for table in ("counts", "problems"):
        for name, _ in out.files(table):
            with out.parquet(name) as file:
                rows = file.read([*_KEY, *{"again"}.intersection(SCHEMAS[table].names)])
            for row in rows.group_by(rows.column_names).aggregate([]).to_pylist():
                if row.get("again"):
                    again.append(f"{row['capture']}/{row['part']}")
                else:
                    done[row["capture"]].add(row["part"])
    _remove_rows(out, parts=again)
    return done


_KEY = ("capture", "part")


def _remove_rows(out: Folder, captures: Iterable[str] = (), parts: Iterable[str] = ()) -> None:
    """Removes the rows of captures, and of parts of captures, from the tables."""
    captures, parts = pa.array(captures, pa.string()), pa.array(parts, pa.string())
    if not captures and not parts:
        return

    def stay(rows: Any) -> Any:
        capture = rows.column("capture").cast(pa.string())
        part = rows.column("part").cast(pa.string())
        part = pc.binary_join_element_wise(capture, part, "/")
        return pc.invert(pc.or_(pc.is_in(capture, captures), pc.is_in(part, parts)))

    # The counts go first, because what has them counts as done; problems that pass go last.
    for table in ("counts", "checksums", "problems"):
        for name, _ in out.files(table):
            with out.parquet(name) as file:
                stays = stay(file.read(_KEY))
            if not pc.any(stays).as_py():
                out.remove(name)
            elif not pc.all(stays).as_py():
                out.replace(name, (rows.filter(stay(rows)) for rows in _batches(out, name)), b"")


def _problems(out: Folder, files: dict[str, File]) -> dict[str, str]:
    said: dict[str, str] = {}
    for name, _ in out.files("problems"):
        for rows in _batches(out, name):
            for row in rows.to_pylist():
                if row["capture"] in files:
                    said[files[row["capture"]].name] = row["error"]
    return said


def _remove_changed(out: Folder, files: dict[str, File], before: dict[str, Any]) -> None:
    """Removes what an earlier run has written of captures that have changed since."""
    current = {file.place for file in files.values()}
    changed = [n for n, told in before.items() if told["place"] in current and n not in files]
    _remove_rows(out, changed)
    for name in changed:
        out.remove(f"captures/{name}.json")


def write_part(part: Part, name: str, out: Folder) -> None:
    """Writes the rows of a part, then its problem, and its counts last."""
    reading = Reading(part, (*COLUMNS, *OF_RESULTS))
    files = _Files(out, name, part.number)
    try:
        for batch in reading:
            for date, rows in _by_date(batch):
                files.add(f"checksums/date={date}", rows)
        if reading.problem is not None:
            said = problems(part, reading)
            again = pa.array([reading.may_pass])
            files.add("problems", said.append_column(SCHEMAS["problems"].field("again"), again))
        files.keep()
        files.add("counts", counts(reading.counts or {}))
        files.keep()
    except BaseException:
        files.remove()
        raise


def _by_date(batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    # By way of a time without a zone, because a zone needs a data base of them.
    time = batch.column("time").cast(pa.int64()).cast(pa.timestamp("ns"))
    dates = time.cast(pa.date32())
    each = pc.unique(dates)
    for date in each:
        rows = batch
        if len(each) > 1:
            is_date = pc.equal(dates, date) if date.is_valid else pc.is_null(dates)
            rows = batch.filter(is_date)
        yield date.as_py().isoformat() if date.is_valid else NO_DATE, rows


@dataclass
class _Open:
    """A file that is being written."""

    name: str
    temporary: str
    sink: Any
    writer: pa.ipc.RecordBatchStreamWriter
    batches: list[pa.RecordBatch]

    def write(self, rows: int = 1) -> None:
        """Writes the rows that wait, if there are so many."""
        if sum(each.num_rows for each in self.batches) >= rows:
            self.writer.write_table(pa.Table.from_batches(self.batches))
            self.batches.clear()

    def close(self) -> None:
        self.writer.close()
        self.sink.close()


class _Files:
    """The rows of a part, in a file for each folder of the tables. Few files are open at once: a
    date that comes again after many others gets a further file.
    """

    def __init__(self, out: Folder, capture: str, part: int) -> None:
        self._out = out
        self._folder = f"{PARTS}/{capture}/{part:05}"
        self._key = (capture, part)
        self._files: dict[str, _Open] = {}
        """The open files by folder, the one that was written to last at the end."""
        self._written: collections.Counter[str] = collections.Counter()
        """The files of each folder."""

    def add(self, folder: str, rows: pa.RecordBatch) -> None:
        """Adds rows to a table."""
        schema = SCHEMAS[folder.partition("/")[0]]
        capture, part = self._key
        zeros = pa.repeat(pa.scalar(0, _TEXT.index_type), rows.num_rows)
        key = [
            pa.DictionaryArray.from_arrays(zeros, pa.array([capture], _TEXT.value_type)),
            pa.repeat(pa.scalar(part, pa.uint32()), rows.num_rows),
        ]
        if folder in self._files:
            self._files[folder] = self._files.pop(folder)
        else:
            if len(self._files) == OPEN:
                self._keep(next(iter(self._files)))
            self._files[folder] = self._open(folder, schema)
        file = self._files[folder]
        file.batches.append(pa.RecordBatch.from_arrays([*rows.columns, *key], schema=schema))
        file.write(ROWS)

    def _open(self, folder: str, schema: pa.Schema) -> _Open:
        name = f"{self._folder}/{folder}/{self._written[folder]}.arrow"
        self._written[folder] += 1
        temporary = self._out.temporary(name)
        sink = self._out.filesystem.open_output_stream(temporary)
        packed = pa.ipc.IpcWriteOptions(compression="lz4")
        return _Open(name, temporary, sink, pa.ipc.new_stream(sink, schema, options=packed), [])

    def _keep(self, folder: str) -> None:
        file = self._files.pop(folder)
        file.write()
        file.close()
        self._out.keep(file.temporary, file.name)

    def keep(self) -> None:
        """Ends all files."""
        for folder in list(self._files):
            self._keep(folder)

    def remove(self) -> None:
        """Removes the files that have not come to their end."""
        for file in self._files.values():
            file.close()
            if self._out.filesystem.get_file_info(file.temporary).type != fs.FileType.NotFound:
                self._out.filesystem.delete_file(file.temporary)
