/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Driver of the checksum offload engine (../src/tcoe). Freestanding C99: no C library, no
 * allocation, no state of its own.
 *
 * Sums are folded, in memory order, as everywhere in wiresum: the value that the machine reads from
 * the two bytes, so that storing it, or its complement, into a header is right on every machine.
 * See spec/checksum.md for what they mean.
 *
 * The engine reads memory, not the processor's caches. On a PowerPC the driver writes the data's
 * cache lines back before it starts a job; elsewhere the caller defines TCOE_WRITE_BACK(data, n),
 * or uses memory that is not cached.
 */
#ifndef TCOE_H
#define TCOE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Registers, by byte offset. */
enum {
    TCOE_ADDRESS = 0x00, /* of the first byte; any alignment */
    TCOE_BYTES = 0x04,   /* 0 to 65535 */
    TCOE_INPUT = 0x08,   /* bit 0: a rising edge starts; ignored while busy */
    TCOE_OUTPUT = 0x0C,  /* TCOE_READY, TCOE_ERROR, TCOE_BUSY */
    TCOE_CHECKSUM = 0x10 /* bits 15..0 the checksum, 31..16 the sum, both numeric; valid once ready
                            without error */
};
enum { TCOE_START = 1 };
enum { TCOE_READY = 1, TCOE_ERROR = 2, TCOE_BUSY = 4 };

enum { TCOE_MAX_BYTES = 65535 }; /* of one job */

/* Below this many bytes tcoe_sum computes in software. Computed (lab/tcoe/crossover.py, checked by
 * rtl/run.py crossover) for a PowerPC 405 with its caches on, the data in them, and
 * tcoe_software_sum at -O2; the paper's figure, for slower software, is 79. With other caches or
 * another routine it lies between 11 and 8000 (the table in ../README.md): set tcoe.threshold to
 * yours. */
#ifndef TCOE_THRESHOLD
#  define TCOE_THRESHOLD 832
#endif

/* How often the ready bit is read before a job counts as lost. Longer than the longest job and the
 * engine's own watchdog (4096 cycles without an answer from memory), even if a read took but one
 * cycle. */
#ifndef TCOE_MAX_POLLS
#  define TCOE_MAX_POLLS 1000000u
#endif

enum tcoe_status {
    TCOE_OK = 0,
    TCOE_PENDING = 1,       /* the job still runs */
    TCOE_TOO_LONG = -1,     /* more than TCOE_MAX_BYTES */
    TCOE_IN_USE = -2,       /* a job runs that nobody has waited for */
    TCOE_MEMORY_ERROR = -3, /* the memory port did not answer: the engine gave up */
    TCOE_TIME_OUT = -4      /* the engine did not answer */
};

struct tcoe {
    uintptr_t registers; /* where they are */
    size_t threshold;    /* tcoe_sum: fewer bytes than this go to software */
    int started;         /* a job was started, and tcoe_poll has not seen its end */
    size_t failures; /* tcoe_sum: jobs that ended in an error, and were done again in software */
};

/* Sets up the driver's struct; touches no register. */
void tcoe_init(struct tcoe *engine, uintptr_t registers);

/* Starts a job: the paper's steps one to four. Returns TCOE_OK, TCOE_TOO_LONG, or TCOE_IN_USE
 * where an earlier job still runs. The data must not change until it has ended. */
enum tcoe_status tcoe_start(struct tcoe *engine, const void *data, size_t n);

/* Asks once whether the job has ended (step five), and if so stores its sum (step six). TCOE_OK,
 * TCOE_PENDING, TCOE_MEMORY_ERROR. */
enum tcoe_status tcoe_poll(struct tcoe *engine, uint16_t *sum);

/* A whole job, polled to its end: six accesses to the bus, one more for each time that it was not
 * ready. */
enum tcoe_status tcoe_run(struct tcoe *engine, const void *data, size_t n, uint16_t *sum);

/* The sum of n bytes, any n, by whichever way is faster, and by software where the engine fails.
 * Always right. */
uint16_t tcoe_sum(struct tcoe *engine, const void *data, size_t n);

/* The checksum: the complement of tcoe_sum, to store in a header field. */
uint16_t tcoe_checksum(struct tcoe *engine, const void *data, size_t n);

/* The sum in software, two bytes a step: the plain loop that the engine is compared with. */
uint16_t tcoe_software_sum(const void *data, size_t n);

#ifdef __cplusplus
}
#endif
#endif
