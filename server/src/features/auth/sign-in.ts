import { keyedHash } from "../../core/crypto.ts";
import { newToken } from "../../core/ids.ts";
import { now } from "../../core/clock.ts";
import type { Context } from "../../core/trpc.ts";
import { rememberDevice } from "../users/credentials.service.ts";
import { endAuthSessionOfCookie, endOldAuthSessionsOf, newSignInId } from "../auth-sessions/auth-sessions.service.ts";
import { deviceCookie, readDeviceCookie, readSignInCookie, signInCookie } from "./cookies.ts";
import { expiryOf, lucia } from "../auth-sessions/lucia.service.ts";

/** The part of a call that a sign-in reads and answers through. */
export type SignInCall = Pick<Context, "cookies" | "ip" | "userAgent" | "setCookie" | "log">;

interface Person {
  id: string;
  ownerId: string;
  epoch: number;
}

interface Kind {
  isRemembered: boolean;
  isSecondFactorPending: boolean;
  /** When the person proved last who they are; now, where left out. */
  confirmedAt?: Date;
}

/** Opens a sign-in under a new id and ends the one that this browser had, whosever it was. */
export async function openSignIn(call: SignInCall, person: Person, kind: Kind): Promise<void> {
  const former = readSignInCookie(call.cookies);
  if (former) await endAuthSessionOfCookie(former);
  const at = now();
  const attributes = {
    owner_id: person.ownerId,
    signed_in_at: at,
    confirmed_at: kind.confirmedAt ?? at,
    last_seen_at: at,
    is_remembered: kind.isRemembered,
    is_second_factor_pending: kind.isSecondFactorPending,
    sign_in_epoch: person.epoch,
    ip: call.ip,
    user_agent: call.userAgent,
  };
  const { id } = await lucia.createSession(person.id, attributes, { sessionId: newSignInId() });
  await endOldAuthSessionsOf(person.id, kind.isSecondFactorPending);
  call.setCookie(signInCookie(id, cookieAge(attributes)));
  if (!kind.isSecondFactorPending) await rememberThisDevice(call, person.id);
}

/** A cookie that outlives the browser only where the person asked to be remembered. */
export function cookieAge(session: {
  is_remembered: boolean;
  is_second_factor_pending: boolean;
  signed_in_at: Date;
}): number | null {
  if (!session.is_remembered) return null;
  return Math.floor((expiryOf(session).getTime() - now().getTime()) / 1000);
}

const hashDevice = (id: string) => keyedHash(`device:${id}`);

/** This browser among a person's devices; null where it never had a mark of ours. */
export function deviceOf(cookies: string): string | null {
  const id = readDeviceCookie(cookies);
  return id === null ? null : hashDevice(id);
}

/** Gives this browser a mark that it is recognised by; by itself it says nothing of anybody. */
export function markDevice(call: Pick<SignInCall, "cookies" | "setCookie">): string {
  const id = readDeviceCookie(call.cookies) ?? newToken();
  call.setCookie(deviceCookie(id));
  return hashDevice(id);
}

/** Somebody who guesses elsewhere must not lock out the person whose device this is. */
export async function rememberThisDevice(call: SignInCall, userId: string): Promise<void> {
  await rememberDevice("known_devices", userId, markDevice(call));
}

/** A link that was mailed to the person was used here. */
export async function rememberLinkDevice(call: SignInCall, userId: string): Promise<void> {
  await rememberDevice("link_devices", userId, markDevice(call));
}
