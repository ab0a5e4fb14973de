# SPDX-License-Identifier: MIT OR Apache-2.0
"""The files of an archive: paths, globs and folders, here or in an object store by URI."""

import collections
import errno
import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _wiresum

Stretches = Sequence[tuple[int, int]]
"""Stretches of a file: each from a place up to another one."""

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

BLOCK = 8 << 20
"""The bytes that one request asks an object store for, at most."""
AHEAD = 3
"""The requests that are under way at once for one reading."""
GAP = 256 << 10
"""Bytes between two stretches that are read and left out, which saves a request."""

SNIFFS = 32
"""The files of an object store that are looked at at once, because each waits for an answer."""

HEADS = (64 << 10, 5 << 20)
"""The bytes that tell whether a file is a capture. The first block of a compressed one may be
longer than the first number: up to 128 KiB with zstd, and 4 MiB with lz4.
"""


@dataclass(frozen=True)
class File:
    """A file that may be a capture."""

    name: str
    """The name in rows: the path as `wiresum verify` would print it, or the URI."""
    size: int | None
    """None if the file cannot be read; reading it shows why."""
    path: str = ""
    """The path in the file system. It is absolute, because workers have other working folders."""
    filesystem: Any = None
    """A file system of pyarrow; None for files that this process opens itself."""
    modified: int | None = None
    """When the file was changed last, in nanoseconds since 1970."""

    @property
    def place(self) -> str:
        """Where the file is, whatever name the caller typed: a URI."""
        if self.filesystem is None:
            return _uri(self.path)
        return _place(self.filesystem, self.path)

    def source(self, stretches: Stretches | None = None) -> _wiresum.Source:
        """What reads the file, or stretches of it."""
        if self.filesystem is not None:
            whole = [(0, self.size or 0)]
            return _wiresum.Source(Remote(self, whole if stretches is None else stretches))
        if stretches is None:
            return _wiresum.Source(self.path)
        return _wiresum.Source.stretches(self.path, list(stretches))

    def is_capture(self) -> bool:
        """Whether the file begins as a capture does, compressed or not."""
        size = self.size or 0
        heads = [head for n, head in enumerate(HEADS) if n == 0 or size > HEADS[n - 1]]
        return any(_wiresum.is_capture(self.source([(0, min(size, head))])) for head in heads)


class Remote:
    """A file object that reads stretches of a file in an object store, some blocks ahead."""

    def __init__(self, file: File, stretches: Stretches) -> None:
        self.name = file.name
        self._file = file
        self._fetches = fetches(stretches)
        self._opened: Any = None
        self._pool: ThreadPoolExecutor | None = None
        self._coming: collections.deque[tuple[Stretches, int, Future[bytes]]] = collections.deque()
        self._pieces: collections.deque[memoryview] = collections.deque()

    def read(self, size: int, /) -> bytes:
        try:
            while not self._pieces:
                if not self._fetch():
                    return b""
        except OSError:
            raise
        except Exception as error:  # file systems have exceptions of their own
            raise OSError(f"{type(error).__name__}: {error}") from error
        piece = self._pieces.popleft()
        if len(piece) > size:
            self._pieces.appendleft(piece[size:])
        return bytes(piece[:size])

    def _fetch(self) -> bool:
        """Waits for the next block, and asks for another one. Returns whether there was one."""
        if self._pool is None:
            self._opened = self._file.filesystem.open_input_file(self._file.path)
            self._pool = ThreadPoolExecutor(AHEAD)
        while len(self._coming) < AHEAD and (fetch := next(self._fetches, None)):
            start, end = fetch[0][0], fetch[-1][1]
            coming = self._pool.submit(self._opened.read_at, end - start, start)
            self._coming.append((fetch, start, coming))
        if not self._coming:
            self._pool.shutdown()
            self._opened.close()
            return False
        stretches, start, coming = self._coming.popleft()
        block = memoryview(coming.result())
        pieces = (block[a - start : b - start] for a, b in stretches)
        self._pieces.extend(piece for piece in pieces if piece)
        return True


def fetches(stretches: Stretches) -> Iterator[list[tuple[int, int]]]:
    """The stretches as requests, of at most one block each: long stretches in several, and short
    ones that are near each other together."""
    fetch: list[tuple[int, int]] = []
    for start, stop in stretches:
        for begin in range(start, stop, BLOCK):
            end = min(begin + BLOCK, stop)
            far = fetch and begin - fetch[-1][1] > GAP
            if fetch and (far or end - fetch[0][0] > BLOCK):
                yield fetch
                fetch = []
            fetch.append((begin, end))
    if fetch:
        yield fetch


def find(paths: Paths, filesystem: Any = None) -> list[File]:
    """The files that paths, globs, folders and URIs name.

    A folder stands for all captures in it and in its folders, as for `wiresum verify`. A URI, such
    as s3://bucket/2026/*.pcapng.zst, names a file system of pyarrow, or of fsspec if pyarrow has
    none for its scheme; the environment has the credentials. With `filesystem`, one of either
    kind, the paths are paths of that file system.

    Raises FileNotFoundError for a name that leads to no file, and ValueError if there is no name.
    """
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    files: list[File] = []
    names = [os.fspath(path) for path in paths]
    if not names or "" in names:
        raise ValueError("name the captures: an empty path or list names none")
    for path in names:
        path = re.sub("^file:(//)?(?=/)", "", path)
        if filesystem is not None or "://" in path:
            files += _remote(path, filesystem)
        else:
            files += _local(path)
    return files


