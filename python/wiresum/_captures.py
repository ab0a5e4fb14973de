# SPDX-License-Identifier: MIT OR Apache-2.0
"""Captures: their counts, their checksums row by row, their packets, their repair."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol

from . import _wiresum
from ._types import Buffer
from ._wiresum import Batches, Column


class BinaryFile(Protocol):
    """A file object that is open in binary mode."""

    def read(self, size: int, /) -> bytes: ...


Path = str | os.PathLike[str]
Capture = Path | BinaryFile | Buffer
"""A path, a file object opened in binary mode, or the bytes of a file: pcap, pcapng or snoop, also
compressed with gzip, zstd, lz4 or xz."""

Progress = Callable[[int, int | None], object]
"""A function that is called about ten times a second, on the thread of its caller, with the number
of bytes that were read, and with the size of the capture if it is known. What it raises ends the
call."""


class Row(NamedTuple):
    """A checksum of a capture: a row of `wiresum verify --csv`."""

    file: str
    """The name of the capture; empty if it has none."""
    frame: int
    """The number of the frame, counted from 1, as in Wireshark."""
    time: int | None
    """Nanoseconds since 1970 (UTC)."""
    layer: int
    """1 is the outermost network header."""
    quoted: bool
    """Whether the packet is a copy inside of another one, as in an ICMP error."""
    protocol: str
    source: str | None
    source_port: int | None
    destination: str | None
    destination_port: int | None
    status: str
    """good, bad, unverified, absent or illegal."""
    cause: str | None
    """Why the checksum is bad or illegal, if that can be told."""
    reason: str | None
    """Why the checksum is unverified."""
    found: int | None
    expected: int | None
    """What the field should hold, if it is bad or illegal."""
    offset: int | None
    """Where the field is in the decompressed file, in bytes."""


class _Stream:
    """An Arrow stream, by the PyCapsule interface."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches

    def __arrow_c_schema__(self) -> object:
        return self._batches.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._batches.__arrow_c_stream__(requested_schema)


class Rows(_Stream):
    """The checksums of a capture: an iterable of `Row`, and an Arrow stream for any library that
    takes one by the PyCapsule interface (`pyarrow.table(rows)`, `polars.DataFrame(rows)`).

    Each iteration, and each library, reads the capture from its beginning. A batch has at most
    16,384 rows.
    """

    def __iter__(self) -> Iterator[Row]:
        return map(Row._make, _each(self._batches))


class Packet(NamedTuple):
    """A packet of a capture."""

    frame: int
    """The number of the frame, counted from 1, as in Wireshark."""
    time: int | None
    """Nanoseconds since 1970 (UTC)."""
    link_type: int
    """The LINKTYPE_ number of tcpdump.org; 1 is Ethernet."""
    captured_length: int
    """The length of `data` in bytes."""
    original_length: int
    """The length on the wire in bytes."""
    flags: int | None
    """The flags of a pcapng packet (epb_flags). Bit 9 says that the checksum was not computed."""
    data: bytes


class Packets(_Stream):
    """The packets of a capture: an iterable of `Packet`, and an Arrow stream for any library that
    takes one by the PyCapsule interface.

    Each iteration, and each library, reads the capture from its beginning. A batch has at most
    65,536 packets, and ends with the packet that brings its data to 4 MiB.
    """

    def __iter__(self) -> Iterator[Packet]:
        return map(Packet._make, _each(self._batches))


def _each(batches: Batches) -> Iterator[tuple[Any, ...]]:
    cursor = batches.start()
    while (rows := cursor.next_rows()) is not None:
        yield from rows


Counts = dict[str, dict[str, int]]


