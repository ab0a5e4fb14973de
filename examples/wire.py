#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""A wire in user space: carries Ethernet frames between two interfaces of one network namespace.

    wire.py LEFT RIGHT [--push TPID:VID]... [--flip RATE --seed N]

It replaces two things that some kernels lack:

--push  replaces a VLAN device. A frame from LEFT to RIGHT gets the tags; the first one named is the
        outer one. A frame from RIGHT to LEFT must carry exactly these tags, and loses them.
--flip  replaces `tc qdisc ... netem corrupt`. This share of the frames from LEFT to RIGHT arrives
        with one bit flipped, anywhere after the Ethernet header. The receiver is not told which.
"""

import argparse
import random
import select
import socket
import struct

ETH_P_ALL = 3
SOL_PACKET, PACKET_AUXDATA, PACKET_IGNORE_OUTGOING = 263, 8, 23
TP_STATUS_VLAN_VALID, TP_STATUS_VLAN_TPID_VALID = 1 << 4, 1 << 6


def open_port(interface):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    port.bind((interface, ETH_P_ALL))
    port.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    port.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    return port


def receive(port):
    """One frame as it was on the link, with the outermost tag, which the kernel removes."""
    frame, control, _, _ = port.recvmsg(65536, 64)
    for level, kind, data in control:
        if (level, kind) == (SOL_PACKET, PACKET_AUXDATA):
            status, _, _, _, _, tci, tpid = struct.unpack("=IIIHHHH", data[:20])
            if status & TP_STATUS_VLAN_VALID:
                tpid = tpid if status & TP_STATUS_VLAN_TPID_VALID else 0x8100
                frame = frame[:12] + struct.pack("!HH", tpid, tci) + frame[12:]
    return frame


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("left")
    arguments.add_argument("right")
    arguments.add_argument("--push", action="append", default=[], metavar="TPID:VID")
    arguments.add_argument("--flip", type=float, default=0.0, metavar="RATE")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()

    tags = b"".join(
        struct.pack("!HH", int(tpid, 16), int(vid))
        for tpid, vid in (tag.split(":") for tag in options.push)
    )
    chance = random.Random(options.seed)
    left, right = open_port(options.left), open_port(options.right)
    print("ready", flush=True)
    while True:
        for port in select.select([left, right], [], [])[0]:
            frame = receive(port)
            if port is left:
                frame = frame[:12] + tags + frame[12:]
                if chance.random() < options.flip:
                    bit = chance.randrange((14 + len(tags)) * 8, len(frame) * 8)
                    frame = bytearray(frame)
                    frame[bit // 8] ^= 1 << bit % 8
                right.send(frame)
            elif frame[12 : 12 + len(tags)] == tags:
                left.send(frame[:12] + frame[12 + len(tags) :])


if __name__ == "__main__":
    main()
