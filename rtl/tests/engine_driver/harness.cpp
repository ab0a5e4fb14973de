// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs the engine's driver (driver/wiresum_engine.c) with the engine, in a memory of its own model.
//
//   harness jobs=N [seed=S]        the driver's own rules; then random jobs, copies, errors,
//                                  resets, silent memory, laps
//   harness measure [latency=L]    cycles of jobs alone and in batches, bytes a cycle
//   harness bandwidth [latency=L]  cycles of batches of 64 jobs
//   harness calibrate [latency=L]  the lines of wiresum_engine_calibrate(), and the limits it sets
//
// Each sum is judged by the C library, over a copy of the job's bytes in a row, and each copy with
// the bytes around it. The memory checks the rules of AXI4: what stands does not change, no burst
// crosses 4 KiB or memory's end, a beat is the last one if and only if it is.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "Vwiresum_engine.h"
#include "wiresum_engine.h"
#include "wiresum_engine_calibrate.h"

static const uint64_t high = 0x5A0000000000; // the bus address of the memory
static const uint64_t size = 4 << 20;
static const uint64_t rings_at = size - (1 << 20) - (1 << 18); // behind the data
static const uint64_t targets_at = rings_at - 4096 - (1 << 19), targets_size = 1 << 19;
static const int width = DATA_WIDTH / 8;
alignas(128) static unsigned char memory[size];
static Vwiresum_engine *top;
static uint64_t cycles;
static uint64_t register_reads, register_writes, answers, first_data;
static unsigned address_bits; // what the driver reads from CAPABILITY.ADDRESS, unless 0

static struct {
    unsigned latency = 24; // from a request to its first beat, and from a write to its answer
    unsigned pause = 0;    // chance in 256 that a channel does nothing in a cycle
    bool silent = false;   // reads are not answered
    size_t most = 32;      // bursts that it takes before it has answered
} bus;

static uint64_t state = 1;
static uint32_t draw()
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return uint32_t(state >> 16);
}
static uint32_t draw(uint32_t most)
{
    return draw() % most;
}

[[noreturn]] static void fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    printf("FAIL in cycle %llu: ", (unsigned long long)cycles);
    vprintf(format, list);
    printf("\n");
    exit(1);
}

struct Burst {
    uint64_t address, due;
    unsigned beats, at;
};
struct Beat {
    unsigned char data[DATA_WIDTH / 8], strobes[DATA_WIDTH / 8];
    bool last;
};
static std::deque<Burst> reads, writes;
static std::deque<Beat> beats;
static std::deque<Burst> replies;   // `at` is the response
static std::map<uint64_t, int> bad; // the beats that answer with an error: address, response

template <typename Port> static void get(const Port &port, unsigned char *to, size_t n)
{
    memcpy(to, &port, n);
}

static int response(uint64_t address)
{
    if (address < high || address >= high + size)
        return 3;
    auto found = bad.find(address / width * width);
    return found == bad.end() ? 0 : found->second;
}

static void check(uint64_t address, unsigned count, const char *what)
{
    if (address % width || address % 4096 + uint64_t(count) * width > 4096)
        fail("%s burst of %u beats at %llx", what, count, (unsigned long long)address);
}

struct Stands {
    bool valid = false;
    std::vector<unsigned char> held;
    void see(bool is_valid, bool ready, std::vector<unsigned char> now, const char *what)
    {
        if (valid && (!is_valid || now != held))
            fail("%s changes before it is taken", what);
        valid = is_valid && !ready;
        held = std::move(now);
    }
};

template <typename... Ports> static std::vector<unsigned char> bytes(const Ports &...ports)
{
    std::vector<unsigned char> all;
    (all.insert(all.end(), (const unsigned char *)&ports, (const unsigned char *)(&ports + 1)),
     ...);
    return all;
}

