import mongoose from "mongoose";
import { roundIndexOf } from "@app/shared/case-rounds";
import { mediates } from "@app/shared/case-sessions";
import { countSides } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import type { Case } from "@app/shared/cases";
import { isAgreed } from "@app/shared/session-outcomes";
import { type SessionOutcomeCode, wasThere } from "@app/shared/session-states";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { presenceOf, type TakesPart } from "./presence.service.ts";
import { assertAgreedTogether, meetingTypeOf } from "./session-meetings.ts";
import { type SessionDoc, SessionModel } from "./sessions.model.ts";
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
  /** Who was asked to come. */
  askedIds: string[];
  isShuttle: boolean;
  code: SessionOutcomeCode | null;
}

/** The sessions of a case that were held to mediate, the last one first. */
export async function heldSessions(scope: Scope, caseId: string): Promise<HeldSession[]> {
  const docs = (await sessionDocs(scope, caseId)).filter(({ status }) => status === "ended" || status === "locked");
  const timeZone = await practiceTimeZone(scope.ownerId);
  const types = await Promise.all(docs.map(({ meetingId }) => meetingTypeOf(scope, meetingId)));
  return docs
    .map((doc, index) => ({ ...doc, type: types[index] ?? null }))
    .filter(({ type }) => mediates(type))
    .map(({ number, status, startedAt, partyIds, attendance, outcome, type }) => ({
      number,
      heldOn: startedAt ? dayIn(timeZone, startedAt) : "",
      startedAt: startedAt ?? null,
      unlocked: status === "locked" ? [] : [number],
      partyIds: attendance.filter(wasThere).map(({ partyId }) => partyId),
      askedIds: [...partyIds, ...attendance.map(({ partyId }) => partyId)],
      code: outcome?.code ?? null,
      isShuttle: type === "shuttle",
    }));
}

/** Those of these cases in which a session was held. */
export async function casesWithSessions({ ownerId }: Scope, caseIds: readonly string[]): Promise<Set<string>> {
  if (caseIds.length === 0) return new Set();
  const held = mongoose.trusted({ $in: ["ended", "locked"] as const });
  return new Set(
    await SessionModel.distinct("caseId", {
      ownerId,
      caseId: mongoose.trusted({ $in: [...caseIds] }),
      status: held,
    }),
  );
}

type Sided = Parameters<typeof presenceOf>[2][number] & { side: string };
type JointSession<Party> = Omit<HeldSession, "partyIds" | "askedIds" | "isShuttle"> & {
  /** Who came to it, and mediated there. */
  parties: Party[];
  /** Shuttle mediation to which one side came by itself: nobody of another side was there. */
  isApart: boolean;
  /** All who mediated with them: where it was held apart, those who came to other sessions of that time too. */
  mediating: Party[];
  /** Those sessions. */
  others: Half<Party>[];
  /** Where people of some sides came to shuttle mediation together: what is locked of the others, who were not asked to it. */
  beside: Half<Party>[];
};

/** A session as far as it is one half of what was held apart. */
interface Half<Party> {
  heldOn: string;
  startedAt: Date | null;
  parties: Party[];
}

interface OfCase<Party> {
  caseId: string;
  parties: readonly Party[];
  rounds: Parameters<typeof roundIndexOf>[0];
}

/**
 * Those of them in which people of two sides mediated, the last one first: the others are no mediation of the case. Shuttle
 * mediation that is held with each side at another time is one for each who came, on their own day, as soon as another side
 * came to a session that it goes with. One to which that side was asked too, and did not come, is none with them.
 */
