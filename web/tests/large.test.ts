// SPDX-License-Identifier: MIT OR Apache-2.0
// A large capture in Chromium: how long the page takes next to the module alone, and whether it
// answers in the meantime. WIRESUM_WEB_FULL=1 takes 2 GB instead of 64 MB.
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, ElementHandle } from "puppeteer-core";
import { BROWSERS, BUILT, ROOT, serve, wiresum } from "./browsers.ts";
import { Visit } from "./visit.ts";

const EXAMPLE = "examples/offload-on.pcap";
/** The bytes of the capture that the page reads while it has to answer, and of the one that is
 * timed. */
const SIZE = process.env["WIRESUM_WEB_FULL"] ? 2e9 : 64e6;
const SMALL = 64e6;
/** How many times as long the page may take as reading and verifying alone, one after the other.
 * Here other programs may have the cores. */
const TIMES = 3;
/** The milliseconds that a worker takes to read the chosen file in slices of 32 MiB, and that the
 * module takes to verify it in memory. */
const NEEDED = `(async () => {
  const [file] = document.getElementById("chosen").files;
  const code = "onmessage = ({ data }) => {" +
    "const start = performance.now();" +
    "for (let at = 0; at < data.size; at += 32 << 20)" +
    "  new FileReaderSync().readAsArrayBuffer(data.slice(at, at + (32 << 20)));" +
    "postMessage(performance.now() - start); }";
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  const read = () => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(file);
  });
  const { init, verify } = await import("/npm/wiresum.js");
  await init();
  const capture = new Uint8Array(await file.arrayBuffer());
  const reading = await read();
  const start = performance.now();
  verify(capture);
  return reading + performance.now() - start;
})()`;
/** The milliseconds that the page may be without an answer. */
const FROZEN = 100;
/** A loop of some 10 ms on a fast machine, by which the bound of a slow one is longer. */
const LOOP = `(() => {
  const start = performance.now();
  let x = 1;
  for (let i = 0; i < 1e7; i++) {
    x = (Math.imul(x, 31) + i) | 0;
  }
  return performance.now() - start + (x === 0.5 ? 1 : 0);
})()`;
/** Notes every piece of work of the page that keeps a reader waiting for 50 ms or more. */
const WATCH = `window.long = [];
  new PerformanceObserver((list) => {
    long.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask" });`;

let server: Awaited<ReturnType<typeof serve>>;
let browser: Browser;
let scratch: string;
/** A capture with the records of an example again and again, and how often. */
function lengthen(name: string, size: number): [path: string, times: number] {
  const example = readFileSync(join(ROOT, EXAMPLE));
  const records = example.subarray(24);
  const path = join(scratch, name);
  writeFileSync(path, example.subarray(0, 24));
  const many = Math.ceil(8e6 / records.length);
  const block = Buffer.concat(new Array(many).fill(records));
  let times = 0;
  for (let length = 24; length < size; length += block.length) {
    appendFileSync(path, block);
    times += many;
  }
  return [path, times];
}

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "wiresum-large-"));
  server = await serve({
    page: join(BUILT, "page"),
    npm: join(BUILT, "npm"),
  });
  browser = await BROWSERS.chromium();
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(scratch, { recursive: true, force: true });
});

test("the page takes no longer than reading and verifying need", async (run) => {
  const [path] = lengthen("small.pcap", SMALL);
  const page = await browser.newPage();
  await page.goto(`${server.url}/npm/README.md`);
  await page.evaluate(`document.body.innerHTML = "<input type=file id=chosen>"`);
  await ((await page.$("#chosen")) as ElementHandle<HTMLInputElement>).uploadFile(path);
  const visit = await Visit.begin(browser, `${server.url}/page/`);
  await visit.waitFor(`!document.getElementById("sample").hidden`);
  const choose = async (file: string): Promise<number> => {
    const start = performance.now();
    await visit.choose(file);
    return performance.now() - start;
  };
  // What the page shows takes as long for the example itself. Other programs slow some turns.
  const least = { needed: Number.POSITIVE_INFINITY, showing: Number.POSITIVE_INFINITY };
  let [all, ratio] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < 3 || (turn < 12 && ratio >= TIMES); turn++) {
    least.needed = Math.min(least.needed, (await page.evaluate(NEEDED)) as number);
    least.showing = Math.min(least.showing, await choose(join(ROOT, EXAMPLE)));
    all = Math.min(all, await choose(path));
    ratio = (all - least.showing) / least.needed;
  }
  assert.match(await visit.text("#verdict .headline"), /^Nothing was wrong on the wire/);
  await visit.end();
  await page.close();
  run.diagnostic(`${ratio.toFixed(1)} times ${least.needed.toFixed(0)} ms`);
  assert.ok(ratio < TIMES, `the page takes ${ratio} times as long as reading and verifying`);
});

test("the page answers while it reads a large capture, and after that", async (run) => {
  const [path, times] = lengthen("large.pcap", SIZE);
  const visit = await Visit.begin(browser, `${server.url}/page/`, [WATCH]);
  await visit.waitFor(`!document.getElementById("sample").hidden`);
  const loop = Math.min(
    ...((await Promise.all([1, 2, 3].map(() => visit.page.evaluate(LOOP)))) as number[]),
  );
  await visit.page.evaluate("void (long.length = 0)");
  await visit.choose(path);
  await visit.set("#filter-host", "192.0.2.");
  await visit.waitFor(`/^[1-9][\\d,]+ bad/.test(document.getElementById("found").textContent)`);
  await visit.click("#more");
  await visit.waitFor(`document.querySelectorAll("#rows > tr").length === 200`);
  await visit.page.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
  const longest = Math.max(0, ...((await visit.page.evaluate("long")) as number[]));
  const { files } = JSON.parse((await visit.saved("#save-json")).bytes.toString());
  const example = JSON.parse(wiresum(ROOT, "verify", "--json", EXAMPLE)).files[0];
  assert.equal(files[0].packets, times * example.packets);
  await visit.end();
  const bound = Math.max(FROZEN, 10 * loop);
  run.diagnostic(`${longest} ms, where a loop takes ${loop.toFixed(1)} ms`);
  assert.ok(longest <= bound, `the page did not answer for ${longest} ms; the bound is ${bound}`);
});