static void tick()
{
    static bool r_stands, b_stands;
    static Stands ar, aw, w;
    auto pauses = [] { return bus.pause && draw(256) < bus.pause; };
    top->m_axi_arready = reads.size() < bus.most && !pauses();
    top->m_axi_awready = writes.size() < bus.most && !pauses();
    top->m_axi_wready = beats.size() < 64 && !pauses();
    bool r = !reads.empty() && reads.front().due <= cycles && !bus.silent;
    top->m_axi_rvalid = r && (r_stands || !pauses());
    if (top->m_axi_rvalid) {
        Burst &burst = reads.front();
        uint64_t at = burst.address + uint64_t(burst.at) * width;
        top->m_axi_rresp = response(at);
        top->m_axi_rlast = burst.at + 1 == burst.beats;
        unsigned char data[width];
        for (int i = 0; i < width; i++)
            data[i] = top->m_axi_rresp ? uint8_t(draw()) : memory[at - high + i];
        if (!r_stands)
            memcpy(&top->m_axi_rdata, data, width);
    }
    top->m_axi_bvalid =
        !replies.empty() && replies.front().due <= cycles && (b_stands || !pauses());
    if (top->m_axi_bvalid)
        top->m_axi_bresp = replies.front().at;
    top->clk = 0;
    top->eval();

    ar.see(top->m_axi_arvalid, top->m_axi_arready, bytes(top->m_axi_araddr, top->m_axi_arlen),
           "AR");
    aw.see(top->m_axi_awvalid, top->m_axi_awready, bytes(top->m_axi_awaddr, top->m_axi_awlen),
           "AW");
    w.see(top->m_axi_wvalid, top->m_axi_wready,
          bytes(top->m_axi_wdata, top->m_axi_wstrb, top->m_axi_wlast), "W");
    if (top->m_axi_arvalid && top->m_axi_arready) {
        unsigned count = top->m_axi_arlen + 1u;
        check(top->m_axi_araddr, count, "a read");
        reads.push_back({ top->m_axi_araddr, cycles + bus.latency, count, 0 });
    }
    r_stands = top->m_axi_rvalid && !top->m_axi_rready;
    if (top->m_axi_rvalid && top->m_axi_rready) {
        if (!first_data)
            first_data = cycles;
        if (++reads.front().at == reads.front().beats)
            reads.pop_front();
    }
    if (top->m_axi_awvalid && top->m_axi_awready) {
        check(top->m_axi_awaddr, top->m_axi_awlen + 1u, "a write");
        writes.push_back({ top->m_axi_awaddr, 0, top->m_axi_awlen + 1u, 0 });
    }
    if (top->m_axi_wvalid && top->m_axi_wready) {
        Beat beat;
        get(top->m_axi_wdata, beat.data, width);
        for (int i = 0; i < width; i++) {
            unsigned char strobes[(DATA_WIDTH + 63) / 64];
            get(top->m_axi_wstrb, strobes, sizeof strobes);
            beat.strobes[i] = strobes[i / 8] >> i % 8 & 1;
        }
        beat.last = top->m_axi_wlast;
        beats.push_back(beat);
    }
    while (!writes.empty() && !beats.empty()) {
        Burst &burst = writes.front();
        uint64_t at = burst.address + uint64_t(burst.at) * width;
        Beat &beat = beats.front();
        if (beat.last != (burst.at + 1 == burst.beats))
            fail("a last beat at the wrong place");
        int answer = response(at);
        if (!answer)
            for (int i = 0; i < width; i++)
                if (beat.strobes[i])
                    memory[at - high + i] = beat.data[i];
        burst.due = burst.due > uint64_t(answer) ? burst.due : answer;
        beats.pop_front();
        if (++burst.at == burst.beats) {
            replies.push_back({ 0, cycles + bus.latency, 0, unsigned(burst.due) });
            writes.pop_front();
        }
    }
    b_stands = top->m_axi_bvalid && !top->m_axi_bready;
    if (top->m_axi_bvalid && top->m_axi_bready) {
        replies.pop_front();
        answers++;
    }
    top->clk = 1;
    top->eval();
    cycles++;
}

