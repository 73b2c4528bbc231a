import { foldEmail } from "@app/shared/email-address";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import { describePause, forgiveTries, type Limit, networkOf, pauseLeftMs, takeTry } from "../../core/rate-limit.ts";
import { deviceKey, isKnownDevice, type SignInCall } from "./sign-in.ts";

const TRIES = 5;
const PER_DEVICE: Limit = { tries: TRIES, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
// From everywhere together, known devices aside.
const PER_ACCOUNT: Limit = { tries: 25, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
const PER_ADDRESS: Limit = { tries: 30, pauseMs: MINUTE_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const GLOBAL: Limit = { tries: 300, pauseMs: 10 * SECOND_MS, longestPauseMs: 5 * MINUTE_MS, memoryMs: 10 * MINUTE_MS };
const PER_PERSON: Limit = { tries: TRIES, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };

export interface SignInTry {
  /** Says what is wrong without telling whether the account exists. */
  fail(): Promise<never>;
  succeed(): Promise<void>;
}

const hashNetwork = (ip: string) => keyedHash(`ip:${networkOf(ip)}`);

const paused = (pauseMs: number) =>
  tooManyRequests(`Too many tries. Wait ${describePause(pauseMs)} and try again, or choose a new password by mail.`);

/**
 * Counts a sign-in before the password is looked at. A device on which this person signed in before has a count of
 * its own, so that nobody who guesses elsewhere locks the person out.
 */
export async function startSignInTry(call: SignInCall, email: string, knownDevices: string[]): Promise<SignInTry> {
  const account = keyedHash(`account:${foldEmail(email)}`);
  const isKnown = isKnownDevice(call.cookies, knownDevices);
  const deviceCount = `sign-in:${account}:${isKnown ? deviceKey(call.cookies) : hashNetwork(call.ip)}`;
  const accountCount = `sign-in:${account}`;
  const addressCount = `sign-in-ip:${hashNetwork(call.ip)}`;
  const globalCount = "sign-in";

  if (!isKnown) {
    const left = Math.max(await pauseLeftMs(addressCount), await pauseLeftMs(globalCount));
    if (left > 0) throw paused(left);
  }
  const device = await takeTry(deviceCount, PER_DEVICE);
  if (!device.isAllowed) throw paused(device.pauseMs);
  if (!isKnown) {
    const everywhere = await takeTry(accountCount, PER_ACCOUNT);
    if (!everywhere.isAllowed) throw paused(everywhere.pauseMs);
  }

  return {
    async fail() {
      call.log.warn({ event: "sign-in refused", account, ip: call.ip }, "audit");
      if (!isKnown) await Promise.all([takeTry(addressCount, PER_ADDRESS), takeTry(globalCount, GLOBAL)]);
      throw badField("password", `The email address or the password is not right. ${describeRemaining(device)}`);
    },
    async succeed() {
      await Promise.all([forgiveTries(deviceCount), isKnown ? undefined : forgiveTries(accountCount)]);
    },
  };
}

function describeRemaining({ remaining, pauseMs }: { remaining: number; pauseMs: number }): string {
  const pause = describePause(pauseMs).replace(" ", "-").replace(/s$/, "");
  if (remaining === 0)
    return `Signing in is paused for ${describePause(pauseMs)}. You can choose a new password by mail.`;
  return `You have ${remaining} more ${remaining === 1 ? "try" : "tries"} before a ${pause} pause.`;
}

/** Counts a guess at something only this person may enter: their password again, or a code. */
export async function countPersonalTry(kind: "password" | "code", userId: string) {
  const key = `${kind}:${userId}`;
  const taken = await takeTry(key, PER_PERSON);
  if (!taken.isAllowed) throw tooManyRequests(`Too many tries. Wait ${describePause(taken.pauseMs)} and try again.`);
  return { remaining: describeRemaining(taken), forgive: () => forgiveTries(key) };
}

/** Limits what anybody may start without signing in, by the caller's address. */
export async function limitByAddress(action: string, ip: string, limit: Limit): Promise<void> {
  const taken = await takeTry(`${action}:${hashNetwork(ip)}`, limit);
  if (!taken.isAllowed)
    throw tooManyRequests(`Too many tries from your network. Try again in ${describePause(taken.pauseMs)}.`);
}
