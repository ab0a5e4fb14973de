# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times the Python package next to what people use instead, and writes the tables of its README.

    python3 -m evidence.bench.python.measure [--calls] [--capture FILE] [--write]    measures
    python3 -m evidence.bench.python.measure --check                     compares README and record

The Python that runs it has the package, and evidence/bench/python/requirements.txt. All functions
run one after the other in each round, so that a disturbance of the machine meets all of them; a
figure is the least of the rounds. --calls measures single calls alone, which a busy machine
disturbs least. --write puts the figures into evidence/bench/results/python/, in the record of the
CPU's family, and into python/README.md. --check reads both, and measures nothing.
"""

import argparse
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import zlib
from importlib.metadata import version
from pathlib import Path

from evidence.bench import families
from evidence.documents import generated

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "evidence/bench/results/python"
README = "python/README.md"
SIZES = (20, 64, 256, 1500, 9000, 65536)
ROUNDS = 25
PACKETS = 10_000


def pure(data):
    """The loop that answers on the web give."""
    if len(data) % 2:
        data += b"\0"
    total = 0
    for at in range(0, len(data), 2):
        total += (data[at] << 8) + data[at + 1]
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def functions():
    """The functions under test by their name in the table. All but crc32 give the checksum."""
    import dpkt
    import numpy as np
    import wiresum
    from scapy.utils import checksum as scapy

    def numpy(data):
        total = int(np.frombuffer(data, ">u2").sum(dtype=np.uint64))
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        return 0xFFFF - total

    return {
        "wiresum": wiresum.checksum,
        "zlib.crc32": zlib.crc32,
        "NumPy": numpy,
        "dpkt": dpkt.dpkt.in_cksum,
        "scapy": scapy,
        "Python loop": pure,
    }


def calls(function, data, count):
    """The nanoseconds of a call."""
    counted = range(count)
    start = time.perf_counter_ns()
    for _ in counted:
        function(data)
    return (time.perf_counter_ns() - start) / count


def time_calls():
    """Nanoseconds of a call by function and size."""
    tried, figures = functions(), {}
    for size in SIZES:
        data = random.Random(size).randbytes(size)
        answers = {name: tried[name](data) for name in tried if name != "zlib.crc32"}
        if len(set(answers.values())) != 1:
            raise SystemExit(f"{size} bytes: the functions disagree: {answers}")
        counts = {name: max(3, int(2e6 / calls(tried[name], data, 3))) for name in tried}
        least = dict.fromkeys(tried, float("inf"))
        for _ in range(ROUNDS):
            for name, function in tried.items():
                least[name] = min(least[name], calls(function, data, counts[name]))
        figures[size] = least
    return figures


def best_of(rounds, work, *arguments):
    """The least number of seconds that a work takes."""
    least = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        work(*arguments)
        least = min(least, time.perf_counter() - start)
    return least


def time_batches():
    """Nanoseconds of a packet in a batch of packets of 20 to 1,500 bytes, 60 MB in all."""
    import numpy as np
    import pyarrow as pa
    import wiresum

    pick = random.Random(1071)
    packets = [pick.randbytes(pick.choice((20, 60, 200, 576, 1500))) for _ in range(8 * PACKETS)]
    offsets = np.cumsum([0, *map(len, packets)])
    data, column = b"".join(packets), pa.array(packets, pa.binary())
    works = {
        "checksum() of each": lambda: [wiresum.checksum(packet) for packet in packets],
        "checksums(list)": lambda: wiresum.checksums(packets),
        "checksums(data, offsets)": lambda: wiresum.checksums(data, offsets),
        "checksums(Arrow column)": lambda: wiresum.checksums(column),
        "verify_packets(Arrow column)": lambda: wiresum.verify_packets(column, 101),
    }
    return {name: best_of(7, work) / len(packets) * 1e9 for name, work in works.items()}


def time_scapy():
    """Seconds to build 10,000 packets of scapy, with its checksums and with ours."""
    import scapy.all as scapy
    import wiresum.scapy

    def build(length):
        for _ in range(PACKETS):
            bytes(scapy.IP(src="192.0.2.1", dst="192.0.2.2") / scapy.TCP() / (b"x" * length))

    found = {}
    for length in (0, 1400):
        least = [float("inf")] * 2
        for _ in range(3):
            least[0] = min(least[0], best_of(1, build, length))
            wiresum.scapy.install()
            least[1] = min(least[1], best_of(1, build, length))
            wiresum.scapy.uninstall()
        found[length] = least
    return found


def time_threads():
    """Seconds to sum 1 GiB twice: one after the other, and in two threads."""
    import wiresum

    data = bytes(1 << 30)

    def both():
        threads = [threading.Thread(target=wiresum.sum, args=(data,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def one_after_the_other():
        wiresum.sum(data)
        wiresum.sum(data)

    least = [float("inf")] * 2
    for _ in range(5):
        least[0] = min(least[0], best_of(1, one_after_the_other))
        least[1] = min(least[1], best_of(1, both))
    return least


def time_capture(capture):
    """Seconds to judge a capture: to Parquet by the program, and to Arrow by wiresum.read."""
    import pyarrow as pa
    import wiresum

    folder = Path(tempfile.mkdtemp())
    program = [sys.executable, "-m", "wiresum", "verify", "--quiet", "--force", capture]

    def parquet():
        subprocess.run([*program, "--parquet", folder / "rows.parquet"])

    def read():
        return sum(len(batch) for batch in pa.RecordBatchReader.from_stream(wiresum.read(capture)))

    try:
        least = [float("inf")] * 2
        for _ in range(3):
            least[0] = min(least[0], best_of(1, parquet))
            least[1] = min(least[1], best_of(1, read))
        return {"bytes": Path(capture).stat().st_size, "rows": read(), "seconds": least}
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def measure(calls_alone, capture):
    """The figures, with what they are figures of."""
    packages = ("wiresum", "numpy", "scapy", "dpkt", "pyarrow")
    record = {
        "cpu": families.this_cpu(),
        "date": datetime.date.today().isoformat(),
        "cpus": len(os.sched_getaffinity(0)),
        "python": sys.version.split()[0],
        "versions": {package: version(package) for package in packages},
        "load": os.getloadavg()[0],
        "calls": time_calls(),
    }
    if not calls_alone:
        record |= {
            "batches": time_batches(),
            "scapy": time_scapy(),
            "threads": time_threads(),
        }
    if capture:
        record["capture"] = time_capture(capture)
    return record


def number(value):
    """A figure with two or three digits that count."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def calls_table(record):
    names = list(next(iter(record["calls"].values())))
    rows = [
        (f"{int(size):,}", *(number(figures[name]) for name in names))
        for size, figures in record["calls"].items()
    ]
    table = generated.markdown_table(("bytes", *names), rows)
    return f"{table}\n\n{sentence(record)}"