static void transfer_ends(bool ended, int waited)
{
    if (!ended && waited > 1000)
        fail("the registers do not answer");
}

extern "C" void wiresum_engine_write(uintptr_t address, uint32_t value)
{
    register_writes++;
    top->s_axil_awvalid = top->s_axil_wvalid = top->s_axil_bready = 1;
    top->s_axil_awaddr = uint8_t(address);
    top->s_axil_wdata = value;
    top->s_axil_wstrb = 15;
    bool address_done = false, data_done = false;
    for (int waited = 0; !(address_done && data_done); waited++) {
        top->eval();
        bool address_now = top->s_axil_awvalid && top->s_axil_awready;
        bool data_now = top->s_axil_wvalid && top->s_axil_wready;
        tick();
        if (address_now)
            top->s_axil_awvalid = 0;
        if (data_now)
            top->s_axil_wvalid = 0;
        address_done |= address_now;
        data_done |= data_now;
        transfer_ends(false, waited);
    }
}

extern "C" uint32_t wiresum_engine_read(uintptr_t address)
{
    register_reads++;
    top->s_axil_arvalid = top->s_axil_rready = 1;
    top->s_axil_araddr = uint8_t(address);
    for (int waited = 0;; waited++) {
        top->eval();
        bool taken = top->s_axil_arready;
        tick();
        if (taken)
            break;
        transfer_ends(false, waited);
    }
    top->s_axil_arvalid = 0;
    for (int waited = 0; !top->s_axil_rvalid; waited++) {
        tick();
        transfer_ends(false, waited);
    }
    if (top->s_axil_rresp)
        fail("a register at %02x refuses a read", unsigned(address));
    uint32_t value = top->s_axil_rdata;
    tick();
    if (address_bits && address == WIRESUM_ENGINE_CAPABILITY)
        value = (value & ~uint32_t(WIRESUM_ENGINE_CAPABILITY_ADDRESS_MASK))
                | address_bits << WIRESUM_ENGINE_CAPABILITY_ADDRESS_SHIFT;
    return value;
}

extern "C" uint64_t wiresum_engine_bus_address(const void *data)
{
    return high + uint64_t((const unsigned char *)data - memory);
}

// The driver looks at a completion: time passes.
extern "C" void harness_look(void)
{
    tick();
}

// What memory has to hold where copies go to.
static std::vector<unsigned char> shadow;
static void remember(size_t at, size_t n)
{
    std::copy(memory + at, memory + at + n, shadow.begin() + long(at - targets_at));
}
static void judge_copies()
{
    for (size_t i = 0; i < targets_size; i++)
        if (memory[targets_at + i] != shadow[i])
            fail("a copy has %02x at %zx, and has to have %02x", memory[targets_at + i], i,
                 shadow[i]);
}

struct Job : wiresum_engine_job {
    std::vector<wiresum_piece> list;
    bool hit = false, hit_copy = false; // by an error of memory

    size_t bytes() const
    {
        size_t n = 0;
        for (auto &piece : list)
            n += piece.len;
        return n;
    }
    std::vector<unsigned char> row() const
    {
        std::vector<unsigned char> all;
        for (auto &piece : list)
            all.insert(all.end(), (const unsigned char *)piece.data,
                       (const unsigned char *)piece.data + piece.len);
        return all;
    }
    uint16_t expected() const
    {
        std::vector<unsigned char> all = row();
        all.insert(all.begin(), odd ? 1 : 0, 0);
        return wiresum_add(seed, wiresum_sum(all.data(), all.size()));
    }
    void judge() const
    {
        int wanted = hit        ? WIRESUM_ENGINE_READ_ERROR
                     : hit_copy ? WIRESUM_ENGINE_WRITE_ERROR
                                : WIRESUM_ENGINE_OK;
        if (status != wanted)
            fail("a job has the status %d, and has to have %d", status, wanted);
        if (!hit && sum != expected())
            fail("a sum is %04x and has to be %04x", sum, expected());
        judge_copy();
    }
    // The copy is right, or has no meaning; the bytes around it are judged for the whole batch.
    void judge_copy() const
    {
        if (!target)
            return;
        if (status == WIRESUM_ENGINE_OK) {
            std::vector<unsigned char> all = row();
            if (memcmp(target, all.data(), all.size()))
                fail("a copy is wrong");
        }
        remember(size_t((unsigned char *)target - memory), bytes());
    }
};

