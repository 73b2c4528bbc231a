import type { AuthStatus, SignIn } from "@app/shared/auth";
import { settings } from "../../core/settings.ts";
import { unauthorized } from "../../core/errors.ts";
import type { Actor, Context } from "../../core/trpc.ts";
import { isMailConfigured } from "../mail/system-mail.service.ts";
import { hasFirstPractice } from "../practices/practices.service.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { endAuthSessionOfCookie, findAuthSession } from "../auth-sessions/auth-sessions.service.ts";
import { blankSignInCookie, readSignInCookie } from "./cookies.ts";
import { assertRoom, inPlace, servedWell } from "./hash-turns.ts";
import { isRightPassword } from "./passwords.ts";
import { requireSecondFactor } from "./second-factor.ts";
import { deviceOf, openSignIn } from "./sign-in.ts";
import { originOf, startSignInTry } from "./sign-in-limits.ts";

export async function status(actor: Actor | null): Promise<AuthStatus> {
  const isPending = actor?.isSecondFactorPending ?? false;
  return {
    isSetUp: actor !== null || (await hasFirstPractice()),
    isRegistrationAllowed: settings().ALLOW_REGISTRATION,
    isMailConfigured: isMailConfigured(),
    isDevelopment: settings().isDevelopment,
    user: actor && !isPending ? actor.user : null,
    isSecondFactorPending: isPending,
  };
}

export async function signIn(call: Context, input: SignIn): Promise<{ next: "done" | "second_factor" }> {
  if (deviceOf(call.cookies) === null) assertRoom(originOf(call, null));
  const found = await findSignInUser({ email: input.email });
  const origin = originOf(call, found);
  const user = await inPlace(origin, async () => {
    const attempt = await startSignInTry(call, input.email, origin);
    const isRight = await isRightPassword(origin, found?.passwordHash ?? null, input.password);
    if (!found || !isRight || !found.isActive) return attempt.fail();
    await attempt.succeed();
    servedWell(origin, found.id);
    return found;
  });
  await openSignIn(call, user, { isRemembered: input.isRemembered, isSecondFactorPending: user.isTwoFactorOn });
  call.log.info({ event: "signed in", userId: user.id, isSecondFactorPending: user.isTwoFactorOn }, "audit");
  return { next: user.isTwoFactorOn ? "second_factor" : "done" };
}

export async function verifySecondFactor(call: Context, code: string): Promise<{ next: "done" }> {
  const { actor } = call;
  const pending = actor?.isSecondFactorPending ? await findAuthSession(actor.authSessionId) : null;
  if (!actor || !pending) throw unauthorized("Enter your password first, then the code.");
  const { userId, ownerId } = actor.scope;
  await requireSecondFactor(call, userId, code);
  const { isRemembered, epoch } = pending;
  await openSignIn(call, { id: userId, ownerId, epoch }, { isRemembered, isSecondFactorPending: false });
  call.log.info({ event: "second factor given" }, "audit");
  return { next: "done" };
}

export async function signOut(call: Context): Promise<Record<string, never>> {
  const id = readSignInCookie(call.cookies);
  if (id) await endAuthSessionOfCookie(id);
  call.setCookie(blankSignInCookie());
  // Nothing of a case stays behind in a shared browser. Cookies are left out: the known device is one.
  call.setHeader("Clear-Site-Data", '"cache", "storage"');
  if (call.actor) call.log.info({ event: "signed out" }, "audit");
  return {};
}
