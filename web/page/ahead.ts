// SPDX-License-Identifier: MIT OR Apache-2.0
// The worker that reads a capture ahead of the worker that verifies it.

/** The bytes of a file that are wanted. */
export interface Wanted {
  file: File;
  start: number;
  end: number;
}

declare function postMessage(bytes: ArrayBuffer | undefined, transfer: ArrayBuffer[]): void;

addEventListener("message", ({ data: { file, start, end } }: MessageEvent<Wanted>) => {
  try {
    const bytes = new FileReaderSync().readAsArrayBuffer(file.slice(start, end));
    postMessage(bytes, [bytes]);
  } catch {
    postMessage(undefined, []); // the worker that wants them reads them itself, and gets the error
  }
});
