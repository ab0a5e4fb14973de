// SPDX-License-Identifier: MIT OR Apache-2.0
// Node and Bun, by require.
const { readFileSync } = require("node:fs");
const wiresum = require("wiresum");
const checksum = require("wiresum/checksum");

const input = JSON.parse(readFileSync("files/input.json", "utf8"));
import("./program.js")
  .then(({ judge }) => judge(checksum, wiresum, input))
  .then((result) => process.stdout.write(result));
