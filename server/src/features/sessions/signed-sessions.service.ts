// Which sessions were mediation: somebody of either side had signed the agreement to mediate by then. What else was written up
// of a case was talk before it.
import { countSides, hasSigned, sideOf, type Sided } from "@app/shared/case-states";
import type { Party } from "@app/shared/cases";
import { hadLeft, type Leaver } from "@app/shared/death";
import type { Scope } from "../../core/trpc.ts";
import type { Past } from "../cases/case-steps.service.ts";
import { findCaseDoc, pastOf } from "../cases/cases.service.ts";
import { reopeningsOf } from "../cases/reopened.service.ts";
import { jointSessions } from "./session-facts.service.ts";

type Signing = Sided & Leaver & Pick<Party, "partyId" | "agreementSignedOn">;

/** Of whoever came on another day. */
const EVER = "9999-12-31";

interface Held<P extends Signing> {
  heldOn: string;
  /** Who came to it. */
  parties: readonly P[];
  /** All who mediated with them. */
  mediating: readonly P[];
}

/**
 * Whether this party had signed by this day, in whichever round, and had not left since; of some who were taken over no day
 * is known.
 */
function hadSigned(party: Signing, past: Past, day: string): boolean {
  const { partyId, status, agreementSignedOn } = party;
  if (day !== EVER && hadLeft(party, day)) return false;
  const steps = past.parties.find((one) => one.partyId === partyId)?.steps ?? [];
  const signed = steps.filter(({ to }) => to === "agreement_signed");
  const days = [agreementSignedOn, ...signed.flatMap(({ on }) => on ?? "")];
  if (days.some((on) => on !== "" && on <= day)) return true;
  const hasStoodSigned = hasSigned({ status }) || steps.some(({ from }) => hasSigned({ status: from }));
  return agreementSignedOn === "" && hasStoodSigned;
}

/** Who mediated with whoever came to this session, and had agreed to it by then. */
function agreedIn<P extends Signing>({ heldOn, parties, mediating }: Held<P>, past: Past): P[] {
  const came = new Set(parties.map(({ partyId }) => partyId));
  // Where it was held apart, the others came on another day.
  return mediating.filter((party) => hadSigned(party, past, came.has(party.partyId) ? heldOn : EVER));
}

/** Whether two sides mediated by an agreement at this session, that of whoever is meant among them. */
export function isByAgreement<P extends Signing>(held: Held<P>, past: Past, person: Sided): boolean {
  const signed = agreedIn(held, past);
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
  const [sessions, past] = await Promise.all([jointSessions(scope, theCase), pastOf(scope, theCase.caseId)]);
  const isInRound = await roundsOf(scope, theCase.caseId);
  return sessions.filter((session) => isInRound(session) && countSides(agreedIn(session, past)) > 1);
}
