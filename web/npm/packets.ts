// SPDX-License-Identifier: MIT OR Apache-2.0
// The checksums of protocols, and of whole packets. The walk is the one of c/src/packet.c.
import { add, type Bytes, bytesOf, count, subtract, sum, udpField } from "./sums.ts";

/** An address of IPv4 or IPv6: text, or its 4 or 16 bytes. */
export type Address = string | Bytes;

const [HOP_BY_HOP, ICMP, IGMP, TCP, UDP] = [0, 1, 2, 6, 17] as const;
const [ROUTING, FRAGMENT, AUTHENTICATION] = [43, 44, 51] as const;
const [ICMPV6, DESTINATION_OPTIONS, UDP_LITE] = [58, 60, 136] as const;

const number16 = (b: Uint8Array, at: number): number => ((b[at] ?? 0) << 8) | (b[at + 1] ?? 0);
const byte = (b: Uint8Array, at: number): number => b[at] ?? 0;

function store(b: Uint8Array, at: number, value: number): void {
  b[at] = value >>> 8;
  b[at + 1] = value;
}

// ---- Pseudo-headers ----

/** The words of a dotted address. */
function ipv4(text: string): number[] | undefined {
  const bytes = text.split(".");
  const plain = bytes.length === 4 && bytes.every((b) => /^(0|[1-9]\d{0,2})$/.test(b) && +b < 256);
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return plain ? [(a << 8) | b, (c << 8) | d] : undefined;
}

/** The words of an address with colons (RFC 4291 section 2.2), which may name a zone. */
function ipv6(text: string): number[] | undefined {
  const halves = text.replace(/%.*$/s, "").split("::");
  const words = halves.map((half, at) => {
    const groups = half === "" ? [] : half.split(":");
    const last =
      at === halves.length - 1 && groups.at(-1)?.includes(".") ? groups.pop() : undefined;
    const head = groups.map((group) => (/^[\da-f]{1,4}$/i.test(group) ? Number(`0x${group}`) : -1));
    return last === undefined ? head : [...head, ...(ipv4(last) ?? [-1])];
  });
  const [head = [], tail] = words;
  const gap = 8 - words.flat().length;
  const fits = tail ? words.length === 2 && gap > 0 : gap === 0;
  return fits && !words.flat().includes(-1)
    ? [...head, ...new Array<number>(gap).fill(0), ...(tail ?? [])]
    : undefined;
}

/** The number of words of an address, and their sum. */
function addressOf(address: Address): [words: number, sum: number] {
  if (typeof address !== "string") {
    const bytes = bytesOf(address);
    if (bytes.length !== 4 && bytes.length !== 16) {
      throw new RangeError(`wiresum: an address has 4 or 16 bytes, not ${bytes.length}`);
    }
    return [bytes.length / 2, sum(bytes)];
  }
  const words = address.includes(":") ? ipv6(address) : ipv4(address);
  if (!words) {
    throw new RangeError(`wiresum: ${JSON.stringify(address)} is no address of IPv4 or IPv6`);
  }
  return [words.length, words.reduce(add, 0)];
}

/**
 * Returns the sum of the pseudo-header of a segment of `length` bytes, its own header included. The
 * addresses are both of IPv4, or both of IPv6. `protocol` is the number of the segment's own
 * header, and with a routing header the destination is the final one.
 */
export function pseudo(
  source: Address,
  destination: Address,
  protocol: number,
  length: number,
): number {
  const [[family, from], [other, to]] = [addressOf(source), addressOf(destination)];
  if (family !== other) {
    throw new RangeError("wiresum: one address is of IPv4, and the other one of IPv6");
  }
  if (count(protocol, "the protocol") > 255 || count(length, "the length") > 0xffffffff) {
    throw new RangeError("wiresum: a protocol has 8 bits, and a length has 32");
  }
  return [protocol, length >>> 16, length & 0xffff, to].reduce(add, from);
}

// ---- Protocols ----

