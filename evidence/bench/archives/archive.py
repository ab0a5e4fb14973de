# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes an archive of captures: many small files, plain and compressed, a large one, and two that
are broken. The same options give the same bytes."""

import gzip
import io
import multiprocessing
import random
from dataclasses import dataclass
from pathlib import Path

from evidence.bench.captures.mixed import ROOT, Mix, examples
from python.tests.engines.archives import pack

SIZE = 4_000_000
"""The mean bytes of a capture, decompressed."""
FEW, MANY = 40, 1000
"""The least and the largest number of files."""
LARGE = 0.275
"""The part of all bytes that is in one file."""
COPIES = 16
"""The copies of a frame, each with other payload."""
FOLDERS = 10
START = 1_700_000_000
HOUR = 3600


@dataclass(frozen=True)
class Made:
    """A file of an archive."""

    path: Path
    kind: str
    """plain, gzip, zstd; or broken."""
    stored: int
    """The bytes of the file."""
    expanded: int
    """The bytes of the capture, decompressed; 0 if it is broken."""
    packets: int | None
    """None for the captures of examples/, which are taken as they are."""


def varied(pool, copies=COPIES):
    """Frames with other payload and the same checksums. Otherwise zstd would find each frame in
    those before it, as it does not in the traffic of a network.

    The 16-bit words of the second half of a large frame change places, which leaves their sum.
    """
    pick, frames = random.Random(1071), []
    for frame in pool:
        start = max(len(frame) // 2, 128) & ~1
        end = len(frame) & ~1
        for _ in range(copies):
            words = [frame[at : at + 2] for at in range(start, end, 2)]
            pick.shuffle(words)
            frames.append(frame[:start] + b"".join(words) + frame[max(start, end) :])
    return frames


def _capture(mix, size, n):
    out = io.BytesIO()
    packets, _ = mix.write(out, size, seed=n, start=START + n * HOUR)
    return out.getvalue(), packets


def _small(folder, n, size):
    capture, packets = _capture(MIX, size, n)
    path = pack(folder / str(n % FOLDERS) / f"{n:04}.pcap", capture, n)
    return Made(path, KINDS[n % 3], path.stat().st_size, len(capture), packets)


def _large(folder, size):
    path = folder / "large.pcap"
    with path.open("wb", buffering=1 << 20) as out:
        packets, written = MIX.write(out, size, start=START)
    return Made(path, "plain", written, written, packets)


def _begin(mix):
    global MIX
    MIX = mix


KINDS = ("plain", "gzip", "zstd")
"""What `pack` makes of the files of an archive, by turns."""


def make(folder, gigabytes, captures=None, copies=COPIES):
    """Makes an archive of so many GB of captures, decompressed, and returns its files: 1,000 of
    them if they have 4 GB or more. `captures` is a folder of further captures, whose frames are
    taken as well."""
    total = int(gigabytes * 1e9)
    files = min(max(total // SIZE, FEW), MANY)
    for n in range(FOLDERS):
        (folder / str(n)).mkdir(parents=True)
    made = []
    for n, name in enumerate(sorted((ROOT / "examples").glob("*.pcap*"))):
        path = pack(folder / str(n % FOLDERS) / name.name, name.read_bytes(), n)
        size = name.stat().st_size
        made.append(Made(path, KINDS[n % 3], path.stat().st_size, size, None))
    count = files - len(made) - 1 - len(broken())
    pick = random.Random(1071)
    weights = [pick.uniform(0.25, 1.75) for _ in range(count)]
    rest = total * (1 - LARGE) - sum(file.expanded for file in made)
    tasks = [(folder, n, rest * weight / sum(weights)) for n, weight in enumerate(weights)]
    mix = Mix(varied(examples(captures), copies))
    with multiprocessing.get_context("fork").Pool(initializer=_begin, initargs=(mix,)) as pool:
        large = pool.apply_async(_large, (folder, total * LARGE))
        made += pool.starmap(_small, tasks)
        made.append(large.get())
    for name, content in broken().items():
        (folder / name).write_bytes(content)
        made.append(Made(folder / name, "broken", len(content), 0, None))
    return made


def broken():
    """Files that are broken: a compressed capture that is cut in the middle, of which what comes
    before the cut is judged, and a file that begins as a capture does and ends there."""
    capture = (ROOT / "examples/vlan.pcap").read_bytes()
    zipped = gzip.compress(capture, 6, mtime=0)
    return {"cut.pcap.gz": zipped[: len(zipped) // 2], "no-capture.pcap": capture[:4]}


PROBLEMS = ("cut.pcap.gz", "no-capture.pcap")
"""The broken files, which are problems. The first one has counts nevertheless."""
