// SPDX-License-Identifier: MIT OR Apache-2.0
// What build.ts packed. The module in WebAssembly is there twice: for runtimes with vectors of 128
// bits, and for those without, which refuse the first one. Packed together, the second one is
// almost free.

import { decompress } from "fzstd";

/** The smallest module with a vector instruction: it returns i8x16.popcnt(i8x16.splat(0)). */
const VECTOR = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

/** The bytes that build.ts packed: Zstandard in base64. */
export function unpack(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return decompress(bytes) as Uint8Array<ArrayBuffer>;
}

/** Whether this runtime has vectors. */
export const hasVectors = (): boolean => WebAssembly.validate(VECTOR);

/** The module for a runtime with vectors, or the one without, of both packed modules. */
export function moduleOf(
  packed: string,
  split: number,
  vectors = hasVectors(),
): Uint8Array<ArrayBuffer> {
  const both = unpack(packed);
  return vectors ? both.slice(0, split) : both.slice(split);
}
