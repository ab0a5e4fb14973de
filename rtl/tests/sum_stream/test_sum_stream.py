# SPDX-License-Identifier: MIT OR Apache-2.0
"""The sums of frames, against the specification and against scapy."""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds, sum16, sum_vectors
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Raw
from specification import fold, pseudo_ipv4, pseudo_ipv6
from streams import PATTERNS, Bench, lanes

ONLY = PARAMETERS.get("SUM_ONLY")
ABORTED, SPARSE, LONG = 1, 2, 4


class Frame:
    """A frame, and the result that it must have."""

    def __init__(self, data, start=0, seed=0, aborted=False, null=()):
        self.data, self.start, self.seed, self.aborted, self.null = data, start, seed, aborted, null
        kept = bytes(0 if i in null else byte for i, byte in enumerate(data))
        self.sum = fold(sum16(kept[start:]) + seed)
        self.length = len(data) & 0xFFFF
        self.status = (
            (ABORTED if aborted else 0)
            | (SPARSE if null else 0)
            | (LONG if len(data) > 0xFFFF else 0)
        )

    def beats(self, width, rng):
        """The beats. tuser has noise where it does not count."""
        shapes = lanes(self.data, width, self.null)
        for number, (tdata, tkeep, tlast) in enumerate(shapes):
            start, seed = rng.getrandbits(16), rng.getrandbits(16)
            if number == 0:
                start, seed = self.start, self.seed
            abort = self.aborted if tlast else rng.getrandbits(1)
            tuser = start << 17 | seed << 1 | abort
            yield {"tdata": tdata, "tkeep": tkeep, "tlast": tlast, "tuser": tuser}

    def check(self, got):
        if ONLY:
            kept = bytes(0 if i in self.null else byte for i, byte in enumerate(self.data))
            assert got == {"sum": sum16(kept), "length": 0, "status": 0}, (kept[:80].hex(), got)
            return
        about = (len(self.data), self.data[:80].hex(), self.start, self.seed, got)
        assert got["sum"] == self.sum and got["status"] == self.status, about
        assert self.null or got["length"] == self.length, about


async def bench(dut, name):
    made = Bench(dut, chance(f"sum_stream {name}"), ("sum", "length", "status"), ONLY)
    await begin(dut)
    return made


def random_frame(rng, size, longest, sparse=False):
    length = rng.choice([rng.randrange(1, 3 * size + 2), size, 2 * size, rng.randrange(longest)])
    data = rng.choice([rng.randbytes(length), b"\xff" * length, bytes(length)])
    start = rng.choice([0, 0, rng.randrange(length + 1), rng.randrange(length + 3 * size), 65535])
    seed = rng.choice([0, 0, 0xFFFF, rng.getrandbits(16)])
    null = ()
    if sparse and length > 1 and rng.random() < 0.5:
        null = set(rng.sample(range(length - 1), min(length - 1, rng.choice([1, 1, 5]))))
    return Frame(data, start, seed, rng.random() < 0.1, null)


@cocotb.test()
async def random_frames(dut):
    """Every pattern of pauses, each start and seed, null bytes anywhere."""
    made = await bench(dut, "random")
    size = made.width // 8
    for chances in PATTERNS.values():
        made.pause(*chances)
        frames = [
            random_frame(made.rng, size, 40 * size if i % 10 == 0 else 5 * size, sparse=True)
            for i in range(rounds(100))
        ]
        await made.run(frames)