class Verification:
    """The counts of a capture: the members of `wiresum verify --json`. Iteration gives the rows of
    the checksums, and reads the capture again.

    Two of them are equal if their counts and the names of their captures are. A pickle has the
    counts and the name: iteration of its copy reads the capture of that name.
    """

    def __init__(self, counts: dict[str, Any], rows: "partial[Rows]") -> None:
        self._counts = counts
        self.file: str | None = counts["path"] or None
        """The name of the capture, if it has one."""
        self.packets: int = counts["packets"]
        self.captured_bytes: int = counts["captured_bytes"]
        self.checksums: Counts = counts["checksums"]
        """By protocol and status."""
        self.quoted: Counts = counts["quoted"]
        """Those in copies of packets, as in ICMP errors; no other count includes them."""
        self.causes: Counts = counts["causes"]
        """The bad and illegal ones by protocol and cause."""
        self.unverified: Counts = counts["unverified"]
        """Those that cannot be judged, by protocol and reason."""
        self.not_entered: dict[str, int] = counts["not_entered"]
        """The frames that could not be entered, by what stopped the walk."""
        self.malformed: dict[str, int] = counts["malformed_by"]
        """The records and frames that cannot be read, by what is wrong with them."""
        self._rows = rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verification) and self._counts == other._counts

    __hash__ = None  # type: ignore[assignment]  # the counts can be changed

    def __reduce__(self) -> tuple[Callable[..., "Verification"], tuple[dict[str, Any], Any]]:
        return _unpickled, (self._counts, self._rows.keywords)

    def total(self, status: str | None = None) -> int:
        """The number of checksums of all protocols, or of those with this status."""
        counts = self.checksums.values()
        if status is None:
            return sum(sum(count.values()) for count in counts)
        return sum(count[status] for count in counts)

    @property
    def ok(self) -> bool:
        """Whether no checksum is bad or illegal."""
        return self.total("bad") + self.total("illegal") == 0

    def __repr__(self) -> str:
        wrong = self.total("bad") + self.total("illegal")
        return (
            f"<wiresum.Verification of {self.file or 'a capture'}: {self.packets} packets, "
            f"{self.total()} checksums, {wrong} bad or illegal>"
        )


def _rows_of(source: _wiresum.Source, *, reassemble: bool, jobs: int | None) -> Rows:
    return Rows(_wiresum.read(source, reassemble, jobs, None))


def _rows_of_name(name: str, *, reassemble: bool, jobs: int | None) -> Rows:
    if not name:
        raise ValueError("a pickle leads to no capture without a name; verify the capture again")
    return _rows_of(_wiresum.Source(name), reassemble=reassemble, jobs=jobs)


def _unpickled(counts: dict[str, Any], how: dict[str, Any]) -> Verification:
    return Verification(counts, partial(_rows_of_name, counts["path"], **how))


class Repairs:
    """The counts of a repair: the members of `wiresum fix --json`."""

    def __init__(self, counts: dict[str, Any]) -> None:
        self.packets: int = counts["packets"]
        self.changed_packets: int = counts["changed_packets"]
        self.changed_flags: int = counts["changed_flags"]
        """The pcapng flags words in which "Csum NotReady" was cleared."""
        self.repaired: Counts = counts["repaired"]
        """By protocol and cause."""
        self.left: Counts = counts["left"]
        """The checksums that are still bad or illegal, by protocol and cause."""
        self.unverified: Counts = counts["unverified"]
        self.not_entered: dict[str, int] = counts["not_entered"]
        self.malformed: dict[str, int] = counts["malformed_by"]

    def __repr__(self) -> str:
        repaired, left = (
            sum(n for causes in counts.values() for n in causes.values())
            for counts in (self.repaired, self.left)
        )
        return f"<wiresum.Repairs: {repaired} checksums repaired, {left} left bad or illegal>"


class Explanation:
    """The arithmetic of the verdicts on a frame; `str()` is the text of `wiresum explain`."""

    def __init__(self, text: str, structure: dict[str, Any]) -> None:
        self.structure = structure
        """What `wiresum explain --json` prints for the frame."""
        self._text = text

    def __str__(self) -> str:
        return self._text


