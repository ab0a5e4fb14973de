// SPDX-License-Identifier: MIT OR Apache-2.0
// The package `wiresum`: the Internet checksum (RFC 1071), and the verdicts on captures.
import { count, initSync, kernel_name } from "#wasm";
import { moduleBytes } from "../page/module.ts";
import { type Bytes, begin } from "./sums.ts";

export { append, type Bytes, checksum, ok, sum, update, updateUdp } from "./sums.ts";

begin(initSync({ module: await WebAssembly.compile(moduleBytes()) }));

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
 * and errors say. Throws an Error if the bytes are no capture.
 */
export function verify(capture: Bytes, name = "-"): Counts {
  const bytes = ArrayBuffer.isView(capture)
    ? new Uint8Array(capture.buffer, capture.byteOffset, capture.byteLength)
    : new Uint8Array(capture);
  const read = (offset: number, into: Uint8Array): number => {
    const here = bytes.subarray(offset, offset + into.length);
    into.set(here);
    return here.length;
  };
  return JSON.parse(count({ name, read }));
}

/** The name of the kernel that computes the sums: `wasm_simd128`, or `portable`. */
export const kernel: string = kernel_name();
