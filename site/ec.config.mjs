// SPDX-License-Identifier: MIT OR Apache-2.0
// The settings of blocks of code. Astro wants plugins in this file.
import { copiesCommands } from "./copy.ts";

export default { plugins: [copiesCommands()] };
