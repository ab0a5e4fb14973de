# SPDX-License-Identifier: MIT OR Apache-2.0
"""The captures of examples/: the verdicts of wiresum_rx_check are those of `wiresum verify`."""

import csv
import os
import subprocess
from collections import Counter
from pathlib import Path

import cocotb
from scapy.utils import RawPcapNgReader, RawPcapReader
from streams import Sink, Source, lanes

from bench import begin, chance

EXAMPLES = Path(os.environ["WIRESUM_SPEC"]).parent / "examples"
ETHERNET = 1
# For UDP with a source route, Linux sums the next hop (examples/README.md). This block has only the
# address of the header, which is the next hop.
NEXT_HOP = ("extension-headers.pcap", 11)
NO_VERDICT, GOOD, BAD, ABSENT = range(4)
VERDICTS = {"good": GOOD, "bad": BAD, "illegal": BAD, "absent": ABSENT, "unverified": NO_VERDICT}
PROTOCOLS = {"icmp": 1, "tcp": 6, "udp": 17, "icmpv6": 58}
TRUNCATED, FRAGMENT, MALFORMED, UNKNOWN, DEEP, ROUTED = (1 << bit for bit in range(3, 9))


def frames(path):
    """The frames of a capture with their numbers, those on Ethernet alone."""
    reader = (RawPcapNgReader if path.suffix == ".pcapng" else RawPcapReader)(str(path))
    for number, (data, about) in enumerate(reader, 1):
        if getattr(about, "linktype", getattr(reader, "linktype", None)) == ETHERNET:
            yield number, data


def verified(path):
    """What `wiresum verify` says of the outermost packet: {(frame, protocol): its verdict}."""
    rows = subprocess.run(
        [os.environ["WIRESUM_BINARY"], "verify", "--no-reassemble", "--csv", "-", path],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout.splitlines()
    return {
        (int(row["frame"]), row["protocol"]): VERDICTS[row["status"]]
        for row in csv.DictReader(rows)
        if row["layer"] == "1" and row["quoted"] == "false"
    }


@cocotb.test()
async def captures_agree_with_verify(dut):
    width, rng = len(dut.s_axis_tdata), chance("captures")
    source = Source(dut, "s_axis_")
    names = ("protocol", "ipv4", "verdict", "status")
    sink = Sink(dut, "m_result_", names, "valid", "ready")
    await begin(dut)
    judged = Counter()
    for path in sorted(EXAMPLES.glob("*.pcap*")):
        wanted, kept = verified(path), list(frames(path))
        for _, data in kept:
            for tdata, tkeep, tlast in lanes(data, width):
                beat = {"tdata": tdata, "tkeep": tkeep, "tlast": tlast}
                source.queue.append({**beat, "tuser": 0 if tlast else rng.getrandbits(1)})
        for number, _ in kept:
            got = await sink.take(20000)
            about = (path.name, number, got, {k: v for k, v in wanted.items() if k[0] == number})
            assert got["ipv4"] == wanted.get((number, "ipv4"), NO_VERDICT), about
            protocol = {v: k for k, v in PROTOCOLS.items()}.get(got["protocol"])
            verdict = wanted.get((number, protocol), NO_VERDICT)
            if verdict == ABSENT and not got["ipv4"]:
                verdict = BAD  # a tunnel over IPv6 (RFC 6935): this block knows no tunnels
            if (path.name, number) == NEXT_HOP:
                assert (got["verdict"], verdict) == (GOOD, BAD), about
                continue
            why = TRUNCATED | FRAGMENT | MALFORMED | UNKNOWN | DEEP | ROUTED
            if got["verdict"] != NO_VERDICT or not got["status"] & why:
                assert got["verdict"] == verdict, about
                judged[path.name, verdict] += 1
    cocotb.log.info("%s", judged)
    assert sum(judged.values()) > 1500 and judged["offload-on.pcap", BAD] > 50, judged
