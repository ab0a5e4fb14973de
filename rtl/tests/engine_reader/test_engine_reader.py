# SPDX-License-Identifier: MIT OR Apache-2.0
"""The bursts, tickets and pieces of descriptors, against a plan by the definition."""

import cocotb
from bench import PARAMETERS, begin, chance, edges, rounds
from streams import PATTERNS, Sink, Source, pauses

SIZE = PARAMETERS.get("DATA_WIDTH", 64) // 8
BLOCK = PARAMETERS.get("BURST_BYTES", 512)
MORE, ODD, COPY, UNKNOWN = 1, 2, 4, 8
COPY_BEATS = 512  # places of the copier
PIECE = (
    *("empty", "invalid", "first", "last", "swap", "begin", "end", "note"),
    *("copy", "copied", "turn"),
)


def bursts(address, length):
    """One burst for each aligned block that the bytes touch: (address, beats - 1)."""
    found = []
    for base in range(address // BLOCK * BLOCK, address + length, BLOCK):
        first = max(base, address) // SIZE
        last = (min(base + BLOCK, address + length) - 1) // SIZE
        found.append((first * SIZE % 2**64, last - first))
    return found if length else []


class Bench:
    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.descriptors = Source(dut, "s_descriptor_", "valid", "ready")
        self.fetches = Source(dut, "s_fetch_", "valid", "ready")
        self.pieces = Sink(dut, "m_piece_", PIECE, "valid", "ready")
        self.bursts = Sink(dut, "m_axi_ar", ("addr", "len"), "valid", "ready")
        self.tickets, self.reserved = [], 0
        self.copies, self.held, self.frees = [], 0, True
        cocotb.start_soon(self._watch())

    async def _watch(self):
        while True:
            await cocotb.triggers.RisingEdge(self.dut.clk)
            if self.dut.m_ticket_valid.value == 1:
                assert self.dut.m_ticket_ready.value == 1
                self.tickets.append(
                    (int(self.dut.m_ticket_fetch.value), int(self.dut.m_ticket_last.value))
                )
            if self.dut.reserve.value == 1:
                assert self.dut.reserve_ready.value == 1
                self.reserved += 1
            if self.dut.m_copy_valid.value == 1:
                self.copies.append(
                    (int(self.dut.m_copy_null.value), int(self.dut.m_copy_last.value))
                )

    async def copier(self):
        """Gives places back a beat at a time; the copier has no more beats than places."""
        while True:
            frees = self.frees and self.held > 0 and self.rng.random() < 0.9
            self.dut.freed.value = int(frees)
            self.held -= frees
            await cocotb.triggers.RisingEdge(self.dut.clk)
            if self.dut.m_ticket_valid.value == 1 and self.dut.m_ticket_fetch.value == 0:
                if self.dut.active_copy.value == 1:
                    self.held += int(self.dut.beats.value) + 1
            assert self.held <= COPY_BEATS
            await cocotb.triggers.Timer(1, "ns")

    async def run(self, pieces):
        """Pieces are (address, length, flags); checks what they become, and that it is all."""
        expected, kinds, wanted, odd, inside = [], [], [], 0, False
        last_pieces, copies, copied = 0, [], False
        for number, (address, length, flags) in enumerate(pieces):
            target = self.rng.randrange(SIZE)
            self.descriptors.queue.append(
                {"source": address, "length": length, "flags": flags, "note": number}
                | {"target": target}
            )
            invalid = flags & ~(MORE | ODD | COPY) != 0
            copy = bool(flags & COPY and length and not invalid)
            copied = copy or (inside and copied)
            if copy or (copied and not flags & MORE):
                copies.append((int(not copy), 1 - (flags & MORE)))
            if not inside:
                odd = flags >> 1 & 1
            plan = [] if invalid else bursts(address, length)
            piece = {
                "empty": int(not plan),
                "invalid": int(invalid),
                "first": int(not inside),
                "last": 1 - (flags & MORE),
                "swap": address & 1 ^ odd,
                "note": number,
                "copy": int(copy),
                "copied": int(copied),
                "turn": (target - address) % SIZE,
            }
            if plan:
                piece |= {"begin": address % SIZE, "end": (address + length - 1) % SIZE}
                odd ^= length & 1
            wanted.append(piece)
            inside = bool(flags & MORE)
            last_pieces += not inside
            expected += plan
            kinds += [(0, int(i == len(plan) - 1)) for i in range(len(plan))]
        for piece in wanted:
            got = await self.pieces.take()
            assert piece == {name: got[name] for name in piece}, (piece, got)
        fetched = [b for b in self.bursts.beats if b["addr"] >> 63]
        while len(self.bursts.beats) - len(fetched) < len(expected):
            await edges(self.dut)
            fetched = [b for b in self.bursts.beats if b["addr"] >> 63]
        await edges(self.dut, 5)
        data = [(b["addr"], b["len"]) for b in self.bursts.beats if not b["addr"] >> 63]
        assert data == expected, (data, expected)
        assert all(addr % 4096 + (beats + 1) * SIZE <= 4096 for addr, beats in data)
        assert [t for t in self.tickets if not t[0]] == kinds
        assert self.reserved == last_pieces and self.copies == copies
        self.copies.clear()
        self.bursts.beats.clear()
        self.tickets.clear()
        self.reserved = 0


async def bench(dut, name):
    made = Bench(dut, chance(f"engine_reader {name}"))
    await begin(dut, stop=0, reserve_ready=1, m_ticket_ready=1, m_copy_ready=1, freed=0)
    cocotb.start_soon(made.copier())
    return made


def piece(rng):
    length = rng.choice([0, 1, 2, rng.randrange(1, 3 * SIZE), rng.randrange(1, 3 * BLOCK), BLOCK])
    before = rng.randrange(1, 64) * 4096 - rng.randrange(length + 1)
    address = rng.choice([rng.getrandbits(62), before])
    flags = rng.choice([0, 0, 0, MORE, MORE, ODD, MORE | ODD, UNKNOWN, 0x8000, MORE | 8])
    return address, length, flags | rng.choice([0, COPY])


@cocotb.test()
async def random_pieces(dut):
    """Every pattern of pauses, pieces about 4 KiB boundaries, unknown flags."""
    made = await bench(dut, "random")
    for sender, receiver in PATTERNS.values():
        made.descriptors.pauses = pauses(made.rng, sender)
        made.bursts.pauses = pauses(made.rng, receiver)
        made.pieces.pauses = pauses(made.rng, receiver)
        await made.run([piece(made.rng) for _ in range(rounds(200))] + [(5, 1, 0)])


@cocotb.test()
async def every_alignment(dut):
    """Each first and last byte of the beats about a block's end."""
    made = await bench(dut, "alignment")
    lanes = range(SIZE) if SIZE <= 8 else (0, 1, SIZE // 2, SIZE - 1)
    pieces = [
        (4096 - 2 * SIZE + first, length, MORE)
        for first in lanes
        for length in range(1, 4 * SIZE + 1, 1 if SIZE <= 8 else 7)
    ]
    await made.run([*pieces, (0, 0, 0)])


@cocotb.test()
async def the_longest_piece(dut):
    """2^32 - 1 bytes from the last byte of a block: the first and the second burst, then a stop."""
    made = await bench(dut, "longest")
    made.descriptors.queue.append(
        {"source": BLOCK - 1, "length": 0xFFFFFFFF, "flags": 0, "note": 0, "target": 0}
    )
    await edges(dut, 30)
    got = [(b["addr"], b["len"]) for b in made.bursts.beats]
    assert got[0] == (BLOCK - SIZE, 0) and len(got) > 20
    assert got[1:] == [(BLOCK * i, BLOCK // SIZE - 1) for i in range(1, len(got))]
    assert not any(last for _, last in made.tickets)


@cocotb.test()
async def a_burst_a_cycle(dut):
    """Bursts follow one another without a dead cycle, and the first one stands after two."""
    made = await bench(dut, "rate")
    made.descriptors.queue.append(
        {"source": 0, "length": 10 * BLOCK, "flags": 0, "note": 0, "target": 0}
    )
    await edges(dut, 30)
    times = made.bursts.taken
    assert len(times) == 10 and times == list(range(times[0], times[0] + 10))
    assert times[0] - made.descriptors.taken[0] == 2, times[0] - made.descriptors.taken[0]


@cocotb.test()
async def fetches_go_first(dut):
    """A descriptor's burst passes the data's, has its length, and no data burst is lost."""
    made = await bench(dut, "fetch")
    made.bursts.pauses = pauses(made.rng, 0.3)
    fetches = [1 << 63 | 32 * i for i in range(20)]
    for address in fetches:
        made.fetches.queue.append({"address": address})
    made.fetches.pauses = pauses(made.rng, 0.7)
    for i in range(30):
        made.descriptors.queue.append(
            {"source": 4096 * i, "length": BLOCK + 1, "flags": 0, "note": 0, "target": 0}
        )
    await edges(dut, 400)
    got = [(b["addr"], b["len"]) for b in made.bursts.beats]
    beats = max(32 // SIZE, 1) - 1
    assert [g for g in got if g[0] >> 63] == [(a // SIZE * SIZE, beats) for a in fetches]
    assert [a for a, _ in got if not a >> 63] == [
        a for i in range(30) for a in (4096 * i, 4096 * i + BLOCK)
    ]
    assert [fetch for fetch, _ in made.tickets] == [g[0] >> 63 for g in got]


@cocotb.test()
async def places(dut):
    """No burst without a ticket's place, no last piece without a result's, none while stopped."""
    made = await bench(dut, "places")
    dut.m_ticket_ready.value = 0
    made.descriptors.queue.append({"source": 0, "length": 8, "flags": 0, "note": 0, "target": 0})
    await edges(dut, 20)
    assert not made.bursts.beats
    dut.reserve_ready.value = 0
    dut.m_ticket_ready.value = 1
    made.descriptors.queue.append({"source": 0, "length": 8, "flags": 0, "note": 0, "target": 0})
    await edges(dut, 20)
    assert len(made.bursts.beats) == 1 and len(made.descriptors.queue) == 1
    dut.reserve_ready.value = 1
    dut.stop.value = 1
    await edges(dut, 20)
    assert len(made.bursts.beats) == 1
    dut.stop.value = 0
    await edges(dut, 20)
    assert len(made.bursts.beats) == 2


@cocotb.test()
async def a_standing_request_outlasts_a_stop(dut):
    made = await bench(dut, "stop")
    made.bursts.paused = True
    made.descriptors.queue.append(
        {"source": 64, "length": 4 * BLOCK, "flags": 0, "note": 0, "target": 0}
    )
    await edges(dut, 10)
    assert dut.m_axi_arvalid.value == 1
    dut.stop.value = 1
    await edges(dut, 10)
    assert dut.m_axi_arvalid.value == 1
    made.bursts.paused = False
    await edges(dut, 10)
    assert [b["addr"] for b in made.bursts.beats] == [64] and dut.m_axi_arvalid.value == 0


@cocotb.test()
async def a_full_copier_waits(dut):
    """While no place is given back, a copy stops before the copier overflows, and sums stop too."""
    made = await bench(dut, "full")
    made.frees = False
    length = COPY_BEATS * SIZE + 4 * BLOCK
    made.descriptors.queue.append(
        {"source": 0, "length": length, "flags": COPY, "note": 0, "target": 0}
    )
    await edges(dut, 2 * COPY_BEATS)
    beats = sum(b["len"] + 1 for b in made.bursts.beats)
    assert COPY_BEATS - BLOCK // SIZE < beats <= COPY_BEATS, beats
    made.frees = True
    await edges(dut, 3 * COPY_BEATS)
    assert sum(b["len"] + 1 for b in made.bursts.beats) == length // SIZE
