// What comes before the first mail of a mailing that was started: who failed waits again, and the history tells of it.
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import type { Turn } from "../../core/work-turns.ts";
import { recordEvents } from "../history/history.service.ts";
import { COUNTED_ANEW } from "./mailing-counts.ts";
import { writerOf } from "./mailing-sender.ts";
import { asHeld, type MailingDoc, type MailingItemDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";

const PIECE = 200;

/** In pieces, each of which is stored with how far it got; false where there is more, or another goes on with it. */
export async function madeReady(
  mailing: MailingDoc,
  userName: string,
  { isOver, step: stored }: Turn,
): Promise<boolean> {
  const steps = [
    ...(mailing.isRetrying ? [retrySome] : []),
    ...(typeof mailing.untoldAfter === "string" ? [tellSome] : []),
  ];
  for (const step of steps)
    for (let next: Next = await step(mailing, userName); next !== "done"; next = await step(mailing, userName)) {
      if (next === "lost" || isOver()) return false;
      stored();
    }
  return true;
}

/** As one that was never tried. */
export const TRIED_ANEW = () => ({ $set: { state: "waiting" as const, reason: "", attempts: 0, dueAt: now() } });

type Next = "more" | "done" | "lost";

const someOf = (
  { ownerId, _id: mailingId }: MailingDoc,
  filter: Partial<Pick<MailingItemDoc, "state">>,
  after: string,
) =>
  MailingItemModel.find({ ownerId, mailingId, ...filter, _id: mongoose.trusted({ $gt: after }) }, { clientId: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .lean();

function retrySome(mailing: MailingDoc): Promise<Next> {
  const { ownerId } = mailing;
  return inTransaction(async () => {
    const ids = (await someOf(mailing, { state: "failed" }, "")).map(({ _id }) => _id);
    const change = ids.length > 0 ? COUNTED_ANEW : { $unset: { isRetrying: 1 } };
    const { matchedCount } = await MailingModel.updateOne(asHeld(mailing), change);
    if (matchedCount === 0) return "lost";
    await MailingItemModel.updateMany({ ownerId, _id: mongoose.trusted({ $in: ids }) }, TRIED_ANEW());
    return ids.length > 0 ? "more" : "done";
  });
}

function tellSome(mailing: MailingDoc, userName: string): Promise<Next> {
  return inTransaction(async () => {
    const doc = await MailingModel.findOne(asHeld(mailing), { untoldAfter: 1, subject: 1 }).lean();
    if (typeof doc?.untoldAfter !== "string") return doc ? "done" : "lost";
    const items = await someOf(mailing, { state: "waiting" }, doc.untoldAfter);
    const last = items.at(-1)?._id;
    const change = last === undefined ? { $unset: { untoldAfter: 1 } } : { $set: { untoldAfter: last } };
    await MailingModel.updateOne(asHeld(mailing), change);
    const events = items.flatMap(({ clientId }) => (clientId === null ? [] : [lineOf(doc.subject, clientId)]));
    if (events.length > 0) await recordEvents({ ...writerOf(mailing), userName }, events);
    return last === undefined ? "done" : "more";
  });
}

const lineOf = (subject: string, clientId: string) => ({
  kind: "mail" as const,
  text: `Mailing “${subject}”`,
  caseId: null,
  clientIds: [clientId],
  visibility: { scope: "staff" as const, partyIds: [], aboutPartyIds: [] },
  needs: "mail.read" as const,
});
