import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { isConflictDecided, wasConflictDecided } from "./conflicts.service.ts";

const UNDECIDED = ["Decide the conflict check as clear or waived."];

/** Why the conflict check keeps a case from going on; empty where it does not. */
export const conflictBlockers = async (
  scope: Scope,
  { _id, clientIds }: Pick<CaseDoc, "_id" | "clientIds">,
): Promise<string[]> => ((await isConflictDecided(scope, _id, clientIds)) ? [] : UNDECIDED);

/** Why it keeps these people from meeting; empty where it does not. */
export const meetingBlockers = async (
  scope: Scope,
  { caseId, clientIds }: { caseId: string; clientIds: string[] },
): Promise<string[]> => ((await wasConflictDecided(scope, caseId, clientIds)) ? [] : UNDECIDED);

/** Whoever joins a case later is checked for conflicts before anything else is done with them. */
export const joinedBlockers = async (
  scope: Scope,
  theCase: Pick<CaseDoc, "_id" | "clientIds">,
  { joinedAt }: Pick<PartyDoc, "joinedAt">,
): Promise<string[]> => (joinedAt === null ? [] : conflictBlockers(scope, theCase));
