// Which sessions were mediation: somebody of either side had signed the agreement to mediate by then. What else was written up
// of a case was talk before it.
import { countSides, hasSigned, sideOf, type Sided } from "@app/shared/case-states";
import type { Party } from "@app/shared/cases";
import { hadLeft, type Leaver } from "@app/shared/death";
import type { Scope } from "../../core/trpc.ts";
import type { Past } from "../cases/case-steps.service.ts";
import { findCaseDoc, pastOf } from "../cases/cases.service.ts";
import { type IsSince, reopeningsOf, signaturesOf } from "../cases/reopened.service.ts";
import { jointSessions } from "./session-facts.service.ts";

type Signing = Sided & Leaver & Pick<Party, "partyId" | "agreementSignedOn">;

interface Half<P> {
  heldOn: string;
  startedAt: Date | null;
  /** Who came to it. */
  parties: readonly P[];
}

interface Held<P extends Signing> extends Half<P> {
  /** Where it was held apart, those to which the others came. */
  others: readonly Half<P>[];
}

type When = Pick<Half<unknown>, "heldOn" | "startedAt">;

interface Agreeing {
  past: Past;
  /** Whether a session was held while the case went on: what was held after it had ended rests on no agreement. */
  isInRound: (held: When) => boolean;
  /** Which signatures count at a session: those of its round, or of a later one. */
  signedFor: (held: When) => IsSince;
}

/** What is known of who had agreed to mediate in this case, and when. */
export async function agreeingIn(scope: Scope, caseId: string): Promise<Agreeing> {
  const [past, theCase] = await Promise.all([pastOf(scope, caseId), findCaseDoc(scope, caseId)]);
  const { isBetween, signedSince } = await reopeningsOf(scope, theCase);
  return {
    past,
    isInRound: ({ heldOn: on, startedAt: at }) => at === null || !isBetween({ on, at }),
    signedFor: ({ heldOn: on, startedAt: at }) => (at === null || on === "" ? () => true : signedSince({ on, at })),
  };
}

/**
 * Whether this party had signed by this day, in the round of that session, and had not left since; of some who were taken
 * over no day is known.
 */
function hadSigned(party: Signing, { past, isSigned }: { past: Past; isSigned: IsSince }, day: string): boolean {
  const { partyId, status, agreementSignedOn } = party;
  if (hadLeft(party, day)) return false;
  const steps = past.parties.find((one) => one.partyId === partyId)?.steps ?? [];
  if (signaturesOf({ agreementSignedOn, steps }, isSigned).some((on) => on <= day)) return true;
  const hasStoodSigned = hasSigned({ status }) || steps.some(({ from }) => hasSigned({ status: from }));
  return agreementSignedOn === "" && hasStoodSigned;
}

/**
 * Who had agreed to mediate, of those who came to this session: where it was held apart, of each that goes with it those who
 * came to either while the case went on, by the day of the one before: of somebody who signed later nobody knew then.
 */
function agreedIn<P extends Signing>(held: Held<P>, { past, isInRound, signedFor }: Agreeing): P[][] {
  const signedOf = (half: Half<P>, day: string): P[] => {
    const isSigned = signedFor(half);
    return half.parties.filter((party) => hadSigned(party, { past, isSigned }, day));
  };
  if (held.others.length === 0) return [signedOf(held, held.heldOn)];
  return held.others.filter(isInRound).map((other) => {
    const day = other.heldOn < held.heldOn ? other.heldOn : held.heldOn;
    return [...signedOf(held, day), ...signedOf(other, day)];
  });
}

interface Together<P extends Signing> extends Held<P> {
  isApart: boolean;
  mediating: P[];
  beside: Half<P>[];
  others: Half<P>[];
  parties: P[];
}

/**
 * What it was for those who had agreed to mediate: where those of one side alone had, of the people who came to shuttle
 * mediation together, it was held apart for them, with whoever was not asked to it.
 */
export function asAgreed<P extends Signing, Session extends Together<P>>(
  session: Session,
  agreeing: Agreeing,
): Session {
  const [parties = []] = agreedIn({ ...session, others: [] }, agreeing);
  if (session.beside.length === 0 || countSides(parties) !== 1) return session;
  const mediating = [...new Set([...parties, ...session.beside.flatMap((other) => other.parties)])];
  return { ...session, isApart: true, parties, mediating, others: session.beside };
}

/** Whether two sides mediated by an agreement at this session, that of whoever is meant among them. */
export function isByAgreement<P extends Signing>(held: Held<P>, agreeing: Agreeing, person: Sided): boolean {
  const isOwn = (party: P) => sideOf(party) === sideOf(person);
  return agreedIn(held, agreeing).some((signed) => signed.some(isOwn) && signed.some((party) => !isOwn(party)));
}

/** The sessions at which two sides mediated by an agreement, the last one first: the last of their signatures had come by then. */
export async function agreedSessions<P extends Signing & Parameters<typeof jointSessions>[1]["parties"][number]>(
  scope: Scope,
  theCase: { caseId: string; parties: readonly P[]; rounds: Parameters<typeof jointSessions>[1]["rounds"] },
): Promise<Awaited<ReturnType<typeof jointSessions<P>>>> {
  const [sessions, agreeing] = await Promise.all([jointSessions(scope, theCase), agreeingIn(scope, theCase.caseId)]);
  const agreed = sessions.map((session) => asAgreed<P, typeof session>(session, agreeing));
  return agreed.filter(
    (session) => agreeing.isInRound(session) && agreedIn(session, agreeing).some((signed) => countSides(signed) > 1),
  );
}
