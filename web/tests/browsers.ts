// SPDX-License-Identifier: MIT OR Apache-2.0
// The browsers of Debian, and a server on this machine that they load the page from.
import { execFileSync, spawnSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, launch } from "puppeteer-core";

export const ROOT = join(import.meta.dirname, "../..");
export const BUILT = join(ROOT, "build/web");
/** Whether build/web has the light build, whose module is large, slow, and needs vectors. */
export const LIGHT: boolean = JSON.parse(readFileSync(join(BUILT, "build.json"), "utf8")).light;

const KINDS: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Serves files by the first part of their path. Returns the address and an end. */
export async function serve(
  folders: Record<string, string>,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const [, first = "", ...rest] = path.split("/");
    const file = join(folders[first] ?? "/nowhere", ...rest);
    const name = path.endsWith("/") ? join(file, "index.html") : file;
    if (!existsSync(name)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": KINDS[extname(name)] ?? "text/plain" });
    createReadStream(name).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function which(command: string): string {
  return execFileSync("sh", ["-c", `command -v ${command}`], { encoding: "utf8" }).trim();
}

/** The browsers that run the page, each with what starts it. */
export const BROWSERS: Record<"chromium" | "firefox", (args?: string[]) => Promise<Browser>> = {
  chromium: (args = []) =>
    launch({
      browser: "chrome",
      executablePath: which("chromium"),
      args: ["--no-sandbox", ...args],
    }),
  firefox: () =>
    launch({
      browser: "firefox",
      executablePath: which("firefox-esr"),
      extraPrefsFirefox: { "privacy.reduceTimerPrecision": false }, // 1 ms, in which much happens
    }),
};

/** Runs the command line in a folder, and returns what it prints. A bad checksum, or a file that is
 * no capture, is no failure. */
export function wiresum(folder: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(join(ROOT, "target/debug/wiresum"), words, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (stdout === "" && status !== 0 && status !== 1) {
    throw new Error(`wiresum ${words.join(" ")}: ${stderr}`);
  }
  return stdout;
}
