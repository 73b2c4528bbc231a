// What has to be true before a case may enter a state, beyond the state machine itself.
import { BEFORE_MIAM, isOnlyTold } from "@app/shared/assessments";
import { labelsOf, missingConsents, missingSignatures } from "@app/shared/agreement-gates";
import { firstMeetingWord, hasAnswered, isTakingPart, sideOf, sidesTakingPart } from "@app/shared/case-states";
import { type CaseGate, type CaseTransition, hasFirstMeeting } from "@app/shared/case-transitions";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import { conflictBlockers } from "../conflicts/conflict-gates.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { screeningBlockers } from "../screenings/screening-gates.service.ts";
import { runningSessions, unfinishedSessions } from "../sessions/sessions.service.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { askedAnew } from "../cases/newcomer-consents.service.ts";
import { sentBackFrom } from "../cases/reopened.service.ts";

const REOPEN_YEARS = 6;

type Gate = (scope: Scope, theCase: CaseDoc) => Promise<string[]> | string[];

const GATES: Record<CaseGate, Gate> = {
  conflict_check: conflictBlockers,
  answer: (_scope, { parties }) => missingAnswer(parties),
  two_sides: (_scope, { parties }) => (sidesTakingPart(parties) < 2 ? ["At least two sides must take part."] : []),
  consents: async (scope, theCase) => [
    ...(await consentGaps(scope, theCase, theCase.parties)),
    ...(await askedAnew(scope, theCase.parties)),
  ],
  // Whatever was said before mediation ended is asked anew of a case that comes back to it.
  screenings: (scope, { _id, status, parties }) =>
    screeningBlockers(scope, {
      caseId: _id,
      parties: parties
        .filter(isTakingPart)
        .map((party) => ({ ...party, ...(status === "paused" ? {} : wentOnAt(party)) })),
      isReopened: true,
    }),
  first_meetings: missingMeetings,
  agreements: (_scope, { parties }) => missingSignatures(parties),
  finished_sessions: async (scope, { _id }) =>
    (await unfinishedSessions(scope, _id)).map((number) => `Record attendance and outcome of session ${number} first.`),
  ended_sessions: async (scope, { _id }) =>
    (await runningSessions(scope, _id)).map((number) => `Session ${number} is under way. End it first.`),
  retention: (_scope, theCase) => tooLateToReopen(theCase),
};

/** A file that is typed later went on when they agreed to it; a session of today asks how old their screening is today. */
const wentOnAt = ({ agreementSignedOn, consentedOn }: PartyDoc): { on?: string } => {
  const on = agreementSignedOn || consentedOn;
  return on === "" ? {} : { on };
};

/** What still stands in one way of a case; empty where nothing does. */
export async function blockersOf(scope: Scope, theCase: CaseDoc, { gates }: CaseTransition): Promise<string[]> {
  const blockers = await Promise.all(gates.map(async (gate) => GATES[gate](scope, theCase)));
  return blockers.flat();
}

/** Who of these has not consented, in words: sent back to mediation, everybody is asked anew. */
export async function consentGaps(scope: Scope, theCase: CaseDoc, parties: readonly PartyDoc[]): Promise<string[]> {
  const since = await sentBackFrom(scope, theCase);
  const old = parties.filter((party) => isTakingPart(party) && party.consentedOn !== "" && party.consentedOn < since);
  const asked = `${labelsOf(old)} consented before the case was reopened. Ask again, and record the consent with its new day.`;
  return [...missingConsents(parties), ...(old.length > 0 ? [asked] : [])];
}

function missingAnswer(parties: CaseDoc["parties"]): string[] {
  // People on one side count once: that they came together is no answer.
  const first = new Set(parties.filter(({ role }) => role === "initiator").map(sideOf));
  const others = parties.filter((party) => !first.has(sideOf(party)));
  // Where every side asked for it, each has to be heard of.
  if (others.length === 0 && first.size > 1 && parties.every(hasAnswered)) return [];
  return others.some(hasAnswered) ? [] : ["Nobody else has answered yet."];
}

/** Of whoever stands there without that step, as in cases that were taken over, it is not known when they met. */
export const lacksMeeting = (party: PartyDoc): boolean =>
  isTakingPart(party) &&
  party.miamOn === "" &&
  (BEFORE_MIAM.includes(party.status) || party.steps.some(({ to }) => to === "miam_attended"));

async function missingMeetings(scope: Scope, { _id, domain, parties }: CaseDoc): Promise<string[]> {
  if (!hasFirstMeeting(domain)) return [];
  const missing = parties.filter(lacksMeeting);
  const unassessed = await unassessedIn(scope, _id);
  const meeting = firstMeetingWord({ domain, region: await practiceRegion(scope.ownerId) });
  return [
    ...missing.map(({ label }) => `${label} has not attended their ${meeting}.`),
    ...parties
      .filter((party) => isTakingPart(party) && !lacksMeeting(party) && unassessed.has(party.partyId))
      .map(
        ({ label }) =>
          `The risk was not assessed at the ${meeting} of ${label}, so it was none yet: correct its record, or hold it anew.`,
      ),
  ];
}

/** Of whom nothing is recorded but meetings at which the risk was not assessed. */
async function unassessedIn(scope: Scope, caseId: string): Promise<Set<string>> {
  const records = await assessmentsOfCase(scope, caseId);
  const held = records.filter((record) => record.status === "held" && !isOnlyTold(record));
  const assessed = new Set(held.flatMap(({ partyId, lacksRiskAssessment }) => (lacksRiskAssessment ? [] : [partyId])));
  return new Set(held.map(({ partyId }) => partyId).filter((partyId) => !assessed.has(partyId)));
}

function tooLateToReopen({ statusSince }: CaseDoc): string[] {
  const limit = new Date(statusSince);
  limit.setUTCFullYear(limit.getUTCFullYear() + REOPEN_YEARS);
  return limit < now() ? [`This case ended over ${REOPEN_YEARS} years ago. Open a new case instead.`] : [];
}
