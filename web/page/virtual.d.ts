// SPDX-License-Identifier: MIT OR Apache-2.0
// What build.ts makes and puts into the bundles.
declare module "virtual:modules" {
  /** The module with SIMD and the one without, one after the other, in Zstandard and base64. */
  export const packed: string;
  /** The length of the first one in bytes. */
  export const split: number;
}
declare module "virtual:kernel" {
  /** The module of npm/checksum.c, in base64. */
  const packed: string;
  export default packed;
}
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "virtual:worker" {
  const code: string;
  export default code;
}
declare module "virtual:examples" {
  /** The captures of examples/ that the page offers, in Zstandard and base64, by their names. */
  const examples: Record<string, string>;
  export default examples;
}
declare module "virtual:notices" {
  /** The licenses of what the page contains, in Zstandard and base64. */
  const notices: string;
  export default notices;
}
declare module "*.css";
