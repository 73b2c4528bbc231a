// What the records of a case say that a certificate may repeat.
import { can } from "@app/shared/access";
import type { Assessment } from "@app/shared/assessments";
import { ENDED_EARLY, isTakingPart, sideOf } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import { requireParty } from "../cases/cases.service.ts";
import { silentParties } from "../casework/invitations.service.ts";
import { latestScreenings } from "../screenings/screenings.service.ts";
import { heldSessions } from "../sessions/session-facts.service.ts";
import type { Facts, Presence } from "./certificate-statements.ts";

export async function factsOf(scope: Scope, theCase: Case, assessment: Assessment): Promise<Facts> {
  const [records, sessions, unsuitable, silent] = await Promise.all([
    assessmentsOfCase(scope, theCase.id),
    heldSessions(scope, theCase.id),
    unsuitableIn(scope, theCase),
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
  return {
    company: assessment.company,
    status: own.status,
    isOwnDecision: isOwnDecision(own),
    companions: ownSide.filter((partyId) => partyId !== own.partyId).map(presenceOf),
    others: others.map(({ partyId, status, respondedOn, lastStep }) => ({
      ...presenceOf(partyId),
      status,
      isOwnDecision: isOwnDecision({ lastStep }),
      wasSilent: silent.has(partyId),
      hasAttended: held.some((record) => record.partyId === partyId),
      hasBegun: respondedOn !== "" || held.some((record) => record.partyId === partyId),
      attendedApart: known.some((record) => record.partyId === partyId && !ownSide.some((id) => wasWith(record, id))),
    })),
    // Of one among several others who go on it says nothing of this person's own mediation.
    isUnsuitable:
      unsuitable.has(own.partyId) ||
      (others.some(({ partyId }) => unsuitable.has(partyId)) &&
        !others.some((party) => isTakingPart(party) && !unsuitable.has(party.partyId))),
    isUnsuitableByOthers: !unsuitable.has(own.partyId),
    wasMediated: sessions.some(
      ({ partyIds }) =>
        partyIds.includes(assessment.partyId) && others.some(({ partyId }) => partyIds.includes(partyId)),
    ),
    hasBrokenDown: brokeDown(theCase),
    hasConcludedUnresolved: concludedUnresolved(theCase),
  };
}

const isOwnDecision = ({ lastStep }: Pick<Party, "lastStep">): boolean => lastStep?.isOwnDecision === true;

/** What another service held counts by what was seen of it. */
const isProven = ({ isComplete, origin, evidence }: Assessment): boolean =>
  isComplete && (origin !== "elsewhere" || evidence !== "");

/** Whether a record says that this other party was at the meeting too. */
const wasWith = ({ company, withPartyIds }: Assessment, partyId: string): boolean =>
  company === "together" || withPartyIds.includes(partyId);

/** By a decision that everybody of the practice sees, or by the latest screening of somebody for those who read these. */
async function unsuitableIn(scope: Scope, { id, parties }: Case): Promise<Set<string>> {
  const decided = parties.filter(({ status }) => status === "not_suitable").map(({ partyId }) => partyId);
  if (!can(scope, "screening.read")) return new Set(decided);
  const latest = await latestScreenings(scope, id);
  const found = [...latest].filter(([, { suitable }]) => suitable === "no").map(([partyId]) => partyId);
  return new Set([...decided, ...found]);
}

// Whatever else ended it early, the neutral sentence is true and tells nobody's reason. Only whoever is reconciled or
// settled it has not seen it break down.
const brokeDown = ({ status, ending }: Case): boolean =>
  ENDED_EARLY.includes(status) && ending !== null && ending !== "reconciled" && ending !== "settled_themselves";

const concludedUnresolved = ({ status, outcome }: Case): boolean =>
  (status === "concluded" || status === "closed") &&
  (outcome?.code === "not_agreed" || outcome?.code === "agreed_some");
