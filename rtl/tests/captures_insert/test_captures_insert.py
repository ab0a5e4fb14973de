# SPDX-License-Identifier: MIT OR Apache-2.0
"""The captures of examples/: the frames that leave wiresum_tx_insert are those of `wiresum fix`.

A frame whose checksum was left to the network card goes in as it was captured. Each other frame
whose checksums can be computed goes in as a network stack would hand it over: the field of the
protocol holds the sum of the pseudo-header, that of IPv4 holds zero.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

import cocotb
from bench import sum16
from captured import CAPTURES, fixed, frames, verified
from specification import fold, pseudo_ipv4, pseudo_ipv6

sys.path.insert(0, str(Path(__file__).parent.parent / "tx_insert"))
from test_tx_insert import NONE, Frame, Job, bench

FIELDS = {"tcp": (6, 16), "udp": (17, 6), "icmp": (1, 2), "icmpv6": (58, 2)}  # number, offset
# Frames of this capture in which an option or a routing header replaces an address of the
# pseudo-header.
REPLACED_IN = "extension-headers.pcap"
REPLACED = {11, 12, 14, 15, 17, 22, 24, 26, 27, 30, 34, 35, 36, 37, 39, 40, 42}
COMPUTED = ("good", "bad", "illegal")


def packet_end(data, at):
    """The number of the byte behind the IP packet whose header begins there."""
    version = data[at] >> 4
    return (
        at + int.from_bytes(data[at + 2 : at + 4], "big")
        if version == 4
        else (at + 40 + int.from_bytes(data[at + 4 : at + 6], "big"))
    )


def pseudo(data, at, protocol, length):
    """The sum of the pseudo-header."""
    if protocol == "icmp":
        return 0
    number, _ = FIELDS[protocol]
    if data[at] >> 4 == 4:
        return fold(
            sum16(pseudo_ipv4(data[at + 12 : at + 16], data[at + 16 : at + 20], number, length))
        )
    return fold(sum16(pseudo_ipv6(data[at + 8 : at + 24], data[at + 24 : at + 40], number, length)))


def put(data, at, value):
    return data[:at] + value.to_bytes(2, "big") + data[at + 2 :]


class Captured:
    """A frame of a capture, as it was, as `wiresum fix` writes it, and its outermost checksums."""

    def __init__(self, number, data, right, frame_at, rows):
        self.number, self.data, self.right = number, data, right
        self.rows = {
            protocol: (row, int(row["offset"]) - frame_at)
            for (of, protocol), row in rows.items()
            if of == number and row["status"] in COMPUTED
        }

    def network(self):
        """The number of the first byte of the IP header."""
        at = 12
        while self.data[at : at + 2] in (b"\x81\x00", b"\x88\xa8", b"\x91\x00"):
            at += 4
        return at + 2

    def frame(self, rng):
        """The frame that goes in, and whether it goes in as it was captured; or None."""
        protocol = next((name for name in FIELDS if name in self.rows), None)
        at = self.network()
        if not self.rows or (protocol and any(self.data[packet_end(self.data, at) :])):
            return None  # a network stack hands no bytes over that are not of the packet
        data, a, b = self.right, NONE, NONE
        if "ipv4" in self.rows:
            field = self.rows["ipv4"][1]
            end = at + 4 * (self.data[at] & 15)
            b = Job(at, field - at, stop=end)
            data = put(data, field, 0)
        as_captured = False
        if protocol:
            row, field = self.rows[protocol]
            start = field - FIELDS[protocol][1]
            total = pseudo(self.data, at, protocol, packet_end(self.data, at) - start)
            if rng.random() < 0.5:
                data, init = put(data, field, total), 0
            else:
                data, init = put(data, field, 0), total
            if row["cause"] == "offload" and all(
                self.data[k] == self.right[k]
                for k in range(len(self.data))
                if k not in (field, field + 1)
            ):
                data, init, as_captured, b = self.data, 0, True, NONE
            a = Job(start, field - start, init, int(protocol == "udp"))
        return Frame(data, a, b), as_captured


def captured(path, folder):
    """The frames of a capture. They stand in the file that was fixed at their own places."""
    whole, right, rows, at = path.read_bytes(), fixed(path, folder), verified(path), 0
    for number, data in frames(path):
        at = whole.index(data, at)
        yield Captured(number, data, right[at : at + len(data)], at, rows)
        at += len(data)


@cocotb.test()
async def captures_agree_with_fix(dut):
    made = await bench(dut, "captures")
    made.patience = 40000  # a frame of 64 KiB comes before its first beat leaves
    came = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for path in CAPTURES:
            sent = []
            for one in captured(path, folder):
                found = one.frame(made.rng)
                if found and not (path.name == REPLACED_IN and one.number in REPLACED):
                    frame, as_captured = found
                    about = (path.name, one.number, vars(frame.a), vars(frame.b))
                    assert frame.leaves(made.width)[0] == one.right, about
                    sent.append(frame)
                    came[path.name, as_captured] += 1
            if sent:
                await made.run(sent)
    cocotb.log.info("%s", came)
    assert sum(came.values()) > 2000 and came["offload-on.pcap", True] > 200, came