/** A protocol: where its field is, and how short its header may be. */
type Protocol = readonly [name: string, number: number, field: number, least: number];
const PROTOCOLS = {
  ipv4: ["an IPv4 header", -1, 10, 20],
  tcp: ["a TCP segment", TCP, 16, 20],
  udp: ["a UDP datagram", UDP, 6, 8],
  udplite: ["a UDP-Lite datagram", UDP_LITE, 6, 8],
  icmp: ["an ICMP message", ICMP, 2, 4],
  icmpv6: ["an ICMPv6 message", ICMPV6, 2, 4],
} satisfies Record<string, Protocol>;

/** The checksum of bytes whose field, at an even offset, counts as zero. */
function without(seed: number, b: Uint8Array, field: number): number {
  const rest = subtract(sum(b), number16(b, field));
  if (rest !== 0xffff || seed !== 0) {
    return add(seed, rest) ^ 0xffff;
  }
  // The difference does not say whether all other bytes are zero (spec/checksum.md, "Composing").
  return add(sum(b.subarray(0, field)), sum(b.subarray(field + 2))) ^ 0xffff;
}

function compute([name, , field, least]: Protocol, b: Uint8Array, seed: number): number {
  if (b.length < least) {
    throw new RangeError(`wiresum: ${name} has at least ${least} bytes, not ${b.length}`);
  }
  return without(seed, b, field);
}

/** Whether bytes sum to 0xFFFF with their pseudo-header. */
function judge([, number, , least]: Protocol, b: Uint8Array, ends?: [Address, Address]): boolean {
  const seed = ends ? pseudo(...ends, number, b.length) : 0;
  return b.length >= least && add(seed, sum(b)) === 0xffff;
}

/** Returns the checksum of an IPv4 header, options included, whatever its field holds. */
export function ipv4Header(header: Bytes): number {
  return compute(PROTOCOLS.ipv4, bytesOf(header), 0);
}

/** Returns whether the checksum of an IPv4 header is right. */
export function ipv4HeaderOk(header: Bytes): boolean {
  return judge(PROTOCOLS.ipv4, bytesOf(header));
}

/** Returns the checksum of a TCP segment, whatever its field holds. */
export function tcp(source: Address, destination: Address, segment: Bytes): number {
  const b = bytesOf(segment);
  return compute(PROTOCOLS.tcp, b, pseudo(source, destination, TCP, b.length));
}

/** Returns whether the checksum of a TCP segment is right. */
export function tcpOk(source: Address, destination: Address, segment: Bytes): boolean {
  return judge(PROTOCOLS.tcp, bytesOf(segment), [source, destination]);
}

/** Returns the checksum of a UDP datagram as UDP sends it, so never 0x0000. */
export function udp(source: Address, destination: Address, datagram: Bytes): number {
  const b = bytesOf(datagram);
  return udpField(compute(PROTOCOLS.udp, b, pseudo(source, destination, UDP, b.length)));
}

/**
 * Returns whether the checksum of a UDP datagram is right. A field of 0x0000, "not computed", gives
 * false; a receiver accepts it over IPv4.
 */
export function udpOk(source: Address, destination: Address, datagram: Bytes): boolean {
  const b = bytesOf(datagram);
  return judge(PROTOCOLS.udp, b, [source, destination]) && number16(b, 6) !== 0;
}

/** The bytes that the checksum of UDP-Lite covers, or 0 if the coverage is illegal. */
function coverage(b: Uint8Array): number {
  const covers = b.length < 8 ? -1 : number16(b, 4);
  return covers === 0 ? b.length : covers < 8 || covers > b.length ? 0 : covers;
}

/** Returns the checksum of a UDP-Lite datagram (RFC 3828) as it is sent, so never 0x0000. */
export function udplite(source: Address, destination: Address, datagram: Bytes): number {
  const b = bytesOf(datagram);
  const covers = coverage(b);
  if (covers === 0) {
    const least = `of ${b.length} bytes is 0, or from 8 to ${b.length}`;
    throw new RangeError(`wiresum: the coverage of a UDP-Lite datagram ${least}`);
  }
  const seed = pseudo(source, destination, UDP_LITE, b.length);
  return udpField(compute(PROTOCOLS.udplite, b.subarray(0, covers), seed));
}

