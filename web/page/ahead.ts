// SPDX-License-Identifier: MIT OR Apache-2.0
// The worker that reads a capture ahead of the worker that verifies it.
import { wakeCollector } from "./collector.ts";

/** The bytes of a file that are wanted. */
export interface Wanted {
  file: File;
  start: number;
  end: number;
}

const reader = new FileReaderSync();

declare function postMessage(bytes: ArrayBuffer | undefined, transfer: ArrayBuffer[]): void;

addEventListener("message", ({ data: { file, start, end } }: MessageEvent<Wanted>) => {
  try {
    const bytes = reader.readAsArrayBuffer(file.slice(start, end));
    postMessage(bytes, [bytes]);
    wakeCollector();
  } catch {
    postMessage(undefined, []); // the worker that wants them reads them itself, and gets the error
  }
});
