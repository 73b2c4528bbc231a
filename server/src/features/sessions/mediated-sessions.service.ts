// The mediation of the round of a case that goes on, or that ended last: what was held before the case was reopened may
// have been of another dispute.
import { roundIndexOf } from "@app/shared/case-rounds";
import type { Case, Party } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { agreedSessions } from "./signed-sessions.service.ts";

export interface MediatedSession {
  number: number;
  /** Empty where it was not recorded when it began. */
  heldOn: string;
  startedAt: Date | null;
  /** Shuttle mediation to which one side came by itself. */
  isApart: boolean;
  /** Who came to it. */
  parties: readonly Party[];
  /** With those who came to the other sessions of what was held apart. */
  mediating: readonly Party[];
}

/** The sessions of two sides by an agreement, the one that was held last first, whichever was written up last. */
export async function mediatedSessions(scope: Scope, theCase: Case): Promise<MediatedSession[]> {
  const { id: caseId, parties, rounds } = theCase;
  const sessions = await agreedSessions(scope, { caseId, parties, rounds });
  return sessions
    .filter((session) => roundIndexOf(rounds, session) === -1)
    .toSorted((one, other) => momentOf(other) - momentOf(one) || other.number - one.number);
}

const momentOf = ({ startedAt }: Pick<MediatedSession, "startedAt">): number => startedAt?.getTime() ?? 0;
