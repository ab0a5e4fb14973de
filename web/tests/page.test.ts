// SPDX-License-Identifier: MIT OR Apache-2.0
// The page in browsers, against the command line: every verdict, every explanation, every byte of a
// repair. WIRESUM_CAPTURES names a folder with more captures.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser, ElementHandle } from "puppeteer-core";
import { BROWSERS, BUILT, LIGHT, ROOT, serve, wiresum } from "./browsers.ts";
import { Visit } from "./visit.ts";

const EXAMPLES = join(ROOT, "examples");
const MORE = process.env["WIRESUM_CAPTURES"];
/** The length of a decompressed bomb: 1 GiB in the full form, which takes half a minute. */
const BOMB = process.env["WIRESUM_WEB_FULL"] ? 1 << 30 : 16 << 20;
/** The bytes of records of no length, which a search reads for a second or more. */
const LONG = (LIGHT ? 48 : 256) << 20;
/** The header of a pcap file with Ethernet frames. */
const PCAP = Buffer.from("d4c3b2a1020004000000000000000000ffff000001000000", "hex");

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** The captures of a folder, in the order of their names. */
const captures = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.(p?cap(ng)?|snoop|log|dump|dmp|trc)(\.(gz|zst|lz4|xz))?$/.test(name))
    .sort();

