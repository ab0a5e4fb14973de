# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of an archive. An engine schedules them, and runs them again after a failure.

A part is a whole capture; or a range of the records of a large one; or the waiting frames of such a
capture, whose verdicts depend on frames of several ranges. The rows and the counts of all parts
together equal the rows and the counts of one reading of each capture.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pyarrow as pa

from .. import Row, _wiresum
from ._files import File

WINDOW = 1 << 20
"""The beginning of a file, which shows whether it can be split."""

COLUMNS = Row._fields
"""The columns of rows."""

SPLIT = 256 << 20
"""A capture of more bytes than this is split into ranges of so many bytes."""

Run = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]]
"""Calls a function with each of the arguments, and returns the results in their order."""


def in_turn(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Calls a function with one set of arguments after the other."""
    return [function(*each) for each in arguments]


class Waiting(NamedTuple):
    """Frames of a range that wait for the frames of other ranges."""

    header: bytes
    runs: bytes
    before: int
    """The number of frames before the range."""


@dataclass(frozen=True)
class Part:
    """A part of a capture."""

    file: File
    number: int = 0
    """The number of the part in its capture, counted from 0."""
    of: int = 1
    """The number of parts that the capture has."""
    header: bytes = b""
    """What a reader has to know before the first record of a range; empty for a whole capture."""
    start: int = 0
    end: int = 0
    before: int = 0
    """The number of frames before a range."""
    waiting: tuple[Waiting, ...] = ()

    @property
    def size(self) -> int:
        """The bytes of the file that the part reads, about."""
        return self.end - self.start if self.header else (self.file.size or 0)

    def open(self, columns: list[str] | None) -> _wiresum.Part:
        """Begin to read the part; its counts alone if no columns are wanted."""
        file = self.file
        if self.waiting:
            stretches = [
                (file.source(_wiresum.runs(runs)), header, runs, before)
                for header, runs, before in self.waiting
            ]
            return _wiresum.Part.waiting(file.name, stretches, columns)
        if self.header:
            source = file.source([(self.start, self.end)])
            return _wiresum.Part.range(
                file.name, source, self.header, self.start, self.before, columns
            )
        return _wiresum.Part.whole(file.name, file.source(), columns)


class Reading:
    """The reading of a part: an iterable of record batches of these columns, none at all if
    `columns` is None. At its end it has the counts.
    """

    def __init__(self, part: Part, columns: Sequence[str] | None = COLUMNS) -> None:
        self.counts: dict[str, Any] | None = None
        """The members of `wiresum verify --json`; None if the capture cannot be read."""
        self.error: str | None = None
        """Why the capture cannot be read to its end, and so has no counts."""
        self.problem: str | None = None
        """Why the capture does not come to its end: its error, or damage of its compressed data, of
        which the counts have what came before."""
        self.may_pass = False
        """Whether another attempt may succeed: the file could not be read, whatever it holds."""
        self._part = part
        self._columns = columns

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        try:
            opened = self._part.open(None if self._columns is None else list(self._columns))
            while (batch := opened.next()) is not None:
                yield pa.record_batch(batch)
        except OSError as error:
            self.may_pass = True
            self.error = self.problem = words(error)
            return
        counts = opened.counts()
        self.error, self.problem = opened.error, opened.problem
        if counts is not None:
            # The sentence is about a whole capture, and sentences of parts do not add up.
            self.counts = {k: v for k, v in json.loads(counts).items() if k != "verdict"}


def words(error: OSError | str) -> str:
    """An error in the words of the program."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror} (os error {error.errno})"
    return str(error)


Counts = dict[str, Any]


def add(counts: Iterable[Counts]) -> Counts:
    """The counts of several parts together."""
    total: Counts = {}
    for each in counts:
        for name, value in each.items():
            if isinstance(value, dict):
                total[name] = add([total.get(name, {}), value])
            elif isinstance(value, str):
                total[name] = value
            else:
                total[name] = total.get(name, 0) + value
    return total


class Index(NamedTuple):
    """What an index pass finds in a range of a capture."""

    begin: int
    end: int
    ended: bool
    frames: int
    header: bytes | None
    waiting: list[tuple[bytes, bytes]]


END = (1 << 64) - 1
ROUNDS = 4
"""How often the rest of a capture is indexed at once when its interfaces change."""


class Task(NamedTuple):
    """An index pass over a range of a capture."""

    file: File
    header: bytes
    start: int
    known: bool
    """Whether a record begins at `start`."""
    until: int


def _index(task: Task) -> Index | None:
    """What a range holds; None if no record is found in it, or it cannot be read."""
    source = task.file.source([(task.start, task.file.size or 0)])
    try:
        index = _wiresum.index(source, task.header, task.start, task.known, task.until)
    except OSError:
        return None  # reading the capture will tell why
    return Index(*index) if index else None


def _tasks(file: File, split: int) -> list[Task]:
    """The index passes over a capture; none if it is read as a whole."""
    size = file.size or 0
    try:
        beginning = _wiresum.beginning(file.source([(0, min(size, WINDOW))]))
    except OSError:
        return []
    if beginning is None:
        return []
    start, first, most = beginning
    places = range(start, size, split)
    ends = [*places[1:], END]
    return [
        Task(file, most if n else first, place, n == 0, end)
        for n, (place, end) in enumerate(zip(places, ends))
    ]


def plan(files: Iterable[File], run: Run = in_turn, split: int = SPLIT) -> list[Part]:
    """The parts of captures. `run` calls functions, at the same time if it can."""
    files = list(files)
    large = [n for n, file in enumerate(files) if (file.size or 0) > split]
    passes = dict(zip(large, run(_tasks, [(files[n], split) for n in large])))
    every = [task for tasks in passes.values() for task in tasks]
    found = iter(run(_index, [(task,) for task in every]))
    parts: list[Part] = []
    for n, file in enumerate(files):
        if tasks := passes.get(n):
            parts += _put_together(file, tasks, [next(found) for _ in tasks], run)
        else:
            parts.append(Part(file))
    return parts


def _put_together(file: File, tasks: list[Task], found: list[Index | None], run: Run) -> list[Part]:
    """The parts of a capture, from what was found in its ranges. A range of which another beginning
    or another header was assumed than the range before it has told is indexed again.
    """
    ranges: list[Part] = []
    waiting: list[Waiting] = []
    at, header, before, rounds = tasks[0].start, tasks[0].header, 0, 0
    for n, task in enumerate(tasks):
        if at >= task.until:
            continue  # a record of the range before it reaches beyond this one
        known = Task(file, header, at, True, task.until)
        if task.header != header and rounds < ROUNDS:
            rounds += 1
            tasks[n:] = [known, *(task._replace(header=header) for task in tasks[n + 1 :])]
            found[n:] = run(_index, [(task,) for task in tasks[n:]])
            task = known
        index = found[n]
        if index is None or index.begin != at or task.header != header:
            index = _index(known)
        if index is None or index.header is None:
            return [Part(file)]
        if index.end > at:
            part = Part(file, len(ranges), 0, header, at, index.end, before)
            ranges.append(part)
        waiting += (Waiting(*frames, before) for frames in index.waiting)
        at, header = index.end, index.header
        before += index.frames
        if index.ended:
            break
    parts = [*ranges, Part(file, len(ranges), waiting=tuple(waiting))] if waiting else ranges
    return [replace(part, of=len(parts)) for part in parts]


TASK = 256 << 20
"""The most bytes of captures that share a task."""
TASKS_A_CORE = 4
"""The tasks for each core of a cluster: so many that all cores end at about the same time, and so
few that their starts, of some 30 ms each, take little of the whole.
"""
SMALL = 1 << 20
"""The share of a task at least, because it takes milliseconds to start one."""


def groups(parts: Sequence[Part], tasks: int, most: int = TASK) -> Iterator[list[Part]]:
    """The parts of each task, the largest parts first. Several parts share a task if they have at
    most the share of one of so many tasks: SMALL bytes at least, and `most` bytes at most. So no
    core ends long after the others.
    """
    size = sum(part.size for part in parts)
    share = min(most, max(SMALL, size // max(tasks, 1)))
    group: list[Part] = []
    total = 0
    for part in sorted(parts, key=lambda part: part.size, reverse=True):
        if group and total + part.size > share:
            yield group
            group, total = [], 0
        group.append(part)
        total += part.size
    if group:
        yield group


OPENING = 128 << 10
"""The bytes that are read in the time in which a capture is opened, about."""
ASKING = 2 << 20
"""The same for a capture in an object store, which answers after some milliseconds."""
ROWS = 8
"""How many times as long as the counts of a capture its rows take, about."""


def tasks_of(parts: Sequence[Part], table: str, cores: int, start: int) -> list[list[Part]]:
    """The parts of each task of an engine on so many cores. An engine takes as long to start a task
    as to count `start` bytes. So small archives have fewer tasks than large ones, and many small
    captures share a task; a number of tasks beyond the cores is a multiple of them.
    """
    asked = sum(ASKING if part.file.filesystem is not None else OPENING for part in parts)
    work = (asked + sum(part.size for part in parts)) * (ROWS if table == "checksums" else 1)
    most = TASKS_A_CORE * cores
    count = min(work // start, len(parts))
    if count >= most:
        return list(groups(parts, most))
    count = max(count - count % cores if count > cores else count, 1)
    dealt = sorted(parts, key=lambda part: part.size, reverse=True)
    return [dealt[n::count] for n in range(count if parts else 0)]


def on_threads(threads: int | None = None) -> Run:
    """A `Run` on threads of this process. No thread holds the interpreter while it reads."""

    def run(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
            return list(pool.map(lambda each: function(*each), arguments))

    return run
