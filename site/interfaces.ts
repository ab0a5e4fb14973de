// SPDX-License-Identifier: MIT OR Apache-2.0
// The pages of the interfaces, as rustdoc and Doxygen make them.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Work, work } from "../web/notices.ts";
import { BUILT, PUBLIC, ROOT } from "./places.ts";

/** The crates that other programs use. */
const CRATES = ["wiresum", "wiresum-packet", "wiresum-sys"];
const PYTHON = "build/venv/lib/python3*/site-packages";
/** The theme of Doxygen's pages, of the Python package doxygen-awesome-css. */
const THEME = `${PYTHON}/doxygen_awesome_css/doxygen-awesome.css`;
const LICENSES = `${PYTHON}/doxygen_awesome_css-*.dist-info/licenses`;

function run(command: string, words: string[], input = ""): void {
  execFileSync(command, words, { cwd: ROOT, input, stdio: ["pipe", "inherit", "inherit"] });
}

/** Lets the search find the pages of an interface. */
function index(folder: string, from: RegExp): void {
  for (const file of globSync(`${folder}/**/*.html`)) {
    const page = readFileSync(file, "utf8");
    writeFileSync(file, page.replace(from, "$& data-pagefind-body"));
  }
}

export function rustApi(): void {
  const target = join(ROOT, "target/site");
  const to = join(PUBLIC, "api/rust");
  rmSync(join(target, "doc"), { recursive: true, force: true });
  rmSync(to, { recursive: true, force: true });
  const packages = CRATES.flatMap((crate) => ["-p", crate]);
  run("cargo", ["doc", "--quiet", "--locked", "--no-deps", "--target-dir", target, ...packages]);
  cpSync(join(target, "doc"), to, { recursive: true });
  // Pages of rustdoc link to a list of the crates, which only an unstable option makes.
  const list = '<!doctype html><meta http-equiv="refresh" content="0; url=wiresum/index.html">';
  writeFileSync(join(to, "index.html"), list);
  index(to, /<section id="main-content"/);
}

/** A file or a folder of the theme. */
function theme(pattern: string): string {
  const [found] = globSync(join(ROOT, pattern));
  if (!found) {
    throw new Error("build/venv has no doxygen-awesome-css: ./check site installs it");
  }
  return found;
}

/** The theme with its license. */
export function themeWork(): Work {
  return work("doxygen-awesome-css", "MIT", theme(LICENSES));
}

/** The headers of C. sections.py makes groups of the sections in them. */
export function cApi(): void {
  const headers = readdirSync(join(ROOT, "c/include"))
    .filter((name) => name !== "wiresum_inline.h") // its names are not for callers
    .map((name) => `c/include/${name}`);
  const settings = {
    PROJECT_NAME: "wiresum",
    PROJECT_BRIEF: '"the Internet checksum in C"',
    OUTPUT_DIRECTORY: BUILT,
    HTML_OUTPUT: "public/api/c",
    INPUT: ["site/c-api.dox", ...headers].join(" "),
    FILTER_PATTERNS: '*.h="python3 site/sections.py"',
    STRIP_FROM_PATH: "c/include",
    PREDEFINED: "WIRESUM_API= WIRESUM_SHORT= WIRESUM_MAY_ALIAS=",
    MACRO_EXPANSION: "YES",
    EXPAND_ONLY_PREDEF: "YES",
    EXTRACT_STATIC: "YES",
    OPTIMIZE_OUTPUT_FOR_C: "YES",
    JAVADOC_AUTOBRIEF: "YES",
    SORT_MEMBER_DOCS: "NO",
    HAVE_DOT: "NO",
    GENERATE_LATEX: "NO",
    HTML_EXTRA_STYLESHEET: theme(THEME),
    HTML_COLORSTYLE_SAT: "0",
    QUIET: "YES",
    WARN_AS_ERROR: "FAIL_ON_WARNINGS",
  };
  rmSync(join(PUBLIC, "api/c"), { recursive: true, force: true });
  mkdirSync(join(PUBLIC, "api"), { recursive: true });
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  run("doxygen", ["-"], lines.join("\n"));
  index(join(PUBLIC, "api/c"), /<div class="contents"/);
}