static const size_t data_size = rings_at - 4096;
static bool is_bad(const void *data, size_t n)
{
    size_t at = size_t((const unsigned char *)data - memory);
    for (size_t i = at / width; n && i <= (at + n - 1) / width; i++)
        if (bad.count(high + i * width))
            return true;
    return false;
}
// A place for a job's copy behind the one before, or none.
static void random_target(Job &job, size_t &at)
{
    size_t n = job.bytes();
    job.target = nullptr;
    job.hit_copy = false;
    if (draw(2))
        return;
    at += draw(300);
    if (draw(3) == 0) // about the end of a page
        at = (at + n + 4095) / 4096 * 4096 - draw(uint32_t(n + 1));
    if (at + n > targets_at + targets_size)
        return;
    job.target = memory + at;
    job.hit_copy = is_bad(job.target, n);
    at += n;
}
static void random_job(Job &job, unsigned most_pieces, unsigned longest)
{
    job.list.resize(1 + draw(most_pieces));
    for (auto &piece : job.list) {
        static const unsigned lengths[] = { 0, 1, 2, 3, 7, 8, 9, 64, 1500 };
        piece.len = draw(2) ? draw(longest) : lengths[draw(9)];
        size_t at = draw(uint32_t(targets_at - piece.len));
        if (draw(2) && piece.len) // about the end of a page
            at = 4096 * (1 + draw(uint32_t((targets_at >> 12) - 2))) - draw(uint32_t(piece.len));
        piece.data = memory + at;
    }
    job.pieces = job.list.data();
    job.count = job.list.size();
    job.seed = draw(3) ? uint16_t(draw()) : 0;
    job.odd = draw(4) == 0;
    job.status = WIRESUM_ENGINE_OK;
    job.hit = false;
    for (auto &piece : job.list)
        job.hit |= is_bad(piece.data, piece.len);
}

static wiresum_engine engine;
static wiresum_engine_job *slots[1 << 15];
static enum wiresum_engine_status init(unsigned log2)
{
    wiresum_engine_rings rings = {};
    rings.descriptors = memory + rings_at;
    rings.completions = memory + rings_at + (1 << 20);
    rings.descriptors_bus = wiresum_engine_bus_address(rings.descriptors);
    rings.completions_bus = wiresum_engine_bus_address(rings.completions);
    rings.jobs = slots;
    rings.log2 = log2;
    return wiresum_engine_init(&engine, 0, &rings);
}
static void begin(unsigned log2)
{
    enum wiresum_engine_status status = init(log2);
    if (status)
        fail("wiresum_engine_init returns %d", status);
}

static void reset_model()
{
    top->rst = 1;
    for (int i = 0; i < 4; i++)
        tick();
    top->rst = 0;
    tick();
}

static void reset_ends()
{
    bus = {};
    for (int tries = 0; wiresum_engine_reset(&engine);)
        if (++tries > 20)
            fail("a reset does not end");
}

