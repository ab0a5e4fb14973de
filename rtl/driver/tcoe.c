/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tcoe.h"

/* Register access. A simulation defines TCOE_EXTERNAL_IO and provides these functions. */
#ifdef TCOE_EXTERNAL_IO
uint32_t tcoe_read(uintptr_t address);
void tcoe_write(uintptr_t address, uint32_t value);
uint32_t tcoe_bus_address(const void *data);
#  define TCOE_BUS_ADDRESS(data) tcoe_bus_address(data)
#else
#  if defined(__powerpc__) || defined(__PPC__)
#    define TCOE_ORDER() __asm__ volatile("eieio" ::: "memory")
#  else
#    define TCOE_ORDER() __asm__ volatile("" ::: "memory")
#  endif
static inline uint32_t tcoe_read(uintptr_t address)
{
    uint32_t value = *(volatile uint32_t *)address;
    TCOE_ORDER();
    return value;
}
static inline void tcoe_write(uintptr_t address, uint32_t value)
{
    TCOE_ORDER();
    *(volatile uint32_t *)address = value;
    TCOE_ORDER();
}
#endif

/* The data's address on the bus: the physical address. */
#ifndef TCOE_BUS_ADDRESS
#  define TCOE_BUS_ADDRESS(data) ((uint32_t)(uintptr_t)(data))
#endif

#ifndef TCOE_WRITE_BACK
#  if (defined(__powerpc__) || defined(__PPC__)) && !defined(TCOE_EXTERNAL_IO)
#    define TCOE_CACHE_LINE 32 /* PowerPC 405 */
static void tcoe_write_back(const void *data, size_t n)
{
    uintptr_t line = (uintptr_t)data & ~(uintptr_t)(TCOE_CACHE_LINE - 1);
    for (; line < (uintptr_t)data + n; line += TCOE_CACHE_LINE)
        __asm__ volatile("dcbst 0,%0" ::"r"(line) : "memory");
    __asm__ volatile("sync" ::: "memory");
}
#    define TCOE_WRITE_BACK(data, n) tcoe_write_back(data, n)
#  else
#    define TCOE_WRITE_BACK(data, n) ((void)(data), (void)(n))
#  endif
#endif

/* Converts a numeric value into the value that the machine reads from its two bytes, and back. */
static uint16_t memory_order(uint32_t numeric)
{
    uint16_t value = (uint16_t)numeric;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    value = (uint16_t)(value << 8 | value >> 8);
#endif
    return value;
}

void tcoe_init(struct tcoe *engine, uintptr_t registers)
{
    engine->registers = registers;
    engine->threshold = TCOE_THRESHOLD;
    engine->started = 0;
    engine->failures = 0;
}

enum tcoe_status tcoe_start(struct tcoe *engine, const void *data, size_t n)
{
    if (n > TCOE_MAX_BYTES)
        return TCOE_TOO_LONG;
    if (engine->started && tcoe_read(engine->registers + TCOE_OUTPUT) & TCOE_BUSY)
        return TCOE_IN_USE; /* the engine would ignore the start */
    engine->started = 1;
    TCOE_WRITE_BACK(data, n);
    tcoe_write(engine->registers + TCOE_ADDRESS, TCOE_BUS_ADDRESS(data));
    tcoe_write(engine->registers + TCOE_BYTES, (uint32_t)n);
    tcoe_write(engine->registers + TCOE_INPUT, 0);
    tcoe_write(engine->registers + TCOE_INPUT, TCOE_START);
    return TCOE_OK;
}

enum tcoe_status tcoe_poll(struct tcoe *engine, uint16_t *sum)
{
    uint32_t output = tcoe_read(engine->registers + TCOE_OUTPUT);
    if (!(output & TCOE_READY))
        return TCOE_PENDING;
    engine->started = 0;
    if (output & TCOE_ERROR)
        return TCOE_MEMORY_ERROR;
    *sum = memory_order(tcoe_read(engine->registers + TCOE_CHECKSUM) >> 16);
    return TCOE_OK;
}

enum tcoe_status tcoe_run(struct tcoe *engine, const void *data, size_t n, uint16_t *sum)
{
    enum tcoe_status status = tcoe_start(engine, data, n);
    if (status != TCOE_OK)
        return status;
    for (uint32_t polls = 0; polls < TCOE_MAX_POLLS; polls++) {
        status = tcoe_poll(engine, sum);
        if (status != TCOE_PENDING)
            return status;
    }
    return TCOE_TIME_OUT;
}

static uint16_t add(uint16_t a, uint16_t b)
{
    uint32_t sum = (uint32_t)a + b;
    return (uint16_t)(sum + (sum >> 16));
}

uint16_t tcoe_software_sum(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint32_t sum = 0;
    for (; n >= 2; p += 2, n -= 2) {
        sum += (uint32_t)p[0] << 8 | p[1];
        /* The fold keeps the sum at 0xFFFF or less, so it never overflows, for any n. */
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    if (n)
        sum += (uint32_t)p[0] << 8;
    return memory_order((sum & 0xFFFF) + (sum >> 16));
}

uint16_t tcoe_sum(struct tcoe *engine, const void *data, size_t n)
{
    const unsigned char *p = data;
    uint16_t sum = 0, piece;
    while (n) {
        /* Every piece except the last has an even length, so the sums of the pieces add. */
        size_t length = n > TCOE_MAX_BYTES ? TCOE_MAX_BYTES - 1 : n;
        if (length < engine->threshold) {
            piece = tcoe_software_sum(p, length);
        } else if (tcoe_run(engine, p, length, &piece) != TCOE_OK) {
            engine->failures++;
            piece = tcoe_software_sum(p, length);
        }
        sum = add(sum, piece);
        p += length;
        n -= length;
    }
    return sum;
}

uint16_t tcoe_checksum(struct tcoe *engine, const void *data, size_t n)
{
    return (uint16_t)~tcoe_sum(engine, data, n);
}
