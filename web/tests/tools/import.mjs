// SPDX-License-Identifier: MIT OR Apache-2.0
// Node, Deno and Bun, by import.
import { readFileSync } from "node:fs";
import process from "node:process";
import * as wiresum from "wiresum";
import * as checksum from "wiresum/checksum";
import { judge } from "./program.js";

const input = JSON.parse(readFileSync("files/input.json", "utf8"));
process.stdout.write(await judge(checksum, wiresum, input));
