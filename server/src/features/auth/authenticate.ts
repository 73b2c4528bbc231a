import type { Access } from "@app/shared/subscriptions";
import type { Session, User } from "lucia";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import type { Logger } from "../../core/logger.ts";
import type { Actor, Context } from "../../core/trpc.ts";
import { accessFromRead, IMPERSONATED } from "../access/access.service.ts";
import { customerChanges } from "../subscriptions/subscriptions.service.ts";
import { markSeen, userChanges } from "../users/users.service.ts";
import { authSessionChanges, touchAuthSession } from "../auth-sessions/auth-sessions.service.ts";
import { blankSignInCookie, readSignInCookie, signInCookie } from "./cookies.ts";
import { expiryOf, forgetSignIns, isOnlyOver, lucia } from "../auth-sessions/lucia.service.ts";
import { cookieAge } from "./sign-in.ts";
import { personOf } from "../access/standing.service.ts";

const TOUCH_MS = 5 * 60_000;

interface Origin {
  cookies: string;
  ip: string;
  userAgent: string;
  /** A developer on localhost: plan pro, and the subscription check is skipped. */
  isImpersonating: boolean;
}

/**
 * Who makes this call. What was known of them a moment ago counts, unless this process has written since: so the end
 * of a sign-in, a suspension, a permission and a subscription act on the next call here, and within a second in other
 * processes. `cookie` is a Set-Cookie value to send, where there is one: prolonged, or blank where there is no such sign-in any more.
 */
export async function authenticate(
  request: Origin,
  log: Logger,
): Promise<{ actor: Actor | null; cookie: string | null }> {
  const found = await findActor(request, log);
  if (found) return { actor: found.actor, cookie: await prolong(found.session, request.ip) };
  const id = readSignInCookie(request.cookies);
  return { actor: null, cookie: id && !(await isOnlyOver(id)) ? blankSignInCookie() : null };
}

async function findActor({ cookies, isImpersonating }: Origin, log: Logger) {
  const id = readSignInCookie(cookies);
  if (!id) return null;
  const { session, user } = await lucia.validateSession(id);
  if (!session) return null;
  const person = { userId: user.id, ownerId: session.owner_id };
  const access = isImpersonating ? IMPERSONATED : await accessFromRead(user.customers, person, log);
  return { session, actor: toActor(user, session, access) };
}

/** Who makes a call that goes on for long. Looking again does not prolong the sign-in: nobody does anything meanwhile. */
export const standingOf = (request: Origin, actor: Actor | null, log: Logger): Context["standing"] => ({
  read: async () => {
    forgetSignIns();
    return (await findActor(request, log))?.actor ?? null;
  },
  onChange: (listener) => {
    if (!actor) return () => undefined;
    const { ownerId, userId } = actor.scope;
    const stops = [
      authSessionChanges.onChange(actor.authSessionId, log, listener),
      userChanges.onChange(userId, log, listener),
      customerChanges.onChange(ownerId, log, listener),
      customerChanges.onChange(userId, log, listener),
    ];
    return () => stops.forEach((stop) => stop());
  },
});

/** At most every five minutes, so that reading stays cheap. Gives the cookie that lasts longer, where it does. */
async function prolong(session: Session, ip: string): Promise<string | null> {
  if (session.is_second_factor_pending || now().getTime() - session.last_seen_at.getTime() < TOUCH_MS) return null;
  await Promise.all([
    touchAuthSession(hashToken(session.id), { expires_at: expiryOf(session), ip }),
    markSeen(session.userId),
  ]);
  return session.is_remembered ? signInCookie(session.id, cookieAge(session)) : null;
}

function toActor(attributes: User, session: Session, access: Access): Actor {
  return {
    ...personOf(attributes, session.owner_id, access),
    authSessionId: hashToken(session.id),
    confirmedAt: session.confirmed_at ?? session.signed_in_at,
    isSecondFactorPending: session.is_second_factor_pending,
  };
}
