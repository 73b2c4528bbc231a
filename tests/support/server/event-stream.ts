import { vi } from "vitest";
import type { TestPerson } from "./people.ts";
import type { TestApp } from "./test-app.ts";

export interface EventStream {
  /** What came so far, newest last. */
  events: unknown[];
  next(expected: unknown): Promise<void>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  close(): void;
}

/** Opens a subscription as a page does, over server-sent events. */
export async function openEventStream(
  app: TestApp,
  person: TestPerson,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${app.url}/trpc/${path}`, {
    headers: { accept: "text/event-stream", cookie: person.cookies(), ...headers },
    signal: abort.signal,
  });
  const events: unknown[] = [];
  const ended = read(response, events).catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  return {
    events,
    ended,
    next: (expected) =>
      vi.waitFor(
        () => {
          if (JSON.stringify(events.at(-1)) !== JSON.stringify(expected))
            throw new Error(`the newest of ${events.length} is ${JSON.stringify(events.at(-1))}`);
        },
        { timeout: 5000, interval: 20 },
      ),
    close: () => abort.abort(),
  };
}

async function read(response: Response, events: unknown[]): Promise<void> {
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      if (/^event: (connected|ping|return)/m.test(block)) continue;
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data) events.push(JSON.parse(data));
    }
  }
}
