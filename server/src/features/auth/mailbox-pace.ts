// Anybody may ask for a mail to anybody's address. So many leave at once; what is asked for beyond that waits and leaves
// together, one mail in five minutes. So nobody fills a mailbox with our mail, and nobody keeps its holder from a link:
// nothing that waits is displaced, and whoever asks again stands behind those who ask for the first time.
import { foldEmail, mailboxKey } from "@app/shared/email-address";
import mongoose, { Schema } from "mongoose";
import { HOUR_MS, MINUTE_MS, now, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import { countAttempt } from "../../core/rate-limit.ts";

const AT_ONCE = { tries: 8, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const PACE_MS = 5 * MINUTE_MS;
/** So much of what waits goes into one mail. */
const TOGETHER_MAX = 20;
/** Whoever holds a mailbox mostly writes its address without a tag: those go first, however many tags others make up. */
const TAGGED_LATER = 1000;
const isTagged = (email: string): boolean => email.slice(0, email.lastIndexOf("@")).includes("+");

interface WaitingDoc {
  _id: string;
  kind: string;
  /** Whose mailbox it is for, and the very address, both hashed: what goes to one address never goes to another. */
  mailbox: string;
  address: string;
  /** What the job is told. */
  about: string;
  /** How often whoever asks had asked for this mailbox before, within an hour. */
  turn: number;
  asked_at: Date;
  due_at: Date;
}

const waitingSchema = new Schema<WaitingDoc>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    mailbox: { type: String, required: true },
    address: { type: String, required: true },
    about: { type: String, required: true },
    turn: { type: Number, required: true },
    asked_at: { type: Date, required: true },
    due_at: { type: Date, required: true },
  },
  { collection: "paced_mails", versionKey: false },
);
waitingSchema.index({ due_at: 1 });
waitingSchema.index({ mailbox: 1, turn: 1, asked_at: 1 });
export const WaitingModel = mongoose.model("PacedMail", waitingSchema);

interface Ask {
  email: string;
  about: string;
  turn: number;
}

type Enqueue = (abouts: [string, ...string[]]) => Promise<void>;
const jobs = new Map<string, Enqueue>();

/** A kind of mail that leaves for a mailbox at this pace, whoever asks and however the address is spelled. */
export function pacedMail(kind: string, enqueue: Enqueue): { ask(asked: Ask): Promise<void> } {
  jobs.set(kind, enqueue);
  return {
    async ask({ email, about, turn }) {
      const mailbox = `${kind}:${keyedHash(`mailbox:${mailboxKey(email)}`)}`;
      if ((await countAttempt(`mail-pace:${mailbox}`, AT_ONCE)).isAllowed) return enqueue([about]);
      const at = now();
      const asked = {
        kind,
        mailbox,
        address: keyedHash(`address:${foldEmail(email)}`),
        about,
        turn: isTagged(email) ? turn + TAGGED_LATER : turn,
        asked_at: at,
        due_at: new Date(at.getTime() + PACE_MS),
      };
      const _id = `${mailbox}:${keyedHash(`about:${about}`)}`;
      await WaitingModel.updateOne({ _id }, { $setOnInsert: asked }, { upsert: true });
    },
  };
}

defineRepeatedJob({
  name: "mail what was asked for at a pace",
  everyMs: 10 * SECOND_MS,
  async run() {
    for (let due = await nextDue(); due; due = await nextDue()) await mailTogether(due.mailbox);
  },
});

function nextDue() {
  const at = now();
  // What would wait longer than it ever should was asked for by a clock that was ahead.
  const tooLate = mongoose.trusted({ $gt: new Date(at.getTime() + PACE_MS) });
  const isDue = { $or: [{ due_at: mongoose.trusted({ $lte: at }) }, { due_at: tooLate }] };
  return WaitingModel.findOne(isDue).sort({ due_at: 1 }).lean();
}

const FIRST_COME = { turn: 1, asked_at: 1, _id: 1 } as const;

async function mailTogether(mailbox: string): Promise<void> {
  const first = await WaitingModel.findOne({ mailbox }).sort(FIRST_COME).lean();
  if (!first) return;
  const together = await WaitingModel.find({ mailbox, address: first.address })
    .sort(FIRST_COME)
    .limit(TOGETHER_MAX)
    .lean();
  const ids = together.map(({ _id }) => _id);
  const due_at = new Date(now().getTime() + PACE_MS);
  await WaitingModel.updateMany({ mailbox, _id: mongoose.trusted({ $nin: ids }) }, { $set: { due_at } });
  const abouts: string[] = [];
  for (const { _id, about } of together) if (await WaitingModel.findOneAndDelete({ _id })) abouts.push(about);
  const [one, ...others] = abouts;
  if (one !== undefined) await jobs.get(first.kind)?.([one, ...others]);
}
