// What has to be true before a case may enter a state, beyond the state machine itself.
import { can } from "@app/shared/access";
import { hasSigned, isTakingPart, sidesTakingPart } from "@app/shared/case-states";
import type { CaseGate, CaseTransition } from "@app/shared/case-transitions";
import { DAY_MS, now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { isConflictDecided } from "../conflicts/conflicts.service.ts";
import { latestScreenings } from "../screenings/screenings.service.ts";
import { unfinishedSessions } from "../sessions/sessions.service.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";

const SCREENING_MAX_AGE_DAYS = 180;
const REOPEN_YEARS = 6;

type Gate = (scope: Scope, theCase: CaseDoc) => Promise<string[]> | string[];

const GATES: Record<CaseGate, Gate> = {
  conflict_check: async (scope, { _id, clientIds }) =>
    (await isConflictDecided(scope, _id, clientIds)) ? [] : ["Decide the conflict check as clear or waived."],
  two_sides: (_scope, { parties }) => (sidesTakingPart(parties) < 2 ? ["At least two sides must take part."] : []),
  consents: (_scope, { parties }) => missingConsents(parties),
  screenings: missingScreenings,
  agreements: (_scope, { parties }) => missingSignatures(parties),
  finished_sessions: async (scope, { _id }) =>
    (await unfinishedSessions(scope, _id)).map((number) => `Record attendance and outcome of session ${number} first.`),
  retention: (_scope, theCase) => tooLateToReopen(theCase),
};

/** What still stands in one way of a case; empty where nothing does. */
export async function blockersOf(scope: Scope, theCase: CaseDoc, { gates }: CaseTransition): Promise<string[]> {
  const blockers = await Promise.all(gates.map(async (gate) => GATES[gate](scope, theCase)));
  return blockers.flat();
}

/** Whoever joins a case later is checked for conflicts before anything else is done with them. */
export const joinedBlockers = async (scope: Scope, theCase: CaseDoc, { joinedAt }: PartyDoc): Promise<string[]> =>
  joinedAt === null ? [] : GATES.conflict_check(scope, theCase);

const labelsOf = (parties: { label: string }[]) => parties.map(({ label }) => label).join(" and ");

function missingConsents(parties: CaseDoc["parties"]): string[] {
  const missing = parties.filter((party) => isTakingPart(party) && party.consentedOn === "");
  return missing.length > 0 ? [`Record the consent of ${labelsOf(missing)}.`] : [];
}

function missingSignatures(parties: CaseDoc["parties"]): string[] {
  const missing = parties.filter((party) => isTakingPart(party) && !hasSigned(party));
  return missing.length > 0 ? [`${labelsOf(missing)} must sign the agreement to mediate.`] : [];
}

/** The latest screening of every party must allow mediation and must not be too old. */
async function missingScreenings(scope: Scope, theCase: CaseDoc): Promise<string[]> {
  const missing = await screeningProblems(scope, theCase);
  if (missing.length === 0 || can(scope, "screening.read")) return missing;
  return ["The safety screening of the parties is not complete. Ask a colleague who may read screenings."];
}

async function screeningProblems(scope: Scope, { _id, parties }: CaseDoc): Promise<string[]> {
  const latest = await latestScreenings(scope, _id);
  const oldest = now().getTime() - SCREENING_MAX_AGE_DAYS * DAY_MS;
  return parties.filter(isTakingPart).flatMap(({ partyId, label }) => {
    const screening = latest.get(partyId);
    if (!screening) return [`Complete the screening of ${label}.`];
    if (screening.suitable === "no") return [`The latest screening of ${label} does not allow mediation.`];
    const isOld = screening.completedAt.getTime() < oldest;
    return isOld ? [`Screen ${label} again: the last screening is over ${SCREENING_MAX_AGE_DAYS} days old.`] : [];
  });
}

function tooLateToReopen({ statusSince }: CaseDoc): string[] {
  const limit = new Date(statusSince);
  limit.setUTCFullYear(limit.getUTCFullYear() + REOPEN_YEARS);
  return limit < now() ? [`This case ended over ${REOPEN_YEARS} years ago. Open a new case instead.`] : [];
}
