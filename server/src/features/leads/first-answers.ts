// A letter that has left to somebody who waits is their first answer; what goes out by itself is none.
import mongoose from "mongoose";
import { MINUTE_MS } from "../../core/clock.ts";
import { emailKey } from "../../core/likeness.ts";
import { systemScope } from "../../core/system-scope.ts";
import { defineSentLetterFollower } from "../outbox/sent-letters.service.ts";
import { endAnswerTask } from "./leads.service.ts";
import { type LeadDoc, LeadModel, sortDueOf } from "./leads.model.ts";

/** One person has few leads that wait. */
const WAITING_MAX = 20;

export const answeredAt = ({ createdAt }: Pick<LeadDoc, "createdAt">, at: Date) => ({
  firstRespondedAt: at,
  responseMinutes: Math.max(Math.round((at.getTime() - createdAt.getTime()) / MINUTE_MS), 0),
});

defineSentLetterFollower(async ({ ownerId, addresses, sentAt }) => {
  const waiting = { ownerId, isOpen: true, firstRespondedAt: null };
  const keys = mongoose.trusted({ $in: addresses.map(emailKey) });
  const docs = await LeadModel.find({ ...waiting, dedupeKeys: keys })
    .limit(WAITING_MAX)
    .lean();
  for (const doc of docs) {
    const answered = answeredAt(doc, sentAt);
    const { modifiedCount } = await LeadModel.updateOne(
      { ...waiting, _id: doc._id, version: doc.version },
      { $set: { ...answered, sortDue: sortDueOf({ ...doc, ...answered }) }, $inc: { version: 1 } },
    );
    if (modifiedCount > 0) await endAnswerTask(systemScope(ownerId), doc._id);
  }
});
