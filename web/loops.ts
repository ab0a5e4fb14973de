// SPDX-License-Identifier: MIT OR Apache-2.0
// The checksum in plain JavaScript, in the ways in which people write it, and the race of
// wiresum/checksum against them. The same code runs in Node and in pages.
type Sum = (data: Uint8Array) => number;

const fold = (total: number): number => {
  const once = (total & 0xffff) + (total >>> 16);
  return ((once + (once >>> 16)) & 0xffff) ^ 0xffff;
};

// biome-ignore-start lint/style/noNonNullAssertion: each index is below the length
/** Words of two bytes: what most programs have. */
const words: Sum = (b) => {
  const n = b.length;
  let sum = 0;
  let at = 0;
  for (; at + 1 < n; at += 2) {
    sum = (sum + ((b[at]! << 8) | b[at + 1]!)) | 0;
  }
  return fold(at < n ? (sum + (b[at]! << 8)) | 0 : sum);
};

/** High and low bytes apart: one shift for all words. */
const halves: Sum = (b) => {
  const last = b.length - 1;
  let high = 0;
  let low = 0;
  let at = 0;
  for (; at < last; at += 2) {
    high = (high + b[at]!) | 0;
    low = (low + b[at + 1]!) | 0;
  }
  if (at === last) {
    high = (high + b[at]!) | 0;
  }
  return fold((high << 8) + low);
};

/** The same, eight bytes a step. */
const unrolled: Sum = (b) => {
  const n = b.length;
  let high = 0;
  let low = 0;
  let at = 0;
  for (const end = n - 7; at < end; at += 8) {
    high = (high + b[at]! + b[at + 2]! + b[at + 4]! + b[at + 6]!) | 0;
    low = (low + b[at + 1]! + b[at + 3]! + b[at + 5]! + b[at + 7]!) | 0;
  }
  for (; at < n - 1; at += 2) {
    high = (high + b[at]!) | 0;
    low = (low + b[at + 1]!) | 0;
  }
  if (at < n) {
    high = (high + b[at]!) | 0;
  }
  return fold((high << 8) + low);
};
// biome-ignore-end lint/style/noNonNullAssertion: each index is below the length

/** getUint16 of a DataView. */
const view16: Sum = (b) => {
  const view = new DataView(b.buffer, b.byteOffset, b.length);
  const n = b.length;
  let sum = 0;
  let at = 0;
  for (; at + 1 < n; at += 2) {
    sum = (sum + view.getUint16(at)) | 0;
  }
  return fold(at < n ? (sum + (view.getUint8(at) << 8)) | 0 : sum);
};

/** getUint32 of a DataView, eight bytes a step; the sum of all words, less the high halves, is the
 * sum of the low halves. */
const view32: Sum = (b) => {
  const view = new DataView(b.buffer, b.byteOffset, b.length);
  const n = b.length;
  let even = 0;
  let odd = 0;
  let evenHigh = 0;
  let oddHigh = 0;
  let at = 0;
  for (; at + 7 < n; at += 8) {
    const first = view.getUint32(at);
    const second = view.getUint32(at + 4);
    even = (even + first) | 0;
    odd = (odd + second) | 0;
    evenHigh = (evenHigh + (first >>> 16)) | 0;
    oddHigh = (oddHigh + (second >>> 16)) | 0;
  }
  const high = (evenHigh + oddHigh) | 0;
  const low = (even + odd - (high << 16)) >>> 0;
  let sum = (high & 0xffff) + (high >>> 16) + (low & 0xffff) + (low >>> 16);
  for (; at + 1 < n; at += 2) {
    sum += view.getUint16(at);
  }
  return fold(at < n ? sum + (view.getUint8(at) << 8) : sum);
};

/** The loops over a Uint8Array, and the loops over a DataView. */
export const LOOPS = { words, halves, unrolled };
export const VIEWS = { view16, view32 };

/** Nanoseconds a call, by length and by function: the least of many short turns, in which all
 * functions take part one after the other. The turns of a length lie far apart, so that no length
 * alone meets a busy second of the machine. Each function has a timer of its own, so that it is in
 * line in its timer or not as in any program. */
export function race(
  checksum: Sum,
  sizes: number[],
  rounds = 60,
): Record<string, Record<string, number>> {
  const all: Record<string, Sum> = { wiresum: checksum, ...LOOPS, ...VIEWS };
  const timers = Object.entries(all).map(([name, sum]) => {
    const body = `// ${name}
      let kept = 0;
      const start = performance.now();
      for (let i = 0; i < n; i++) {
        kept ^= sum(data);
      }
      return ((performance.now() - start) * 1e6) / n + (kept === -1 ? NaN : 0);`;
    const timer = new Function("sum", "data", "n", body) as (
      sum: Sum,
      data: Uint8Array,
      n: number,
    ) => number;
    return { name, sum, timer };
  });
  const turns = sizes.map((size) => {
    const data = Uint8Array.from({ length: size }, (_, at) => (at * 73 + 11) & 0xff);
    for (const { name, sum } of timers) {
      if (sum(data) !== words(data)) {
        throw new Error(`${name} gives ${sum(data)} for ${size} bytes, and not ${words(data)}`);
      }
    }
    const n = Math.ceil(6e6 / (10 + size / 2)); // some milliseconds, for clocks of 0.1 ms
    return { size, data, n, least: {} as Record<string, number> };
  });
  for (let round = 0; round < rounds; round++) {
    for (const { data, n, least } of turns) {
      for (const { name, sum, timer } of timers) {
        least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, timer(sum, data, n));
      }
    }
  }
  const rounded = (least: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.entries(least).map(([name, ns]) => [name, Number(ns.toFixed(1))]));
  return Object.fromEntries(turns.map(({ size, least }) => [size, rounded(least)]));
}
