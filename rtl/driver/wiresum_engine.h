/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/**
 * @file
 * Driver of the memory-to-memory engine (../src/engine): sums of data in memory by jobs in rings,
 * and copies of the data in the same pass.
 *
 * The driver is freestanding C99. It allocates nothing, has no state of its own, and needs no C
 * library; the sums that it computes in software come from wiresum (../../c). A batch of jobs costs
 * one posted write to the bus. The answers come to memory, so a caller that polls reads no
 * register.
 *
 * Sums are folded and in memory order, as everywhere in wiresum. spec/checksum.md defines them.
 *
 * One thread at a time may call the functions of one engine. The memory of the rings and of the
 * data is coherent with the engine, or the caller defines WIRESUM_ENGINE_FLUSH and
 * WIRESUM_ENGINE_INVALIDATE.
 */
#ifndef WIRESUM_ENGINE_H
#define WIRESUM_ENGINE_H

#include "wiresum.h"
#include "wiresum_engine_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The bytes of a descriptor and of a completion. */
enum { WIRESUM_ENGINE_DESCRIPTOR = 32, WIRESUM_ENGINE_COMPLETION = 8 };

/** The rings start at multiples of this. */
enum { WIRESUM_ENGINE_ALIGNMENT = 128 };

/** wiresum_engine_sums() sums jobs of fewer bytes in software: alone, and in an endless batch. In a
    batch of N the limit is MANY + (ALONE - MANY) / N, as for any two lines of `wiresum plan`.
    evidence/lab/tcoe/limits.py computes both; ../README.md says for which processor. */
#ifndef WIRESUM_ENGINE_ALONE
#  define WIRESUM_ENGINE_ALONE 2421
#endif
#ifndef WIRESUM_ENGINE_MANY
#  define WIRESUM_ENGINE_MANY 474
#endif

/** wiresum_engine_wait() gives up after this many looks at a completion. */
#ifndef WIRESUM_ENGINE_MAX_POLLS
#  define WIRESUM_ENGINE_MAX_POLLS 10000000u
#endif

/** wiresum_engine_reset() gives up after this many reads of CTRL. */
#ifndef WIRESUM_ENGINE_MAX_RESET_POLLS
#  define WIRESUM_ENGINE_MAX_RESET_POLLS 100000u
#endif

/** What became of a job, or of a call. */
enum wiresum_engine_status {
    WIRESUM_ENGINE_OK = 0,            /**< the job has its sum */
    WIRESUM_ENGINE_PENDING = 1,       /**< the engine has the job */
    WIRESUM_ENGINE_READ_ERROR = -1,   /**< memory did not deliver the data */
    WIRESUM_ENGINE_INVALID = -2,      /**< the engine refused a descriptor, or the call its job */
    WIRESUM_ENGINE_LOST = -3,         /**< a reset dropped the job */
    WIRESUM_ENGINE_TIME_OUT = -4,     /**< the engine did not answer in time */
    WIRESUM_ENGINE_WRONG_DEVICE = -5, /**< the registers belong to another device */
    WIRESUM_ENGINE_WRITE_ERROR = -6,  /**< the job has its sum, but memory refused its copy */
    WIRESUM_ENGINE_OWED = -7          /**< a reset dropped the job, but has not ended */
};

/** A job: the sum of pieces, as one stream of bytes, and their copy. The caller keeps it, its
   pieces and their data until the job is no longer WIRESUM_ENGINE_PENDING. If it then is
   WIRESUM_ENGINE_OWED, the engine may still read the data and write to the target, until a call of
   wiresum_engine_reset() returns WIRESUM_ENGINE_OK. */
struct wiresum_engine_job {
    const struct wiresum_piece *pieces; /**< each at most 2^32 - 1 bytes, of any parity */
    size_t count;                       /**< of the pieces: 1 to the size of the ring */
    uint16_t seed;                      /**< a sum that is added */
    bool odd;     /**< the first byte is at an odd offset of what the seed is a part of */
    void *target; /**< where the pieces are copied to, in a row; null: they are not. The target
                       overlaps with no piece of a pending job. With WIRESUM_ENGINE_INVALIDATE, no
                       cache line of the target has other data */
    uint16_t sum; /**< valid with WIRESUM_ENGINE_OK and WIRESUM_ENGINE_WRITE_ERROR */
    enum wiresum_engine_status status;
};

/** The memory of the rings. */
struct wiresum_engine_rings {
    void *descriptors;        /**< 32 << log2 bytes, aligned to WIRESUM_ENGINE_ALIGNMENT */
    void *completions;        /**< 8 << log2 bytes, aligned likewise */
    uint64_t descriptors_bus; /**< the address of the descriptors on the engine's bus */
    uint64_t completions_bus;
    struct wiresum_engine_job **jobs; /**< room for 1 << log2 pointers, for the driver alone */
    unsigned log2;                    /**< log2 of the size of the rings, 0 to 15 */
};

