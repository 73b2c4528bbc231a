import type { Access } from "@app/shared/subscriptions";
import type { Logger } from "../../core/logger.ts";
import type { Actor } from "../../core/trpc.ts";
import { createBell } from "../../core/while-allowed.ts";
import { accessOrNone, IMPERSONATED } from "./access.service.ts";
import { customerChanges } from "../subscriptions/subscriptions.service.ts";

// A backstop: changes arrive by the change streams, within a fraction of a second.
const RECHECK_MS = 60_000;

/**
 * The person's access at once, and again whenever the practice's customer document changes. The page keeps one of
 * these open and replaces it on each check.
 */
export async function* watchAccess(
  { actor: { scope }, log, isImpersonating }: { actor: Actor; log: Logger; isImpersonating: boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<Access> {
  const bell = createBell();
  signal?.addEventListener("abort", bell.ring, { once: true });
  const stops = [
    customerChanges.onChange(scope.ownerId, log, bell.ring),
    customerChanges.onChange(scope.userId, log, bell.ring),
  ];
  const timer = setInterval(bell.ring, RECHECK_MS);
  try {
    for (let sent = ""; !signal?.aborted; await bell.rung()) {
      const access = isImpersonating ? IMPERSONATED : await accessOrNone(scope, log);
      const text = JSON.stringify(access);
      if (text !== sent) yield access;
      sent = text;
    }
  } finally {
    clearInterval(timer);
    for (const stop of stops) stop();
  }
}
