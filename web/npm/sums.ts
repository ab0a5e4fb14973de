// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of bytes, and their algebra. Short data are summed here. Long data are summed by the kernel
// of a small module, into whose memory they are copied: the copy and the call take as long as the
// loop over some 48 bytes.
import module from "#kernel";

/** Bytes: any view or buffer, also shared, also of another realm. They are read as they lie. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/** The length at which the kernel takes over. */
const LONG = 48;
/** The most bytes that the kernel sums in a call: the size of its room. It is even. */
const ROOM = 8192;
/** The most bytes that a loop adds in 32 bits, which is even. */
const BLOCK = 65536;

/** The length of a buffer, by a method that looks at what the object is, in any realm. */
function lengthOf(prototype: object): (buffer: unknown) => number {
  const { get } = Object.getOwnPropertyDescriptor(prototype, "byteLength") as PropertyDescriptor;
  return (buffer) => Reflect.apply(get as () => number, buffer, []);
}
const LENGTHS = [ArrayBuffer, globalThis.SharedArrayBuffer]
  .filter((kind) => kind) // a page that is not isolated has no SharedArrayBuffer
  .map(({ prototype }) => lengthOf(prototype));

/** The bytes of data, which are not copied. */
export function bytesOf(data: Bytes): Uint8Array {
  if (data instanceof Uint8Array) {
    return data;
  }
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  for (const length of LENGTHS) {
    try {
      return new Uint8Array(data, 0, length(data));
    } catch {
      // a buffer of the other kind, or none
    }
  }
  throw new TypeError("wiresum: the data must be an ArrayBuffer, or a view of one");
}

/** A number of 16 bits. */
function word(value: number, what: string): number {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff) {
    throw new RangeError(`wiresum: ${what} must be an integer from 0 to 65535, not ${value}`);
  }
  return value;
}

/** A count of bytes. */
export function count(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`wiresum: ${what} must be an integer that is not negative, not ${value}`);
  }
  return value;
}

/** Two sums, added with end-around carry. */
export function add(a: number, b: number): number {
  const sum = a + b;
  return (sum & 0xffff) + (sum >>> 16);
}

const fold = (total: number): number => add(total & 0xffff, total >>> 16);
const swap = (sum: number): number => ((sum & 0xff) << 8) | (sum >>> 8);

/** The sum of bytes, of which there are at most BLOCK, by a loop. */
function loopSum(b: Uint8Array, n: number): number {
  // biome-ignore-start lint/style/noNonNullAssertion: each index is below n
  if (n === 20) {
    // A header of IPv4 or TCP: a loop would take half as long again.
    const high = b[0]! + b[2]! + b[4]! + b[6]! + b[8]! + b[10]! + b[12]! + b[14]! + b[16]! + b[18]!;
    const low = b[1]! + b[3]! + b[5]! + b[7]! + b[9]! + b[11]! + b[13]! + b[15]! + b[17]! + b[19]!;
    return fold((high << 8) + low);
  }
  let high = 0;
  let low = 0;
  let at = 0;
  for (const end = n - 3; at < end; at += 4) {
    high = (high + b[at]! + b[at + 2]!) | 0;
    low = (low + b[at + 1]! + b[at + 3]!) | 0;
  }
  if (at < n - 1) {
    high = (high + b[at]!) | 0;
    low = (low + b[at + 1]!) | 0;
    at += 2;
  }
  if (at < n) {
    high = (high + b[at]!) | 0;
  }
  // biome-ignore-end lint/style/noNonNullAssertion: each index is below n
  return fold((high << 8) + low);
}

/** The sum of at most BLOCK bytes where there is no kernel: words of 32 bits halve the loads. */
function viewSum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length & ~3;
  let all = 0;
  let high = 0;
  for (let at = 0; at < end; at += 4) {
    const pair = view.getUint32(at);
    all = (all + pair) | 0;
    high = (high + (pair >>> 16)) | 0;
  }
  const low = (all - (high << 16)) >>> 0; // below 2^32, so that nothing is lost
  return add(add(fold(high), fold(low)), loopSum(bytes.subarray(end), bytes.length - end));
}

interface Kernel {
  readonly memory: WebAssembly.Memory;
  room(): number;
  sum(length: number): number;
}

