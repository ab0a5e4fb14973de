// SPDX-License-Identifier: MIT OR Apache-2.0
// The built site: every link, and what a reader does in Chromium. The server is on this machine,
// and a page that asks another host fails.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { BROWSERS, serve } from "../../web/tests/browsers.ts";
import { BASE, BUILT, ROOT } from "../places.ts";

type Browser = Awaited<ReturnType<(typeof BROWSERS)["chromium"]>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const HTML = join(BUILT, "html");
const SHOTS = join(BUILT, "screenshots");
const SCHEMES = ["light", "dark"] as const;
const WIDTHS = [390, 820, 1400];
/** A page of each kind. */
const PAGES = [
  "",
  "guides/bad-checksums/",
  "guides/stack/c/",
  "install/",
  "compare/",
  "machines/amd-zen4/",
  "evidence/lab/aix/",
];

/** web/tests judges the frame of the front page. The rule is wrong on Starlight's button Search:
 * the name leaves out the keys, which are hidden from screen readers. */
const AXE = '{ iframes: false, rules: { "label-content-name-mismatch": { enabled: false } } }';

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
let site: string;

before(async () => {
  rmSync(SHOTS, { recursive: true, force: true });
  mkdirSync(SHOTS, { recursive: true });
  server = await serve({ [BASE.slice(1)]: HTML });
  site = `${server.url}${BASE}/`;
  browser = await BROWSERS.chromium();
});

after(async () => {
  await browser.close();
  server.close();
});

/** What pages asked for and did not get, or asked of another host. */
const wrong: string[] = [];

after(() => assert.deepEqual(wrong, []));

async function open(path: string, scheme: "light" | "dark", width: number): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  page.on("response", (response) => {
    const url = response.url();
    const isHere = /^(data|blob):/.test(url) || url.startsWith(site);
    const isIcon = url === `${server.url}/favicon.ico`; // Chromium asks where a page has none
    if (!isIcon && (!isHere || response.status() >= 400)) {
      wrong.push(`/${path} asks for ${url}: ${response.status()}`);
    }
  });
  await page.goto(site + path, { waitUntil: "networkidle0" });
  return page;
}

test("every link leads to a page and to a place on it", () => {
  const root = join(BUILT, "served");
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  symlinkSync(HTML, join(root, BASE));
  // A script of rustdoc reads the lines of a source that follow the #.
  const lines = "--remap=(.*[.]rs[.]html)#[0-9]+-[0-9]+$ $1";
  const options = ["--offline", "--include-fragments=anchor-only", "--index-files=index.html"];
  const words = [...options, lines, `--root-dir=${root}`, "--format=json", `${HTML}/**/*.html`];
  const { stdout, stderr } = spawnSync("lychee", words, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.ok(stdout, stderr);
  const { error_map, successful } = JSON.parse(stdout) as {
    error_map: Record<string, { url: string; status: { text: string } }[]>;
    successful: number;
  };
  const dead = Object.entries(error_map).flatMap(([file, links]) =>
    links.map(({ url, status }) => `${file}: ${url}: ${status.text}`),
  );
  assert.deepEqual(dead, []);
  assert.ok(successful > 10_000, `lychee followed no more than ${successful} links`);
});

for (const path of PAGES) {
  test(`a reader with any screen can use /${path}`, async () => {
    for (const scheme of SCHEMES) {
      for (const width of WIDTHS) {
        const page = await open(path, scheme, width);
        const name = path.replaceAll("/", "-") || "front-";
        await page.screenshot({ path: join(SHOTS, `${name}${width}-${scheme}.png`) });
        const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(wide) <= 0, `/${path} at ${width} is ${wide} pixels too wide`);
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate(`axe.run(document, ${AXE})`)) as {
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        };
        const bad = violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
        assert.deepEqual(bad, [], `axe on /${path}, ${scheme}, ${width}`);
        await page.close();
      }
    }
  });
}

test("a capture that is dropped on the front page gets its verdict there", async () => {
  const page = await open("", "light", 1400);
  const frame = await (await page.waitForSelector("iframe"))?.contentFrame();
  assert.ok(frame);
  const capture = readFileSync(join(ROOT, "examples/office.pcapng")).toString("base64");
  await frame.evaluate(`(() => {
    const bytes = Uint8Array.from(atob("${capture}"), (char) => char.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "office.pcapng"));
    const target = document.getElementById("drop");
    for (const type of ["dragenter", "dragover", "drop"]) {
      target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  })()`);
  await frame.waitForFunction("!document.getElementById('result').hidden", { timeout: 30_000 });
  assert.match(String(await frame.evaluate("document.body.innerText")), /offload/);
  await page.screenshot({ path: join(SHOTS, "front-dropped.png") });
  await page.close();
});

test("the frame of the front page reaches neither the site nor another host", async () => {
  const page = await open("", "light", 1400);
  const frame = await (await page.waitForSelector("iframe"))?.contentFrame();
  assert.ok(frame);
  assert.equal(await frame.evaluate("origin"), "null");
  const reaches = "(() => { try { return Boolean(parent.document); } catch { return false; } })()";
  assert.equal(await frame.evaluate(reaches), false);
  const refused = new Promise<string>((resolve) => {
    page.on("console", (message) => {
      if (/frame-src/.test(message.text())) {
        resolve(message.text());
      }
    });
  });
  await frame.evaluate(`void (location.href = "http://127.0.0.1:9/?the-capture")`);
  assert.match(await refused, /violates the following Content Security Policy directive/);
  await page.close();
});

