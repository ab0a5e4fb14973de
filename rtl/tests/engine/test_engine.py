# SPDX-License-Identifier: MIT OR Apache-2.0
"""The whole engine on its buses: rings, jobs of odd pieces, copies, errors, resets, interrupts.

Memory is cocotbext-axi's, which also checks the bursts' lengths and the 4 KiB rule.
"""

import cocotb
from bench import PARAMETERS, PERIOD, begin, chance, edges, rounds, sum16, sum_vectors
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiResp, AxiSlave, MemoryRegion
from specification import fold, pseudo_ipv4
from streams import now, pauses

WIDTH = PARAMETERS.get("DATA_WIDTH", 64)
ADDRESS_BITS = PARAMETERS.get("ADDR_WIDTH", 64)
CAPABILITY, CTRL, STATUS, INTERRUPT, INTERRUPT_ENABLE = 0x08, 0x0C, 0x10, 0x14, 0x18
COALESCE, RING_LOW, JOB_ERRORS = 0x1C, 0x20, 0x44
RING_HIGH, COMPLETION_LOW, COMPLETION_HIGH, RING_SIZE, TAIL, HEAD = (
    *(0x24, 0x28, 0x2C, 0x30, 0x34),
    0x38,
)
MORE, ODD, COPY, UNKNOWN = 1, 2, 4, 8
COPIES = PARAMETERS.get("COPY_BURSTS", 8) != 0  # the engine copies
# The upper half of each address: memory is a window of 1 MiB there.
HIGH = 0xABCD_0000_0000 if ADDRESS_BITS > 40 else 0
MEMORY, RING, COMPLETIONS = 1 << 20, 0xF0000, 0xF8000
SOURCES, TARGETS = 0xA0000, 0xE0000  # the ends of the data, and of the copies behind them
SLVERR, DECERR, INVALID, COPY_SLVERR, COPY_DECERR = 2, 4, 8, 16, 32


class Window:
    """Memory for the bus: a window of the address space. Some addresses answer with an error."""

    def __init__(self):
        self.memory, self.bad = MemoryRegion(MEMORY), set()

    def place(self, address, length):
        offset = address - HIGH
        if not 0 <= offset <= MEMORY - length:
            raise ValueError(f"no memory at {address:x}")
        if any(offset <= bad < offset + length for bad in self.bad):
            raise ValueError("an error that the test wants")
        return offset

    async def read(self, address, length):
        return await self.memory.read(self.place(address, length), length)

    async def write(self, address, data):
        await self.memory.write(self.place(address, len(data)), data)


class Piece:
    def __init__(self, address, length, seed=0, flags=0, target=None):
        self.address, self.length, self.seed = address, length, seed
        self.flags, self.target = flags | (0 if target is None else COPY), target


