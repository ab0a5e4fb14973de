# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the tests of the engines share: rows and counts as the program writes them."""

import contextlib
import csv
import gzip
import io
import itertools
import json
import os
import re
import signal
import struct
import sys
import tempfile
import unittest
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pyarrow as pa
from captures import ROOT, captures, many, program
from wiresum.engines._parts import Reading
from wiresum.engines._results import OF_RESULTS

__all__ = ["ROOT", "captures", "many"]


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
    """The rows of an Arrow table in the columns of --csv, with times as nanoseconds."""
    of_results = {*OF_RESULTS, "capture", "part"}.intersection(table.column_names)
    table = table.drop_columns([*of_results])
    if "time" in table.column_names:
        at = table.column_names.index("time")
        table = table.set_column(at, "time", table.column("time").cast(pa.int64()))
    return table.to_pylist()


def program_counts(*names):
    """The counts of `wiresum verify --json` by path, and the errors by path."""
    return files_and_errors(json.loads(program("verify", "--json", *names).stdout))


def files_and_errors(document):
    """The counts of files by path, and the errors by path, of a document of --json."""
    for file in document["files"]:
        del file["verdict"]  # a sentence, which no part has
    files = {file["path"]: file for file in document["files"]}
    return files, {each["path"]: each["error"] for each in document["errors"]}


def pack(path, capture, n):
    """Writes a capture by turns plain, with gzip and with zstd. Returns the path of the file."""
    match n % 3:
        case 1:
            path = path.with_name(f"{path.name}.gz")
            capture = gzip.compress(capture, 6, mtime=0)
        case 2:
            path = path.with_name(f"{path.name}.zst")
            capture = pa.Codec("zstd").compress(capture, asbytes=True)
    path.write_bytes(capture)
    return path


def make_archive(folder, copies=1):
    """An archive: captures of examples/, plain and compressed, in folders; a large one with
    fragments; and two files that are broken. Returns its folder.
    """
    for copy in range(copies):
        for n, name in enumerate(sorted((ROOT / "examples").glob("*.pcap*"))):
            path = folder / f"{copy}/{n % 3}/{name.name}"
            path.parent.mkdir(parents=True, exist_ok=True)
            pack(path, name.read_bytes(), n)
    many(folder / "large.pcap", 4)
    fragments = (ROOT / "examples/fragments.pcap").read_bytes()[24:]
    with (folder / "large.pcap").open("ab") as large:
        large.write(fragments * 3)
    days = bytearray((ROOT / "examples/vlan.pcap").read_bytes())
    at = 24
    for n in range(20):  # the first packets of the capture, each nine hours after the one before
        seconds, _, length, _ = struct.unpack_from("<IIII", days, at)
        struct.pack_into("<I", days, at, seconds + n * 9 * 3600)
        at += 16 + length
    (folder / "days.pcap").write_bytes(days[:at])
    (folder / "broken.pcap").write_bytes(b"\xd4\xc3\xb2\xa1")
    (folder / "broken.snoop").write_bytes(b"snoop\0\0\0" + (3).to_bytes(4) + bytes(40))
    return folder


SPLIT = 50_000
"""The bytes of a range in these tests."""


def counted(rows):
    """Rows of the table `counts`, added up, as a dictionary."""
    total = Counter()
    for row in rows:
        total[row["file"], row["what"], row["protocol"], row["name"]] += row["n"]
    return total


def program_counted(*names):
    """The counts of the program in the form of `counted`."""
    return counted_files(program_counts(*names)[0])


def counted_files(files):
    """The counts of files by path, as the program writes them, in the form of `counted`."""
    total = Counter()
    for file, counts in files.items():
        for what, value in counts.items():
            if isinstance(value, int):
                total[file, what, None, None] += value
            elif isinstance(value, dict):
                for key, inner in value.items():
                    if isinstance(inner, dict):
                        for name, n in inner.items():
                            if n:
                                total[file, what, key, name] += n
                    else:
                        total[file, what, None, key] += inner
    return total


def dies_once(marker, executor, function, *arguments):
    """Calls a function that reads a part. The first process that comes here is killed in the middle
    of its first part; with `executor`, so is the machine of Java that it belongs to.
    """
    try:
        Path(marker).touch(exist_ok=False)
    except FileExistsError:
        return function(*arguments)
    whole = Reading.__iter__

    def cut(reading):
        yield from itertools.islice(whole(reading), 1)
        if executor:
            os.kill(_java_above(os.getpid()), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    Reading.__iter__ = cut
    return function(*arguments)


def _java_above(process):
    """The nearest process of Java above another one."""
    while Path(f"/proc/{process}/comm").read_text() != "java\n":
        status = Path(f"/proc/{process}/status").read_text()
        process = int(re.search(r"^PPid:\t(\d+)", status, re.M)[1])
    return process


def documented(*words):
    """The blocks of python/archives.md that have one of these words."""
    page = (ROOT / "python/archives.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return [block for block in blocks if any(word in block for word in words)]


def page(*arguments):
    """The page that a command writes, and its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        ran = program(*arguments, "--quiet", "--html", path)
        return path.read_text(), ran.returncode


@contextlib.contextmanager
def beside_examples():
    """A folder in which examples/ are."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.symlink(ROOT / "examples", "examples")
        yield Path(folder)


def printed(block):
    """What a block prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block, "archives.md", "exec"), {"__name__": "archives"})
    return out.getvalue()


class ArchiveTest(unittest.TestCase):
    """Tests with a small archive. `expected` has its rows as the program writes them."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.archive = make_archive(cls.scratch / "archive")
        cls.expected = program_lines(cls.archive)
