# SPDX-License-Identifier: MIT OR Apache-2.0
"""The results of an archive as a folder of Parquet files. A run that was cut off can go on.

    checksums/date=2026-11-22/capture=office.pcapng-1f0c/part-00000.parquet
    counts/capture=office.pcapng-1f0c/part-00000.parquet
    problems/capture=broken.pcap-77aa/part-00000.parquet
    captures/office.pcapng-1f0c.json

A file has its name from the moment on at which it is whole. The counts of a part are written last,
so a part that has them is done. The name of a capture's folders comes from its place, its size and
how it is split; of a capture that has changed, the old files are removed.
"""

import collections
import hashlib
import json
import re
import uuid
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ._files import File, Paths, filesystem_of, find
from ._parts import COLUMNS, SPLIT, Part, Reading, Run, in_turn, plan
from ._tables import CHECKSUMS, counts, problems

NO_DATE = "__HIVE_DEFAULT_PARTITION__"
"""The date of rows without a time, by Hive's convention."""


OF_RESULTS = ("cause_label", "explanation")
"""Further columns of the rows, for `wiresum report`."""

_TEXT = CHECKSUMS.field("cause").type
SCHEMA = pa.schema([*CHECKSUMS, *(pa.field(name, _TEXT) for name in OF_RESULTS)])
"""The columns of the rows in a folder of results."""

TEMPORARY = re.compile(r"\..+\.[0-9a-f]{32}")
"""The names of files that are being written."""

ROWS = 128 << 10
"""The rows of a row group, about."""

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
        return f"{folder}/.{base}.{uuid.uuid4().hex}" if self._is_local else f"{folder}/{base}"

    def keep(self, temporary: str, name: str) -> None:
        """Gives a file that is whole its name."""
        if self._is_local:
            self.filesystem.move(temporary, f"{self.path}/{name}")

    @property
    def _is_local(self) -> bool:
        return isinstance(self.filesystem, fs.LocalFileSystem)

    def write(self, name: str, table: pa.Table) -> None:
        temporary = self.temporary(name)
        pq.write_table(table, temporary, filesystem=self.filesystem, compression="zstd")
        self.keep(temporary, name)

    def write_text(self, name: str, text: str) -> None:
        temporary = self.temporary(name)
        with self.filesystem.open_output_stream(temporary) as out:
            out.write(text.encode())
        self.keep(temporary, name)

    def remove(self, name: str) -> None:
        if self.exists(name):
            self.filesystem.delete_file(f"{self.path}/{name}")

    def remove_folder(self, name: str) -> None:
        if self.exists(name):
            self.filesystem.delete_dir(f"{self.path}/{name}")

    def names(self, name: str) -> list[str]:
        """The base names of what lies in a folder, except for temporary files."""
        selector = fs.FileSelector(f"{self.path}/{name}", allow_not_found=True)
        listed = self.filesystem.get_file_info(selector)
        return sorted(info.base_name for info in listed if not info.base_name.startswith("."))

    def remove_temporary(self) -> None:
        """Removes what workers that died have left."""
        for table in ("captures", "checksums", "counts", "problems"):
            selector = fs.FileSelector(f"{self.path}/{table}", recursive=True, allow_not_found=True)
            for info in self.filesystem.get_file_info(selector):
                if TEMPORARY.fullmatch(info.base_name):
                    self.filesystem.delete_file(info.path)

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
        name.removesuffix(".json"): json.loads(out.text(f"captures/{name}"))
        for name in out.names("captures")
    }
    if any("place" not in told for told in before.values()):
        raise ValueError(f"an older version wrote the results in {folder}; name another folder")
    out.remove_temporary()
    _remove_changed(out, files, before)
    done = {name: set(out.names(f"counts/capture={name}")) for name in files}
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
                "file": part.file.name,
                "place": part.file.place,
                "size": part.file.size,
                "parts": part.of,
            }
            out.write_text(f"captures/{name}.json", json.dumps(told))
        if _part_name(part) in done[name]:
            skipped += 1
        else:
            tasks.append((part, name, out))
    run(write_part, tasks)
    return Written(folder, len(files), len(tasks), skipped, _problems(out, files))


def _part_name(part: Part) -> str:
    return f"part-{part.number:05}.parquet"


