// SPDX-License-Identifier: MIT OR Apache-2.0
// Builds the site into build/site/html: the page that verifies captures, the interfaces, and the
// pages. Nothing is fetched.
//
//   node site/build.ts [--light] [--pages]
//
//   --light    takes the light build of web/, as tests do
//   --pages    builds the pages alone, next to the rest as it is
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "astro";
import { notices, work } from "../web/notices.ts";
import { cApi, rustApi, themeWork } from "./interfaces.ts";
import { setOut } from "./pages.ts";
import { BUILT, PUBLIC, ROOT } from "./places.ts";

const HERE = import.meta.dirname;

/** The page that verifies captures. web/ builds it. */
function verifyPage(): void {
  const light = process.argv.filter((word) => word === "--light");
  execFileSync(process.execPath, ["web/build.ts", ...light], { cwd: ROOT, stdio: "inherit" });
  const to = join(PUBLIC, "verify");
  rmSync(to, { recursive: true, force: true });
  cpSync(join(ROOT, "build/web/page"), to, { recursive: true });
}

/** The packages of npm of which programs, styles or fonts are in the pages. Doxygen and rustdoc put
 * their own notices into what they make. */
const PACKAGES = [
  "@astrojs/starlight",
  "@expressive-code/core",
  "@expressive-code/plugin-frames",
  "@expressive-code/plugin-shiki",
  "@expressive-code/plugin-text-markers",
  "@pagefind/default-ui",
  "astro",
  "pagefind",
];

/** The licenses of the packages and of Doxygen's theme. The page of web/ has its own. */
function licenses(): string {
  const works = PACKAGES.map((name) => {
    const folder = join(HERE, "node_modules", name);
    const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return work(name, license, folder);
  });
  return notices([...works, themeWork()]);
}

if (!process.argv.includes("--pages")) {
  verifyPage();
  rustApi();
  cApi();
}
cpSync(join(HERE, "src/favicon.svg"), join(PUBLIC, "favicon.svg"));
writeFileSync(join(PUBLIC, "THIRD-PARTY-NOTICES.txt"), licenses());
setOut();
await build({ root: HERE, logLevel: "warn" });
rmSync(join(BUILT, "html"), { recursive: true, force: true });
renameSync(join(HERE, ".astro/html"), join(BUILT, "html"));
