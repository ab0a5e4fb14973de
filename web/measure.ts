// SPDX-License-Identifier: MIT OR Apache-2.0
// Measures the page and the package, and writes evidence/bench/results/web/.
//
//   node web/measure.ts --sums       the functions on bytes alone, in Node and in both browsers:
//                                    evidence/bench/results/web/sums.json, npm/README.md
//   node web/measure.ts CAPTURE      the page; CAPTURE is a large pcap file of 800 MB in the record
//
// Times are the least of many turns in nanoseconds a call, or medians in gigabytes a second.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Browser, ElementHandle } from "puppeteer-core";
import { race } from "./loops.ts";
import { BROWSERS, BUILT, LIGHT, ROOT, serve } from "./tests/browsers.ts";

const README = join(ROOT, "web/npm/README.md");
const SIZES = [20, 64, 128, 256, 576, 1500, 9000, 65536];
/** The length of the capture with which the memory of the page is measured. */
const LONG = 2e9;

const median = (numbers: number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** The private memory of all processes that descend from one, in bytes. */
function privateMemory(of: number): number[] {
  const parents = new Map<number, number>();
  const memory = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const field = (key: string): number =>
        Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      parents.set(Number(name), field("PPid"));
      memory.set(Number(name), command.includes("--type=renderer") ? field("RssAnon") * 1024 : 0);
    } catch {
      // the process has ended
    }
  }
  const descends = (child: number): boolean => {
    const parent = parents.get(child);
    return parent === of || (parent !== undefined && parent > 1 && descends(parent));
  };
  return [...memory].filter(([child]) => descends(child)).map(([, bytes]) => bytes);
}

type Race = Record<string, Record<string, number>>;

/** The race of loops.ts in Node and in both browsers. */
async function calls(): Promise<Record<string, Race>> {
  const bundle = join(BUILT, "tests/loops.js");
  await build({
    entryPoints: [join(import.meta.dirname, "loops.ts")],
    bundle: true,
    format: "esm",
    outfile: bundle,
  });
  const { checksum } = await import(join(BUILT, "npm/checksum.js"));
  const engines: Record<string, Race> = {
    [`Node ${process.versions.node}`]: race(checksum, SIZES),
  };
  const server = await serve({ npm: join(BUILT, "npm"), tests: join(BUILT, "tests") });
  for (const start of Object.values(BROWSERS)) {
    const browser = await start();
    const page = await browser.newPage();
    await page.goto(`${server.url}/npm/README.md`);
    const raced = (await page.evaluate(`(async () => {
      const { checksum } = await import("/npm/checksum.js");
      const { race } = await import("/tests/loops.js");
      return race(checksum, ${JSON.stringify(SIZES)}, 40);
    })()`)) as Race;
    engines[(await browser.version()).replace("/", " ")] = raced;
    await browser.close();
  }
  server.close();
  return engines;
}

