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
import type { Facts } from "./certificate-statements.ts";

export async function factsOf(scope: Scope, theCase: Case, assessment: Assessment): Promise<Facts> {
  const [records, sessions, isUnsuitable, silent] = await Promise.all([
    assessmentsOfCase(scope, theCase.id),
    attendanceOfHeldSessions(scope, theCase.id),
    isFoundUnsuitable(scope, theCase),
    silentParties(scope, theCase.id),
  ]);
  const own = requireParty(theCase, assessment.partyId);
  // Those on this person's own side stand with them, not against them.
  const others = theCase.parties.filter((party) => sideOf(party) !== sideOf(own));
  const known = records.filter(({ status, isComplete }) => status === "held" && isComplete);
  const isThere = (session: readonly string[], { partyId }: Party) => session.includes(partyId);
  return {
    company: assessment.company,
    status: own.status,
    others: others.map(({ partyId, status }) => {
      const theirs = known.filter((record) => record.partyId === partyId);
      return {
        status,
        wasSilent: silent.has(partyId),
        hasAttended: records.some((record) => record.partyId === partyId && record.status === "held"),
        wasWithThem: theirs.some(
          ({ attendedOn, company }) => attendedOn === assessment.attendedOn && company === "together",
        ),
        attendedApart: theirs.some(({ company }) => company === "alone"),
      };
    }),
    isUnsuitable,
    wasMediated: sessions.some(
      (session) => session.includes(assessment.partyId) && others.some((other) => isThere(session, other)),
    ),
    hasEndedWithoutAgreement: endedWithoutAgreement(theCase),
  };
}

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
