// SPDX-License-Identifier: MIT OR Apache-2.0
// The npm package as its users have it, in Node and in browsers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type * as Checksum from "../npm/checksum.ts";
import { BROWSERS, BUILT, ROOT, serve, wiresum } from "./browsers.ts";
import { run } from "./vectors.ts";

const VECTORS = JSON.parse(readFileSync(join(ROOT, "spec/vectors.json"), "utf8"));
const EXAMPLES = join(ROOT, "examples");
const OFFICE = "office.pcapng";

/** Judges what a run of the vectors returned. */
function judge({ ran, failures }: ReturnType<typeof run>): void {
  assert.deepEqual(failures, []);
  for (const [group, count] of Object.entries(ran)) {
    assert.equal(count, VECTORS[group].length, group);
  }
  assert.equal(Object.keys(ran).length, 17, "the groups that ran");
}

/** wiresum/checksum as a runtime has it that refuses WebAssembly. */
function withoutWebAssembly(): Promise<typeof Checksum> {
  const path = join(BUILT, "tests/without.mjs");
  mkdirSync(join(BUILT, "tests"), { recursive: true });
  const program = readFileSync(join(BUILT, "npm/checksum.js"), "utf8");
  writeFileSync(path, `const WebAssembly = undefined;${program}`);
  return import(path);
}

const office = readFileSync(join(EXAMPLES, OFFICE));
const bundled = join(BUILT, "tests/vectors.js");

before(() =>
  build({
    entryPoints: [join(import.meta.dirname, "vectors.ts")],
    bundle: true,
    format: "esm",
    outfile: bundled,
  }),
);

