/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "wiresum_engine_calibrate.h"

enum { BATCH = 32, LENGTHS = 16, SHORTEST = 64 };

/* The cost of jobs of each length, and of a job of n bytes: batch / N + job + byte * n. */
struct costs {
    double of[LENGTHS];
};
struct line {
    double batch, job, byte;
};

/* What is measured, and where. */
struct measurement {
    struct wiresum_engine *engine;
    const struct wiresum_engine_calibration *with;
    size_t lengths[LENGTHS];
    unsigned count; /* of the lengths */
    unsigned batch; /* the jobs of a batch */
    bool failed;
};

static uint64_t now(const struct measurement *m)
{
    return m->with->now(m->with->context);
}

static void software(const struct measurement *m, struct costs *costs)
{
    for (unsigned i = 0; i < m->count; i++) {
        struct wiresum_piece piece = { m->with->data, m->lengths[i] };
        struct wiresum_engine_job job = { .pieces = &piece, .count = 1 };
        uint64_t least = UINT64_MAX;
        for (unsigned round = 0; round < m->with->rounds; round++) {
            uint64_t begin = now(m), took;
            for (unsigned k = 0; k < BATCH; k++) {
                volatile uint16_t sum = wiresum_engine_software_sum(&job);
                (void)sum;
            }
            took = now(m) - begin;
            least = took < least ? took : least;
        }
        costs->of[i] = (double)least / BATCH;
    }
}

static void wait_for(struct measurement *m, struct wiresum_engine_job *jobs, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        m->failed |= wiresum_engine_wait(m->engine, &jobs[k]) != WIRESUM_ENGINE_OK;
}

/* Batches of n jobs: the time until the last one has ended; and the processor's own part of it: to
 * hand them over, and to take the results in one go after they all are there. */
static void hardware(struct measurement *m, unsigned n, struct costs *elapsed, struct costs *cpu)
{
    struct wiresum_engine_job jobs[BATCH];
    for (unsigned i = 0; i < m->count; i++) {
        struct wiresum_piece piece = { m->with->data, m->lengths[i] };
        uint64_t least = UINT64_MAX, least_cpu = UINT64_MAX;
        for (unsigned round = 0; round < 2 * m->with->rounds; round++) {
            uint64_t begin, given, took;
            for (unsigned k = 0; k < n; k++)
                jobs[k] = (struct wiresum_engine_job){ .pieces = &piece, .count = 1 };
            begin = now(m);
            if (wiresum_engine_submit(m->engine, jobs, n) != n) {
                m->failed = true;
                return;
            }
            given = now(m);
            if (round % 2 == 0) {
                wait_for(m, jobs, n);
                took = now(m) - begin;
                least = took < least ? took : least;
            } else {
                uint64_t again;
                while (now(m) - begin < 2 * least) {
                }
                again = now(m);
                wiresum_engine_poll(m->engine);
                took = now(m) - again + (given - begin);
                least_cpu = took < least_cpu ? took : least_cpu;
                wait_for(m, jobs, n); /* if they were late for once */
            }
            if (m->failed)
                return;
        }
        elapsed->of[i] = (double)least / n;
        cpu->of[i] = (double)least_cpu / n;
    }
}

/* The line with the least squares of relative errors: without the weights, the longest jobs alone
 * would decide. Neither of its numbers is below 0. */
static struct line fit(const struct measurement *m, const struct costs *costs)
{
    double w = 0, x = 0, xx = 0, y = 0, xy = 0;
    struct line line = { 0, 0, 0 };
    for (unsigned i = 0; i < m->count; i++) {
        double at = (double)m->lengths[i], cost = costs->of[i] > 0 ? costs->of[i] : 1e-3;
        double weight = 1 / (cost * cost);
        w += weight;
        x += weight * at;
        xx += weight * at * at;
        y += weight * cost;
        xy += weight * at * cost;
    }
    line.byte = (w * xy - x * y) / (w * xx - x * x);
    line.job = (y - line.byte * x) / w;
    if (line.byte < 0) {
        line.byte = 0;
        line.job = y / w;
    } else if (line.job < 0) {
        line.job = 0;
        line.byte = xy / xx;
    }
    return line;
}

/* The line of jobs alone and in batches of n: the bytes as in batches, and what a job alone costs
 * more is the batch's. */
static struct line join(const struct measurement *m, const struct costs *alone,
                        const struct costs *many, unsigned n)
{
    struct line line = fit(m, many);
    double more = 0, weights = 0;
    for (unsigned i = 0; i < m->count; i++) {
        double weight = alone->of[i] > 0 ? 1 / (alone->of[i] * alone->of[i]) : 0;
        double fitted = line.job + line.byte * (double)m->lengths[i];
        more += weight * (alone->of[i] - fitted);
        weights += weight;
    }
    if (n > 1 && weights > 0 && more > 0)
        line.batch = more / weights * n / (n - 1);
    line.job -= line.batch / n;
    if (line.job < 0) {
        line.batch += line.job * n;
        line.job = 0;
    }
    return line;
}