class Engine:
    """Software: rings, doorbell, completions."""

    def __init__(self, dut, rng, size):
        self.dut, self.rng, self.size = dut, rng, size
        self.window = Window()
        self.slave = AxiSlave(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, self.window)
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.tail = self.seen = self.jobs = 0
        self.data = bytearray(rng.randbytes(0xE0000))
        for at in range(0, len(self.data), 8192):
            self.data[at : at + 700] = rng.choice([b"\xff" * 700, bytes(700)])
        self.store(0, self.data)

    def store(self, offset, data):
        self.window.memory.mem[offset : offset + len(data)] = data

    def load(self, offset, length):
        return bytes(self.window.memory.mem[offset : offset + length])

    def pause(self, chance):
        write, read = self.slave.write_if, self.slave.read_if
        for channel in (
            *(write.aw_channel, write.w_channel, write.b_channel),
            *(read.ar_channel, read.r_channel),
        ):
            if chance:
                channel.set_pause_generator(pauses(self.rng, chance))
            else:
                channel.clear_pause_generator()
                channel.pause = False

    async def write(self, register, value):
        done = await self.master.write(register, value.to_bytes(4, "little"))
        assert done.resp == AxiResp.OKAY

    async def read(self, register):
        return int.from_bytes((await self.master.read(register, 4)).data, "little")

    async def start(self, coalesce=1):
        self.store(COMPLETIONS, bytes(8 << self.size))
        self.tail = self.seen = self.jobs = 0
        for low, high, at in (
            (RING_LOW, RING_HIGH, RING),
            (COMPLETION_LOW, COMPLETION_HIGH, COMPLETIONS),
        ):
            await self.write(low, HIGH + at & 0xFFFFFFFF)
            await self.write(high, HIGH >> 32)
        await self.write(RING_SIZE, self.size)
        await self.write(COALESCE, coalesce)
        await self.write(INTERRUPT_ENABLE, 3)
        await self.write(CTRL, 1)

    async def reset(self):
        await self.write(CTRL, 2)
        for _ in range(200):
            if not await self.read(CTRL):
                return
        raise AssertionError("the reset does not end")

    def put(self, job, tag):
        """Writes a job's descriptors behind the others; the job's number."""
        for number, piece in enumerate(job):
            more = MORE if number < len(job) - 1 else 0
            place = RING + 32 * (self.tail % (1 << self.size))
            self.store(
                place,
                (HIGH + piece.address & 2**64 - 1).to_bytes(8, "little")
                + (
                    self.rng.randbytes(8)
                    if piece.target is None
                    else (HIGH + piece.target).to_bytes(8, "little")
                )
                + piece.length.to_bytes(4, "little")
                + piece.seed.to_bytes(2, "big")
                + (piece.flags | more).to_bytes(2, "little")
                + tag.to_bytes(4, "little")
                + bytes(4),
            )
            self.tail += 1
        self.jobs += 1
        return self.jobs - 1

    def copy(self, job):
        """Puts a job's copies into the image of memory."""
        for p in job:
            if p.target is not None:
                self.data[p.target : p.target + p.length] = self.data[
                    p.address : p.address + p.length
                ]

    def expected(self, job):
        odd = bool(job[0].flags & ODD)
        data = b"".join(bytes(self.data[p.address : p.address + p.length]) for p in job)
        return fold(sum16(bytes(odd) + data) + job[0].seed)

    async def completion(self, number, most=20000):
        """(sum, status without the phase, tag) of the job with that number."""
        place = COMPLETIONS + 8 * (number % (1 << self.size))
        phase = 1 - (number >> self.size & 1)
        for _ in range(most):
            got = self.load(place, 8)
            if got[2] & 1 == phase:
                return (
                    int.from_bytes(got[:2], "big"),
                    int.from_bytes(got[2:4], "little") & ~1,
                    int.from_bytes(got[4:], "little"),
                )
            await edges(self.dut)
        raise AssertionError(f"no completion of {number}")

    async def run(self, jobs):
        """Hands jobs to the engine, as many as the ring has places for, and checks the sums."""
        waiting = []
        jobs = list(enumerate(jobs))
        while jobs or waiting:
            rang = False
            while jobs and self.tail - self.seen + len(jobs[0][1]) <= 1 << self.size:
                tag, job = jobs.pop(0)
                waiting.append((self.put(job, tag), job, tag))
                rang = True
                if self.rng.random() < 0.2:
                    break
            if rang:
                await self.write(TAIL, self.tail & 0xFFFF)
            number, job, tag = waiting.pop(0)
            got = await self.completion(number)
            known = MORE | ODD | (COPY if COPIES else 0)
            bad = [p for p in job if p.flags & ~known]
            total = self.expected(job) if not bad else got[0]
            assert got == (total, INVALID if bad else 0, tag), (got, total, [vars(p) for p in job])
            self.copy([p for p in job if p not in bad])
            for p in job:  # the copy is there when the completion is, with the bytes around it
                if p.target is not None:
                    first, end = p.target - 256, p.target + p.length + 256
                    assert self.load(first, end - first) == self.data[first:end], vars(p)
            self.seen += len(job)


async def engine(dut, name, size=4):
    await begin(dut)
    made = Engine(dut, chance(f"engine {name}"), size)
    await edges(dut, 4)
    await made.start()
    return made


def random_place(rng, length, begin, end):
    """Anywhere, or about the end of 4 KiB."""
    page = rng.randrange((begin >> 12) + 1, end >> 12) * 4096
    return rng.choice([rng.randrange(begin, end - length), page - rng.randrange(length + 1)])


def random_piece(rng, longest):
    length = rng.choice([0, 1, 2, 3, rng.randrange(200), rng.randrange(longest)])
    return Piece(random_place(rng, length, 0, SOURCES), length)


