// The thread in which foreign content is opened: hostile content can exhaust only this.
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { FieldError } from "./errors.ts";
import { TooMuch } from "./foreign-work.ts";

const taskSchema = z.object({ file: z.string(), input: z.unknown() });
const featureSchema = z.object({
  work: z.custom<(input: unknown) => Promise<unknown>>((work) => typeof work === "function"),
});

export async function openForeign(task: unknown) {
  const { file, input } = taskSchema.parse(task);
  const feature = featureSchema.parse(await import(file));
  try {
    return { value: await feature.work(input) };
  } catch (error) {
    // Nobody outside wrote what the server itself hands over.
    if (error instanceof z.ZodError) throw error;
    return refusalOf(error);
  }
}

function refusalOf(error: unknown) {
  // Other errors lose what they are on their way to the thread of the server.
  if (error instanceof TRPCError && error.cause instanceof FieldError)
    return { field: error.cause.field, message: error.message };
  const isDeep = error instanceof RangeError && /call stack/.test(error.message);
  const why: "too-much" | "unreadable" = error instanceof TooMuch || isDeep ? "too-much" : "unreadable";
  return { why, reason: String(error) };
}
