import { isAssessing } from "@app/shared/case-sessions";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import type { Scope } from "../../core/trpc.ts";
import { meetingTypeOf } from "./session-meetings.ts";
import { sessionDocs } from "./sessions.service.ts";

interface HeldSession {
  number: number;
  isLocked: boolean;
  /** Who was there. */
  partyIds: string[];
  code: SessionOutcomeCode | null;
}

/** The sessions of a case that were held to mediate, the last one first: whoever is assessed or heard does not. */
export async function heldSessions(scope: Scope, caseId: string): Promise<HeldSession[]> {
  const docs = (await sessionDocs(scope, caseId)).filter(({ status }) => status === "ended" || status === "locked");
  const types = await Promise.all(docs.map(({ meetingId }) => meetingTypeOf(scope, meetingId)));
  return docs
    .filter((_doc, index) => !isAssessing(types[index] ?? null))
    .map(({ number, status, attendance, outcome }) => ({
      number,
      isLocked: status === "locked",
      partyIds: attendance.filter(({ state }) => state !== "no_show").map(({ partyId }) => partyId),
      code: outcome?.code ?? null,
    }));
}