def random_job(rng, longest=1500):
    job = [random_piece(rng, longest) for _ in range(rng.choice([1, 1, 1, 2, 3, 5]))]
    job[0].seed = rng.choice([0, 0xFFFF, rng.getrandbits(16)])
    job[0].flags = rng.choice([0, 0, ODD])
    if rng.random() < 0.05:
        job[-1].flags |= rng.choice([UNKNOWN, 16, 0x8000])
    return job


class Targets:
    """Places for copies, which do not overlap with those of the jobs before that may still run."""

    def __init__(self, rng):
        self.rng, self.at = rng, SOURCES + 512

    def place(self, length):
        at = self.at + self.rng.randrange(600)
        if self.rng.random() < 0.4:  # about the end of 4 KiB
            at = (at + length + 4095) // 4096 * 4096 - self.rng.randrange(length + 1)
        if at + length + 512 > TARGETS:
            self.at = SOURCES + 512
            return self.place(length)
        self.at = at + length + 256
        return at


def random_copies(rng, targets, longest=1500):
    """A job of which some pieces are copied."""
    job = random_job(rng, longest)
    every = rng.random() < 0.7
    for piece in job:
        if every or rng.random() < 0.5:
            piece.target, piece.flags = targets.place(piece.length), piece.flags | COPY
    return job


@cocotb.test()
async def random_jobs(dut):
    """Odd pieces anywhere, seeds, unknown flags, many laps of the ring; then the bus pauses."""
    made = await engine(dut, "random")
    for chance_of_pause in (0, 0.4):
        made.pause(chance_of_pause)
        await made.run([random_job(made.rng, 500) for _ in range(rounds(160))])
    await edges(dut, 100)
    assert await made.read(STATUS) == 0
    assert await made.read(HEAD) == made.tail & 0xFFFF


@cocotb.test(skip=not COPIES)
async def copies(dut):
    """Random offsets of source and target, pieces copied and not, and the bus pauses."""
    made = await engine(dut, "copies")
    assert await made.read(CAPABILITY) >> 15 & 1
    targets = Targets(made.rng)
    for chance_of_pause in (0, 0.4):
        made.pause(chance_of_pause)
        await made.run([random_copies(made.rng, targets, 600) for _ in range(rounds(100))])
    made.pause(0.1)
    await made.run([random_copies(made.rng, targets, 9000) for _ in range(rounds(12))])
    await edges(dut, 100)
    assert await made.read(STATUS) == 0


