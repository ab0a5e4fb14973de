// SPDX-License-Identifier: MIT OR Apache-2.0
// The worker that reads a capture ahead of the worker that verifies it, into rooms that the two
// hand each other: a new buffer for each slice would stay until the collector runs.

/** The bytes of a file that are wanted, and the room for them. */
export interface Wanted {
  file: File;
  start: number;
  room: ArrayBuffer;
}

/** The room with bytes at its beginning. There are none if the file could not be read. */
export interface Filled {
  room: ArrayBuffer;
  length: number;
}

declare function postMessage(filled: Filled, transfer: ArrayBuffer[]): void;

/** What reads the file, and the offset of the next byte that it reads. */
let stream: { reader: ReadableStreamBYOBReader; at: number } | undefined;

async function fill({ file, start, room }: Wanted): Promise<Filled> {
  if (start === 0 || stream?.at !== start) {
    stream = { reader: file.slice(start).stream().getReader({ mode: "byob" }), at: start };
  }
  let length = 0;
  for (let done = false; !done && length < room.byteLength; ) {
    const read = await stream.reader.read(new Uint8Array(room, length));
    room = read.value?.buffer ?? new ArrayBuffer(0);
    length += read.value?.length ?? 0;
    done = read.done;
  }
  stream.at += length;
  return { room, length };
}

/** The last slice, for which the next one waits. */
let last: Promise<void> = Promise.resolve();
addEventListener("message", ({ data }: MessageEvent<Wanted>) => {
  last = last
    .then(() => fill(data))
    .catch(() => ({ room: new ArrayBuffer(0), length: 0 })) // the other worker gets the error
    .then((filled) => postMessage(filled, [filled.room]));
});
