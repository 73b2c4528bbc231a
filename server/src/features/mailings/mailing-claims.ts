// Just before a mail leaves its recipient is marked, in one step with the question whether it is still to be sent.
import mongoose from "mongoose";
import { type MailingDoc, type MailingItemDoc, MailingItemModel } from "./mailings.model.ts";

/** Whether this one may be sent now: false where another works on the mailing, or where they wait no longer. */
export type Claim = (item: MailingItemDoc) => Promise<boolean>;

/**
 * Puts up a fence: whoever worked on the mailing before claims nobody any more, however late they wake up. The first to
 * work on it finds all recipients within theirs.
 */
export async function claimerOf({ ownerId, _id: mailingId, heldBy, runs }: MailingDoc): Promise<Claim> {
  const fence = runs === 1 ? "" : heldBy;
  if (fence !== "") await MailingItemModel.updateMany({ ownerId, mailingId, state: "waiting" }, { $set: { fence } });
  return inTurn((ids) => claimAll(ownerId, fence, ids));
}

/** Those that ask while others are claimed are claimed together: a database that makes each write durable is spared. */
function inTurn(claim: (ids: string[]) => Promise<Set<string>>): Claim {
  let asked = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Set<string>> | undefined;
  const claimAsked = async () => {
    await last.catch(() => undefined);
    const ids = [...asked];
    asked = new Set();
    next = undefined;
    return claim(ids);
  };
  return async ({ _id }) => {
    asked.add(_id);
    next ??= last = claimAsked();
    return (await next).has(_id);
  };
}

/** A mail that is claimed and has no outcome may have left. */
async function claimAll(ownerId: string, fence: string, ids: string[]): Promise<Set<string>> {
  const items = { ownerId, _id: mongoose.trusted({ $in: ids }), state: "waiting" as const, fence };
  const { matchedCount } = await MailingItemModel.updateMany(items, { $set: { isLeaving: true } });
  if (matchedCount === ids.length) return new Set(ids);
  return new Set((await MailingItemModel.find(items, { _id: 1 }).lean()).map(({ _id }) => _id));
}
