// SPDX-License-Identifier: MIT OR Apache-2.0
// Builds the site into build/site/html: the page that verifies captures, the interfaces, and the
// pages. Nothing is fetched.
//
//   node site/build.ts [--pages]    --pages builds the pages alone, beside the rest as it is
import { execFileSync } from "node:child_process";
import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "astro";
import { cApi, rustApi } from "./interfaces.ts";
import { setOut } from "./pages.ts";
import { BUILT, PUBLIC, ROOT } from "./places.ts";

const HERE = import.meta.dirname;

/** The page that verifies captures. web/ builds it. */
function verifyPage(): void {
  execFileSync(process.execPath, ["web/build.ts"], { cwd: ROOT, stdio: "inherit" });
  const to = join(PUBLIC, "verify");
  rmSync(to, { recursive: true, force: true });
  cpSync(join(ROOT, "build/web/page"), to, { recursive: true });
}

if (!process.argv.includes("--pages")) {
  verifyPage();
  rustApi();
  cApi();
}
cpSync(join(HERE, "src/favicon.svg"), join(PUBLIC, "favicon.svg"));
setOut();
await build({ root: HERE, logLevel: "warn" });
rmSync(join(BUILT, "html"), { recursive: true, force: true });
renameSync(join(HERE, ".astro/html"), join(BUILT, "html"));
