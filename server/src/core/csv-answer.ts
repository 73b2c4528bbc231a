import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AskedBy } from "./raw-route.ts";
import { isPermitted } from "./trpc.ts";

const LINES_AT_ONCE = 200;

/** Those who asked lost the right to it meanwhile. */
class TakenAwayError extends Error {}

/**
 * Sends a file of lines as they are made. Whoever loses the right to them in the middle gets no more: the answer breaks
 * off, so that nobody takes it for whole.
 */
export async function sendLines(asked: AskedBy, name: string, lines: AsyncIterable<string>): Promise<void> {
  const { res, log } = asked;
  res.set({ "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${name}"` });
  try {
    await pipeline(Readable.from(whilePermitted(lines, asked)), res);
  } catch (error) {
    if (error instanceof TakenAwayError) log.info({ event: "export broken off", name }, "audit");
    // Whoever went away needs no more of it.
    else if (!isClosedByReader(error)) throw error;
  }
}

async function* whilePermitted(lines: AsyncIterable<string>, asked: AskedBy): AsyncGenerator<string> {
  let sent = 0;
  for await (const line of lines) {
    sent += 1;
    if (sent % LINES_AT_ONCE === 0 && !(await isStillTheSame(asked))) throw new TakenAwayError();
    yield line;
  }
}

/** Whoever sees less than at the start, such as only their own cases, begins again. */
async function isStillTheSame({ context, permissions, scope }: AskedBy): Promise<boolean> {
  const present = await context.standing.read();
  return isPermitted(present, permissions) && present.scope.isAssignedOnly === scope.isAssignedOnly;
}

const isClosedByReader = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
