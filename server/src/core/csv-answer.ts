import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { type Context, isPermitted } from "./trpc.ts";
import type { Permission } from "@app/shared/access";

const LINES_AT_ONCE = 200;

/** Those who asked lost the right to it meanwhile. */
class TakenAwayError extends Error {}

interface Asked {
  context: Context;
  permissions: readonly Permission[];
}

/**
 * Sends a file of lines as they are made. Whoever loses the right to them in the middle gets no more: the answer breaks
 * off, so that nobody takes it for whole.
 */
export async function sendLines(
  res: Response,
  { context, permissions, name }: Asked & { name: string },
  lines: AsyncIterable<string>,
): Promise<void> {
  res.set({ "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${name}"` });
  try {
    await pipeline(Readable.from(whilePermitted(lines, { context, permissions })), res);
  } catch (error) {
    if (error instanceof TakenAwayError) context.log.info({ event: "export broken off", name }, "audit");
    // Whoever went away needs no more of it.
    else if (!isClosedByReader(error)) throw error;
  }
}

async function* whilePermitted(lines: AsyncIterable<string>, { context, permissions }: Asked): AsyncGenerator<string> {
  let sent = 0;
  for await (const line of lines) {
    sent += 1;
    if (sent % LINES_AT_ONCE === 0 && !(await isStillTheSame(context, permissions))) throw new TakenAwayError();
    yield line;
  }
}

/** Whoever sees less than at the start, such as only their own cases, begins again. */
async function isStillTheSame({ actor, standing }: Context, permissions: readonly Permission[]): Promise<boolean> {
  const present = await standing.read();
  return isPermitted(present, permissions) && present?.scope.isAssignedOnly === actor?.scope.isAssignedOnly;
}

const isClosedByReader = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