// Time-outs with and without the reset's end, limits in any order, addresses that the bus has not.
static void rules()
{
    wiresum_piece pieces[2] = { { memory + 64, 800 }, { memory + 4096, 40 } };
    wiresum_engine_job job = {};
    job.pieces = pieces;
    job.count = 1;
    begin(4);
    for (unsigned latency : { 6000, 200000 }) { // longer than a wait; and than a reset, too
        bus.latency = latency;
        int status = latency < 10000 ? WIRESUM_ENGINE_TIME_OUT : WIRESUM_ENGINE_OWED;
        if (wiresum_engine_submit(&engine, &job, 1) != 1
            || wiresum_engine_wait(&engine, &job) != status || job.status != status)
            fail("a wait of %u cycles leaves the status %d", latency, job.status);
        if (engine.running != (status == WIRESUM_ENGINE_TIME_OUT))
            fail("an engine runs on in a reset");
        reset_ends();
        // The driver's own way: the sum and the copy are right, and it says who has the target.
        for (bool copied : { false, true }) {
            bus.latency = latency;
            wiresum_engine_job own = job;
            own.target = copied ? memory + targets_at : nullptr;
            engine.alone = engine.many = 0;
            wiresum_engine_sums(&engine, &own, 1);
            int wanted = copied && latency > 10000 ? WIRESUM_ENGINE_OWED : WIRESUM_ENGINE_OK;
            if (own.status != wanted || own.sum != wiresum_sum(memory + 64, 800)
                || (copied && memcmp(memory + targets_at, memory + 64, 800)))
                fail("after a time-out a job has the sum %04x and the status %d", own.sum,
                     own.status);
            reset_ends();
        }
    }
    // A batch of 32 has the limit MANY + (ALONE - MANY) / 32, whichever is the larger one.
    for (bool swapped : { false, true }) {
        size_t limit = swapped ? 511 - 411 / 32 : 100 + 411 / 32;
        for (size_t length : { limit - 1, limit }) {
            std::vector<wiresum_engine_job> batch(32, job);
            wiresum_piece piece = { memory + 64, length };
            for (auto &one : batch)
                one.pieces = &piece;
            begin(5);
            engine.alone = swapped ? 100 : 511;
            engine.many = swapped ? 511 : 100;
            uint64_t before = register_writes;
            wiresum_engine_sums(&engine, batch.data(), batch.size());
            if ((register_writes != before) != (length == limit))
                fail("with the limits %zu and %zu a batch of %zu bytes has the wrong way",
                     engine.alone, engine.many, length);
        }
    }
    // CAPABILITY.ADDRESS: the rings and the memory end below 2^47.
    address_bits = 46;
    if (init(4) != WIRESUM_ENGINE_INVALID || wiresum_engine_submit(&engine, &job, 1))
        fail("rings past the last address");
    address_bits = 47;
    begin(4);
    uintptr_t end = uintptr_t(memory) + uintptr_t((1ull << 47) - high);
    for (size_t length : { 1, 8, 9 }) {
        pieces[1] = { (const void *)(end - 8), length };
        job.count = 2;
        job.target = nullptr;
        if (wiresum_engine_submit(&engine, &job, 1) != (length < 9))
            fail("%zu bytes up to the last address: status %d", length, job.status);
        if (length == 9 && job.status != WIRESUM_ENGINE_INVALID)
            fail("a piece past the last address has the status %d", job.status);
        while (job.status == WIRESUM_ENGINE_PENDING)
            wiresum_engine_poll(&engine);
    }
    pieces[1] = { memory, 9 };
    job.target = (void *)(end - 800 - 8);
    if (wiresum_engine_submit(&engine, &job, 1) || job.status != WIRESUM_ENGINE_INVALID)
        fail("a copy past the last address has the status %d", job.status);
    job.target = nullptr; // the ring is as if the refused jobs had not come
    if (wiresum_engine_submit(&engine, &job, 1) != 1
        || wiresum_engine_wait(&engine, &job) != WIRESUM_ENGINE_OK)
        fail("a job behind a refused one has the status %d", job.status);
    address_bits = 0;
}

