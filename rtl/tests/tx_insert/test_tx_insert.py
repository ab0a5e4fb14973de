# SPDX-License-Identifier: MIT OR Apache-2.0
"""Inserted checksums, against the specification and against scapy."""

from collections import deque

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds, sum16
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw
from specification import (
    finish_vectors,
    fold,
    pseudo_ipv4,
    pseudo_ipv6,
    segment_vectors,
    udp_field,
)
from streams import PATTERNS, Sink, Source, along, lanes, pauses

BEATS, ABORT_LONG = PARAMETERS["BEATS"], PARAMETERS.get("ABORT_LONG", 0)
ABORTED, WROTE_A, WROTE_B, LONG, SPARSE = 1, 2, 4, 8, 16
TO_THE_END = 0xFFFF
LINK = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")


class Job:
    """One checksum of a command. `stop` is only for b."""

    def __init__(self, start, offset, init=0, zero=0, stop=TO_THE_END, enable=1):
        self.start, self.offset, self.init, self.zero = start, offset, init, zero
        self.stop, self.enable = stop, enable

    def insert(self, data):
        """The data with the checksum in its field, and whether it was written."""
        at = self.start + self.offset
        if not self.enable or self.offset % 2 or at + 2 > len(data):
            return data, False
        part = data[self.start : None if self.stop == TO_THE_END else self.stop]
        field = 0xFFFF - fold(sum16(part) + self.init)
        if self.zero:
            field = udp_field(field)
        return data[:at] + field.to_bytes(2, "big") + data[at + 2 :], True


NONE = Job(0, 0, enable=0)


class Frame:
    """A frame with its command, and how it must leave."""

    def __init__(self, data, a=NONE, b=NONE, aborted=0, null=()):
        self.data, self.a, self.b, self.aborted, self.null = data, a, b, aborted, null

    def leaves(self, width):
        """The bytes and tuser."""
        beats = lanes(self.data, width, self.null)
        if len(beats) > BEATS:
            return self.data, LONG
        if self.null or beats[-1][1] == 0:
            return self.data, SPARSE
        data, wrote_a = self.a.insert(self.data)
        data, wrote_b = self.b.insert(data)
        return data, (WROTE_A if wrote_a else 0) | (WROTE_B if wrote_b else 0)

    def command(self, rng):
        """The command, with noise where it does not count."""
        found = {}
        for name, job in (("a", self.a), ("b", self.b)):
            for field in ("start", "offset", "init", "zero"):
                noise = rng.getrandbits(1 if field == "zero" else 16)
                found[f"{name}_{field}"] = getattr(job, field) if job.enable else noise
            found[f"{name}_enable"] = job.enable
        return {**found, "b_stop": self.b.stop}

    def beats(self, width, rng):
        for tdata, tkeep, tlast in lanes(self.data, width, self.null):
            tuser = self.aborted if tlast else rng.getrandbits(1)
            yield {"tdata": tdata, "tkeep": tkeep, "tlast": tlast, "tuser": tuser}


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng, self.width = dut, rng, len(dut.s_axis_tdata)
        self.size, self.patience = self.width // 8, 3000  # cycles to the next beat
        self.commands = Source(dut, "s_command_", "valid", "ready")
        self.source = Source(dut, "s_axis_")
        self.sink = Sink(dut, "m_axis_", ("tdata", "tkeep", "tlast", "tid", "tdest", "tuser"))
        self.sent = deque()  # the beats that have to leave

    def pause(self, sender, receiver):
        self.commands.pauses = pauses(self.rng, sender)
        self.source.pauses = pauses(self.rng, sender)
        self.sink.pauses = pauses(self.rng, receiver)

    def send(self, frame):
        self.commands.queue.append(frame.command(self.rng))
        self.feed(frame)

    def feed(self, frame):
        """Sends the frame without its command."""
        beats = [along(beat, self.rng) for beat in frame.beats(self.width, self.rng)]
        self.source.queue.extend(beats)
        self.sent.extend(beats)

    def clear(self):
        self.sent.clear()
        self.commands.queue.clear()
        self.source.queue.clear()
        self.sink.beats.clear()

    async def check(self, frame):
        """Takes the beats of a frame. Each must have the frame's bytes, lanes, end and status."""
        data, status = frame.leaves(self.width)
        about = (len(frame.data), vars(frame.a), vars(frame.b), frame.null, status)
        for tdata, tkeep, tlast in lanes(data, self.width, frame.null):
            got = await self.sink.take(self.patience)
            mask = sum(0xFF << 8 * k for k in range(self.size) if tkeep >> k & 1)
            assert got["tkeep"] == tkeep and got["tlast"] == tlast, (about, got)
            aborted = tlast and (frame.aborted or (ABORT_LONG and status == LONG))
            assert got["tuser"] & 31 == status | aborted, (about, got)
            sent = self.sent.popleft()
            assert got["tuser"] >> 5 == sent["tuser"] >> 1, (about, got)
            assert (got["tid"], got["tdest"]) == (sent["tid"], sent["tdest"]), (about, got)
            assert got["tdata"] & mask == tdata & mask, (about, hex(got["tdata"]), hex(tdata))

    async def run(self, frames):
        """Sends the frames, checks each, and that nothing else comes."""
        for frame in frames:
            self.send(frame)
        for frame in frames:
            await self.check(frame)
        await edges(self.dut, 40)
        assert not self.sink.beats, "a beat of no frame"


