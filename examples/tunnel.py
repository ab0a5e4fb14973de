#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""One end of an IPv4 tunnel in user space: a tun device on one side, a raw socket on the other.

    tunnel.py ipip|6in4|gre TUN LOCAL REMOTE

The kernel makes the inner packets and the outer IPv4 header. This program makes only the GRE header
(RFC 2784, with a checksum). It replaces `ip link add type ipip|sit|gre` on kernels without these
devices. TUN must exist: `ip tuntap add mode tun TUN`.
"""

import fcntl
import os
import select
import socket
import struct
import sys

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
PROTOCOL = {"ipip": 4, "6in4": 41, "gre": 47}


def checksum(data):
    """The Internet checksum (RFC 1071) of the GRE header and its payload."""
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def gre(packet):
    ethertype = 0x0800 if packet[0] >> 4 == 4 else 0x86DD
    header = struct.pack("!HHHH", 0x8000, ethertype, 0, 0)
    return struct.pack("!HHHH", 0x8000, ethertype, checksum(header + packet), 0) + packet


def main():
    kind, name, local, remote = sys.argv[1:]
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    outer = socket.socket(socket.AF_INET, socket.SOCK_RAW, PROTOCOL[kind])
    outer.bind((local, 0))
    outer.connect((remote, 0))
    print("ready", flush=True)
    while True:
        for source in select.select([tun, outer], [], [])[0]:
            if source is tun:
                packet = os.read(tun, 65536)
                outer.send(gre(packet) if kind == "gre" else packet)
            else:
                packet = outer.recv(65536)
                packet = packet[(packet[0] & 15) * 4 :]
                os.write(tun, packet[8:] if kind == "gre" else packet)


if __name__ == "__main__":
    main()
