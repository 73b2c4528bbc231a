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

/** Of whoever came on another day. */
const EVER = "9999-12-31";

interface Held<P extends Signing> {
  heldOn: string;
  startedAt: Date | null;
  /** Who came to it. */
  parties: readonly P[];
  /** All who mediated with them. */
  mediating: readonly P[];
}

interface Agreeing {
  past: Past;
  /** Which signatures count at a session: those of its round, or of a later one. */
  signedFor: (held: Pick<Held<Signing>, "heldOn" | "startedAt">) => IsSince;
}

/** What is known of who had agreed to mediate in this case, and when. */
export async function agreeingIn(scope: Scope, caseId: string): Promise<Agreeing> {
  const [past, theCase] = await Promise.all([pastOf(scope, caseId), findCaseDoc(scope, caseId)]);
  const { signedSince } = await reopeningsOf(scope, theCase);
  return {
    past,
    signedFor: ({ heldOn: on, startedAt: at }) => (at === null || on === "" ? () => true : signedSince({ on, at })),
  };
}

/**
 * Whether this party had signed by this day, in the round of that session, and had not left since; of some who were taken
 * over no day is known.
 */
function hadSigned(party: Signing, { past, isSigned }: { past: Past; isSigned: IsSince }, day: string): boolean {
  const { partyId, status, agreementSignedOn } = party;
  if (day !== EVER && hadLeft(party, day)) return false;
  const steps = past.parties.find((one) => one.partyId === partyId)?.steps ?? [];
  if (signaturesOf({ agreementSignedOn, steps }, isSigned).some((on) => on <= day)) return true;
  const hasStoodSigned = hasSigned({ status }) || steps.some(({ from }) => hasSigned({ status: from }));
  return agreementSignedOn === "" && hasStoodSigned;
}

/** Who mediated with whoever came to this session, and had agreed to it by then. */
function agreedIn<P extends Signing>(held: Held<P>, { past, signedFor }: Agreeing): P[] {
  const { heldOn, parties, mediating } = held;
  const came = new Set(parties.map(({ partyId }) => partyId));
  const isSigned = signedFor(held);
  // Where it was held apart, the others came on another day.
  return mediating.filter((party) => hadSigned(party, { past, isSigned }, came.has(party.partyId) ? heldOn : EVER));
}

/** Whether two sides mediated by an agreement at this session, that of whoever is meant among them. */
export function isByAgreement<P extends Signing>(held: Held<P>, agreeing: Agreeing, person: Sided): boolean {
  const signed = agreedIn(held, agreeing);
  const isOwn = (party: P) => sideOf(party) === sideOf(person);
  return signed.some(isOwn) && signed.some((party) => !isOwn(party));
}

/** Whether a session was held while the case went on: what was held after it had ended rests on no agreement. */
export async function roundsOf(scope: Scope, caseId: string) {
  const { isBetween } = await reopeningsOf(scope, await findCaseDoc(scope, caseId));
  return ({ heldOn, startedAt }: { heldOn: string; startedAt: Date | null }): boolean =>
    startedAt === null || !isBetween({ on: heldOn, at: startedAt });
}

/** The sessions at which two sides mediated by an agreement, the last one first: the last of their signatures had come by then. */
export async function agreedSessions<P extends Signing & Parameters<typeof jointSessions>[1]["parties"][number]>(
  scope: Scope,
  theCase: { caseId: string; parties: readonly P[]; rounds: Parameters<typeof jointSessions>[1]["rounds"] },
): Promise<Awaited<ReturnType<typeof jointSessions<P>>>> {
  const [sessions, agreeing] = await Promise.all([jointSessions(scope, theCase), agreeingIn(scope, theCase.caseId)]);
  const isInRound = await roundsOf(scope, theCase.caseId);
  return sessions.filter((session) => isInRound(session) && countSides(agreedIn(session, agreeing)) > 1);
}
