// What was written goes to the server in the order in which it was written, each thing until the server answers.
import { MutationObserver, onlineManager, useMutationState } from "@tanstack/react-query";
import { queryClient } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";
import { onSessionChange, sessionState } from "../../core/session-state.ts";
import { keptNow, useKept } from "./kept-store.ts";

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;
const QUEUE = ["notes"];
// These say "not now"; any other code is an answer to what was sent.
const NOT_NOW = new Set<string | undefined>([
  undefined,
  "UNAUTHORIZED",
  "SERVICE_UNAVAILABLE",
  "TOO_MANY_REQUESTS",
  "TIMEOUT",
]);

const userNow = () => sessionState().status?.user?.userId;

/**
 * Sends this as soon as the server can be reached. Resolves with its answer, and rejects only where the server refused;
 * the call must carry an id of its own, because it may be made more than once. `keptAs` is the key under which this
 * device keeps it too.
 */
export async function sendSurely<Result>(call: () => Promise<Result>, keptAs?: string): Promise<Result> {
  const userId = userNow();
  const isAnother = () => userNow() !== undefined && userNow() !== userId;
  const observer = new MutationObserver<Result>(queryClient, {
    mutationKey: QUEUE,
    scope: { id: "notes" },
    gcTime: 0,
    meta: { keptFor: userId, keptAs },
    // One person's work is never sent in another's name.
    mutationFn: () => (userNow() === userId ? call() : Promise.reject(new Error("Sign in again to save this."))),
    retry: (_failures, error) => !isAnother() && NOT_NOW.has(codeOf(error)),
    retryDelay: (failures) => Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS),
  });
  try {
    return await observer.mutate();
  } finally {
    observer.reset();
  }
}

// Who signs in again goes on where the connection was lost.
onSessionChange(() => {
  if (!userNow()) return;
  onlineManager.setOnline(navigator.onLine);
  void queryClient.resumePausedMutations();
});

const waitingNow = () => queryClient.getMutationCache().findAll({ mutationKey: QUEUE, status: "pending" });
const isIn = (kept: ReadonlySet<string>, keptAs: unknown): boolean => typeof keptAs === "string" && kept.has(keptAs);

window.addEventListener("beforeunload", (event) => {
  if (waitingNow().some(({ meta }) => !isIn(keptNow(), meta?.["keptAs"]))) event.preventDefault();
});

export interface SaveQueueState {
  /** How many things wait to be saved. */
  waiting: number;
  /** The last attempt met no server. */
  isStuck: boolean;
  /** All of it survives a reload of the page. */
  isOnDevice: boolean;
}

export function useSaveQueue(): SaveQueueState {
  const waiting = useMutationState({
    filters: { mutationKey: QUEUE, status: "pending" },
    select: ({ state, meta }) => ({
      isStuck: state.failureCount > 0 || (state.isPaused && !onlineManager.isOnline()),
      keptAs: meta?.["keptAs"],
    }),
  });
  const kept = useKept();
  return {
    waiting: waiting.length,
    isStuck: waiting.some(({ isStuck }) => isStuck),
    isOnDevice: waiting.every(({ keptAs }) => isIn(kept, keptAs)),
  };
}
