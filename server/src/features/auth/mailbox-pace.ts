// Anybody may ask for a mail to anybody's address. So many leave at once; of what is asked for beyond that, the newest
// leaves every five minutes. So nobody fills a mailbox with our mail, and nobody keeps its holder from a link.
import { mailboxKey } from "@app/shared/email-address";
import mongoose, { Schema } from "mongoose";
import { HOUR_MS, MINUTE_MS, now, SECOND_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import { defineRepeatedJob, type Job } from "../../core/jobs.ts";
import { takeTry } from "../../core/rate-limit.ts";

const AT_ONCE = { tries: 8, pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const PACE_MS = 5 * MINUTE_MS;

interface WaitingDoc {
  /** What kind of mail, and whose mailbox it is for, hashed. */
  _id: string;
  kind: string;
  /** What the job is told: of several that were asked for, the newest. */
  about: string;
  due_at: Date;
}

const waitingSchema = new Schema<WaitingDoc>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    about: { type: String, required: true },
    due_at: { type: Date, required: true },
  },
  { collection: "paced_mails", versionKey: false },
);
waitingSchema.index({ due_at: 1 });
const WaitingModel = mongoose.model("PacedMail", waitingSchema);

interface Ask {
  email: string;
  about: string;
}

const jobs = new Map<string, Job<string>>();

/** A kind of mail that leaves for a mailbox at this pace, whoever asks and however the address is spelled. */
export function pacedMail(kind: string, job: Job<string>): { ask(asked: Ask): Promise<void> } {
  jobs.set(kind, job);
  return {
    async ask({ email, about }) {
      const key = `${kind}:${keyedHash(`mailbox:${mailboxKey(email)}`)}`;
      if ((await takeTry(`mail-pace:${key}`, AT_ONCE)).isAllowed) return job.enqueue(about);
      const due_at = new Date(now().getTime() + PACE_MS);
      await WaitingModel.updateOne({ _id: key }, { $set: { kind, about }, $setOnInsert: { due_at } }, { upsert: true });
    },
  };
}

defineRepeatedJob({
  name: "mail what was asked for at a pace",
  everyMs: 10 * SECOND_MS,
  async run() {
    const at = now();
    // What would wait longer than it ever should was asked for by a clock that was ahead.
    const tooLate = mongoose.trusted({ $gt: new Date(at.getTime() + PACE_MS) });
    const isDue = { $or: [{ due_at: mongoose.trusted({ $lte: at }) }, { due_at: tooLate }] };
    for (let due = await takeOne(isDue); due; due = await takeOne(isDue)) await jobs.get(due.kind)?.enqueue(due.about);
  },
});

const takeOne = (filter: Record<string, unknown>) => WaitingModel.findOneAndDelete(filter).lean<WaitingDoc>();
