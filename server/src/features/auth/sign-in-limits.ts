import { foldEmail } from "@app/shared/email-address";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import {
  describePause,
  forgiveAllTries,
  forgiveTries,
  type Limit,
  networkOf,
  pauseLeftMs,
  type Taken,
  takeTry,
} from "../../core/rate-limit.ts";
import { deviceKey, isKnownDevice, rememberThisDevice, type SignInCall } from "./sign-in.ts";

const TRIES = 5;
const PER_DEVICE: Limit = { tries: TRIES, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
// From everywhere together, known devices aside.
const PER_ACCOUNT: Limit = { tries: 25, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
const PER_ADDRESS: Limit = { tries: 30, pauseMs: MINUTE_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const GLOBAL: Limit = { tries: 300, pauseMs: 10 * SECOND_MS, longestPauseMs: 5 * MINUTE_MS, memoryMs: 10 * MINUTE_MS };
/** While all tries at an account wait, each place that did not try before is still heard once, so many of them. */
const NEWCOMERS: Limit = { tries: 50, pauseMs: HOUR_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: 4 * HOUR_MS };
const PER_PERSON: Limit = { tries: TRIES, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };

export interface SignInTry {
  /** Says what is wrong without telling whether the account exists. */
  fail(): Promise<never>;
  succeed(): Promise<void>;
}

const hashNetwork = (ip: string) => keyedHash(`ip:${networkOf(ip)}`);

const paused = (pauseMs: number) =>
  tooManyRequests(`Too many tries. Wait ${describePause(pauseMs)} and try again, or choose a new password by mail.`);

interface Origin {
  /** Somebody signed in there before, with all that it takes. */
  isKnown: boolean;
  key: string;
}

/** Where a try at an account comes from: a device that the person uses, else a network. */
export function originOf(call: Pick<SignInCall, "cookies" | "ip">, user: { knownDevices: string[] } | null): Origin {
  const isKnown = isKnownDevice(call.cookies, user?.knownDevices ?? []);
  return { isKnown, key: isKnown ? deviceKey(call.cookies) : hashNetwork(call.ip) };
}

/**
 * Counts a sign-in before the password is looked at. A device on which this person signed in before has a count of
 * its own, and a place that did not try before is heard, so that nobody who guesses elsewhere locks the person out.
 */
export async function startSignInTry(call: SignInCall, email: string, knownDevices: string[]): Promise<SignInTry> {
  const account = keyedHash(`account:${foldEmail(email)}`);
  const { isKnown, key } = originOf(call, { knownDevices });
  const deviceCount = `sign-in:${account}:${key}`;
  const accountCount = `sign-in:${account}`;
  const addressCount = `sign-in-ip:${hashNetwork(call.ip)}`;
  const globalCount = "sign-in";

  const left = isKnown ? 0 : await pauseLeftMs(addressCount);
  if (left > 0) throw paused(left);
  const device = await takeTry(deviceCount, PER_DEVICE);
  if (!device.isAllowed) throw paused(device.pauseMs);
  if (!isKnown) {
    const everywhere = await takeTry(accountCount, PER_ACCOUNT);
    const waitMs = Math.max(everywhere.isAllowed ? 0 : everywhere.pauseMs, await pauseLeftMs(globalCount));
    if (waitMs > 0 && !(await isHeardAnyway(accountCount, device))) throw paused(waitMs);
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

const isHeardAnyway = async (accountCount: string, { remaining }: Taken): Promise<boolean> =>
  remaining === TRIES - 1 && (await takeTry(`${accountCount}:newcomers`, NEWCOMERS)).isAllowed;

function describeRemaining({ remaining, pauseMs }: { remaining: number; pauseMs: number }): string {
  const pause = describePause(pauseMs).replace(" ", "-").replace(/s$/, "");
  if (remaining === 0)
    return `Signing in is paused for ${describePause(pauseMs)}. You can choose a new password by mail.`;
  return `You have ${remaining} more ${remaining === 1 ? "try" : "tries"} before a ${pause} pause.`;
}

/** Counts a guess at something only this person may enter: their password again, or a code; by where it comes from. */
export async function countPersonalTry(
  kind: "password" | "code",
  call: SignInCall,
  user: { id: string; knownDevices: string[] },
) {
  const accountCount = `${kind}:${user.id}`;
  const { isKnown, key } = originOf(call, user);
  const ownCount = `${accountCount}:${key}`;
  const taken = await takeTry(ownCount, PER_PERSON);
  if (!taken.isAllowed) throw tooManyTries(taken.pauseMs);
  if (!isKnown) {
    const everywhere = await takeTry(accountCount, PER_ACCOUNT);
    if (!everywhere.isAllowed && !(await isHeardAnyway(accountCount, taken))) throw tooManyTries(everywhere.pauseMs);
  }
  const forgive = async () => {
    await Promise.all([forgiveTries(ownCount), isKnown ? undefined : forgiveTries(accountCount)]);
  };
  return { remaining: describeRemaining(taken), forgive };
}

const tooManyTries = (pauseMs: number) =>
  tooManyRequests(`Too many tries. Wait ${describePause(pauseMs)} and try again.`);

/** Whoever reads the mailbox could else guess a code anew after each reset. */
const FRESH_STARTS: Limit = { tries: 3, pauseMs: 24 * HOUR_MS, longestPauseMs: 24 * HOUR_MS, memoryMs: 24 * HOUR_MS };

/** The person proved that the mailbox is theirs, so what others guessed keeps them out no longer. */
export async function startAfresh(call: SignInCall, user: { id: string; email: string }): Promise<void> {
  const account = keyedHash(`account:${foldEmail(user.email)}`);
  await Promise.all([forgiveAllTries(`sign-in:${account}`), forgiveAllTries(`password:${user.id}`)]);
  if (!(await takeTry(`fresh-start:${user.id}`, FRESH_STARTS)).isAllowed) return;
  await forgiveAllTries(`code:${user.id}`);
  await rememberThisDevice(call, user.id);
}

/** Limits what anybody may start without signing in, by the caller's address. */
export async function limitByAddress(action: string, ip: string, limit: Limit): Promise<void> {
  const taken = await takeTry(`${action}:${hashNetwork(ip)}`, limit);
  if (!taken.isAllowed)
    throw tooManyRequests(`Too many tries from your network. Try again in ${describePause(taken.pauseMs)}.`);
}
