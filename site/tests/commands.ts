// SPDX-License-Identifier: MIT OR Apache-2.0
// The commands of the guides. A block ```console has commands, each after "$ ", and below each one
// what it prints.
//
//   node site/tests/commands.ts --write    puts what the commands print into the guides
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../places.ts";

const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

/** The folder of lwIP's sources: the crate that evidence/bench/tcp pins holds them. */
function lwip(): string {
  const words = ["metadata", "--locked", "--format-version=1", "--manifest-path"];
  const text = execFileSync("cargo", [...words, "evidence/bench/tcp/Cargo.toml"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { packages } = JSON.parse(text) as { packages: { name: string; manifest_path: string }[] };
  const crate = packages.find(({ name }) => name === "lwip");
  if (!crate) {
    throw new Error("evidence/bench/tcp/Cargo.toml names no crate lwip with the sources of lwIP");
  }
  return join(crate.manifest_path, "../src");
}

const environment = {
  ...process.env,
  PATH: `${join(ROOT, "target/debug")}:${process.env["PATH"]}`,
  LWIP: lwip(),
};

/** Installs the npm package for the programs in JavaScript, as `npm install` does. */
function installPackage(): void {
  const modules = join(ROOT, "site/programs/javascript/node_modules");
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(modules);
  symlinkSync(join(ROOT, "build/web/npm"), join(modules, "wiresum"));
}
installPackage();

/** What a command prints, in the root of the repository. It may say on standard error that it
 * failed, but not more. */
function printed(command: string): string {
  const options = { cwd: ROOT, env: environment, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command], options);
  // wiresum ends with 1 where a checksum is bad.
  if (stderr !== "" || (status !== 0 && !(status === 1 && command.startsWith("wiresum ")))) {
    throw new Error(`$ ${command}\nended with ${status}: ${stderr}`);
  }
  return stdout;
}

/** The commands of a block, each with its lines and without what it prints. */
function commands(block: string): string[] {
  return block.match(/^\$ (.*\\\n)*.*\n/gm) ?? [];
}

export type Guide = { file: string; text: string; blocks: string[] };

export function guides(): Guide[] {
  return globSync("site/guides/**/*.md", { cwd: ROOT }).map((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return { file, text, blocks: [...text.matchAll(BLOCK)].map(([, block]) => block ?? "") };
  });
}

/** A block with what its commands print now. */
export function rerun(block: string): string {
  mkdirSync(join(ROOT, "build"), { recursive: true });
  return commands(block)
    .map((command) => command + printed(command.slice(2)))
    .join("");
}

if (process.argv[2] === "--write") {
  for (const { file, text } of guides()) {
    const again = text.replaceAll(BLOCK, (_, block) => `\`\`\`console\n${rerun(block)}\`\`\``);
    writeFileSync(join(ROOT, file), again);
  }
}
