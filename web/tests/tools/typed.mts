// SPDX-License-Identifier: MIT OR Apache-2.0
import { type Counts, explain, type Fixed, fix, init, sum, verify } from "wiresum";
import {
  type Address,
  checksum,
  type PacketResult,
  Stream,
  tcp,
  verifyPacket,
} from "wiresum/checksum";

await init();
const source: Address = "192.0.2.1";
const result: PacketResult = verifyPacket(new Uint8Array(20));
const stream: Stream = new Stream().push(new Float64Array(2)).push(new ArrayBuffer(3));
const counts: Counts = verify(new SharedArrayBuffer(9), "name");
const fixed: Fixed = fix(new DataView(new ArrayBuffer(9)), { only: ["offload"] });
export const all: (string | number | undefined)[] = [
  checksum(new Uint8Array(2)),
  tcp(source, new Uint8Array(4), new Uint8Array(20)),
  sum(fixed.capture),
  stream.checksum,
  counts.checksums["tcp"]?.bad,
  explain(new Uint8Array(9), 1),
  result,
];
