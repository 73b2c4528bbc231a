import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import { HISTORY_KINDS, type historyPageSchema, type listHistorySchema, OWN_LINE_KINDS } from "@app/shared/history";
import { ASKED_MAX } from "@app/shared/party-preview";
import { badField } from "../../core/errors.ts";
import { withinRights } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { readableCasesOf } from "../cases/client-cases.service.ts";
import { partyOf, readableFor } from "../visibility/for-party.service.ts";
import {
  type GuardedItem,
  readableByParty,
  readableFilter,
  readableInCases,
  staffReader,
  type PartyItems,
} from "../visibility/visibility.service.ts";
import { type MeetingNames, meetingNames } from "../meetings/party-meetings.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { neutralLine } from "../clients/neutral-words.service.ts";
import { type HistoryDoc, historyPage, latestLines } from "../history/history-reading.service.ts";

type Input = z.output<typeof listHistorySchema>;

/** What happened to a client and in their cases, or in one case, the newest first, as far as this person may read it. */
export async function listHistory(scope: Scope, input: Input): Promise<z.infer<typeof historyPageSchema>> {
  const filter: QueryFilter<HistoryDoc> = {
    ownerId: scope.ownerId,
    ...kindsFor(scope, input),
    ...withinRights(scope),
    ...(await readableBy(scope, input)),
  };
  return historyPage(filter, input.page);
}

/** Whoever sees their own tasks alone reads of none here: a line does not know whose task it tells of. */
function kindsFor({ isAssignedOnly }: Scope, { kind }: Input): QueryFilter<HistoryDoc> {
  const kinds = HISTORY_KINDS.filter((one) => (kind ? one === kind : true) && !(isAssignedOnly && one === "task"));
  return kinds.length === HISTORY_KINDS.length ? {} : { kind: mongoose.trusted({ $in: kinds }) };
}

async function readableBy(scope: Scope, { clientId, caseId }: Input): Promise<QueryFilter<HistoryDoc>> {
  if (caseId) {
    const theCase = await getCase(scope, caseId);
    return { caseId, ...readableFilter(staffReader(scope, theCase)) };
  }
  if (!clientId) throw badField("clientId", "Choose a client or a case.");
  await assertClientsVisible(scope, [clientId]);
  const ofCases = readableInCases(scope, await readableCasesOf(scope, clientId));
  return { $or: [{ clientIds: clientId, caseId: null, ...readableFilter(staffReader(scope, null)) }, ...ofCases] };
}

/** The latest of a case's history, each entry with who may read it. */
export async function caseHistory(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const to = { theCase, partyId };
  const own = partyOf(to);
  const names = await meetingNames(scope, to);
  const filter: QueryFilter<HistoryDoc> = {
    ownerId: scope.ownerId,
    caseId: theCase.id,
    clientIds: own.clientId,
    ...withinRights(scope),
    $and: [readableByParty(own, "history"), ofKnownMeetings(names)],
  };
  const docs = await latestLines(filter, ASKED_MAX);
  const items = docs.map((doc): GuardedItem => {
    const { _id, at, kind, meeting, visibility } = doc;
    const isEvent = !OWN_LINE_KINDS.includes(kind) && !meeting?.isOff;
    const times = { at: at.toISOString(), since: at, changedAt: at };
    return {
      kind: "history",
      id: _id,
      title: withoutLabel(wordsOf(doc, names), own.label),
      detail: "",
      ...times,
      isEvent,
      visibility,
    };
  });
  return readableFor(to, items);
}

/** Of the lines about meetings those about such as the party knows; none that may name them otherwise than they may know. */
const ofKnownMeetings = ({ byId, isNeutral }: MeetingNames): QueryFilter<HistoryDoc> => ({
  $or: [
    { kind: mongoose.trusted({ $ne: "meeting" as const }) },
    { "meeting.meetingId": mongoose.trusted({ $in: [...byId.keys()] }) },
    ...(isNeutral ? [] : [{ meeting: null }]),
  ],
});

/** Nobody knows themselves as P2: of a line that begins with whom it is about, the rest. */
function withoutLabel(text: string, label: string): string {
  const start = [`${label}: `, `${label} `].find((each) => text.startsWith(each));
  if (start === undefined) return text;
  const rest = text.slice(start.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** A line as the party may read it today: meetings are named as they may know them now. */
function wordsOf({ text, meeting }: HistoryDoc, { byId, isNeutral }: MeetingNames): string {
  const name = meeting && byId.get(meeting.meetingId);
  if (meeting && name !== undefined) return `${name} ${meeting.did}`;
  return isNeutral ? neutralLine(text) : text;
}
