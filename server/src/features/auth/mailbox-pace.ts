// Anybody may ask for a mail to anybody's address. So many leave at once; what is asked for beyond that waits, and one
// leaves each time its pace allows. All who ask for one address meanwhile get the same mail, so nobody fills a mailbox
// with our mail, and nobody keeps its holder from a link.
import { foldEmail, mailboxKey } from "@app/shared/email-address";
import mongoose, { Schema } from "mongoose";
import { MINUTE_MS, now, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";

const LONGEST_WAIT_MS = 5 * MINUTE_MS;
/** Whoever holds a mailbox mostly writes its address without a tag: those go first, however many tags others make up. */
const TAGGED_LATER = 1000;
const isTagged = (email: string): boolean => email.slice(0, email.lastIndexOf("@")).includes("+");

interface WaitingDoc {
  _id: string;
  kind: string;
  /** Whose mailbox it is for, and the very address, both hashed: what goes to one address never goes to another. */
  mailbox: string;
  address: string;
  /** What the job is told, by whoever asked last. */
  about: string;
  /** How often whoever asks had asked for this mailbox before, within an hour; of those who ask for one address, the least. */
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

type Enqueue = (about: string) => Promise<void>;
const kinds = new Map<string, { pace: Bucket; enqueue: Enqueue }>();
const paceKey = (mailbox: string) => `mail-pace:${mailbox}`;

/** A kind of mail that leaves for a mailbox at this pace, whoever asks and however the address is spelled. */
export function pacedMail(kind: string, pace: Bucket, enqueue: Enqueue): { ask(asked: Ask): Promise<void> } {
  kinds.set(kind, { pace, enqueue });
  return {
    async ask({ email, about, turn }) {
      const mailbox = `${kind}:${keyedHash(`mailbox:${mailboxKey(email)}`)}`;
      const isFirst = !(await WaitingModel.exists({ mailbox }));
      const { isTaken, waitMs } = isFirst ? await takeToken(paceKey(mailbox), pace) : { isTaken: false, waitMs: 0 };
      if (isTaken) return enqueue(about);
      const address = keyedHash(`address:${foldEmail(email)}`);
      const at = now();
      const due_at = new Date(at.getTime() + Math.min(waitMs, LONGEST_WAIT_MS));
      await WaitingModel.updateOne(
        { _id: waitingId(mailbox, address) },
        {
          $setOnInsert: { kind, mailbox, address, asked_at: at, due_at },
          $set: { about },
          $min: { turn: isTagged(email) ? turn + TAGGED_LATER : turn },
        },
        { upsert: true },
      );
    },
  };
}

export const waitingId = (mailbox: string, address: string): string => `${mailbox}:${address}`;

defineRepeatedJob({
  name: "mail what was asked for at a pace",
  everyMs: 10 * SECOND_MS,
  run: mailWhatIsDue,
});

export async function mailWhatIsDue(): Promise<void> {
  for (let due = await nextDue(); due; due = await nextDue()) await mailNext(due);
}

function nextDue() {
  const at = now();
  // What would wait longer than it ever should was asked for by a clock that was ahead.
  const tooLate = mongoose.trusted({ $gt: new Date(at.getTime() + LONGEST_WAIT_MS) });
  const isDue = {
    kind: mongoose.trusted({ $in: [...kinds.keys()] }),
    $or: [{ due_at: mongoose.trusted({ $lte: at }) }, { due_at: tooLate }],
  };
  return WaitingModel.findOne(isDue).sort({ due_at: 1 }).lean();
}

const FIRST_COME = { turn: 1, asked_at: 1, _id: 1 } as const;

async function mailNext({ kind, mailbox }: WaitingDoc): Promise<void> {
  const known = kinds.get(kind);
  if (!known) return;
  const { pace, enqueue } = known;
  const { isTaken, waitMs } = await takeToken(paceKey(mailbox), pace);
  const next = isTaken ? await WaitingModel.findOne({ mailbox }).sort(FIRST_COME).lean() : null;
  if (next) {
    // In this order: where the process ends between, it is mailed twice rather than never.
    await enqueue(next.about);
    await WaitingModel.deleteOne({ _id: next._id });
  }
  const due_at = new Date(now().getTime() + Math.min(isTaken ? pace.everyMs : waitMs, LONGEST_WAIT_MS));
  await WaitingModel.updateMany({ mailbox }, { $set: { due_at } });
}