static void random_jobs(uint64_t count)
{
    uint64_t ended = 0, errors = 0, resets = 0, lost = 0, silences = 0, batches = 0, software = 0;
    uint64_t quiet = count / 4; // the last jobs: no reset, so the numbers wrap
    uint64_t copies = 0, copy_errors = 0;
    shadow.assign(memory + targets_at, memory + targets_at + targets_size);
    begin(4);
    std::vector<Job> jobs(64);
    while (ended < count) {
        bool wild = count - ended > quiet;
        if (wild && draw(40) == 0) {
            resets++;
            begin(draw(7));
        }
        bus.latency = draw(8) ? draw(40) : draw(400);
        bus.pause = draw(2) ? 0 : draw(200);
        bad.clear();
        if (draw(3) == 0)
            for (unsigned i = draw(400); i--;) {
                bad[high + draw(uint32_t(data_size)) / width * width] = 2 + draw(2);
                bad[high + targets_at + draw(10000) / width * width] = 2 + draw(2);
            }
        size_t n = 1 + draw(40);
        unsigned room = 1u << engine.rings.log2;
        size_t target = targets_at + 1;
        for (size_t i = 0; i < n; i++) {
            random_job(jobs[i], room < 5 ? room : 5, draw(20) ? 300 : 5000);
            random_target(jobs[i], target);
        }
        if (draw(30) == 0) { // the driver's own way, in one call, with software for short jobs
            std::vector<wiresum_engine_job> plain(jobs.begin(), jobs.begin() + long(n));
            engine.alone = draw(600);
            engine.many = draw(uint32_t(engine.alone) + 1);
            wiresum_engine_sums(&engine, plain.data(), n);
            for (size_t i = 0; i < n; i++)
                if (plain[i].status != WIRESUM_ENGINE_OK || plain[i].sum != jobs[i].expected())
                    fail("wiresum_engine_sums: status %d, sum %04x, expected %04x", plain[i].status,
                         plain[i].sum, jobs[i].expected());
            for (size_t i = 0; i < n; i++) {
                static_cast<wiresum_engine_job &>(jobs[i]) = plain[i];
                jobs[i].judge_copy();
            }
            size_t odd_one = draw(5000), from = draw(uint32_t(targets_at - odd_one));
            unsigned char *to = memory + targets_at + draw(uint32_t(targets_size - odd_one));
            uint16_t sum = wiresum_engine_copy(&engine, to, memory + from, odd_one);
            if (sum != wiresum_sum(memory + from, odd_one) || memcmp(to, memory + from, odd_one))
                fail("wiresum_engine_copy of %zu bytes is wrong", odd_one);
            remember(size_t(to - memory), odd_one);
            judge_copies();
            ended += n;
            software += n;
            continue;
        }
        // The driver takes an array; the judge's members stay behind.
        std::vector<wiresum_engine_job> plain(jobs.begin(), jobs.begin() + long(n));
        size_t given = 0, seen = 0;
        bool silent = wild && draw(60) == 0, dropped = false;
        bus.silent = silent;
        while (seen < n && !dropped) {
            uint64_t reads_before = register_reads, writes_before = register_writes;
            size_t taken = wiresum_engine_submit(&engine, plain.data() + given, n - given);
            if (register_reads != reads_before || register_writes - writes_before != (taken != 0))
                fail("a batch takes %llu reads and %llu writes",
                     (unsigned long long)(register_reads - reads_before),
                     (unsigned long long)(register_writes - writes_before));
            given += taken;
            batches += taken != 0;
            if (silent) {
                for (int i = 0; i < 2000; i++)
                    wiresum_engine_poll(&engine);
                if (plain[0].status != WIRESUM_ENGINE_PENDING)
                    fail("a job of silent memory ends");
                if (draw(2)) { // the time-out: a reset cannot end either, until memory answers
                    if (wiresum_engine_wait(&engine, &plain[0]) != WIRESUM_ENGINE_OWED)
                        fail("no time-out of silent memory");
                    for (size_t i = 0; i < given; i++)
                        if (plain[i].status != WIRESUM_ENGINE_OWED)
                            fail("a reset that has not ended leaves a job's memory");
                    if (wiresum_engine_submit(&engine, plain.data(), 1))
                        fail("an engine takes a job in a reset");
                    if (wiresum_engine_reset(&engine) != WIRESUM_ENGINE_TIME_OUT)
                        fail("a reset ends while memory owes data");
                    bus.silent = false;
                    if (wiresum_engine_reset(&engine))
                        fail("a reset does not end");
                    for (size_t i = 0; i < given; i++)
                        plain[i].status = WIRESUM_ENGINE_LOST;
                    dropped = true;
                }
                bus.silent = silent = false;
                silences++;
            }
            if (wild && draw(60) == 0) {
                for (unsigned i = draw(200); i--;)
                    wiresum_engine_poll(&engine);
                if (wiresum_engine_reset(&engine))
                    fail("a reset does not end");
                resets++;
                dropped = true;
            }
            uint64_t limit = cycles + 4000000;
            for (;;) {
                seen += wiresum_engine_poll(&engine);
                if (dropped || seen == given || (given < n && draw(50) == 0))
                    break;
                if (cycles > limit)
                    fail("%zu of %zu jobs end", seen, given);
            }
            if (register_reads != reads_before && !dropped)
                fail("a batch reads a register");
        }
        for (size_t i = 0; i < given; i++) {
            if (plain[i].status == WIRESUM_ENGINE_LOST) {
                if (!dropped)
                    fail("a job is lost without a reset");
                lost++;
                static_cast<wiresum_engine_job &>(jobs[i]) = plain[i];
                jobs[i].judge_copy();
                continue;
            }
            static_cast<wiresum_engine_job &>(jobs[i]) = plain[i];
            jobs[i].judge();
            errors += jobs[i].hit;
            copies += jobs[i].target && jobs[i].status == WIRESUM_ENGINE_OK;
            copy_errors += jobs[i].status == WIRESUM_ENGINE_WRITE_ERROR;
            ended++;
        }
        judge_copies();
    }
    bus = {};
    for (int i = 0; i < 500; i++)
        tick();
    if (wiresum_engine_stopped(&engine))
        fail("the engine has stopped");
    printf("%llu jobs in %llu batches, %llu with errors of memory, %llu resets, %llu jobs lost to "
           "them, %llu silences, %llu jobs by wiresum_engine_sums, %llu with copies, %llu with "
           "errors of copies, %llu cycles\n",
           (unsigned long long)ended, (unsigned long long)batches, (unsigned long long)errors,
           (unsigned long long)resets, (unsigned long long)lost, (unsigned long long)silences,
           (unsigned long long)software, (unsigned long long)copies,
           (unsigned long long)copy_errors, (unsigned long long)cycles);
    if (!errors || !resets || !lost || !software || !silences || !copies || !copy_errors)
        fail("a kind of event did not happen");
}

