// SPDX-License-Identifier: MIT OR Apache-2.0
// Builds the module, the page and the npm package into build/web:
//
//   build/web/simd, plain   the module with SIMD128 and without, as wasm-bindgen makes it
//   build/web/page          index.html, which holds all of the page, and its service worker
//   build/web/npm           the package wiresum
//   build/web/build.json    whether this is the light build
//
//   node web/build.ts [--light] [--keep-module]
//
//   --light          makes the module with SIMD128 alone, hardly optimized: for tests
//   --keep-module    bundles the module that is there
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { crates, notices, work } from "./notices.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "..");
const OUT = join(ROOT, "build/web");
const TARGET = "wasm32-unknown-unknown";
/** The flags of the C compiler. All loops that vectors speed up are in C. */
const VARIANTS = { simd: "-msimd128", plain: "" };
const LIGHT = process.argv.includes("--light");
const PROFILE = LIGHT ? "web-light" : "web";

/** The captures of examples/ that the page offers, the first one first. */
const EXAMPLES = [
  "office.pcapng",
  "corrupted.pcap",
  "tunnels-offload.pcap",
  "fragments.pcap",
  "snapped.pcap",
];

/** What runs the page: the oldest browsers with the features that Rust's module needs. */
const BROWSERS = ["chrome96", "firefox90", "safari15"];

const version = /^version = "(.*)"$/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))?.[1];
if (!version) {
  throw new Error("Cargo.toml has no version");
}

function run(command: string, words: string[], env: Record<string, string> = {}): void {
  execFileSync(command, words, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env } });
}

/** Compiles the module of wiresum/checksum, and returns its bytes. Rust has the linker. */
function compileKernel(): Buffer {
  const libraries = execFileSync("rustc", ["--print", "target-libdir"], { encoding: "utf8" });
  const linker = join(libraries.trim(), "../bin/gcc-ld/wasm-ld");
  const [object, module] = [join(OUT, "checksum.o"), join(OUT, "checksum.wasm")];
  const flags =
    "--target=wasm32 -msimd128 -O2 -ffreestanding -fvisibility=hidden -Ic/include -Ic/src";
  const link = "--no-entry --strip-all --initial-memory=65536 -z stack-size=1024";
  mkdirSync(OUT, { recursive: true });
  run("clang", [...flags.split(" "), "-c", "-o", object, "web/npm/checksum.c"]);
  run(linker, [...link.split(" "), "-o", module, object]);
  return readFileSync(module);
}

/** Compiles the crate with the C kernels, and makes the module of it. */
function compile(variant: keyof typeof VARIANTS): void {
  const target = join(ROOT, "target/web", variant);
  const suffix = TARGET.replaceAll("-", "_");
  run("cargo", ["build", "--locked", "--profile", PROFILE, "-p", "wiresum-web", "--lib"], {
    CARGO_BUILD_TARGET: TARGET,
    CARGO_TARGET_DIR: target,
    [`CC_${suffix}`]: "clang",
    [`AR_${suffix}`]: "llvm-ar",
    [`CFLAGS_${suffix}`]: VARIANTS[variant],
  });
  const module = join(target, TARGET, PROFILE, "wiresum_web.wasm");
  const bindgen = ["run", "--quiet", "--locked", "--manifest-path", "web/bindgen/Cargo.toml"];
  run("cargo", [...bindgen, "--", module, join(OUT, variant)], {
    CARGO_TARGET_DIR: join(ROOT, "target/web/bindgen"),
  });
}

/** One program serves both modules, so wasm-bindgen must have made the same for both. */
function compareGlue(): void {
  const [simd, plain] = ["simd", "plain"].map((variant) =>
    readFileSync(join(OUT, variant, "wiresum.js"), "utf8"),
  );
  if (simd !== plain) {
    throw new Error("the modules with SIMD and without need different programs");
  }
}

/** Bytes in Zstandard and base64. The window spans both modules. */
function pack(bytes: string | Uint8Array): string {
  const params = {
    [constants.ZSTD_c_compressionLevel]: LIGHT ? 3 : 22,
    [constants.ZSTD_c_windowLog]: 24,
  };
  return zstdCompressSync(bytes, { params }).toString("base64");
}

/** What the bundles import as virtual:NAME. */
function virtual(contents: Record<string, () => string>): Plugin {
  return {
    name: "virtual",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "virtual" }));
      onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => {
        const content = contents[path.slice("virtual:".length)];
        return content ? { contents: content(), loader: "js" } : null;
      });
    },
  };
}

const text = (content: string): string => `export default ${JSON.stringify(content)}`;
/** The modules, which the page and the package hold alike. */
let packed: string | undefined;
const modules = {
  modules: () => {
    const module = (variant: string) => readFileSync(join(OUT, variant, "wiresum_bg.wasm"));
    const simd = module("simd");
    packed ??= JSON.stringify(pack(LIGHT ? simd : Buffer.concat([simd, module("plain")])));
    return `export const packed = ${packed}; export const split = ${simd.length};`;
  },
};

/** Bundles files, and returns the JavaScript and the CSS. */
async function bundle(entry: string, options: BuildOptions): Promise<[js: string, css: string]> {
  const { outputFiles } = await build({
    absWorkingDir: HERE,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    charset: "utf8",
    legalComments: "inline",
    write: false,
    outdir: OUT,
    target: BROWSERS,
    logOverride: { "empty-import-meta": "silent" },
    ...options,
  });
  const of = (end: string) => outputFiles?.find(({ path }) => path.endsWith(end))?.text ?? "";
  return [of(".js"), of(".css")];
}