def sentence(record):
    """What the figures are figures of."""
    versions = record["versions"]
    others = ", ".join(f"{name} {versions[name]}" for name in ("numpy", "scapy", "dpkt"))
    words = (
        f"Nanoseconds of a call, the least of {ROUNDS} rounds in one process: "
        f"{families.family(record['cpu'])[1]}, CPython {record['python']}, {others}. "
        "zlib.crc32 is another function, of the same shape; all others give the checksum."
    )
    if record["load"] > 1:
        words += f" The machine was busy, with a load of {record['load']:.0f}."
    return "\n".join(textwrap.wrap(words, 99))


def other_table(record):
    rows = [
        (f"a packet of 20 to 1,500 bytes, by `{name}`", f"{ns:.0f} ns")
        for name, ns in record.get("batches", {}).items()
    ]
    rows += [
        (
            f"10,000 scapy packets with {length} bytes of payload, built with scapy's checksum, "
            "and with `wiresum.scapy`",
            f"{own:.2f} s, {ours:.2f} s",
        )
        for length, (own, ours) in record.get("scapy", {}).items()
    ]
    if threads := record.get("threads"):
        single, double = threads
        what = "1 GiB summed twice: one after the other, in two threads"
        rows.append((what, f"{single:.3f} s, {double:.3f} s"))
    if capture := record.get("capture"):
        program, ours = capture["seconds"]
        rows.append(
            (
                f"{capture['rows']:,} checksums of a capture of {capture['bytes'] / 1e6:.0f} MB: "
                "`wiresum verify --parquet`, `wiresum.read`",
                f"{program:.2f} s, {ours:.2f} s",
            )
        )
    return generated.markdown_table(("what", "time"), rows) if rows else ""


def recorded():
    """The newest record."""
    records = sorted(RESULTS.glob("*.json"), key=lambda path: json.loads(path.read_text())["date"])
    return json.loads(records[-1].read_text())


TABLES = [
    (README, "calls", lambda: calls_table(recorded())),
    (README, "others", lambda: other_table(recorded())),
]


def main():
    if sys.argv[1:] == ["--check"]:
        return generated.main(TABLES)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", action="store_true", help="measure single calls alone")
    parser.add_argument("--capture", help="a large capture, for the time of wiresum.read")
    parser.add_argument("--write", action="store_true", help="write the record and the README")
    options = parser.parse_args()
    record = measure(options.calls, options.capture)
    print(json.dumps(record, indent=1))
    if options.write:
        RESULTS.mkdir(exist_ok=True)
        folder, _ = families.family(record["cpu"])
        (RESULTS / f"{folder}.json").write_text(json.dumps(record, indent=1) + "\n")
        for file, name, make in TABLES:
            generated.write(file, name, make())
    return 0


if __name__ == "__main__":
    sys.exit(main())
