// From the recipients that are due to what became of each: taken in batches, sent side by side, stored as they were sent.
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import type { Carrier } from "./mailing-carrier.ts";
import { type Addressed, lettersFor, type Template } from "./mailing-letters.ts";
import { outcomeKeeper } from "./mailing-outcomes.ts";
import { type MailingDoc, type MailingItemDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";
import { CANCELLED } from "./mailings.service.ts";

const BATCH = 100;

interface Way {
  template: Template;
  carrier: Carrier;
  /** Resolves when the next mail may go. */
  turn: () => Promise<void>;
  isHeld: () => boolean;
}

/** Sends to everybody who is due, as long as the mailing is held; what was taken and not sent is put back. */
export async function sendDue(mailing: MailingDoc, { template, carrier, turn, isHeld }: Way): Promise<void> {
  const taken = new Set<MailingItemDoc>();
  const letters = lettersDue(mailing, template, taken);
  const outcomes = outcomeKeeper(mailing.ownerId);
  const lane = async () => {
    for await (const { item, letter, whyNot } of letters) {
      if (!whyNot) await turn();
      if (!isHeld() || outcomes.hasFailed()) return;
      taken.delete(item);
      outcomes.note(item, whyNot ? { state: "skipped", reason: whyNot } : await carrier.send(letter));
    }
  };
  await Promise.all(Array.from({ length: carrier.lanes }, lane));
  await outcomes.stored();
  await release(mailing, [...taken]);
}

/** Fetches the next batch while this one is sent: a mail server must not wait for a database. */
async function* lettersDue(
  mailing: MailingDoc,
  template: Template,
  taken: Set<MailingItemDoc>,
): AsyncGenerator<Addressed> {
  const fetchBatch = async () => lettersFor(mailing, await takeBatch(mailing, taken), template);
  let batch = await fetchBatch();
  while (batch.length > 0) {
    const next = fetchBatch();
    // Whoever waits for it hears of a failure; until then it is nobody's.
    next.catch(() => undefined);
    try {
      yield* batch;
    } finally {
      await next;
    }
    batch = await next;
  }
}

const among = (items: { _id: string }[]) => mongoose.trusted({ $in: items.map(({ _id }) => _id) });

/** Marks the next that are due as being sent. */
async function takeBatch({ ownerId, _id: mailingId }: MailingDoc, taken: Set<MailingItemDoc>) {
  const items = await MailingItemModel.find({
    ownerId,
    mailingId,
    state: "waiting",
    dueAt: mongoose.trusted({ $lte: now() }),
  })
    .sort({ dueAt: 1, _id: 1 })
    .limit(BATCH)
    .lean();
  if (items.length > 0)
    await MailingItemModel.updateMany({ ownerId, _id: among(items) }, { $set: { state: "sending" } });
  for (const item of items) taken.add(item);
  return items;
}

async function release({ ownerId, _id }: MailingDoc, items: MailingItemDoc[]): Promise<void> {
  if (items.length === 0) return;
  const isCancelled = await MailingModel.exists({ ownerId, _id, state: "cancelled" });
  const change = isCancelled
    ? { state: "skipped" as const, reason: CANCELLED }
    : { state: "waiting" as const, reason: "" };
  await MailingItemModel.updateMany({ ownerId, _id: among(items) }, { $set: change });
}
