// SPDX-License-Identifier: MIT OR Apache-2.0
// What the page and its worker tell each other.

/** The wrong checksums that a reader looks for. What is empty looks for all. */
export interface Filter {
  file?: number;
  host?: string;
  protocol?: string;
  cause?: string;
}

/** A wrong checksum. */
export interface Row {
  file: number;
  path: string;
  frame: number;
  time: string | null;
  layer: number;
  protocol: string;
  between: string;
  status: string;
  kind: string;
  found: string | null;
  expected: string | null;
}

/** The first rows that a filter finds. */
export interface Rows {
  found: number;
  /** How many more wrong checksums the captures have than the page holds. */
  beyond: number;
  rows: Row[];
}

/** The outputs of the captures that the page has read. */
export interface Verdict {
  html: string;
  json: string;
  /** The name of each file for a reader, with escapes for what would hide in it. */
  names: string[];
}

/** A repaired capture, and the table of what was repaired. */
export interface Repaired {
  blob: Blob;
  table: string;
  json: string;
}

/** What the worker can do: each operation with its arguments and its result. */
export interface Operations {
  /** Prepares the module, which is as build.ts packed it. */
  begin: { arguments: [packed: string, split: number, vectors: boolean]; result: string };
  /** Reads captures. The worker holds their first bad checksums, for which it has room. */
  verify: { arguments: [files: File[], room: number]; result: Verdict };
  /** The rows that the worker holds of the captures that it has read. */
  rows: { arguments: [filter: Filter, most: number]; result: Rows };
  /** Reads captures again for rows that had no room. */
  search: { arguments: [files: File[], filter: Filter, most: number, room: number]; result: Rows };
  explain: { arguments: [file: File, frame: number]; result: string };
  fix: { arguments: [file: File, out: string, causes: string[]]; result: Repaired };
  csv: { arguments: [files: File[]]; result: Blob };
  hexdump: { arguments: [text: string]; result: Uint8Array<ArrayBuffer> };
}

export type Name = keyof Operations;

export interface Request<N extends Name = Name> {
  id: number;
  name: N;
  arguments: Operations[N]["arguments"];
}

export type Reply =
  | { id: number; result: Operations[Name]["result"] }
  /** A failure; after a fatal one the worker is of no more use. */
  | { id: number; error: string; fatal: boolean }
  | { id: number; progress: Progress };

export interface Progress {
  /** The name of the file that is read. */
  name: string;
  /** How much of it has been read, and how much of all files, from 0 to 1. */
  part: number;
  all: number;
}
