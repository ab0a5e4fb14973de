# SPDX-License-Identifier: MIT OR Apache-2.0
"""Incremental updates, against the specification, and against scapy after address translation."""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Raw
from specification import checksum, udp_field, update, update_vectors
from streams import PATTERNS, Sink, Source, pauses

WORDS = PARAMETERS["WORDS"]
LATENCY = (WORDS - 1).bit_length() + 8


class Update:
    """A command, and the result that it must have. `was` and `now` are bytes at an offset."""

    def __init__(self, old, was, now, offset=0, udp=False, after=None):
        pad = bytes(offset % 2)
        self.was, self.now = pad + was, pad + now
        self.old, self.udp = old, udp
        self.after = after
        if after is None:
            self.after = update(old, offset, was, now)
            if udp:
                self.after = udp_field(self.after) if old else 0

    def command(self, number):
        def words(data):
            data = data.ljust(2 * WORDS, b"\0")
            assert len(data) == 2 * WORDS
            return sum(
                int.from_bytes(data[2 * i : 2 * i + 2], "big") << 16 * i for i in range(WORDS)
            )

        return {
            "checksum": self.old,
            "was": words(self.was),
            "now": words(self.now),
            "udp": int(self.udp),
            "id": number & 0xFF,
        }


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng, self.number = dut, rng, 0
        self.source = Source(dut, "s_update_", "valid", "ready")
        self.sink = Sink(dut, "m_update_", ("checksum", "id"), "valid", "ready")

    def pause(self, sender, receiver):
        self.source.pauses = pauses(self.rng, sender)
        self.sink.pauses = pauses(self.rng, receiver)

    def send(self, updates):
        """Sends the commands; returns what must come."""
        wanted = []
        for one in updates:
            self.source.queue.append(one.command(self.number))
            wanted.append((one, self.number & 0xFF))
            self.number += 1
        return wanted

    async def check(self, wanted):
        for one, number in wanted:
            got = await self.sink.take()
            about = (hex(one.old), one.was.hex(), one.now.hex(), one.udp, hex(one.after), got)
            assert got == {"checksum": one.after, "id": number}, about
        await edges(self.dut, 30)
        assert not self.sink.beats, "a result without a command"


async def bench(dut, name):
    made = Bench(dut, chance(f"update {name}"))
    await begin(dut)
    return made


def random_update(rng):
    def data(length):
        return rng.choice([rng.randbytes(length), b"\xff" * length, bytes(length)])

    length = rng.randrange(2 * WORDS + 1)
    offset = rng.randrange(2) if length < 2 * WORDS else 0
    was, now = data(length), data(length)
    if rng.random() < 0.1:
        now = was
    old = rng.choice([0, 0xFFFF, rng.getrandbits(16), rng.getrandbits(16)])
    return Update(old, was, now, offset, rng.random() < 0.5)


@cocotb.test()
async def random_updates(dut):
    """Every pattern of pauses; old checksums and words of all zeros and all ones among them."""
    made = await bench(dut, "random")
    for chances in PATTERNS.values():
        made.pause(*chances)
        await made.check(made.send(random_update(made.rng) for _ in range(rounds(400))))


@cocotb.test()
async def corners(dut):
    """The corners of -0: each pair of a few words, for each of a few checksums, with and without
    the rule of UDP. The result is also that of the changed data, summed as a whole."""
    made = await bench(dut, "corners")
    some = [0x0000, 0x0001, 0x5555, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF]
    updates = []
    for rest in (0x0000, 0x0001, 0xAAAA, 0xFFFE, 0xFFFF):
        for was in some:
            for now in some:
                sent = [word.to_bytes(2, "big") for word in (rest, was, now)]
                old, new = checksum(sent[0] + sent[1]), checksum(sent[0] + sent[2])
                one = Update(old, sent[1], sent[2])
                assert one.after == new or (rest == now == 0 != was and one.after == 0), sent
                updates.append(one)
                updates.append(Update(udp_field(old), sent[1], sent[2], udp=True))
                assert updates[-1].after == udp_field(new), sent
                updates.append(Update(0, sent[1], sent[2], udp=True))
                assert updates[-1].after == 0
    await made.check(made.send(updates))


