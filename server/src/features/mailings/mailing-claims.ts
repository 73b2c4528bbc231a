// Just before a mail leaves its recipient is marked, in one step with the question whether it is still to be sent.
import mongoose from "mongoose";
import { type MailingDoc, type MailingItemDoc, MailingItemModel } from "./mailings.model.ts";

/** Whether this one may be sent now: false where another works on the mailing, or where they wait no longer. */
export type Claim = (item: MailingItemDoc) => Promise<boolean>;

/**
 * Whoever worked on the mailing before and did not come to an end claims nobody any more, however late they wake up:
 * the next puts up a fence of their own. Whoever left it in order left all recipients within the fence that stands.
 */
export async function claimerOf({ ownerId, _id: mailingId, heldBy, fence }: MailingDoc): Promise<Claim> {
  if (fence === heldBy)
    await MailingItemModel.updateMany({ ownerId, mailingId, state: "waiting" }, { $set: { fence } });
  return inTurn((ids) => claimAll(ownerId, fence ?? heldBy, ids));
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
