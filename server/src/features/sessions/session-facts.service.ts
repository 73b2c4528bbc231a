import type { SessionOutcomeCode } from "@app/shared/session-states";
import type { Scope } from "../../core/trpc.ts";
import { sessionDocs } from "./sessions.service.ts";

interface HeldSession {
  number: number;
  isLocked: boolean;
  /** Who was there. */
  partyIds: string[];
  code: SessionOutcomeCode | null;
}

/** The sessions of a case that were held, the last one first. */
export async function heldSessions(scope: Scope, caseId: string): Promise<HeldSession[]> {
  const docs = await sessionDocs(scope, caseId);
  return docs
    .filter(({ status }) => status === "ended" || status === "locked")
    .map(({ number, status, attendance, outcome }) => ({
      number,
      isLocked: status === "locked",
      partyIds: attendance.filter(({ state }) => state !== "no_show").map(({ partyId }) => partyId),
      code: outcome?.code ?? null,
    }));
}
