// SPDX-License-Identifier: MIT OR Apache-2.0
// The licenses of others whose work is in the page, in the package and in the site.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** The work of others, with the texts of its license. */
export interface Work {
  name: string;
  texts: string[];
}

/** A work with the texts in its folder, or with the name of its license where it has no text. */
export function work(name: string, license: string, folder: string): Work {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(file))
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
  const none = `Its sources have no text of a license. They name: ${license}`;
  const texts = files.map((file) => readFileSync(file, "utf8").trim());
  return { name, texts: texts.length > 0 ? texts : [none] };
}

/** The crates in the module for a target, and the standard library of Rust. */
export function crates(target: string): Work[] {
  const cargo = (...words: string[]): string =>
    execFileSync("cargo", [...words, "--locked"], {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
  const edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
  const lines = cargo("tree", "--package", "wiresum-web", "--target", target, ...edges);
  // A line is: name vVERSION (folder), or (*) for a crate that came before.
  const inModule = new Set(lines.match(/^\S+ v\S+/gm));
  const { packages } = JSON.parse(
    cargo("metadata", "--format-version", "1", "--filter-platform", target),
  ) as {
    packages: Record<"name" | "version" | "license" | "manifest_path" | "source", string>[];
  };
  const used = packages.filter(
    ({ name, version, source }) => source && inModule.has(`${name} v${version}`),
  );
  const works = used.map(({ name, version, license, manifest_path }) =>
    work(`${name} ${version}`, license, dirname(manifest_path)),
  );
  const std = "the standard library of Rust, Copyright The Rust Project Contributors";
  const apache = readFileSync(join(ROOT, "LICENSE-APACHE"), "utf8").trim();
  return [...works, { name: std, texts: [apache] }];
}

/** The text with the license of each work. */
export function notices(others: Work[]): string {
  /** The names of the works by the text of their licenses. */
  const texts = new Map<string, string[]>();
  for (const { name, texts: of } of others) {
    for (const text of of) {
      texts.set(text, [...(texts.get(text) ?? []), name]);
    }
  }
  const parts = [...texts].map(([text, names]) => `${names.join(", ")}:\n\n${text}`);
  const head = "wiresum has the work of others in it. Each text is the license of those named.";
  return `${[head, ...parts].join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}
