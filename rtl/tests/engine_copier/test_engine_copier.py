# SPDX-License-Identifier: MIT OR Apache-2.0
"""Copies at any offsets: bursts and strobes against a plan by the definition, bytes by an image."""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds
from cocotb.triggers import RisingEdge, Timer
from streams import PATTERNS, Sink, pauses

SIZE = PARAMETERS.get("DATA_WIDTH", 64) // 8
BLOCK = PARAMETERS.get("BURST_BYTES", 512)
PLACES = PARAMETERS.get("PLACES", 512)


class Piece:
    """Bytes at a source lane, which go to a target; or a null piece."""

    def __init__(self, lane, target, data, last=True, null=False):
        self.lane, self.target, self.data, self.last, self.null = lane, target, data, last, null

    def bursts(self):
        """[(address, beats, whether it is the job's last one)]: one for each block it touches."""
        found, end = [], self.target + len(self.data)
        for base in range(self.target // BLOCK * BLOCK, end, BLOCK):
            first = max(base, self.target) // SIZE
            last = (min(base + BLOCK, end) - 1) // SIZE
            found.append((first * SIZE, last - first + 1, False))
        return [*found[:-1], (*found[-1][:2], self.last)]


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.bursts = Sink(dut, "m_burst_", ("null", "last", "address", "length"), "valid", "ready")
        self.ready, self.pause, self.pieces, self.beats = 0, None, [], []
        self.taken, self.held, self.waits = [], 0, 0
        cocotb.start_soon(self._pieces())
        cocotb.start_soon(self._beats())
        cocotb.start_soon(self._take())

    async def _pieces(self):
        """The commands go before their beats, as the reader's do."""
        while True:
            push = bool(self.pieces) and self.dut.s_piece_ready.value == 1
            self.dut.s_piece_valid.value = int(push)
            if push:
                piece = self.pieces.pop(0)
                for name, value in (
                    ("null", int(piece.null)),
                    ("last", int(piece.last)),
                    ("begin", piece.lane),
                    ("target", piece.target),
                    ("length", len(piece.data)),
                ):
                    getattr(self.dut, f"s_piece_{name}").value = value
                if not piece.null:
                    noise = self.rng.randbytes(2 * SIZE)
                    row = noise[: piece.lane] + piece.data
                    row += noise[: -len(row) % SIZE]
                    turn = (piece.target - piece.lane) % SIZE
                    self.beats += [
                        (int.from_bytes(row[at : at + SIZE], "little"), turn)
                        for at in range(0, len(row), SIZE)
                    ]
            await RisingEdge(self.dut.clk)
            await Timer(1, "ns")

    async def _beats(self):
        """A beat comes only while the copier has a place for it."""
        while True:
            paused = self.pause is not None and next(self.pause)
            come = bool(self.beats) and self.held < PLACES and not paused
            self.dut.s_beat_valid.value = int(come)
            if come:
                data, turn = self.beats.pop(0)
                self.dut.s_beat_data.value = data
                self.dut.s_beat_turn.value = turn
            await RisingEdge(self.dut.clk)
            self.held += come - int(self.dut.freed.value == 1)
            assert 0 <= self.held <= PLACES
            await Timer(1, "ns")

    async def _take(self):
        """Takes beats behind their bursts, as the writer does; none of them waits for a read."""
        while True:
            paused = self.pause is not None and next(self.pause)
            self.dut.m_beat_ready.value = int(not paused)
            await RisingEdge(self.dut.clk)
            if self.dut.m_beat_valid.value == 1 and not paused:
                self.taken.append(
                    tuple(
                        int(getattr(self.dut, f"m_beat_{name}").value)
                        for name in ("data", "strobes", "last")
                    )
                )
            await Timer(1, "ns")

    async def run(self, pieces):
        self.pieces += pieces
        for piece in pieces:
            for address, count, last in [(0, 0, True)] if piece.null else piece.bursts():
                burst = await self.bursts.take()
                assert burst["last"] == last and burst["null"] == piece.null, burst
                if piece.null:
                    continue
                about = (piece.lane, hex(piece.target), len(piece.data), burst)
                assert (burst["address"], burst["length"] + 1) == (address, count), about
                assert burst["address"] % 4096 + count * SIZE <= 4096, about
                self.bursts.paused = True  # the next burst begins behind this one's beats
                waited = 0
                while len(self.taken) < count:
                    await edges(self.dut)
                    waited += 1
                    assert waited < 4000, about
                if self.pause is None:
                    assert waited <= count + 6, (about, waited)
                self.bursts.paused = False
                for number, (data, strobes, at_end) in enumerate(self.taken):
                    assert at_end == (number == count - 1), about
                    for lane in range(SIZE):
                        at = address + number * SIZE + lane - piece.target
                        wanted = 0 <= at < len(piece.data)
                        assert (strobes >> lane & 1) == wanted, (about, number, lane)
                        if wanted:
                            assert data >> 8 * lane & 0xFF == piece.data[at], (about, number, lane)
                self.taken.clear()
        await edges(self.dut, 20)
        assert not self.bursts.beats and not self.taken and self.held == 0


async def bench(dut, name):
    made = Bench(dut, chance(f"engine_copier {name}"))
    await begin(dut, s_piece_valid=0, s_beat_valid=0, m_beat_ready=0)
    return made


def piece(rng, longest):
    if rng.random() < 0.1:
        return Piece(0, 0, b"", null=True)
    length = rng.choice([1, 2, SIZE, rng.randrange(1, 3 * SIZE), rng.randrange(1, longest)])
    before = rng.randrange(2, 1000) * 4096 - rng.randrange(length + 1)
    target = rng.choice([rng.getrandbits(40), before])
    return Piece(rng.randrange(SIZE), target, rng.randbytes(length), rng.random() < 0.5)


@cocotb.test()
async def random_pieces(dut):
    """Every pattern of pauses, pieces about 4 KiB boundaries, null pieces."""
    made = await bench(dut, "random")
    for sender, receiver in PATTERNS.values():
        made.pause = pauses(made.rng, max(sender, receiver)) if sender or receiver else None
        await made.run([piece(made.rng, 6 * BLOCK) for _ in range(rounds(80))])


@cocotb.test()
async def every_lane(dut):
    """Each lane of the source with each lane of the target, and lengths about a beat's."""
    made = await bench(dut, "lanes")
    lanes = range(SIZE) if SIZE <= 8 else (0, 1, SIZE // 2, SIZE - 1)
    lengths = (1, 2, SIZE - 1, SIZE, SIZE + 1, 2 * SIZE, 2 * SIZE + 1)
    for source in lanes:
        await made.run(
            [
                Piece(source, 4096 - SIZE + target, made.rng.randbytes(length))
                for target in lanes
                for length in lengths
            ]
        )


@cocotb.test()
async def resets(dut):
    """A reset drops all that waits; what comes after is right."""
    made = await bench(dut, "resets")
    for _ in range(rounds(24)):
        made.pieces += [piece(made.rng, 3 * BLOCK) for _ in range(3)]
        await edges(dut, made.rng.randrange(1, 60))
        made.pieces.clear()
        made.beats.clear()
        dut.rst.value = 1
        await edges(dut, 2)
        made.held = 0
        made.beats.clear()
        dut.rst.value = 0
        await edges(dut, 2)
        made.taken.clear()
        made.bursts.beats.clear()
        made.held = 0
        await made.run([piece(made.rng, 2 * BLOCK) for _ in range(2)])
