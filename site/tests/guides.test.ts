// SPDX-License-Identifier: MIT OR Apache-2.0
// Each program and each command of the guides runs, and prints what the guide says.
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { ROOT } from "../places.ts";
import { guides, rerun } from "./commands.ts";

const all = guides();

for (const { file, blocks } of all) {
  for (const [index, block] of blocks.entries()) {
    test(`${file}, block ${index + 1}, prints what the guide says`, () => {
      assert.ok(block.includes("$ "), "a block console has no command");
      assert.equal(block, rerun(block), "again: node site/tests/commands.ts --write");
    });
  }
}

test("every block of a guide is run, or is a program that is run", () => {
  const languages = all.flatMap(({ text }) =>
    [...text.matchAll(/^```(\w.*)$/gm)].map(([, language]) => language ?? ""),
  );
  assert.ok(languages.length > 15);
  for (const language of languages) {
    assert.match(language, /^(console|\w+ file=\S+)$/);
  }
});

test("every program is in a guide", () => {
  const shown = all.map(({ text }) => text).join("\n");
  const programs = globSync("site/programs/**/*.{c,js,rs}", {
    cwd: ROOT,
    exclude: ["**/target", "**/node_modules"],
  });
  assert.ok(programs.length > 4);
  for (const program of programs) {
    assert.ok(shown.includes(program.replace("site/", "")), `no guide shows ${program}`);
  }
});
