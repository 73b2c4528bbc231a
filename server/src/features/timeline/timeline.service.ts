import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import { HISTORY_KINDS, type historyPageSchema, type listHistorySchema } from "@app/shared/history";
import { badField } from "../../core/errors.ts";
import { withinRights } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase, listCasesOfClient } from "../cases/cases.service.ts";
import { type ForParty, partyOf, readableFor } from "../visibility/for-party.service.ts";
import { type GuardedItem, readableByParty, readableFilter, staffReader } from "../visibility/visibility.service.ts";
import { type MeetingNames, meetingNames } from "../meetings/party-meetings.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { type HistoryDoc, historyPage, latestLines } from "../history/history-reading.service.ts";

const PREVIEW_MAX = 100;

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
  const cases = await listCasesOfClient(scope, clientId);
  const ofCases = cases.map((theCase) => ({
    caseId: theCase.id,
    ...readableFilter(staffReader(scope, theCase)),
  }));
  return { $or: [{ clientIds: clientId, caseId: null, ...readableFilter(staffReader(scope, null)) }, ...ofCases] };
}

/** The latest of a case's history, each entry with who may read it. */
export async function caseHistory(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly GuardedItem[]>> {
  const to = { theCase, partyId };
  const own = partyOf(to);
  const filter: QueryFilter<HistoryDoc> = {
    ownerId: scope.ownerId,
    caseId: theCase.id,
    clientIds: own.clientId,
    ...withinRights(scope),
    ...readableByParty(own, "history"),
  };
  const docs = await latestLines(filter, PREVIEW_MAX);
  const meetingIds = docs.flatMap(({ meeting }) => meeting?.meetingId ?? []);
  const names = await meetingNames(scope, to, meetingIds);
  const items = docs.flatMap((doc): GuardedItem[] => {
    const { _id, at, visibility } = doc;
    const title = wordsOf(doc, names);
    if (title === null) return [];
    return [
      { kind: "history", id: _id, title, detail: "", at: at.toISOString(), since: at, changedAt: at, visibility },
    ];
  });
  return readableFor(to, items);
}

/** A line as the party may read it today; null where they may not. Meetings are named as they may know them now. */
function wordsOf({ kind, text, meeting }: HistoryDoc, { byId, isNeutral }: MeetingNames): string | null {
  if (kind !== "meeting") return text;
  if (!meeting) return isNeutral ? null : text;
  const name = byId.get(meeting.meetingId);
  return name === undefined ? null : `${name} ${meeting.did}`;
}
