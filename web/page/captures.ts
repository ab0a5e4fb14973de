// SPDX-License-Identifier: MIT OR Apache-2.0
// The worker as the page sees it: promises, progress and an end to what takes too long.
import { packed, split } from "virtual:modules";
import code from "virtual:worker";
import type { Name, Operations, Progress, Reply, Request } from "./messages.ts";
import { hasVectors } from "./unpack.ts";

/** The reader cancelled the work. */
export class Cancelled extends Error {}

/** Nobody waits for the work any more. */
export class Outdated extends Error {}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  progress(progress: Progress): void;
}

/** One worker, which begins with the first request, and anew after it was cancelled. */
export class Captures {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  ask<N extends Name>(
    name: N,
    given: Operations[N]["arguments"],
    progress: (progress: Progress) => void = () => {},
  ): Promise<Operations[N]["result"]> {
    const worker = this.started();
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject, progress });
      const request: Request<N> = { id, name, arguments: given };
      worker.postMessage(request);
    });
  }

  /** Ends the worker. What it was asked fails. */
  cancel(why: Error = new Cancelled("Cancelled.")): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) {
      reject(why);
    }
    this.waiting.clear();
  }

  /** Ends the worker if it has something to do. */
  cancelWhatWaits(why?: Error): void {
    if (this.waiting.size > 0) {
      this.cancel(why);
    }
  }

  private started(): Worker {
    if (this.worker) {
      return this.worker;
    }
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.take(data);
    worker.onerror = ({ message }) => this.cancel(new Error(`The worker failed: ${message}`));
    this.worker = worker;
    this.ask("begin", [packed, split, hasVectors()]).catch((error) => {
      if (this.worker === worker) {
        this.cancel(error); // and not the worker that has taken its place
      }
    });
    return worker;
  }

  private take(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    if (!waiting) {
      return;
    }
    if ("progress" in reply) {
      waiting.progress(reply.progress);
      return;
    }
    this.waiting.delete(reply.id);
    if ("result" in reply) {
      waiting.resolve(reply.result);
    } else {
      waiting.reject(new Error(reply.error));
      if (reply.fatal) {
        this.cancel(new Error(reply.error));
      }
    }
  }
}