/** The room of the kernel, or null where the runtime refuses WebAssembly or its vectors. */
let room: Uint8Array | null | undefined;
let roomSum: Kernel["sum"];

function begin(): void {
  try {
    const { exports } = new WebAssembly.Instance(module());
    const kernel = exports as unknown as Kernel;
    roomSum = kernel.sum;
    room = new Uint8Array(kernel.memory.buffer, kernel.room(), ROOM);
  } catch {
    room = null;
  }
}

/** The sum of bytes that are not short, or not plainly an Uint8Array. */
function longSum(bytes: Uint8Array): number {
  const length = bytes.length;
  if (length < LONG) {
    return loopSum(bytes, length);
  }
  if (room === undefined) {
    begin();
  }
  if (room && length <= ROOM) {
    room.set(bytes);
    return roomSum(length);
  }
  let total = 0;
  const size = room ? ROOM : BLOCK;
  for (let from = 0; from < length; from += size) {
    const piece = bytes.subarray(from, from + size);
    if (room) {
      room.set(piece);
    }
    total = add(total, room ? roomSum(piece.length) : viewSum(piece));
  }
  return total;
}

/** The name of the kernel that sums long data: `wasm_simd128`, or `javascript`. */
export function kernel(): "wasm_simd128" | "javascript" {
  if (room === undefined) {
    begin();
  }
  return room ? "wasm_simd128" : "javascript";
}

/**
 * Returns the sum of bytes, the one's complement sum of their 16-bit words (RFC 1071), as the
 * number that documents print. The last byte of an odd length is the first byte of its word.
 */
export function sum(data: Bytes): number {
  // The length comes first: V8 then knows what the object is, and judges it in no time.
  const length = (data as Uint8Array).length;
  return length < LONG && data instanceof Uint8Array
    ? loopSum(data, length)
    : longSum(bytesOf(data));
}

/**
 * Returns the checksum of bytes, the complement of their sum, to store in big-endian order in a
 * field that was zero, or left out, in the bytes.
 */
export function checksum(data: Bytes): number {
  return sum(data) ^ 0xffff;
}

/**
 * Returns whether bytes, which include their checksum, sum to 0xFFFF (RFC 1071 section 1). Empty
 * data and all-zero data sum to 0, so the result is false for them.
 */
export function ok(data: Bytes): boolean {
  return sum(data) === 0xffff;
}

/** What is left of a sum. */
export function subtract(whole: number, part: number): number {
  return part === 0 ? whole : add(whole, part ^ 0xffff);
}

const atOffset = (offset: number, sum: number): number => (offset % 2 === 1 ? swap(sum) : sum);

/**
 * Returns the sum of two pieces of data, `head` of `headLength` bytes and `tail` after it. The
 * length may be odd.
 */
export function append(head: number, headLength: number, tail: number): number {
  const at = count(headLength, "the length");
  return add(word(head, "the sum"), atOffset(at, word(tail, "the sum")));
}

/**
 * Returns the sum of the head when a piece with the sum `tail` is taken away that follows
 * `headLength` bytes. If both sums are equal and not 0x0000, the head may be all zero; the result
 * is 0xFFFF then.
 */
export function remove(whole: number, headLength: number, tail: number): number {
  const at = count(headLength, "the length");
  return subtract(word(whole, "the sum"), atOffset(at, word(tail, "the sum")));
}

/** Returns the sum of the rest when the first `headLength` bytes, with the sum `head`, are gone. */
export function removeHead(whole: number, headLength: number, head: number): number {
  const at = count(headLength, "the length");
  return atOffset(at, subtract(word(whole, "the sum"), word(head, "the sum")));
}

/**
 * Returns the new checksum when a part at an even offset, with the sum `was`, has given way to a
 * part with the sum `is`. The parts may differ in length: NAT64 exchanges pseudo-headers so.
 */
export function updateSum(checksum: number, was: number, is: number): number {
  const rest = subtract(word(checksum, "the checksum") ^ 0xffff, word(was, "the sum"));
  return add(rest, word(is, "the sum")) ^ 0xffff;
}

