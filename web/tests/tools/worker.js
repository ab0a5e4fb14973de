// SPDX-License-Identifier: MIT OR Apache-2.0
// The entry of a worker: it answers a POST with what it found.
import * as wiresum from "wiresum";
import * as checksum from "wiresum/checksum";
import { judge } from "./program.js";

export default {
  async fetch(request) {
    return new Response(await judge(checksum, wiresum, await request.json()));
  },
};
