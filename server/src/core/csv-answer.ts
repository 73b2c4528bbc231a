import { backInTurn } from "./call-turns.ts";
import { sendDownload } from "./download.ts";
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
  try {
    const content = joined(permittedBatches(asked, lines));
    await sendDownload(asked, { name, type: "text/csv; charset=utf-8", content });
  } catch (error) {
    if (!(error instanceof TakenAwayError)) throw error;
    asked.log.info({ event: "export broken off", name }, "audit");
  }
}

async function* joined(batches: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const lines of batches) yield lines.join("");
}

/**
 * Some lines at a time, each time in the turn of whoever asked; while they take them, others have it. Throws where they
 * lost the right to the next ones.
 */
export async function* permittedBatches<Line>(asked: AskedBy, lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  const inTurn = backInTurn();
  const iterator = lines[Symbol.asyncIterator]();
  try {
    for (;;) {
      const some = await inTurn(() => nextLines(iterator));
      const isLast = some.length < LINES_AT_ONCE;
      if (!isLast && !(await isStillTheSame(asked))) throw new TakenAwayError();
      if (some.length > 0) yield some;
      if (isLast) return;
    }
  } finally {
    await iterator.return?.();
  }
}

async function nextLines<Line>(iterator: AsyncIterator<Line>): Promise<Line[]> {
  const lines: Line[] = [];
  while (lines.length < LINES_AT_ONCE) {
    const next = await iterator.next();
    if (next.done) break;
    lines.push(next.value);
  }
  return lines;
}

/** Whoever sees less than at the start, such as only their own cases, begins again. */
async function isStillTheSame({ context, permissions, scope }: AskedBy): Promise<boolean> {
  const present = await context.standing.read();
  return isPermitted(present, permissions) && present.scope.isAssignedOnly === scope.isAssignedOnly;
}
