// Stored meetings as their readers may see them.
import mongoose from "mongoose";
import { can } from "@app/shared/access";
import { isHolding } from "@app/shared/meeting-states";
import type { CalendarMeeting, Meeting } from "@app/shared/meetings";
import { notFound } from "../../core/errors.ts";
import { mapInSlices } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { type CaseLabels, findCaseLabels } from "../cases/cases.service.ts";
import { type ClientBrief, clientBriefs, visibleClientIds } from "../clients/clients.service.ts";
import { defineReadVisits } from "../outbox/visit-mail.service.ts";
import { missingFor } from "../screenings/missing-then.service.ts";
import { colleagues } from "../users/users.service.ts";
import { agreedTimesOf } from "./agreed-times.ts";
import { mayReadNote } from "./child-inclusive.service.ts";
import { visitOf } from "./meeting-bookings.ts";
import { againstMeasuresOf, type MeetingDoc, MeetingModel, type PartyReply, unmetOf } from "./meetings.model.ts";

export async function oneMeeting(scope: Scope, doc: MeetingDoc): Promise<Meeting> {
  const [meeting] = await toMeetings(scope, [doc]);
  if (!meeting) throw notFound("Meeting");
  return meeting;
}

/** What a calendar is made of. */
export type CalendarDoc = Pick<
  MeetingDoc,
  | "_id"
  | "type"
  | "title"
  | "startsAt"
  | "endsAt"
  | "location"
  | "status"
  | "seriesId"
  | "version"
  | "caseId"
  | "clientIds"
  | "mediatorIds"
  | "createdBy"
>;

/** What meetings are told with: who is who, and whether this person may know more than that the time is taken. */
async function contextOf(scope: Scope, docs: readonly CalendarDoc[]) {
  const [clients, cases] = await Promise.all([
    clientBriefs(scope, [...new Set(docs.flatMap((doc) => doc.clientIds))]),
    casesOf(scope, docs),
  ]);
  const caseOf = (doc: CalendarDoc) => cases.get(doc.caseId ?? "");
  return {
    caseOf,
    peopleOf: (doc: CalendarDoc) => peopleOf(doc, caseOf(doc), clients),
    hasSafetyRule: (doc: CalendarDoc) => doc.clientIds.some((id) => clients.get(id)?.isRestricted ?? false),
    isBusyOnly: await hiddenFrom(scope, cases),
  };
}

const casesOf = (scope: Scope, docs: readonly CalendarDoc[]): Promise<Map<string, CaseLabels>> =>
  findCaseLabels(scope, [...new Set(docs.flatMap(({ caseId }) => caseId ?? []))]);

/** Whoever does not work on the case, or with everybody who comes, learns only that the time is taken. */
async function hiddenFrom(scope: Scope, cases: ReadonlyMap<string, CaseLabels>) {
  if (!scope.isAssignedOnly) return () => false;
  const seen = new Set(await visibleClientIds(scope));
  const isOwn = (doc: CalendarDoc) => doc.mediatorIds.includes(scope.userId) || doc.createdBy === scope.userId;
  return (doc: CalendarDoc) =>
    doc.caseId ? !cases.has(doc.caseId) : !isOwn(doc) || !doc.clientIds.every((id) => seen.has(id));
}

/** Those that have a place in this person's calendar: a hidden one that takes no time any more has none. */
export async function withPlace(scope: Scope, docs: readonly CalendarDoc[]): Promise<readonly CalendarDoc[]> {
  if (!scope.isAssignedOnly) return docs;
  const isHidden = await hiddenFrom(scope, await casesOf(scope, docs));
  return docs.filter((doc) => !isHidden(doc) || isHolding(doc.status));
}

/** Stored meetings with names; of those that this person may not open only that the time is taken. */
export async function toMeetings(scope: Scope, docs: MeetingDoc[]): Promise<Meeting[]> {
  if (docs.length === 0) return [];
  const [context, people] = await Promise.all([contextOf(scope, docs), colleagues(scope.ownerId)]);
  const staff = new Map(people.map(({ userId, name }) => [userId, name]));
  const mayReadScreenings = can(scope, "screening.read");
  return docs.map((doc) => {
    const isBusyOnly = context.isBusyOnly(doc);
    const own = plain(doc, staff);
    if (isBusyOnly) return { ...own, ...NOTHING_TOLD, againstMeasures: "", isBusyOnly };
    return {
      ...own,
      note: mayReadNote(scope, doc, context.caseOf(doc) ?? null) ? doc.note : "",
      againstMeasures: mayReadScreenings ? againstMeasuresOf(doc) : "",
      ...unmetFor(scope, doc),
      caseRef: context.caseOf(doc)?.caseRef ?? "",
      people: context.peopleOf(doc),
      visitor: visitorOf(scope, doc),
      hasSafetyRule: context.hasSafetyRule(doc),
      isBusyOnly,
    };
  });
}