@cocotb.test()
async def vectors(dut):
    """The specification's vectors that fit the words."""
    made = await bench(dut, "vectors")
    updates = []
    for old, offset, was, now, after, udp_after in update_vectors():
        if len(was) == len(now) and len(was) + offset % 2 <= 2 * WORDS:
            updates.append(Update(old, was, now, offset, after=after))
            updates.append(Update(old, was, now, offset, True, udp_after))
    assert len(updates) > 20, len(updates)
    await made.check(made.send(updates))


@cocotb.test()
async def scapy_agrees(dut):
    """Another address and port, a port alone where they do not fit: scapy's checksums."""
    made = await bench(dut, "scapy")
    rng, updates = made.rng, []
    for number in range(rounds(80)):
        load = Raw(rng.randbytes(rng.randrange(200)))
        kind = (TCP, UDP)[number % 2]
        ports = [rng.getrandbits(16) for _ in range(2)]
        if WORDS >= 9 and number % 4 >= 2:
            sources = [f"2001:db8::{rng.getrandbits(16):x}:{rng.getrandbits(16):x}" for _ in "12"]
            packets = [
                IPv6(src=source, dst="2001:db8::1") / kind(sport=port) / load
                for source, port in zip(sources, ports, strict=True)
            ]
            start, address, upper = 40, slice(8, 24), IPv6
        else:
            sources = [f"192.0.{rng.randrange(256)}.{rng.randrange(1, 255)}" for _ in "12"]
            if WORDS < 3:
                sources[1] = sources[0]
            packets = [
                IP(src=source, dst="198.51.100.1") / kind(sport=port) / load
                for source, port in zip(sources, ports, strict=True)
            ]
            start, address, upper = 20, slice(12, 16), IP
        was, now = (bytes(packet) for packet in packets)
        field = start + (16 if kind is TCP else 6)
        old, new = (int.from_bytes(data[field : field + 2], "big") for data in (was, now))
        if upper is IP and WORDS >= 3:
            old_ip, new_ip = (int.from_bytes(data[10:12], "big") for data in (was, now))
            updates.append(Update(old_ip, was[address], now[address], after=new_ip))
        changed = [data[start : start + 2] for data in (was, now)]
        if WORDS >= 3:
            changed = [data[address] + port for data, port in zip((was, now), changed, strict=True)]
        updates.append(Update(old, *changed, udp=kind is UDP, after=new))
    await made.check(made.send(updates))


@cocotb.test()
async def an_update_a_cycle(dut):
    """No dead cycle, and the documented latency."""
    made = await bench(dut, "rate")
    await made.check(made.send(random_update(made.rng) for _ in range(100)))
    commands, results = made.source.taken, made.sink.taken
    assert commands == list(range(commands[0], commands[0] + 100)), "a dead cycle"
    assert [b - a for a, b in zip(commands, results, strict=True)] == [LATENCY] * 100


@cocotb.test()
async def results_wait(dut):
    """A receiver that takes nothing: sixteen results and one more wait, and none is lost."""
    made = await bench(dut, "wait")
    made.sink.paused = True
    wanted = made.send(random_update(made.rng) for _ in range(60))
    await edges(dut, 150)
    assert len(made.source.taken) == 17 and dut.s_update_ready.value == 0
    made.sink.paused = False
    await made.check(wanted)


@cocotb.test()
async def resets(dut):
    """A reset while updates are under way or wait leaves nothing behind."""
    made = await bench(dut, "resets")
    for number in range(rounds(40)):
        made.pause(0, 0.8 if number % 2 else 0)
        made.send(random_update(made.rng) for _ in range(30))
        await edges(dut, made.rng.randrange(1, 40))
        made.source.queue.clear()
        dut.rst.value = 1
        await edges(dut, made.rng.randrange(1, 5))
        assert dut.m_update_valid.value == 0 and dut.s_update_ready.value == 0
        dut.rst.value = 0
        made.sink.beats.clear()
        made.pause(0, 0)
        await made.check(made.send(random_update(made.rng) for _ in range(5)))
    for cycles in range(1, 16):  # a reset of one cycle finds a command in each stage
        made.send([random_update(made.rng)])
        await edges(dut, cycles)
        dut.rst.value = 1
        await edges(dut)
        dut.rst.value = 0
        made.sink.beats.clear()
        await made.check(made.send([random_update(made.rng)]))
