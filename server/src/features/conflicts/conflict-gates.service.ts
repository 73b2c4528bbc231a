import { isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { isConflictDecided, isConflicted, wasConflictDecided } from "./conflicts.service.ts";

definePartyTrace("the conflict check found a conflict", (scope, { caseId }) => isConflicted(scope, caseId));

const UNDECIDED = ["Decide the conflict check as clear or waived."];
const CONFLICTED = [
  "The conflict check says that the practice may not take this case. Tell whoever asked, and end the case, or decide the check anew.",
];

const why = async (isDecided: Promise<boolean>, scope: Scope, caseId: string): Promise<string[]> => {
  if (await isDecided) return [];
  return (await isConflicted(scope, caseId)) ? CONFLICTED : UNDECIDED;
};

interface Checked {
  _id: string;
  clientIds: string[];
}

/** Why the conflict check keeps a case from going on; empty where it does not. */
export const conflictBlockers = (scope: Scope, { _id, clientIds }: Checked): Promise<string[]> =>
  why(isConflictDecided(scope, _id, clientIds), scope, _id);

/** Why it keeps these people from meeting, or from being asked; empty where it does not. */
export const meetingBlockers = (
  scope: Scope,
  { caseId, clientIds }: { caseId: string; clientIds: string[] },
): Promise<string[]> => why(wasConflictDecided(scope, caseId, clientIds), scope, caseId);

/** Whoever joins a case later is checked for conflicts before anything else is done with them. */
export const joinedBlockers = async (
  scope: Scope,
  theCase: Checked,
  { joinedAt }: { joinedAt: Date | string | null },
): Promise<string[]> => (joinedAt === null ? [] : conflictBlockers(scope, theCase));

/** Who joined, takes part, and was not looked at, so that nobody knows yet whether the practice may act for the others. */
export async function uncheckedJoiners(
  scope: Scope,
  { id: caseId, parties }: Pick<Case, "id" | "parties">,
): Promise<Case["parties"]> {
  const joined = parties.filter((party) => party.joinedAt !== null && isTakingPart(party));
  const checked = await Promise.all(joined.map(({ clientId }) => wasConflictDecided(scope, caseId, [clientId])));
  return joined.filter((_party, index) => !checked[index]);
}

interface Seeing {
  caseId: string;
  parties: readonly { clientId: string; joinedAt: Date | string | null }[];
}

/**
 * Why these people are not seen at all, even by themselves: the practice may not act, or somebody joined who was not
 * looked at. Whoever came first may be seen before the check is decided.
 */
export async function seeingBlockers(scope: Scope, { caseId, parties }: Seeing): Promise<string[]> {
  if (await isConflicted(scope, caseId)) return CONFLICTED;
  const clientIds = parties.filter(({ joinedAt }) => joinedAt !== null).map(({ clientId }) => clientId);
  return clientIds.length === 0 ? [] : meetingBlockers(scope, { caseId, clientIds });
}
