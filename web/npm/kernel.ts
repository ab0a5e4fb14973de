// SPDX-License-Identifier: MIT OR Apache-2.0
// The module of checksum.c, compiled where it is first needed.
import packed from "virtual:kernel";

export default (): WebAssembly.Module =>
  new WebAssembly.Module(Uint8Array.from(atob(packed), (character) => character.charCodeAt(0)));
