/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "wiresum_engine.h"

/* Register access. A simulation or a user-space program defines WIRESUM_ENGINE_EXTERNAL_IO and
 * provides these functions. */
#ifdef WIRESUM_ENGINE_EXTERNAL_IO
uint32_t wiresum_engine_read(uintptr_t address);
void wiresum_engine_write(uintptr_t address, uint32_t value);
uint64_t wiresum_engine_bus_address(const void *data);
#  define WIRESUM_ENGINE_BUS_ADDRESS(data) wiresum_engine_bus_address(data)
#else
static inline uint32_t wiresum_engine_read(uintptr_t address)
{
    return *(volatile uint32_t *)address;
}
static inline void wiresum_engine_write(uintptr_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}
#endif

/* The data's address on the engine's bus. */
#ifndef WIRESUM_ENGINE_BUS_ADDRESS
#  define WIRESUM_ENGINE_BUS_ADDRESS(data) ((uint64_t)(uintptr_t)(data))
#endif

/* Write back what the engine will read, and drop what it has written, from caches that it does not
 * see. */
#ifndef WIRESUM_ENGINE_FLUSH
#  define WIRESUM_ENGINE_FLUSH(data, n) ((void)(data), (void)(n))
#endif
#ifndef WIRESUM_ENGINE_INVALIDATE
#  define WIRESUM_ENGINE_INVALIDATE(data, n) ((void)(data), (void)(n))
#endif

/* All memory accesses before come before all accesses after, for the engine too. */
#ifndef WIRESUM_ENGINE_FENCE
#  if defined(__aarch64__) || defined(__ARM_ARCH_7A__)
#    define WIRESUM_ENGINE_FENCE() __asm__ volatile("dmb osh" ::: "memory")
#  elif defined(__x86_64__) || defined(__i386__)
/* Stores and loads of memory are in order already; only the compiler could exchange them. */
#    define WIRESUM_ENGINE_FENCE() __asm__ volatile("" ::: "memory")
#  elif defined(__riscv)
#    define WIRESUM_ENGINE_FENCE() __asm__ volatile("fence iorw,iorw" ::: "memory")
#  elif defined(__powerpc__) || defined(__PPC__)
#    define WIRESUM_ENGINE_FENCE() __asm__ volatile("sync" ::: "memory")
#  elif defined(__GNUC__)
#    define WIRESUM_ENGINE_FENCE() __sync_synchronize()
#  else
#    error "define WIRESUM_ENGINE_FENCE for this machine"
#  endif
#endif

enum { MORE = 1, ODD = 2, COPY = 4 }; /* of a descriptor's flags */

static uint32_t read_register(const struct wiresum_engine *engine, uint32_t offset)
{
    return wiresum_engine_read(engine->registers + offset);
}

static void write_register(const struct wiresum_engine *engine, uint32_t offset, uint32_t value)
{
    wiresum_engine_write(engine->registers + offset, value);
}

static bool little_endian(void)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return false;
#else
    return true;
#endif
}

/* The value that this machine stores as a little-endian word of the rings, and back. */
static uint32_t little32(uint32_t value)
{
    if (little_endian())
        return value;
    return value << 24 | (value << 8 & 0xFF0000u) | (value >> 8 & 0xFF00u) | value >> 24;
}

static uint16_t places(const struct wiresum_engine *engine)
{
    return (uint16_t)(1u << engine->rings.log2);
}

/* What software and the engine write in turn. The 16-bit halves are words in memory order. */
struct descriptor {
    uint32_t source[2], target[2], length;
    uint16_t seed, flags;
    uint32_t tag, zero;
};
struct completion {
    uint16_t sum, status;
    uint32_t tag;
};

static struct descriptor *descriptor(const struct wiresum_engine *engine, uint16_t number)
{
    return (struct descriptor *)engine->rings.descriptors + (number & (places(engine) - 1));
}

static volatile struct completion *completion(const struct wiresum_engine *engine, uint16_t number)
{
    return (volatile struct completion *)engine->rings.completions
           + (number & (places(engine) - 1));
}

/* The place of a pending job. */
static struct wiresum_engine_job **slot(const struct wiresum_engine *engine, uint16_t number)
{
    return &engine->rings.jobs[number & (places(engine) - 1)];
}

static uint16_t little16(uint16_t value)
{
    return little_endian() ? value : (uint16_t)(value << 8 | value >> 8);
}

/* Whether the engine's bus has addresses for n bytes from there on. */
static bool reaches(const struct wiresum_engine *engine, uint64_t address, size_t n)
{
    uint64_t last = address + n - (n != 0);
    return ((uint32_t)((address | last) >> 32) & engine->beyond) == 0;
}

