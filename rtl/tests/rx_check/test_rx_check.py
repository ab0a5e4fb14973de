# SPDX-License-Identifier: MIT OR Apache-2.0
"""Verdicts on frames, against the specification and against scapy."""

import cocotb
from bench import begin, chance, edges, rounds
from frames import (
    ABSENT,
    BAD,
    DEEP,
    FIELDS,
    FRAGMENT,
    GOOD,
    HEADER_BYTES,
    ICMP_4,
    ICMP_6,
    MALFORMED,
    NO_VERDICT,
    ROUTED,
    TCP_,
    TRUNCATED,
    UDP_,
    UNKNOWN,
    Frame,
    plain_udp,
    random_frame,
)
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import (
    ICMPv6EchoRequest,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
)
from scapy.layers.l2 import Dot1AD, Dot1Q, Ether
from scapy.packet import Raw
from specification import checksum, fold, packet_vectors, pseudo_ipv4
from streams import PATTERNS, Bench

LINK = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")


async def bench(dut, name):
    made = Bench(dut, chance(f"rx_check {name}"), FIELDS, most=20000, quiet=80)
    await begin(dut)
    return made


@cocotb.test()
async def random_frames(dut):
    """Every pattern of pauses; aborted and sparse frames among them."""
    made = await bench(dut, "random")
    seen = set()
    for chances in PATTERNS.values():
        made.pause(*chances)
        frames = []
        for i in range(rounds(160)):
            frame = random_frame(made.rng, 900 if i % 10 == 0 else 200)
            frame.aborted = int(made.rng.random() < 0.05)
            if made.rng.random() < 0.05:
                frame.null = {made.rng.randrange(len(frame.data) - 1)}
            seen.add((frame.wanted["verdict"], frame.wanted["ipv4"]))
            frames.append(frame)
        await made.run(frames)
    assert len(seen) >= 6, seen


@cocotb.test()
async def vectors(dut):
    """The specification's packets behind an Ethernet header. A verdict is never the wrong one, and
    missing only where a header of those packets is not one that this block walks."""
    made = await bench(dut, "vectors")
    frames, about = [], []
    for name, packet, result in packet_vectors():
        if 1 < len(packet) < 2500:
            kind = b"\x86\xdd" if packet[0] >> 4 == 6 else b"\x08\x00"
            frames.append(Frame(made.rng.randbytes(12) + kind + packet))
            about.append((name, result))
    assert len(frames) > 280, len(frames)
    for frame in frames:
        made.send(frame)
    judged = {GOOD: 0, BAD: 0}
    missing = []
    for name, result in about:
        got = await made.sink.take(20000)
        say = (name, result, got)
        allowed = {
            "good": {GOOD, NO_VERDICT},
            "bad": {BAD, NO_VERDICT},
            "bad_header": {NO_VERDICT, GOOD, BAD, ABSENT},
            "illegal": {BAD, NO_VERDICT},
            "absent": {ABSENT},
            "fragment": {NO_VERDICT},
            "short": {NO_VERDICT},
            "malformed": {NO_VERDICT, GOOD, BAD},  # options are not parsed
            "routed": {NO_VERDICT, GOOD},  # good where the sum is that of the header's address
            "unknown": {NO_VERDICT},
        }[result]
        assert got["verdict"] in allowed, say
        assert (got["ipv4"] == BAD) == (result == "bad_header") or result in (
            "malformed",
            "short",
        ), say
        assert not got["status"] & FRAGMENT or result in ("fragment", "bad_header"), say
        assert result != "fragment" or got["status"] & FRAGMENT, say
        assert result != "short" or got["status"] & (TRUNCATED | MALFORMED), say
        if result in ("good", "bad"):
            if got["verdict"]:
                judged[got["verdict"]] += 1
            else:
                missing.append(name)
                assert got["status"] & (UNKNOWN | DEEP | ROUTED | MALFORMED), say
    assert judged[GOOD] >= 40 and judged[BAD] >= 30, (judged, missing)
    cocotb.log.info("%s judged; not judged: %s", judged, " ".join(missing))


