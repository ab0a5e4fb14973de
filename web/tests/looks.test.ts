// SPDX-License-Identifier: MIT OR Apache-2.0
// What the page looks like: each state at three widths in both color schemes, on one sheet a state.
// looks/ has the sheets that a person has looked at. WIRESUM_WRITE=1 renews them.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "puppeteer-core";
import { BROWSERS, BUILT, ROOT, serve } from "./browsers.ts";
import { Visit } from "./visit.ts";

const LOOKS = join(import.meta.dirname, "looks");
const SHEETS = join(BUILT, "screenshots");
const WIDTHS = [390, 820, 1400];
const HEIGHT = 900;
/** The size of a picture on a sheet, of the size of the screen. */
const SCALE = 0.4;
/** Sheets are compared in cells of so many pixels, in which letters are gray. */
const CELL = 8;
/** The difference of gray of 255 that a cell may have, and the share of cells that may have more.
 * Another font changes some 1 % of the cells, and a section that is gone changes 4 %. */
const GRAY = 24;
const SHARE = 0.03;

/** Answers to the request `verify` of files with this name: some progress, and no verdict. */
const LOADING = "loading.pcap";
const STALL = `(() => {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (request, ...more) {
    const [files] = request.arguments ?? [];
    if (request.name === "verify" && files[0].name === "${LOADING}") {
      const progress = { name: "${LOADING}", part: 0.42, all: 0.42 };
      this.onmessage({ data: { id: request.id, progress } });
    } else {
      post.call(this, request, ...more);
    }
  };
})()`;

let server: Awaited<ReturnType<typeof serve>>;
let browser: Browser;
let scratch: string;
before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "wiresum-looks-"));
  mkdirSync(SHEETS, { recursive: true });
  server = await serve({ page: join(BUILT, "page") });
  browser = await BROWSERS.chromium();
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Files to choose: a capture of the examples under its name or another one, or bytes. */
const example = (name: string, as = name): string => {
  const path = join(scratch, as);
  copyFileSync(join(ROOT, "examples", name), path);
  return path;
};
const written = (name: string, bytes: Buffer | string): string => {
  const path = join(scratch, name);
  writeFileSync(path, bytes);
  return path;
};
const PCAP = Buffer.from("d4c3b2a1020004000000000000000000ffff000001000000", "hex");
const LONG = "a-name-without-any-space-that-goes-on-";

/** Each state with the files that lead to it. */
const STATES: Record<string, () => string[]> = {
  before: () => [],
  loading: () => [example("vlan.pcap", LOADING)],
  good: () => [example("vlan.pcap")],
  harmless: () => [example("office.pcapng")],
  bad: () => [example("corrupted.pcap")],
  unsure: () => [written("damaged.pcap", Buffer.concat([PCAP, Buffer.alloc(64, 0xff)]))],
  empty: () => [written("empty.pcap", PCAP)],
  error: () => [written("mail.pcap", "no capture ".repeat(9))],
  "long-names": () => [
    example("corrupted.pcap", `${LONG.repeat(6)}.pcap`),
    example("office.pcapng", `${LONG.repeat(4)}.pcapng`),
  ],
};

/** What is wrong with the layout: what is wider than the screen, and what lies over something else
 * or is cut. Only what a reader sees on the screen counts. */
const FAULTS = `(() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) {
    faults.push("the page is " + wide + " pixels wide");
  }
  const seen = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const box = { left, top, right, bottom };
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflow !== "visible" && up !== document.body) {
        const clip = up.getBoundingClientRect();
        box.left = Math.max(box.left, clip.left);
        box.top = Math.max(box.top, clip.top);
        box.right = Math.min(box.right, clip.right);
        box.bottom = Math.min(box.bottom, clip.bottom);
      }
    }
    return box;
  };
  const parts = "h1,h2,h3,p,button,label,select,input,summary,th,td,dt,dd,legend";
  const all = [...document.querySelectorAll(parts)]
    .filter((e) => e.checkVisibility() && !e.closest(".away, #chosen, #working, thead"))
    .map((element) => ({ element, box: seen(element) }))
    .filter(({ box }) => box.right - box.left > 2 && box.bottom - box.top > 2)
    .filter(({ box }) => box.top < innerHeight);
  for (const [at, { element, box }] of all.entries()) {
    for (const other of all.slice(at + 1)) {
      const isWithin = element.contains(other.element) || other.element.contains(element);
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (!isWithin && across > 2 && down > 2) {
        const both = [element, other.element].map((e) => e.outerHTML.slice(0, 80));
        faults.push(both.join(" lies over "));
      }
    }
  }
  return faults;
})()`;

/** The headline lies on the screen, whole. */
const ANSWERS = `(() => {
  const line = document.querySelector("#verdict .headline, #sample .headline");
  const { top, bottom } = line.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
})()`;

