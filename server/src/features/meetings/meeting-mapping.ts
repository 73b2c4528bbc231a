// Stored meetings as their readers may see them.
import type { CaseRow } from "@app/shared/cases";
import { isRestricted } from "@app/shared/clients";
import type { Meeting } from "@app/shared/meetings";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseRows } from "../cases/cases.service.ts";
import { clientNames, findSafeContacts } from "../clients/clients.service.ts";
import { colleagues } from "../users/users.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";

export async function oneMeeting(scope: Scope, doc: MeetingDoc): Promise<Meeting> {
  const [meeting] = await toMeetings(scope, [doc]);
  if (!meeting) throw notFound("Meeting");
  return meeting;
}

/** Stored meetings with names; of those that this person may not open only that the time is taken. */
export async function toMeetings(scope: Scope, docs: MeetingDoc[]): Promise<Meeting[]> {
  if (docs.length === 0) return [];
  const clientIds = [...new Set(docs.flatMap((doc) => doc.clientIds))];
  const [people, names, safety, cases] = await Promise.all([
    colleagues(scope.ownerId),
    clientNames(scope, clientIds),
    findSafeContacts(scope, clientIds),
    findCaseRows(scope, [...new Set(docs.flatMap(({ caseId }) => caseId ?? []))]),
  ]);
  const staff = new Map(people.map(({ userId, name }) => [userId, name]));
  return docs.map((doc) => {
    const theCase = cases.find(({ id }) => id === doc.caseId);
    const isOwn = doc.mediatorIds.includes(scope.userId) || doc.createdBy === scope.userId;
    const isBusyOnly = scope.isAssignedOnly && !isOwn && !theCase;
    const base = plain(doc, staff);
    if (isBusyOnly) return { ...base, ...NOTHING_TOLD, isBusyOnly };
    return {
      ...base,
      caseRef: theCase?.caseRef ?? "",
      people: peopleOf(doc, theCase, names),
      hasSafetyRule: doc.clientIds.some((id) => {
        const safe = safety.get(id);
        return safe !== undefined && isRestricted(safe);
      }),
      isBusyOnly,
    };
  });
}

const NOTHING_TOLD = {
  title: "",
  note: "",
  caseId: null,
  clientIds: [],
  partyIds: [],
  arrivals: [],
  attendance: [],
  people: [],
  caseRef: "",
  reason: "",
  hasSafetyRule: false,
  location: { kind: "in_person" as const, place: "" },
};

const plain = (doc: MeetingDoc, staff: ReadonlyMap<string, string>) => ({
  ...doc,
  id: doc._id,
  startsAt: doc.startsAt.toISOString(),
  endsAt: doc.endsAt.toISOString(),
  mediatorNames: doc.mediatorIds.map((id) => staff.get(id) ?? "Former colleague"),
});

const peopleOf = (
  doc: MeetingDoc,
  theCase: CaseRow | undefined,
  names: ReadonlyMap<string, string>,
): Meeting["people"] =>
  doc.clientIds.map((clientId) => {
    const party = theCase?.parties.find((one) => one.clientId === clientId);
    return {
      clientId,
      partyId: party?.partyId ?? "",
      label: party?.label ?? "",
      name: names.get(clientId) ?? "Deleted client",
    };
  });
