// SPDX-License-Identifier: MIT OR Apache-2.0
// The package in the runtimes and with the bundlers that people have, each from npm. The table of
// environments in npm/README.md shows what ran; WIRESUM_WRITE=1 writes it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build, version as esbuildVersion } from "esbuild";
import { BROWSERS, BUILT, ROOT, serve, wiresum } from "../browsers.ts";

const HERE = import.meta.dirname;
const TOOLS = join(HERE, "node_modules");
const EXAMPLES = join(ROOT, "examples");
const [NAME, FRAME] = ["office.pcapng", 17];
const README = join(ROOT, "web/npm/README.md");
/** The programs lie here, next to a node_modules that has the package as npm would install it. */
const WORK = join(BUILT, "tests/tools");

const vectors = JSON.parse(readFileSync(join(ROOT, "spec/vectors.json"), "utf8"));

/** What ran: a row of the table for each environment. */
const rows: [environment: string, version: string, how: string, kernel: string][] = [];

/** Judges what program.js returned, and makes its row. */
function judge(environment: string, version: string, how: string, json: string): void {
  const { ran, failures, kernel, counts, explanation, repaired } = JSON.parse(json);
  assert.deepEqual(failures, []);
  const groups = Object.keys(vectors).filter((group) => Array.isArray(vectors[group]));
  assert.deepEqual(
    ran,
    Object.fromEntries(groups.map((group) => [group, vectors[group].length])),
    "the vectors that ran",
  );
  const { files } = JSON.parse(wiresum(EXAMPLES, "verify", "--json", NAME));
  assert.deepEqual(counts, files[0]);
  const explained = wiresum(EXAMPLES, "explain", NAME, String(FRAME));
  assert.equal(`${NAME}, ${explanation}`, explained);
  assert.deepEqual(repaired, fixed);
  assert.equal(kernel, "wasm_simd128", "the kernel");
  rows.push([environment, version, how, `\`${kernel}\``]);
}

/** What `wiresum fix` does with the capture. */
let fixed: { length: number; sum: number; report: object };

function manifest(folder: string): { version: string } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The program of a package for this machine, of which npm installs one. */
function binary(...candidates: string[]): string {
  const found = candidates.map((name) => join(TOOLS, name)).find((path) => existsSync(path));
  assert.ok(found, `none of ${candidates} is there: npm ci --prefix web/tests/tools`);
  return found;
}

function output(program: string, words: string[]): string {
  return execFileSync(program, words, { cwd: WORK, encoding: "utf8", maxBuffer: 1 << 26 });
}

before(async () => {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(join(WORK, "node_modules"), { recursive: true });
  // As npm installs it: the files that npm would publish, in a folder of their own.
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", WORK], {
    cwd: join(BUILT, "npm"),
    encoding: "utf8",
  }).trim();
  execFileSync("tar", ["-xf", packed, "-C", "node_modules"], { cwd: WORK });
  execFileSync("mv", ["node_modules/package", "node_modules/wiresum"], { cwd: WORK });
  for (const file of readdirSync(HERE).filter((file) =>
    /\.(?:m?js|cjs|mts|cts|capnp)$/.test(file),
  )) {
    cpSync(join(HERE, file), join(WORK, file));
  }
  writeFileSync(join(WORK, "package.json"), '{ "type": "module", "private": true }\n');
  await build({
    entryPoints: [join(HERE, "../vectors.ts")],
    bundle: true,
    format: "esm",
    outfile: join(WORK, "vectors.js"),
  });
  mkdirSync(join(WORK, "files"));
  const capture = readFileSync(join(EXAMPLES, NAME)).toString("base64");
  const input = { vectors, capture, name: NAME, frame: FRAME };
  writeFileSync(join(WORK, "files/input.json"), JSON.stringify(input));
  const out = join(WORK, "out.pcapng");
  const report = JSON.parse(wiresum(EXAMPLES, "fix", NAME, out, "--json"));
  const bytes = readFileSync(out);
  const { sum } = await import(join(BUILT, "npm/checksum.js"));
  fixed = { length: bytes.length, sum: sum(bytes), report: { ...report, output: "out.pcapng" } };
});

