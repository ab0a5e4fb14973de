// SPDX-License-Identifier: MIT OR Apache-2.0
import wiresum = require("wiresum");
import checksum = require("wiresum/checksum");

const right: boolean = checksum.udpOk("::1", "::1", new Uint8Array(8));
const counts: wiresum.Counts = wiresum.verify(new Uint8Array(9));
export = { right, counts, ready: wiresum.init() };
