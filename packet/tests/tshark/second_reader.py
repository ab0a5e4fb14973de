# SPDX-License-Identifier: MIT OR Apache-2.0
"""Asks tcpdump and scapy about the frames on which tshark and wiresum differ.

    python packet/tests/tshark/second_reader.py FILE...

The test `tshark` writes the files: a line for each frame and protocol of a known difference, with
the statuses of wiresum and of tshark. A reader sides with the one whose statuses are its own. Most
readers are silent on most frames, because they judge few protocols.

Exit status: 0, or 1 if a reader sides with tshark where differences.rs says that wiresum is right
and EXPLAINED has no reason, or if no reader sides with wiresum at all.
"""

import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from scapy.config import conf
from scapy.layers import all as layers  # noqa: F401  (registers every layer)

# Wireshark's proto_checksum_enum_e, by which wiresum and tshark are compared.
STATUSES = {0: "wrong", 1: "good", 3: "absent", 4: "wrong"}
# Where a reader sides with tshark although wiresum is right: the reader, how the reason begins in
# differences.rs, and why the reader is wrong too.
EXPLAINED = [
    (
        "tcpdump",
        "wiresum: UDP tunnels over IPv6 need no checksum",
        "tcpdump follows RFC 8200, and does not know the exception of RFC 6935",
    ),
    (
        "tcpdump",
        "wiresum: a source route that is not made of whole addresses",
        "tcpdump takes the last 4 bytes for an address, as tshark does; scapy does not",
    ),
    (
        "tcpdump",
        "wiresum: a length or coverage past the end of the packet",
        "tcpdump reads no length or coverage of DCCP, and sums the bytes that are there",
    ),
    (
        "tcpdump",
        "wiresum: a packet whose length or header contradicts itself",
        "tcpdump reads no length of DCCP, and sums the bytes that are there",
    ),
    (
        "tcpdump",
        "wiresum: a packet need not tell the addresses of its pseudo-header",
        "tcpdump knows neither RFC 9631 nor ILNP",
    ),
    (
        "tcpdump",
        "wiresum: an error message quotes a part of a packet",
        "tcpdump sums the part that is there",
    ),
    (
        "scapy",
        "wiresum: a packet need not tell the addresses of its pseudo-header",
        "scapy knows neither RFC 9631, nor RFC 9800, nor ILNP",
    ),
    (
        "scapy",
        "wiresum: a packet in a fragmented tunnel is incomplete",
        "scapy sums the part that is there",
    ),
]


@dataclass
class Difference:
    link_type: int
    wire: int
    data: bytes
    protocol: str
    ours: list
    theirs: list
    why: str


def differences(paths):
    for path in paths:
        for line in Path(path).read_text().splitlines():
            link_type, wire, data, protocol, ours, theirs, why = line.split("\t")
            sides = [
                [STATUSES.get(int(code), "unverified") for code in re.findall(r"\d", codes)]
                for codes in (ours, theirs)
            ]
            yield Difference(int(link_type), int(wire), bytes.fromhex(data), protocol, *sides, why)


def good_or_wrong(match):
    return "good" if match[1] in ("correct", "icmp6 sum ok") else "wrong"


# What tcpdump prints of a checksum, by protocol: the pattern, and the status of each match. It says
# nothing of an IPv4 header whose checksum is right.
TCPDUMP = {
    "ipv4": (r"(?<!tcp )(?<!udp )bad cksum [0-9a-f]+ \(->[0-9a-f]+\)", lambda _: "wrong"),
    "tcp": (
        r"Flags \[[^]]*\], cksum 0x[0-9a-f]+ \((correct|incorrect)",
        good_or_wrong,
    ),
    "udp": (
        r"\[(udp sum ok|bad udp cksum|no cksum)",
        lambda match: {"udp sum ok": "good", "no cksum": "absent"}.get(match[1], "wrong"),
    ),
    "dccp": (
        r"\bcksum 0x[0-9a-f]+ \((correct|incorrect)",
        good_or_wrong,
    ),
    "icmp": (r"wrong icmp cksum", lambda _: "wrong"),
    "icmpv6": (
        r"\[(icmp6 sum ok|bad icmp6 cksum)",
        good_or_wrong,
    ),
    "pim": (
        r"PIMv2[^\n]*?cksum 0x[0-9a-f]+ \((correct|incorrect)",
        good_or_wrong,
    ),
    "vrrp": (r"\(bad vrrp cksum", lambda _: "wrong"),
    "isis": (
        r"chksum: 0x[0-9a-f]+ \((correct|incorrect)",
        good_or_wrong,
    ),
}


