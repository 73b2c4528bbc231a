// How often a form is opened, saved and sent by somebody who is not signed in. Whoever has a link of their own is
// counted by it, and whoever else by their network: junk from one network stops nobody behind another, and nobody who
// was sent a link.
import { mailboxKey } from "@app/shared/email-address";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { tooManyRequests } from "../../core/errors.ts";
import { describePause, networkOf, widerNetworksOf } from "../../core/rate-limit.ts";
import { type Bucket, returnTokens, takeToken, takeTokens } from "../../core/token-bucket.ts";
import type { TRPCError } from "@trpc/server";
import type { OpenPlace } from "./open-place.ts";

/** Of one network, whatever it asks for. */
const ASKED: Bucket = { size: 240, everyMs: SECOND_MS / 2 };
const SENT_OF_NETWORK: Bucket = { size: 5, everyMs: 12 * SECOND_MS };
const SENT_OF_NETWORK_A_DAY: Bucket = { size: 30, everyMs: 48 * MINUTE_MS };
/** Of wider networks, in one: at once and in a day. */
const SENT_OF_WIDER: Bucket = { size: 5, everyMs: 12 * MINUTE_MS };
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

/** How much more a wider network may, where people share it: /48, and /32 or of IPv4 /16. */
const WIDER_ASKED = [10, 40];
/** Of one form. Small enough that no network by itself uses up what the form takes. */
const WIDER_OF_FORM = [2, 4];

interface Counted {
  key: string;
  bucket: Bucket;
  /** What was too much. */
  words: string;
}

const ofNetwork = (key: string, bucket: Bucket): Counted => ({
  key,
  bucket,
  words: "Too much was sent from your network.",
});
const ofPlace = (key: string, bucket: Bucket): Counted => ({
  key,
  bucket,
  words: "This form was saved or sent very often just now.",
});
const ofForm = (key: string, bucket: Bucket): Counted => ({
  key,
  bucket,
  words: "Many people are sending this form at the moment.",
});

/** One of each, or none. */
async function take(...counted: Counted[]): Promise<void> {
  const { isTaken, waitMs, emptyKeys } = await takeTokens(counted.map(named));
  if (isTaken) return;
  const words = counted.find((one) => emptyKeys.includes(named(one)[0]))?.words;
  throw tooManyRequests(`${words} What you typed is still here: try again in ${describePause(waitMs)}.`);
}

const named = ({ key, bucket }: Counted) => [`form:${key}`, bucket] as const;

const networkKey = (ip: string): string => keyedHash(`form:${networkOf(ip)}`);

interface Wider {
  of: string;
  factors: readonly number[];
}

/** Of all networks within a wider one, so that whoever has many of them has no more of what others need. */
const ofWider = (ip: string, what: string, { size, everyMs }: Bucket, { of, factors }: Wider): Counted[] =>
  widerNetworksOf(ip).map((network, index, networks) => {
    const factor = factors.at(index - networks.length) ?? 1;
    return {
      key: `${what}:${keyedHash(`form:${of}:${network}`)}`,
      bucket: { size: size * factor, everyMs: everyMs / factor },
      words: "Too much was sent just now by customers of your internet provider.",
    };
  });

const asked = (ip: string): Counted => ofNetwork(`asked:${networkKey(ip)}`, ASKED);
export const countAsked = (ip: string): Promise<void> =>
  take(asked(ip), ...ofWider(ip, "asked", ASKED, { of: "any", factors: WIDER_ASKED }));

/** Looked up while it is counted; whoever may not ask learns nothing of it. */
export async function ifMayAsk<Found>(ip: string, lookedUp: Promise<Found>): Promise<Found> {
  const counted = countAsked(ip);
  await Promise.allSettled([counted, lookedUp]);
  await counted;
  return lookedUp;
}

/** Before somebody begins by the general address. */
export const countBegun = (ip: string, formId: string): Promise<void> =>
  take(
    ofNetwork(`begun:${networkKey(ip)}`, BEGUN_OF_NETWORK),
    ...ofWider(ip, "begun", BEGUN_OF_NETWORK, { of: formId, factors: WIDER_OF_FORM }),
  );

