import type { Scope } from "../../core/trpc.ts";
import { sessionDocs } from "./sessions.service.ts";

/** Of each session of a case that was held, who was there. */
export async function attendanceOfHeldSessions(scope: Scope, caseId: string): Promise<string[][]> {
  const docs = await sessionDocs(scope, caseId);
  return docs
    .filter(({ status }) => status === "ended" || status === "locked")
    .map(({ attendance }) => attendance.filter(({ state }) => state !== "no_show").map(({ partyId }) => partyId));
}
