// SPDX-License-Identifier: MIT OR Apache-2.0
// What each environment runs: all vectors by wiresum/checksum, and a capture by wiresum.
import { run } from "./vectors.js";

/** A capture, whose bytes lie in base64 as JSON holds them. */
export async function judge(checksum, wiresum, { vectors, capture, name, frame }) {
  const bytes = Uint8Array.from(atob(capture), (character) => character.charCodeAt(0));
  const { ran, failures } = run(checksum, vectors);
  await wiresum.init();
  const { capture: repaired, report } = wiresum.fix(bytes, { name, out: "out.pcapng" });
  return JSON.stringify({
    ran,
    failures,
    kernel: checksum.kernel(),
    counts: wiresum.verify(bytes, name),
    explanation: wiresum.explain(bytes, frame, name),
    repaired: { length: repaired.length, sum: checksum.sum(repaired), report },
  });
}
