/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * An example for Linux: sums a file with the engine, from user space, by UIO.
 *
 *   uio /dev/uio0 FILE...
 *
 * The kernel's uio_dmem_genirq serves the engine: its map 0 has the registers, its map 1 coherent
 * memory for the engine. A device tree names it by `compatible`, and the module parameters
 * uio_dmem_genirq.of_id, .dynamic_region_sizes and the like say how much memory. The program prints
 * the sum of each file as `wiresum sum` prints it, so both can be compared.
 *
 * Build: cc -O2 -DWIRESUM_ENGINE_EXTERNAL_IO -I../../c/include uio.c wiresum_engine.c -lwiresum
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wiresum_engine.h"

/* Where the kernel says what the maps are. A test has a folder of its own. */
#ifndef UIO_CLASS
#  define UIO_CLASS "/sys/class/uio"
#endif

uint32_t wiresum_engine_read(uintptr_t address);
void wiresum_engine_write(uintptr_t address, uint32_t value);
uint64_t wiresum_engine_bus_address(const void *data);

enum { LOG2 = 6, RINGS = 4096, TIME_OUT_MS = 1000 };

static struct {
    volatile unsigned char *start;
    uint64_t bus;
    size_t size;
} maps[2]; /* the registers, and the memory */

uint32_t wiresum_engine_read(uintptr_t address)
{
    return *(volatile uint32_t *)(maps[0].start + address);
}

void wiresum_engine_write(uintptr_t address, uint32_t value)
{
    *(volatile uint32_t *)(maps[0].start + address) = value;
}

uint64_t wiresum_engine_bus_address(const void *data)
{
    return maps[1].bus + (uint64_t)((volatile const unsigned char *)data - maps[1].start);
}

static void die(const char *what, const char *name)
{
    fprintf(stderr, "uio: %s: %s: %s\n", name, what, strerror(errno));
    exit(1);
}

/* A number of /sys/class/uio/uioN/maps/mapM. */
static uint64_t attribute(const char *device, int map, const char *name)
{
    const char *base = strrchr(device, '/');
    char path[256];
    uint64_t value;
    FILE *file;
    snprintf(path, sizeof path, UIO_CLASS "/%s/maps/map%d/%s", base ? base + 1 : device, map, name);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%" SCNx64, &value) != 1)
        die("cannot be read as a number", path);
    fclose(file);
    return value;
}

/* Waits for the interrupt, switches it on again, and takes the completions. */
static void sleep_until_interrupt(int device, struct wiresum_engine *engine, const char *name)
{
    uint32_t count = 1;
    struct pollfd waits = { .fd = device, .events = POLLIN };
    int ready = poll(&waits, 1, TIME_OUT_MS);
    if (ready < 0)
        die("poll", name);
    if (ready > 0 && read(device, &count, sizeof count) != sizeof count)
        die("read", name);
    wiresum_engine_acknowledge(engine);
    count = 1;
    if (write(device, &count, sizeof count) != sizeof count)
        die("write", name);
    wiresum_engine_poll(engine);
}

/* The sum of a file, in pieces as large as the memory after the rings. Each piece except the last
 * is even, so the sum so far is the seed of the next one. */
static uint16_t sum_of(int device, struct wiresum_engine *engine, const char *name)
{
    unsigned char *data = (unsigned char *)maps[1].start + RINGS;
    size_t room = (maps[1].size - RINGS) & ~(size_t)1, n;
    struct wiresum_piece piece = { data, 0 };
    struct wiresum_engine_job job = { .pieces = &piece, .count = 1 };
    FILE *file = fopen(name, "rb");
    if (!file)
        die("cannot be opened", name);
    while ((n = fread(data, 1, room, file)) > 0) {
        piece.len = n;
        job.seed = job.sum;
        if (wiresum_engine_submit(engine, &job, 1) != 1) {
            fprintf(stderr, "uio: the engine takes no job\n");
            exit(1);
        }
        sleep_until_interrupt(device, engine, name);
        if (job.status == WIRESUM_ENGINE_PENDING) /* no interrupt in time, so the driver decides */
            wiresum_engine_wait(engine, &job);
        if (job.status == WIRESUM_ENGINE_OWED) { /* it may still read what comes next */
            fprintf(stderr, "uio: %s: the engine does not answer\n", name);
            exit(1);
        }
        if (job.status != WIRESUM_ENGINE_OK) {
            fprintf(stderr, "uio: %s: the engine says %d; software sums the piece\n", name,
                    job.status);
            job.sum = wiresum_engine_software_sum(&job);
        }
    }
    if (ferror(file))
        die("cannot be read", name);
    fclose(file);
    return job.sum;
}

int main(int count, char **words)
{
    static struct wiresum_engine_job *slots[1 << LOG2];
    static const size_t least[2] = { WIRESUM_ENGINE_CYCLES + 4, RINGS + 2 };
    struct wiresum_engine_rings rings = { .jobs = slots, .log2 = LOG2 };
    struct wiresum_engine engine;
    enum wiresum_engine_status status;
    int device;
    if (count < 3) {
        fprintf(stderr, "usage: uio /dev/uio0 FILE...\n");
        return 2;
    }
    device = open(words[1], O_RDWR);
    if (device < 0)
        die("cannot be opened", words[1]);
    for (int i = 0; i < 2; i++) {
        void *start;
        maps[i].bus = attribute(words[1], i, "addr");
        maps[i].size = (size_t)attribute(words[1], i, "size");
        if (maps[i].size < least[i]) {
            fprintf(stderr, "uio: %s: map %d has %zu bytes and needs %zu\n", words[1], i,
                    maps[i].size, least[i]);
            return 1;
        }
        start = mmap(0, maps[i].size, PROT_READ | PROT_WRITE, MAP_SHARED, device,
                     i * (off_t)sysconf(_SC_PAGESIZE));
        if (start == MAP_FAILED)
            die("cannot be mapped", words[1]);
        maps[i].start = start;
    }
    rings.descriptors = (void *)maps[1].start;
    rings.completions = (void *)(maps[1].start + ((size_t)WIRESUM_ENGINE_DESCRIPTOR << LOG2));
    rings.descriptors_bus = wiresum_engine_bus_address(rings.descriptors);
    rings.completions_bus = wiresum_engine_bus_address(rings.completions);
    status = wiresum_engine_init(&engine, 0, &rings);
    if (status != WIRESUM_ENGINE_OK) {
        fprintf(stderr, "uio: %s: the engine cannot be started: %d\n", words[1], status);
        return 1;
    }
    wiresum_engine_coalesce(&engine, 1, 0);
    for (int i = 2; i < count; i++)
        printf("%04X  %s\n", wiresum_value(sum_of(device, &engine, words[i])), words[i]);
    return wiresum_engine_reset(&engine) != WIRESUM_ENGINE_OK;
}
