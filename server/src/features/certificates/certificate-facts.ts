// What the records of a case say that a certificate may repeat.
import { can } from "@app/shared/access";
import type { Assessment } from "@app/shared/assessments";
import { sideOf } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import { requireParty } from "../cases/cases.service.ts";
import { silentParties } from "../casework/invitations.service.ts";
import { latestScreenings } from "../screenings/screenings.service.ts";
import { attendanceOfHeldSessions } from "../sessions/session-facts.service.ts";
import type { Facts, Presence } from "./certificate-statements.ts";

export async function factsOf(scope: Scope, theCase: Case, assessment: Assessment): Promise<Facts> {
  const [records, sessions, isUnsuitable, silent] = await Promise.all([
    assessmentsOfCase(scope, theCase.id),
    attendanceOfHeldSessions(scope, theCase.id),
    isFoundUnsuitable(scope, theCase),
    silentParties(scope, theCase.id),
  ]);
  const own = requireParty(theCase, assessment.partyId);
  const isOnOwnSide = (party: Party) => sideOf(party) === sideOf(own);
  const ownSide = theCase.parties.filter(isOnOwnSide).map(({ partyId }) => partyId);
  const others = theCase.parties.filter((party) => !isOnOwnSide(party));
  const held = records.filter(({ status }) => status === "held");
  const known = held.filter(isProven);
  const presenceOf = (partyId: string): Presence => ({
    isNamed: wasWith(assessment, partyId),
    namesThem: known.some(
      (record) =>
        record.partyId === partyId && record.attendedOn === assessment.attendedOn && wasWith(record, own.partyId),
    ),
  });
  const isThere = (session: readonly string[], { partyId }: Party) => session.includes(partyId);
  return {
    company: assessment.company,
    status: own.status,
    companions: ownSide.filter((partyId) => partyId !== own.partyId).map(presenceOf),
    others: others.map(({ partyId, status }) => ({
      ...presenceOf(partyId),
      status,
      wasSilent: silent.has(partyId),
      hasAttended: held.some((record) => record.partyId === partyId),
      attendedApart: known.some((record) => record.partyId === partyId && !ownSide.some((id) => wasWith(record, id))),
    })),
    isUnsuitable,
    wasMediated: sessions.some(
      (session) => session.includes(assessment.partyId) && others.some((other) => isThere(session, other)),
    ),
    hasEndedWithoutAgreement: endedWithoutAgreement(theCase),
  };
}

/** What another service held counts by what was seen of it. */
const isProven = ({ isComplete, origin, evidence }: Assessment): boolean =>
  isComplete && (origin !== "elsewhere" || evidence !== "");

/** Whether a record says that this other party was at the meeting too. */
const wasWith = ({ company, withPartyIds }: Assessment, partyId: string): boolean =>
  company === "together" || withPartyIds.includes(partyId);

/** By a decision that everybody of the practice sees, or by the latest screening of somebody for those who read these. */
async function isFoundUnsuitable(scope: Scope, { id, parties }: Case): Promise<boolean> {
  if (parties.some(({ status }) => status === "not_suitable")) return true;
  if (!can(scope, "screening.read")) return false;
  const latest = await latestScreenings(scope, id);
  return [...latest.values()].some(({ suitable }) => suitable === "no");
}

function endedWithoutAgreement({ status, ending, outcome }: Case): boolean {
  // Whoever settled it otherwise, or whose mediator could not go on, has not seen it break down.
  if (status === "terminated") return ending === "broken_down" || ending === "withdrew" || ending === "court";
  return (status === "concluded" || status === "closed") && outcome?.code === "not_agreed";
}