// The cycles from the write of TAIL, which the registers take in the first one, to the last
// completion's beat.
static uint64_t batch_cycles(size_t n, uint32_t length, unsigned offset, bool copied = false)
{
    wiresum_piece piece = { memory + offset, length };
    std::vector<wiresum_engine_job> jobs(n);
    for (auto &job : jobs) {
        job = {};
        job.pieces = &piece;
        job.count = 1;
        job.target = copied ? memory + size / 2 + 5 : nullptr;
    }
    for (int i = 0; i < 1000; i++)
        tick();
    uint64_t start = cycles;
    if (wiresum_engine_submit(&engine, jobs.data(), n) != n)
        fail("the ring is full");
    while (jobs[n - 1].status == WIRESUM_ENGINE_PENDING)
        wiresum_engine_poll(&engine);
    uint64_t took = cycles - start;
    for (auto &job : jobs)
        if (job.status || job.sum != wiresum_sum(piece.data, piece.len))
            fail("a wrong sum");
    return took;
}

static void measure()
{
    begin(6);
    static const uint32_t lengths[] = {
        1, 8, 64, 128, 256, 512, 576, 1024, 1500, 4096, 9000, 65536
    };
    for (uint32_t length : lengths)
        for (size_t n : { 1, 32 })
            for (bool copied : { false, true })
                printf("%s %zu %u %llu\n", copied ? "copy" : "job", n, length,
                       (unsigned long long)batch_cycles(n, length, 2, copied));
    for (bool copied : { false, true }) {
        uint64_t one = batch_cycles(1, 1 << 18, 2, copied),
                 two = batch_cycles(1, 1 << 19, 2, copied);
        printf("%s %.4f\n", copied ? "copy_rate" : "rate", double(1 << 18) / double(two - one));
    }
}