/** Returns whether the checksum of a UDP-Lite datagram is right, and its coverage legal. */
export function udpliteOk(source: Address, destination: Address, datagram: Bytes): boolean {
  const b = bytesOf(datagram);
  const seed = pseudo(source, destination, UDP_LITE, b.length);
  const covers = coverage(b);
  const legal = covers !== 0 && number16(b, 6) !== 0;
  return legal && add(seed, sum(b.subarray(0, covers))) === 0xffff;
}

/** Returns the checksum of an ICMP message, which has no pseudo-header. */
export function icmp(message: Bytes): number {
  return compute(PROTOCOLS.icmp, bytesOf(message), 0);
}

/** Returns whether the checksum of an ICMP message is right. */
export function icmpOk(message: Bytes): boolean {
  return judge(PROTOCOLS.icmp, bytesOf(message));
}

/** Returns the checksum of an ICMPv6 message, whatever its field holds. */
export function icmpv6(source: Address, destination: Address, message: Bytes): number {
  const b = bytesOf(message);
  return compute(PROTOCOLS.icmpv6, b, pseudo(source, destination, ICMPV6, b.length));
}

/** Returns whether the checksum of an ICMPv6 message is right. */
export function icmpv6Ok(source: Address, destination: Address, message: Bytes): boolean {
  return judge(PROTOCOLS.icmpv6, bytesOf(message), [source, destination]);
}

// ---- Whole packets ----

/** The result of a verification; the contract (spec/checksum.md) has their meanings. */
export type PacketResult =
  | "good"
  | "bad"
  | "bad_header"
  | "absent"
  | "illegal"
  | "fragment"
  | "unknown"
  | "routed"
  | "short"
  | "malformed";

/** The checksum of a packet's payload: the bytes that it covers, and its field in them. */
interface Payload {
  /** 0 for IPv6. */
  headerLength: number;
  covered: Uint8Array;
  field: number;
  seed: number;
  /** The result for a field of 0x0000, where it has one. */
  zero?: PacketResult;
}

/** The protocols of payloads: the field, the shortest header, and whether IPv4 and IPv6 have them
 * and their checksums a pseudo-header. */
const PAYLOADS: Record<
  number,
  [field: number, least: number, v4: boolean, v6: boolean, seed: boolean]
> = {
  [TCP]: [16, 20, true, true, true],
  [UDP]: [6, 8, true, true, true],
  [UDP_LITE]: [6, 8, true, true, true],
  [ICMP]: [2, 4, true, false, false],
  [IGMP]: [2, 8, true, false, false],
  [ICMPV6]: [2, 4, false, true, true],
};

function payloadOf(
  headerLength: number,
  protocol: number,
  b: Uint8Array,
  source: Uint8Array,
  destination: Uint8Array,
): Payload | PacketResult {
  const row = PAYLOADS[protocol];
  const over4 = headerLength !== 0;
  if (!row?.[over4 ? 2 : 3]) {
    return "unknown";
  }
  const [field, least, , , hasSeed] = row;
  if (b.length < least) {
    return "malformed";
  }
  const payload: Payload = { headerLength, covered: b, field, seed: 0 };
  let length = b.length;
  if (protocol === UDP) {
    const said = number16(b, 4);
    payload.zero = over4 ? "absent" : "illegal";
    // 0 in a jumbogram is the length of the packet (RFC 2675 section 4).
    if (said !== 0 || over4 || length <= 0xffff) {
      if (said < 8 || said > length) {
        return "malformed";
      }
      length = said;
      payload.covered = b.subarray(0, said);
    }
  } else if (protocol === UDP_LITE) {
    payload.zero = "illegal";
    const covers = coverage(b);
    if (covers === 0) {
      return "illegal";
    }
    payload.covered = b.subarray(0, covers);
  }
  payload.seed = hasSeed ? pseudo(source, destination, protocol, length) : 0;
  return payload;
}

/** The length of the extension header at the beginning of bytes, or 0 if it is longer than they. */
function extension(type: number, b: Uint8Array): number {
  if (b.length < 8) {
    return 0;
  }
  const units = byte(b, 1);
  const length = type === FRAGMENT ? 8 : (type === AUTHENTICATION ? 4 : 8) * units + 8;
  return length <= b.length ? length : 0;
}

