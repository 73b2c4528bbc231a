// How often a form is opened, saved and sent by somebody who is not signed in. Whoever has a link of their own is
// counted by it, and whoever else by their network: junk from one network stops nobody behind another, and nobody who
// was sent a link.
import { mailboxKey } from "@app/shared/email-address";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { describePause, networkOf } from "../../core/rate-limit.ts";
import { type Bucket, type NamedBucket, takeToken, takeTokens } from "../../core/token-bucket.ts";
import type { OpenPlace } from "./open-place.ts";

/** Of one network, whatever it asks for. */
const ASKED: Bucket = { size: 240, everyMs: SECOND_MS / 2 };
const SENT_OF_NETWORK: Bucket = { size: 5, everyMs: 12 * SECOND_MS };
const SENT_OF_NETWORK_A_DAY: Bucket = { size: 30, everyMs: 48 * MINUTE_MS };
const SENT_OF_FORM: Bucket = { size: 60, everyMs: SECOND_MS };
const SENT_OF_LINK: Bucket = { size: 10, everyMs: 6 * SECOND_MS };
const BEGUN_OF_NETWORK: Bucket = { size: 20, everyMs: 20 * SECOND_MS };
const SAVED: Bucket = { size: 60, everyMs: SECOND_MS };
const UPLOADED: Bucket = { size: 30, everyMs: 20 * SECOND_MS };
const MAILED_OF_NETWORK: Bucket = { size: 5, everyMs: 12 * MINUTE_MS };
const MAILED_OF_FORM: Bucket = { size: 20, everyMs: MINUTE_MS };
const MAILED_OF_PLACE: Bucket = { size: 3, everyMs: 20 * MINUTE_MS };
const MAILED_TO_ADDRESS: Bucket = { size: 2, everyMs: 2 * HOUR_MS };
const OF_ADDRESS: Bucket = { size: 3, everyMs: HOUR_MS / 3 };

/** One of each, or none. */
async function take(...buckets: NamedBucket[]): Promise<void> {
  const { isTaken, waitMs } = await takeTokens(buckets.map(([key, bucket]) => [`form:${key}`, bucket]));
  if (!isTaken)
    throw tooManyRequests(
      `Too much was sent from your network. What you typed is still here: try again in ${describePause(waitMs)}.`,
    );
}

const networkKey = (ip: string): string => keyedHash(`form:${networkOf(ip)}`);

const askedBucket = (ip: string): NamedBucket => [`asked:${networkKey(ip)}`, ASKED];
export const countAsked = (ip: string): Promise<void> => take(askedBucket(ip));

/** Looked up while it is counted; whoever may not ask learns nothing of it. */
export async function ifMayAsk<Found>(ip: string, lookedUp: Promise<Found>): Promise<Found> {
  const counted = countAsked(ip);
  await Promise.allSettled([counted, lookedUp]);
  await counted;
  return lookedUp;
}

/** Before somebody begins by the general address. */
export const countBegun = (ip: string): Promise<void> => take([`begun:${networkKey(ip)}`, BEGUN_OF_NETWORK]);

export const countSaved = (submissionId: string): Promise<void> => take([`saved:${submissionId}`, SAVED]);

export const countUploaded = (submissionId: string): Promise<void> => take([`uploaded:${submissionId}`, UPLOADED]);

/**
 * Counts a sending with its asking, in one step. Nothing is taken of what the form takes for what its network, or its
 * link, may not send; that it asked counts all the same.
 */
async function countSent(ip: string, place: OpenPlace): Promise<void> {
  try {
    await take(askedBucket(ip), ...sendingBuckets(ip, place));
  } catch (error) {
    await countAsked(ip);
    throw error;
  }
}

function sendingBuckets(ip: string, { form, link, submission }: OpenPlace): NamedBucket[] {
  if (link) return [[`sent:${link._id}`, SENT_OF_LINK]];
  const network = networkKey(ip);
  return [
    ...(submission ? [] : ([[`begun:${network}`, BEGUN_OF_NETWORK]] satisfies NamedBucket[])),
    [`sent:${network}`, SENT_OF_NETWORK],
    [`day:${network}`, SENT_OF_NETWORK_A_DAY],
    [`of:${form.formId}`, SENT_OF_FORM],
  ];
}

interface Looked<Found> {
  place: OpenPlace;
  /** It was sent already; null where it is to be sent now. */
  before: Found | null;
}

/** The same for whoever sends: what was sent already, or cannot be, counts as asked for alone. */
export async function ifMaySend<Found>(ip: string, lookedUp: Promise<Looked<Found>>): Promise<Looked<Found>> {
  const [looked] = await Promise.allSettled([lookedUp]);
  if (looked.status === "fulfilled" && looked.value.before === null) await countSent(ip, looked.value.place);
  else await countAsked(ip);
  return lookedUp;
}

/** Whether this address was named more often than one person sends forms. */
export async function isNamedTooOften(formId: string, address: string): Promise<boolean> {
  const { isTaken } = await takeToken(`form:named:${keyedHash(`${formId} ${address}`)}`, OF_ADDRESS);
  return !isTaken;
}

/** Before a mail that somebody asked for; `place` is the form that they fill in. */
export async function countMailed(ip: string, { formId, place }: { formId: string; place: string }): Promise<void> {
  await take(
    [`mailed:${networkKey(ip)}`, MAILED_OF_NETWORK],
    [`mailed:${place}`, MAILED_OF_PLACE],
    [`mailed-of:${formId}`, MAILED_OF_FORM],
  );
}

/** Whoever types an address is not told: it would say that this person was mailed lately, by whichever form it was. */
export async function isMailedTooOften(address: string): Promise<boolean> {
  const { isTaken } = await takeToken(`form:mailed-to:${keyedHash(mailboxKey(address))}`, MAILED_TO_ADDRESS);
  return !isTaken;
}
