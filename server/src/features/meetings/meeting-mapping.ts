// Stored meetings as their readers may see them.
import { isHolding } from "@app/shared/meeting-states";
import type { CalendarMeeting, Meeting } from "@app/shared/meetings";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type CaseLabels, findCaseLabels } from "../cases/cases.service.ts";
import { type ClientBrief, clientBriefs, visibleClientIds } from "../clients/clients.service.ts";
import { colleagues } from "../users/users.service.ts";
import type { MeetingDoc, PartyReply } from "./meetings.model.ts";

export async function oneMeeting(scope: Scope, doc: MeetingDoc): Promise<Meeting> {
  const [meeting] = await toMeetings(scope, [doc]);
  if (!meeting) throw notFound("Meeting");
  return meeting;
}

/** What meetings are told with: who is who, and whether this person may know more than that the time is taken. */
async function contextOf(scope: Scope, docs: MeetingDoc[]) {
  const [people, clients, cases] = await Promise.all([
    colleagues(scope.ownerId),
    clientBriefs(scope, [...new Set(docs.flatMap((doc) => doc.clientIds))]),
    findCaseLabels(scope, [...new Set(docs.flatMap(({ caseId }) => caseId ?? []))]),
  ]);
  const seen = new Set(scope.isAssignedOnly ? await visibleClientIds(scope) : []);
  const isOwn = (doc: MeetingDoc) => doc.mediatorIds.includes(scope.userId) || doc.createdBy === scope.userId;
  /** Whoever does not work on the case, or with everybody who comes, learns only that the time is taken. */
  const isOpen = (doc: MeetingDoc) =>
    doc.caseId ? cases.has(doc.caseId) : doc.clientIds.every((id) => seen.has(id)) && isOwn(doc);
  const caseOf = (doc: MeetingDoc) => cases.get(doc.caseId ?? "");
  return {
    staff: new Map(people.map(({ userId, name }) => [userId, name])),
    caseOf,
    peopleOf: (doc: MeetingDoc) => peopleOf(doc, caseOf(doc), clients),
    hasSafetyRule: (doc: MeetingDoc) => doc.clientIds.some((id) => clients.get(id)?.isRestricted ?? false),
    isBusyOnly: (doc: MeetingDoc) => scope.isAssignedOnly && !isOpen(doc),
  };
}

/** Stored meetings with names; of those that this person may not open only that the time is taken. */
export async function toMeetings(scope: Scope, docs: MeetingDoc[]): Promise<Meeting[]> {
  if (docs.length === 0) return [];
  const context = await contextOf(scope, docs);
  return docs.map((doc) => {
    const isBusyOnly = context.isBusyOnly(doc);
    const own = plain(doc, context.staff);
    if (isBusyOnly) return { ...own, ...NOTHING_TOLD, isBusyOnly };
    return {
      ...own,
      caseRef: context.caseOf(doc)?.caseRef ?? "",
      people: context.peopleOf(doc),
      hasSafetyRule: context.hasSafetyRule(doc),
      isBusyOnly,
    };
  });
}

/** The same in what a calendar shows of them. */
export async function toCalendarMeetings(scope: Scope, docs: MeetingDoc[]): Promise<CalendarMeeting[]> {
  if (docs.length === 0) return [];
  const context = await contextOf(scope, docs);
  // A hidden one that takes no time any more takes no place in a calendar either.
  const shown = docs.filter((doc) => !context.isBusyOnly(doc) || isHolding(doc.status));
  return shown.map((doc) => {
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
  attendance: [],
  replies: [],
  claims: [],
  people: [],
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
  attendance: doc.attendance,
  replies: standing(doc, doc.replies),
  claims: standing(doc, doc.claims),
  note: doc.note,
  status: doc.status,
  reason: doc.reason,
  seriesId: doc.seriesId,
  version: doc.version,
});

const peopleOf = (
  doc: MeetingDoc,
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