/** A row of the CSV, by the names of its columns. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head = "", ...lines] = csv.trimEnd().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""]));
  });
}

for (const [name, start] of Object.entries(BROWSERS)) {
  describe(`the page in ${name}`, () => {
    let server: Awaited<ReturnType<typeof serve>>;
    let browser: Browser;
    let scratch: string;
    let url: string;
    before(async () => {
      scratch = mkdtempSync(join(tmpdir(), "wiresum-web-"));
      server = await serve({ page: join(BUILT, "page") });
      url = `${server.url}/page/`;
      browser = await start();
    });
    after(async () => {
      await browser?.close();
      server?.close();
      rmSync(scratch, { recursive: true, force: true });
    });

    for (const folder of [EXAMPLES, ...(MORE ? [MORE] : [])]) {
      test(`every verdict and every repair of ${folder}`, async () => {
        const names = captures(folder);
        assert.ok(names.length > 10, folder);
        const visit = await Visit.begin(browser, url);
        await visit.choose(...names.map((name) => join(folder, name)));
        assert.equal(await visit.text("#failed"), "");
        const json = await visit.saved("#save-json");
        assert.equal(json.bytes.toString(), wiresum(folder, "verify", "--json", ...names));
        const csv = await visit.saved("#save-csv");
        assert.equal(csv.bytes.toString(), wiresum(folder, "verify", "--csv", "-", ...names));
        const html = await visit.saved("#save-html");
        assert.equal(html.bytes.toString(), wiresum(folder, "verify", "--html", "-", ...names));

        const { files, errors } = JSON.parse(json.bytes.toString());
        assert.equal(files.length + errors.length, names.length);
        let repaired = 0;
        for (const { path } of files as { path: string }[]) {
          await visit.set("#repair-file", String(names.indexOf(path)));
          if (await visit.page.$("#repair button:disabled")) {
            continue;
          }
          const { name, bytes } = await visit.saved("#repair button");
          assert.match(name, /\.repaired\.\w+$/);
          const out = join(scratch, `${name}.${path}.pcap`);
          wiresum(folder, "fix", "--force", path, out);
          assert.equal(digest(bytes), digest(readFileSync(out)), path);
          repaired += 1;
        }
        assert.ok(repaired > 5, "captures that were repaired");
        await visit.end();
      });
    }

    test("a repair of chosen causes leaves the others", async () => {
      const visit = await Visit.begin(browser, url);
      await visit.choose(join(EXAMPLES, "tunnels-offload.pcap"), join(EXAMPLES, "corrupted.pcap"));
      await visit.set("#repair-file", "1");
      const causes = (await visit.page.$$eval("#repair input", (boxes) =>
        boxes.map((box) => box.value),
      )) as string[];
      assert.ok(causes.includes("one-bit") && causes.length > 1, String(causes));
      for (const cause of causes.filter((cause) => cause !== "one-bit")) {
        await visit.click(`#repair input[value=${cause}]`);
      }
      const { bytes } = await visit.saved("#repair button");
      const out = join(scratch, "chosen.pcap");
      wiresum(EXAMPLES, "fix", "--only", "one-bit", "corrupted.pcap", out);
      assert.equal(digest(bytes), digest(readFileSync(out)));
      await visit.waitFor(`!document.getElementById("repaired").hidden`);
      assert.match(await visit.text("#repaired"), /left bad/);
      await visit.end();
    });

    test("compressed captures are repaired uncompressed", async () => {
      const packed = join(scratch, "office.pcapng.gz");
      writeFileSync(packed, gzipSync(readFileSync(join(EXAMPLES, "office.pcapng"))));
      const visit = await Visit.begin(browser, url);
      await visit.choose(packed);
      const { name, bytes } = await visit.saved("#repair button");
      assert.equal(name, "office.repaired.pcapng");
      const out = join(scratch, "whole.pcapng");
      wiresum(scratch, "fix", packed, out);
      assert.equal(digest(bytes), digest(readFileSync(out)));
      await visit.end();
    });

    test("the name of a repaired capture has no control characters", async () => {
      const odd = join(scratch, "a\x1b[31m\n\u202epacp.b\u2066.pcap");
      writeFileSync(odd, readFileSync(join(EXAMPLES, "corrupted.pcap")));
      const visit = await Visit.begin(browser, url);
      await visit.choose(odd);
      const { name } = await visit.saved("#repair button");
      assert.equal(name, "a[31mpacp.b.repaired.pcap");
      await visit.end();
    });

    test("filters find the rows of the CSV, and a row opens its explanation", async () => {
      const names = ["office.pcapng", "corrupted.pcap"];
      const visit = await Visit.begin(browser, url);
      await visit.choose(...names.map((name) => join(EXAMPLES, name)));
      const wrong = rowsOf(wiresum(EXAMPLES, "verify", "--csv", "-", ...names)).filter(
        ({ status, quoted }) => ["bad", "illegal"].includes(status ?? "") && quoted === "false",
      );
      const finds = async (filter: Record<string, string>, expected: number): Promise<void> => {
        for (const control of ["file", "host", "protocol", "cause"]) {
          await visit.set(`#filter-${control}`, filter[control] ?? "");
        }
        const begins = `${expected.toLocaleString("en-US")} bad or illegal`;
        await visit.waitFor(
          `document.getElementById("found").textContent.startsWith(${JSON.stringify(begins)})`,
        );
        const rows = await visit.page.$$("#rows tr:not(.explained)");
        assert.equal(rows.length, Math.min(expected, 100));
      };
      const of = (keep: (row: Record<string, string>) => boolean): number =>
        wrong.filter(keep).length;
      assert.ok(wrong.length > 150);
      await finds({}, wrong.length);
      await finds(
        { file: "1" },
        of(({ file }) => file === "corrupted.pcap"),
      );
      await finds(
        { protocol: "udp" },
        of(({ protocol }) => protocol === "udp"),
      );
      await finds(
        { cause: "one-bit" },
        of(({ cause }) => cause === "one-bit"),
      );
      const host = wrong[0]?.["source"] ?? "";
      await finds(
        { host },
        of(({ source, destination }) => [source, destination].includes(host)),
      );
      await finds({ host: "203.0.113.99" }, 0);
      const both = { file: "0", protocol: "tcp", cause: "offload" };
      await finds(
        both,
        of((row) => row["file"] === "office.pcapng" && row["protocol"] === "tcp"),
      );

      const frame = wrong.find((row) => row["protocol"] === "tcp")?.["frame"] ?? "";
      const explained = wiresum(EXAMPLES, "explain", "office.pcapng", frame);
      const body = (text: string): string => text.trimEnd().split("\n").slice(1).join("\n");
      await visit.page.focus("#rows button");
      await visit.page.keyboard.press("Enter");
      await visit.waitFor(`document.querySelector("#rows .explained pre")`);
      assert.equal(body(await visit.text("#rows .explained pre")), body(explained));
      await visit.click("#rows button");
      await visit.waitFor(`!document.querySelector("#rows .explained")`);

      await visit.click("section:has(> #why) tbody button");
      await visit.waitFor(`document.getElementById("filter-cause").value !== ""`);
      await visit.end();
    });

    test("a dropped file, an example and a pasted dump are verified", async () => {
      const visit = await Visit.begin(browser, url);
      const base64 = readFileSync(join(EXAMPLES, "vlan.pcap")).toString("base64");
      await visit.page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob("${base64}"), (one) => one.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], "vlan.pcap"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
      })()`);
      await visit.waitFor(`document.querySelector("#of")?.textContent === "vlan.pcap"`);
      assert.match(await visit.text(".headline"), /^All \d+ checksums are right\.$/);

      await visit.click("#examples button");
      await visit.waitFor(`document.querySelector("#of")?.textContent === "office.pcapng"`);
      // README.md shows the same capture: 142 checksums of it are bad.
      assert.match(
        await visit.text(".headline"),
        /^Nothing was wrong on the wire: all 142 bad .*, 136 of them sent by 192\.0\.2\.2 and /,
      );

      // The header that Wikipedia works out, with a wrong last byte.
      await visit.set("#dump", "0000  45000073 00004000 4011b861 c0a80001 c0a800c8");
      await visit.click("#read-dump");
      await visit.waitFor(`document.querySelector("#of")?.textContent === "pasted.pcapng"`);
      assert.match(
        await visit.text(".headline"),
        /^Real damage: the one bad checksum looks like one flipped bit, sent by /,
      );
      assert.match(await visit.text("#rows"), /ipv4.*192\.168\.0\.1 > 192\.168\.0\.200.*0xb861/s);

      await visit.set("#dump", "no bytes");
      await visit.click("#read-dump");
      await visit.waitFor(`!document.getElementById("failed").hidden`);
      assert.match(await visit.text("#failed"), /no bytes in hexadecimal/);
      await visit.end();
    });

    test("hostile files get the words of the command line, and the page goes on", async () => {
      const office = readFileSync(join(EXAMPLES, "office.pcapng"));
      const packed = gzipSync(office);
      // Zeros make records of no bytes, and the bomb is 1000 times as long as its file.
      const bomb = gzipSync(Buffer.concat([PCAP, Buffer.alloc(BOMB)]));
      const liar = Buffer.from(PCAP);
      const record = Buffer.from("00000000000000000000007fffffff7f", "hex");
      const files: Record<string, Buffer> = {
        "empty.pcap": Buffer.alloc(0),
        "header.pcap": PCAP.subarray(0, 11),
        "zeros.pcap": Buffer.alloc(1 << 20),
        "text.pcap": Buffer.from("<script>alert(1)</script>".repeat(99)),
        "liar.pcap": Buffer.concat([liar, record, Buffer.alloc(99)]),
        "cut.pcapng": office.subarray(0, 70_001),
        "cut.pcapng.gz": packed.subarray(0, 20_000),
        "damaged.pcapng.gz": Buffer.concat([packed.subarray(0, 9_000), Buffer.alloc(9_000, 0xa5)]),
        "magic.zst": Buffer.from("28b52ffdffffffffffffffffffff", "hex"),
        "magic.xz": Buffer.from("fd377a585a00ffffffffffffffff", "hex"),
        "magic.lz4": Buffer.from("04224d18ffffffffffffffffffff", "hex"),
        "bomb.pcap.gz": bomb,
        "zeros-bomb.gz": gzipSync(Buffer.alloc(BOMB)),
      };
      for (const [name, bytes] of Object.entries(files)) {
        writeFileSync(join(scratch, name), bytes);
      }
      const names = Object.keys(files);
      const visit = await Visit.begin(browser, url);
      await visit.choose(...names.map((name) => join(scratch, name)));
      assert.equal(await visit.text("#failed"), "");
      const { bytes } = await visit.saved("#save-json");
      assert.equal(bytes.toString(), wiresum(scratch, "verify", "--json", ...names));
      const { errors } = JSON.parse(bytes.toString());
      assert.ok(errors.length >= 7, "files that are no captures");
      for (const { path, error } of errors) {
        const shown = await visit.text("#verdict section:has(> #errors)");
        assert.ok(shown.includes(path) && shown.includes(error), path);
      }
      await visit.choose(join(EXAMPLES, "office.pcapng"));
      assert.match(await visit.text(".headline"), /: all 142 bad checksums are checksum offload/);
      await visit.end();
    });

    test("what nothing was verified in is not green", async () => {
      const files: Record<string, [Buffer, string, RegExp]> = {
        "text.pcap": [
          Buffer.from("no capture ".repeat(9)),
          "unsure",
          /: no capture could be read\.$/,
        ],
        "damaged.pcap": [
          Buffer.concat([PCAP, Buffer.alloc(64, 0xff)]),
          "unsure",
          /: the capture is damaged, and no packet could be read\.$/,
        ],
        "vlan.pcap": [
          readFileSync(join(EXAMPLES, "vlan.pcap")),
          "good",
          /^All \d+ checksums are right\.$/,
        ],
        "office.pcapng": [
          readFileSync(join(EXAMPLES, "office.pcapng")),
          "harmless",
          /: all 142 bad/,
        ],
        "corrupted.pcap": [
          readFileSync(join(EXAMPLES, "corrupted.pcap")),
          "bad",
          /^Real damage: 21 of 23 bad checksums look like one flipped bit/,
        ],
      };
      const visit = await Visit.begin(browser, url);
      const colors = new Map<string, string>();
      for (const [name, [bytes, tone, headline]] of Object.entries(files)) {
        writeFileSync(join(scratch, name), bytes);
        await visit.choose(join(scratch, name));
        assert.match(await visit.text(`#verdict .headline.${tone}`), headline);
        const color = await visit.page.$eval(
          "#verdict .headline",
          (line) => getComputedStyle(line).color,
        );
        assert.ok([undefined, color].includes(colors.get(tone)));
        colors.set(tone, color);
      }
      assert.equal(new Set(colors.values()).size, 4);
      await visit.end();
    });

    test("a verdict has the focus, ids are unique, and names hide nothing", async () => {
      const visit = await Visit.begin(browser, url);
      const base64 = readFileSync(join(EXAMPLES, "office.pcapng")).toString("base64");
      await visit.page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob("${base64}"), (one) => one.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], "a\\u202egnp.pcap"));
        dataTransfer.items.add(new File(["no capture, but long enough"], "b\\u001b[31m.pcap"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
      })()`);
      await visit.waitFor(`document.activeElement.id === "of"`);
      const ids = (await visit.page.$$eval("[id]", (all) => all.map(({ id }) => id))) as string[];
      assert.deepEqual(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        [],
      );
      const shown = (await visit.page.evaluate("document.body.innerText")) as string;
      const options = await visit.text("#filter-file");
      for (const text of [shown, options, await visit.text("#repair-file")]) {
        assert.ok(!text.includes("\u202e") && !text.includes("\u001b"), text);
        assert.ok(text.includes("a\\u{202e}gnp.pcap"), text);
      }
      assert.ok(options.includes("b\\u{1b}[31m.pcap"), options);
      await visit.end();
    });

    test("a filter beyond what is held ends the search before it, and no verdict", async () => {
      // Bad checksums, and then so many records that a search takes its time.
      const slow = join(scratch, "many.pcap");
      const corrupted = readFileSync(join(EXAMPLES, "corrupted.pcap"));
      writeFileSync(slow, Buffer.concat([corrupted, Buffer.alloc(LONG)]));
      const visit = await Visit.begin(browser, url, [
        `(() => {
          const post = Worker.prototype.postMessage;
          window.sent = [];
          Worker.prototype.postMessage = function (request) {
            sent.push(request.name);
            const room = { verify: 1, search: 3 }[request.name];
            if (room) {
              request.arguments[room] = 3; // rows that are held
            }
            post.call(this, request);
          };
        })()`,
      ]);
      await visit.page.setViewport({ width: 900, height: 700 });
      await visit.choose(slow);
      assert.match(await visit.text("#found"), /^\d+ bad or illegal checksums. The first 3 are/);
      await visit.page.focus("#filter-host");
      await visit.page.keyboard.type("1");
      await visit.waitFor(`sent.includes("search") && !document.querySelector("#working[hidden]")`);
      const bar = await (await visit.page.$("#cancel"))?.boundingBox();
      assert.ok(bar && bar.y >= 0 && bar.y + bar.height <= 700, "Cancel is on the screen");
      const typed = await (await visit.page.$("#filter-host"))?.boundingBox();
      assert.ok(typed && typed.y >= 0 && typed.y + typed.height <= bar.y, "and hides no input");
      // Three more filters, of which the first two are outdated at once.
      for (const host of ["19", "192", "203.0.113.99"]) {
        await visit.set("#filter-host", host);
        await visit.waitFor(`document.getElementById("filter-host").value === "${host}"`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await visit.ready();
      assert.match(await visit.text("#found"), /^0 bad or illegal checksums/);
      await visit.set("#filter-host", "1");
      await visit.waitFor(`!document.querySelector("#working[hidden]")`);
      await visit.click("#cancel");
      await visit.waitFor(`document.getElementById("said").textContent === "Cancelled."`);
      await visit.ready();
      assert.ok(await visit.page.$("#result:not([hidden])"), "the verdict is there");
      assert.match(await visit.text("#found"), /^The search did not end/);
      await visit.set("#filter-host", "");
      await visit.waitFor(
        `/^\\d+ bad or illegal/.test(document.getElementById("found").textContent)`,
      );
      const verified = await visit.page.evaluate(`sent.filter((name) => name === "verify").length`);
      assert.equal(verified, 2, "the example of the first screen and the captures, once each");
      rmSync(slow);
      await visit.end();
    });

    test("work is cancelled, and the next begins", async () => {
      const slow = join(scratch, "slow.pcap");
      writeFileSync(slow, Buffer.concat([PCAP, Buffer.alloc(256 << 20)]));
      const visit = await Visit.begin(browser, url);
      const input = (await visit.page.$("#chosen")) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(slow);
      await visit.waitFor(`document.getElementById("progress").value > 0.05`);
      assert.match(await visit.text("#doing"), /^Reading slow.pcap: \d+ %$/);
      await visit.click("#cancel");
      await visit.waitFor(`document.getElementById("said").textContent === "Cancelled."`);
      assert.ok(await visit.page.$("#working[hidden]"));
      await visit.choose(join(EXAMPLES, "office.pcapng"));
      assert.match(await visit.text(".headline"), /: all 142 bad checksums are checksum offload/);
      rmSync(slow);
      await visit.end();
    });

    test("the second tab adds word by word, and updates by RFC 1624", async () => {
      const visit = await Visit.begin(browser, `${url}#sums`);
      await visit.waitFor(`document.querySelectorAll("#words tr").length === 4`);
      // RFC 1071 section 3: 0001 + f203 + f4f5 + f6f7 = 2ddf0, and ddf2 with the carries.
      const totals = await visit.page.$$eval("#words td:last-child", (cells) =>
        cells.map((cell) => cell.textContent),
      );
      assert.deepEqual(totals, ["0001", "f204", "1e6f9", "2ddf0"]);
      assert.match(await visit.text("#outcome"), /2 \+ ddf0 = ddf2.*Sumddf2.*Checksum220d/s);
      assert.equal(await visit.text("#kernel"), "wasm_simd128");
      assert.match(
        await visit.text("#changed"),
        /f203 → ff03.*HC'150d.*of all bytes150d the same/s,
      );
      // RFC 1624 section 4: 5555 becomes 3285, and dd2f becomes 0000.
      await visit.set("#bytes", "cd7a5555");
      await visit.set("#at", "2");
      await visit.set("#new-byte", "32");
      const changed = `document.getElementById("changed").textContent`;
      await visit.waitFor(`${changed}.includes("5555 → 3255")`);
      assert.match(await visit.text("#changed"), /of all bytes0030 the same/);
      await visit.set("#bytes", "0x");
      await visit.set("#bytes", "4g");
      await visit.waitFor(`!document.getElementById("bytes-error").hidden`);
      assert.match(await visit.text("#bytes-error"), /“g” is no hexadecimal digit/);
      await visit.page.focus("#tab-sums");
      await visit.page.keyboard.press("ArrowLeft");
      assert.ok(await visit.page.$("#sums[hidden]"));
      await visit.end();
    });

    const skip = LIGHT && "the light build has no module without vectors";
    test("without vectors of 128 bits, the other module runs", { skip }, async () => {
      const visit = await Visit.begin(browser, `${url}#sums`, [
        "WebAssembly.validate = () => false",
      ]);
      await visit.waitFor(`document.querySelectorAll("#words tr").length === 4`);
      await visit.choose(join(EXAMPLES, "office.pcapng"));
      const { bytes } = await visit.saved("#save-json");
      assert.equal(bytes.toString(), wiresum(EXAMPLES, "verify", "--json", "office.pcapng"));
      await visit.end();
    });

    test("the first screen answers a question, and the result begins with its answer", async () => {
      const visit = await Visit.begin(browser, url);
      await visit.waitFor(`!document.getElementById("sample").hidden`);
      const answer = /^Nothing was wrong on the wire: all 142 bad checksums are checksum offload, /;
      assert.match(await visit.text("#sample .headline.harmless"), answer);
      assert.match(await visit.text("#sample tbody"), /offload\s+142\s+100\.0 %\s+192\.0\.2\.2, /);
      const questions = await visit.page.$$eval("#examples button", (all) =>
        all.map((button) => button.firstChild?.textContent ?? ""),
      );
      assert.equal(questions.length, 5);
      assert.ok(
        questions.every((question) => question.endsWith("?")),
        questions.join(),
      );
      await visit.click("#sample > button");
      await visit.ready();
      assert.equal(await visit.text("#sample"), "");
      const order = await visit.page.$$eval("#result :is(.headline, h2)", (all) =>
        all.map((part) => (part.className ? "sentence" : part.id)),
      );
      assert.deepEqual(order.slice(0, 5), ["of", "sentence", "why", "each", "take"]);
      await visit.end();
    });

    test("the page works from a file, and asks no other host for anything", async () => {
      const file = pathToFileURL(join(BUILT, "page/index.html")).href;
      const visit = await Visit.begin(browser, file);
      await visit.click("#licenses summary");
      await visit.waitFor(`document.getElementById("notices").textContent.includes("fzstd")`);
      await visit.click("#examples button");
      await visit.waitFor(`document.querySelector("#of")?.textContent === "office.pcapng"`);
      const foreign = visit.asked.filter((asked) => asked !== file && !/^(blob|data):/.test(asked));
      assert.deepEqual(foreign, []);
      await visit.end();
      const policy = readFileSync(join(BUILT, "page/index.html"), "utf8");
      assert.match(policy, /default-src 'none'; script-src 'sha256-[\w+/=]+' 'wasm-unsafe-eval';/);
    });

    test("the page opens without a network, once it was loaded", async () => {
      const own = await serve({ page: join(BUILT, "page") });
      const visit = await Visit.begin(browser, `${own.url}/page/`);
      await visit.page.evaluate("navigator.serviceWorker.ready.then(() => {})");
      await visit.waitFor("navigator.serviceWorker.controller !== null");
      own.close();
      await visit.page.reload();
      await visit.click("#examples button");
      await visit.waitFor(`document.querySelector("#of")?.textContent === "office.pcapng"`);
      await visit.end();
    });
  });
}

describe("the page for every reader", () => {
  let scratch: string;
  let server: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "wiresum-web-"));
    server = await serve({ page: join(BUILT, "page") });
    browser = await BROWSERS.chromium();
  });
  after(async () => {
    await browser?.close();
    server?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  for (const scheme of ["light", "dark"]) {
    test(`axe finds nothing, and nothing is wider than the screen, ${scheme}`, async () => {
      const visit = await Visit.begin(browser, `${server.url}/page/`);
      const { page } = visit;
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.evaluate(axe.source);
      const look = async (what: string): Promise<void> => {
        for (const width of [390, 820, 1400]) {
          await page.setViewport({ width, height: 900 });
          const wide = await page.evaluate("document.documentElement.scrollWidth");
          assert.ok((wide as number) <= width, `${what} at ${width} is ${wide} pixels wide`);
          const violations = await page.evaluate(
            `axe.run().then(({ violations }) =>
              violations.map(({ id, nodes }) => id + ": " + nodes.map((n) => n.html).join(" ")))`,
          );
          assert.deepEqual(violations, [], `${what} at ${width}`);
        }
      };
      await visit.click("#paste summary");
      await visit.waitFor(`!document.getElementById("sample").hidden`);
      await look("start");
      const none = join(scratch, "no-capture.pcap");
      writeFileSync(none, "no capture ".repeat(9));
      await visit.choose(none);
      await look("error");
      await visit.choose(join(EXAMPLES, "office.pcapng"), join(EXAMPLES, "corrupted.pcap"));
      await visit.click("#rows button");
      await visit.waitFor(`document.querySelector("#rows .explained")`);
      await look("verdict");
      await visit.click("#tab-sums");
      await visit.waitFor(`document.querySelectorAll("#words tr").length === 4`);
      await look("sums");
      await visit.end();
    });
  }
});
