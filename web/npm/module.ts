// SPDX-License-Identifier: MIT OR Apache-2.0
// The module of the functions on captures.
import { moduleBytes } from "../page/module.ts";

export default (): Promise<WebAssembly.Module> => WebAssembly.compile(moduleBytes());