def verify(
    capture: Capture,
    *,
    reassemble: bool = True,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Judge every checksum of a capture, and return the counts.

    A fragmented datagram is put together, unless `reassemble` is false. `jobs` is the number of
    threads; by default there is one for each CPU. Ctrl-C ends the call.

    Raises `CaptureError` if the file is no capture or cannot be read to its end. A record that
    cannot be read is counted as malformed, and is no error.
    """
    source = _wiresum.Source(capture)
    counts = _wiresum.verify(source, reassemble, jobs, progress)
    rows = partial(_rows_of, source, reassemble=reassemble, jobs=jobs)
    return Verification(json.loads(counts), rows)


def read(
    capture: Capture,
    *,
    reassemble: bool = True,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Rows:
    """Judge every checksum of a capture, and return a row for each, good or bad.

    The columns are the same as in `wiresum verify --parquet`. Memory is bounded: the capture is
    read as its rows are taken. The arguments and errors are the same as for `verify`; an error that
    comes later is raised where the rows are taken, by an Arrow library as an exception of its own.
    """
    return Rows(_wiresum.read(_wiresum.Source(capture), reassemble, jobs, progress))


def packets(capture: Capture, *, progress: Progress | None = None) -> Packets:
    """Return the packets of a capture, whatever they hold. Memory is bounded, as in `read`."""
    return Packets(_wiresum.packets(_wiresum.Source(capture), progress))


def verify_packets(
    packets: object,
    link_type: object = 1,
    original_length: object = None,
    flags: object = None,
) -> Column:
    """Judge the checksums of each packet of an Arrow column, on all CPUs, and return a struct
    column. The packets have one of the types that `checksums` takes.

    `link_type` is the LINKTYPE_ number of the packets, 1 for Ethernet, or a column of such numbers;
    a single number that wiresum does not know is a ValueError.
    `original_length` has their lengths on the wire in bytes, without which each packet is whole;
    and `flags` as in pcapng. `packets()` has columns of these names.

    The members of a verdict describe the packet's worst checksum, the outermost of several, in
    the order bad, illegal, unverified, absent, good: `status` (null if the packet has none),
    `protocol`, `layer`, `cause`, `reason`, `found`, `expected`, and `offset`, the offset of the
    field in the packet in bytes. `checksums` and `bad` count all of the packet, and those that are
    bad or illegal. `obstacle` says what kept the walk from finding more. Each packet is judged
    alone, so what a fragment carries is unverified. Copies in ICMP errors do not count. A null
    packet has a null verdict.
    """
    return _wiresum.verify_packets(packets, link_type, original_length, flags)


def fix(
    capture: Capture,
    out: Path | None = None,
    *,
    only: Iterable[str] = (),
    undo: Path | None = None,
    force: bool = False,
    in_place: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Repairs:
    """Write a capture in which every checksum that can be computed is right. All other bytes stay.

    `only` names the causes for which checksums are repaired, such as "offload"; by default all are.
    `undo` is a file for the changes, from which the function `undo` restores the capture. `force`
    replaces files that exist; a link to a file stays one. `out` is compressed as its extension
    says: gz, zst, lz4 or xz. With `in_place`, which needs a path, the repaired capture replaces
    `capture`, and there is no `out`.

    Raises FileExistsError if a file exists, and `CaptureError` if the capture cannot be read or
    the output not be written. `out` is whole then, or is not written.
    """
    if out is None and not in_place:
        raise ValueError("there is no output; name out, or give in_place=True")
    if in_place and not isinstance(capture, str | os.PathLike):
        raise ValueError("only a file can be repaired in place; give its path, or name out")
    _refuse_existing(force, out, undo)
    causes = [only] if isinstance(only, str) else list(only)
    source = _wiresum.Source(capture)
    counts = _wiresum.fix(source, out, causes, undo, force, in_place, jobs, progress)
    return Repairs(json.loads(counts))


def undo(record: Path, capture: Path, out: Path | None = None, *, force: bool = False) -> None:
    """Restore a capture that `fix` has repaired, from the record of the changes.

    The restored capture goes to `out`, or replaces `capture` if there is no `out`. `force` replaces
    an `out` that exists.

    Raises FileExistsError if `out` exists, and `CaptureError` if a file cannot be read or written,
    or if the record is for another capture. Nothing is written then.
    """
    _refuse_existing(force, out)
    _wiresum.undo(record, capture, out, force)


def _refuse_existing(force: bool, *paths: Path | None) -> None:
    for path in paths:
        if not force and path is not None and os.path.lexists(path):
            raise FileExistsError(f"{os.fspath(path)} exists; force=True replaces it")


def explain(
    frame: Buffer, link_type: int = 1, *, original_length: int | None = None
) -> Explanation:
    """Show the arithmetic of the verdicts on a frame, word by word.

    `link_type` is the LINKTYPE_ number of the frame, 1 for Ethernet; `original_length` its length
    on the wire in bytes, if the frame was not captured whole.
    """
    text, structure = _wiresum.explain(frame, link_type, original_length)
    return Explanation(text, json.loads(structure)[0])
