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
}

/** A repaired capture, and the table of what was repaired. */
export interface Repaired {
  blob: Blob;
  table: string;
  json: string;
}

/** What the worker can do: each operation with its arguments and its result. */
export interface Operations {
  begin: { arguments: [module: ArrayBuffer]; result: string };
  verify: { arguments: [files: File[]]; result: Verdict };
  rows: { arguments: [filter: Filter, most: number]; result: Rows };
  explain: { arguments: [file: number, frame: number]; result: string };
  fix: { arguments: [file: number, out: string, causes: string[]]; result: Repaired };
  csv: { arguments: []; result: Blob };
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
  /** The file that is read, from 0. */
  file: number;
  name: string;
  /** How many of its bytes have been read. */
  read: number;
  size: number;
}