static void bandwidth()
{
    bus.most = 1024;
    begin(6);
    for (uint32_t length : { 64, 32768 })
        for (bool copied : { false, true }) {
            uint64_t took = batch_cycles(64, length, 2, copied);
            if (copied && memcmp(memory + size / 2 + 5, memory + 2, length))
                fail("a wrong copy");
            printf("%s %u %llu\n", copied ? "copy" : "sum", length, (unsigned long long)took);
        }
}

// The processor's clock: it is the engine's, and a look at it takes a cycle. Software takes no
// cycle of the simulation, so the linker puts this function in the place of the library's: a sum
// takes 40 cycles and half a cycle a byte.
static uint64_t in_software;
static uint64_t clock_now(void *)
{
    tick();
    return cycles + in_software;
}
extern "C" uint16_t __real_wiresum_gather(const wiresum_piece *pieces, size_t count);
extern "C" uint16_t __wrap_wiresum_gather(const wiresum_piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        in_software += 40 + pieces[i].len / 2;
    return __real_wiresum_gather(pieces, count);
}

static void calibrate()
{
    static char text[WIRESUM_ENGINE_LINES];
    wiresum_engine_calibration with = {};
    with.now = clock_now;
    with.cycles = true;
    with.clock_hz = 100000000;
    with.data = memory + 64;
    with.len = 16384; // a job of more would be given up after MAX_POLLS looks
    with.rounds = 3;
    with.machine = "the simulation";
    begin(6);
    size_t alone = engine.alone, many = engine.many;
    auto memory_as_asked = bus;
    bus.silent = true;
    if (wiresum_engine_calibrate(&engine, &with, text, sizeof text))
        fail("an engine that does not answer has a line");
    reset_ends();
    bus = memory_as_asked;
    size_t length = wiresum_engine_calibrate(&engine, &with, text, sizeof text);
    if (!length || length != strlen(text))
        fail("the lines have %zu bytes, and the text has %zu", length, strlen(text));
    printf("%slimits %zu %zu\n", text, engine.alone, engine.many);
    engine.alone = alone;
    engine.many = many;
    with.len = 1023;
    if (wiresum_engine_calibrate(&engine, &with, text, sizeof text))
        fail("a line of short jobs alone");
    with.len = 1024;
    if (wiresum_engine_calibrate(&engine, &with, text, 100) || engine.alone != alone)
        fail("a text without room, or its limits");
    bad[high + 64] = 2;
    if (wiresum_engine_calibrate(&engine, &with, text, sizeof text) || engine.many != many)
        fail("jobs with errors have a line, or a limit");
}

int main(int count, char **words)
{
    uint64_t jobs = 0;
    void (*only)() = nullptr;
    for (int i = 1; i < count; i++) {
        std::string word = words[i];
        uint64_t value = strtoull(word.substr(word.find('=') + 1).c_str(), nullptr, 0);
        if (word == "measure")
            only = measure;
        else if (word == "bandwidth")
            only = bandwidth;
        else if (word == "calibrate")
            only = calibrate;
        else if (word.rfind("jobs=", 0) == 0)
            jobs = value;
        else if (word.rfind("seed=", 0) == 0)
            state = (value + 1) * 0x9E3779B97F4A7C15;
        else if (word.rfind("latency=", 0) == 0)
            bus.latency = unsigned(value);
        else {
            printf("what is %s?\n", words[i]);
            return 2;
        }
    }
    top = new Vwiresum_engine;
    for (size_t i = 0; i < size; i++)
        memory[i] = i >> 11 & 1 ? (i >> 12 & 1 ? 0xFF : 0) : uint8_t(draw());
    reset_model();
    if (only)
        only();
    else {
        rules();
        random_jobs(jobs);
    }
    delete top;
    return 0;
}
