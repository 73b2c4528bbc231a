// A link as whoever opens it meets it: wrong, archived, over and used up are all one and the same.
import mongoose from "mongoose";
import { hashToken } from "../../core/crypto.ts";
import { notFound, wrongState } from "../../core/visitor-refusals.ts";
import { systemScope } from "../../core/system-scope.ts";
import { PAGE_CHANGED } from "@app/shared/booking-limits";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import { colleagues } from "../users/users.service.ts";
import { type BookingLinkDoc, BookingLinkModel } from "./bookings.model.ts";
import { linkLeadsOn } from "./link-renewals.ts";

export const deadLink = () => notFound("Page");

export async function findOpenLink(publicId: string): Promise<BookingLinkDoc | null> {
  const link = await BookingLinkModel.findOne({ publicHash: hashToken(publicId), isArchived: false })
    .setOptions({ anyOwner: true })
    .lean();
  if (!link) return null;
  const isUsedUp = link.useLimit !== null && link.uses >= link.useLimit;
  const isOver = link.expiresOn !== "" && link.expiresOn < (await practiceToday(link.ownerId));
  return isUsedUp || isOver || !(await linkLeadsOn(link)) ? null : link;
}

export async function requireOpenLink(publicId: string): Promise<BookingLinkDoc> {
  const link = await findOpenLink(publicId);
  if (!link) throw deadLink();
  await assertTaken(link.ownerId);
  return link;
}

/** PRECONDITION_FAILED, without a reason that is nobody's business, where the practice takes nothing now. */
export async function assertTaken(ownerId: string): Promise<void> {
  if (!(await takesFromOutside(ownerId)))
    throw wrongState("Nothing can be booked on this page at the moment. Please phone us, or write to us.");
}

/** What somebody answers, and what they agree to, is for the link as their page showed it. */
export function assertAsShown(link: Pick<BookingLinkDoc, "version">, version: number): void {
  if (link.version !== version) throw wrongState(PAGE_CHANGED);
}

/** By which a meeting was booked; archived or not, what was booked by it can be moved. */
export const linkOfVisit = (ownerId: string, linkId: string): Promise<BookingLinkDoc | null> =>
  BookingLinkModel.findOne({ ownerId, _id: linkId }).lean();

/**
 * In the transaction of the booking: the link is as it was shown, and one use of it is counted; of any number at once none
 * goes over its limit. Without a limit that waits until it is booked, so that nobody waits for anybody else.
 */
export async function takeUse({ ownerId, _id, useLimit, version }: BookingLinkDoc): Promise<void> {
  const link = await BookingLinkModel.findOne({ ownerId, _id, isArchived: false }, { version: 1 }).lean();
  if (!link) throw deadLink();
  assertAsShown(link, version);
  if (useLimit === null) return;
  const { modifiedCount } = await BookingLinkModel.updateOne(
    { ownerId, _id, uses: mongoose.trusted({ $lt: useLimit }) },
    { $inc: { uses: 1 } },
  );
  if (modifiedCount === 0) throw deadLink();
}

/** Once it is booked. */
export async function countUse({ ownerId, _id, useLimit }: BookingLinkDoc): Promise<void> {
  if (useLimit === null) await BookingLinkModel.updateOne({ ownerId, _id }, { $inc: { uses: 1 } });
}

/** The same where what was given back is booked after all. */
export const countUseAgain = ({ ownerId, _id }: BookingLinkDoc) =>
  BookingLinkModel.updateOne({ ownerId, _id }, { $inc: { uses: 1 } });

/** What was cancelled by whoever booked it is no use: a link for one booking takes another one. */
export async function giveUseBack({ ownerId, _id }: BookingLinkDoc): Promise<void> {
  await BookingLinkModel.updateOne({ ownerId, _id, uses: mongoose.trusted({ $gt: 0 }) }, { $inc: { uses: -1 } });
}

/** Those of its mediators who work here. */
export async function mediatorsOf({ ownerId, mediatorIds }: BookingLinkDoc): Promise<{ id: string; name: string }[]> {
  const people = await colleagues(ownerId);
  return people
    .filter(({ userId, isActive }) => isActive && mediatorIds.includes(userId))
    .map(({ userId, name }) => ({ id: userId, name }));
}

/** What the product does by itself for whoever opened the link. */
export const scopeOf = ({ ownerId }: { ownerId: string }): Scope => systemScope(ownerId);

/** As which party of the case somebody comes; none where the link names no case. */
export async function partyIdsOf({ ownerId, caseId, clientId }: BookingLinkDoc): Promise<string[]> {
  if (!caseId) return [];
  const theCase = await getCase(systemScope(ownerId), caseId);
  const party = theCase.parties.find((one) => one.clientId === clientId);
  if (!party) throw deadLink();
  return [party.partyId];
}
