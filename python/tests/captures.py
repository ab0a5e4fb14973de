# SPDX-License-Identifier: MIT OR Apache-2.0
"""The captures of these tests: the captures of examples/, and real ones next to the project if they
are there, in the folder that WIRESUM_CAPTURES names or in ../shared/captures.
"""

import os
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OFFICE = ROOT / "examples/office.pcapng"
ENDS = (".pcap", ".pcapng", ".gz", ".zst", ".snoop")


def captures():
    """The paths of all captures, as text."""
    beside = Path(os.environ.get("WIRESUM_CAPTURES", ROOT / "../shared/captures"))
    folders = [ROOT / "examples", beside]
    return sorted(
        str(path)
        for folder in folders
        if folder.is_dir()
        for path in folder.iterdir()
        if path.name.endswith(ENDS)
    )


def program(*arguments):
    """Runs the program, as it comes with the package."""
    command = [sys.executable, "-m", "wiresum", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def pcap(*frames, link_type=1):
    """A capture of these frames."""
    header = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link_type)
    records = (struct.pack("<IIII", 1, 2, len(frame), len(frame)) + frame for frame in frames)
    return header + b"".join(records)


def many(path, times):
    """A capture of so many copies of the records of another one."""
    capture = (ROOT / "examples/corrupted.pcap").read_bytes()
    Path(path).write_bytes(capture + capture[24:] * (times - 1))
    return Path(path)
