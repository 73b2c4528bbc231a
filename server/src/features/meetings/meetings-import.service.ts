// What an import needs of meetings: many at once, and back out again.
import mongoose from "mongoose";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { Dates } from "../../core/dates.ts";
import type { Scope } from "../../core/trpc.ts";
import { recordEvents } from "../history/history.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { toMeetings } from "./meeting-mapping.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

/** Those of these clients, or cases, that a meeting was arranged with. */
export async function meetingsOn(
  ownerId: string,
  { clientIds = [], caseIds = [] }: { clientIds?: string[]; caseIds?: string[] },
): Promise<Set<string>> {
  const docs = await MeetingModel.find(
    {
      ownerId,
      $or: [{ clientIds: mongoose.trusted({ $in: clientIds }) }, { caseId: mongoose.trusted({ $in: caseIds }) }],
    },
    { clientIds: 1, caseId: 1 },
  ).lean();
  return new Set(docs.flatMap((doc) => [...doc.clientIds, ...(doc.caseId === null ? [] : [doc.caseId])]));
}

type Begun = Pick<MeetingDoc, "startsAt" | "type" | "caseId" | "clientIds">;

/** The meetings that begin when one of these does, as far as this person may open them. */
export async function meetingsAt(scope: Scope, starts: Date[]): Promise<Begun[]> {
  const docs = await MeetingModel.find(
    { ownerId: scope.ownerId, startsAt: mongoose.trusted({ $in: starts }) },
    { startsAt: 1, type: 1, caseId: 1, clientIds: 1 },
  ).lean();
  if (!scope.isAssignedOnly) return docs;
  const seen = await meetingsSeenAmong(
    scope,
    docs.map(({ _id }) => _id),
  );
  return docs.filter(({ _id }) => seen.has(_id));
}

const nameOf = ({ type, startsAt }: Begun, { longDay, time }: Dates): string =>
  `${MEETING_TYPE_NAMES[type]} on ${longDay(startsAt)} at ${time(startsAt)}`;

/** These meetings by what a person calls them, and whether each was changed since it was stored. */
export async function importedMeetings(
  { ownerId }: Scope,
  ids: string[],
): Promise<Map<string, { name: string; isChanged: boolean }>> {
  const docs = await MeetingModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }).lean();
  const dates = await practiceDates(ownerId);
  return new Map(docs.map((doc) => [doc._id, { name: nameOf(doc, dates), isChanged: doc.version > 0 }]));
}

/** Those of these meetings of which somebody who comes was told: to take them back would not tell them. */
export const meetingsToldOf = async ({ ownerId }: Scope, ids: string[]): Promise<string[]> =>
  MeetingModel.distinct("_id", {
    ownerId,
    _id: mongoose.trusted({ $in: ids }),
    $or: [
      { isInvitationSent: true },
      { remindedAt: mongoose.trusted({ $ne: null }) },
      { writtenAt: mongoose.trusted({ $ne: null }) },
    ],
  });

/** Those of these meetings that this person may open. */
export async function meetingsSeenAmong(scope: Scope, ids: string[]): Promise<Set<string>> {
  const docs = await MeetingModel.find({ ownerId: scope.ownerId, _id: mongoose.trusted({ $in: ids }) }).lean();
  const meetings = await toMeetings(scope, docs);
  return new Set(meetings.filter(({ isBusyOnly }) => !isBusyOnly).map(({ id }) => id));
}

/**
 * Takes meetings back that nobody changed and nobody was told of, and says so in the history of whom they were with, for
 * the practice. Call it in the transaction that made sure of it.
 */
export async function removeMeetings(scope: Scope, ids: string[]): Promise<void> {
  const { ownerId } = scope;
  const docs = await MeetingModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }), version: 0 }).lean();
  if (docs.length === 0) return;
  const dates = await practiceDates(ownerId);
  await recordEvents(
    scope,
    docs.map((doc) => ({
      kind: "import",
      text: `${nameOf(doc, dates)} removed: the import it came with was undone`,
      caseId: doc.caseId,
      clientIds: doc.clientIds,
      visibility: PRACTICE_ONLY,
    })),
  );
  await MeetingModel.deleteMany({ ownerId, _id: mongoose.trusted({ $in: docs.map(({ _id }) => _id) }) });
}