/** The same in what a calendar shows of them. */
export async function toCalendarMeetings(scope: Scope, docs: readonly CalendarDoc[]): Promise<CalendarMeeting[]> {
  if (docs.length === 0) return [];
  const context = await contextOf(scope, docs);
  return mapInSlices(docs, (doc) => {
    const isBusyOnly = context.isBusyOnly(doc);
    return {
      id: doc._id,
      type: isBusyOnly ? NOTHING_TOLD.type : doc.type,
      title: isBusyOnly ? "" : doc.title,
      startsAt: doc.startsAt.toISOString(),
      endsAt: doc.endsAt.toISOString(),
      location: isBusyOnly ? NOTHING_TOLD.location : doc.location,
      status: isBusyOnly ? NOTHING_TOLD.status : doc.status,
      seriesId: isBusyOnly ? null : doc.seriesId,
      version: doc.version,
      people: isBusyOnly ? [] : context.peopleOf(doc).map(({ label, name }) => ({ label, name })),
      hasSafetyRule: !isBusyOnly && context.hasSafetyRule(doc),
      isBusyOnly,
    };
  });
}

function unmetFor(scope: Scope, doc: MeetingDoc): Pick<Meeting, "unmet"> {
  const { missing, reason } = unmetOf(doc);
  return missing.length > 0 ? { unmet: missingFor(scope, missing, reason) } : {};
}

const NOTHING_TOLD = {
  type: "other" as const,
  status: "booked" as const,
  seriesId: null,
  title: "",
  note: "",
  caseId: null,
  clientIds: [],
  partyIds: [],
  arrivals: [],
  childIds: [],
  arrangements: [],
  rooms: [],
  others: [],
  attendance: [],
  replies: [],
  claims: [],
  agreedTimes: [],
  people: [],
  visitor: null,
  caseRef: "",
  reason: "",
  hasSafetyRule: false,
  location: { kind: "in_person" as const, place: "" },
};

const standing = ({ partyIds, uids }: MeetingDoc, replies: PartyReply[] = []) =>
  replies
    .filter(({ partyId }) => partyIds.includes(partyId))
    .filter((one) => uids.some(({ partyId, sequence }) => partyId === one.partyId && sequence === one.sequence))
    .map(({ partyId, reply }) => ({ partyId, reply }));

/** Field by field: what the answer does not have stays behind. */
const plain = (doc: MeetingDoc, staff: ReadonlyMap<string, string>) => ({
  id: doc._id,
  type: doc.type,
  title: doc.title,
  startsAt: doc.startsAt.toISOString(),
  endsAt: doc.endsAt.toISOString(),
  timeZone: doc.timeZone,
  location: doc.location,
  mediatorIds: doc.mediatorIds,
  mediatorNames: doc.mediatorIds.map((id) => staff.get(id) ?? "Former colleague"),
  caseId: doc.caseId,
  clientIds: doc.clientIds,
  partyIds: doc.partyIds,
  arrivals: doc.arrivals,
  // Not there in those from before it was asked.
  childIds: doc.childIds ?? [],
  arrangements: doc.arrangements,
  rooms: doc.rooms,
  others: doc.others,
  attendance: doc.attendance,
  replies: standing(doc, doc.replies),
  claims: standing(doc, doc.claims),
  agreedTimes: agreedTimesOf(doc),
  note: doc.note,
  status: doc.status,
  reason: doc.reason,
  seriesId: doc.seriesId,
  version: doc.version,
});

/**
 * Who booked it from outside. How to reach them and what they wrote is for whoever mediates it or keeps the calendar, as
 * the enquiry that it becomes is the owner's; others see who comes.
 */
function visitorOf(scope: Scope, doc: MeetingDoc): Meeting["visitor"] {
  const details = visitOf(doc);
  if (!doc.booking || !details) return null;
  if (!doc.mediatorIds.includes(scope.userId) && !can(scope, "calendar.manage")) {
    const person = details.visitor && { name: details.visitor.name, email: "", phone: "" };
    return { person, answers: [], timeZone: doc.booking.timeZone };
  }
  return { person: details.visitor, answers: details.answers, timeZone: doc.booking.timeZone };
}

// What is mailed to them holds the same.
defineReadVisits(async (scope) =>
  can(scope, "calendar.manage") && !scope.isAssignedOnly
    ? "all"
    : MeetingModel.distinct("_id", {
        ownerId: scope.ownerId,
        "booking.tokenHash": mongoose.trusted({ $exists: true }),
        mediatorIds: scope.userId,
      }),
);

const peopleOf = (
  doc: CalendarDoc,
  theCase: CaseLabels | undefined,
  clients: ReadonlyMap<string, ClientBrief>,
): Meeting["people"] =>
  doc.clientIds.map((clientId) => {
    const party = theCase?.parties.find((one) => one.clientId === clientId);
    return {
      clientId,
      partyId: party?.partyId ?? "",
      label: party?.label ?? "",
      name: clients.get(clientId)?.name ?? "Deleted client",
    };
  });
