// Just before a mail leaves its recipient is claimed, and asked once more whether anything speaks against it by now.
import mongoose, { type QueryFilter } from "mongoose";
import { suppressedOf } from "../suppressions/suppressions.service.ts";
import { asHeld, type MailingDoc, type MailingItemDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";

export type Claimed = "theirs" | "on the list" | "not now";

/** Whether this one may be sent now: not where another works on the mailing or somebody stopped it. */
export type Claim = (item: MailingItemDoc) => Promise<Claimed>;

/**
 * `assertAllowed` throws where nothing may leave by this way any more. It is asked after the claim, as is who holds the
 * mailing: whatever was acknowledged before that stops it, and whoever takes the mailing later finds the claim.
 */
export const claimerOf = (mailing: MailingDoc, assertAllowed: () => Promise<void>): Claim =>
  inTurn((items) => claimAll(mailing, items, assertAllowed));

/** Those that ask while others are claimed are claimed together: a database that makes each write durable is spared. */
function inTurn(claim: (items: MailingItemDoc[]) => Promise<(item: MailingItemDoc) => Claimed>): Claim {
  let asked: MailingItemDoc[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let next: ReturnType<typeof claim> | undefined;
  const claimAsked = async () => {
    await last.catch(() => undefined);
    const items = asked;
    asked = [];
    next = undefined;
    return claim(items);
  };
  return async (item) => {
    asked.push(item);
    next ??= last = claimAsked();
    return (await next)(item);
  };
}

async function claimAll(
  mailing: MailingDoc,
  items: MailingItemDoc[],
  assertAllowed: () => Promise<void>,
): Promise<(item: MailingItemDoc) => Claimed> {
  const { ownerId, heldBy } = mailing;
  const these = { ownerId, _id: mongoose.trusted({ $in: items.map(({ _id }) => _id) }) };
  const claimed = { ...these, state: "leaving" as const, claimedBy: heldBy };
  const { matchedCount } = await MailingItemModel.updateMany(
    { ...these, state: "waiting" },
    { $set: { state: "leaving", claimedBy: heldBy } },
  );
  try {
    const [isHeld, suppressed, found] = await Promise.all([
      MailingModel.exists(asHeld(mailing)),
      suppressedOf(
        ownerId,
        items.map(({ address }) => address),
      ),
      matchedCount === items.length ? items : MailingItemModel.find(claimed, { _id: 1 }).lean(),
      assertAllowed(),
    ]);
    if (!isHeld) return await letGo(claimed);
    const theirs = new Set(found.map(({ _id }) => _id));
    return ({ _id, address }) => {
      if (!theirs.has(_id)) return "not now";
      return suppressed.has(address) ? "on the list" : "theirs";
    };
  } catch (error) {
    await letGo(claimed);
    throw error;
  }
}

/** None of them left. */
async function letGo(claimed: QueryFilter<MailingItemDoc>): Promise<() => Claimed> {
  await MailingItemModel.updateMany(claimed, { $set: { state: "waiting" } });
  return () => "not now";
}

/** Those that were on their way when whoever sent them was gone wait again; gives how many. */
export async function bringBackClaimed({ ownerId, _id: mailingId }: MailingDoc): Promise<number> {
  const { modifiedCount } = await MailingItemModel.updateMany(
    { ownerId, mailingId, state: "leaving" },
    { $set: { state: "waiting", isLeaving: true } },
  );
  return modifiedCount;
}
