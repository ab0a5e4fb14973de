# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes captures of mixed small and large Ethernet frames, from the frames of other captures."""

import random
import statistics
import struct
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)
MEAN = 364  # bytes of a packet with its record: 2.2 million packets in 800 MB


def frames(path):
    """The whole Ethernet frames of a capture, which tshark's editcap converts to pcap. Programs
    disagree on frames that were not captured whole."""
    with tempfile.NamedTemporaryFile(suffix=".pcap") as plain:
        if subprocess.run(
            ["editcap", "-F", "pcap", path, plain.name], capture_output=True
        ).returncode:
            return []
        data, found, at = Path(plain.name).read_bytes(), [], 24
    if len(data) < 24 or struct.unpack_from("<I", data, 20)[0] & 0x3FFFFFF != 1:
        return []
    while at + 16 <= len(data):
        captured, wire = struct.unpack_from("<II", data, at + 8)
        if captured == wire <= 9000:
            found.append(data[at + 16 : at + 16 + captured])
        at += 16 + captured
    return found


def examples(folder=None):
    """The frames of examples/, and of the captures of a folder."""
    names = sorted((ROOT / "examples").glob("*.pcap*")) + (
        sorted(folder.glob("*.pcap*")) if folder else []
    )
    return [frame for name in names for frame in frames(name)]


class Mix:
    """Writes pcaps of random frames with a mean of MEAN bytes, the same frames every time."""

    def __init__(self, pool):
        self.small = [frame for frame in pool if len(frame) + 16 <= MEAN]
        self.large = [frame for frame in pool if len(frame) + 16 > MEAN]
        mean = [statistics.fmean(len(f) + 16 for f in group) for group in (self.small, self.large)]
        self.part = (mean[1] - MEAN) / (mean[1] - mean[0])

    def write(self, out, size, seed=1071, start=1_700_000_000):
        """Writes a pcap of `size` bytes or a little more, whose first packet is of the second
        `start`. Returns the number of packets, and the number of bytes."""
        pick, packets, written = random.Random(seed), 0, len(HEADER)
        out.write(HEADER)
        while written < size:
            frame = pick.choice(self.small if pick.random() < self.part else self.large)
            out.write(
                struct.pack(
                    "<IIII",
                    start + packets // 100_000,
                    packets % 100_000 * 10,
                    len(frame),
                    len(frame),
                )
                + frame
            )
            packets, written = packets + 1, written + 16 + len(frame)
        return packets, written


def head(path, sample, packets):
    """Writes the first packets of a pcap as another."""
    with path.open("rb") as source, sample.open("wb") as out:
        out.write(source.read(24))
        for _ in range(packets):
            record = source.read(16)
            if len(record) < 16:
                break
            out.write(record + source.read(struct.unpack_from("<I", record, 8)[0]))