/** Puts pictures next to each other, a row for each scheme. Returns the sheet as WebP in base64. */
async function sheet(page: Page, rows: string[][]): Promise<string> {
  return (await page.evaluate(`(async () => {
    const rows = await Promise.all(${JSON.stringify(rows)}.map((row) =>
      Promise.all(row.map(async (base64) => {
        const image = new Image();
        image.src = "data:image/png;base64," + base64;
        await image.decode();
        return image;
      })),
    ));
    const gap = ${CELL};
    const canvas = document.createElement("canvas");
    canvas.width = rows[0].reduce((sum, { width }) => sum + width + gap, gap);
    canvas.height = rows.reduce((sum, [{ height }]) => sum + height + gap, gap);
    const context = canvas.getContext("2d");
    context.fillStyle = "#808080";
    context.fillRect(0, 0, canvas.width, canvas.height);
    let y = gap;
    for (const row of rows) {
      let x = gap;
      for (const image of row) {
        context.drawImage(image, x, y);
        x += image.width + gap;
      }
      y += row[0].height + gap;
    }
    return canvas.toDataURL("image/webp", 0.7).split(",")[1];
  })()`)) as string;
}

/** The share of the cells of two sheets that differ. */
async function difference(page: Page, one: string, other: string): Promise<number> {
  return (await page.evaluate(`(async () => {
    const cells = async (base64) => {
      const image = new Image();
      image.src = "data:image/webp;base64," + base64;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = Math.ceil(image.width / ${CELL});
      canvas.height = Math.ceil(image.height / ${CELL});
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return Array.from({ length: data.length / 4 }, (_, at) =>
        (data[4 * at] + data[4 * at + 1] + data[4 * at + 2]) / 3);
    };
    const [a, b] = [await cells(${JSON.stringify(one)}), await cells(${JSON.stringify(other)})];
    const differ = a.filter((gray, at) => Math.abs(gray - b[at]) > ${GRAY}).length;
    return a.length === b.length ? differ / a.length : 1;
  })()`)) as number;
}

/** Goes to a state. */
async function visit(files: string[]): Promise<Visit> {
  const visit = await Visit.begin(browser, `${server.url}/page/`, [STALL]);
  await visit.waitFor(`!document.getElementById("sample").hidden`);
  if (files[0]?.endsWith(LOADING)) {
    await visit.upload(...files);
    await visit.waitFor(`!document.getElementById("working").hidden`);
  } else if (files.length > 0) {
    await visit.choose(...files);
  }
  return visit;
}

/** The pictures of a state, and what is wrong with their layout. */
async function pictures(of: Visit, isAnswer: boolean): Promise<[string[][], string[]]> {
  const [rows, faults]: [string[][], string[]] = [[], []];
  for (const scheme of ["light", "dark"]) {
    await of.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const row: string[] = [];
    for (const width of WIDTHS) {
      await of.page.setViewport({ width, height: HEIGHT, deviceScaleFactor: SCALE });
      await of.page.evaluate("scrollTo(0, 0)");
      row.push(await of.page.screenshot({ encoding: "base64" }));
      const found = (await of.page.evaluate(FAULTS)) as string[];
      if (isAnswer && !(await of.page.evaluate(ANSWERS))) {
        found.push("the answer is not on the first screen");
      }
      faults.push(...found.map((fault) => `${width} ${scheme}: ${fault}`));
    }
    rows.push(row);
  }
  return [rows, faults];
}

for (const [state, files] of Object.entries(STATES)) {
  test(`the looks of the page, ${state}`, async (run) => {
    const there = await visit(files());
    const [rows, faults] = await pictures(there, state !== "loading");
    assert.deepEqual(faults, []);
    if (state === "long-names") {
      await there.page.setViewport({ width: 1400, height: HEIGHT });
      const hidden = await there.page.$eval("#bad-ones .wide", (wide) => {
        return wide.scrollWidth - wide.clientWidth;
      });
      assert.equal(hidden, 0, "pixels of the columns that long names hide");
    }
    const now = await sheet(there.page, rows);
    await there.end();
    const bytes = Buffer.from(now, "base64");
    writeFileSync(join(SHEETS, `${state}.webp`), bytes);
    const reference = join(LOOKS, `${state}.webp`);
    if (process.env["WIRESUM_WRITE"]) {
      mkdirSync(LOOKS, { recursive: true });
      writeFileSync(reference, bytes);
    }
    const blank = await browser.newPage();
    const share = await difference(blank, readFileSync(reference, "base64"), now);
    await blank.close();
    run.diagnostic(`${(100 * share).toFixed(1)} % differ`);
    assert.ok(
      share < SHARE,
      `${(100 * share).toFixed(1)} % of build/web/screenshots/${state}.webp differ from ` +
        `web/tests/looks/${state}.webp. If the new one is right, WIRESUM_WRITE=1 keeps it`,
    );
  });
}

test("a fault of the layout is found", async () => {
  const there = await visit(STATES["harmless"]?.() ?? []);
  await there.page.addStyleTag({
    content: ".headline { margin-bottom: -5rem } .lead { width: 99rem }",
  });
  const [rows, faults] = await pictures(there, true);
  assert.ok(
    faults.some((fault) => fault.includes("lies over")),
    faults.join("\n"),
  );
  await there.page.addStyleTag({ content: "* { all: unset } script, style { display: none }" });
  const [unstyled] = await pictures(there, false);
  const [right, wrong] = [await sheet(there.page, rows), await sheet(there.page, unstyled)];
  assert.ok((await difference(there.page, right, wrong)) > SHARE);
  await there.end();
});