/** The last address of an unfinished source route in IPv4 options, or undefined if they have none.
 * False if the options are not well formed. */
function sourceRoute(options: Uint8Array): Uint8Array | undefined | false {
  let destination: Uint8Array | undefined;
  for (let at = 0; at < options.length && options[at] !== 0; ) {
    if (options[at] === 1) {
      at += 1; // no operation
      continue;
    }
    const length = byte(options, at + 1);
    if (options.length - at < 2 || length < 2 || length > options.length - at) {
      return false;
    }
    const option = options.subarray(at, at + length);
    at += length;
    if (option[0] === 131 || option[0] === 137) {
      // A loose or a strict route: type, length, pointer, addresses. The pointer counts from 1.
      if (length < 3 || (length & 3) !== 3 || byte(option, 2) < 4) {
        return false;
      }
      if (byte(option, 2) < length) {
        destination = option.subarray(length - 4);
      }
    }
  }
  return destination;
}

function walk4(b: Uint8Array, verify: boolean): Payload | PacketResult {
  if (b.length < 20) {
    return "short";
  }
  const headerLength = 4 * (byte(b, 0) & 15);
  if (headerLength < 20) {
    return "malformed";
  }
  if (b.length < headerLength) {
    return "short";
  }
  if (verify && sum(b.subarray(0, headerLength)) !== 0xffff) {
    return "bad_header";
  }
  const said = number16(b, 2);
  const total = said === 0 && b.length > 0xffff && b[9] === TCP ? b.length : said;
  if (total < headerLength || total > 0xffffffff) {
    return "malformed";
  }
  if (total > b.length) {
    return "short";
  }
  if (number16(b, 6) & 0x3fff) {
    return "fragment"; // more fragments, or an offset
  }
  const route = sourceRoute(b.subarray(20, headerLength));
  if (route === false) {
    return "malformed";
  }
  let [protocol, at] = [byte(b, 9), headerLength];
  while (protocol === AUTHENTICATION) {
    const here = extension(protocol, b.subarray(at, total));
    if (here === 0) {
      return "malformed";
    }
    protocol = byte(b, at);
    at += here;
  }
  const destination = route ?? b.subarray(16, 20);
  return payloadOf(headerLength, protocol, b.subarray(at, total), b.subarray(12, 16), destination);
}

/** The value of the one option of a type in an extension header, or undefined if it has none. False
 * if the options are not well formed. */
function option6(header: Uint8Array, type: number, size: number): Uint8Array | undefined | false {
  let value: Uint8Array | undefined;
  for (let at = 2; at < header.length; ) {
    if (header[at] === 0) {
      at += 1; // a byte of padding
      continue;
    }
    const length = byte(header, at + 1);
    if (header.length - at < 2 || length > header.length - at - 2) {
      return false;
    }
    if (header[at] === type) {
      if (length !== size || value) {
        return false;
      }
      value = header.subarray(at + 2, at + 2 + size);
    }
    at += 2 + length;
  }
  return value;
}

/** The final destination of a routing header, or undefined if the packet has come there. */
function routed(header: Uint8Array): Uint8Array | PacketResult | undefined {
  const left = byte(header, 3);
  const addresses = (header.length - 8) >> 4;
  if (left === 0) {
    return undefined;
  }
  switch (header[2]) {
    case 0: // a source route
      return (header.length & 15) !== 8 || left > addresses
        ? "malformed"
        : header.subarray(header.length - 16);
    case 2: // mobile IPv6
      return header.length !== 24 || left !== 1 ? "malformed" : header.subarray(8, 24);
    case 4: // segment routing: byte 4 is the index of the last entry; entry 0 is the final one
      return byte(header, 4) >= addresses || left > byte(header, 4) + 1
        ? "malformed"
        : header.subarray(8, 24);
    default:
      return "routed";
  }
}

const EXTENSIONS: number[] = [ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION_OPTIONS];

