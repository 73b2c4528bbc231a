// The process in which foreign content is opened: hostile content can exhaust only this.
import { Worker } from "node:worker_threads";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { FieldError } from "./errors.ts";
import { BEGUN, TooMuch } from "./foreign-work.ts";

const taskSchema = z.object({ file: z.string(), input: z.unknown(), limitMs: z.number() });
const featureSchema = z.object({
  work: z.custom<(input: unknown) => Promise<unknown>>((work) => typeof work === "function"),
});

const watch = new Worker(new URL("./foreign-watch.ts", import.meta.url), { workerData: process.argv.slice(2) });

process.on("message", (task) => {
  void open(task).then(
    (done) => process.send?.(done),
    (error: unknown) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on("disconnect", () => process.exit());

async function open(task: unknown) {
  const { file, input, limitMs } = taskSchema.parse(task);
  const feature = featureSchema.parse(await import(file));
  watch.postMessage(limitMs);
  process.send?.(BEGUN);
  try {
    return { value: await feature.work(input) };
  } catch (error) {
    // Nobody outside wrote what the server itself hands over.
    if (error instanceof z.ZodError) throw error;
    return refusalOf(error);
  } finally {
    watch.postMessage(null);
  }
}

function refusalOf(error: unknown) {
  // Other errors lose what they are on their way to the server.
  if (error instanceof TRPCError && error.cause instanceof FieldError)
    return { field: error.cause.field, message: error.message };
  const isDeep = error instanceof RangeError && /call stack/.test(error.message);
  const why: "too-much" | "unreadable" = error instanceof TooMuch || isDeep ? "too-much" : "unreadable";
  return { why, reason: String(error) };
}