enum wiresum_engine_status wiresum_engine_init(struct wiresum_engine *engine, uintptr_t registers,
                                               const struct wiresum_engine_rings *rings)
{
    uint32_t capability, bits;
    engine->registers = registers;
    engine->rings = *rings;
    engine->tail = engine->head = engine->asked = engine->ended = 0;
    engine->alone = WIRESUM_ENGINE_ALONE;
    engine->many = WIRESUM_ENGINE_MANY;
    engine->failures = 0;
    engine->running = false;
    if (read_register(engine, WIRESUM_ENGINE_ID) != WIRESUM_ENGINE_ID_VALUE_VALUE)
        return WIRESUM_ENGINE_WRONG_DEVICE;
    if (read_register(engine, WIRESUM_ENGINE_VERSION) >> WIRESUM_ENGINE_VERSION_MAJOR_SHIFT
        != WIRESUM_ENGINE_VERSION_MAJOR_VALUE)
        return WIRESUM_ENGINE_WRONG_DEVICE;
    capability = read_register(engine, WIRESUM_ENGINE_CAPABILITY);
    engine->copies = capability & WIRESUM_ENGINE_CAPABILITY_COPY_MASK;
    bits = (capability & WIRESUM_ENGINE_CAPABILITY_ADDRESS_MASK)
           >> WIRESUM_ENGINE_CAPABILITY_ADDRESS_SHIFT;
    if (bits < 32 || bits > 64)
        return WIRESUM_ENGINE_WRONG_DEVICE;
    engine->beyond = bits < 64 ? UINT32_MAX << (bits - 32) : 0;
    if (rings->log2 > 15
        || (rings->descriptors_bus | rings->completions_bus) % WIRESUM_ENGINE_ALIGNMENT
        || !reaches(engine, rings->descriptors_bus,
                    (size_t)WIRESUM_ENGINE_DESCRIPTOR << rings->log2)
        || !reaches(engine, rings->completions_bus,
                    (size_t)WIRESUM_ENGINE_COMPLETION << rings->log2))
        return WIRESUM_ENGINE_INVALID;
    for (uint32_t i = 0; i < places(engine); i++)
        rings->jobs[i] = 0;
    return wiresum_engine_reset(engine);
}

enum wiresum_engine_status wiresum_engine_reset(struct wiresum_engine *engine)
{
    const struct wiresum_engine_rings *rings = &engine->rings;
    enum wiresum_engine_status dropped = WIRESUM_ENGINE_LOST;
    uint32_t polls = 0;
    engine->running = false;
    engine->tail = engine->head = engine->asked = engine->ended = 0;
    write_register(engine, WIRESUM_ENGINE_CTRL, WIRESUM_ENGINE_CTRL_RESET_MASK);
    while (read_register(engine, WIRESUM_ENGINE_CTRL) & WIRESUM_ENGINE_CTRL_RESET_MASK)
        if (++polls > WIRESUM_ENGINE_MAX_RESET_POLLS) {
            dropped = WIRESUM_ENGINE_OWED;
            break;
        }
    for (uint32_t i = 0; i < places(engine); i++) {
        if (rings->jobs[i])
            rings->jobs[i]->status = dropped;
        rings->jobs[i] = 0;
    }
    if (dropped == WIRESUM_ENGINE_OWED)
        return WIRESUM_ENGINE_TIME_OUT;
    for (uint32_t i = 0; i < places(engine); i++) {
        volatile struct completion *place = completion(engine, (uint16_t)i);
        place->sum = place->status = 0; /* a phase that no completion of the first lap has */
        place->tag = 0;
    }
    WIRESUM_ENGINE_FLUSH(rings->completions, (size_t)WIRESUM_ENGINE_COMPLETION << rings->log2);
    WIRESUM_ENGINE_FENCE();
    write_register(engine, WIRESUM_ENGINE_RING_LOW, (uint32_t)rings->descriptors_bus);
    write_register(engine, WIRESUM_ENGINE_RING_HIGH, (uint32_t)(rings->descriptors_bus >> 32));
    write_register(engine, WIRESUM_ENGINE_COMPLETION_LOW, (uint32_t)rings->completions_bus);
    write_register(engine, WIRESUM_ENGINE_COMPLETION_HIGH,
                   (uint32_t)(rings->completions_bus >> 32));
    write_register(engine, WIRESUM_ENGINE_RING_SIZE, rings->log2);
    write_register(engine, WIRESUM_ENGINE_CTRL, WIRESUM_ENGINE_CTRL_ENABLE_MASK);
    engine->running = true;
    return WIRESUM_ENGINE_OK;
}