def _problems(out: Folder, files: dict[str, File]) -> dict[str, str]:
    said: dict[str, str] = {}
    for name, file in files.items():
        for part in out.names(f"problems/capture={name}"):
            path = f"{out.path}/problems/capture={name}/{part}"
            table = pq.read_table(path, filesystem=out.filesystem, partitioning=None)
            said[file.name] = table["error"][0].as_py()
    return said


def _remove_changed(out: Folder, files: dict[str, File], before: dict[str, Any]) -> None:
    """Removes what an earlier run has written of a capture that has changed since."""
    current = {file.place for file in files.values()}
    for name, told in before.items():
        if told["place"] in current and name not in files:
            for date in out.names("checksums"):
                out.remove_folder(f"checksums/{date}/capture={name}")
            for table in ("problems", "counts"):
                out.remove_folder(f"{table}/capture={name}")
            out.remove(f"captures/{name}.json")


def write_part(part: Part, name: str, out: Folder) -> None:
    """Writes the rows of a part, then its problem, and its counts last."""
    reading = Reading(part, (*COLUMNS, *OF_RESULTS))
    dates = _Dates(out, f"capture={name}", f"part-{part.number:05}")
    try:
        for batch in reading:
            dates.add(batch)
        dates.keep()
    except BaseException:
        dates.remove()
        raise
    problem = f"problems/capture={name}/{_part_name(part)}"
    if reading.problem is None:
        out.remove(problem)
    else:
        out.write(problem, pa.Table.from_batches([problems(part, reading)]))
    if not reading.may_pass:
        rows = counts(reading.counts or {})
        out.write(f"counts/capture={name}/{_part_name(part)}", pa.Table.from_batches([rows]))


class _Dates:
    """The rows of a part, in a file for each date. Few files are open at once: a date that comes
    again after many others gets a further file.
    """

    def __init__(self, out: Folder, folder: str, part: str) -> None:
        self._out = out
        self._folder = folder
        self._part = part
        self._files: dict[str, tuple[pq.ParquetWriter, str, str, list[pa.RecordBatch]]] = {}
        """The open files by date, the one that was written to last at the end."""
        self._written: collections.Counter[str] = collections.Counter()
        """The files of each date."""

    def add(self, batch: pa.RecordBatch) -> None:
        # By way of a time without a zone, because a zone needs a data base of them.
        time = batch.column("time").cast(pa.int64()).cast(pa.timestamp("ns"))
        dates = time.cast(pa.date32())
        each = pc.unique(dates)
        for date in each:
            rows = batch
            if len(each) > 1:
                is_date = pc.equal(dates, date) if date.is_valid else pc.is_null(dates)
                rows = batch.filter(is_date)
            self._write(date.as_py().isoformat() if date.is_valid else NO_DATE, rows)

    def _write(self, date: str, rows: pa.RecordBatch) -> None:
        if date in self._files:
            self._files[date] = self._files.pop(date)
        else:
            if len(self._files) == OPEN:
                self._keep(next(iter(self._files)))
            self._files[date] = self._open(date)
        writer, _, _, batches = self._files[date]
        batches.append(rows)
        if sum(each.num_rows for each in batches) >= ROWS:
            writer.write_table(pa.Table.from_batches(batches))
            batches.clear()

    def _open(self, date: str) -> tuple[pq.ParquetWriter, str, str, list[pa.RecordBatch]]:
        again = self._written[date]
        self._written[date] += 1
        base = f"{self._part}-{again}" if again else self._part
        name = f"checksums/date={date}/{self._folder}/{base}.parquet"
        temporary = self._out.temporary(name)
        writer = pq.ParquetWriter(
            temporary, SCHEMA, filesystem=self._out.filesystem, compression="zstd"
        )
        return writer, temporary, name, []

    def _keep(self, date: str) -> None:
        writer, temporary, name, batches = self._files[date]
        if batches:
            writer.write_table(pa.Table.from_batches(batches))
        writer.close()
        self._out.keep(temporary, name)
        del self._files[date]

    def keep(self) -> None:
        for date in list(self._files):
            self._keep(date)

    def remove(self) -> None:
        for writer, temporary, _, _ in self._files.values():
            writer.close()
            if self._out.filesystem.get_file_info(temporary).type != fs.FileType.NotFound:
                self._out.filesystem.delete_file(temporary)
