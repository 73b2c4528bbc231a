// Two parties who are to find a time without learning of each other, as the practice keeps it.
import mongoose from "mongoose";
import type { z } from "zod";
import type { BookingPair, CreatePair, listPairsSchema, pairPageSchema } from "@app/shared/booking-pairs";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, missingWith, notFound, wrongState } from "../../core/errors.ts";
import { newId, newToken } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleCaseIds } from "../cases/case-places.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { assertPeople } from "../meetings/booking.service.ts";
import { cancelMeeting } from "../meetings/meetings.service.ts";
import { findHolding, type MeetingDoc, wasCancelled, whyNotAskedTo } from "../meetings/visits.service.ts";
import { type BookingPairDoc, BookingPairModel, isBookedOnce, linksOf, sealLinks } from "./pairs.model.ts";
import { noteShown } from "./shown-addresses.ts";

definePartyTrace("they were asked which times suit them", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await BookingPairModel.exists({ ownerId, caseId, "sides.partyId": partyId })),
);

/** PRECONDITION_FAILED where these two may not be asked to such a meeting, as by an invitation. */
export async function createPair(scope: Scope, { partyIds, ...input }: CreatePair): Promise<BookingPair> {
  const theCase = await getCase(scope, input.caseId);
  if (new Set(partyIds).size < partyIds.length) throw badField("partyIds", "Choose two parties");
  await assertPeople(scope, theCase, { ...input, partyIds, arrivals: [] });
  const why = await whyNotAskedTo(scope, theCase, plannedOf({ ...input, sides: sidesFor(partyIds) }));
  if (why) throw wrongState(why);
  const _id = newId();
  const links = Object.fromEntries(partyIds.map((partyId) => [partyId, newToken()]));
  const stored = await inTransaction(async () => {
    await assertStillParties(scope.ownerId, input.caseId, partyIds);
    const [doc] = await BookingPairModel.create([
      {
        ...input,
        _id,
        ownerId: scope.ownerId,
        ...sealLinks(scope.ownerId, _id, links),
        createdBy: scope.userId,
        createdAt: now(),
      },
    ]);
    if (!doc) throw notFound("Pair of links");
    await recordEvent(scope, {
      kind: "meeting",
      text: `Links made by which two parties find a time: ${input.title}`,
      caseId: input.caseId,
      clientIds: theCase.parties.filter((one) => partyIds.includes(one.partyId)).map(({ clientId }) => clientId),
      visibility: PRACTICE_ONLY,
    });
    return doc.toObject();
  });
  return onePair(scope, stored);
}

const sidesFor = (partyIds: readonly string[]) => partyIds.map((partyId) => ({ partyId }));

/** The meeting that both are asked to, as the gates look at it. */
export const plannedOf = ({
  type,
  location,
  sides,
}: Pick<BookingPairDoc, "type" | "location"> & { sides: readonly { partyId: string }[] }) => ({
  type,
  location,
  partyIds: sides.map(({ partyId }) => partyId),
  arrivals: [],
  arrangements: [],
  isInvitationSent: true,
});

async function requirePair(scope: Scope, id: string): Promise<BookingPairDoc> {
  const doc = await BookingPairModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Pair of links");
  await missingWith("Pair of links", getCase(scope, doc.caseId));
  return doc;
}

export const getPair = async (scope: Scope, id: string): Promise<BookingPair> =>
  onePair(scope, await requirePair(scope, id));

/** Neither link opens anything any more; a time that was kept and not booked is free again. */
export async function endPair(scope: Scope, id: string): Promise<BookingPair> {
  const doc = await requirePair(scope, id);
  await inTransaction(async () => {
    await BookingPairModel.updateOne({ ownerId: scope.ownerId, _id: id }, { $set: { isEnded: true } });
    const meeting = doc.meetingId ? await findHolding(scope.ownerId, doc.meetingId) : null;
    if (meeting?.status !== "proposed") return;
    const how = { reason: "The links were ended", isLate: false, isWholeSeries: false };
    await cancelMeeting(scope, { id: meeting._id, version: meeting.version, ...how });
  });
  return getPair(scope, id);
}

/** The newest first, of the cases that this person sees. */
export async function listPairs(
  scope: Scope,
  { page }: z.output<typeof listPairsSchema>,
): Promise<z.infer<typeof pairPageSchema>> {
  const caseIds = await visibleCaseIds(scope);
  const filter = {
    ownerId: scope.ownerId,
    ...(caseIds ? { caseId: mongoose.trusted({ $in: [...caseIds] }) } : {}),
  };
  const [docs, total] = await Promise.all([
    BookingPairModel.find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    BookingPairModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  await noteSeen(scope, docs);
  const items: BookingPair[] = [];
  for (const doc of docs) items.push(await toPair(scope, doc));
  return { items, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

async function stateOf(doc: BookingPairDoc, meeting: MeetingDoc | null): Promise<BookingPair["state"]> {
  if (meeting) return meeting.status === "proposed" ? "held" : "booked";
  if (doc.isEnded) return "over";
  if (!isBookedOnce(doc)) return "asking";
  return (await wasCancelled(doc.ownerId, doc.meetingId)) ? "cancelled" : "over";
}

const noteSeen = (scope: Scope, docs: readonly BookingPairDoc[]): Promise<void> =>
  noteShown(scope, docs, (ids) =>
    BookingPairModel.updateMany(
      { ownerId: scope.ownerId, _id: mongoose.trusted({ $in: ids }) },
      { $addToSet: { shownTo: scope.userId } },
    ),
  );

async function onePair(scope: Scope, doc: BookingPairDoc): Promise<BookingPair> {
  await noteSeen(scope, [doc]);
  return toPair(scope, doc);
}

async function toPair(scope: Scope, doc: BookingPairDoc): Promise<BookingPair> {
  const theCase = await getCase(scope, doc.caseId);
  const links = linksOf(doc);
  const meeting = doc.meetingId ? await findHolding(doc.ownerId, doc.meetingId) : null;
  return {
    id: doc._id,
    caseId: doc.caseId,
    caseRef: theCase.caseRef,
    type: doc.type,
    minutes: doc.minutes,
    state: await stateOf(doc, meeting),
    meetingId: meeting?._id ?? null,
    startsAt: meeting?.startsAt.toISOString() ?? null,
    sides: doc.sides.map(({ partyId, picks, confirmedAt }) => {
      const party = theCase.parties.find((one) => one.partyId === partyId);
      return {
        partyId,
        label: party?.label ?? "",
        name: party?.name ?? "Former party",
        publicId: links[partyId] ?? "",
        pickCount: picks.length,
        hasConfirmed: confirmedAt !== null,
      };
    }),
  };
}