def _local(path: str) -> list[File]:
    if os.path.isdir(path):
        return _captures(path, (_file(name) for name in _walk(path)))
    if glob.has_magic(path) and not os.path.lexists(path):
        names = sorted(glob.glob(path, recursive=True))
        return _named(path, [_file(name) for name in names if os.path.isfile(name)])
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise _not_found(path) from None
    except OSError:
        pass  # reading the file shows why
    return [_file(path)]


def _not_found(name: str) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)


def _walk(folder: str) -> Iterator[str]:
    for where, folders, names in os.walk(folder):
        folders.sort()
        paths = (os.path.join(where, name) for name in sorted(names))
        yield from (path for path in paths if not os.path.islink(path) and os.path.isfile(path))


def _file(path: str) -> File:
    name = os.fsencode(path).decode(errors="replace")
    try:
        told = os.stat(path)
        return File(name, told.st_size, os.path.abspath(path), modified=told.st_mtime_ns)
    except OSError:
        return File(name, None, os.path.abspath(path))


def _uri(path: str) -> str:
    """A local path as a URI, in which any byte of a name has a form."""
    return Path(os.path.abspath(path)).as_uri()


def _place(filesystem: Any, path: str) -> str:
    from pyarrow import fs

    while isinstance(filesystem, fs.SubTreeFileSystem):
        filesystem, path = filesystem.base_fs, filesystem.base_path + path
    if isinstance(filesystem, fs.LocalFileSystem):
        return _uri(path)
    return f"{filesystem.type_name}://{path}"


def _remote(uri: str, filesystem: Any) -> list[File]:
    from pyarrow import fs

    filesystem, path, prefix = _filesystem(uri, filesystem)

    def file(info: Any) -> File:
        return File(prefix + info.path, info.size, info.path, filesystem, info.mtime_ns)

    if glob.has_magic(path):
        folder = re.split(r"[*?[]", path)[0].rpartition("/")[0]
        pattern = _pattern(path)
        listed = filesystem.get_file_info(fs.FileSelector(folder, recursive=True))
        matching = [info for info in listed if info.is_file and pattern.fullmatch(info.path)]
        return _named(uri, sorted(map(file, matching), key=_name))
    info = filesystem.get_file_info(path)
    if info.type == fs.FileType.Directory:
        listed = filesystem.get_file_info(fs.FileSelector(path, recursive=True))
        files = sorted((file(info) for info in listed if info.is_file), key=_name)
        with ThreadPoolExecutor(SNIFFS) as pool:
            return _captures(uri, files, pool.map)
    if info.type == fs.FileType.NotFound:
        raise _not_found(prefix + path)
    return [file(info)]


def _name(file: File) -> str:
    return file.name


def _filesystem(uri: str, filesystem: Any) -> tuple[Any, str, str]:
    """The file system of a URI, the path in it, and what is before a path in a URI."""
    from pyarrow import fs

    if filesystem is not None:
        if not isinstance(filesystem, fs.FileSystem):
            filesystem = fs.PyFileSystem(fs.FSSpecHandler(filesystem))
        return filesystem, uri, ""
    scheme, _, path = uri.partition("://")
    # Hadoop calls S3 s3a. A glob may have characters that no URI has.
    scheme = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}.get(scheme, scheme)
    prefix = f"{scheme}://"
    whole = re.split(r"[*?[]", path)[0] if glob.has_magic(path) else path
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if scheme == "s3" and endpoint and "endpoint_override" not in path:
        # pyarrow reads the other variables of AWS itself.
        protocol, _, host = endpoint.rstrip("/").rpartition("://")
        filesystem = fs.S3FileSystem(endpoint_override=host, scheme=protocol or "https")
        return filesystem, path.rstrip("/"), prefix
    try:
        filesystem, base = fs.FileSystem.from_uri(prefix + whole)
    except (NotImplementedError, ValueError):
        import fsspec

        base = whole
        filesystem = fs.PyFileSystem(fs.FSSpecHandler(fsspec.filesystem(scheme)))
    return filesystem, base + path[len(whole) :], prefix


def filesystem_of(folder: str) -> tuple[Any, str]:
    """The file system of a folder that a path or a URI names, and the path in it."""
    from pyarrow import fs

    if "://" in folder:
        filesystem, path, _ = _filesystem(folder, None)
        return filesystem, path
    return fs.LocalFileSystem(), os.path.abspath(folder)


def _pattern(path: str) -> re.Pattern[str]:
    """A glob, in which ** stands for any folders, as a regular expression."""
    words = {"**/": "(?:.+/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    tokens = re.findall(r"\*\*/|\*\*|\*|\?|\[[^]]+\]|[^*?[]+|\[", path)
    return re.compile(
        "".join(
            words.get(token)
            or (token.replace("[!", "[^") if token[1:] and token[0] == "[" else re.escape(token))
            for token in tokens
        )
    )


def _named(what: str, files: list[File]) -> list[File]:
    if not files:
        raise FileNotFoundError(f"no file matches {what}")
    return files


def _captures(
    folder: str, files: Iterable[File], each: Callable[..., Iterable[bool]] = map
) -> list[File]:
    """The captures among the files. `each` is a map, which may look at several at once."""
    files = list(files)
    captures = [file for file, may in zip(files, each(_may_be_capture, files)) if may]
    if not captures:
        raise FileNotFoundError(f"there is no capture in the folder {folder}")
    return captures


def _may_be_capture(file: File) -> bool:
    try:
        return file.is_capture()
    except OSError:
        return True  # reading it will tell why it cannot be read
