// Just before a mail leaves, the mailing is asked whether it is still held, and the recipient marked, in one step.
import mongoose from "mongoose";
import { inTransaction } from "../../core/database.ts";
import { asHeld, type MailingDoc, type MailingItemDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";

/** Whether this one may be sent now: false where the mailing is not held any more, or where they wait no longer. */
export type Claim = (item: MailingItemDoc) => Promise<boolean>;

/** Those that ask while others are claimed are claimed together: a database that makes each write durable is spared. */
export function claimerOf(mailing: MailingDoc): Claim {
  let asked = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Set<string>> | undefined;
  const claimAsked = async () => {
    await last.catch(() => undefined);
    const ids = [...asked];
    asked = new Set();
    next = undefined;
    return claimAll(mailing, ids);
  };
  return async ({ _id }) => {
    asked.add(_id);
    next ??= last = claimAsked();
    return (await next).has(_id);
  };
}

/**
 * Counts in the mailing itself: whoever takes it over at the same moment changes the same document, and one of both
 * fails. A mail that is claimed and has no outcome may have left.
 */
const claimAll = (mailing: MailingDoc, ids: string[]): Promise<Set<string>> =>
  inTransaction(async () => {
    const { matchedCount } = await MailingModel.updateOne(asHeld(mailing), { $inc: { claims: 1 } });
    if (matchedCount === 0) return new Set();
    const items = { ownerId: mailing.ownerId, _id: mongoose.trusted({ $in: ids }), state: "waiting" as const };
    const claimed = await MailingItemModel.updateMany(items, { $set: { isLeaving: true } });
    if (claimed.matchedCount === ids.length) return new Set(ids);
    return new Set((await MailingItemModel.find(items, { _id: 1 }).lean()).map(({ _id }) => _id));
  });
