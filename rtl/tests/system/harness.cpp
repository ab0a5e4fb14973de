// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs the driver (driver/tcoe.c) with the engine. The driver reaches the registers through the
// model of the processor's bus.
//
//   harness IMAGE JOBS [name=value...] [print]
//
// IMAGE has the contents of memory. JOBS are triples of 32-bit little-endian numbers: offset in
// memory, number of bytes, and the specification's sum as a numeric value. The sums of the engine
// and of the driver's software routine must be this sum. The names set the inputs of
// models/system.sv; random=SEED sets those of the memory at random for each job. `print` writes one
// line a job: bytes, cycles of the engine, cycles from the driver's first access to its last,
// polls, bursts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "Vsystem.h"
#include "Vsystem___024root.h"
#include "tcoe.h"

static const uint32_t base = 0xC0000000;
static const size_t memory_size = 131072;
static unsigned char memory[memory_size];
static Vsystem *top;
static uint64_t cycles, polls;

static void tick()
{
    top->clk = 0;
    top->eval();
    top->clk = 1;
    top->eval();
    cycles++;
}

static uint32_t transfer(bool read, uint32_t address, uint32_t value)
{
    top->cmd_valid = 1;
    top->cmd_read = read;
    top->cmd_address = address;
    top->cmd_be = 15;
    top->cmd_data = value;
    tick();
    top->cmd_valid = 0;
    for (int waited = 0; !top->cmd_done; waited++) {
        if (waited > 10000) {
            printf("FAIL: the bus does not answer at %08x\n", address);
            exit(1);
        }
        tick();
    }
    if (top->cmd_error) {
        printf("FAIL: a bus error at %08x\n", address);
        exit(1);
    }
    return top->cmd_result;
}

extern "C" uint32_t tcoe_read(uintptr_t address)
{
    polls += (address & 31) == TCOE_OUTPUT;
    return transfer(true, uint32_t(address), 0);
}

extern "C" void tcoe_write(uintptr_t address, uint32_t value)
{
    transfer(false, uint32_t(address), value);
}

extern "C" uint32_t tcoe_bus_address(const void *data)
{
    return uint32_t((const unsigned char *)data - memory);
}

static uint32_t state;
static uint32_t draw()
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static uint16_t numeric(uint16_t sum)
{
    unsigned char bytes[2];
    memcpy(bytes, &sum, 2);
    return uint16_t(bytes[0] << 8 | bytes[1]);
}

int main(int count, char **words)
{
    std::map<std::string, uint32_t> knob = {
        { "latency", 24 }, { "gap", 6 },    { "refresh_every", 0 }, { "refresh_takes", 0 },
        { "ack", 0 },      { "start", 0 },  { "pause", 0 },         { "fifo", 1 },
        { "fast", 1 },     { "random", 0 }, { "seed", 1 },          { "hybrid", 0 },
        { "idle", 0 }
    };
    bool print = false;
    for (int i = 3; i < count; i++) {
        std::string word = words[i];
        size_t equals = word.find('=');
        if (word == "print") {
            print = true;
        } else if (equals != std::string::npos && knob.count(word.substr(0, equals))) {
            knob[word.substr(0, equals)] = uint32_t(strtoul(words[i] + equals + 1, nullptr, 0));
        } else {
            printf("FAIL: what is %s?\n", words[i]);
            return 2;
        }
    }

    FILE *image = count > 2 ? fopen(words[1], "rb") : nullptr,
         *jobs = image ? fopen(words[2], "rb") : nullptr;
    if (!jobs || fread(memory, 1, memory_size, image) != memory_size) {
        printf("FAIL: harness IMAGE JOBS\n");
        return 2;
    }

    top = new Vsystem;
    auto set = [&] {
        top->cfg_latency = knob["latency"];
        top->cfg_gap = knob["gap"];
        top->cfg_refresh_every = knob["refresh_every"];
        top->cfg_refresh_takes = knob["refresh_takes"];
        top->cfg_random_ack = knob["ack"];
        top->cfg_random_start = knob["start"];
        top->cfg_random_pause = knob["pause"];
        top->cfg_fifo_latency = knob["fifo"];
        top->fast = knob["fast"];
    };
    set();
    top->cfg_seed = knob["seed"];
    top->rst = 1;
    for (int i = 0; i < 4; i++)
        tick();
    top->rst = 0;
    for (int i = 0; i < 5000; i++) // longer than the engine's guard after a reset
        tick();
    for (size_t i = 0; i < memory_size / 8; i++) {
        uint64_t word = 0;
        for (int k = 0; k < 8; k++)
            word |= uint64_t(memory[8 * i + k]) << (8 * k);
        top->rootp->system__DOT__i_memory__DOT__mem[i] = word;
    }

    struct tcoe engine;
    tcoe_init(&engine, base);
    state = knob["random"];

    uint64_t done = 0, bytes = 0;
    uint32_t job[3];
    while (fread(job, 4, 3, jobs) == 3) {
        if (knob["random"]) {
            static const uint8_t masks[] = { 0, 1, 7, 31, 127, 255 };
            knob["latency"] = draw() % 60;
            knob["gap"] = 1 + draw() % 20;
            knob["refresh_every"] = draw() % 3 ? 0 : 50 + draw() % 1000;
            knob["refresh_takes"] = 1 + draw() % 30;
            knob["ack"] = masks[draw() % 6];
            knob["start"] = masks[draw() % 6];
            knob["pause"] = draw() % 2 ? 0 : draw() % 200;
            knob["fifo"] = draw() % 3;
            set();
            for (uint32_t idle = draw() % 40; idle; idle--)
                tick();
        }
        for (uint32_t idle = knob["idle"]; idle; idle--)
            tick();
        const unsigned char *data = memory + job[0];
        uint64_t begin = cycles, polled = polls, bursts = top->bursts;
        uint16_t hardware = 0;
        if (knob["hybrid"]) {
            hardware = tcoe_sum(&engine, data, job[1]);
        } else if (tcoe_status status = tcoe_run(&engine, data, job[1], &hardware)) {
            printf("FAIL: %u bytes at %u: status %d\n", job[1], job[0], status);
            return 1;
        }
        uint64_t total = cycles - begin;
        uint16_t software = tcoe_software_sum(data, job[1]);
        if (numeric(hardware) != job[2] || numeric(software) != job[2]) {
            printf(
                "FAIL: %u bytes at %u: engine %04x, driver's software %04x, specification %04x\n",
                job[1], job[0], numeric(hardware), numeric(software), job[2]);
            return 1;
        }
        if (print)
            printf("job %u %u %llu %llu %llu\n", job[1], top->engine_cycles,
                   (unsigned long long)total, (unsigned long long)(polls - polled),
                   (unsigned long long)(top->bursts - bursts));
        done++;
        bytes += job[1];
    }
    if (top->violations) {
        printf("FAIL: the engine broke rules of the memory port: %02x\n", top->violations);
        return 1;
    }
    if (engine.failures) {
        printf("FAIL: the hybrid had to do %zu jobs again in software\n", engine.failures);
        return 1;
    }
    printf("%llu jobs, %llu bytes, %llu cycles: engine = driver's software = specification\n",
           (unsigned long long)done, (unsigned long long)bytes, (unsigned long long)cycles);
    delete top;
    return done ? 0 : 1;
}
