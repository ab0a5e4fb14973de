# SPDX-License-Identifier: MIT OR Apache-2.0
"""Predicts the hours and the price of judging an archive, of what one worker does in a second.

    python3 -m evidence.bench.archives.cost --terabytes 10 --ratio 1.7 --workers 32 --connection 50
    \\
        --price 0.05

The rates of a worker come from a record in evidence/bench/results/archives/, unless options name
others.
"""

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results/archives"
CONNECTIONS = 3
"""The requests that a worker has under way at once (AHEAD of python/wiresum/engines/_files.py)."""


@dataclass(frozen=True)
class Rates:
    """What one worker does, in bytes of packets (decompressed) a second."""

    plain: float
    gzip: float
    zstd: float
    index: float
    """The index pass over a large plain capture."""


@dataclass(frozen=True)
class Files:
    """The files of an archive that are compressed in one way."""

    kind: str
    """plain, gzip or zstd."""
    stored: float
    """Bytes of the files."""
    ratio: float = 1.0
    """Bytes of the captures, decompressed, for each byte of the files."""
    indexed: float = 0.0
    """The part of the bytes that is in plain captures so large that they are split."""
    largest: float = 0.0
    """The bytes of the largest piece that one worker reads alone."""


@dataclass(frozen=True)
class Cluster:
    workers: int
    start: float = 0.0
    """Seconds until the workers are ready, which are paid for."""
    connection: float = math.inf
    """Bytes a second of one connection to the archive."""
    price: float = 0.0
    """The price of a worker for an hour."""


@dataclass(frozen=True)
class Prediction:
    seconds: float
    """From the start of the cluster to the end of the job."""
    price: float
    limit: str
    """What most of the work waits for: processors or connections."""

    @property
    def hours(self):
        return self.seconds / 3600


def predict(archive, cluster, rates):
    """Predicts the job on an archive, which is a list of Files.

    A worker reads ahead, so a file takes as long as the slower of reading and judging. Workers
    share the work evenly, except that none ends before the largest piece is read.
    """
    bandwidth = CONNECTIONS * cluster.connection
    work = waiting = longest = 0.0
    for files in archive:
        rate = getattr(rates, files.kind)
        passes = [(1.0, rate)]
        if files.indexed:
            passes.append((files.indexed, rates.index))
        for part, speed in passes:
            reading = part * files.stored / bandwidth
            judging = part * files.stored * files.ratio / speed
            work += max(reading, judging)
            waiting += max(reading, judging) if reading > judging else 0.0
        longest = max(longest, files.largest / bandwidth, files.largest * files.ratio / rate)
    seconds = cluster.start + max(work / cluster.workers, longest)
    return Prediction(
        seconds,
        cluster.workers * seconds / 3600 * cluster.price,
        "connections" if waiting > work / 2 else "processors",
    )


def recorded(folder=None):
    """The newest record of a folder, or None if there is none."""
    paths = sorted((folder or RESULTS).glob("*.json"))
    records = [json.loads(path.read_text()) for path in paths]
    return max(records, key=lambda record: record["date"], default=None)


def rates_of(record):
    """The rates of a worker in a record."""
    return Rates(**{name: sum(rates) / len(rates) for name, rates in record["rates"].items()})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    number = {"type": float}
    parser.add_argument("--terabytes", **number, default=10, help="the size of the files")
    parser.add_argument("--kind", choices=("plain", "gzip", "zstd"), default="zstd")
    parser.add_argument("--ratio", **number, default=1.0, help="decompressed bytes a stored byte")
    parser.add_argument("--indexed", **number, default=0.0, help="the part in large plain captures")
    parser.add_argument("--largest", **number, default=0.0, help="GB of the largest piece")
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--start", **number, default=60, help="seconds until the workers are ready")
    parser.add_argument("--connection", **number, default=50, help="MB/s of a connection")
    parser.add_argument("--price", **number, default=0.05, help="of a worker for an hour")
    parser.add_argument("--rate", **number, help="MB/s of a worker, decompressed")
    options = parser.parse_args()
    record = recorded()
    if options.rate:
        rates = Rates(**dict.fromkeys(("plain", "gzip", "zstd", "index"), options.rate * 1e6))
    elif record:
        rates = rates_of(record)
    else:
        parser.error("there is no record: name the rate of a worker with --rate")
    files = Files(
        options.kind,
        options.terabytes * 1e12,
        options.ratio,
        options.indexed,
        options.largest * 1e9,
    )
    cluster = Cluster(options.workers, options.start, options.connection * 1e6, options.price)
    said = predict([files], cluster, rates)
    print(f"{said.hours:.2f} hours, price {said.price:.2f}, limited by {said.limit}")


if __name__ == "__main__":
    main()