@cocotb.test(skip=not COPIES)
async def every_offset_of_a_copy(dut):
    """Each lane of the source with each lane of the target, and lengths about a beat's."""
    made = await engine(dut, "offsets")
    size = WIDTH // 8
    lanes = (
        range(size)
        if size <= 8
        else sorted({0, 1, size // 2, size - 1, *made.rng.sample(range(size), 3)})
    )
    lengths = [1, 2, size - 1, size, size + 1, 2 * size + 3]
    jobs, at = [], SOURCES + 1024
    for source in lanes:
        for target in lanes:
            for length in lengths if not rounds(1) else made.rng.sample(lengths, 2):
                jobs.append([Piece(4096 - size + source, length, target=at + target)])
                at = SOURCES + 1024 + (at + 512 - SOURCES) % (TARGETS - SOURCES - 4096)
    await made.run(jobs)


@cocotb.test(skip=not COPIES)
async def errors_of_copies(dut):
    """An answer with an error counts for the job whose copy it hits; the sum is right."""
    made = await engine(dut, "copy errors")
    made.window.bad = {0xB0005, 0x3003}
    jobs = [
        [Piece(0x4001, 64, target=0xA8000)],
        [Piece(0x5000, 100, target=0xB0000 - 40), Piece(0x6000, 3)],
        [Piece(0x5040, 64, target=0xB4003), Piece(0x5040, 9, target=0xC0000)],
        [Piece(0x2FFF, 64, target=0xB8003)],
        [Piece(0x7000, 5, target=0xB0001)],
        [Piece(0x7000, 64)],
    ]
    numbers = [made.put(job, tag) for tag, job in enumerate(jobs)]
    await made.write(TAIL, made.tail)
    got = [await made.completion(number) for number in numbers]
    assert [status for _, status, _ in got] == [0, COPY_SLVERR, 0, SLVERR, COPY_SLVERR, 0], got
    for job, (total, status, _) in zip(jobs, got, strict=True):
        assert status & SLVERR or total == made.expected(job)
    for job in (jobs[0], jobs[2]):
        made.copy(job)
        for p in job:
            assert made.load(p.target, p.length) == made.data[p.target : p.target + p.length]
    assert await made.read(JOB_ERRORS) == 3


@cocotb.test(skip=not COPIES)
async def a_copy_is_as_quick_as_a_sum(dut):
    """A beat a cycle in both channels, aligned or not."""
    made = await engine(dut, "rate")
    beats, took = 40 * 512 // (WIDTH // 8), []
    for target in (None, 0xB0000, 0xB0003):
        number = made.put([Piece(0x1000, 40 * 512, target=target)], 0)
        begins = now()
        await made.write(TAIL, made.tail)
        assert (await made.completion(number))[1] == 0
        took.append(now() - begins)
    burst = PARAMETERS.get("BURST_BYTES", 512) // (WIDTH // 8)
    assert max(took[1:]) <= took[0] + burst + 30 and took[0] < beats + 60, (took, beats)


@cocotb.test()
async def vectors(dut):
    """The specification's vectors, each whole, and cut into two pieces at an odd place."""
    made = await engine(dut, "vectors")
    at, jobs = 1, []
    for name, data, expected in list(sum_vectors(60))[:: 12 // rounds(4)]:
        made.data[at : at + len(data)] = data
        jobs.append([Piece(at, len(data))])
        assert made.expected(jobs[-1]) == expected, name
        cut = len(data) // 2 | 1
        if cut < len(data):
            jobs.append([Piece(at, cut), Piece(at + cut, len(data) - cut)])
        at += len(data) + len(jobs) % 3
    made.store(0, made.data)
    assert len(jobs) > 20, len(jobs)
    await made.run(jobs)


@cocotb.test()
async def a_header_before_its_payload(dut):
    """A pseudo-header as the seed, a header and a payload elsewhere: the sum of a right segment."""
    made = await engine(dut, "header")
    for length in (1, 8, 301):
        payload = made.rng.randbytes(length)
        header = bytes.fromhex("1234 5678") + (8 + length).to_bytes(2, "big")
        seed = sum16(pseudo_ipv4(bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2]), 17, 8 + length))
        field = 0xFFFF - fold(seed + sum16(header + bytes(2) + payload))
        made.data[0x1001:0x1009] = header + field.to_bytes(2, "big")
        made.data[0x20FF : 0x20FF + length] = payload
        made.store(0, made.data)
        job = [Piece(0x1001, 8, seed), Piece(0x20FF, length)]
        assert made.expected(job) == 0xFFFF
        await made.run([job])


@cocotb.test()
async def errors_of_memory(dut):
    """An error counts for the job whose data it hits, and for no other."""
    made = await engine(dut, "errors")
    made.window.bad = {0x5005}
    jobs = [[Piece(0x4000, 64)], [Piece(0x4FF0, 64), Piece(0x6000, 3)], [Piece(0x5040, 64)]]
    numbers = [made.put(job, tag) for tag, job in enumerate(jobs)]
    await made.write(TAIL, made.tail)
    got = [await made.completion(number) for number in numbers]
    assert [status for _, status, _ in got] == [0, SLVERR, 0]
    assert got[0][0] == made.expected(jobs[0]) and got[2][0] == made.expected(jobs[2])
    assert await made.read(JOB_ERRORS) == 1


@cocotb.test()
async def errors_of_the_rings(dut):
    """No descriptor, no place for a completion, a tail too far: a status, an interrupt, a stop.

    A reset by software makes the engine whole.
    """
    made = await engine(dut, "rings")
    for bad, tail, bit in ((RING + 33, 2, 2), (COMPLETIONS + 1, 1, 4), (None, 99, 8)):
        made.window.bad = {bad} if bad else set()
        made.put([Piece(0, 8)], 0)
        made.put([Piece(0, 8)], 1)
        await made.write(TAIL, tail)
        await edges(dut, 200)
        assert await made.read(STATUS) & 14 == bit, (bad, tail)
        assert await made.read(INTERRUPT) & 2 and dut.irq.value == 1
        made.window.bad = set()
        await made.reset()
        assert await made.read(STATUS) == 0 and dut.irq.value == 0
        await made.start()
        await made.run([random_job(made.rng) for _ in range(4)])
        await made.reset()
        await made.start()


@cocotb.test()
async def an_error_is_an_event(dut):
    """INTERRUPT.ERROR is set once for an error, is taken back, and obeys its own enable bit."""
    made = await engine(dut, "event")
    await made.write(INTERRUPT_ENABLE, 1)
    await made.write(TAIL, 99)
    await edges(dut, 20)
    assert await made.read(STATUS) & 14 == 8 and await made.read(INTERRUPT) == 2
    assert dut.irq.value == 0
    await made.write(INTERRUPT_ENABLE, 2)
    await edges(dut, 2)
    assert dut.irq.value == 1
    await made.write(INTERRUPT, 2)
    await edges(dut, 20)
    assert await made.read(STATUS) & 14 == 8 and await made.read(INTERRUPT) == 0
    assert dut.irq.value == 0


@cocotb.test()
async def a_reset_waits_for_memory(dut):
    """A reset by software does not end while memory owes a beat, or the answer to a write."""
    made = await engine(dut, "owes")
    write, read = made.slave.write_if, made.slave.read_if
    for channel, asked in ((read.r_channel, "ar"), (write.b_channel, "aw")):
        channel.pause = True
        made.put([Piece(64, 64)], 0)
        await made.write(TAIL, made.tail)
        valid, ready = (getattr(dut, f"m_axi_{asked}{end}") for end in ("valid", "ready"))
        while not (valid.value == 1 and ready.value == 1):
            await edges(dut)
        await edges(dut, 60)
        await made.write(CTRL, 2)
        for _ in range(20):
            await edges(dut, 10)
            assert await made.read(CTRL) == 2, f"the reset ends without {channel}"
        channel.pause = False
        for _ in range(200):
            if not await made.read(CTRL):
                break
        assert await made.read(CTRL) == 0
        await made.start()
        await made.run([random_job(made.rng) for _ in range(2)])
        await made.reset()
        await made.start()


@cocotb.test(skip=ADDRESS_BITS == 64)
async def addresses_past_the_last_one(dut):
    """A piece or a copy that is not all below 2^ADDR_WIDTH: invalid, and no access of the bus."""
    made = await engine(dut, "addresses")
    assert await made.read(CAPABILITY) >> 8 & 127 == ADDRESS_BITS
    end = (1 << ADDRESS_BITS) - HIGH  # the first address that the bus has not
    jobs = [
        [Piece(64 + bit, 64)]
        for bit in (1 << ADDRESS_BITS, 1 << 63, (1 << 64) - (1 << ADDRESS_BITS))
    ]
    jobs += [[Piece(end - 4, 5)], [Piece(64, 64), Piece(128 + (1 << ADDRESS_BITS), 64)]]
    if COPIES:
        jobs += [[Piece(64, 64, target=0xA8000 + (1 << ADDRESS_BITS))], [Piece(64, 64, target=-8)]]
        jobs[-1][0].target = end - 63
    reads, writes = [], []

    async def watch():
        while True:
            await RisingEdge(dut.clk)
            for channel, found in (("ar", reads), ("aw", writes)):
                if getattr(dut, f"m_axi_{channel}valid").value == 1:
                    found.append(int(getattr(dut, f"m_axi_{channel}addr").value) - HIGH)

    task = cocotb.start_soon(watch())
    before = made.load(0, RING)
    for job in jobs:
        number = made.put(job, 7)
        await made.write(TAIL, made.tail)
        _, status, tag = await made.completion(number)
        assert (status, tag) == (INVALID, 7), [vars(piece) for piece in job]
    task.cancel()
    sources = {at for at in reads if at < RING}
    assert sources == set(range(64, 128, WIDTH // 8)) or sources == {64}, sources
    assert min(writes) >= COMPLETIONS and made.load(0, RING) == before
    # A target has no meaning without COPY.
    made.put([Piece(64, 64, target=1 << ADDRESS_BITS)], 8)
    at = RING + 32 * (made.tail - 1) + 22
    made.store(at, bytes(2))
    await made.write(TAIL, made.tail)
    total, status, _ = await made.completion(made.jobs - 1)
    assert status == 0 and total == made.expected([Piece(64, 64)])
    await made.reset()
    # A ring there is refused with the first doorbell.
    for register in (RING_HIGH, COMPLETION_HIGH):
        await made.start()
        await made.write(CTRL, 0)
        await made.write(register, (HIGH >> 32) + (1 << ADDRESS_BITS - 32))
        await made.write(CTRL, 1)
        reads.clear()
        made.put([Piece(0, 8)], 0)
        task = cocotb.start_soon(watch())
        await made.write(TAIL, 1)
        await edges(dut, 100)
        task.cancel()
        assert await made.read(STATUS) & 14 == 8 and not reads
        await made.reset()


@cocotb.test()
async def resets(dut):
    """A reset by software amid jobs: the bus's rules hold, and nothing of them is left behind."""
    made = await engine(dut, "resets")
    targets = Targets(made.rng)
    for number in range(rounds(24)):
        made.pause(0.5 if number % 2 else 0)
        for tag in range(6):
            put = random_copies(made.rng, targets) if COPIES else random_job(made.rng)
            made.put(put[:2], tag)
        await made.write(TAIL, made.tail)
        await edges(dut, made.rng.randrange(150))
        await made.reset()
        assert await made.read(HEAD) == 0 and await made.read(TAIL) == 0
        await edges(dut, 3)
        assert dut.m_axi_arvalid.value == 0 and dut.m_axi_awvalid.value == 0
        assert made.slave.read_if.ar_channel.empty() and made.slave.write_if.aw_channel.empty()
        await made.start()
        made.data[SOURCES:TARGETS] = made.load(SOURCES, TARGETS - SOURCES)
        await made.run([random_job(made.rng) for _ in range(2)])
        if COPIES:
            await made.run([random_copies(made.rng, targets) for _ in range(2)])


@cocotb.test()
async def requests_stand(dut):
    """A request and its data do not change until they are taken: the rule of every channel."""
    made = await engine(dut, "stand")
    made.pause(0.7)
    names = {"ar": ("addr", "len"), "aw": ("addr", "len"), "w": ("data", "strb", "last")}
    targets = Targets(made.rng)

    async def watch(channel, members):
        signals = [getattr(dut, f"m_axi_{channel}{member}") for member in members]
        valid, ready = (getattr(dut, f"m_axi_{channel}{end}") for end in ("valid", "ready"))
        stands, count = None, 0
        while True:
            await RisingEdge(dut.clk)
            value = [int(signal.value) for signal in signals] if valid.value == 1 else None
            assert stands is None or value == stands, (channel, stands, value)
            stands = value if ready.value == 0 else None
            count += stands is not None
            stood[channel] = count

    stood = {}
    for channel, members in names.items():
        cocotb.start_soon(watch(channel, members))
    for _ in range(rounds(20)):
        await made.run([random_job(made.rng, 700)])
        if COPIES:
            await made.run([random_copies(made.rng, targets, 700)])
    assert all(count > 20 for count in stood.values()), stood


@cocotb.test()
async def interrupts_and_no_reads(dut):
    """An interrupt after four completions; software reads no register in all the batch."""
    made = await engine(dut, "interrupt")
    await made.write(COALESCE, 4)
    reads = []

    async def watch():
        while True:
            await RisingEdge(dut.clk)
            reads.append(dut.s_axil_arvalid.value == 1)

    task = cocotb.start_soon(watch())
    numbers = [made.put([Piece(64 * tag, 64)], tag) for tag in range(8)]
    await made.write(TAIL, 3)
    for number in numbers[:3]:
        await made.completion(number)
    await edges(dut, 20)
    assert dut.irq.value == 0
    await made.write(TAIL, 8)
    for number in numbers:
        await made.completion(number)
    await edges(dut, 20)
    assert dut.irq.value == 1 and not any(reads)
    task.cancel()
    await made.write(INTERRUPT, 1)
    await edges(dut, 2)
    assert dut.irq.value == 0
    await made.write(COALESCE, 50 << 16 | 4)
    made.put([Piece(0, 64)], 0)
    await made.write(TAIL, 9)
    await made.completion(8)
    begin_wait = now()
    while dut.irq.value == 0:
        await edges(dut)
    assert 40 <= now() - begin_wait <= 60, PERIOD
