// SPDX-License-Identifier: MIT OR Apache-2.0
// Says in a sentence what is wrong in a capture, repairs it, and looks again.
import { readFileSync } from "node:fs";
import { fix, init, verify } from "wiresum";

await init();
const capture = readFileSync(process.argv[2]);
console.log(verify(capture).verdict.sentence);

const { capture: repaired } = fix(capture, { only: ["offload"] });
console.log(verify(repaired).verdict.sentence);
