import type { Access } from "@app/shared/subscriptions";
import { type CurrentUser, mediatorTypeSchema, permissionSchema, regionSchema, roleSchema } from "@app/shared/users";
import type { Session, User } from "lucia";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import type { Logger } from "../../core/logger.ts";
import type { Actor, Scope } from "../../core/trpc.ts";
import { accessFromRead, IMPERSONATED } from "../subscriptions/subscription-check.service.ts";
import { markSeen } from "../users/users.service.ts";
import { touchAuthSession } from "./auth-sessions.service.ts";
import { blankSignInCookie, readSignInCookie, signInCookie } from "./cookies.ts";
import { expiryOf, lucia } from "./lucia.ts";
import { cookieAge } from "./sign-in.ts";

const TOUCH_MS = 5 * 60_000;

interface Origin {
  cookies: string;
  ip: string;
  userAgent: string;
  /** A developer on localhost: plan pro, and the subscription check is skipped. */
  isImpersonating: boolean;
}

/**
 * Who makes this call. Runs on every call, in two steps to the database: the sign-in, then person, practice and
 * customer together. `cookie` is a Set-Cookie value to send, where there is one: prolonged, or blank.
 */
export async function authenticate(
  request: Origin,
  log: Logger,
): Promise<{ actor: Actor | null; cookie: string | null }> {
  const id = readSignInCookie(request.cookies);
  if (!id) return { actor: null, cookie: null };
  const { session, user } = await lucia.validateSession(id);
  if (!session) return { actor: null, cookie: blankSignInCookie() };
  const person = { userId: user.id, ownerId: session.owner_id };
  const access = request.isImpersonating ? IMPERSONATED : await accessFromRead(user.customers, person, log);
  const actor = toActor(user, session, access);
  return { actor, cookie: await prolong(session, request.ip) };
}

/** At most every five minutes, so that reading stays cheap. Gives the cookie that lasts longer, where it does. */
async function prolong(session: Session, ip: string): Promise<string | null> {
  if (session.is_second_factor_pending || now().getTime() - session.last_seen_at.getTime() < TOUCH_MS) return null;
  await Promise.all([
    touchAuthSession(hashToken(session.id), { expires_at: expiryOf(session), ip }),
    markSeen(session.userId),
  ]);
  return session.is_remembered ? signInCookie(session.id, cookieAge(session)) : null;
}

function toActor({ user, practice }: User, session: Session, access: Access): Actor {
  const userName = `${user.first_name} ${user.last_name}`;
  const role = roleSchema.parse(user.role);
  const permissions = permissionSchema.array().parse(user.permissions);
  const isTwoFactorOn = user.totp?.is_on ?? false;
  const scope: Scope = {
    ownerId: session.owner_id,
    userId: user._id,
    userName,
    role,
    permissions,
    isAssignedOnly: user.owner_id !== undefined && permissions.includes("assigned_only"),
  };
  const currentUser: CurrentUser = {
    userId: user._id,
    ownerId: session.owner_id,
    userFullName: userName,
    firstName: user.first_name,
    lastName: user.last_name,
    userEmail: user.email_address,
    role,
    mediatorType: mediatorTypeSchema.parse(user.mediator_type),
    region: regionSchema.parse(user.region),
    permissions,
    practiceName: practice?.practice_name ?? "",
    timeZone: practice?.time_zone ?? "UTC",
    hasAccess: access.hasAccess,
    subscriptionPlan: access.plan,
    isTwoFactorOn,
    mustSetUpTwoFactor: !isTwoFactorOn && (practice?.is_two_factor_required ?? false),
  };
  return {
    scope,
    user: currentUser,
    authSessionId: hashToken(session.id),
    confirmedAt: session.confirmed_at ?? session.signed_in_at,
    isSecondFactorPending: session.is_second_factor_pending,
  };
}
