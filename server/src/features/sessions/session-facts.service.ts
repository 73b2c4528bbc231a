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
type JointSession<Party> = Omit<HeldSession, "partyIds" | "isShuttle"> & {
  /** Who came to it. */
  parties: Party[];
  /** All who mediated with them: where it was held apart, those who came to other sessions of that time too. */
  mediating: Party[];
};

interface OfCase<Party> {
  caseId: string;
  parties: readonly Party[];
  rounds: readonly Parameters<typeof wasHeldIn>[0][];
}

/**
 * Those of them in which people of two sides mediated, the last one first: the others are no mediation of the case. Shuttle
 * mediation that is held with each side at another time is one for each who came, on their own day, as soon as another side
 * came to a session of that time too.
 */
export async function jointSessions<Party extends Sided>(
  scope: Scope,
  { caseId, parties, rounds }: OfCase<Party>,
): Promise<JointSession<Party>[]> {
  const held = (await heldSessions(scope, caseId)).map(({ partyIds, isShuttle, ...session }) => {
    const there = parties.filter(({ partyId }) => partyIds.includes(partyId));
    return { ...session, parties: there, isApart: isShuttle && countSides(there) === 1 };
  });
  const roundOf = (session: (typeof held)[number]) => rounds.findIndex((round) => wasHeldIn(round, session));
  const mediated = held.filter(({ isApart, parties: there }) => isApart || countSides(there) > 1);
  const ofRound = Map.groupBy(mediated, roundOf);
  return mediated.flatMap(({ isApart, ...session }) => {
    if (!isApart) return [{ ...session, mediating: session.parties }];
    const others = (ofRound.get(roundOf({ ...session, isApart })) ?? []).filter(
      (other) => countSides([...other.parties, ...session.parties]) > 1,
    );
    if (others.length === 0) return [];
    const mediating = [...new Set([...session.parties, ...others.flatMap((other) => other.parties)])];
    // Until one of theirs is locked, who came to it may still change.
    const open = others.some(({ unlocked }) => unlocked.length === 0) ? [] : others.flatMap(({ unlocked }) => unlocked);
    return [{ ...session, unlocked: [...session.unlocked, ...open], mediating }];
  });
}
