// The process in which foreign content is opened: hostile content can exhaust only this.
import { Worker } from "node:worker_threads";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { FieldError } from "./errors.ts";
import { LOADED, TooMuch } from "./foreign-work.ts";

const toLoadSchema = z.object({ file: z.string() });
const toDoSchema = z.object({ input: z.unknown(), limitMs: z.number() });
const featureSchema = z.object({
  work: z.custom<(input: unknown) => Promise<unknown>>((work) => typeof work === "function"),
});

const watch = new Worker(new URL("./foreign-watch.ts", import.meta.url), { workerData: process.argv.slice(2) });

let feature: Promise<z.infer<typeof featureSchema>> | undefined;

process.on("message", (said) => {
  const toLoad = toLoadSchema.safeParse(said);
  void (toLoad.success ? load(toLoad.data.file) : open(said)).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on("disconnect", () => process.exit());

async function load(file: string) {
  feature = import(file).then((loaded) => featureSchema.parse(loaded));
  await feature;
  return LOADED;
}

async function open(toDo: unknown) {
  const { input, limitMs } = toDoSchema.parse(toDo);
  if (!feature) throw new Error("Nothing is loaded.");
  const { work } = await feature;
  watch.postMessage(limitMs);
  try {
    return { value: await work(input) };
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
