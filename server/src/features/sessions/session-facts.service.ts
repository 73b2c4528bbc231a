import { wasHeldIn } from "@app/shared/case-rounds";
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
  /** What of it is not locked yet, by number. */
  unlocked: number[];
  /** The day on which it began; empty where that was not recorded. */
  heldOn: string;
  startedAt: Date | null;
  /** Who was there. */
  partyIds: string[];
  isShuttle: boolean;
  code: SessionOutcomeCode | null;
}

/** The sessions of a case that were held to mediate, the last one first: whoever is assessed or heard does not. */
export async function heldSessions(scope: Scope, caseId: string): Promise<HeldSession[]> {
  const docs = (await sessionDocs(scope, caseId)).filter(({ status }) => status === "ended" || status === "locked");
  const timeZone = await practiceTimeZone(scope.ownerId);
  const types = await Promise.all(docs.map(({ meetingId }) => meetingTypeOf(scope, meetingId)));
  return docs
    .map((doc, index) => ({ ...doc, type: types[index] ?? null }))
    .filter(({ type }) => !isAssessing(type))
    .map(({ number, status, startedAt, attendance, outcome, type }) => ({
      number,
      heldOn: startedAt ? dayIn(timeZone, startedAt) : "",
      startedAt: startedAt ?? null,
      unlocked: status === "locked" ? [] : [number],
      partyIds: attendance.filter(({ state }) => state !== "no_show").map(({ partyId }) => partyId),
      code: outcome?.code ?? null,
      isShuttle: type === "shuttle",
    }));
}

type Sided = { partyId: string; side: string };
type JointSession<Party> = Omit<HeldSession, "partyIds"> & { parties: Party[] };

interface OfCase<Party> {
  caseId: string;
  parties: readonly Party[];
  rounds: readonly Parameters<typeof wasHeldIn>[0][];
}

/**
 * Those of them in which two sides took part, the last one first: the others are no mediation of the case. Shuttle
 * mediation that was held with each side at another time is one of them, which took place when the last of them came.
 */
export async function jointSessions<Party extends Sided>(
  scope: Scope,
  { caseId, parties, rounds }: OfCase<Party>,
): Promise<JointSession<Party>[]> {
  const held = await heldSessions(scope, caseId);
  const sessions = held.map(({ partyIds, ...session }) => ({
    ...session,
    parties: parties.filter(({ partyId }) => partyIds.includes(partyId)),
  }));
  const isApart = (session: JointSession<Party>) => session.isShuttle && countSides(session.parties) === 1;
  const roundOf = (session: JointSession<Party>) => rounds.findIndex((round) => wasHeldIn(round, session));
  const apart = Map.groupBy(sessions.filter(isApart).toReversed(), roundOf);
  const together = new Map([...apart.values()].flatMap(heldTogether).map((one) => [one.number, one]));
  return sessions
    .map((session) => together.get(session.number) ?? session)
    .filter((session) => countSides(session.parties) > 1);
}

/** Of what was held apart, the first one first: what begins where somebody comes again is another time. */
function heldTogether<Party extends Sided>(sessions: readonly JointSession<Party>[]): JointSession<Party>[] {
  const times: JointSession<Party>[] = [];
  for (const session of sessions) {
    const last = times.at(-1);
    const isAgain = !last || countSides([...last.parties, ...session.parties]) === countSides(last.parties);
    if (isAgain) times.push(session);
    else
      times[times.length - 1] = {
        ...session,
        unlocked: [...last.unlocked, ...session.unlocked],
        parties: [...last.parties, ...session.parties],
      };
  }
  return times;
}
