// SPDX-License-Identifier: MIT OR Apache-2.0
// Sets out the pages for Astro in build/site/pages: each Markdown file of the repository, and the
// pages of the machines. The files of the repository stay as they are; the copies get a title for
// Starlight, links between pages of the site, and the programs that guides show.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { address, BUILT, REPOSITORY, ROOT } from "./places.ts";

const OUT = join(BUILT, "pages");

/** Titles of pages that would all be called wiresum. */
const TITLES: Record<string, string> = {
  "README.md": "About wiresum",
  // A search for "offload" finds the guide about it first.
  "evidence/lab/tcoe/README.md": "An FPGA engine (LACCEI 2012)",
  "python/README.md": "The Python package",
  "rust/README.md": "The Rust crate",
  "web/npm/README.md": "The npm package",
};

/** Where Doxygen puts the page of a header: it writes a dot as _8 and an underscore as two. */
function headerPage(file: string): string | undefined {
  const name = /^c\/include\/(\w+)\.h$/.exec(file)?.[1];
  return name && name !== "wiresum_inline"
    ? `api/c/${name.replaceAll("_", "__")}_8h.html`
    : undefined;
}

/** Applies a function to the parts of a text that are not in fenced blocks. */
function outsideFences(text: string, change: (part: string) => string): string {
  return text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 ? part : change(part)))
    .join("");
}

/** Puts each table into a frame that scrolls, also by the keyboard. */
function scrolling(text: string): string {
  const frame = '<div class="wide" tabindex="0" role="group" aria-label="Table">';
  return text.replaceAll(/^(\|.*\n)+/gm, (table) => `${frame}\n\n${table}\n</div>\n`);
}

/** Files that are pages, pictures that they show, and how they link to each other. */
class Pages {
  readonly texts: Map<string, string>;
  readonly pictures = new Set<string>();

  constructor(texts: Map<string, string>) {
    this.texts = texts;
  }

  /** The page that a file or folder of the repository is. */
  private pageOf(file: string): string | undefined {
    const machine = /^bench\/results(\/[\w-]+)?$/.exec(file);
    const known = [file, posix.join(file, "README.md")];
    if (machine) {
      known.push(`site/machines${machine[1] ?? "/README"}.md`);
    }
    return known.find((name) => this.texts.has(name));
  }

  /** The path on the site, or the address elsewhere, of a file or folder of the repository. */
  private target(file: string): { path: string } | { elsewhere: string } | undefined {
    const own = /^site\/src\/pages\/(\w+)\.astro$/.exec(file)?.[1];
    if (own) {
      return { path: own === "index" ? "" : `${own}/` };
    }
    const page = this.pageOf(file);
    if (page) {
      return { path: `${address(page)}/` };
    }
    const header = headerPage(file);
    if (header) {
      return { path: header };
    }
    if (!existsSync(join(ROOT, file))) {
      return undefined;
    }
    const kind = statSync(join(ROOT, file)).isDirectory() ? "tree" : "blob";
    return { elsewhere: `${REPOSITORY}/${kind}/main/${file}` };
  }

  /** A link of a file as the page of that file has it: relative, so that the site has any base. */
  private link(from: string, link: string): string {
    if (/^(\w+:|#)/.test(link)) {
      return link;
    }
    const [path = "", anchor] = link.split("#");
    const file = posix.join(dirname(from), path).replace(/\/$/, "");
    const found = this.target(file);
    if (!found) {
      throw new Error(`${from} links to ${link}: there is no ${file}`);
    }
    const end = anchor === undefined ? "" : `#${anchor}`;
    if ("elsewhere" in found) {
      return found.elsewhere + end;
    }
    const relative = posix.relative(`/${address(from)}`, `/${found.path}`) || ".";
    return (/^$|\/$/.test(found.path) ? `${relative}/` : relative) + end;
  }

  private links(file: string, text: string): string {
    return text.replaceAll(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (_, picture, label, link) => {
        if (picture) {
          this.pictures.add(posix.join(dirname(file), link));
          return `![${label}](${link})`;
        }
        return `[${this.links(file, label)}](${this.link(file, link)})`;
      },
    );
  }

  /** The page that Starlight reads. */
  page(file: string): string {
    const text = this.texts.get(file) ?? "";
    const heading = /^# (.*)\n/m.exec(text);
    if (!heading?.[1]) {
      throw new Error(`${file} has no line # TITLE`);
    }
    const title = TITLES[file] ?? heading[1].replaceAll("`", "");
    const source = existsSync(join(ROOT, file)) ? `${REPOSITORY}/blob/main/${file}` : false;
    // Rustdoc's attributes of a block are no language.
    const shown = text.replace(heading[0], "").replaceAll(/^```(\w+),\w+$/gm, "```$1");
    const linked = outsideFences(shown, (part) => scrolling(this.links(file, part)));
    // The search shows a guide before the documents to which the guide leads, and evidence last.
    const weight = file.startsWith("site/guides/") ? 8 : file.startsWith("evidence/") ? 0.5 : 1;
    const body = `<div data-pagefind-weight="${weight}">\n\n${linked}\n\n</div>\n`;
    const front = { title, editUrl: source };
    const lines = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    return `---\n${lines.join("\n")}\n---\n${withPrograms(file, body)}`;
  }
}

/** Fills each block that begins with ```LANGUAGE file=PATH with that file. */
function withPrograms(file: string, text: string): string {
  return text.replaceAll(/^```(\w+) file=(\S+)\n```$/gm, (_, language, path) => {
    const program = posix.join(dirname(file), path);
    const source = readFileSync(join(ROOT, program), "utf8");
    return `\`\`\`${language} title="${program}"\n${source}\`\`\``;
  });
}

function run(command: string, ...words: string[]): string {
  return execFileSync(command, words, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The Markdown files of the repository, and the pages of the machines. */
function texts(): Map<string, string> {
  const listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md");
  const files = listed.split("\n").filter((file) => file && existsSync(join(ROOT, file)));
  const read = files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")] as const);
  const machines: Record<string, string> = JSON.parse(run("python3", "-m", "evidence.bench.pages"));
  return new Map([...read, ...Object.entries(machines)]);
}

/** Writes all pages, and the pictures that they show. */
export function setOut(): void {
  rmSync(OUT, { recursive: true, force: true });
  const pages = new Pages(texts());
  for (const file of pages.texts.keys()) {
    mkdirSync(join(OUT, dirname(file)), { recursive: true });
    writeFileSync(join(OUT, file), pages.page(file));
  }
  for (const picture of pages.pictures) {
    mkdirSync(join(OUT, dirname(picture)), { recursive: true });
    cpSync(join(ROOT, picture), join(OUT, picture));
  }
}
