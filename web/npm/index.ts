// SPDX-License-Identifier: MIT OR Apache-2.0
// The package `wiresum`: the Internet checksum (RFC 1071), and the verdicts on captures.
import { __wbg_reset_state, count, initSync, kernel_name } from "#wasm";
import { moduleBytes } from "../page/module.ts";
import { type Bytes, begin, bytesOf } from "./sums.ts";

export { append, type Bytes, checksum, ok, sum, update, updateUdp } from "./sums.ts";

const module = await WebAssembly.compile(moduleBytes());
begin(initSync({ module }));

/** How many checksum fields have each status. */
export interface Statuses {
  good: number;
  bad: number;
  unverified: number;
  absent: number;
  illegal: number;
}

/** The counts of a capture: its object in the JSON of `wiresum verify --json`. */
export interface Counts {
  path: string;
  packets: number;
  captured_bytes: number;
  malformed: number;
  checksums: Record<string, Statuses>;
  quoted: Record<string, Statuses>;
  causes: Record<string, Record<string, number>>;
  unverified: Record<string, Record<string, number>>;
  not_entered: Record<string, number>;
  malformed_by: Record<string, number>;
}

/**
 * Judges every checksum of a capture, and counts them by protocol, status and cause. The capture is
 * a pcap, pcapng or snoop file, also compressed with gzip, zstd, lz4 or xz. `name` is what `path`
 * and errors say. Throws an Error if the bytes are no capture, and a TypeError if an argument is of
 * another type.
 */
export function verify(capture: Bytes, name = "-"): Counts {
  const bytes = bytesOf(capture);
  if (typeof name !== "string") {
    throw new TypeError(`wiresum: the name must be a string, not a ${typeof name}`);
  }
  const read = (offset: number, into: Uint8Array): number => {
    const here = bytes.subarray(offset, offset + into.length);
    into.set(here);
    return here.length;
  };
  try {
    return JSON.parse(count({ name, read }));
  } catch (error) {
    if (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype) {
      throw error; // the module says what is wrong with the capture
    }
    // What ends the module in the middle of its work leaves its stack and its memory as they were.
    __wbg_reset_state();
    begin(initSync({ module }));
    throw new Error(`wiresum: ${name}: the module failed: ${error}`, { cause: error });
  }
}

/** The name of the kernel that computes the sums: `wasm_simd128`, or `portable`. */
export const kernel: string = kernel_name();
