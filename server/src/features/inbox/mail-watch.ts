// While somebody looks, a second connection waits for new mail; it is closed soon after the last one left.
import { setTimeout as sleep } from "node:timers/promises";
import type { ImapClient } from "../../core/imap-client.ts";
import type { Actor } from "../../core/trpc.ts";
import { mailboxOf, openImap } from "../mailboxes/mailbox-access.service.ts";
import { readableMailbox } from "./client-mail.service.ts";
import { backOff } from "./connections.ts";

// A page that is loaded anew comes back within this.
const KEPT_MS = 15_000;
/** A server may ring as often as it likes. */
const NEWS_EVERY_MS = 500;
// A connection that lasted so long is no sign of trouble when it ends.
const SETTLED_MS = 60_000;

interface Watch {
  listeners: Set<() => void>;
  client: ImapClient | null;
  ending: NodeJS.Timeout | undefined;
  stop: AbortController;
}

const watches = new Map<string, Watch>();

/** Yields whenever mail came in. */
export async function* watchMail(
  { actor }: { actor: Actor },
  signal: AbortSignal | undefined,
): AsyncGenerator<{ count: number }> {
  const box = await readableMailbox(actor.scope);
  if (!box) return;
  let count = 0;
  let wake = () => {};
  const ring = () => {
    count += 1;
    wake();
  };
  const leave = listen(box.userId, ring);
  signal?.addEventListener("abort", () => wake(), { once: true });
  try {
    for (let seen = 0; !signal?.aborted; seen = count) {
      yield { count };
      if (count === seen && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    leave();
  }
}

/** Ends every connection that waits. */
export function closeWatches(): void {
  for (const userId of watches.keys()) end(userId);
}

/** How many connections wait for mail now. */
export const openWatches = (): number => [...watches.values()].filter(({ client }) => client?.usable).length;

function listen(userId: string, ring: () => void): () => void {
  const watch = watches.get(userId) ?? begin(userId);
  clearTimeout(watch.ending);
  watch.listeners.add(ring);
  return () => {
    watch.listeners.delete(ring);
    if (watch.listeners.size === 0) watch.ending = setTimeout(() => end(userId), KEPT_MS).unref();
  };
}

function begin(userId: string): Watch {
  const watch: Watch = { listeners: new Set(), client: null, ending: undefined, stop: new AbortController() };
  watches.set(userId, watch);
  void keepWatching(userId, watch);
  return watch;
}

function end(userId: string): void {
  const watch = watches.get(userId);
  watches.delete(userId);
  clearTimeout(watch?.ending);
  watch?.stop.abort();
  watch?.client?.close();
}

async function keepWatching(userId: string, watch: Watch): Promise<void> {
  const { signal } = watch.stop;
  for (let failures = 0; !signal.aborted;) {
    const startedAt = performance.now();
    const wasWatching = await watchOnce(userId, watch);
    failures = wasWatching && performance.now() - startedAt > SETTLED_MS ? 1 : failures + 1;
    // What came meanwhile is not announced any more: whoever looks reads again.
    if (wasWatching) for (const ring of watch.listeners) ring();
    await sleep(backOff(failures), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Waits on one connection until it ends. False where there was none: no mailbox any more, or it cannot be reached. */
async function watchOnce(userId: string, watch: Watch): Promise<boolean> {
  try {
    const mailbox = await mailboxOf(userId);
    if (!mailbox) return false;
    const client = await openImap(mailbox);
    if (watch.stop.signal.aborted) client.close();
    const closed = new Promise<void>((resolve) => client.on("close", resolve));
    watch.client = client;
    let soon: NodeJS.Timeout | undefined;
    client.on("exists", () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        for (const ring of watch.listeners) ring();
      }, NEWS_EVERY_MS);
    });
    await client.mailboxOpen("INBOX");
    // Without this the library begins to wait only after a pause.
    client.idle();
    if (client.usable) await closed;
    return true;
  } catch {
    // The list itself says what is wrong with the mailbox; here it is only tried again.
    return false;
  }
}
