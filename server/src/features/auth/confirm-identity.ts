import { badField } from "../../core/errors.ts";
import type { Actor, Context } from "../../core/trpc.ts";
import { confirmAuthSession } from "../auth-sessions/auth-sessions.service.ts";
import { requirePassword } from "./password-check.ts";
import { requireSecondFactor } from "./second-factor.ts";

/**
 * Whoever is signed in shows again that it is them, with all that signing in asks for. The sign-in keeps its id: a new
 * one would end what this person's other tabs have under way, and so sign them out.
 */
export async function confirmIdentity(
  call: Context & { actor: Actor },
  { password, code }: { password: string; code?: string | undefined },
): Promise<Record<string, never>> {
  const { actor, log } = call;
  const { userId } = actor.scope;
  const { isTwoFactorOn } = actor.user;
  if (isTwoFactorOn && code === undefined) {
    throw badField("code", "Enter the six digits of your authenticator app, or one of your recovery codes");
  }
  await requirePassword(call, "password", password);
  if (isTwoFactorOn && code !== undefined) await requireSecondFactor(call, userId, code);
  await confirmAuthSession(userId, actor.authSessionId);
  log.info({ event: "identity confirmed" }, "audit");
  return {};
}
