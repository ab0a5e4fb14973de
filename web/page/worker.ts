// SPDX-License-Identifier: MIT OR Apache-2.0
// The worker: it holds the captures, and calls the module.
import { csv, explain, fix, hexdump, initSync, kernel_name, Search, Verification } from "#wasm";
import type { Filter, Name, Operations, Progress, Reply, Request, Rows } from "./messages.ts";
import { BlobTarget, FileSource } from "./source.ts";

/** The milliseconds between two reports of progress. */
const PATIENCE = 50;

let files: File[] = [];
let verification: Verification | undefined;

const post: (reply: Reply) => void = postMessage;

/** The sources of all files, which report their progress to one request. */
function sources(id: number, of: File[] = files): FileSource[] {
  let last = 0;
  return of.map(
    (file, number) =>
      new FileSource(file, (read) => {
        const now = performance.now();
        if (read === 0 || now - last > PATIENCE) {
          last = now;
          const progress: Progress = { file: number, name: file.name, read, size: file.size };
          post({ id, progress });
        }
      }),
  );
}

function source(id: number, file: number): FileSource {
  const chosen = files[file];
  if (!chosen) {
    throw new Error(`There is no file number ${file}.`);
  }
  return sources(id, [chosen])[0] as FileSource;
}

type Does<N extends Name> = (
  id: number,
  ...of: Operations[N]["arguments"]
) => Operations[N]["result"];

const operations: { [N in Name]: Does<N> } = {
  begin(_, module) {
    initSync({ module: new WebAssembly.Module(module) });
    return kernel_name();
  },

  verify(id, chosen) {
    verification?.free();
    verification = undefined;
    files = chosen;
    const now = new Verification();
    for (const each of sources(id)) {
      now.read(each);
    }
    verification = now;
    return { html: now.html(), json: now.json() };
  },

  rows(id, filter, most) {
    if (!verification) {
      throw new Error("No capture has been read.");
    }
    const held: Rows = JSON.parse(verification.rows(JSON.stringify(filter), most));
    const all = !Object.values(filter).some((value) => value !== "" && value !== undefined);
    return held.beyond === 0 || all ? held : search(id, filter, most);
  },

  explain(id, file, frame) {
    return explain(source(id, file), frame);
  },

  fix(id, file, out, causes) {
    const target = new BlobTarget();
    const { table, json } = fix(source(id, file), out, causes, target);
    return { blob: target.finish("application/octet-stream"), table, json };
  },

  csv(id) {
    const target = new BlobTarget();
    csv(sources(id), target);
    return target.finish("text/csv");
  },

  hexdump(_, text) {
    return hexdump(text) as Uint8Array<ArrayBuffer>;
  },
};

/** Reads the captures again for rows that had no room when all were listed. */
function search(id: number, filter: Filter, most: number): Rows {
  const found = new Search(JSON.stringify(filter));
  try {
    for (const each of sources(id)) {
      found.read(each);
    }
    return JSON.parse(found.rows(JSON.stringify(filter), most));
  } finally {
    found.free();
  }
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  const { id, name } = data;
  try {
    const does = operations[name] as Does<Name>;
    post({ id, result: does(id, ...data.arguments) });
  } catch (error) {
    // A trap leaves the memory of the module as it was in the middle of the work.
    const fatal = error instanceof WebAssembly.RuntimeError;
    post({ id, error: error instanceof Error ? error.message : String(error), fatal });
  }
});
