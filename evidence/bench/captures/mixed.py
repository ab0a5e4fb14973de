# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes captures of mixed small and large Ethernet frames, from the frames of other captures."""

import random
import statistics
import struct
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1)
MEAN = 364  # bytes of a packet with its record: 2.2 million packets in 800 MB


def numbered(path):
    """The whole Ethernet frames of a pcap by their numbers. Programs disagree on frames that were
    not captured whole."""
    data, found, at, number = path.read_bytes(), {}, 24, 0
    if len(data) < 24 or struct.unpack_from("<I", data, 20)[0] & 0x3FFFFFF != 1:
        return {}
    while at + 16 <= len(data):
        captured, wire = struct.unpack_from("<II", data, at + 8)
        number += 1
        if captured == wire <= 9000:
            found[number] = data[at + 16 : at + 16 + captured]
        at += 16 + captured
    return found


def fragments(path):
    """The fragments of a capture by tshark: for each frame that holds one, the frame that completes
    its datagram, or None."""
    fields = ("ip.flags.mf", "ip.frag_offset", "ipv6.fraghdr.more", "ipv6.fraghdr.offset")
    ends = ("ip.reassembled_in", "ipv6.reassembled.in", "ip.fragment", "ipv6.fragment")
    names = [word for name in ("frame.number", *fields, *ends) for word in ("-e", name)]
    lines = subprocess.run(
        ["tshark", "-n", "-2", "-r", path, "-T", "fields", *names],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    found = {}
    for line in lines:
        number, *values = line.split("\t")
        of, (v4, v6, *completes) = values[: len(fields)], values[len(fields) :]
        if any(word not in ("", "0") for value in of for word in value.split(",")):
            end = next((end.split(",")[0] for end in (v4, v6) if end), None)
            found[int(number)] = int(end or number) if end or any(completes) else None
    return found


def datagrams(path):
    """The whole Ethernet frames of a capture, which tshark's editcap converts to pcap: a frame
    alone, or in a tuple the frames with the fragments of a datagram. Fragments whose datagram is
    not whole are left out."""
    with tempfile.NamedTemporaryFile(suffix=".pcap") as plain:
        if subprocess.run(
            ["editcap", "-F", "pcap", path, plain.name], capture_output=True
        ).returncode:
            return []
        frames = numbered(Path(plain.name))
        pieces = fragments(plain.name) if frames else {}
    groups = {}
    for number, end in pieces.items():
        groups.setdefault(end, []).append(number)
    found = []
    for number, frame in frames.items():
        if number not in pieces:
            found.append(frame)
        elif pieces[number] == number and all(each in frames for each in groups[number]):
            found.append(tuple(frames[each] for each in groups[number]))
    return found


def every(folder=None):
    """The frames and datagrams of examples/, and of the captures of a folder."""
    names = sorted((ROOT / "examples").glob("*.pcap*")) + (
        sorted(folder.glob("*.pcap*")) if folder else []
    )
    return [each for name in names for each in datagrams(name)]


def ordinary():
    """The frames of an office: DNS, HTTP, ping and streams of TCP and UDP, without tunnels."""
    return datagrams(ROOT / "examples/office.pcapng")


def examples(folder=None):
    """The frames of examples/, and of the captures of a folder, each frame alone."""
    return [
        frame for each in every(folder) for frame in (each if isinstance(each, tuple) else [each])
    ]


class Mix:
    """Writes pcaps of random frames with a mean of MEAN bytes, the same frames every time. The
    frames of a datagram, which are a tuple, follow each other."""

    def __init__(self, pool):
        def excess(frames):
            return sum(len(frame) + 16 - MEAN for frame in frames)

        pool = [each if isinstance(each, tuple) else (each,) for each in pool]
        self.small = [frames for frames in pool if excess(frames) <= 0]
        self.large = [frames for frames in pool if excess(frames) > 0]
        below, above = (statistics.fmean(map(excess, group)) for group in (self.small, self.large))
        self.part = above / (above - below)

    def write(self, out, size, seed=1071, start=1_700_000_000):
        """Writes a pcap of `size` bytes or a little more, whose first packet is of the second
        `start`. Returns the number of packets, and the number of bytes."""
        pick, packets, written = random.Random(seed), 0, len(HEADER)
        out.write(HEADER)
        while written < size:
            for frame in pick.choice(self.small if pick.random() < self.part else self.large):
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
