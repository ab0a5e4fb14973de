# SPDX-License-Identifier: MIT OR Apache-2.0
"""The captures of examples/: their Ethernet frames, and what the program `wiresum` says of them."""

import csv
import os
import subprocess
from pathlib import Path

from scapy.utils import RawPcapNgReader, RawPcapReader

CAPTURES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.pcap*"))
ETHERNET = 1


def frames(path):
    """The frames of a capture with their numbers, those on Ethernet alone."""
    reader = (RawPcapNgReader if path.suffix == ".pcapng" else RawPcapReader)(str(path))
    for number, (data, about) in enumerate(reader, 1):
        if getattr(about, "linktype", getattr(reader, "linktype", None)) == ETHERNET:
            yield number, data


def verified(path):
    """The rows of `wiresum verify` on the outermost packets: {(frame, protocol): row}."""
    rows = subprocess.run(
        [os.environ["WIRESUM_BINARY"], "verify", "--no-reassemble", "--csv", "-", path],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout.splitlines()
    return {
        (int(row["frame"]), row["protocol"]): row
        for row in csv.DictReader(rows)
        if row["layer"] == "1" and row["quoted"] == "false"
    }


def fixed(path, folder):
    """The bytes of the capture that `wiresum fix` writes."""
    out = Path(folder) / path.name
    subprocess.run(
        [os.environ["WIRESUM_BINARY"], "fix", path, out], stdout=subprocess.DEVNULL, check=True
    )
    return out.read_bytes()
