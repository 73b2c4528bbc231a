// The one way in which a stored case changes: with its version, its derived fields and the practice's counts.
import { CASE_STATUS_NAMES } from "@app/shared/case-states";
import { whoIsWaitedFor } from "@app/shared/case-waiting";
import { WAITING_FOR_NOBODY, WAITING_FOR_PRACTICE } from "@app/shared/cases";
import { foldText } from "@app/shared/text";
import { forParty, PRACTICE_ONLY } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale } from "../../core/errors.ts";
import type { Needs } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { recordEvent } from "../history/history.service.ts";
import { settleSides } from "./case-steps.service.ts";
import { CaseCountModel } from "./case-counts.model.ts";
import { takePartiesTurn } from "./case-parties.service.ts";
import { assertMayBring, reassignClients, workersOf } from "./case-team.service.ts";
import { type CaseDoc, CaseModel, type PartyDoc } from "./cases.model.ts";

/** The cases that this person may see at all. */
export const visibleTo = (scope: Scope) => ({
  ownerId: scope.ownerId,
  ...(scope.isAssignedOnly ? { assignedUserIds: scope.userId } : {}),
});

type Stored = Omit<CaseDoc, "createdAt" | "updatedAt">;

/** What follows from the rest of a case: whom it waits for, who may see it, how it is found. */
export function derive<Case extends Stored>(draft: Case): Case {
  const waitingFor = whoIsWaitedFor(draft.status, draft.parties);
  const waitingParty = draft.parties.find(({ partyId }) => partyId === waitingFor);
  const { caseRef } = draft;
  return {
    ...draft,
    waitingFor,
    waitingSince: waitingParty?.statusSince ?? draft.statusSince,
    clientIds: draft.parties.map(({ clientId }) => clientId),
    assignedUserIds: workersOf(draft),
    searchTerms: [...new Set([foldText(caseRef), ...foldText(caseRef).split(/[ /.-]/)])].filter(Boolean),
  };
}

type Follower = (scope: Scope, before: CaseDoc, after: CaseDoc) => Promise<void>;
const followers: Follower[] = [];

/** What follows from each change of a case, in its transaction; called once, beside the code that does it. */
export const defineCaseFollower = (follow: Follower): void => {
  followers.push(follow);
};

type Settler = (scope: Scope, before: CaseDoc, draft: CaseDoc) => Promise<void>;
const settlers: Settler[] = [];

/** What each change of a case has to keep to, whoever makes it: it may change the draft before that is stored. */
export const defineCaseSettler = (settle: Settler): void => {
  settlers.push(settle);
};

/** Changes one case where it still has this version; nobody's change is lost. */
export async function changeCase(
  scope: Scope,
  { id, version }: { id: string; version: number },
  change: (draft: CaseDoc) => Promise<void> | void,
): Promise<CaseDoc> {
  return inTransaction(async () => {
    const before = await CaseModel.findOne({ ...visibleTo(scope), _id: id }).lean();
    if (!before) throw notFound("Case");
    if (before.version !== version) throw stale("case");
    const draft = structuredClone(before);
    await change(draft);
    for (const settle of settlers) await settle(scope, before, draft);
    if (isWhoThereChanged(before, draft)) await takePartiesTurn(scope.ownerId, id);
    const settled = settleSides(draft);
    if (settled)
      await tellOfStep(scope, draft, {
        text: `Fewer than two sides take part: case moved to ${CASE_STATUS_NAMES[settled]}`,
      });
    const {
      _id,
      ownerId: _ownerId,
      version: _version,
      createdAt: _created,
      updatedAt: _updated,
      ...fields
    } = derive(draft);
    await assertMayBring(
      scope,
      fields.clientIds.filter((clientId) => !before.clientIds.includes(clientId)),
    );
    const after = await CaseModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id, version },
      { $set: fields, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    );
    if (!after) throw stale("case");
    if (isSeenByOthers(before, after)) await reassignClients(scope.ownerId, [...before.clientIds, ...after.clientIds]);
    await count(scope.ownerId, [before], [after]);
    for (const follow of followers) await follow(scope, before, after);
    return after;
  });
}

/** A line in the history of the case, for the practice alone. */
export const tellOfStep = (
  scope: Scope,
  { _id, clientIds }: Pick<CaseDoc, "_id" | "clientIds">,
  { text, needs = null }: { text: string; needs?: Needs },
) => recordEvent(scope, { kind: "case", text, caseId: _id, clientIds, visibility: PRACTICE_ONLY, needs });

/** The same for one party, who may read it. */
export const tellOfParty = (
  scope: Scope,
  { _id }: Pick<CaseDoc, "_id">,
  { party: { clientId, partyId }, text }: { party: Pick<PartyDoc, "clientId" | "partyId">; text: string },
) => recordEvent(scope, { kind: "case", text, caseId: _id, clientIds: [clientId], visibility: forParty(partyId) });

/** Since when each party is there, and when they were not, which says what they read of what is told to all. */
const presenceOf = ({ parties }: Pick<CaseDoc, "parties">): string =>
  JSON.stringify(parties.map(({ partyId, joinedAt, leftAt, absences }) => [partyId, joinedAt, leftAt, absences]));

const isWhoThereChanged = (before: CaseDoc, after: CaseDoc): boolean => presenceOf(before) !== presenceOf(after);

type Seen = Pick<CaseDoc, "clientIds" | "assignedUserIds">;

const isSeenByOthers = (before: Seen, after: Seen): boolean =>
  JSON.stringify([before.clientIds, before.assignedUserIds]) !==
  JSON.stringify([after.clientIds, after.assignedUserIds]);

/** Keeps the practice's totals in step; call it in the transaction that changes the cases. */
export async function count(ownerId: string, before: Counted[], after: Counted[]): Promise<void> {
  const changes = new Map<string, number>();
  const add = (one: Counted, by: number) => {
    for (const key of keysOf(one)) changes.set(key, (changes.get(key) ?? 0) + by);
  };
  for (const one of before) add(one, -1);
  for (const one of after) add(one, 1);
  const steps = [...changes].filter(([, by]) => by !== 0);
  if (steps.length === 0) return;
  await CaseCountModel.updateOne({ _id: ownerId }, { $inc: Object.fromEntries(steps) }, { upsert: true });
}

type Counted = Pick<CaseDoc, "status" | "waitingFor"> & { parties: { partyId: string; label: string }[] };

function keysOf({ status, waitingFor, parties }: Counted): string[] {
  const state = `statuses.${status}`;
  if (waitingFor === WAITING_FOR_NOBODY) return [state];
  if (waitingFor === WAITING_FOR_PRACTICE) return [state, "waiting.practice"];
  const label = parties.find(({ partyId }) => partyId === waitingFor)?.label;
  return [state, label === "P1" ? "waiting.first" : "waiting.second"];
}
