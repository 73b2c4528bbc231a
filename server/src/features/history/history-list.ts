// Reading the history asks for cases and clients; writing it must not, because they write it themselves.
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import { HISTORY_KINDS, type historyPageSchema, type listHistorySchema } from "@app/shared/history";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { badField } from "../../core/errors.ts";
import { withinRights } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase, listCasesOfClient } from "../cases/cases.service.ts";
import { type ForParty, partyOf, readableFor } from "../visibility/for-party.ts";
import { type GuardedItem, readableByParty, readableFilter, staffReader } from "../visibility/visibility.ts";
import { type MeetingNames, meetingNames } from "../meetings/party-meetings.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { type HistoryDoc, HistoryModel, toHistoryEvent } from "./history.model.ts";

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
  const [docs, total] = await Promise.all([
    HistoryModel.find(filter)
      .sort({ at: -1, _id: -1 })
      .skip((input.page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    HistoryModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: docs.map(toHistoryEvent), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
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
  const docs = await HistoryModel.find({
    ownerId: scope.ownerId,
    caseId: theCase.id,
    clientIds: own.clientId,
    ...withinRights(scope),
    ...readableByParty(own, "history"),
  })
    .sort({ at: -1, _id: -1 })
    .limit(PREVIEW_MAX)
    .lean();
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