describe("wiresum/checksum", async () => {
  const its: typeof Checksum = await import(join(BUILT, "npm/checksum.js"));
  const spare: typeof Checksum = await withoutWebAssembly();

  test("every vector, by the kernel", () => {
    judge(run(its, VECTORS));
    assert.equal(its.kernel(), "wasm_simd128");
  });

  test("every vector, where WebAssembly is refused", () => {
    judge(run(spare, VECTORS));
    assert.equal(spare.kernel(), "javascript");
  });

  test("each length to 1,100 bytes at each offset to 8, by both", () => {
    const bytes = Uint8Array.from({ length: 1200 }, (_, at) => (at * 151 + (at >> 3)) & 0xff);
    for (let length = 0; length <= 1100; length++) {
      for (let offset = 0; offset < 8; offset++) {
        const data = bytes.subarray(offset, offset + length);
        let total = 0;
        for (const [at, byte] of data.entries()) {
          total += at % 2 === 0 ? byte * 256 : byte;
        }
        while (total > 0xffff) {
          total = (total % 0x10000) + Math.floor(total / 0x10000);
        }
        assert.equal(its.sum(data), total, `${length} bytes at ${offset}`);
        assert.equal(spare.sum(data), total, `${length} bytes at ${offset}, without the kernel`);
      }
    }
  });

  test("nothing overflows where every byte is 0xFF", () => {
    for (const length of [65536, 65537, (1 << 20) - 1, 1 << 20, 20_000_001]) {
      const data = new Uint8Array(length).fill(0xff);
      const expected = length % 2 === 1 ? 0xff00 : 0xffff;
      assert.equal(its.sum(data), expected, `${length} bytes`);
      assert.equal(spare.sum(data), expected, `${length} bytes, without the kernel`);
    }
  });

  test("a group without a test is a failure", () => {
    const { failures } = run(its, { ...VECTORS, news: [] });
    assert.match(failures.join(), /the group news has no test/);
  });

  test("buffers of another realm, shared and resizable ones", () => {
    const numbers = Array.from({ length: 99 }, (_, at) => (at * 37) & 0xff);
    for (const length of [3, 20, 99]) {
      const expected = its.sum(Uint8Array.from(numbers.slice(0, length)));
      const list = JSON.stringify(numbers.slice(0, length));
      const elsewhere = (made: string) =>
        runInNewContext(`const b = Uint8Array.from(${list}); ${made}`);
      const shared = new Uint8Array(new SharedArrayBuffer(length));
      shared.set(numbers.slice(0, length));
      const resizable = new Uint8Array(new ArrayBuffer(length, { maxByteLength: 500 }));
      resizable.set(numbers.slice(0, length));
      const forms = [
        ...["b", "b.buffer", "new DataView(b.buffer)"].map(elsewhere),
        ...[shared, shared.buffer, new DataView(shared.buffer), resizable, resizable.buffer],
        Buffer.from(numbers.slice(0, length)),
      ];
      forms.push(
        elsewhere("const s = new SharedArrayBuffer(b.length); new Uint8Array(s).set(b); s"),
      );
      for (const [at, form] of forms.entries()) {
        assert.equal(its.sum(form), expected, `form ${at} of ${length} bytes`);
        assert.equal(spare.sum(form), expected, `form ${at} of ${length} bytes`);
      }
    }
  });

  test("at most 6 KB, compressed with gzip", () => {
    for (const file of ["checksum.js", "checksum.cjs"]) {
      const { length } = gzipSync(readFileSync(join(BUILT, "npm", file)), { level: 9 });
      assert.ok(length <= 6 * 1024, `${file} has ${length} bytes`);
    }
    const workerd = ["checksum.workerd.js", "checksum.wasm"];
    const both = Buffer.concat(workerd.map((file) => readFileSync(join(BUILT, "npm", file))));
    assert.ok(gzipSync(both).length <= 6 * 1024);
  });

  test("addresses as people write them", () => {
    const same: [Checksum.Address, Checksum.Address][] = [
      ["::", new Uint8Array(16)],
      ["::1", Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
      ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1"],
      ["2001:DB8::", "2001:db8:0:0:0:0:0:0"],
      ["::ffff:192.0.2.1", "0:0:0:0:0:ffff:c000:201"],
      ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
      ["192.0.2.1", Uint8Array.of(192, 0, 2, 1)],
    ];
    for (const [a, b] of same) {
      assert.equal(its.pseudo(a, a, 6, 20), its.pseudo(b, b, 6, 20), String(a));
    }
    const wrong =
      "|1.2.3|1.2.3.256|01.2.3.4|1.2.3.4.5|1.2.3.x|:|:::|1::2::3|1:2:3:4:5:6:7|12345::|::g" +
      "|1:2:3:4:5:6:7:8:9|1:2:3:4:5:6:7:8::|1.2.3.4::|::1.2.3.256|example.com";
    for (const text of wrong.split("|")) {
      assert.throws(() => its.pseudo(text, text, 6, 20), /is no address of IPv4 or IPv6/, text);
    }
  });

  test("wrong arguments are refused with a reason", () => {
    const two = new Uint8Array(2);
    const refused: [call: () => unknown, reason: RegExp][] = [
      [() => its.sum("text" as never), /^TypeError.*must be an ArrayBuffer/],
      [() => its.sum([1, 2] as never), /^TypeError.*must be an ArrayBuffer/],
      [() => its.sum({ length: 2 } as never), /^TypeError.*must be an ArrayBuffer/],
      [() => its.sum(undefined as never), /^TypeError/],
      [() => its.update(0, 0, two, new Uint8Array(3)), /one length, not 2 and 3/],
      [() => its.update(65536, 0, two, two), /from 0 to 65535, not 65536/],
      [() => its.update(0, -1, two, two), /not negative, not -1/],
      [() => its.append(0, 0.5, 0), /not negative, not 0.5/],
      [() => its.removeHead(-1, 0, 0), /from 0 to 65535, not -1/],
      [() => its.pseudo("::1", "192.0.2.1", 6, 20), /one address is of IPv4/],
      [() => its.pseudo(two, two, 6, 20), /4 or 16 bytes, not 2/],
      [() => its.pseudo("::1", "::1", 256, 20), /a protocol has 8 bits/],
      [() => its.tcp("::1", "::1", two), /a TCP segment has at least 20 bytes, not 2/],
      [() => its.udp("::1", "::1", two), /a UDP datagram has at least 8 bytes, not 2/],
      [() => its.icmp(two), /an ICMP message has at least 4 bytes, not 2/],
      [() => its.ipv4Header(two), /an IPv4 header has at least 20 bytes, not 2/],
      [() => its.fillPacket(two), /a version, length or option of the packet is wrong/],
      [() => its.fillPacket(new Uint8Array(0)), /the data end before the packet does/],
    ];
    for (const [call, reason] of refused) {
      assert.throws(call, reason);
    }
    for (const judge of [its.tcpOk, its.udpOk, its.icmpv6Ok, its.udpliteOk]) {
      assert.equal(judge("::1", "::1", two), false);
    }
    assert.equal(its.ipv4HeaderOk(two) || its.icmpOk(two), false);
  });
});

describe("the package in Node", async () => {
  const its = await import(join(BUILT, "npm/wiresum.js"));

  test("before init, a capture is refused with what to do", () => {
    assert.throws(
      () => its.verify(office),
      /^Error: wiresum: the module is not ready: call `await/,
    );
  });

  test("init may be called twice, at once", async () => {
    await Promise.all([its.init(), its.init()]);
    await its.init();
  });

  test("it has the functions of wiresum/checksum", () => judge(run(its, VECTORS)));

  test("every explanation equals the one of the command line", () => {
    for (const frame of ["1", "5", "17"]) {
      const expected = wiresum(EXAMPLES, "explain", OFFICE, frame);
      assert.equal(`${OFFICE}, ${its.explain(office, Number(frame), OFFICE)}`, expected, frame);
    }
    assert.throws(() => its.explain(office, 0), /^RangeError.*of 1 or more, not 0/);
    assert.throws(() => its.explain(office, 100_000), /366/);
  });

  test("a repair equals the one of the command line", () => {
    const out = join(BUILT, "tests/fixed.pcapng");
    for (const only of [[], ["offload"], ["one-bit"]]) {
      rmSync(out, { force: true });
      const words = only.flatMap((cause) => ["--only", cause]);
      const report = JSON.parse(wiresum(EXAMPLES, "fix", OFFICE, out, "--json", ...words));
      const before = office.slice();
      const fixed = its.fix(office, { only, name: OFFICE, out });
      assert.deepEqual(Buffer.from(fixed.capture), readFileSync(out), only.join());
      assert.deepEqual(fixed.report, report);
      assert.deepEqual(office, before);
    }
    assert.throws(() => its.fix(office, { only: ["nonsense"] }), /no cause is called "nonsense"/);
  });

  test("counts equal the counts of the command line", () => {
    const { files } = JSON.parse(wiresum(EXAMPLES, "verify", "--json", OFFICE));
    assert.deepEqual(its.verify(office, OFFICE), files[0]);
  });

  test("the package has the licenses, its own and the licenses of what it contains", () => {
    const words = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const { stdout } = spawnSync("npm", words, { cwd: join(BUILT, "npm"), encoding: "utf8" });
    const [{ files }] = JSON.parse(stdout);
    const names = files.map(({ path }: { path: string }) => path);
    for (const license of ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES.txt"]) {
      assert.ok(names.includes(license), `${license} is not in ${names}`);
    }
    const notices = readFileSync(join(BUILT, "npm/THIRD-PARTY-NOTICES.txt"), "utf8");
    for (const part of ["fzstd", "wasm-bindgen", "serde_json", "standard library of Rust"]) {
      assert.ok(notices.includes(part), part);
    }
    assert.match(notices, /Permission is hereby granted, free of charge/);
    assert.doesNotMatch(notices, /wiresum-cli|wasm-bindgen-macro/);
  });

  test("wrong arguments are refused with a reason", () => {
    const two = new Uint8Array(2);
    assert.throws(() => its.verify(office, 5), /^TypeError.*name must be a string, not a number/);
    assert.throws(() => its.verify(5), /^TypeError.*must be an ArrayBuffer/);
    assert.throws(() => its.verify(two), /the file ends within its own header/);
    assert.throws(() => its.verify(new Uint8Array(64)), /not a pcap, pcapng or snoop capture/);
  });

  test("the package goes on after failures in the middle of the module's work", (t) => {
    // An exception that crosses the module leaves it as a trap does.
    const fails = t.mock.method(TextEncoder.prototype, "encodeInto", () => {
      throw new TypeError("no encoder");
    });
    for (let again = 0; again < 200; again++) {
      assert.throws(() => its.verify(office, "\u00e9"), /the module failed: TypeError: no encoder/);
    }
    fails.mock.restore();
    const { files } = JSON.parse(wiresum(EXAMPLES, "verify", "--json", OFFICE));
    assert.deepEqual(its.verify(office, OFFICE), files[0]);
  });

  test("the types let a program compile, and no wrong one", () => {
    const folder = join(BUILT, "tests/typed");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(join(BUILT, "npm"), join(folder, "node_modules/wiresum"));
    const compile = (program: string): number | null => {
      writeFileSync(join(folder, "program.mts"), program);
      const options = "--noEmit --strict --module nodenext --types".split(" ");
      const tsc = join(ROOT, "web/node_modules/.bin/tsc");
      return spawnSync(tsc, [...options, "", "program.mts"], { cwd: folder }).status;
    };
    const names = Object.keys(its).join(", ");
    const right = `import { ${names}, type Counts } from "wiresum";
      const counts: Counts = verify(new Uint8Array(9), "name");
      const all: (number | boolean | string | undefined)[] = [
        sum(new ArrayBuffer(2)), checksum(new DataView(new ArrayBuffer(2))), ok(new Uint8Array()),
        append(1, 2, 3), update(1, 2, new Uint8Array(), new Uint8Array()), kernel(),
        updateUdp(1, 2, new Uint8Array(), new Uint8Array()), counts.checksums["tcp"]?.bad,
      ];
      export default all;`;
    assert.equal(compile(right), 0);
    assert.notEqual(compile(right.replace("append(1, 2, 3)", "append(1, 2)")), 0);
    assert.notEqual(compile(right.replace("new ArrayBuffer(2)", '"text"')), 0);
  });
});

for (const [name, start] of Object.entries(BROWSERS)) {
  describe(`the package in ${name}`, () => {
    let server: Awaited<ReturnType<typeof serve>>;
    let browser: Awaited<ReturnType<typeof start>>;
    before(async () => {
      writeFileSync(join(BUILT, "tests/index.html"), "<!doctype html><title>vectors</title>");
      server = await serve({
        npm: join(BUILT, "npm"),
        spec: join(ROOT, "spec"),
        tests: join(BUILT, "tests"),
      });
      browser = await start();
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });

    test("every vector", async () => {
      const page = await browser.newPage();
      await page.goto(`${server.url}/tests/`);
      // A string, so that no tool rewrites the imports of the page.
      const result = await page.evaluate(`(async () => {
        const [wiresum, { run }, file] = await Promise.all([
          import("/npm/checksum.js"),
          import("/tests/vectors.js"),
          fetch("/spec/vectors.json").then((response) => response.json()),
        ]);
        return JSON.stringify({ ...run(wiresum, file), kernel: wiresum.kernel() });
      })()`);
      const { kernel, ...found } = JSON.parse(result as string);
      judge(found);
      assert.equal(kernel, "wasm_simd128");
    });
  });
}
