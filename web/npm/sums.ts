// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of bytes by the kernel of the module.
import {
  append as appended,
  room,
  room_size,
  room_sum,
  update_udp,
  update as updated,
} from "#wasm";

/** Bytes: any array, view or buffer. They are read as they lie in memory. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** The bytes of data, which are not copied. */
export function bytesOf(data: Bytes): Uint8Array {
  if (data instanceof Uint8Array) {
    return data;
  }
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (data instanceof ArrayBuffer) {
    return new Uint8Array(data);
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

/** Whether a length or an offset is odd. */
function isOdd(value: number, what: string): boolean {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`wiresum: ${what} must be an integer that is not negative, not ${value}`);
  }
  return value % 2 === 1;
}

/** The memory of the module, once it is there. */
let memory: WebAssembly.Memory;
let bytes = new Uint8Array(0);
let size = 0;

/** Takes the exports of the module, which all sums need. */
export function begin({ memory: its }: { readonly memory: WebAssembly.Memory }): void {
  memory = its;
  size = room_size();
  look();
}

/** Looks at the room, whose address stays. */
function look(): void {
  const address = room();
  bytes = new Uint8Array(memory.buffer, address, size);
}

/**
 * Returns the sum of bytes, the one's complement sum of their 16-bit words (RFC 1071), as the
 * number that documents print. The last byte of an odd length is the first byte of its word.
 */
export function sum(data: Bytes): number {
  const all = bytesOf(data);
  if (bytes.length === 0) {
    look(); // the memory has grown
  }
  if (all.length <= size) {
    bytes.set(all);
    return room_sum(0, all.length);
  }
  let total = 0;
  for (let from = 0; from < all.length; from += size) {
    const piece = all.subarray(from, from + size);
    bytes.set(piece);
    total = room_sum(total, piece.length);
  }
  return total;
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

/**
 * Returns the sum of two pieces of data, `head` of `headLength` bytes and `tail` after it. The
 * length may be odd.
 */
export function append(head: number, headLength: number, tail: number): number {
  return appended(word(head, "the sum"), isOdd(headLength, "the length"), word(tail, "the sum"));
}

/**
 * Returns the new checksum when the bytes at `offset` go from `was` to `is`, which have one length
 * (equation 3 of RFC 1624). The offset counts from the first byte of the data and may be odd. Data
 * that become all zero get 0x0000, and not 0xFFFF (RFC 1624 section 3).
 */
export function update(checksum: number, offset: number, was: Bytes, is: Bytes): number {
  return change(updated, checksum, offset, was, is);
}

/**
 * Returns the new checksum of a UDP datagram, as {@link update} does, except that 0x0000 becomes
 * 0xFFFF (RFC 768). A checksum of 0x0000, "not computed", stays.
 */
export function updateUdp(checksum: number, offset: number, was: Bytes, is: Bytes): number {
  return change(update_udp, checksum, offset, was, is);
}

function change(
  by: typeof updated,
  checksum: number,
  offset: number,
  was: Bytes,
  is: Bytes,
): number {
  const [before, after] = [bytesOf(was), bytesOf(is)];
  if (before.length !== after.length) {
    throw new RangeError(
      `wiresum: the bytes before and after an update must have one length, not ${before.length} ` +
        `and ${after.length}`,
    );
  }
  return by(word(checksum, "the checksum"), isOdd(offset, "the offset"), before, after);
}