def tcpdump(all_of_a_link_type):
    """The statuses that tcpdump prints for the protocol of each difference."""
    link_type = all_of_a_link_type[0].link_type
    file = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link_type)
    for second, one in enumerate(all_of_a_link_type):
        file += struct.pack("<IIII", second, 0, len(one.data), one.wire) + one.data
    with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
        capture.write(file)
        capture.flush()
        printed = subprocess.run(
            ["tcpdump", "-nn", "-vv", "-tt", "-r", capture.name],
            capture_output=True,
            text=True,
            errors="replace",
        ).stdout
    # A packet begins with its time, which is its number here; its other lines begin with a space.
    starts = list(re.finditer(r"^(\d+)\.000000 ", printed, re.MULTILINE))
    ends = [start.start() for start in starts[1:]] + [len(printed)]
    texts = {int(start[1]): printed[start.end() : end] for start, end in zip(starts, ends)}
    for number, one in enumerate(all_of_a_link_type):
        pattern, status = TCPDUMP.get(one.protocol, (r"(?!)", None))
        yield [status(match) for match in re.finditer(pattern, texts.get(number, ""))]


# The layers of scapy that have a checksum, and its field.
SCAPY = {
    "ipv4": (r"IP", "chksum"),
    "tcp": (r"TCP", "chksum"),
    "udp": (r"UDP", "chksum"),
    "icmp": (r"ICMP", "chksum"),
    "icmpv6": (r"ICMPv6.*", "cksum"),
    "vrrp": (r"VRRP(v3)?", "chksum"),
    "gre": (r"GRE", "chksum"),
}


def scapy(all_of_a_link_type):
    """The statuses that follow if scapy computes the checksum of each layer."""
    for one in all_of_a_link_type:
        kind = conf.l2types.num2layer.get(one.link_type)
        names, name = SCAPY.get(one.protocol, (r"(?!)", None))
        if kind is None:
            yield []
            continue
        packet = kind(one.data)
        statuses = []
        for place, layer in enumerate(layers_of(packet)):
            if not re.fullmatch(names, type(layer).__name__) or getattr(layer, name) is None:
                continue
            computed = packet.copy()
            delattr(layers_of(computed)[place], name)
            computed = layers_of(kind(bytes(computed)))
            found = getattr(layer, name)
            if one.protocol == "udp" and found == 0:
                statuses.append("absent")
            elif place < len(computed) and type(computed[place]) is type(layer):
                same = getattr(computed[place], name) == found
                statuses.append("good" if same else "wrong")
        yield statuses


def layers_of(packet):
    """The layers of a packet that are not copies in an error message."""
    found = []
    while packet and not type(packet).__name__.endswith("error"):
        found.append(packet)
        packet = packet.payload
    return found


def side(one, statuses):
    if one.ours[: len(statuses)] == statuses == one.theirs[: len(statuses)]:
        return "silent"  # where the two differ
    for name, of in (("wiresum", one.ours), ("tshark", one.theirs)):
        if statuses == of:
            return name
    return "neither"


def main(paths):
    by_link_type = defaultdict(list)
    for one in differences(paths):
        by_link_type[one.link_type].append(one)
    sides = defaultdict(Counter)
    wrong = []
    for some in by_link_type.values():
        for name, reader in (("tcpdump", tcpdump), ("scapy", scapy)):
            for one, statuses in zip(some, reader(some)):
                with_whom = side(one, statuses)
                sides[name, one.why][with_whom] += 1
                known = any(
                    name == who and one.why.startswith(reason) for who, reason, _ in EXPLAINED
                )
                if with_whom == "tshark" and one.why.startswith("wiresum") and not known:
                    wrong.append(
                        f"{name} says {statuses} of {one.protocol}, as tshark does; wiresum "
                        f"says {one.ours} ({one.why}): link type {one.link_type}, {one.data.hex()}"
                    )
    for (name, why), counts in sorted(sides.items()):
        if set(counts) != {"silent"}:
            told = ", ".join(f"{whom} {n}" for whom, n in sorted(counts.items()))
            print(f"{name}: {told}: {why}")
    total = sum(sides.values(), Counter())
    print(f"{total['wiresum']} times a reader sides with wiresum, {total['tshark']} with tshark")
    for who, reason, because in EXPLAINED:
        print(f"{who} sides with tshark on “{reason} …”: {because}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong or not total["wiresum"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