/** Returns what UDP sends for a checksum: 0xFFFF for 0x0000. */
export const udpField = (checksum: number): number => checksum || 0xffff;

/** Returns the checksum of {@link updateSum} as UDP sends it. 0x0000, "not computed", stays. */
export function updateUdpSum(checksum: number, was: number, is: number): number {
  const after = updateSum(checksum, was, is);
  return checksum === 0 ? 0 : udpField(after);
}

function sums(offset: number, was: Bytes, is: Bytes): [was: number, is: number] {
  const [before, after] = [bytesOf(was), bytesOf(is)];
  if (before.length !== after.length) {
    const lengths = `${before.length} and ${after.length}`;
    throw new RangeError(
      `wiresum: the bytes before and after must have one length, not ${lengths}`,
    );
  }
  const at = count(offset, "the offset");
  return [atOffset(at, sum(before)), atOffset(at, sum(after))];
}

/**
 * Returns the new checksum when the bytes at `offset` go from `was` to `is`, which have one length
 * (equation 3 of RFC 1624). The offset counts from the first byte of the data and may be odd. Data
 * that become all zero get 0x0000, and not 0xFFFF (RFC 1624 section 3).
 */
export function update(checksum: number, offset: number, was: Bytes, is: Bytes): number {
  return updateSum(checksum, ...sums(offset, was, is));
}

/**
 * Returns the new checksum of a UDP datagram, as {@link update} does, except that 0x0000 becomes
 * 0xFFFF (RFC 768). A checksum of 0x0000, "not computed", stays.
 */
export function updateUdp(checksum: number, offset: number, was: Bytes, is: Bytes): number {
  return updateUdpSum(checksum, ...sums(offset, was, is));
}

/** The sum of data that come in pieces of any length. */
export class Stream {
  /** The sum of the pieces so far. */
  sum = 0;
  /** The number of their bytes. */
  length = 0;

  /** Takes the next piece. */
  push(piece: Bytes): this {
    const bytes = bytesOf(piece);
    this.sum = add(this.sum, atOffset(this.length, sum(bytes)));
    this.length += bytes.length;
    return this;
  }

  /** The checksum of the pieces so far. */
  get checksum(): number {
    return this.sum ^ 0xffff;
  }
}

/** The bytes from `offset` on, piece by piece, until `take` wants no more. */
function walk(pieces: Iterable<Bytes>, offset: number, take: (part: Uint8Array) => boolean): void {
  let skip = count(offset, "the offset");
  for (const piece of pieces) {
    const bytes = bytesOf(piece);
    const part = bytes.subarray(Math.min(skip, bytes.length));
    skip -= bytes.length - part.length;
    if (part.length > 0 && !take(part)) {
      return;
    }
  }
  if (skip > 0) {
    throw new RangeError(`wiresum: the pieces end ${skip} bytes before the offset`);
  }
}

/** Returns the sum of `length` bytes from `offset` on, of data that lie in pieces. */
export function range(pieces: Iterable<Bytes>, offset: number, length: number): number {
  const stream = new Stream();
  const wanted = count(length, "the length");
  walk(pieces, offset, (part) => {
    stream.push(part.subarray(0, wanted - stream.length));
    return stream.length < wanted;
  });
  if (stream.length < wanted) {
    const missing = wanted - stream.length;
    throw new RangeError(`wiresum: the pieces end ${missing} bytes before the range does`);
  }
  return stream.sum;
}

/**
 * Copies bytes from `offset` on, of data that lie in pieces, into rooms, one after the other, until
 * the pieces end or the rooms are full. Returns the sum and the number of the bytes.
 */
export function copy(pieces: Iterable<Bytes>, offset: number, rooms: Iterable<Bytes>): Stream {
  const stream = new Stream();
  const free = Array.from(rooms, bytesOf);
  walk(pieces, offset, (part) => {
    let rest = part;
    while (rest.length > 0 && free[0]) {
      const here = free[0].subarray(0, rest.length);
      here.set(rest.subarray(0, here.length));
      stream.push(here);
      rest = rest.subarray(here.length);
      free[0] = free[0].subarray(here.length);
      if (free[0].length === 0) {
        free.shift();
      }
    }
    return free.length > 0;
  });
  return stream;
}
