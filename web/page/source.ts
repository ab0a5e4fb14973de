// SPDX-License-Identifier: MIT OR Apache-2.0
// Captures as the module reads them, and outputs as it writes them. Only a worker may read a file
// without waiting for a promise, which is how a reader in Rust reads.
import code from "virtual:ahead";
import type { Source, Target } from "#wasm";
import type { Wanted } from "./ahead.ts";

/** How much of a file is read at once, in bytes. In Chromium a slice comes from another process: a
 * longer one takes less time a byte. */
const SLICE = 16 << 20;
/** How many slices are read ahead. */
const AHEAD = 2;
/** How many bytes one step of the module reads, except for a record that is longer. */
const STEP = 256 << 10;
/** The parts of an output, in bytes. A browser keeps larger outputs on disk. */
const PART = 8 << 20;

/** Bytes of a file, and where they begin. */
interface Slice {
  start: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Another worker, which reads slices while this one works, in the order in which they are asked
 * for. */
class Ahead {
  private readonly worker: Worker;
  private readonly waiting: ((bytes: ArrayBuffer | undefined) => void)[] = [];

  constructor() {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }: MessageEvent<ArrayBuffer | undefined>) =>
      this.waiting.shift()?.(data);
    this.worker.onerror = () => this.waiting.shift()?.(undefined);
  }

  read(wanted: Wanted): Promise<ArrayBuffer | undefined> {
    this.worker.postMessage(wanted);
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

let another: Ahead | undefined;

/** Reads a file slice by slice, and reports how far it has come. */
export class FileSource implements Source {
  readonly name: string;
  private slice: Slice = { start: 0, bytes: new Uint8Array(0) };
  /** The slices after that one: those that are here, and those that were asked for. */
  private readonly here: Slice[] = [];
  private readonly asked: Promise<void>[] = [];
  /** The offset up to which slices were asked for. */
  private end = 0;
  /** The offset up to which the module has read. */
  private at = 0;
  private readonly file: File;
  private readonly progress: (read: number) => void;

  constructor(file: File, progress: (read: number) => void) {
    this.file = file;
    this.progress = progress;
    this.name = file.name;
  }

  /** Has slices read ahead. Returns whether the next step would have to wait for one: the caller
   * then waits for `next`. */
  waits(): boolean {
    while (this.end < Math.min(this.at + AHEAD * SLICE, this.file.size)) {
      this.ask();
    }
    const { start, bytes } = this.here.at(-1) ?? this.slice;
    return this.asked.length > 0 && start + bytes.length < this.at + STEP;
  }

  /** Waits for the next slice that was asked for. */
  async next(): Promise<void> {
    await this.asked.shift();
  }

  read(offset: number, into: Uint8Array): number {
    while (offset >= this.slice.start + this.slice.bytes.length || offset < this.slice.start) {
      this.slice.bytes.buffer.transfer?.(0); // so that its memory does not wait for the collector
      this.slice = this.here.shift() ?? this.readNow(offset);
      this.progress(offset);
      if (this.slice.bytes.length === 0) {
        return 0;
      }
    }
    const at = offset - this.slice.start;
    const bytes = this.slice.bytes.subarray(at, at + into.length);
    into.set(bytes);
    this.at = offset + bytes.length;
    return bytes.length;
  }

  private ask(): void {
    const [start, end] = [this.end, Math.min(this.end + SLICE, this.file.size)];
    this.end = end;
    another ??= new Ahead();
    const read = another.read({ file: this.file, start, end });
    this.asked.push(
      read.then((bytes) => {
        if (bytes) {
          this.here.push({ start, bytes: new Uint8Array(bytes) });
        }
      }),
    );
  }

  private readNow(start: number): Slice {
    const part = this.file.slice(start, start + SLICE);
    return { start, bytes: new Uint8Array(new FileReaderSync().readAsArrayBuffer(part)) };
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
