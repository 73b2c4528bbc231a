// How many recipients of a mailing are in which state: counted while mails leave, kept with it while nothing happens.
import mongoose from "mongoose";
import type { ItemState } from "@app/shared/mailing-states";
import type { MailingCounts } from "@app/shared/mailings";
import { shownAs } from "./mailing-shown.ts";
import {
  type MailingDoc,
  type MailingItemDoc,
  MailingItemModel,
  MailingModel,
  type StoredState,
} from "./mailings.model.ts";

type Counted = MailingDoc & { counts: MailingCounts };

/** These mailings, each with its numbers; `docs` as they were read before. */
export const withCounts = (docs: readonly MailingDoc[]): Promise<Counted[]> => Promise.all(docs.map(withItsCounts));

async function withItsCounts(doc: MailingDoc): Promise<Counted> {
  if (doc.counts) return { ...doc, counts: doc.counts };
  const counted = { ...doc, counts: await countItems(doc) };
  if (doc.state !== "sending") await keepCounts(counted);
  return counted;
}

/**
 * Each count is read off an index, which for 20,000 recipients takes a tenth of the time of one aggregation over them.
 * How many there are never changes, and whoever is in no other state waits: so the numbers add up while mails leave.
 */
async function countItems(mailing: MailingDoc): Promise<MailingCounts> {
  const { ownerId, _id: mailingId } = mailing;
  const count = (filter: { state?: StoredState; isPerhapsTwice?: true }) =>
    MailingItemModel.countDocuments({ ownerId, mailingId, ...filter });
  const total = await count({});
  const counts = { waiting: 0, sent: 0, failed: 0, skipped: 0, uncertain: 0, total, perhapsTwice: 0 };
  let others = total;
  // In this order a mail that comes back meanwhile is not counted twice.
  for (const state of ["failed", "uncertain", "sent", "skipped", "leaving"] as const) {
    const found = await count({ state });
    counts[shownAs(mailing, state)] += found;
    others -= found;
  }
  counts[shownAs(mailing, "waiting")] += others;
  counts.perhapsTwice = await count({ isPerhapsTwice: true });
  return counts;
}

/** Unless something became of a recipient since the mailing was read: then the numbers may be older than that. */
async function keepCounts({ ownerId, _id, state, counts, countsRevision = null }: Counted): Promise<void> {
  await MailingModel.updateOne({ ownerId, _id, state, countsRevision }, { $set: { counts } });
}

/** One recipient is in another state, while no mails leave. In the transaction of that change. */
export async function recount(
  { ownerId, mailingId, state: from }: Pick<MailingItemDoc, "ownerId" | "mailingId" | "state">,
  to: ItemState,
): Promise<void> {
  const mailing = { ownerId, _id: mailingId };
  // How it was counted is for the whole mailing to say.
  if (from === "leaving") return forgetCounts(mailing);
  const { matchedCount } = await MailingModel.updateOne(
    { ...mailing, counts: mongoose.trusted({ $ne: null }) },
    { $inc: { [`counts.${from}`]: -1, [`counts.${to}`]: 1, countsRevision: 1 } },
  );
  if (matchedCount === 0) await forgetCounts(mailing);
}

/** With every change of state, and whatever else becomes of recipients while no mails leave. */
export const COUNTED_ANEW = { $set: { counts: null }, $inc: { countsRevision: 1 } } as const;

export async function forgetCounts({ ownerId, _id }: Pick<MailingDoc, "ownerId" | "_id">): Promise<void> {
  await MailingModel.updateOne({ ownerId, _id }, COUNTED_ANEW);
}
