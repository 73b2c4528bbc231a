import { isAssessing } from "@app/shared/case-sessions";
import { countSides } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import type { SessionOutcomeCode } from "@app/shared/session-states";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { meetingTypeOf } from "./session-meetings.ts";
import { sessionDocs } from "./sessions.service.ts";

interface HeldSession {
  number: number;
  isLocked: boolean;
  /** The day on which it began; empty where that was not recorded. */
  heldOn: string;
  startedAt: Date | null;
  /** Who was there. */
  partyIds: string[];
  code: SessionOutcomeCode | null;
}

/** The sessions of a case that were held to mediate, the last one first: whoever is assessed or heard does not. */
export async function heldSessions(scope: Scope, caseId: string): Promise<HeldSession[]> {
  const docs = (await sessionDocs(scope, caseId)).filter(({ status }) => status === "ended" || status === "locked");
  const timeZone = await practiceTimeZone(scope.ownerId);
  const types = await Promise.all(docs.map(({ meetingId }) => meetingTypeOf(scope, meetingId)));
  return docs
    .filter((_doc, index) => !isAssessing(types[index] ?? null))
    .map(({ number, status, startedAt, attendance, outcome }) => ({
      number,
      heldOn: startedAt ? dayIn(timeZone, startedAt) : "",
      startedAt: startedAt ?? null,
      isLocked: status === "locked",
      partyIds: attendance.filter(({ state }) => state !== "no_show").map(({ partyId }) => partyId),
      code: outcome?.code ?? null,
    }));
}

type Sided = { partyId: string; side: string };
type JointSession<Party> = Omit<HeldSession, "partyIds"> & { parties: Party[] };

/** Those of them in which two sides took part, the last one first: the others are no mediation of the case. */
export async function jointSessions<Party extends Sided>(
  scope: Scope,
  caseId: string,
  parties: readonly Party[],
): Promise<JointSession<Party>[]> {
  const held = await heldSessions(scope, caseId);
  return held
    .map(({ partyIds, ...session }) => ({
      ...session,
      parties: parties.filter(({ partyId }) => partyIds.includes(partyId)),
    }))
    .filter((session) => countSides(session.parties) > 1);
}
