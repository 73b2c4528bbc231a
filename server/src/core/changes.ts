import { EventEmitter } from "node:events";
import type { mongo } from "mongoose";
import type { Logger } from "./logger.ts";

const RESTART_MS = 1000;
const ANY = "*";

export interface Changes {
  /** Calls back on every change of this document, and after a gap in which changes may have been missed. */
  onChange(id: string, log: Logger, listener: () => void): () => void;
}

/** A mongoose model, as far as it matters here. */
interface Watched {
  collection: { name: string };
  watch(pipeline: Record<string, unknown>[], options: { maxAwaitTimeMS: number }): mongo.ChangeStream;
}

/**
 * The changes of one collection, by document. However many listen, one change stream per process is open, and none
 * while nobody listens.
 */
export function changesOf(model: Watched): Changes {
  const emitter = new EventEmitter().setMaxListeners(0);
  let stream: mongo.ChangeStream | undefined;
  let listeners = 0;

  function open(log: Logger): void {
    const opened = model.watch([], { maxAwaitTimeMS: RESTART_MS });
    stream = opened;
    // Before the first answer nothing is watched yet: whoever read until then reads again.
    opened.once("resumeTokenChanged", () => emitter.emit(ANY));
    opened.on("change", (change) => {
      const key: unknown = "documentKey" in change ? change.documentKey._id : undefined;
      emitter.emit(typeof key === "string" ? key : ANY);
    });
    opened.on("error", (error) => {
      // It was closed here, because nobody listens any more.
      if (stream !== opened) return;
      log.warn({ err: error, collection: model.collection.name }, "change stream ended, opening it again");
      stream = undefined;
      setTimeout(() => reopen(log), RESTART_MS).unref();
    });
  }

  function reopen(log: Logger): void {
    if (listeners === 0 || stream) return;
    open(log);
  }

  async function close(log: Logger): Promise<void> {
    const closing = stream;
    stream = undefined;
    try {
      await closing?.close();
    } catch (error) {
      log.warn({ err: error }, "change stream did not close cleanly");
    }
  }

  return {
    onChange(id, log, listener) {
      listeners += 1;
      if (!stream) open(log);
      emitter.on(id, listener);
      emitter.on(ANY, listener);
      return () => {
        emitter.off(id, listener);
        emitter.off(ANY, listener);
        listeners -= 1;
        if (listeners === 0) void close(log);
      };
    },
  };
}
