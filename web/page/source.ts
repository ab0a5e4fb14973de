// SPDX-License-Identifier: MIT OR Apache-2.0
// Captures as the module reads them, and outputs as it writes them. Only a worker may read a file
// without waiting for a promise, which is how a reader in Rust reads.
import type { Source, Target } from "#wasm";

/** How much of a file is read at once, in bytes. In Chromium a slice comes from another process: a
 * longer one takes less time a byte. */
const SLICE = 32 << 20;
/** How many numbers `wakeCollector` allocates: 2 MiB of them. */
const WAKING = 1 << 18;
/** The parts of an output, in bytes. A browser keeps larger outputs on disk. */
const PART = 8 << 20;

/**
 * Makes garbage, so that the collector runs. V8 starts the collector by what JavaScript allocates,
 * which is next to nothing while the module works, and hardly counts slices of files. So slices
 * that nobody needs would take 780 MB for a capture of 2.4 GB; `measure.ts` measures it.
 */
function wakeCollector(): void {
  new Array(WAKING).fill(0.5);
}

/** Reads a file slice by slice, and reports how far it has come. */
export class FileSource implements Source {
  readonly name: string;
  private readonly reader = new FileReaderSync();
  private slice = new Uint8Array(0);
  private start = 0;
  private readonly file: File;
  private readonly progress: (read: number) => void;

  constructor(file: File, progress: (read: number) => void) {
    this.file = file;
    this.progress = progress;
    this.name = file.name;
  }

  read(offset: number, into: Uint8Array): number {
    let at = offset - this.start;
    if (at < 0 || at >= this.slice.length) {
      wakeCollector();
      const part = this.file.slice(offset, offset + SLICE);
      this.slice = new Uint8Array(this.reader.readAsArrayBuffer(part));
      this.start = offset;
      at = 0;
      this.progress(offset);
    }
    const bytes = this.slice.subarray(at, at + into.length);
    into.set(bytes);
    return bytes.length;
  }
}

/** Collects an output. The memory of a page holds one part of it. */
export class BlobTarget implements Target {
  private blob = new Blob([]);
  private part = new Uint8Array(PART);
  private used = 0;

  write(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; ) {
      const here = rest.subarray(0, PART - this.used);
      this.part.set(here, this.used);
      this.used += here.length;
      rest = rest.subarray(here.length);
      if (this.used === PART) {
        this.flush();
      }
    }
  }

  patch(position: number, bytes: Uint8Array): void {
    const at = position - this.blob.size;
    if (at >= 0) {
      this.part.set(bytes, at);
      return;
    }
    this.flush();
    const blob = this.blob;
    const behind = position + bytes.length;
    this.blob = new Blob([blob.slice(0, position), bytes.slice(), blob.slice(behind)]);
  }

  /** The whole output. */
  finish(type: string): Blob {
    this.flush();
    return this.blob.slice(0, this.blob.size, type);
  }

  private flush(): void {
    this.blob = new Blob([this.blob, this.part.slice(0, this.used)]);
    this.used = 0;
  }
}
