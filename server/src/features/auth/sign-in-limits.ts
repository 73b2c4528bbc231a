import { foldEmail } from "@app/shared/email-address";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import {
  describePause,
  forgiveAllTries,
  clearAttempts,
  giveBackTry,
  type Limit,
  networkOf,
  countAttempt,
} from "../../core/rate-limit.ts";
import { isMailConfigured } from "../mail/system-mail.service.ts";
import type { Asker } from "./hash-turns.ts";
import { deviceOf, rememberLinkDevice, type SignInCall } from "./sign-in.ts";
import { CODE_LANE, PASSWORD_LANE, type SlowTry, takeSlowLane } from "./slow-lane.ts";

const TRIES = 5;
const PER_DEVICE: Limit = { tries: TRIES, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: HOUR_MS };
// From everywhere together, known devices aside.
const PER_ACCOUNT: Limit = { tries: 25, pauseMs: 15 * MINUTE_MS, longestPauseMs: 4 * HOUR_MS, memoryMs: DAY_MS };
const PER_ADDRESS: Limit = { tries: 30, pauseMs: MINUTE_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const GLOBAL_COUNT = "sign-in";
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

interface Devices {
  knownDevices: string[];
  linkDevices: string[];
}

/** Where a try at an account comes from: a device that the person uses or used a link in, else a network. */
export function originOf(call: Pick<SignInCall, "cookies" | "ip">, user: Devices | null): Asker {
  const device = deviceOf(call.cookies);
  const isKnown = device !== null && user !== null && [...user.knownDevices, ...user.linkDevices].includes(device);
  return isKnown ? { isKnown, key: device } : { isKnown: false, key: hashNetwork(call.ip), ip: call.ip };
}

/** Whoever opens a practice has no account yet: the lines of those who sign in are not theirs. */
export const ofNewcomer = ({ ip }: Pick<SignInCall, "ip">): Asker => ({
  isKnown: false,
  key: hashNetwork(ip),
  ip,
  isNewcomer: true,
});

/** Whoever reads the mailbox makes as many browsers known by links as they like: of codes these have one count together. */
function originOfCode(call: SignInCall, user: Devices): Asker {
  const origin = originOf(call, user);
  return origin.isKnown && !user.knownDevices.includes(origin.key) ? { isKnown: true, key: "link" } : origin;
}

/**
 * Counts a sign-in before the password is looked at, and takes it back where it is right. A device that is known has a
 * count of its own: at most a hundred tries a day, of ten devices. All others share 25 tries, with pauses between that
 * grow to four hours, and in these pauses the slow lane, in which no network takes another's tries.
 *
 * Nobody is locked out: a link reaches the person's mailbox whatever others ask for (`pacedMail`), and the browser in
 * which it is used is known from then on; and without mail a network that hardly tried is heard at once, though some
 * thousand others guess. What that leaves unknown devices, however many networks they have: 900 guesses a day at one account
 * (150 and 750), and 8,000 more once. In a month that is 35,000, as many as at an even 1,200 a day: of passwords that
 * are twelve signs or more and on no list of common ones, nothing that is worth the while.
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
  let slow: SlowTry | null = null;
  if (!isKnown) {
    const everywhere = await countAttempt(accountCount, PER_ACCOUNT);
    if (!everywhere.isAllowed || !shared.includes(GLOBAL_COUNT)) {
      slow = await takeSlowLane(accountCount, call.ip, PASSWORD_LANE);
      if (!slow) {
        await Promise.all([giveBack(), giveBackTry(deviceCount)]);
        throw everybodyWaits();
      }
    }
  }

  return {
    async fail() {
      call.log.warn({ event: "sign-in refused", account, ip: call.ip }, "audit");
      const left = slow ? describeSlow(slow) : describeRemaining(device);
      throw badField("password", `The email address or the password is not right. ${left}`);
    },
    async succeed() {
      const cleared = isKnown ? undefined : clearAttempts(accountCount);
      await Promise.all([giveBack(), slow?.giveBack(), clearAttempts(deviceCount), cleared]);
    },
  };
}

/** Counts what the network of an unknown device, and all of those together, may try; gives the counts that hold it. */
async function takeShared(ip: string): Promise<string[]> {
  const networkCount = `sign-in-ip:${hashNetwork(ip)}`;
  const network = await countAttempt(networkCount, PER_ADDRESS);
  if (!network.isAllowed) throw paused(network.pauseMs);
  return (await countAttempt(GLOBAL_COUNT, GLOBAL)).isAllowed ? [networkCount, GLOBAL_COUNT] : [networkCount];
}

/** The same words whether or not the account exists. */
const everybodyWaits = () =>
  tooManyRequests(
    isMailConfigured()
      ? "Too many tries on this account. We can mail you a link to sign in: choose “Forgotten your password?”, and open the link in this browser."
      : "Too many tries on this account. Use a device on which you signed in before, or another network, such as that of your phone.",
  );

const describeSlow = ({ left }: SlowTry): string =>
  left === 0
    ? "Many guess at this account now, so no more tries are taken from your network. Use a device on which you signed in before, or another network."
    : "Many guess at this account now, so you have one more try from your network.";

function describeRemaining({ remaining, pauseMs }: { remaining: number; pauseMs: number }): string {
  const pause = describePause(pauseMs).replace(" ", "-").replace(/s$/, "");
  if (remaining === 0)
    return `Signing in is paused for ${describePause(pauseMs)}. You can choose a new password by mail.`;
  return `You have ${remaining} more ${remaining === 1 ? "try" : "tries"} before a ${pause} pause.`;
}

/**
 * Counts a guess at something only this person may enter: their password again, or a code; by where it comes from. Of
 * codes that leaves whoever knows the password 250 guesses a day (150 and 100), and 500 more once, each right with a
 * chance of three in a million (RFC 6238 with a step before and after).
 */
export async function countPersonalTry(
  kind: "password" | "code" | "recovery",
  call: SignInCall,
  user: Devices & { id: string },
) {
  const accountCount = `${kind}:${user.id}`;
  const { isKnown, key } = kind === "code" ? originOfCode(call, user) : originOf(call, user);
  const ownCount = `${accountCount}:${key}`;
  const taken = await countAttempt(ownCount, PER_PERSON);
  if (!taken.isAllowed) throw tooManyTries(taken.pauseMs);
  let slow: SlowTry | null = null;
  // Nobody guesses a recovery code (60 bits), wherever they try: it is always heard, so nobody else locks it.
  if (!isKnown && kind !== "recovery") {
    const everywhere = await countAttempt(accountCount, PER_ACCOUNT);
    if (!everywhere.isAllowed) {
      slow = await takeSlowLane(accountCount, call.ip, kind === "code" ? CODE_LANE : PASSWORD_LANE);
      if (!slow) {
        await giveBackTry(ownCount);
        throw kind === "code" ? tooManyCodes(everywhere.pauseMs) : tooManyTries(everywhere.pauseMs);
      }
    }
  }
  const forgive = async () => {
    await Promise.all([slow?.giveBack(), clearAttempts(ownCount), isKnown ? undefined : clearAttempts(accountCount)]);
  };
  return { remaining: slow ? describeSlow(slow) : describeRemaining(taken), forgive };
}

const tooManyTries = (pauseMs: number) =>
  tooManyRequests(`Too many tries. Wait ${describePause(pauseMs)} and try again.`);

const tooManyCodes = (pauseMs: number) =>
  tooManyRequests(
    `Too many codes were tried on this account. Enter one of your recovery codes, or wait ${describePause(pauseMs)}. Somebody else may know your password: choose a new one.`,
  );

/** Whoever reads the mailbox could else guess a code anew after each reset. */
const FRESH_STARTS: Limit = { tries: 3, pauseMs: DAY_MS, longestPauseMs: DAY_MS, memoryMs: DAY_MS };

/**
 * The person proved that the mailbox is theirs, so what others guessed keeps them out no longer, and this browser is
 * heard apart from all others. Of codes, which the mailbox does not stand in for, so much is forgotten few times a day.
 */
export async function startAfresh(call: SignInCall, user: { id: string; email: string }): Promise<void> {
  const account = keyedHash(`account:${foldEmail(user.email)}`);
  await Promise.all([forgiveAllTries(`sign-in:${account}`), forgiveAllTries(`password:${user.id}`)]);
  await rememberLinkDevice(call, user.id);
  if ((await countAttempt(`fresh-start:${user.id}`, FRESH_STARTS)).isAllowed) await forgiveAllTries(`code:${user.id}`);
}

/** Limits what anybody may start without signing in, by the caller's address. */
export async function limitByAddress(action: string, ip: string, limit: Limit): Promise<void> {
  const taken = await countAttempt(`${action}:${hashNetwork(ip)}`, limit);
  if (!taken.isAllowed)
    throw tooManyRequests(`Too many tries from your network. Try again in ${describePause(taken.pauseMs)}.`);
}
