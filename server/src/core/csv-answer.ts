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
    const content = whilePermitted(lines, asked);
    await sendDownload(asked, { name, type: "text/csv; charset=utf-8", content });
  } catch (error) {
    if (!(error instanceof TakenAwayError)) throw error;
    asked.log.info({ event: "export broken off", name }, "audit");
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
