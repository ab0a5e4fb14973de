# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times the sums of bpf/ in XDP against what programs do without them, and writes the table.

    python3 -m evidence.bench.bpf.measure --write  measures; writes the record and bpf/README.md
    python3 -m evidence.bench.bpf.measure --check  compares bpf/README.md with the record

Needs root, and what ./check bpf installs. The kernel runs each program on a frame in memory
(BPF_PROG_TEST_RUN). Every result is compared with the reference first. All programs run one after
the other in each round, so that a disturbance of the machine meets all of them; a figure is the
least of the rounds.
"""

import datetime
import json
import platform
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from bpf.tests import build
from evidence.bench import families
from evidence.documents import generated
from spec import reference

RESULTS = build.ROOT / "evidence/bench/results/bpf"
README = "bpf/README.md"
SIZES = (64, 128, 576, 1500, 9000)
ROUNDS = 15
REPEAT = 50_000
LINEAR = 3500  # the longest frame in one piece that the kernel's test interface makes
# The column of each program, and whether it reads frames that are not in one piece.
PROGRAMS = {
    "pass": ("returns at once", True),
    "ours": ("`wiresum_xdp_sum`", True),
    "verify": ("`wiresum_xdp_verify`", True),
    "helper": ("`bpf_csum_diff`, constant blocks", False),
    "helper_copies": ("`bpf_csum_diff`, copied blocks", True),
    "words": ("loop over 16-bit words", False),
}


def frame(size):
    """An Ethernet frame with a TCP segment whose checksums are right."""
    ends = bytes.fromhex("0a0000010a000002")
    segment = bytearray(size - 34)
    segment[20:] = bytes(i * 7 & 255 for i in range(size - 54))
    segment[12] = 0x50
    pseudo = ends + struct.pack(">HH", 6, len(segment))
    segment[16:18] = struct.pack(">H", reference.checksum(pseudo + segment))
    header = bytearray(struct.pack(">BBHIBBH", 0x45, 0, size - 14, 0, 64, 6, 0) + ends)
    header[10:12] = struct.pack(">H", reference.checksum(header))
    return bytes(12) + b"\x08\0" + header + segment


def once(pins, program, file, repeat):
    """Runs a program; its result, and the ns of a run."""
    command = ["bpftool", "-j", "prog", "run", "pinned", pins / program, "data_in", file]
    shown = subprocess.run(
        [*command, "repeat", str(repeat)], capture_output=True, text=True, check=True
    )
    ran = json.loads(shown.stdout)
    return ran["retval"], ran["duration"]


def measure():
    """The least ns of each program and size."""
    with tempfile.TemporaryDirectory() as folder:
        objects = build.compile_bpf(
            build.ROOT / "evidence/bench/bpf/programs.bpf.c", Path(folder) / "programs.o"
        )
        pins = Path("/sys/fs/bpf/wiresum-bench")
        subprocess.run(["bpftool", "prog", "loadall", objects, pins], check=True)
        try:
            cells = []
            for size in SIZES:
                file = Path(folder) / str(size)
                file.write_bytes(frame(size))
                number = struct.pack(">H", reference.sum16(frame(size)[34:]))
                for program, (_, frags) in PROGRAMS.items():
                    if size > LINEAR and not frags:
                        continue
                    right = int.from_bytes(number, sys.byteorder)
                    due = right if program not in ("pass", "verify") else 0
                    found, _ = once(pins, program, file, 1)
                    if found != due:
                        sys.exit(f"{program}, {size} bytes: {found:#x} and not {due:#x}")
                    cells.append((program, size, file))
            least = {}
            for _ in range(ROUNDS):
                for program, size, file in cells:
                    _, ns = once(pins, program, file, REPEAT)
                    least[program, size] = min(ns, least.get((program, size), ns))
        finally:
            for program in PROGRAMS:
                (pins / program).unlink(missing_ok=True)
            pins.rmdir()
    return least


def record():
    return next(iter(sorted(RESULTS.glob("*.json"))))


def table():
    data = json.loads(record().read_text())
    header = ["frame, bytes", *(label for label, _ in PROGRAMS.values())]
    rows = [
        [f"{size:,}", *(str(data["ns"][program].get(str(size), "–")) for program in PROGRAMS)]
        for size in SIZES
    ]
    return f"""{generated.markdown_table(header, rows)}

{data["cpu"]}, Linux {data["kernel"]}, {data["date"]}: the least of {data["rounds"]} rounds."""


def main():
    if sys.argv[1:] == ["--write"]:
        least = measure()
        ns = {
            program: {str(size): least[program, size] for size in SIZES if (program, size) in least}
            for program in PROGRAMS
        }
        folder, name = families.family(families.this_cpu())
        data = {
            "cpu": name,
            "kernel": platform.release(),
            "date": datetime.date.today().isoformat(),
            "rounds": ROUNDS,
            "ns": ns,
        }
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{folder}.json").write_text(json.dumps(data, indent=1) + "\n")
    return generated.main([(README, "figures", table)])


if __name__ == "__main__":
    sys.exit(main())