describe("runtimes", () => {
  for (const major of [18, 20, 22, 24]) {
    test(`Node ${major}, by import and by require`, () => {
      const node = binary(`node${major}-${process.arch}/bin/node`);
      const version = output(node, ["--version"]).trim().slice(1);
      assert.match(version, new RegExp(`^${major}\\.`));
      judge("Node", version, "`import`", output(node, ["import.mjs"]));
      judge("Node", version, "`require`", output(node, ["require.cjs"]));
    });
  }

  test("Deno, by import", () => {
    const deno = binary(...["x64", "arm64"].map((cpu) => `@deno/linux-${cpu}-glibc/deno`));
    const words =
      "run --quiet --no-config --no-lock --node-modules-dir=manual --allow-read --cached-only";
    const found = output(deno, [...words.split(" "), "import.mjs"]);
    judge("Deno", manifest(join(TOOLS, "deno")).version, "`import`", found);
  });

  test("Bun, by import and by require", () => {
    const bun = binary(...["x64", "aarch64"].map((cpu) => `@oven/bun-linux-${cpu}/bin/bun`));
    const { version } = manifest(join(TOOLS, "bun"));
    judge("Bun", version, "`import`", output(bun, ["run", "import.mjs"]));
    judge("Bun", version, "`require`", output(bun, ["run", "require.cjs"]));
  });

  test("workerd, by the condition of that name", async () => {
    const folder = join(WORK, "workerd");
    // As wrangler does: a bundle, next to the modules of WebAssembly that it imports.
    await build({
      entryPoints: [join(WORK, "worker.js")],
      absWorkingDir: WORK,
      bundle: true,
      format: "esm",
      conditions: ["workerd"],
      outdir: folder,
      external: ["*.wasm"],
    });
    cpSync(join(HERE, "worker.capnp"), join(folder, "worker.capnp"));
    for (const module of ["wiresum.wasm", "checksum.wasm"]) {
      cpSync(join(WORK, "node_modules/wiresum", module), join(folder, module));
    }
    const program = binary(
      ...["64", "arm64"].map((cpu) => `@cloudflare/workerd-linux-${cpu}/bin/workerd`),
    );
    const server = spawn(program, ["serve", "worker.capnp", "--control-fd=3"], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    try {
      const port = await new Promise<number>((resolve, reject) => {
        server.on("exit", (status) => reject(new Error(`workerd ended with ${status}`)));
        server.stdio[3]?.on("data", (bytes) => {
          const { event, port } = JSON.parse(String(bytes).split("\n")[0] ?? "");
          if (event === "listen") {
            resolve(port);
          }
        });
      });
      const body = readFileSync(join(WORK, "files/input.json"));
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
      const { version } = manifest(join(TOOLS, "workerd"));
      judge("workerd", version, "bundle of esbuild", await response.text());
    } finally {
      server.removeAllListeners("exit");
      server.kill();
    }
  });
});

describe("bundlers, whose programs run in Chromium", () => {
  let browser: Awaited<ReturnType<(typeof BROWSERS)["chromium"]>>;
  before(async () => {
    browser = await BROWSERS.chromium();
  });
  after(() => browser.close());

  /** Opens a page, and returns what the program found. */
  async function found(url: string): Promise<string> {
    const page = await browser.newPage();
    const errors: unknown[] = [];
    page.on("pageerror", (error) => errors.push(error));
    try {
      await page.goto(url);
      await page.waitForFunction("globalThis.result", { timeout: 30_000 });
      return (await page.evaluate("globalThis.result")) as string;
    } catch (error) {
      throw new Error(`${error}: ${errors.join()}`);
    } finally {
      await page.close();
    }
  }

  /** Serves a folder with a bundle, and returns what the program found. */
  async function bundled(folder: string, script?: string): Promise<string> {
    if (script) {
      writeFileSync(join(folder, "index.html"), `<!doctype html>${script}`);
    }
    const server = await serve({
      app: folder,
      assets: join(folder, "assets"),
      files: join(WORK, "files"),
    });
    try {
      return await found(`${server.url}/app/`);
    } finally {
      server.close();
    }
  }

  for (const [format, script] of Object.entries({
    esm: '<script type="module" src="/app/bundle.js"></script>',
    iife: '<script src="/app/bundle.js"></script>',
  })) {
    test(`esbuild, as ${format}`, async () => {
      const folder = join(WORK, `esbuild-${format}`);
      const { warnings } = await build({
        entryPoints: [join(WORK, "browser.js")],
        bundle: true,
        minify: true,
        format: format as "esm" | "iife",
        outfile: join(folder, "bundle.js"),
      });
      assert.deepEqual(warnings, []);
      judge("esbuild", esbuildVersion, `\`${format}\``, await bundled(folder, script));
    });
  }

  test("webpack 5", async () => {
    const { default: webpack } = await import(join(TOOLS, "webpack/lib/index.js"));
    const folder = join(WORK, "webpack");
    const stats = await new Promise<{
      toJson(of: object): { errors: object[]; warnings: object[] };
    }>((resolve, reject) =>
      webpack(
        {
          mode: "production",
          context: WORK,
          entry: "./browser.js",
          output: { path: folder, filename: "bundle.js" },
          performance: false,
        },
        (error: Error | null, done: never) => (error ? reject(error) : resolve(done)),
      ),
    );
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    assert.deepEqual([...errors, ...warnings], []);
    const { version } = manifest(join(TOOLS, "webpack"));
    const result = await bundled(folder, '<script src="/app/bundle.js"></script>');
    judge("webpack", version, "production", result);
  });

  for (const major of [6, 7]) {
    test(`Vite ${major}, built and from its server`, async () => {
      const folder = join(TOOLS, `vite${major}`);
      const vite = await import(join(folder, "dist/node/index.js"));
      const root = join(WORK, `vite${major}-app`);
      mkdirSync(root);
      for (const name of ["browser.js", "program.js", "vectors.js"]) {
        cpSync(join(WORK, name), join(root, name));
      }
      const entry = '<script type="module" src="./browser.js"></script>';
      writeFileSync(join(root, "index.html"), `<!doctype html>${entry}`);
      mkdirSync(join(root, "public"));
      symlinkSync(join(WORK, "files"), join(root, "public/files"));
      const options = { root, configFile: false, logLevel: "error" };
      const { version } = manifest(folder);
      const publicDir = false;
      await vite.build({ ...options, base: "/app/", publicDir, build: { outDir: "dist" } });
      judge("Vite", version, "build", await bundled(join(root, "dist")));
      const server = await vite.createServer({ ...options, server: { host: "127.0.0.1" } });
      try {
        await server.listen();
        judge("Vite", version, "server", await found(server.resolvedUrls.local[0]));
      } finally {
        await server.close();
      }
    });
  }
});

describe("types", () => {
  const compilers = { "7": join(ROOT, "web/node_modules"), "5": TOOLS };
  for (const [major, folder] of Object.entries(compilers)) {
    test(`TypeScript ${major}, as nodenext`, () => {
      const home = join(folder, major === "5" ? "typescript5" : "typescript");
      const words = "--noEmit --strict --module nodenext --target es2022".split(" ");
      const run = (file: string): string => {
        try {
          return output(process.execPath, [join(home, "bin/tsc"), ...words, file]);
        } catch (error) {
          return (error as { stdout: string }).stdout;
        }
      };
      assert.equal(run("typed.mts"), "");
      assert.equal(run("typed.cts"), "");
      const wrong = readFileSync(join(HERE, "typed.mts"), "utf8").replace(
        "new Uint8Array(2)",
        '"2"',
      );
      writeFileSync(join(WORK, "wrong.mts"), wrong);
      assert.match(run("wrong.mts"), /error TS2345/);
      rows.push(["TypeScript", manifest(home).version, "`nodenext`", ""]);
    });
  }
});

after(() => {
  const header = ["environment", "version", "how", "kernel of `wiresum/checksum`"];
  const lines = [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const table = `${lines.join("\n")}\n`;
  const part = /(<!-- environments:begin[^>]*-->\n)([\s\S]*?)(<!-- environments:end -->)/;
  const text = readFileSync(README, "utf8");
  if (process.env["WIRESUM_WRITE"]) {
    writeFileSync(README, text.replace(part, `$1${table}$3`));
  } else {
    assert.equal(part.exec(text)?.[2], table, "WIRESUM_WRITE=1 writes the table of environments");
  }
});
