# SPDX-License-Identifier: MIT OR Apache-2.0
"""The captures of examples/: the verdicts of wiresum_rx_check are those of `wiresum verify`."""

from collections import Counter

import cocotb
from bench import begin, chance
from captured import CAPTURES, frames, verified
from streams import Sink, Source, lanes

# For UDP with a source route, Linux sums the next hop (examples/README.md). This block has only the
# address of the header, which is the next hop.
NEXT_HOP = ("extension-headers.pcap", 11)
NO_VERDICT, GOOD, BAD, ABSENT = range(4)
VERDICTS = {"good": GOOD, "bad": BAD, "illegal": BAD, "absent": ABSENT, "unverified": NO_VERDICT}
PROTOCOLS = {"icmp": 1, "tcp": 6, "udp": 17, "icmpv6": 58}
TRUNCATED, FRAGMENT, MALFORMED, UNKNOWN, DEEP, ROUTED = (1 << bit for bit in range(3, 9))


@cocotb.test()
async def captures_agree_with_verify(dut):
    width, rng = len(dut.s_axis_tdata), chance("captures")
    source = Source(dut, "s_axis_")
    names = ("protocol", "ipv4", "verdict", "status")
    sink = Sink(dut, "m_result_", names, "valid", "ready")
    await begin(dut)
    judged = Counter()
    for path in CAPTURES:
        kept = list(frames(path))
        wanted = {key: VERDICTS[row["status"]] for key, row in verified(path).items()}
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