@cocotb.test()
async def scapy_agrees(dut):
    """What scapy builds is good, and bad with one other bit."""
    made = await bench(dut, "scapy")
    rng, frames = made.rng, []
    for number in range(rounds(80)):
        load = Raw(rng.randbytes(rng.randrange(1, 120)))
        six = number % 2
        upper = [TCP(), UDP(), ICMPv6EchoRequest() if six else ICMP()][number // 2 % 3] / load
        if six:
            network = IPv6(src="2001:db8::1", dst="2001:db8::2")
            if number % 5 == 0:
                network = network / IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt()
            elif number % 5 == 1:
                network = network / IPv6ExtHdrRouting(addresses=["2001:db8::3"], segleft=0)
        else:
            network = IP(src="192.0.2.1", dst=f"198.51.100.{rng.randrange(256)}")
        link = [LINK, LINK / Dot1Q(vlan=5), LINK / Dot1AD(vlan=6) / Dot1Q(vlan=7)]
        packet = link[number % 3] / network / upper
        data = bytearray(bytes(packet))
        at = 14 + 4 * (number % 3)
        above = len(data) - len(upper)
        protocol = [TCP_, UDP_, ICMP_6 if six else ICMP_4][number // 2 % 3]
        for verdict in (GOOD, BAD):
            ipv4 = 0 if six else GOOD
            frames.append(Frame(bytes(data), at, above, protocol, ipv4, verdict))
            data[rng.randrange(above + 20 if protocol == TCP_ else above + 8, len(data))] ^= 8
    await made.run(frames)


@cocotb.test()
async def no_verdict(dut):
    """Fragments, truncated and malformed packets, and others have a status of their own."""
    made = await bench(dut, "status")
    whole, six = plain_udp(b"abcdefg"), plain_udp(b"abcdefg", True)
    frames = [
        Frame(whole, 14, 34, UDP_, GOOD, GOOD),
        Frame(six, 14, 54, UDP_, 0, GOOD),
        # Fragments: more follow; an offset; a whole one has neither.
        Frame(plain_udp(b"x" * 8, flags=b"\x20\0"), 14, 34, UDP_, GOOD, 0, FRAGMENT),
        Frame(plain_udp(b"x" * 8, flags=b"\0\1"), 14, 34, UDP_, GOOD, 0, FRAGMENT),
        Frame(plain_udp(b"x" * 8, flags=b"\x40\0"), 14, 34, UDP_, GOOD, GOOD),
        # No IP; ARP; three tags.
        Frame(b"\xff" * 60, 0, 0, None, 0, 0, UNKNOWN),
        Frame(bytes(12) + b"\x08\x06" + bytes(46), 0, 0, None, 0, 0, UNKNOWN),
        Frame(bytes(12) + b"\x81\0\0\1" * 3 + whole[12:], 0, 0, None, 0, 0, UNKNOWN),
        # SCTP over IPv4, and nothing behind IPv6.
        Frame(changed_protocol(whole, 132), 14, 34, 132, GOOD, 0, UNKNOWN),
        Frame(six[:20] + bytes([59]) + six[21:], 14, 54, 59, 0, 0, UNKNOWN),
        # Versions, header lengths, total lengths.
        Frame(whole[:14] + b"\x55" + whole[15:], 0, 0, None, 0, 0, MALFORMED),
        Frame(whole[:14] + b"\x44" + whole[15:], 0, 0, None, 0, 0, MALFORMED),
        Frame(six[:14] + b"\x40" + six[15:], 0, 0, None, 0, 0, MALFORMED),
        Frame(renewed(whole[:16] + b"\0\x1b" + whole[18:]), 14, 34, UDP_, GOOD, 0, MALFORMED),
        Frame(renewed(whole[:16] + b"\0\0" + whole[18:]), 14, 34, UDP_, GOOD, 0, MALFORMED),
        Frame(six[:18] + b"\0\0" + six[20:], 14, 54, UDP_, 0, 0, MALFORMED),
        # UDP's own length: below its header; above the packet.
        Frame(whole[:38] + b"\0\7" + whole[40:], 14, 34, UDP_, GOOD, 0, MALFORMED),
        Frame(whole[:38] + b"\0\x10" + whole[40:], 14, 34, UDP_, GOOD, 0, MALFORMED),
    ]
    for length in range(1, len(whole)):
        ip = length >= 34
        frames.append(
            Frame(whole[:length], 14 if ip else 0, None, None, GOOD if ip else 0, 0, TRUNCATED)
        )
    for length in range(1, len(six)):
        frames.append(Frame(six[:length], 14 if length >= 54 else 0, None, None, 0, 0, TRUNCATED))
    await made.run(frames)


def renewed(frame):
    """The frame with a right IPv4 header checksum."""
    header = frame[14:24] + bytes(2) + frame[26:34]
    return frame[:24] + checksum(header).to_bytes(2, "big") + frame[26:]


def plain_tcp(size, offset=5):
    """A frame with a segment of TCP that is right, or would be with a header of 20 bytes; behind
    the packet lie the bytes that would go on with the header."""
    data = b"\x04\0\0\x50\0\0\0\1\0\0\0\2" + bytes([offset << 4]) + b"\x10\x20" + bytes(5)
    data += b"abcdefgh"
    frame = plain_udp(bytes(20))[:34]
    frame = renewed(frame[:16] + (20 + size).to_bytes(2, "big") + frame[18:23] + b"\6" + frame[24:])
    pseudo = pseudo_ipv4(frame[26:30], frame[30:34], TCP_, size)
    value = checksum(pseudo + data[:size]).to_bytes(2, "big")
    return frame + data[:16] + value + data[18:]


@cocotb.test()
async def short_tcp(dut):
    """A segment shorter than its header has no verdict; nor has one with a data offset below 5."""
    made = await bench(dut, "tcp")
    frames = [Frame(plain_tcp(size), 14, 34, TCP_, GOOD, GOOD) for size in (20, 21, 28)]
    for size in range(4, 20):
        frame = plain_tcp(size)
        for length in (34 + size, len(frame)):
            frames.append(Frame(frame[:length], 14, 34, TCP_, GOOD, 0, MALFORMED))
    for offset in range(5):
        frames.append(Frame(plain_tcp(28, offset), 14, 34, TCP_, GOOD, 0, MALFORMED))
    await made.run(frames)


def changed_protocol(frame, protocol):
    return renewed(frame[:23] + bytes([protocol]) + frame[24:])


@cocotb.test()
async def other_addresses(dut):
    """A wrong sum is no verdict where an option or a routing header can replace an address; a
    right one is good."""
    made = await bench(dut, "routed")
    frames = []
    for six, option in ((0, 131), (0, 137), (0, 7), (1, 43), (1, 60), (1, 0)):
        whole = plain_udp(b"load", bool(six))
        for damage in (0, 1):
            if six:
                body = {43: b"\0\0\1", 60: b"\0\1\xc9", 0: b"\0\1\xc9"}[option]
                extension = b"\x11" + body + bytes(4)
                data = whole[:18] + (20).to_bytes(2, "big") + bytes([option]) + whole[21:54]
                data += extension + whole[54:]
                network_end, replaces = 62, option != 0
            else:
                header = b"\x46" + whole[15:16] + (36).to_bytes(2, "big") + whole[18:24] + bytes(2)
                header += whole[26:34] + bytes([option, 3, 4, 0])
                header = header[:10] + checksum(header).to_bytes(2, "big") + header[12:]
                data = whole[:14] + header + whole[34:]
                network_end, replaces = 38, option != 7
            data = data[:-1] + bytes([data[-1] ^ damage])
            verdict = GOOD if not damage else NO_VERDICT if replaces else BAD
            status = ROUTED if damage and replaces else 0
            ipv4 = 0 if six else GOOD
            frames.append(Frame(data, 14, network_end, UDP_, ipv4, verdict, status))
    await made.run(frames)


@cocotb.test()
async def udp_0000(dut):
    """0x0000 is no checksum over IPv4, and a bad one over IPv6; 0xFFFF is one like any other."""
    made = await bench(dut, "zero")
    frames = []
    for six in (False, True):
        at = 54 if six else 34
        whole = plain_udp(b"abcd", six)
        for load in (b"\0\0", b"\0\1", b"\xff\xff"):
            frames.append(Frame(plain_udp(load, six), 14, at, UDP_, 0 if six else GOOD, GOOD))
        verdict = BAD if six else ABSENT
        none = whole[: at + 6] + bytes(2) + whole[at + 8 :]
        frames.append(Frame(none, 14, at, UDP_, 0 if six else GOOD, verdict))
        # A payload with which the computed checksum is 0x0000, sent as 0xFFFF.
        value = int.from_bytes(whole[at + 6 : at + 8], "big")
        load = fold(int.from_bytes(b"ab", "big") + value).to_bytes(2, "big") + b"cd"
        zero = plain_udp(load, six)
        assert zero[at + 6 : at + 8] == b"\xff\xff"
        frames.append(Frame(zero, 14, at, UDP_, 0 if six else GOOD, GOOD))
    await made.run(frames)


@cocotb.test()
async def deep_headers(dut):
    """Headers longer than what is read have a status, and no verdict."""
    made = await bench(dut, "deep")
    whole = plain_udp(b"payload", True)
    frames = []
    for options in range(0, 2 * HEADER_BYTES, 8):
        extension = bytes([UDP_, options // 8]) + bytes(options + 6)
        data = whole[:18] + (8 + options + 15).to_bytes(2, "big") + b"\0" + whole[21:54]
        data += extension + whole[54:]
        upper = 54 + len(extension)
        fits = upper + 8 <= HEADER_BYTES - 2
        frames.append(
            Frame(
                data,
                14,
                upper if fits else None,
                UDP_ if fits else None,
                0,
                GOOD if fits else NO_VERDICT,
                0 if fits else DEEP,
            )
        )
    await made.run(frames)


@cocotb.test()
async def no_dead_cycle(dut):
    """Frames of one beat, then whole ones, come without a dead cycle."""
    made = await bench(dut, "rate")
    size = made.size
    frames = [Frame(made.rng.randbytes(size), None, None, None, None, None) for _ in range(150)]
    for frame in frames:
        frame.wanted["status"] = None
    frames += [random_frame(made.rng, 60) for _ in range(40)]
    await made.run(frames)
    beats = made.source.taken
    assert beats == list(range(beats[0], beats[0] + len(beats))), "a dead cycle"
    results = made.sink.taken[:150]
    assert results == list(range(results[0], results[0] + 150)), "a dead cycle of results"


@cocotb.test()
async def results_wait(dut):
    """A receiver that takes nothing stops the input; then each result comes."""
    made = await bench(dut, "wait")
    made.sink.paused = True
    frames = [random_frame(made.rng, 10) for _ in range(90)]
    for frame in frames:
        made.send(frame)
    await edges(dut, 90 * max(1, 140 // made.size) + 300)
    assert dut.s_axis_tready.value == 0 and made.source.queue
    made.sink.paused = False
    for frame in frames:
        frame.check(await made.sink.take())
    await edges(dut, 80)
    assert not made.sink.beats, "a result without a frame"


@cocotb.test()
async def resets(dut):
    """A reset leaves no sum, no header and no status behind."""
    made = await bench(dut, "resets")
    for number in range(rounds(40)):
        made.pause(0, 0.8 if number % 2 else 0)
        for _ in range(6):
            made.send(random_frame(made.rng, 100))
        await edges(dut, made.rng.randrange(1, 90))
        made.source.queue.clear()
        dut.rst.value = 1
        await edges(dut, made.rng.randrange(1, 5))
        assert dut.m_result_valid.value == 0 and dut.s_axis_tready.value == 0
        dut.rst.value = 0
        made.sink.beats.clear()
        made.pause(0, 0)
        await made.run([Frame(plain_udp(b"odd"), 14, 34, UDP_, GOOD, GOOD)])
    for cycles in range(1, 60, 1 if rounds(4) == 4 else 5):
        made.send(Frame(plain_udp(b"x", flags=b"\x20\0")))
        await edges(dut, cycles)
        made.source.queue.clear()
        dut.rst.value = 1
        await edges(dut)
        dut.rst.value = 0
        made.sink.beats.clear()
        await made.run([Frame(plain_udp(b"right"), 14, 34, UDP_, GOOD, GOOD)])


@cocotb.test()
async def long_frames(dut):
    """A packet of the greatest length, in a frame that is longer than 65535 bytes."""
    made = await bench(dut, "long")
    frames = []
    most = 65507 if made.width >= 256 else 3000  # beats cost time
    for length, behind in ((most, 0), (most, 500), (1500, 3)):
        data = plain_udp(b"\xff" * length) + bytes(behind)
        frames.append(Frame(data, 14, 34, UDP_, GOOD, GOOD))
    frames.append(Frame(frames[2].data[:-5], 14, 34, UDP_, GOOD, 0, TRUNCATED))
    await made.run(frames)


LATENCY = {64: 28}  # cycles after the last beat, by width


@cocotb.test()
async def latency(dut):
    """The latency of README.md, of a UDP packet over IPv4, short or long, at 64 bits."""
    made = await bench(dut, "latency")
    for size in (18, 1000):
        ip = IP(src="192.0.2.2", dst="192.0.2.1")
        packet = bytes(LINK / ip / UDP() / Raw(bytes(size)))
        frame = Frame(packet, None, None, None, None, None)
        frame.wanted["status"] = None
        await made.run([frame])
        waited = made.sink.taken[-1] - made.source.taken[-1]
        assert waited == LATENCY.get(made.width, waited), (size, waited)