async function page(licenses: string): Promise<void> {
  const [worker] = await bundle("page/worker.ts", { format: "iife" });
  const examples = () => {
    const all = EXAMPLES.map((name) => [name, pack(readFileSync(join(ROOT, "examples", name)))]);
    return `export default ${JSON.stringify(Object.fromEntries(all))}`;
  };
  const [program, style] = await bundle("page/main.ts", {
    format: "iife",
    plugins: [
      virtual({
        ...modules,
        kernel: () => text(kernel.toString("base64")),
        worker: () => text(worker),
        examples,
        notices: () => text(pack(licenses)),
      }),
    ],
  });
  // The parser of HTML ends a script at these characters, wherever they stand.
  const script = program.trim().replaceAll("</script", "<\\/script");
  const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
  const parts: Record<string, string> = { version: version ?? "", hash, style, program: script };
  const html = readFileSync(join(HERE, "page/index.html"), "utf8").replaceAll(
    /\{\{(\w+)\}\}/g,
    (_, name) => {
      const part = parts[name];
      if (part === undefined) {
        throw new Error(`page/index.html names {{${name}}}, which nothing makes`);
      }
      return part;
    },
  );
  const digest = createHash("sha256").update(html).digest("hex");
  const [service] = await bundle("page/service-worker.ts", {
    format: "iife",
    define: { PAGE: JSON.stringify(digest) },
  });
  const to = join(OUT, "page");
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, "index.html"), html);
  writeFileSync(join(to, "service-worker.js"), service);
}

/** The entries of the package, and the forms of each: a module of ES, one of CommonJS, and one for
 * workerd, which imports what the others compile. */
const ENTRIES = { wiresum: "npm/index.ts", checksum: "npm/checksum.ts" };
const FORMS: Record<string, BuildOptions> = {
  ".js": { format: "esm" },
  ".cjs": { format: "cjs" },
  ".workerd.js": {
    format: "esm",
    alias: { "#kernel": "./npm/kernel.workerd.ts", "#module": "./npm/module.workerd.ts" },
    external: ["*.wasm"],
  },
};

/** Where each condition finds an entry. The types of CommonJS are files of their own. */
function exportsOf(entry: string, types: string): object {
  const of = (ts: string, js: string) => ({ types: `./types/npm/${types}${ts}`, default: js });
  return {
    workerd: of(".d.ts", `./${entry}.workerd.js`),
    import: of(".d.ts", `./${entry}.js`),
    require: of(".d.cts", `./${entry}.cjs`),
    default: of(".d.ts", `./${entry}.js`),
  };
}

async function npmPackage(licenses: string): Promise<void> {
  const to = join(OUT, "npm");
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const [name, entry] of Object.entries(ENTRIES)) {
    for (const [end, form] of Object.entries(FORMS)) {
      const [program] = await bundle(entry, {
        minify: name === "checksum",
        target: [...BROWSERS, "node18"],
        plugins: [virtual({ ...modules, kernel: () => text(kernel.toString("base64")) })],
        // The loader of wasm-bindgen is not called, and bundlers would look for its file.
        define: { "import.meta.url": "undefined" },
        ...form,
      });
      writeFileSync(join(to, name + end), program);
    }
  }
  writeFileSync(join(to, "checksum.wasm"), kernel);
  cpSync(join(OUT, "simd/wiresum_bg.wasm"), join(to, "wiresum.wasm"));
  const manifest = JSON.parse(readFileSync(join(HERE, "npm/package.json"), "utf8"));
  const exports = {
    ".": exportsOf("wiresum", "index"),
    "./checksum": exportsOf("checksum", "checksum"),
    "./wiresum.wasm": "./wiresum.wasm",
  };
  const written = JSON.stringify({ ...manifest, version, exports }, null, 2);
  writeFileSync(join(to, "package.json"), `${written}\n`);
  writeFileSync(join(to, "THIRD-PARTY-NOTICES.txt"), licenses);
  for (const file of ["npm/README.md", "../LICENSE-APACHE", "../LICENSE-MIT"]) {
    cpSync(join(HERE, file), join(to, file.slice(file.lastIndexOf("/") + 1)));
  }
  const options =
    "--noEmit false --declaration --emitDeclarationOnly --rewriteRelativeImportExtensions";
  const types = [
    ...options.split(" "),
    "--project",
    join(HERE, "npm"),
    "--outDir",
    join(to, "types"),
  ];
  run(join(HERE, "node_modules/.bin/tsc"), types);
  const declarations = join(to, "types/npm");
  rmSync(join(to, "types/page"), { recursive: true });
  for (const file of readdirSync(declarations)) {
    if (/^(?:kernel|module)\./.test(file)) {
      rmSync(join(declarations, file)); // no entry shows their types
      continue;
    }
    const its = readFileSync(join(declarations, file), "utf8");
    for (const kind of ["js", "cjs"]) {
      const name = file.replace(".d.ts", kind === "js" ? ".d.ts" : ".d.cts");
      writeFileSync(
        join(declarations, name),
        its.replaceAll(/(from "\.\/\w+)\.ts"/g, `$1.${kind}"`),
      );
    }
  }
}

const kernel = compileKernel();
if (!process.argv.includes("--keep-module")) {
  compile("simd");
  if (!LIGHT) {
    compile("plain");
  }
}
if (!LIGHT) {
  compareGlue();
}
const licenses = notices([
  ...crates(TARGET),
  work("fzstd (npm)", "MIT", join(HERE, "node_modules/fzstd")),
]);
await page(licenses);
await npmPackage(licenses);
writeFileSync(join(OUT, "build.json"), `${JSON.stringify({ light: LIGHT })}\n`);
