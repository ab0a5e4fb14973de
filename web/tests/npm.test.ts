// SPDX-License-Identifier: MIT OR Apache-2.0
// The npm package as its users have it, in Node and in browsers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build } from "esbuild";
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
  assert.ok((ran["sum"] ?? 0) > 800 && Object.keys(ran).length > 7, "the groups that ran");
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

describe("the package in Node", async () => {
  const its = await import(join(BUILT, "npm/wiresum.js"));

  test("every vector", () => judge(run(its, VECTORS)));

  test("a group that nobody placed is a failure", () => {
    const { failures } = run(its, { ...VECTORS, news: [] });
    assert.match(failures.join(), /nobody placed the group news/);
  });

  test("the kernel is the one with SIMD", () => assert.equal(its.kernel, "wasm_simd128"));

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
    assert.throws(() => its.sum("text"), /must be an ArrayBuffer/);
    assert.throws(() => its.update(0, 0, two, new Uint8Array(3)), /one length, not 2 and 3/);
    assert.throws(() => its.update(65536, 0, two, two), /from 0 to 65535, not 65536/);
    assert.throws(() => its.update(0, -1, two, two), /not negative, not -1/);
    assert.throws(() => its.append(0, 0.5, 0), /not negative, not 0.5/);
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
    assert.equal(its.sum(Uint8Array.of(0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7)), 0xddf2);
  });

  test("sums go on after the memory of the module has grown", () => {
    its.verify(office);
    assert.equal(its.sum(Uint8Array.of(0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7)), 0xddf2);
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
        append(1, 2, 3), update(1, 2, new Uint8Array(), new Uint8Array()), kernel,
        updateUdp(1, 2, new Uint8Array(), new Uint8Array()), counts.checksums["tcp"]?.bad,
      ];
      export default all;`;
    assert.equal(compile(right), 0);
    assert.notEqual(compile(right.replace("append(1, 2, 3)", "append(1, 2)")), 0);
    assert.notEqual(compile(right.replace("new ArrayBuffer(2)", '"text"')), 0);
  });
});

describe("the package in Node 20, the oldest that it names", () => {
  const engine = `node-${process.platform}-${process.arch}`;
  const node = join(ROOT, "web/node_modules", engine, "bin/node");

  test("every vector, and a capture", () => {
    const program = `
      import { readFileSync } from "node:fs";
      const [its, { run }] = await Promise.all(
        [${JSON.stringify(join(BUILT, "npm/wiresum.js"))}, ${JSON.stringify(bundled)}]
          .map((path) => import(path)));
      const read = (path) => readFileSync(path);
      const vectors = JSON.parse(read(${JSON.stringify(join(ROOT, "spec/vectors.json"))}));
      const counts = its.verify(read(${JSON.stringify(join(EXAMPLES, OFFICE))}), "${OFFICE}");
      const { version } = process;
      process.stdout.write(JSON.stringify({ version, counts, found: run(its, vectors) }));`;
    const words = ["--input-type=module", "--eval", program];
    const { stdout, stderr } = spawnSync(node, words, { encoding: "utf8" });
    assert.equal(stderr, "");
    const { version, counts, found } = JSON.parse(stdout);
    assert.match(version, /^v20\./);
    judge(found);
    const { files } = JSON.parse(wiresum(EXAMPLES, "verify", "--json", OFFICE));
    assert.deepEqual(counts, files[0]);
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
          import("/npm/wiresum.js"),
          import("/tests/vectors.js"),
          fetch("/spec/vectors.json").then((response) => response.json()),
        ]);
        return JSON.stringify({ ...run(wiresum, file), kernel: wiresum.kernel });
      })()`);
      const { kernel, ...found } = JSON.parse(result as string);
      judge(found);
      assert.equal(kernel, "wasm_simd128");
    });
  });
}