/* Whether the engine's bus has addresses for all the data of a job. */
static bool reaches_all(const struct wiresum_engine *engine, const struct wiresum_engine_job *job)
{
    char *to = (char *)job->target;
    for (size_t i = 0; i < job->count; i++) {
        const struct wiresum_piece *piece = &job->pieces[i];
        if (!reaches(engine, WIRESUM_ENGINE_BUS_ADDRESS(piece->data), piece->len))
            return false;
        if (to && !reaches(engine, WIRESUM_ENGINE_BUS_ADDRESS(to), piece->len))
            return false;
        to += to ? piece->len : 0;
    }
    return true;
}

/* Whether the job can be one of this engine. */
static bool fits(const struct wiresum_engine *engine, const struct wiresum_engine_job *job)
{
    if (job->count == 0 || job->count > places(engine) || (job->target && !engine->copies))
        return false;
    for (size_t i = 0; i < job->count; i++)
        if ((uint64_t)job->pieces[i].len > UINT32_MAX)
            return false;
    return engine->beyond == 0 || reaches_all(engine, job);
}

size_t wiresum_engine_submit(struct wiresum_engine *engine, struct wiresum_engine_job *jobs,
                             size_t n)
{
    size_t taken = 0;
    for (; taken < n && engine->running; taken++) {
        struct wiresum_engine_job *job = &jobs[taken];
        if (!fits(engine, job)) {
            job->status = WIRESUM_ENGINE_INVALID;
            break;
        }
        if (job->count > (size_t)places(engine) - (uint16_t)(engine->tail - engine->head))
            break;
        char *to = (char *)job->target;
        for (size_t i = 0; i < job->count; i++) {
            struct descriptor *place = descriptor(engine, engine->tail);
            uint64_t source = WIRESUM_ENGINE_BUS_ADDRESS(job->pieces[i].data);
            int flags = (i + 1 < job->count ? MORE : 0) | (job->odd ? ODD : 0);
            WIRESUM_ENGINE_FLUSH(job->pieces[i].data, job->pieces[i].len);
            place->source[0] = little32((uint32_t)source);
            place->source[1] = little32((uint32_t)(source >> 32));
            place->target[0] = place->target[1] = place->zero = 0;
            if (to) {
                uint64_t target = WIRESUM_ENGINE_BUS_ADDRESS(to);
                WIRESUM_ENGINE_FLUSH(to, job->pieces[i].len);
                place->target[0] = little32((uint32_t)target);
                place->target[1] = little32((uint32_t)(target >> 32));
                flags |= COPY;
                to += job->pieces[i].len;
            }
            place->length = little32((uint32_t)job->pieces[i].len);
            place->seed = job->seed;
            place->flags = little16((uint16_t)flags);
            place->tag = 0; /* the driver knows the job by its place */
            WIRESUM_ENGINE_FLUSH(place, sizeof *place);
            engine->tail++;
        }
        *slot(engine, engine->asked++) = job;
        job->status = WIRESUM_ENGINE_PENDING;
    }
    if (taken) {
        WIRESUM_ENGINE_FENCE();
        write_register(engine, WIRESUM_ENGINE_TAIL, engine->tail);
    }
    return taken;
}

static enum wiresum_engine_status status_of(uint16_t status)
{
    enum { READ_ERRORS = 6, REFUSED = 8, WRITE_ERRORS = 48 };
    if (status & READ_ERRORS)
        return WIRESUM_ENGINE_READ_ERROR;
    if (status & REFUSED)
        return WIRESUM_ENGINE_INVALID;
    return status & WRITE_ERRORS ? WIRESUM_ENGINE_WRITE_ERROR : WIRESUM_ENGINE_OK;
}

static size_t bytes_of(const struct wiresum_engine_job *job)
{
    size_t bytes = 0;
    for (size_t i = 0; i < job->count; i++)
        bytes += job->pieces[i].len;
    return bytes;
}

size_t wiresum_engine_poll(struct wiresum_engine *engine)
{
    size_t ended = 0;
    while (engine->ended != engine->asked) {
        struct wiresum_engine_job *job = *slot(engine, engine->ended);
        volatile struct completion *place = completion(engine, engine->ended);
        uint16_t status;
        WIRESUM_ENGINE_INVALIDATE((void *)(uintptr_t)place, sizeof *place);
        status = little16(place->status);
        if ((status & 1) == (engine->ended >> engine->rings.log2 & 1))
            break; /* the phase of the lap before */
        WIRESUM_ENGINE_FENCE();
        if (job->target)
            WIRESUM_ENGINE_INVALIDATE(job->target, bytes_of(job));
        job->sum = place->sum;
        job->status = status_of(status);
        *slot(engine, engine->ended) = 0;
        engine->head = (uint16_t)(engine->head + job->count);
        engine->ended++;
        ended++;
    }
    return ended;
}

