# SPDX-License-Identifier: MIT OR Apache-2.0
"""A port of a network card whose MAC sends each frame back, sometimes with another bit.

The host leaves checksums to the port, as Linux does. What comes to the MAC has to be the packet
that scapy builds; what comes back has to have the verdict.
"""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw
from specification import pseudo_ipv4, pseudo_ipv6, sum16
from streams import Sink, Source, lanes, pauses

BEATS = PARAMETERS["BEATS"]
GOOD, BAD = 1, 2
NAMES = ("tdata", "tkeep", "tlast", "tid", "tdest", "tuser")
FIELD = {TCP: 16, UDP: 6, ICMP: 2, ICMPv6EchoRequest: 2}
LINK = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")


class Packet:
    """A packet as scapy builds it, as the host hands it over, and the host's command."""

    def __init__(self, rng, most):
        six, tagged = rng.random() < 0.5, rng.random() < 0.3
        upper = rng.choice([TCP(), UDP(), ICMPv6EchoRequest() if six else ICMP()])
        network = IPv6(src="2001:db8::1", dst="2001:db8::2")
        if not six:
            network = IP(src="192.0.2.1", dst="198.51.100.7", id=rng.getrandbits(16))
        load = rng.choice([rng.randbytes(1), b"\xff", bytes(1)]) * rng.randrange(1, most)
        packet = (LINK / Dot1Q(vlan=5) if tagged else LINK) / network / upper / Raw(load)
        self.whole = bytes(packet)
        at = 18 if tagged else 14
        start = at + (40 if six else 20)
        field = start + FIELD[type(upper)]
        length = len(self.whole) - start
        if six:
            addresses = self.whole[at + 8 : at + 40]
            pseudo = pseudo_ipv6(addresses[:16], addresses[16:], self.whole[at + 6], length)
        elif isinstance(upper, ICMP):
            pseudo = b""
        else:
            addresses = self.whole[at + 12 : at + 20]
            pseudo = pseudo_ipv4(addresses[:4], addresses[4:], self.whole[at + 9], length)
        in_field = rng.random() < 0.5  # where the sum of the pseudo-header is
        seed = sum16(pseudo)
        self.given = bytearray(self.whole)
        self.given[field : field + 2] = (seed if in_field else 0).to_bytes(2, "big")
        if not six:
            self.given[at + 10 : at + 12] = bytes(2)
        self.command = {
            "csum_enable": 1,
            "csum_start": start,
            "csum_offset": field - start,
            "csum_init": 0 if in_field else seed,
            "csum_udp": int(isinstance(upper, UDP)),
            "ipv4_enable": int(not six),
            "ipv4_start": at,
            "ipv4_stop": start,
        }
        self.six, self.payload = six, len(self.whole) - len(load)
        self.damaged = rng.random() < 0.2
        self.tid, self.tdest, self.tag = (rng.getrandbits(n) for n in (8, 8, 16))


@cocotb.test()
async def a_mac_that_sends_back(dut):
    rng = chance("port")
    commands = Source(dut, "s_tx_command_", "valid", "ready")
    host, mac = Source(dut, "s_tx_axis_"), Source(dut, "s_rx_axis_")
    wire, came = Sink(dut, "m_tx_axis_", NAMES), Sink(dut, "m_rx_axis_", NAMES)
    await begin(dut)
    width = len(dut.s_tx_axis_tdata)
    size = width // 8
    for sender, receiver in ((0, 0), (0.4, 0.5)):
        for side in (commands, host, mac):
            side.pauses = pauses(rng, sender)
        for side in (wire, came):
            side.pauses = pauses(rng, receiver)
        packets = [Packet(rng, BEATS * size * 2 if i % 9 == 8 else 300) for i in range(rounds(80))]
        for packet in packets:
            commands.queue.append(packet.command)
            for tdata, tkeep, tlast in lanes(bytes(packet.given), width):
                about = {"tid": packet.tid, "tdest": packet.tdest, "tuser": packet.tag << 1}
                host.queue.append({"tdata": tdata, "tkeep": tkeep, "tlast": tlast, **about})
        for packet in packets:
            beats = lanes(packet.whole, width)
            packet.long = len(beats) > BEATS
            expected = packet.given if packet.long else packet.whole
            bit = 1 << 8 * (packet.payload % size) if packet.damaged else 0
            stamp = rng.getrandbits(96)
            for number, (tdata, tkeep, tlast) in enumerate(lanes(bytes(expected), width)):
                got = await wire.take(20000)
                mask = sum(0xFF << 8 * k for k in range(size) if tkeep >> k & 1)
                assert (got["tdata"] ^ tdata) & mask == 0, (number, packet.command)
                assert (got["tkeep"], got["tlast"]) == (tkeep, tlast)
                assert (got["tid"], got["tdest"]) == (packet.tid, packet.tdest)
                assert got["tuser"] == packet.tag << 1 | (packet.long and tlast)
                turned = bit if number == packet.payload // size else 0
                back = {**got, "tdata": got["tdata"] ^ turned, "tuser": stamp << 1}
                mac.queue.append(back)
            packet.stamp, packet.beats = stamp, len(beats)
        seen = set()
        for packet in packets:
            for _ in range(packet.beats):
                got = await came.take(20000)
                assert (got["tid"], got["tdest"]) == (packet.tid, packet.tdest)
                assert got["tuser"] >> 73 == packet.stamp
                assert got["tuser"] & 3 == 2 * packet.long, hex(got["tuser"])
                verdicts = (got["tuser"] >> 2 & 3, got["tuser"] >> 4 & 3)
                wanted = (0 if packet.six else GOOD, BAD if packet.damaged else GOOD)
                assert verdicts == ((0, 0) if packet.long else wanted), (verdicts, wanted)
            seen.add(wanted)
        assert len(seen) >= 3, seen
        await edges(dut, 80)
        assert not came.beats and not wire.beats, "a beat of no frame"