/** The table of npm/README.md: in each engine, the package and the best of all loops. */
function table(engines: Record<string, Race>): string {
  const rows = SIZES.map((size) => {
    const cells = Object.values(engines).flatMap((race) => {
      const { wiresum = Number.NaN, ...loops } = race[size] ?? {};
      const [name, best = 0] = Object.entries(loops).sort(([, a], [, b]) => a - b)[0] ?? [];
      return [`**${wiresum}**`, `${best} (${name})`];
    });
    return [size.toLocaleString("en"), ...cells];
  });
  const names = Object.keys(engines).map((name) => name.replace(/(\d+)\.[\d.]+/, "$1"));
  const header = ["bytes", ...names.flatMap((name) => [name, "best loop"])];
  const lines = [header, header.map(() => "---:"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}

/** `verify` on a capture that is in the memory of a page, in GB/s. */
async function verifying(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.goto(`${url}/npm/README.md`);
  const [bytes, seconds] = (await page.evaluate(`(async () => {
    const { init, verify } = await import("/npm/wiresum.js");
    await init();
    const capture = new Uint8Array(await (await fetch("/capture/it")).arrayBuffer());
    const seconds = [];
    for (let round = 0; round < 7; round++) {
      const start = performance.now();
      if (verify(capture).packets === 0) {
        throw new Error("no packets");
      }
      seconds.push((performance.now() - start) / 1000);
    }
    return [capture.length, seconds];
  })()`)) as [number, number[]];
  await page.close();
  return Number((bytes / median(seconds) / 1e9).toFixed(2));
}

/** The page on a file: the seconds, and the most private memory that its process takes. */
async function choosing(browser: Browser, url: string, file: string): Promise<object> {
  const page = await browser.newPage();
  await page.goto(`${url}/page/`);
  let most = 0;
  const pid = browser.process()?.pid ?? 0;
  const watch = setInterval(() => {
    most = Math.max(most, ...privateMemory(pid));
  }, 20);
  const input = (await page.$("#chosen")) as ElementHandle<HTMLInputElement>;
  const start = performance.now();
  await input.uploadFile(file);
  await page.waitForFunction(
    `!document.getElementById("result").hidden || !document.getElementById("failed").hidden`,
    { timeout: 0, polling: 20 },
  );
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watch);
  const said = await page.evaluate(`document.querySelector(".headline").textContent`);
  console.log(file, said);
  await page.close();
  const { size } = statSync(file);
  return {
    bytes: size,
    seconds: Number(seconds.toFixed(2)),
    gigabytes_a_second: Number((size / seconds / 1e9).toFixed(2)),
    private_megabytes: Math.round(most / 1e6),
  };
}

/** A capture of so many bytes: the header of another one, and its records again and again. */
function lengthen(capture: string, to: string, bytes: number): void {
  const { size } = statSync(capture);
  copyFileSync(capture, to);
  const records = readFileSync(capture).subarray(24);
  for (let length = size; length < bytes; length += records.length) {
    appendFileSync(to, records);
  }
}

function sizes(): Record<string, number> {
  const page = readFileSync(join(BUILT, "page/index.html"));
  const worker = readFileSync(join(BUILT, "page/service-worker.js"));
  return {
    bytes: page.length + worker.length,
    gzip: gzipSync(page, { level: 9 }).length + gzipSync(worker, { level: 9 }).length,
    brotli: brotliCompressSync(page).length + brotliCompressSync(worker).length,
    module: statSync(join(BUILT, "simd/wiresum_bg.wasm")).size,
  };
}

const [capture] = process.argv.slice(2);
if (!capture) {
  console.error("usage: node web/measure.ts --sums, or node web/measure.ts CAPTURE");
  process.exit(2);
}
const cpu = cpus()[0]?.model ?? "";
const model = /^model\s*:\s*(\d+)/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1];
const commit = execFileSync("git", ["rev-parse", "--short=12", "HEAD"], {
  encoding: "utf8",
}).trim();
const about = {
  cpu: `${cpu}, model ${model}`,
  date: new Date().toISOString().slice(0, 10),
  commit,
};
const folder = join(ROOT, "evidence/bench/results/web");
mkdirSync(folder, { recursive: true });
if (capture === "--sums") {
  const engines = await calls();
  const record = { ...about, nanoseconds_a_checksum: engines };
  writeFileSync(join(folder, "sums.json"), `${JSON.stringify(record, null, 1)}\n`);
  const part = /(<!-- sums:begin[^>]*-->\n)([\s\S]*?)(<!-- sums:end -->)/;
  const text = readFileSync(README, "utf8");
  writeFileSync(README, text.replace(part, `$1${table(engines)}$3`));
  console.log(table(engines));
  process.exit(0);
}
if (LIGHT) {
  console.error("build/web has the light build, which is not measured: node web/build.ts");
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), "wiresum-measure-"));
try {
  copyFileSync(capture, join(scratch, "it"));
  const server = await serve({
    page: join(BUILT, "page"),
    npm: join(BUILT, "npm"),
    capture: scratch,
  });
  const browser = await BROWSERS.chromium();
  const record: Record<string, unknown> = {
    ...about,
    browser: await browser.version(),
    page: sizes(),
    verify_in_memory: {
      bytes: statSync(capture).size,
      gigabytes_a_second: await verifying(browser, server.url),
    },
    page_on_a_file: await choosing(browser, server.url, capture),
  };
  const long = join(scratch, "long.pcap");
  lengthen(capture, long, LONG);
  record["page_on_a_long_file"] = await choosing(browser, server.url, long);
  await browser.close();
  server.close();
  writeFileSync(join(folder, "record.json"), `${JSON.stringify(record, null, 1)}\n`);
  console.log(JSON.stringify(record, null, 1));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
