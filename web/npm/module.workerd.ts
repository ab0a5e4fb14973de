// SPDX-License-Identifier: MIT OR Apache-2.0
// workerd compiles no module at run time: it takes the one that a program imports.
import module from "./wiresum.wasm";

export default (): Promise<WebAssembly.Module> => Promise.resolve(module);
