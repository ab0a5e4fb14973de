// SPDX-License-Identifier: MIT OR Apache-2.0

/** How many numbers `wakeCollector` allocates: 2 MiB of them. */
const WAKING = 1 << 18;

/**
 * Makes garbage, so that the collector runs. V8 starts the collector by what JavaScript allocates,
 * which is next to nothing in a worker that reads files or waits for the module, and hardly counts
 * slices of files. Without it the slices of a capture of 500 MB take 500 MB.
 */
export function wakeCollector(): void {
  new Array(WAKING).fill(0.5);
}