async def bench(dut, name):
    made = Bench(dut, chance(f"tx_insert {name}"))
    await begin(dut)
    return made


def random_job(rng, length, stop=False):
    start = rng.choice([rng.randrange(length), rng.randrange(length), rng.getrandbits(16)])
    offset = rng.choice([rng.randrange(max(2, length - start + 1)), rng.getrandbits(16)])
    offset &= 0xFFFF if rng.random() < 0.1 else 0xFFFE
    init = rng.choice([0, 0xFFFF, rng.getrandbits(16)])
    ends = TO_THE_END
    if stop and rng.random() < 0.5:
        ends = rng.choice([start + rng.randrange(length), rng.randrange(length), 0, 0xFFFE])
    enable = int(rng.random() < 0.85)
    return Job(start, offset, init, rng.getrandbits(1), min(ends, 0xFFFE) if ends else 0, enable)


def random_frame(rng, size, longest):
    length = rng.choice([rng.randrange(1, 3 * size + 4), size, rng.randrange(1, longest)])
    data = rng.choice([rng.randbytes(length), b"\xff" * length, bytes(length)])
    a, b = random_job(rng, length), random_job(rng, length, True)
    if rng.random() < 0.3:  # b about the field of a: one byte of it counts, or b's own meets it
        b.start = max(0, a.start + a.offset + rng.randrange(-2, 3)) & 0xFFFF
        b.offset = 2 * rng.randrange(3)
    elif rng.random() < 0.2:
        b.stop = max(0, a.start + a.offset + rng.randrange(3)) & 0xFFFF
    null = ()
    if length > 1 and rng.random() < 0.1:
        null = {rng.randrange(length - 1)}
    return Frame(data, a, b, int(rng.random() < 0.1), null)


@cocotb.test()
async def random_frames(dut):
    """Every pattern of pauses; long, sparse and aborted frames; jobs that meet or do not fit."""
    made = await bench(dut, "random")
    for chances in PATTERNS.values():
        made.pause(*chances)
        longest = (BEATS + 4) * made.size
        await made.run(
            [
                random_frame(made.rng, made.size, longest if i % 4 == 0 else 5 * made.size)
                for i in range(rounds(100))
            ]
        )