/* From how many bytes on the engine is quicker: no number if it never is. */
static size_t meets(const struct line *software, const struct line *engine, double batches)
{
    double more = engine->job + engine->batch * batches - software->job;
    double less = software->byte - engine->byte;
    if (more <= 0)
        return 0;
    if (less <= 0 || more / less > 1e9)
        return SIZE_MAX;
    return (size_t)(more / less) + 1;
}

/* A text that grows to the end of its room. */
struct writer {
    char *text;
    size_t size, len;
};

static void put(struct writer *to, const char *text)
{
    for (; *text; text++, to->len++)
        if (to->len < to->size)
            to->text[to->len] = *text;
}

static void put_integer(struct writer *to, uint64_t value, int digits)
{
    char text[21];
    int at = 20;
    text[20] = 0;
    for (; value || digits > 0; value /= 10, digits--)
        text[--at] = (char)('0' + value % 10);
    put(to, text + at);
}

/* A number of at least 0, with six digits after the point. */
static void put_number(struct writer *to, const char *name, double value)
{
    uint64_t millionths = (uint64_t)(value * 1e6 + 0.5);
    put(to, name);
    put_integer(to, millionths / 1000000, 1);
    put(to, ".");
    put_integer(to, millionths % 1000000, 6);
}

static void put_line(struct writer *to, const struct measurement *m, const char *name,
                     const struct line *line, const struct line *cpu)
{
    const struct wiresum_engine_calibration *with = m->with;
    put(to, "  {\"name\": \"");
    put(to, name);
    put(to, with->cycles ? "\", \"unit\": \"cycles\"" : "\", \"unit\": \"ns\"");
    if (with->cycles && with->clock_hz) {
        put(to, ", \"clock_hz\": ");
        put_integer(to, with->clock_hz, 1);
    }
    put_number(to, ",\n   \"batch\": ", line->batch);
    put_number(to, ", \"job\": ", line->job);
    put_number(to, ", \"byte\": ", line->byte);
    if (cpu) {
        put_number(to, ",\n   \"cpu\": {\"batch\": ", cpu->batch);
        put_number(to, ", \"job\": ", cpu->job);
        put_number(to, ", \"byte\": ", cpu->byte);
        put(to, "}");
    }
    put(to, ",\n   \"measured\": \"");
    put(to, with->machine);
    put(to, ", jobs of 64 to ");
    put_integer(to, with->len, 1);
    put(to, " bytes");
    if (cpu) {
        put(to, ", alone and in batches of ");
        put_integer(to, m->batch, 1);
    }
    put(to, "\"}");
}

size_t wiresum_engine_calibrate(struct wiresum_engine *engine,
                                const struct wiresum_engine_calibration *with, char *text,
                                size_t size)
{
    struct measurement m = { .engine = engine, .with = with };
    struct costs of_software, alone, many, alone_cpu, many_cpu;
    struct line software_line, engine_line, cpu_line;
    struct writer to = { text, size, 0 };
    size_t length = SHORTEST;
    if (with->len < 1024 || (uint64_t)with->len > UINT32_MAX || with->rounds == 0)
        return 0;
    /* Powers of four, and the longest job. */
    for (; m.count < LENGTHS - 1 && length < with->len; length *= 4)
        m.lengths[m.count++] = length;
    m.lengths[m.count++] = with->len;
    m.batch = engine->rings.log2 < 5 ? 1u << engine->rings.log2 : BATCH;
    hardware(&m, 1, &alone, &alone_cpu);
    if (!m.failed)
        hardware(&m, m.batch, &many, &many_cpu);
    if (m.failed)
        return 0;
    software(&m, &of_software);
    software_line = fit(&m, &of_software);
    engine_line = join(&m, &alone, &many, m.batch);
    cpu_line = join(&m, &alone_cpu, &many_cpu, m.batch);
    put(&to, "{\"format\": 1, \"lines\": [\n");
    put_line(&to, &m, "software", &software_line, 0);
    put(&to, ",\n");
    put_line(&to, &m, "engine", &engine_line, &cpu_line);
    put(&to, "\n]}\n");
    if (to.len >= size)
        return 0;
    text[to.len] = 0;
    engine->alone = meets(&software_line, &engine_line, 1);
    engine->many = meets(&software_line, &engine_line, 0);
    return to.len;
}
