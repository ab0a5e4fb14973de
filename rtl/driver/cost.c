/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the laboratory traces to know the driver's own cycles (evidence/lab/tcoe/limits.py): a batch
 * of jobs of one piece each is handed to an engine whose completions are there at once. The PowerPC
 * 405 writes back its cache for the engine, line by line, and drops a completion's line.
 */
#include <stddef.h>
#include <stdint.h>

enum { LINE = 32, PLACES = 64 };

static void each_line(const void *data, size_t n)
{
    uintptr_t line = (uintptr_t)data & ~(uintptr_t)(LINE - 1);
    for (; line < (uintptr_t)data + n; line += LINE)
        __asm__ volatile("dcbst 0,%0" ::"r"(line) : "memory");
}
#define WIRESUM_ENGINE_FLUSH(data, n)      each_line(data, n)
#define WIRESUM_ENGINE_INVALIDATE(data, n) each_line(data, n) /* a dcbi is as long */
#include "wiresum_engine.c"

static struct wiresum_engine engine;
static struct wiresum_engine_job jobs[PLACES], *slots[PLACES];
static struct wiresum_piece piece;
static _Alignas(128) unsigned char descriptors[PLACES * WIRESUM_ENGINE_DESCRIPTOR];
static _Alignas(128) struct completion completions[PLACES];

void prepare(uintptr_t registers, const void *data, size_t n);
size_t batch(size_t n);

void prepare(uintptr_t registers, const void *data, size_t n)
{
    piece.data = data;
    piece.len = n;
    engine.registers = registers;
    engine.rings.descriptors = descriptors;
    engine.rings.completions = completions;
    engine.rings.jobs = slots;
    engine.rings.log2 = 6;
    engine.running = true;
    engine.tail = engine.head = engine.asked = engine.ended = 0;
    for (size_t i = 0; i < PLACES; i++) {
        completions[i].status = little16(1);
        jobs[i].pieces = &piece;
        jobs[i].count = 1;
    }
}

/* Returns how many of n jobs have ended: all. */
size_t batch(size_t n)
{
    wiresum_engine_submit(&engine, jobs, n);
    return wiresum_engine_poll(&engine);
}
