// SPDX-License-Identifier: MIT OR Apache-2.0
// The worker: it calls the module, and holds the bad checksums of the captures that it verified.
import {
  csv,
  explain,
  fix,
  hexdump,
  initSync,
  kernel_name,
  Search,
  shown,
  Verification,
} from "#wasm";
import type { Name, Operations, Progress, Reply, Request } from "./messages.ts";
import { BlobTarget, FileSource } from "./source.ts";
import { moduleOf } from "./unpack.ts";

/** The milliseconds between two reports of progress. */
const PATIENCE = 50;

let verification: Verification | undefined;

const post: (reply: Reply) => void = postMessage;

/** The sources of files, which report their progress to one request. */
function sources(id: number, files: File[]): FileSource[] {
  const whole = files.reduce((sum, { size }) => sum + size, 0);
  let [last, before] = [0, 0];
  return files.map((file) => {
    const [start, name] = [before, shown(file.name)];
    before += file.size;
    return new FileSource(file, (read) => {
      const now = performance.now();
      if (read === 0 || now - last > PATIENCE) {
        last = now;
        const part = read / Math.max(file.size, 1);
        const progress: Progress = { name, part, all: (start + read) / Math.max(whole, 1) };
        post({ id, progress });
      }
    });
  });
}

/** The source of one file. */
function source(id: number, file: File): FileSource {
  return sources(id, [file])[0] as FileSource;
}

type Does<N extends Name> = (
  id: number,
  ...of: Operations[N]["arguments"]
) => Operations[N]["result"];

const operations: { [N in Name]: Does<N> } = {
  begin(_, packed, split, vectors) {
    initSync({ module: new WebAssembly.Module(moduleOf(packed, split, vectors)) });
    return kernel_name();
  },

  verify(id, files, room) {
    verification?.free();
    verification = undefined;
    const now = new Verification(room);
    for (const each of sources(id, files)) {
      now.read(each);
    }
    verification = now;
    return { html: now.html(), json: now.json(), names: files.map(({ name }) => shown(name)) };
  },

  rows(_, filter, most) {
    if (!verification) {
      throw new Error("No capture has been read.");
    }
    return JSON.parse(verification.rows(JSON.stringify(filter), most));
  },

  search(id, files, filter, most, room) {
    const found = new Search(JSON.stringify(filter), room);
    try {
      for (const each of sources(id, files)) {
        found.read(each);
      }
      return JSON.parse(found.rows(JSON.stringify(filter), most));
    } finally {
      found.free();
    }
  },

  explain(id, file, frame) {
    return explain(source(id, file), frame);
  },

  fix(id, file, out, causes) {
    const target = new BlobTarget();
    const { table, json } = fix(source(id, file), out, causes, target);
    return { blob: target.finish("application/octet-stream"), table, json };
  },

  csv(id, files) {
    const target = new BlobTarget();
    csv(sources(id, files), target);
    return target.finish("text/csv");
  },

  hexdump(_, text) {
    return hexdump(text) as Uint8Array<ArrayBuffer>;
  },
};

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
