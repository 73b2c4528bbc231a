// What was written and has not reached the server yet. It is kept in memory only: nothing of a client is ever put in
// the browser's storage. Each thing is sent until the server answers, in the order in which it was written.
import { useSyncExternalStore } from "react";
import { codeOf } from "../../core/errors.ts";
import { onSessionChange, sessionState } from "../../core/session-state.ts";

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;
// These say "not now"; any other code is an answer to what was sent.
const NOT_NOW = new Set<string | undefined>([
  undefined,
  "UNAUTHORIZED",
  "SERVICE_UNAVAILABLE",
  "TOO_MANY_REQUESTS",
  "TIMEOUT",
]);

interface Outgoing {
  userId: string | undefined;
  send: () => Promise<void>;
  refuse: (error: unknown) => void;
}

export interface OutgoingState {
  /** How many things wait to be saved. */
  waiting: number;
  /** The last attempt met no server. */
  isStuck: boolean;
}

let queue: Outgoing[] = [];
let state: OutgoingState = { waiting: 0, isStuck: false };
let isSending = false;
let delayMs = FIRST_DELAY_MS;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(isStuck: boolean): void {
  state = { waiting: queue.length, isStuck };
  for (const listener of listeners) listener();
}

/**
 * Sends this as soon as the server can be reached. Resolves with its answer, and rejects only where the server refused;
 * the call must carry an id of its own, because it may be made more than once.
 */
export function sendSurely<Result>(call: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const send = async () => resolve(await call());
    queue = [...queue, { userId: sessionState().status?.user?.userId, send, refuse: reject }];
    become(state.isStuck);
    void flush();
  });
}

async function flush(): Promise<void> {
  if (isSending) return;
  isSending = true;
  clearTimeout(timer);
  for (let first = queue[0]; first; first = queue[0]) {
    if (!(await wasAnswered(first))) {
      timer = setTimeout(() => void flush(), delayMs);
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
      become(true);
      break;
    }
    queue = queue.slice(1);
    delayMs = FIRST_DELAY_MS;
    become(false);
  }
  isSending = false;
}

/** False where it has to be sent again later. */
async function wasAnswered(one: Outgoing): Promise<boolean> {
  try {
    await one.send();
  } catch (error) {
    if (NOT_NOW.has(codeOf(error))) return false;
    one.refuse(error);
  }
  return true;
}

const retryNow = () => {
  delayMs = FIRST_DELAY_MS;
  void flush();
};
window.addEventListener("online", retryNow);
window.addEventListener("beforeunload", (event) => {
  if (queue.length > 0) event.preventDefault();
});
// One person's work is never sent in another's name.
onSessionChange(() => {
  const user = sessionState().status?.user;
  if (!user) return;
  const own = queue.filter(({ userId }) => userId === user.userId);
  if (own.length < queue.length) {
    queue = own;
    become(state.isStuck);
  }
  if (state.isStuck) retryNow();
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useOutgoing = (): OutgoingState => useSyncExternalStore(subscribe, () => state);
