// SPDX-License-Identifier: MIT OR Apache-2.0
// Where the files of the repository are on the site.
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");
/** What the build makes. The site itself is its folder html. */
export const BUILT = join(ROOT, "build/site");
/** What goes to the site as it is. */
export const PUBLIC = join(BUILT, "public");
/** The host of the site, and its path there. */
export const HOST = "https://wiresum.github.io";
export const BASE = "/wiresum";
export const REPOSITORY = "https://github.com/wiresum/wiresum";

/** The address of the page that a Markdown file of the repository becomes. */
export function address(file: string): string {
  if (file === "README.md") {
    return "about";
  }
  return file
    .replace(/\.md$/, "")
    .replace(/\/README$/, "")
    .replace(/^site\//, "")
    .toLowerCase();
}
