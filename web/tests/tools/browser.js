// SPDX-License-Identifier: MIT OR Apache-2.0
// The entry that bundlers for browsers get.
import * as wiresum from "wiresum";
import * as checksum from "wiresum/checksum";
import { judge } from "./program.js";

globalThis.result = fetch("/files/input.json")
  .then((response) => response.json())
  .then((input) => judge(checksum, wiresum, input));