function walk6(b: Uint8Array): Payload | PacketResult {
  if (b.length < 40) {
    return "short";
  }
  let [next, at, end] = [byte(b, 6), 40, 40 + number16(b, 4)];
  if (end === 40 && next === HOP_BY_HOP) {
    const here = extension(next, b.subarray(at));
    if (here === 0) {
      return "short";
    }
    const jumbo = option6(b.subarray(at, at + here), 0xc2, 4);
    if (!jumbo || number16(jumbo, 0) === 0) {
      return "malformed";
    }
    end = 40 + number16(jumbo, 0) * 0x10000 + number16(jumbo, 2);
  } else if (end === 40 && next === TCP && b.length - 40 > 0xffff) {
    end = b.length;
  }
  if (end > b.length) {
    return "short";
  }
  if (end - 40 > 0xffffffff) {
    return "malformed";
  }
  let source: Uint8Array | undefined;
  let destination = b.subarray(24, 40);
  while (EXTENSIONS.includes(next) || (next === HOP_BY_HOP && at === 40)) {
    const here = extension(next, b.subarray(at, end));
    const header = b.subarray(at, at + here);
    if (here === 0) {
      return "malformed";
    }
    if (next === FRAGMENT && number16(header, 2) & 0xfff9) {
      return "fragment"; // an offset, or more fragments
    }
    if (next === DESTINATION_OPTIONS) {
      const home = option6(header, 0xc9, 16);
      if (home === false || (home && source)) {
        return "malformed";
      }
      source ??= home;
    }
    if (next === ROUTING) {
      const to = routed(header);
      if (typeof to === "string") {
        return to;
      }
      destination = to ?? destination;
    }
    next = byte(header, 0);
    at += here;
  }
  return payloadOf(0, next, b.subarray(at, end), source ?? b.subarray(8, 24), destination);
}

function walk(b: Uint8Array, verify: boolean): Payload | PacketResult {
  if (b.length === 0) {
    return "short";
  }
  const version = byte(b, 0) >> 4;
  return version === 4 ? walk4(b, verify) : version === 6 ? walk6(b) : "malformed";
}

/**
 * Judges the checksums of a packet that begins with its IPv4 or IPv6 header: the checksum of the
 * IPv4 header, and then the checksum of the payload.
 */
export function verifyPacket(packet: Bytes): PacketResult {
  const payload = walk(bytesOf(packet), true);
  if (typeof payload === "string") {
    return payload;
  }
  const { covered, field, seed, zero } = payload;
  if (zero && number16(covered, field) === 0) {
    return zero;
  }
  return add(seed, sum(covered)) === 0xffff ? "good" : "bad";
}

/** What keeps a packet from being filled in. */
const REASONS: Partial<Record<PacketResult, string>> = {
  fragment: "the packet is a fragment, and its checksum covers other packets too",
  unknown: "the protocol of the payload has no known checksum",
  routed: "the routing header does not say the final destination",
  short: "the data end before the packet does",
};

/**
 * Fills in the checksums of a packet, whatever their fields hold: the checksum of the IPv4 header,
 * and the checksum of the payload. Writes all of them, or throws and has written nothing.
 */
export function fillPacket(packet: Bytes): void {
  const b = bytesOf(packet);
  const payload = walk(b, false);
  if (typeof payload === "string") {
    const reason = REASONS[payload] ?? "a version, length or option of the packet is wrong";
    throw new RangeError(`wiresum: ${reason}`);
  }
  const { covered, field, seed, zero, headerLength } = payload;
  const value = without(seed, covered, field);
  store(covered, field, zero ? udpField(value) : value);
  if (headerLength) {
    store(b, 10, ipv4Header(b.subarray(0, headerLength)));
  }
}

/**
 * Finishes a checksum that a stack has left to its device: stores the checksum of the bytes from
 * `start` to the end of the frame at `start + offset`, where the sum of the pseudo-header is.
 * Stores 0xFFFF for 0x0000, which UDP needs and every other protocol accepts.
 */
export function finishPacket(frame: Bytes, start: number, offset: number): void {
  const b = bytesOf(frame);
  if (count(start, "the start") + count(offset, "the offset") + 2 > b.length) {
    throw new RangeError("wiresum: the field is not inside of the frame");
  }
  if (offset % 2 === 1) {
    throw new RangeError("wiresum: no protocol has its checksum at an odd offset");
  }
  store(b, start + offset, udpField(sum(b.subarray(start)) ^ 0xffff));
}
