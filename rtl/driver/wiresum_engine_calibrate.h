/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/**
 * @file
 * Measures software and engine on the board that has both, and writes the lines that `wiresum plan`
 * reads (../../cli/README.md).
 *
 * It needs a clock from its caller and, other than the driver, floating point. It needs no C
 * library.
 */
#ifndef WIRESUM_ENGINE_CALIBRATE_H
#define WIRESUM_ENGINE_CALIBRATE_H

#include "wiresum_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The room that the lines take at most, if the texts of the caller have 200 bytes together. */
enum { WIRESUM_ENGINE_LINES = 1024 };

/** What the caller gives for a measurement. */
struct wiresum_engine_calibration {
    uint64_t (*now)(void *context); /**< the time of the processor, in the unit */
    void *context;                  /**< of the clock */
    bool cycles;                    /**< the unit: cycles, or else nanoseconds */
    uint64_t clock_hz;              /**< of the cycles; 0: it is not known */
    const void *data;               /**< memory that the engine reads */
    size_t len;                     /**< of the data and of the longest job; at least 1024 */
    unsigned rounds;                /**< of each measurement, the least counts; at least 1 */
    const char *machine; /**< the board's name. It has no character that JSON would escape */
};

/** Measures jobs of 64 bytes to `len` bytes: by software, and by the engine alone and in batches of
    32, or of as many as the ring has. No other job may be pending. Writes the lines `software` and
    `engine` into `text` as JSON, with a 0 at their end. The engine's line has under `cpu` the time
    in which the processor hands the jobs over and takes their results; the rest of the time it may
    do something else. Sets engine->alone and engine->many to where the lines meet.

    Returns the length of the text, or 0 if an argument is out of its range, the text does not fit
    or a job of the engine failed; then the limits stay as they are. */
size_t wiresum_engine_calibrate(struct wiresum_engine *engine,
                                const struct wiresum_engine_calibration *with, char *text,
                                size_t size);

#ifdef __cplusplus
}
#endif
#endif
