// SPDX-License-Identifier: MIT OR Apache-2.0
// The package `wiresum`: functions on bytes; verdicts, explanations and repairs of captures.
import compile from "#module";
import {
  __wbg_reset_state,
  count,
  initSync,
  explain as moduleExplain,
  fix as moduleFix,
} from "#wasm";
import { type Bytes, bytesOf } from "./sums.ts";

export * from "./checksum.ts";

let module: WebAssembly.Module | undefined;
let beginning: Promise<void> | undefined;

/**
 * Prepares the module, on which the functions on captures run. Further calls wait for the first
 * one. `given` is the module `wiresum/wiresum.wasm`, for a runtime that compiles none itself.
 */
export function init(given?: WebAssembly.Module): Promise<void> {
  beginning ??= (async () => {
    const compiled = given ?? (await compile());
    initSync({ module: compiled });
    module = compiled;
  })();
  beginning.catch(() => {
    beginning = undefined; // the next call tries again
  });
  return beginning;
}

/** How many checksum fields have each status. */
export interface Statuses {
  good: number;
  bad: number;
  unverified: number;
  absent: number;
  illegal: number;
}

/** The verdict on a capture in a sentence, and its parts. */
export interface Verdict {
  tone: "good" | "harmless" | "bad" | "unsure";
  sentence: string;
  checksums: number;
  bad: number;
  cause: string | null;
  with_cause: number;
  sent_by: string[];
}

/** The counts of a capture: its object in the JSON of `wiresum verify --json`. */
export interface Counts {
  path: string;
  verdict: Verdict;
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

/** Calls a function of the module with a capture that is in memory. */
function onCapture<T>(
  capture: Bytes,
  name: string,
  call: (source: { name: string; read(offset: number, into: Uint8Array): number }) => T,
): T {
  const bytes = bytesOf(capture);
  if (typeof name !== "string") {
    throw new TypeError(`wiresum: the name must be a string, not a ${typeof name}`);
  }
  if (!module) {
    throw new Error("wiresum: the module is not ready: call `await init()` first");
  }
  const read = (offset: number, into: Uint8Array): number => {
    const here = bytes.subarray(offset, offset + into.length);
    into.set(here);
    return here.length;
  };
  try {
    return call({ name, read });
  } catch (error) {
    if (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype) {
      throw error; // the module says what is wrong with the capture
    }
    // What ends the module in the middle of its work leaves its stack and its memory as they were.
    __wbg_reset_state();
    initSync({ module });
    throw new Error(`wiresum: ${name}: the module failed: ${error}`, { cause: error });
  }
}

/**
 * Judges every checksum of a capture, and counts them by protocol, status and cause. The capture is
 * a pcap, pcapng or snoop file, also compressed with gzip, zstd, lz4 or xz. `name` is what `path`
 * and errors say. Throws an Error if the bytes are no capture, and a TypeError if an argument is of
 * another type.
 */
export function verify(capture: Bytes, name = "-"): Counts {
  return JSON.parse(onCapture(capture, name, count));
}

/** Returns the text of `wiresum explain` for one frame of a capture. The first frame is 1. */
export function explain(capture: Bytes, frame: number, name = "-"): string {
  if (!Number.isSafeInteger(frame) || frame < 1) {
    throw new RangeError(`wiresum: the frame must be an integer of 1 or more, not ${frame}`);
  }
  return onCapture(capture, name, (source) => moduleExplain(source, frame));
}

/** What `fix` does, and how it names the captures. */
export interface FixOptions {
  /** Only bad checksums with these causes are repaired; without it, every bad one is. */
  only?: readonly string[];
  /** What errors and the report call the capture. */
  name?: string;
  /** What the report calls the repaired capture. */
  out?: string;
}

/** A repaired capture, and what was changed. */
export interface Fixed {
  /** The bytes that `wiresum fix` writes, not compressed. */
  capture: Uint8Array<ArrayBuffer>;
  /** The table that `wiresum fix` prints. */
  table: string;
  /** The object that `wiresum fix --json` prints. */
  report: Record<string, unknown>;
}

/** A capture in memory that grows as it is written. */
class Memory {
  private bytes: Uint8Array<ArrayBuffer>;
  private length = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  write(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.bytes.length) {
      const larger = new Uint8Array(2 * (this.length + bytes.length));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  patch(position: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, position);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}

/** Repairs the checksums of a capture, as `wiresum fix` does. The given capture stays as it is. */
export function fix(capture: Bytes, options: FixOptions = {}): Fixed {
  const { only = [], name = "-", out = "-" } = options;
  const target = new Memory(bytesOf(capture).length);
  const call = (source: Parameters<typeof moduleFix>[0]) =>
    moduleFix(source, out, [...only], target);
  const { table, json } = onCapture(capture, name, call);
  return { capture: target.finish(), table, report: JSON.parse(json) };
}
