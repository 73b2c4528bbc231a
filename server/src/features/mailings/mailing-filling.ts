// The recipients of a new mailing are stored in pieces, so that nobody waits for a long list of somebody else's. It is
// there once all of them are; what never got so far is removed.
import { mailboxKey } from "@app/shared/email-address";
import type { MailingCounts } from "@app/shared/mailings";
import { SECOND_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { busy } from "../../core/errors.ts";
import { abandonedAmong, whileHeld } from "../../core/holding.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { defineWorkTurns, type Task } from "../../core/work-turns.ts";
import { expectedOf } from "../mail/gate-expected.service.ts";
import { directoryFor } from "../mail/gate-people.service.ts";
import { suppressedOf } from "../suppressions/suppressions.service.ts";
import { contactsAmong } from "./mailing-use.service.ts";
import { newItem, SUPPRESSED } from "./mailing-recipients.ts";
import { type MailingDoc, type MailingItemDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";
import { OF_THE_LIST, type Recipient } from "./recipients.ts";

const PIECE = 250;

type NewMailing = Omit<MailingDoc, "heldBy" | "round" | "endedAt" | "counts">;

/** Stores a mailing for all of these; `keep` runs in the transaction from which on it is there. */
export const fillMailing = (mailing: NewMailing, recipients: Recipient[], keep: () => Promise<void>): Promise<void> =>
  whileHeld(async ({ by }) => {
    const of = { ownerId: mailing.ownerId, _id: mailing._id };
    await MailingModel.create([{ ...mailing, isFilling: true, heldBy: by }]);
    try {
      const counts = await storeItems(mailing, recipients);
      await inTransaction(async () => {
        await keep();
        const { matchedCount } = await MailingModel.updateOne(
          { ...of, isFilling: true, heldBy: by },
          { $set: { heldBy: "", counts }, $unset: { isFilling: 1 } },
        );
        if (matchedCount === 0) throw busy();
      });
    } catch (error) {
      await removeUnfilled(of.ownerId, of._id, { from: by, by: `${by} removes` });
      throw error;
    }
  });

async function storeItems({ ownerId, _id }: NewMailing, recipients: Recipient[]): Promise<MailingCounts> {
  const seen = new Set<string>();
  const counts = {
    waiting: 0,
    sent: 0,
    failed: 0,
    skipped: 0,
    uncertain: 0,
    total: recipients.length,
    perhapsTwice: 0,
  };
  for (let from = 0; from < recipients.length; from += PIECE) {
    const some = recipients.slice(from, from + PIECE);
    const addresses = some.map(({ address }) => address).filter(Boolean);
    const suppressed = await suppressedOf(ownerId, addresses);
    const peopleAt = await peopleOf(ownerId, some);
    const items = some.map(({ reason, ...recipient }) => {
      const isTwice = seen.has(mailboxKey(recipient.address));
      if (!reason && recipient.address) seen.add(mailboxKey(recipient.address));
      const why = reason || (isTwice ? OF_THE_LIST.twice : "") || (suppressed.has(recipient.address) ? SUPPRESSED : "");
      counts[why ? "skipped" : "waiting"] += 1;
      return { ...newItem(ownerId, _id, recipient, why), ...peopleAt(recipient) };
    });
    await inTransaction(async () => {
      await takeRecordTurns(
        ownerId,
        items.flatMap(({ clientId, people }) => clientId ?? contactsAmong(people)),
      );
      await MailingItemModel.insertMany(items, { lean: true });
    });
  }
  return counts;
}

/** Of each address that stands on a list whose it is now: to whoever has it later, what names them does not go. */
async function peopleOf(ownerId: string, recipients: readonly Recipient[]) {
  const addresses = recipients.flatMap(({ clientId, address }) => (clientId === null && address ? [address] : []));
  const mail = { to: addresses, cc: [] };
  const directory = await directoryFor({ ownerId, addresses, clientIds: [], caseIds: [] });
  const expected = new Map(expectedOf(directory, mail, null).map(({ address, people }) => [address, people]));
  return ({ address, clientId }: Pick<Recipient, "address" | "clientId">): Pick<MailingItemDoc, "people"> => {
    const people = clientId === null ? expected.get(address) : undefined;
    return people ? { people } : {};
  };
}

/** Removes one whose recipients never were all stored; does nothing where it is there, or another removes it. */
async function removeUnfilled(ownerId: string, _id: string, { from, by }: { from: string; by: string }): Promise<void> {
  const taken = { ownerId, _id, isFilling: true };
  const { matchedCount } = await MailingModel.updateOne({ ...taken, heldBy: from }, { $set: { heldBy: by } });
  if (matchedCount === 0) return;
  await MailingItemModel.deleteMany({ ownerId, mailingId: _id });
  await MailingModel.deleteOne({ ...taken, heldBy: by });
}

/** Those whose process died meanwhile. */
export const unfilledTurns = defineWorkTurns({
  name: "remove mailings that were never complete",
  everyMs: 10 * SECOND_MS,
  atOnce: 1,
  ofPractice: 1,
  async find() {
    const filling = await MailingModel.find({ isFilling: true }, { ownerId: 1, heldBy: 1 })
      .setOptions({ anyOwner: true })
      .lean();
    return (await abandonedAmong(filling)).map(({ _id, ownerId }) => ({ ownerId, id: _id }));
  },
  work: ({ ownerId, id }: Task) =>
    whileHeld(async ({ by }) => {
      const found = await MailingModel.find({ ownerId, _id: id, isFilling: true }, { heldBy: 1 }).lean();
      const [left] = await abandonedAmong(found);
      if (left) await removeUnfilled(ownerId, id, { from: left.heldBy, by });
      return null;
    }),
});