enum wiresum_engine_status wiresum_engine_wait(struct wiresum_engine *engine,
                                               struct wiresum_engine_job *job)
{
    for (uint32_t polls = 0; polls < WIRESUM_ENGINE_MAX_POLLS; polls++) {
        wiresum_engine_poll(engine);
        if (job->status != WIRESUM_ENGINE_PENDING)
            return job->status;
    }
    if (wiresum_engine_reset(engine) == WIRESUM_ENGINE_OK)
        job->status = WIRESUM_ENGINE_TIME_OUT;
    return job->status;
}

void wiresum_engine_coalesce(struct wiresum_engine *engine, uint16_t count, uint16_t cycles)
{
    write_register(engine, WIRESUM_ENGINE_COALESCE,
                   (uint32_t)cycles << WIRESUM_ENGINE_COALESCE_CYCLES_SHIFT | count);
    write_register(engine, WIRESUM_ENGINE_INTERRUPT_ENABLE,
                   WIRESUM_ENGINE_INTERRUPT_ENABLE_COMPLETION_MASK
                       | WIRESUM_ENGINE_INTERRUPT_ENABLE_ERROR_MASK);
}

void wiresum_engine_acknowledge(struct wiresum_engine *engine)
{
    write_register(engine, WIRESUM_ENGINE_INTERRUPT,
                   WIRESUM_ENGINE_INTERRUPT_COMPLETION_MASK | WIRESUM_ENGINE_INTERRUPT_ERROR_MASK);
}

bool wiresum_engine_stopped(const struct wiresum_engine *engine)
{
    return read_register(engine, WIRESUM_ENGINE_STATUS)
           & (WIRESUM_ENGINE_STATUS_FETCH_ERROR_MASK | WIRESUM_ENGINE_STATUS_COMPLETION_ERROR_MASK
              | WIRESUM_ENGINE_STATUS_TAIL_ERROR_MASK);
}

uint16_t wiresum_engine_software_sum(const struct wiresum_engine_job *job)
{
    uint16_t sum = job->target ? wiresum_gather_copy(job->target, job->pieces, job->count)
                               : wiresum_gather(job->pieces, job->count);
    return wiresum_add(job->seed, job->odd ? wiresum_swap(sum) : sum);
}

static void in_software(struct wiresum_engine_job *job)
{
    job->sum = wiresum_engine_software_sum(job);
    job->status = WIRESUM_ENGINE_OK;
}

/* Whether software is quicker than the engine with its share of the batch. */
static bool too_short(const struct wiresum_engine *engine, const struct wiresum_engine_job *job,
                      size_t n)
{
    size_t alone = engine->alone, many = engine->many;
    size_t limit = alone < many ? many - (many - alone) / n : many + (alone - many) / n;
    return bytes_of(job) < limit;
}

void wiresum_engine_sums(struct wiresum_engine *engine, struct wiresum_engine_job *jobs, size_t n)
{
    size_t at = 0;
    while (at < n) {
        size_t first = at, taken;
        if (too_short(engine, &jobs[at], n)) {
            in_software(&jobs[at++]);
            continue;
        }
        while (at < n && !too_short(engine, &jobs[at], n))
            at++;
        taken = wiresum_engine_submit(engine, &jobs[first], at - first);
        for (size_t i = first; i < first + taken; i++) {
            enum wiresum_engine_status status = wiresum_engine_wait(engine, &jobs[i]);
            if (status == WIRESUM_ENGINE_OK)
                continue;
            engine->failures++;
            in_software(&jobs[i]);
            if (status == WIRESUM_ENGINE_OWED && jobs[i].target) /* late reads do no harm */
                jobs[i].status = status;
        }
        at = first + taken;
        if (!taken)
            in_software(&jobs[at++]); /* it is no job of this engine, or others fill the ring */
    }
}

uint16_t wiresum_engine_copy(struct wiresum_engine *engine, void *target, const void *data,
                             size_t len)
{
    struct wiresum_piece piece = { data, len };
    struct wiresum_engine_job job = { .pieces = &piece, .count = 1, .target = target };
    wiresum_engine_sums(engine, &job, 1);
    return job.sum;
}