export async function jointSessions<Party extends Sided>(
  scope: Scope,
  { caseId, parties, rounds }: OfCase<Party>,
): Promise<JointSession<Party>[]> {
  const named = (ids: readonly string[]) => parties.filter(({ partyId }) => ids.includes(partyId));
  const held = (await heldSessions(scope, caseId)).map(({ partyIds, ...session }) => ({
    ...session,
    parties: named(partyIds),
    isApart: session.isShuttle && partyIds.length > 0 && countSides(named(partyIds)) === 1,
  }));
  const roundOf = (session: (typeof held)[number]) => roundIndexOf(rounds, session);
  const mediated = held.filter(({ isApart, parties: there }) => isApart || countSides(there) > 1);
  const ofRound = Map.groupBy(mediated, roundOf);
  const takesPart = await presenceOf(scope, caseId, parties);
  return mediated.flatMap((session): JointSession<Party>[] => {
    const among = { all: ofRound.get(roundOf(session)) ?? [], takesPart };
    if (!session.isApart)
      return [{ ...session, mediating: session.parties, others: [], beside: besideOf(among, session) }];
    const there = session.parties.filter((party) => goesWith(among, session, party).length > 0);
    if (there.length === 0) return [];
    const others = there.flatMap((party) => goesWith(among, session, party));
    const mediating = [...new Set([...there, ...others.flatMap((other) => other.parties)])];
    // Until one of theirs is locked, who came to it may still change.
    const open = others.some(({ unlocked }) => unlocked.length === 0) ? [] : others.flatMap(({ unlocked }) => unlocked);
    return [
      {
        ...session,
        parties: there,
        unlocked: [...new Set([...session.unlocked, ...open])],
        mediating,
        others,
        beside: [],
      },
    ];
  });
}

const besideOf = <Session extends Apart & { unlocked: readonly number[] }>(
  among: { all: readonly Session[]; takesPart: TakesPart },
  session: Session,
): Session[] =>
  session.isShuttle
    ? session.parties
        .flatMap((party) => goesWith(among, session, party).filter((other) => !other.askedIds.includes(party.partyId)))
        .filter(({ unlocked }) => unlocked.length === 0)
    : [];

interface Apart {
  parties: readonly Sided[];
  askedIds: readonly string[];
  isShuttle: boolean;
  heldOn: string;
}

/**
 * What makes a session that was held apart one of mediation for somebody who came to it, of the sessions of that time, the
 * last one first: what another side came to later, apart or with them, and what it came to apart since this person's
 * session before. Apart are those too who sit together without this person, where three sides mediate; not so whoever was
 * asked to come with this person and stayed away. Both took part in the case on both days: else they mediated with nobody
 * there.
 */
function goesWith<Session extends Apart>(
  { all, takesPart }: { all: readonly Session[]; takesPart: TakesPart },
  session: Session,
  person: Sided,
): Session[] {
  const cameTo = (one: Session) => isThere(one, person);
  const othersAt = ({ parties, heldOn }: Session): Sided[] =>
    parties.filter(
      (other) => takesPart(person, heldOn) && takesPart(other, session.heldOn) && !hasMissed(session, other),
    );
  const isWith = (others: readonly Sided[]) => others.length > 0 && countSides([...others, person]) > 1;
  const isApart = ({ isShuttle, askedIds }: Session) => isShuttle && !askedIds.includes(person.partyId);
  const at = all.indexOf(session);
  const later = all.slice(0, at).filter((one) => (isApart(one) || cameTo(one)) && isWith(othersAt(one)));
  const earlier = all.slice(at + 1);
  const between = earlier.filter((one, index) => {
    const sinceThen = earlier.slice(0, index).filter(cameTo);
    const others = othersAt(one).filter((other) => sinceThen.every((since) => hasMissed(since, other)));
    return isApart(one) && isWith(others);
  });
  return [...later, ...between];
}

const isThere = ({ parties }: Apart, { partyId }: Sided): boolean => parties.some((party) => party.partyId === partyId);

/** Whether this party stayed away from a session of one side to which they were asked. */
const hasMissed = (session: Apart, other: Sided): boolean =>
  countSides(session.parties) === 1 && session.askedIds.includes(other.partyId) && !isThere(session, other);

/** BAD_REQUEST where something was agreed in a session that was held with one side, and goes with none of another. */
export async function assertAgreedInMediation(
  scope: Scope,
  session: Pick<SessionDoc, "number" | "status" | "meetingId" | "partyIds" | "attendance" | "outcome">,
  { id: caseId, parties, rounds }: Case,
): Promise<void> {
  await assertAgreedTogether(scope, session, { parties });
  const { number, meetingId, outcome } = session;
  if (!outcome || !isAgreed(outcome.code) || (await meetingTypeOf(scope, meetingId)) !== "shuttle") return;
  const mediated = await jointSessions(scope, { caseId, parties, rounds });
  if (mediated.some((held) => held.number === number)) return;
  throw badField(
    "outcome",
    "Nobody agrees alone, and no session of another side goes with this one. Correct who came, or choose another outcome.",
  );
}