/** An engine. The members are the driver's, except those that a comment gives to the caller. */
struct wiresum_engine {
    uintptr_t registers;
    struct wiresum_engine_rings rings;
    uint16_t tail;  /* after the last descriptor that was written */
    uint16_t head;  /* after the last one whose job has ended */
    uint16_t asked; /* the number of jobs that were submitted, and of those that have ended */
    uint16_t ended;
    bool running;    /**< the last reset has ended; the caller may read it */
    bool copies;     /* the engine can copy */
    uint32_t beyond; /* the bits of an address's upper half that the engine's bus has not */
    size_t alone;    /**< the caller's: fewer bytes of a job alone are summed in software */
    size_t many;     /**< the caller's: so are fewer bytes of a job in an endless batch */
    size_t failures; /**< jobs of wiresum_engine_sums() that software summed because of an error */
};

/** Resets the engine and gives it the rings. Interrupts are off. Returns WIRESUM_ENGINE_OK,
    WIRESUM_ENGINE_WRONG_DEVICE, WIRESUM_ENGINE_INVALID for rings that do not fit or lie past the
    addresses of CAPABILITY.ADDRESS bits, or WIRESUM_ENGINE_TIME_OUT. */
enum wiresum_engine_status wiresum_engine_init(struct wiresum_engine *engine, uintptr_t registers,
                                               const struct wiresum_engine_rings *rings);

/** Resets the engine and starts it with empty rings. Jobs that were pending are
    WIRESUM_ENGINE_LOST. The interrupt is off. Returns WIRESUM_ENGINE_OK, or WIRESUM_ENGINE_TIME_OUT
    if the bus still owes the engine an answer. The jobs then are WIRESUM_ENGINE_OWED, and the
    engine takes no job until another call of this function succeeds. */
enum wiresum_engine_status wiresum_engine_reset(struct wiresum_engine *engine);

/** Hands jobs to the engine with one write to the bus. Returns how many of the first ones it took:
    fewer than n if the ring is full, if the last reset has not ended, or if the next job cannot be
    one, as a copy with an engine that does not copy, or data past the addresses of
    CAPABILITY.ADDRESS bits; that job's status is then WIRESUM_ENGINE_INVALID. Reads no register. */
size_t wiresum_engine_submit(struct wiresum_engine *engine, struct wiresum_engine_job *jobs,
                             size_t n);

/** Takes the completions that are in memory, and returns their number. The jobs of an engine end in
    the order in which they were submitted. Reads no register. */
size_t wiresum_engine_poll(struct wiresum_engine *engine);

/** Polls until a job has ended, and returns its status. If a job does not end in
    WIRESUM_ENGINE_MAX_POLLS polls, the engine is reset. The job is WIRESUM_ENGINE_TIME_OUT and the
    others are WIRESUM_ENGINE_LOST. If the reset does not end either, they all are
    WIRESUM_ENGINE_OWED. */
enum wiresum_engine_status wiresum_engine_wait(struct wiresum_engine *engine,
                                               struct wiresum_engine_job *job);

/** Switches the interrupt on: after `count` completions, or `cycles` cycles of the engine's clock
    after the first one, or at an error of the rings. Zero switches that condition off. */
void wiresum_engine_coalesce(struct wiresum_engine *engine, uint16_t count, uint16_t cycles);

/** Takes the interrupt back, for its handler, which then calls wiresum_engine_poll(). Reads no
    register. */
void wiresum_engine_acknowledge(struct wiresum_engine *engine);

/** Returns whether an error of the rings has stopped the engine, so that only a reset helps. Reads
    STATUS. */
bool wiresum_engine_stopped(const struct wiresum_engine *engine);

/** The sum of a job in software, and its copy. */
uint16_t wiresum_engine_software_sum(const struct wiresum_engine_job *job);

/** Sums and copies n jobs, and waits for them: by software below the threshold and where the engine
    fails, else by the engine. The sums and the copies are right in any case. The jobs may not be
    pending, and others may be. A job becomes WIRESUM_ENGINE_OK, or WIRESUM_ENGINE_OWED if the
    engine may still write to its target. */
void wiresum_engine_sums(struct wiresum_engine *engine, struct wiresum_engine_job *jobs, size_t n);

/** Copies len bytes, which do not overlap with their target, and returns their sum, as
    wiresum_copy() does: by software below the threshold and where the engine fails. If
    engine->running is false, the engine may still write to the target, as with
    WIRESUM_ENGINE_OWED. */
uint16_t wiresum_engine_copy(struct wiresum_engine *engine, void *target, const void *data,
                             size_t len);

#ifdef __cplusplus
}
#endif
#endif