test("the site has the licenses of what it contains", () => {
  const notices = readFileSync(join(HTML, "THIRD-PARTY-NOTICES.txt"), "utf8");
  const names = ["@astrojs/starlight", "@expressive-code/core", "doxygen-awesome-css", "pagefind"];
  for (const name of names) {
    assert.ok(notices.includes(name), name);
  }
  assert.match(notices, /Permission is hereby granted, free of charge/);
});

for (const [words, place] of [
  ["lost end-around carry", "packet/causes/"],
  ["offload", "guides/bad-checksums/"],
  ["npm install", "web/npm/"],
  ["wiresum_packet_verify", "api/"],
  ["push_range", "api/rust/"],
] as const) {
  test(`the search for "${words}" finds ${place}`, async () => {
    const page = await open("", "light", 1400);
    await page.click("site-search button");
    await page.waitForSelector("dialog[open] input");
    await page.type("dialog[open] input", words);
    await page.waitForSelector("dialog[open] .pagefind-ui__result-link", { timeout: 20_000 });
    const found = await page.$$eval("dialog[open] .pagefind-ui__result-link", (links) =>
      links.map((link) => link.getAttribute("href") ?? ""),
    );
    const seen = words.startsWith("lost") ? found : found.slice(0, 1); // its words are common
    assert.ok(
      seen.some((link) => link.startsWith(`${BASE}/${place}`)),
      found.join(" "),
    );
    await page.close();
  });
}

test("a copy button copies the commands of a block, and not what they print", async () => {
  const page = await open("guides/bad-checksums/", "light", 1400);
  const copied = await page.$$eval(".expressive-code .copy button", (all) =>
    all.map((button) => button.getAttribute("data-code")?.replaceAll("\u007f", "\n") ?? ""),
  );
  assert.equal(copied[0], "wiresum verify examples/office.pcapng");
  assert.ok(copied.every((text) => text !== "" && !/^\$ |^ {2}protocol/m.test(text)));
  await page.close();
});

test("the page Install has a tab for each way, and marks what is not there yet", async () => {
  const page = await open("install/", "light", 1400);
  const tabs = await page.$$eval('[role="tab"]', (all) => all.map((tab) => tab.textContent.trim()));
  assert.deepEqual(tabs, ["Program", "cargo", "pip", "npm", "C", "Go"]);
  const blocks = await page.$$eval('[role="tabpanel"] pre', (all) =>
    all.map((block) => block.textContent ?? ""),
  );
  assert.ok(blocks.some((block) => /npm install .*wiresum|npm install .*build/.test(block)));
  const { state } = JSON.parse(readFileSync(join(ROOT, "site/src/install.json"), "utf8"));
  const notes = await page.$$eval("main aside", (all) => all.map((note) => note.textContent ?? ""));
  assert.equal(
    notes.some((note) => note.includes("no release yet")),
    state !== "",
  );
  assert.match(String(await page.evaluate("document.body.innerText")), /git clone https:/);
  await page.close();
});

test("the frame follows the scheme of the site, and has the height that it needs", async () => {
  const page = await open("", "light", 1400);
  const frame = await (await page.waitForSelector("iframe"))?.contentFrame();
  assert.ok(frame);
  const isDark = "getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'";
  for (const theme of ["dark", "light"]) {
    await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
    await frame.waitForFunction(`${isDark} === ${theme === "dark"}`, { timeout: 10_000 });
  }
  const fits = "document.documentElement.scrollHeight <= innerHeight";
  await frame.waitForFunction(fits, { timeout: 30_000 });
  await page.close();
});

test("a capture that is dropped anywhere on the front page gets its verdict", async () => {
  const page = await open("", "light", 1400);
  const frame = await (await page.waitForSelector("iframe"))?.contentFrame();
  assert.ok(frame);
  const capture = readFileSync(join(ROOT, "examples/corrupted.pcap")).toString("base64");
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob("${capture}"), (char) => char.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "corrupted.pcap"));
    const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector("h1").dispatchEvent(drop);
  })()`);
  await frame.waitForFunction("!document.getElementById('result').hidden", { timeout: 30_000 });
  assert.match(String(await frame.evaluate("document.body.innerText")), /Real damage: 21 of 23/);
  await page.close();
});

test("the interfaces are there, with a comment on what a caller needs", async () => {
  for (const [path, word] of [
    ["api/rust/wiresum/index.html", "Stream"],
    ["api/rust/wiresum_packet/index.html", "wiresum_packet"],
    ["api/c/wiresum_8h.html", "Incremental update"],
    ["api/c/wiresum__packet_8h.html", "wiresum_packet_verify"],
  ] as const) {
    const page = await open(path, "light", 1400);
    assert.match(String(await page.evaluate("document.body.innerText")), new RegExp(word));
    await page.screenshot({ path: join(SHOTS, `${path.replaceAll("/", "-")}.png`) });
    await page.close();
  }
});
