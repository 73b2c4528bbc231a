import type { Access } from "@app/shared/subscriptions";
import { changesOf } from "../../core/changes.ts";
import type { Logger } from "../../core/logger.ts";
import type { Actor } from "../../core/trpc.ts";
import { authSessionChanges, isSignedIn } from "../auth/auth-sessions.service.ts";
import { CustomerModel } from "./subscriptions.model.ts";
import { accessOrNone, IMPERSONATED } from "./subscription-check.service.ts";

// A backstop: changes arrive by the change streams, within a fraction of a second.
const RECHECK_MS = 60_000;

const customerChanges = changesOf(CustomerModel);

/**
 * The person's access at once, and again whenever the practice's customer document changes; ends when the sign-in
 * does. The page keeps one of these open and replaces it on each check.
 */
export async function* watchAccess(
  { actor, log, isImpersonating }: { actor: Actor; log: Logger; isImpersonating: boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<Access> {
  const bell = createBell(signal);
  const { scope, authSessionId } = actor;
  const stops = [
    customerChanges.onChange(scope.ownerId, log, bell.ring),
    customerChanges.onChange(scope.userId, log, bell.ring),
    authSessionChanges.onChange(authSessionId, log, bell.ring),
  ];
  const timer = setInterval(bell.ring, RECHECK_MS);
  try {
    let sent = "";
    do {
      if (!(await isSignedIn(authSessionId))) return;
      const access = isImpersonating ? IMPERSONATED : await accessOrNone(scope, log);
      const text = JSON.stringify(access);
      if (text !== sent) yield access;
      sent = text;
    } while (await bell.rung());
  } finally {
    clearInterval(timer);
    for (const stop of stops) stop();
  }
}

/** Lets a loop sleep until somebody rings; a ring while it was awake is not lost. False once the signal aborts. */
function createBell(signal: AbortSignal | undefined) {
  let isRung = false;
  let wake = () => {};
  const ring = () => {
    isRung = true;
    wake();
  };
  signal?.addEventListener("abort", ring, { once: true });
  return {
    ring,
    async rung(): Promise<boolean> {
      if (!isRung && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
      isRung = false;
      return !signal?.aborted;
    },
  };
}