export const countSaved = (submissionId: string): Promise<void> => take(ofPlace(`saved:${submissionId}`, SAVED));

export const countUploaded = (submissionId: string): Promise<void> =>
  take(ofPlace(`uploaded:${submissionId}`, UPLOADED));

/** What is about to be sent. */
export interface Sending {
  place: OpenPlace;
  /** Why it cannot be taken whatever is in it; null where nothing stands against it yet. */
  refusal: TRPCError | null;
}

function sendingBuckets(ip: string, { place, refusal }: Sending): Counted[] {
  const { form, link } = place;
  if (link) return [ofPlace(`sent:${link._id}`, SENT_OF_LINK)];
  const network = networkKey(ip);
  return [
    ofNetwork(`sent:${network}`, SENT_OF_NETWORK),
    ofNetwork(`day:${network}`, SENT_OF_NETWORK_A_DAY),
    ...ofWider(ip, "sent", SENT_OF_WIDER, { of: form.formId, factors: WIDER_OF_FORM }),
    ...(refusal ? [] : [takenByForm(place)]),
  ];
}

const takenByForm = ({ form }: OpenPlace): Counted => ofForm(`of:${form.formId}`, SENT_OF_FORM);

/** What cannot be sent counts as asked for alone. */
export async function ifThere<Found>(ip: string, lookedUp: Promise<Found>): Promise<Found> {
  try {
    return await lookedUp;
  } catch (error) {
    await countAsked(ip);
    throw error;
  }
}

/**
 * Counts a sending with its asking, in one step, and gives null; or what came of it where it was sent before, which
 * counts as asked for alone. Nothing is taken of what the form takes for what its network, or its link, may not send.
 */
export async function ifMaySend<Sent>(
  ip: string,
  sending: Sending,
  sentBefore: () => Promise<Sent | null>,
): Promise<Sent | null> {
  const { submission } = sending.place;
  if (submission && submission.status !== "in_progress") {
    await countAsked(ip);
    return sentBefore();
  }
  try {
    await take(asked(ip), ...sendingBuckets(ip, sending));
    return null;
  } catch (error) {
    await countAsked(ip);
    const sent = await sentBefore();
    if (sent) return sent;
    throw error;
  }
}

/** Nothing came of it, so the form takes one more of others. */
export async function countUnsent({ place, refusal }: Sending): Promise<void> {
  if (!place.link && !refusal) await returnTokens([named(takenByForm(place))]);
}

/** It was sent before, and counts as asked for alone. */
export const countRepeated = (ip: string, sending: Sending): Promise<void> =>
  returnTokens(sendingBuckets(ip, sending).map(named));

/** Whether this address was named more often than one person sends forms. */
export async function isNamedTooOften(formId: string, address: string): Promise<boolean> {
  const { isTaken } = await takeToken(`form:named:${keyedHash(`${formId} ${address}`)}`, OF_ADDRESS);
  return !isTaken;
}

/** Before a mail that somebody asked for; `place` is the form that they fill in. */
export async function countMailed(ip: string, { formId, place }: { formId: string; place: string }): Promise<void> {
  await take(
    ofNetwork(`mailed:${networkKey(ip)}`, MAILED_OF_NETWORK),
    ...ofWider(ip, "mailed", MAILED_OF_NETWORK, { of: formId, factors: WIDER_OF_FORM }),
    ofPlace(`mailed:${place}`, MAILED_OF_PLACE),
    ofForm(`mailed-of:${formId}`, MAILED_OF_FORM),
  );
}

/** Whoever types an address is not told: it would say that this person was mailed lately, by whichever form it was. */
export async function isMailedTooOften(address: string): Promise<boolean> {
  const { isTaken } = await takeToken(`form:mailed-to:${keyedHash(mailboxKey(address))}`, MAILED_TO_ADDRESS);
  return !isTaken;
}
