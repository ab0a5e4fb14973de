// SPDX-License-Identifier: MIT OR Apache-2.0
// The module of the functions on captures.
import { packed, split } from "virtual:modules";
import { moduleOf } from "../page/unpack.ts";

export default (): Promise<WebAssembly.Module> => WebAssembly.compile(moduleOf(packed, split));
