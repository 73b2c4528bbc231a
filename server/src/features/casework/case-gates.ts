// What has to be true before a case may enter a state, beyond the state machine itself.
import { can } from "@app/shared/access";
import { type CaseStatus, hasSigned, isTakingPart } from "@app/shared/case-states";
import { DAY_MS, now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { isConflictDecided } from "../conflicts/conflicts.service.ts";
import { latestScreenings } from "../screenings/screenings.service.ts";
import { unfinishedSessions } from "../sessions/sessions.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";

const SCREENING_MAX_AGE_DAYS = 180;
const REOPEN_YEARS = 6;

type Gate = (scope: Scope, theCase: CaseDoc) => Promise<string[]> | string[];

const GATES: Partial<Record<CaseStatus, Gate>> = {
  intake: async (scope, { _id, clientIds }) =>
    (await isConflictDecided(scope, _id, clientIds)) ? [] : ["Decide the conflict check as clear or waived."],
  ready: (_scope, { parties }) => [...enoughParties(parties), ...missingConsents(parties)],
  in_mediation: async (scope, theCase) => [
    ...enoughParties(theCase.parties),
    ...(await missingScreenings(scope, theCase)),
    ...missingSignatures(theCase.parties),
    ...tooLateToReopen(theCase),
  ],
  concluded: async (scope, { _id }) => {
    const count = await unfinishedSessions(scope, _id);
    if (count === 0) return [];
    return [`Record attendance and outcome of ${count === 1 ? "one session" : `${count} sessions`} first.`];
  },
};

/** What still keeps this case from a state; empty where nothing does. */
export const blockersOf = async (scope: Scope, theCase: CaseDoc, to: CaseStatus): Promise<string[]> =>
  (await GATES[to]?.(scope, theCase)) ?? [];

const labelsOf = (parties: { label: string }[]) => parties.map(({ label }) => label).join(" and ");

const enoughParties = (parties: CaseDoc["parties"]): string[] =>
  parties.filter(isTakingPart).length < 2 ? ["At least two parties must take part."] : [];

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

function tooLateToReopen({ status, statusSince }: CaseDoc): string[] {
  if (status !== "closed") return [];
  const limit = new Date(statusSince);
  limit.setUTCFullYear(limit.getUTCFullYear() + REOPEN_YEARS);
  return limit < now() ? [`This case was closed over ${REOPEN_YEARS} years ago. Open a new case instead.`] : [];
}