@cocotb.test()
async def every_start_and_length(dut):
    """Each start with each length about the first two beats: odd, on the beat, past the end."""
    made = await bench(dut, "starts")
    size = made.width // 8
    near = sorted({0, 1, 2, 3, size // 2, size - 1, size, size + 1, 2 * size - 1, 2 * size})
    places = range(2 * size + 2) if size <= 8 else near
    data = made.rng.randbytes(2 * size + 1)
    await made.run([Frame(data[:n], start, 0x1234) for n in places for start in places])


@cocotb.test()
async def vectors(dut):
    """The specification's vectors, behind a header of even and odd length."""
    made = await bench(dut, "vectors")
    frames = []
    chosen = list(sum_vectors(600))[:: 4 // rounds(4)]
    for number, (_, data, expected) in enumerate(chosen):
        frame = Frame(made.rng.randbytes(number % 16) + data, number % 16)
        assert frame.sum == expected
        frames.append(frame)
    assert len(frames) > 50, len(frames)
    await made.run(frames)


@cocotb.test()
async def scapy_agrees(dut):
    """scapy's checksums: a packet with them, summed with its pseudo-header, is 0xFFFF."""
    made = await bench(dut, "scapy")
    rng, frames = made.rng, []
    for number in range(rounds(80)):
        load = Raw(rng.randbytes(rng.randrange(1, 200)))
        upper = [TCP(), UDP(), ICMP()][number % 3] / load
        if number % 2 and number % 3 != 2:
            packet = bytes(IPv6(src="2001:db8::1", dst="2001:db8::2") / upper)
            start, protocol = 40, packet[6]
            seed = pseudo_ipv6(packet[8:24], packet[24:40], protocol, len(packet) - start)
        else:
            packet = bytes(IP(src="192.0.2.1", dst="192.0.2.2") / upper)
            start, protocol = 20, packet[9]
            seed = pseudo_ipv4(packet[12:16], packet[16:20], protocol, len(packet) - start)
            frames.append(Frame(packet[:20]))
            assert frames[-1].sum == 0xFFFF
        frames.append(Frame(packet, start, 0 if protocol == 1 else sum16(seed)))
        assert frames[-1].sum == 0xFFFF
    await made.run(frames)


@cocotb.test()
async def a_frame_a_beat(dut):
    """Frames of one beat, then long ones, without a dead cycle; the latency is as documented."""
    made = await bench(dut, "rate")
    size = made.width // 8
    frames = [Frame(made.rng.randbytes(made.rng.randrange(1, size + 1))) for _ in range(100)]
    frames += [Frame(made.rng.randbytes(7 * size)) for _ in range(5)]
    await made.run(frames)
    beats, results = made.source.taken, made.sink.taken
    assert beats == list(range(beats[0], beats[0] + 135)), "a dead cycle"
    assert results[:100] == list(range(results[0], results[0] + 100)), "a dead cycle of results"
    levels = (size // 2).bit_length() - 1
    latency = levels + 4
    assert results[0] - beats[0] == latency, results[0] - beats[0]
    lasts = [*range(100), *range(106, 135, 7)]
    assert [b - a for a, b in zip((beats[i] for i in lasts), results, strict=True)] == [
        latency
    ] * 105


@cocotb.test()
async def results_wait(dut):
    """A receiver that takes nothing: sixteen results and one more wait, and none is lost.

    With the sum only, all come at once.
    """
    made = await bench(dut, "wait")
    made.sink.paused = True
    frames = [Frame(made.rng.randbytes(1 + i % 2), seed=i) for i in range(60)]
    for frame in frames:
        made.send(frame)
    await edges(dut, 150)
    assert len(made.source.taken) == (60 if ONLY else 17)
    assert dut.s_axis_tready.value == (1 if ONLY else 0)
    made.sink.paused = False
    for frame in frames:
        frame.check(await made.sink.take())
    await edges(dut, 30)
    assert not made.sink.beats, "a result without a frame"


@cocotb.test()
async def resets(dut):
    """A reset in the middle of a frame, or while results wait, leaves nothing behind."""
    made = await bench(dut, "resets")
    size = made.width // 8
    for number in range(rounds(40)):
        made.pause(0, 0.8 if number % 2 else 0)
        for _ in range(6):
            made.send(random_frame(made.rng, size, 10 * size))
        await edges(dut, made.rng.randrange(1, 40))
        made.source.queue.clear()
        dut.rst.value = 1
        await edges(dut, made.rng.randrange(1, 5))
        assert dut.m_result_valid.value == 0 and dut.s_axis_tready.value == 0
        dut.rst.value = 0
        made.sink.beats.clear()
        made.pause(0, 0)
        await made.run([random_frame(made.rng, size, 4 * size) for _ in range(3)])
    for cycles in range(1, 14):  # a reset of one cycle finds a frame in each stage
        made.send(Frame(b"\x12\x34"))
        await edges(dut, cycles)
        dut.rst.value = 1
        await edges(dut)
        dut.rst.value = 0
        made.sink.beats.clear()
        await made.run([Frame(b"\x56\x78")])


@cocotb.test()
async def long_frames(dut):
    """65535 bytes are exact; more have the right sum and a status; all ones wrap the loop."""
    made = await bench(dut, "long")
    lengths = [65535, 65536, 65536 + 77, 140001]
    if made.width < 512:  # beats cost time
        lengths = lengths[:2] if made.width == 64 and rounds(4) == 4 else []
    frames = [Frame(b"\xff" * n, start=n % 2) for n in lengths]
    frames += [Frame(made.rng.randbytes(n), start=3) for n in lengths[:2]]
    await made.run([*frames, Frame(b"\x01\x02\x03")])