@cocotb.test()
async def every_place(dut):
    """Each field of a, and starts about it, with lengths about it: over the edge of a beat, too."""
    made = await bench(dut, "places")
    size = made.size
    data = made.rng.randbytes(3 * size + 2)
    near = (
        range(2 * size + 1)
        if size <= 8
        else sorted(
            {0, 1, 2, size // 2, *range(size - 3, size + 3), *range(2 * size - 2, 2 * size + 1)}
        )
    )
    frames = []
    for number, at in enumerate(near):
        for length in {at + 1, at + 2, at + 3, 3 * size + 2}:
            start = at - 2 * made.rng.randrange(at // 2 + 1)
            outer = made.rng.randrange(at + 1)
            b = Job(outer, 2 * made.rng.randrange(3 * size // 2))
            b.stop = [TO_THE_END, at + 1][number % 2]
            frames.append(Frame(data[:length], Job(start, at - start, 0x1234), b))
    await made.run(frames)


def segment_frame(packet, start, field, pseudo, zero=0):
    """The job for a segment whose field holds the sum of the pseudo-header, and the packet so."""
    seed = sum16(pseudo).to_bytes(2, "big")
    return packet[:field] + seed + packet[field + 2 :], Job(start, field - start, 0, zero)


FIELD = {TCP: 16, UDP: 6, ICMP: 2, ICMPv6EchoRequest: 2}


def partial(packet, layer, base):
    """Makes the checksum of a segment in the bytes partial: (bytes, job). `base` is where the
    network header lies, and layer is that header as scapy has it."""
    kind = type(layer.payload)
    if isinstance(layer, IPv6):
        start = base + 40
        end = start + layer.plen if layer.plen else len(packet)
        pseudo = pseudo_ipv6(
            packet[base + 8 : base + 24],
            packet[base + 24 : base + 40],
            packet[base + 6],
            end - start,
        )
    else:
        start = base + 20
        pseudo = pseudo_ipv4(
            packet[base + 12 : base + 16],
            packet[base + 16 : base + 20],
            packet[base + 9],
            len(packet) - start,
        )
    if kind is ICMP:
        pseudo = b""
    return segment_frame(packet, start, start + FIELD[kind], pseudo, int(kind is UDP))


@cocotb.test()
async def scapy_agrees(dut):
    """What scapy builds comes out when its checksums are asked for: a segment and the IPv4 header,
    and the two segments of a VXLAN tunnel."""
    made = await bench(dut, "scapy")
    rng, frames, wanted = made.rng, [], []
    most = min(300, BEATS * made.size - 60)
    for number in range(rounds(80)):
        load = Raw(rng.randbytes(rng.randrange(max(2, most - 74))))
        six = number % 2
        upper = [TCP(sport=rng.getrandbits(16)), UDP(), ICMPv6EchoRequest() if six else ICMP()]
        upper = upper[number // 2 % 3] / load
        network = (
            IPv6(src="2001:db8::1", dst="2001:db8::2")
            if six
            else IP(src="192.0.2.1", dst=f"198.51.100.{rng.randrange(256)}", id=rng.getrandbits(16))
        )
        link = LINK / Dot1Q(vlan=5) if number % 5 == 0 else LINK
        packet = link / network / upper
        whole = bytes(packet)
        base = 18 if number % 5 == 0 else 14
        data, a = partial(whole, packet[type(network)], base)
        b = NONE
        if not six:
            data = data[: base + 10] + bytes(2) + data[base + 12 :]
            b = Job(base, 10, stop=base + 20)
        frames.append(Frame(data, a, b))
        wanted.append(whole)
    for number in range(rounds(24)):
        if BEATS * made.size < 160:
            break
        load = Raw(rng.randbytes(rng.randrange(20)))
        inner = [IP(), IPv6()][number % 2] / [TCP(), UDP()][number // 2 % 2] / load
        outer = [IP(src="192.0.2.9"), IPv6(src="2001:db8::9")][number // 4 % 2]
        packet = LINK / outer / UDP(sport=rng.getrandbits(16)) / VXLAN(vni=7) / LINK / inner
        whole = bytes(packet)
        length = 14 + len(outer)
        at = length + 8 + 8 + 14
        data, a = partial(whole, packet[VXLAN][type(inner)], at)
        data, b = partial(data, packet[type(outer)], 14)
        frames.append(Frame(data, a, b))
        wanted.append(whole)
    for frame, whole in zip(frames, wanted, strict=True):
        assert frame.leaves(made.width)[0] == whole, (frame.data.hex(), whole.hex())
    await made.run(frames)


@cocotb.test()
async def vectors(dut):
    """The specification's vectors of CHECKSUM_PARTIAL and of segments, each as either job."""
    made = await bench(dut, "vectors")
    most, frames = BEATS * made.size, []
    for name, data, start, offset, field in finish_vectors():
        if 0 < len(data) <= most and start <= 0xFFFF and offset <= 0xFFFF:
            frame = Frame(data, Job(start, offset, zero=1))
            left, status = frame.leaves(made.width)
            at = start + offset
            if field is None:
                assert (left, status) == (data, 0), name
            else:
                assert (int.from_bytes(left[at : at + 2], "big"), status) == (field, WROTE_A), name
            frames += [frame, Frame(data, NONE, frame.a)]
    for number, (name, data, offset, seed, field) in enumerate(segment_vectors()):
        if len(data) + number % 16 <= most:
            start = number % 16
            blank = made.rng.randbytes(start) + data[:offset] + bytes(2) + data[offset + 2 :]
            udp = int(name.startswith("udp"))
            frame = Frame(blank, NONE, Job(start, offset, seed, udp))
            at = start + offset
            left = frame.leaves(made.width)[0]
            assert int.from_bytes(left[at : at + 2], "big") == field, name
            frames += [frame, Frame(blank, frame.b)]
    assert len(frames) > 30, len(frames)
    await made.run(frames)


@cocotb.test()
async def udp_0000(dut):
    """A checksum of 0x0000 becomes 0xFFFF where the command says so, and nowhere else."""
    made = await bench(dut, "zero")
    frames = []
    for zeros in range(4):
        a, b = Job(0, 2, zero=zeros & 1), Job(4, 2, zero=zeros >> 1)
        frame = Frame(b"\xff\xff\0\0\xff\xfe\0\1", Job(0, 2, 0, zeros & 1, enable=1), b)
        a.init = 0xFFFF - sum16(frame.data)  # the sum is 0xFFFF
        frame.a = a
        left, _ = frame.leaves(made.width)
        assert left[2:4] == (b"\xff\xff" if zeros & 1 else b"\0\0")
        assert left[6:8] == (b"\xff\xff" if zeros & 2 else b"\0\0")
        frames.append(frame)
    # All zeros: their checksum is 0xFFFF, with the rule and without.
    frames += [Frame(bytes(9), Job(0, 4, zero=zero), Job(0, 0, zero=zero)) for zero in (0, 1)]
    await made.run(frames)


@cocotb.test()
async def no_dead_cycle(dut):
    """Frames of one beat, each with two checksums, come and go without a dead cycle."""
    made = await bench(dut, "rate")
    size = made.size
    frames = [
        Frame(made.rng.randbytes(size), Job(0, i % size & ~1), Job(0, (i + 2) % size & ~1))
        for i in range(120)
    ]
    frames += [Frame(made.rng.randbytes(7 * size), Job(1, 2)) for _ in range(5)]
    for frame in frames:
        made.commands.queue.append(frame.command(made.rng))
    await edges(dut, 10)  # a frame's command has come before it
    for frame in frames:
        made.feed(frame)
    for frame in frames:
        await made.check(frame)
    came, left = made.source.taken, made.sink.taken
    assert came == list(range(came[0], came[0] + 155)), "a dead cycle of the input"
    assert left[:120] == list(range(left[0], left[0] + 120)), "a dead cycle of the output"
    latency = (size // 2).bit_length() - 1 + 13
    assert left[0] - came[0] == latency, left[0] - came[0]
    assert left[120] - came[126] == latency, left[120] - came[126]


@cocotb.test()
async def long_frames(dut):
    """A frame that fits to the last beat is written, one of a beat more passes. None blocks."""
    made = await bench(dut, "long")
    full, job = BEATS * made.size, Job(2, 4)
    lengths = [full, full + 1, full, 3 * full, full - 1, full + made.size, 10 * full, 2, 7]
    frames = [Frame(made.rng.randbytes(n), job, Job(1, 0)) for n in lengths]
    assert [frame.leaves(made.width)[1] & LONG for frame in frames] == [0, 8, 0, 8, 0, 8, 8, 0, 0]
    await made.run(frames)
    made.pause(0, 0.7)
    await made.run(frames[:5])
    made.pause(0.5, 0)
    await made.run(frames[::-1])


@cocotb.test()
async def nothing_is_lost(dut):
    """A receiver that takes nothing fills all memories; then each frame leaves whole."""
    made = await bench(dut, "wait")
    for length in (1, made.size, 5 * made.size + 1):
        made.sink.paused = True
        frames = [Frame(made.rng.randbytes(length), Job(i % 3, 0)) for i in range(70)]
        for frame in frames:
            made.send(frame)
        await edges(dut, 250)
        assert dut.s_axis_tready.value == 0 and dut.s_command_ready.value == 0
        made.sink.paused = False
        for frame in frames:
            await made.check(frame)
        await edges(dut, 40)
        assert not made.sink.beats


@cocotb.test()
async def missing_commands(dut):
    """A frame waits for its command, and takes no other's. Commands wait for their frames."""
    made = await bench(dut, "missing")
    frames = [Frame(made.rng.randbytes(made.size + 3), Job(i % 3, 2)) for i in range(25)]
    for frame in frames[:2]:
        made.feed(frame)
    await edges(dut, 60)
    assert not made.source.taken and not made.sink.beats, "a frame without a command"
    made.commands.queue.append(frames[0].command(made.rng))
    await edges(dut, 60)
    beats = len(lanes(frames[0].data, made.width))
    assert len(made.source.taken) == beats, "the first frame alone has a command"
    await made.check(frames[0])
    for frame in frames[1:]:
        made.commands.queue.append(frame.command(made.rng))
    await made.check(frames[1])
    await edges(dut, 60)
    assert len(made.commands.taken) == 2 + 18 and dut.s_command_ready.value == 0
    for frame in frames[2:]:
        made.feed(frame)
    for frame in frames[2:]:
        await made.check(frame)


@cocotb.test()
async def resets(dut):
    """A reset drops commands, frames, sums and statuses, wherever they are."""
    made = await bench(dut, "resets")
    size = made.size
    plain = [Frame(made.rng.randbytes(n)) for n in (1, size, 2 * size + 1)]
    for number in range(rounds(40)):
        made.pause(0, 0.8 if number % 2 else 0)
        for i in range(6):
            longest = 2 * BEATS * size if i % 3 == 1 else 4 * size
            made.send(random_frame(made.rng, size, longest))
        await edges(dut, made.rng.randrange(1, 60))
        dut.rst.value = 1
        made.commands.queue.clear()
        made.source.queue.clear()
        await edges(dut, made.rng.randrange(1, 5))
        assert dut.m_axis_tvalid.value == 0 and dut.s_axis_tready.value == 0
        assert dut.s_command_ready.value == 0
        dut.rst.value = 0
        made.clear()
        made.pause(0, 0)
        await made.run([plain[number % 3], random_frame(made.rng, size, 4 * size)])
    for cycles in range(1, 30):  # a reset of one cycle finds a frame in each stage
        made.send(Frame(b"\x12\x34", Job(0, 0), Job(0, 0), 1))
        await edges(dut, cycles)
        dut.rst.value = 1
        made.commands.queue.clear()
        made.source.queue.clear()
        await edges(dut)
        dut.rst.value = 0
        made.clear()
        await made.run([Frame(b"\x56\x78", Job(0, 0))])
