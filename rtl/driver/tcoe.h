/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Driver of the checksum offload engine (../src/tcoe). It is freestanding C99: it needs no C
 * library, allocates nothing, and has no state of its own.
 *
 * Sums are folded and in memory order, as everywhere in wiresum: a sum is the value that the
 * machine reads from the two bytes. A caller may store a sum, or its complement, into a header on
 * every machine. spec/checksum.md defines sum and checksum.
 *
 * The engine reads memory, not the processor's caches. On a PowerPC the driver writes the data's
 * cache lines back before it starts a job. On another machine the caller defines
 * TCOE_WRITE_BACK(data, n), or uses memory that is not cached.
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
    TCOE_ADDRESS = 0x00, /* address of the first byte; any alignment */
    TCOE_BYTES = 0x04,   /* number of bytes, 0 to 65535 */
    TCOE_INPUT = 0x08,   /* bit 0: a rising edge starts; ignored while busy */
    TCOE_OUTPUT = 0x0C,  /* TCOE_READY, TCOE_ERROR, TCOE_BUSY */
    TCOE_CHECKSUM = 0x10 /* bits 15..0 the checksum, 31..16 the sum, both numeric; valid once ready
                            without error */
};
enum { TCOE_START = 1 };
enum { TCOE_READY = 1, TCOE_ERROR = 2, TCOE_BUSY = 4 };

enum { TCOE_MAX_BYTES = 65535 }; /* the most bytes of one job */

/* tcoe_sum sums fewer bytes than this in software. evidence/lab/tcoe/crossover.py computes the
 * number, and rtl/run.py crossover checks it, for a PowerPC 405 with its caches on, the data in
 * them, and tcoe_software_sum at -O2. The paper's number, for slower software, is 79. With other
 * cache settings or routines the number lies between 12 and 7976 (the table in ../README.md): set
 * tcoe.threshold to yours. */
#ifndef TCOE_THRESHOLD
#  define TCOE_THRESHOLD 832
#endif

/* tcoe_run gives up after this many reads of OUTPUT. They take longer than the longest job and the
 * engine's watchdog (4096 cycles without an answer from memory), even at one cycle a read. */
#ifndef TCOE_MAX_POLLS
#  define TCOE_MAX_POLLS 1000000u
#endif

enum tcoe_status {
    TCOE_OK = 0,
    TCOE_PENDING = 1,       /* the job still runs */
    TCOE_TOO_LONG = -1,     /* more than TCOE_MAX_BYTES */
    TCOE_IN_USE = -2,       /* an earlier job still runs */
    TCOE_MEMORY_ERROR = -3, /* the memory port did not answer: the engine gave up */
    TCOE_TIME_OUT = -4      /* the engine did not answer */
};

struct tcoe {
    uintptr_t registers; /* address of the registers */
    size_t threshold;    /* tcoe_sum sums fewer bytes than this in software */
    int started;         /* a job was started and tcoe_poll has not seen its end */
    size_t failures;     /* jobs of tcoe_sum that failed and that software summed again */
};

/* Sets up the driver's struct; touches no register. */
void tcoe_init(struct tcoe *engine, uintptr_t registers);

/* Starts a job: the paper's steps one to four. Returns TCOE_OK, TCOE_TOO_LONG, or TCOE_IN_USE if
 * an earlier job still runs. The data must not change until the job has ended. */
enum tcoe_status tcoe_start(struct tcoe *engine, const void *data, size_t n);

/* Reads once whether the job has ended (step five), and if so stores its sum (step six). Returns
 * TCOE_OK, TCOE_PENDING or TCOE_MEMORY_ERROR. */
enum tcoe_status tcoe_poll(struct tcoe *engine, uint16_t *sum);

/* Runs a whole job: six accesses to the bus, and one more for each poll that finds the job
 * unfinished. Returns tcoe_start's and tcoe_poll's errors, or TCOE_TIME_OUT. */
enum tcoe_status tcoe_run(struct tcoe *engine, const void *data, size_t n, uint16_t *sum);

/* The sum of n bytes, for any n: by software below the threshold or if the engine fails, else by
 * the engine. */
uint16_t tcoe_sum(struct tcoe *engine, const void *data, size_t n);

/* The checksum: the complement of tcoe_sum, to store in a header field. */
uint16_t tcoe_checksum(struct tcoe *engine, const void *data, size_t n);

/* The sum in software, two bytes a step: the routine that TCOE_THRESHOLD is computed for. */
uint16_t tcoe_software_sum(const void *data, size_t n);

#ifdef __cplusplus
}
#endif
#endif
