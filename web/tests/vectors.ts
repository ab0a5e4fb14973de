// SPDX-License-Identifier: MIT OR Apache-2.0
// spec/vectors.json through the functions of the package. The same code runs in Node and in pages.
import type * as Package from "../npm/index.ts";

type Wiresum = Pick<
  typeof Package,
  "append" | "checksum" | "ok" | "sum" | "update" | "updateUdp" | "verify"
>;

type Part = { hex: string } | { repeat: string; length: number };
// biome-ignore lint/suspicious/noExplicitAny: each group has members of its own
type Vector = { name: string } & Record<string, any>;

/** The groups of the file without a function in the package, and why. */
export const WITHOUT: Record<string, string> = {
  subtract: "the package has no function that takes a piece out of a sum",
  remove_head: "the same",
  replace: "the package updates by bytes, and not by sums",
  pseudo: "pages and servers see no pseudo-headers; verify makes them itself",
  range: "chains of buffers serve network stacks in C",
  finish: "the package writes no packets",
  udplite: "verify alone knows protocols",
  packet: "the same",
};

const number = (text: string): number => Number.parseInt(text, 16);

function hex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

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

  const segment = (vector: Vector): void => {
    const data = expand(vector["segment"]);
    const field = vector["field_offset"];
    data.fill(0, field, field + 2);
    const sum = wiresum.append(number(vector["seed"]), 0, wiresum.sum(data));
    equal(sum ^ 0xffff, number(vector["checksum"]), "the checksum");
  };

  const groups: Record<string, (vector: Vector) => void> = {
    sum: (vector) => (vector["huge"] ? huge(vector) : sumOf(vector, expand(vector["data"]))),
    split(vector) {
      const data = expand(vector["data"]);
      let [joined, at] = [0, 0];
      for (const { length, sum } of vector["pieces"]) {
        const found = wiresum.sum(data.subarray(at, at + length));
        equal(found, number(sum), `the sum of the piece at ${at}`);
        joined = wiresum.append(joined, at, found);
        at += length;
      }
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
    ipv4_header(vector) {
      const header = hex(vector["header"]);
      equal(wiresum.ok(header), vector["ok"], "ok");
      header.fill(0, 10, 12);
      equal(wiresum.checksum(header), number(vector["checksum"]), "the checksum");
    },
    tcp: segment,
    udp: segment,
    icmp: segment,
    icmpv6: segment,
  };

  const ran: Record<string, number> = {};
  for (const [group, vectors] of Object.entries(file)) {
    if (["format", "seed"].includes(group) || group in WITHOUT) {
      continue;
    }
    const test = groups[group];
    if (!test) {
      failures.push(`nobody placed the group ${group}: give it a test, or a row in WITHOUT`);
      continue;
    }
    for (const vector of vectors as Vector[]) {
      where = `${group} ${vector.name}`;
      test(vector);
      ran[group] = (ran[group] ?? 0) + 1;
    }
  }
  for (const group of [...Object.keys(groups), ...Object.keys(WITHOUT)]) {
    if (!(group in file)) {
      failures.push(`the file has no group ${group}`);
    }
  }
  return { ran, failures };
}
