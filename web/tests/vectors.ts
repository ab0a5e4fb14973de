// SPDX-License-Identifier: MIT OR Apache-2.0
// spec/vectors.json through the functions of the package. The same code runs in Node and in pages.
import type * as Package from "../npm/checksum.ts";

type Wiresum = typeof Package;

type Part = { hex: string } | { repeat: string; length: number };
// biome-ignore lint/suspicious/noExplicitAny: each group has members of its own
type Vector = { name: string } & Record<string, any>;

const number = (text: string): number => Number.parseInt(text, 16);

function hex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** The reasons for which a packet is not filled in. */
const REFUSALS: Record<string, RegExp> = {
  short: /data end before/,
  malformed: /version, length or option/,
  fragment: /is a fragment/,
  routed: /does not say the final destination/,
  unknown: /has no known checksum/,
};

/** The bytes of a recipe. */
function expand(parts: Part[]): Uint8Array {
  const all = parts.map((part) => {
    if ("hex" in part) {
      return hex(part.hex);
    }
    const pattern = hex(part.repeat);
    const whole = new Uint8Array(part.length);
    whole.set(pattern.subarray(0, part.length));
    for (let filled = pattern.length; filled < part.length; filled *= 2) {
      whole.copyWithin(filled, 0, filled);
    }
    return whole;
  });
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Runs every vector. Returns how many of each group ran, and what failed. */
export function run(
  wiresum: Wiresum,
  file: Record<string, unknown>,
): { ran: Record<string, number>; failures: string[] } {
  const failures: string[] = [];
  let where = "";
  const equal = (found: unknown, expected: unknown, what: string): void => {
    if (found !== expected) {
      failures.push(`${where}: ${what} is ${found}, and should be ${expected}`);
    }
  };

  const sumOf = (vector: Vector, data: Uint8Array): void => {
    // At an odd address too, as a view of other elements, and as a buffer of its own.
    const odd = new Uint8Array(data.length + 1);
    odd.set(data, 1);
    const view = new DataView(odd.buffer, 1);
    for (const form of [data, odd.subarray(1), view, data.slice().buffer]) {
      equal(wiresum.sum(form), number(vector["sum"]), "the sum");
      equal(wiresum.checksum(form), number(vector["checksum"]), "the checksum");
      equal(wiresum.ok(form), number(vector["sum"]) === 0xffff, "ok");
    }
  };

  /** The sum of a recipe beyond 4 GiB, of which 16 MiB at most are ever built. */
  const huge = (vector: Vector): void => {
    let [joined, before] = [0, 0];
    for (const part of vector["data"] as { repeat: string; length: number }[]) {
      const pattern = hex(part.repeat);
      const size = Math.floor((16 << 20) / pattern.length) * pattern.length;
      const block = expand([{ repeat: part.repeat, length: size }]);
      const whole = wiresum.sum(block);
      for (let left = part.length; left > 0; left -= block.length) {
        const here = left < size ? wiresum.sum(block.subarray(0, left)) : whole;
        joined = wiresum.append(joined, before, here);
        before += Math.min(left, size);
      }
    }
    equal(joined, number(vector["sum"]), "the sum");
  };

  /** The addresses of a vector in each form: bytes, a view, texts. */
  const ends = (vector: Vector): [source: Package.Address, destination: Package.Address][] => {
    const bytes = [hex(vector["source"]), hex(vector["destination"])] as const;
    const words = (b: Uint8Array) =>
      b.reduce<number[]>((all, x, i) => {
        all[i >> 1] = ((all[i >> 1] ?? 0) << 8) | x;
        return all;
      }, []);
    const text = (b: Uint8Array): string =>
      b.length === 4
        ? b.join(".")
        : words(b)
            .map((word) => word.toString(16))
            .join(":");
    const short = (b: Uint8Array): string => text(b).replace(/(?:^|:)0(?::0)+(?::|$)/, "::");
    const dotted = (b: Uint8Array): string =>
      b.length === 4 ? text(b) : `${text(b.subarray(0, 12))}:${text(b.subarray(12))}`;
    const view = (b: Uint8Array): DataView => new DataView(b.slice().buffer);
    const forms: ((b: Uint8Array) => Package.Address)[] = [(b) => b, view, text, short, dotted];
    return forms.map((form) => [form(bytes[0]), form(bytes[1])]);
  };

  const refuses = (what: string, call: () => unknown, reason: RegExp): void => {
    try {
      failures.push(`${where}: ${what} returned ${call()}, and should be refused`);
    } catch (error) {
      equal(reason.test(String(error)), true, `${what} is refused with ${error}, which`);
    }
  };

  const same = (found: Uint8Array, expected: Uint8Array, what: string): void =>
    equal(found.join(), expected.join(), what);

  /** The protocols by name, each with its number and what computes and judges it. */
  const segment =
    (
      protocol: number,
      compute: (ends: [Package.Address, Package.Address], data: Uint8Array) => number,
      judge: (ends: [Package.Address, Package.Address], data: Uint8Array) => boolean,
      hasPseudo = true,
    ) =>
    (vector: Vector): void => {
      const data = expand(vector["segment"]);
      for (const pair of ends(vector)) {
        if (hasPseudo) {
          const seed = wiresum.pseudo(...pair, protocol, data.length);
          equal(seed, number(vector["seed"]), `the pseudo-header of ${pair}`);
        }
        equal(compute(pair, data), number(vector["field"]), "the field");
        equal(judge(pair, data), vector["status"] === "good", "ok");
      }
      const field = vector["field_offset"];
      data.fill(0, field, field + 2);
      const sum = wiresum.append(number(vector["seed"]), 0, wiresum.sum(data));
      equal(sum ^ 0xffff, number(vector["checksum"]), "the checksum");
    };

  const groups: Record<string, (vector: Vector) => void> = {
    sum: (vector) => (vector["huge"] ? huge(vector) : sumOf(vector, expand(vector["data"]))),
    split(vector) {
      const data = expand(vector["data"]);
      const stream = new wiresum.Stream();
      let [joined, at] = [0, 0];
      for (const { length, sum } of vector["pieces"]) {
        const found = wiresum.sum(data.subarray(at, at + length));
        equal(found, number(sum), `the sum of the piece at ${at}`);
        joined = wiresum.append(joined, at, found);
        stream.push(data.subarray(at, at + length));
        at += length;
      }
      equal(stream.sum, number(vector["sum"]), "the sum of the stream");
      equal(stream.checksum, number(vector["sum"]) ^ 0xffff, "the checksum of the stream");
      equal(stream.length, data.length, "the length of the stream");
      equal(at, data.length, "the length of all pieces");
      equal(joined, number(vector["sum"]), "the sum");
    },
    update(vector) {
      const [was, is] = [expand(vector["was"]), expand(vector["is"])];
      const checksum = number(vector["checksum"]);
      const after = wiresum.update(checksum, vector["offset"], was, is);
      equal(after, number(vector["after"]), "the update");
      const udp = wiresum.updateUdp(checksum, vector["offset"], was, is);
      equal(udp, number(vector["udp_after"]), "the update of UDP");
    },
    verify(vector) {
      const data = expand(vector["data"]);
      equal(wiresum.sum(data), number(vector["sum"]), "the sum");
      equal(wiresum.ok(data), vector["ok"], "ok");
    },
    subtract(vector) {
      const [whole, part] = [number(vector["whole"]), number(vector["part"])];
      const swapped = ((part & 0xff) << 8) | (part >> 8); // RFC 1071 section 2 (B)
      for (const even of [0, 2, 2 ** 40]) {
        equal(wiresum.remove(whole, even, part), number(vector["rest"]), "the rest");
        equal(wiresum.remove(whole, even + 1, swapped), number(vector["rest"]), "the rest");
      }
    },
    remove_head(vector) {
      const { length, head_length } = vector as unknown as { length: number; head_length: number };
      const [whole, head] = [number(vector["whole"]), number(vector["head"])];
      // A sum does not say what it is made of.
      const rest = head_length === length && head !== 0 ? 0xffff : number(vector["rest"]);
      equal(wiresum.removeHead(whole, head_length, head), rest, "the rest");
    },
    replace(vector) {
      const sums = ["checksum", "was", "is"].map((name) => number(vector[name]));
      const [checksum = 0, was = 0, is = 0] = sums;
      equal(wiresum.updateSum(checksum, was, is), number(vector["after"]), "the update");
      equal(wiresum.updateUdpSum(checksum, was, is), number(vector["udp_after"]), "for UDP");
    },
    pseudo(vector) {
      for (const pair of ends(vector)) {
        const found = wiresum.pseudo(...pair, vector["protocol"], vector["length"]);
        equal(found, number(vector["sum"]), `the pseudo-header of ${pair}`);
      }
    },
    range(vector) {
      const data = expand(vector["data"]);
      const { offset, length } = vector as unknown as { offset: number; length: number };
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const piece of vector["pieces"]) {
        pieces.push(data.subarray(at, at + piece.length));
        at += piece.length;
        equal(wiresum.sum(pieces.at(-1) as Uint8Array), number(piece.sum), "the sum of a piece");
      }
      equal(wiresum.range(pieces, offset, length), number(vector["sum"]), "the sum of the range");
      const beyond = data.length - offset + 1;
      refuses("a range beyond the end", () => wiresum.range(pieces, offset, beyond), /end 1 bytes/);
      refuses("an offset", () => wiresum.range(pieces, data.length + 7, 0), /end 7 bytes/);
      const rooms = vector["rooms"].map((room: { length: number }) =>
        new Uint8Array(room.length).fill(0xa5),
      );
      const copied = wiresum.copy(pieces, offset, rooms);
      equal(copied.length, vector["copied"], "the number of copied bytes");
      equal(copied.sum, number(vector["copied_sum"]), "the sum of the copied bytes");
      const written = rooms.flatMap((room: Uint8Array) => [...room]);
      const expected = new Uint8Array(written.length).fill(0xa5);
      expected.set(data.subarray(offset, offset + copied.length));
      same(written, expected, "the copy");
      if (copied.length === written.length) {
        for (const [at, room] of rooms.entries()) {
          equal(wiresum.sum(room), number(vector["rooms"][at].sum), "the sum of a room");
        }
      }
    },
    finish(vector) {
      const frame = expand(vector["frame"]);
      const [before, at] = [frame.slice(), vector["start"] + vector["offset"]];
      const finish = (): void => wiresum.finishPacket(frame, vector["start"], vector["offset"]);
      if (vector["ok"]) {
        finish();
        new DataView(before.buffer).setUint16(at, number(vector["field"]));
      } else {
        refuses("the field", finish, /odd offset|not inside of the frame/);
      }
      same(frame, before, "the frame");
    },
    udplite(vector) {
      const data = expand(vector["segment"]);
      for (const pair of ends(vector)) {
        const seed = wiresum.pseudo(...pair, 136, data.length);
        equal(seed, number(vector["seed"]), `the pseudo-header of ${pair}`);
        equal(wiresum.udpliteOk(...pair, data), vector["ok"], "ok");
        const compute = (): number => wiresum.udplite(...pair, data);
        if (vector["coverage"]) {
          equal(compute(), number(vector["field"]), "the field");
        } else {
          refuses("the coverage", compute, /bytes is 0, or from 8 to/);
        }
      }
    },
    packet(vector) {
      const packet = expand(vector["packet"]);
      equal(wiresum.verifyPacket(packet), vector["result"], "the result");
      for (let cut = 0; cut < vector["end"]; cut += vector["end"] > 1000 ? 997 : 1) {
        equal(wiresum.verifyPacket(packet.subarray(0, cut)), "short", `the result of ${cut} bytes`);
      }
      const given = packet.slice();
      const fill = (): void => wiresum.fillPacket(given);
      if (vector["fill"] === "good") {
        fill();
        same(given, expand(vector["filled"]), "the filled packet");
        equal(wiresum.verifyPacket(given), "good", "the result of the filled packet");
      } else {
        refuses("the packet", fill, REFUSALS[vector["fill"]] as RegExp);
        same(given, packet, "the packet that is not filled");
      }
    },
    ipv4_header(vector) {
      const header = hex(vector["header"]);
      equal(wiresum.ipv4HeaderOk(header), vector["ok"], "ok");
      equal(wiresum.ipv4Header(header), number(vector["checksum"]), "the checksum");
      header.fill(0, 10, 12);
      equal(wiresum.checksum(header), number(vector["checksum"]), "the checksum");
    },
    tcp: segment(
      6,
      (ends, data) => wiresum.tcp(...ends, data),
      (ends, data) => wiresum.tcpOk(...ends, data),
    ),
    udp: segment(
      17,
      (ends, data) => wiresum.udp(...ends, data),
      (ends, data) => wiresum.udpOk(...ends, data),
    ),
    icmp: segment(
      1,
      (_, data) => wiresum.icmp(data),
      (_, data) => wiresum.icmpOk(data),
      false,
    ),
    icmpv6: segment(
      58,
      (ends, data) => wiresum.icmpv6(...ends, data),
      (ends, data) => wiresum.icmpv6Ok(...ends, data),
    ),
  };

  const ran: Record<string, number> = {};
  for (const [group, vectors] of Object.entries(file)) {
    if (["format", "seed"].includes(group)) {
      continue;
    }
    const test = groups[group];
    if (!test) {
      failures.push(`the group ${group} has no test`);
      continue;
    }
    for (const vector of vectors as Vector[]) {
      where = `${group} ${vector.name}`;
      test(vector);
      ran[group] = (ran[group] ?? 0) + 1;
    }
  }
  for (const group of Object.keys(groups)) {
    if (!(group in file)) {
      failures.push(`the file has no group ${group}`);
    }
  }
  return { ran, failures };
}
