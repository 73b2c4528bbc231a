import { foldEmail } from "@app/shared/email-address";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import {
  describePause,
  forgiveAllTries,
  clearAttempts,
  giveBackTry,
  type Limit,
  networkOf,
  type Taken,
  countAttempt,
} from "../../core/rate-limit.ts";
import { isMailConfigured } from "../mail/system-mail.service.ts";
import type { Asker } from "./hash-turns.ts";
import { deviceKey, isKnownDevice, rememberThisDevice, type SignInCall } from "./sign-in.ts";

const TRIES = 5;
const PER_DEVICE: Limit = { tries: TRIES, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
// From everywhere together, known devices aside.
const PER_ACCOUNT: Limit = { tries: 25, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
const PER_ADDRESS: Limit = { tries: 30, pauseMs: MINUTE_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const GLOBAL_COUNT = "sign-in";
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

/** Where a try at an account comes from: a device that the person uses, else a network. */
export function originOf(call: Pick<SignInCall, "cookies" | "ip">, user: { knownDevices: string[] } | null): Asker {
  const isKnown = isKnownDevice(call.cookies, user?.knownDevices ?? []);
  return { isKnown, key: isKnown ? deviceKey(call.cookies) : hashNetwork(call.ip) };
}

/**
 * Counts a sign-in before the password is looked at, and takes it back where it is right. A device on which this person
 * signed in before has a count of its own, and a place that did not try before is heard while others wait.
 *
 * Strangers guess at one account 25 times and, from places of their own, 50 times before all have to wait; the pauses
 * double, and are forgotten after an hour or four without a try. However many networks they have, that is at most some
 * 1,050 guesses a day (700 and 350). Nobody is locked out by them: a link reaches the person's mailbox whatever others
 * ask for (`pacedMail`), and the browser in which it is used counts as one of theirs.
 */
export async function startSignInTry(call: SignInCall, email: string, { isKnown, key }: Asker): Promise<SignInTry> {
  const account = keyedHash(`account:${foldEmail(email)}`);
  const deviceCount = `sign-in:${account}:${key}`;
  const accountCount = `sign-in:${account}`;
  const shared = isKnown ? [] : await takeShared(call.ip);
  const giveBack = () => Promise.all(shared.map(giveBackTry));

  const device = await countAttempt(deviceCount, PER_DEVICE);
  if (!device.isAllowed) {
    await giveBack();
    throw paused(device.pauseMs);
  }
  if (!isKnown) {
    const everywhere = await countAttempt(accountCount, PER_ACCOUNT);
    const mustWait = !everywhere.isAllowed || !shared.includes(GLOBAL_COUNT);
    if (mustWait && !(await isHeardAnyway(accountCount, device))) {
      await giveBack();
      throw everybodyWaits(everywhere.pauseMs);
    }
  }

  return {
    async fail() {
      call.log.warn({ event: "sign-in refused", account, ip: call.ip }, "audit");
      throw badField("password", `The email address or the password is not right. ${describeRemaining(device)}`);
    },
    async succeed() {
      await Promise.all([giveBack(), clearAttempts(deviceCount), isKnown ? undefined : clearAttempts(accountCount)]);
    },
  };
}

/** Counts what a stranger's network, and all strangers together, may try; gives the counts that hold it. */
async function takeShared(ip: string): Promise<string[]> {
  const networkCount = `sign-in-ip:${hashNetwork(ip)}`;
  const network = await countAttempt(networkCount, PER_ADDRESS);
  if (!network.isAllowed) throw paused(network.pauseMs);
  return (await countAttempt(GLOBAL_COUNT, GLOBAL)).isAllowed ? [networkCount, GLOBAL_COUNT] : [networkCount];
}

/** The same words whether or not the account exists. */
const everybodyWaits = (pauseMs: number) =>
  tooManyRequests(
    isMailConfigured()
      ? "Too many tries on this account. We can mail you a link to sign in: choose “Forgotten your password?”, and open the link in this browser."
      : `Too many tries on this account. Use a device on which you signed in before, or wait ${describePause(pauseMs)}.`,
  );

const isHeardAnyway = async (accountCount: string, { remaining }: Taken): Promise<boolean> =>
  remaining === TRIES - 1 && (await countAttempt(`${accountCount}:newcomers`, NEWCOMERS)).isAllowed;

function describeRemaining({ remaining, pauseMs }: { remaining: number; pauseMs: number }): string {
  const pause = describePause(pauseMs).replace(" ", "-").replace(/s$/, "");
  if (remaining === 0)
    return `Signing in is paused for ${describePause(pauseMs)}. You can choose a new password by mail.`;
  return `You have ${remaining} more ${remaining === 1 ? "try" : "tries"} before a ${pause} pause.`;
}

/** Counts a guess at something only this person may enter: their password again, or a code; by where it comes from. */
export async function countPersonalTry(
  kind: "password" | "code" | "recovery",
  call: SignInCall,
  user: { id: string; knownDevices: string[] },
) {
  const accountCount = `${kind}:${user.id}`;
  const { isKnown, key } = originOf(call, user);
  const ownCount = `${accountCount}:${key}`;
  const taken = await countAttempt(ownCount, PER_PERSON);
  if (!taken.isAllowed) throw tooManyTries(taken.pauseMs);
  // Nobody guesses a recovery code (60 bits), wherever they try: it is always heard, so nobody else locks it.
  if (!isKnown && kind !== "recovery") {
    const everywhere = await countAttempt(accountCount, PER_ACCOUNT);
    if (!everywhere.isAllowed && !(await isHeardAnyway(accountCount, taken)))
      throw kind === "code" ? tooManyCodes(everywhere.pauseMs) : tooManyTries(everywhere.pauseMs);
  }
  const forgive = async () => {
    await Promise.all([clearAttempts(ownCount), isKnown ? undefined : clearAttempts(accountCount)]);
  };
  return { remaining: describeRemaining(taken), forgive };
}

const tooManyTries = (pauseMs: number) =>
  tooManyRequests(`Too many tries. Wait ${describePause(pauseMs)} and try again.`);

const tooManyCodes = (pauseMs: number) =>
  tooManyRequests(
    `Too many codes were tried on this account. Enter one of your recovery codes, or wait ${describePause(pauseMs)}. Somebody else may know your password: choose a new one.`,
  );

/** Whoever reads the mailbox could else guess a code anew after each reset. */
const FRESH_STARTS: Limit = { tries: 3, pauseMs: 24 * HOUR_MS, longestPauseMs: 24 * HOUR_MS, memoryMs: 24 * HOUR_MS };

/** The person proved that the mailbox is theirs, so what others guessed keeps them out no longer. */
export async function startAfresh(call: SignInCall, user: { id: string; email: string }): Promise<void> {
  const account = keyedHash(`account:${foldEmail(user.email)}`);
  await Promise.all([forgiveAllTries(`sign-in:${account}`), forgiveAllTries(`password:${user.id}`)]);
  if (!(await countAttempt(`fresh-start:${user.id}`, FRESH_STARTS)).isAllowed) return;
  await forgiveAllTries(`code:${user.id}`);
  await rememberThisDevice(call, user.id);
}

/** Limits what anybody may start without signing in, by the caller's address. */
export async function limitByAddress(action: string, ip: string, limit: Limit): Promise<void> {
  const taken = await countAttempt(`${action}:${hashNetwork(ip)}`, limit);
  if (!taken.isAllowed)
    throw tooManyRequests(`Too many tries from your network. Try again in ${describePause(taken.pauseMs)}.`);
}
