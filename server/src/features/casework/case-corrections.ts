// A step that was wrong is taken back: the case stands where it stood, and its history says so.
import { labelsOf } from "@app/shared/agreement-gates";
import {
  CASE_STATUS_NAMES,
  everSigned,
  isEnd,
  isScreened,
  isTakingPart,
  partyStatusName,
  sidesInMediation,
} from "@app/shared/case-states";
import { followedTo, partiesFollow } from "@app/shared/case-transitions";
import type { Case } from "@app/shared/cases";
import type { correctStepSchema } from "@app/shared/step-corrections";
import type { z } from "zod";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfParty, tellOfStep } from "../cases/case-changes.service.ts";
import { countElsewhere } from "../assessments/attendance.service.ts";
import { strikeAttended } from "../assessments/record-changes.service.ts";
import { type CaseDoc, partyIn, type PartyDoc } from "../cases/case-parties.service.ts";
import { lastStepOf, takeBack, takePartyBack, unsettleSides } from "../cases/case-steps.service.ts";
import { strikeInvitation } from "../ladders/attempts.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { correctConfidences, unsign } from "./case-agreements.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { assertScreeningAllows } from "../screenings/screening-gates.service.ts";
import { sessionBegunSince } from "../sessions/sessions.service.ts";

type Correction = z.output<typeof correctStepSchema>;

/** Takes the last step of a case or a party back. PRECONDITION_FAILED says which recorded fact stands against it. */
export const correctStep = (scope: Scope, input: Correction): Promise<Case> =>
  changedCase(scope, input, (draft) => {
    if (input.of === "confidences") return correctConfidences(scope, draft, input.reason);
    return input.partyId === "" ? correctCase(scope, draft, input) : correctParty(scope, draft, input);
  });

async function correctCase(scope: Scope, draft: CaseDoc, { reason }: Correction): Promise<void> {
  await assertNothingHeld(scope, draft);
  assertNobodyScreened(draft);
  const before = draft.ending;
  const { from, to } = takeBack(draft);
  assertTwoSides(draft);
  const needs = [before, draft.ending].includes("not_safe") ? "screening.read" : null;
  const text = `Corrected: case back from ${CASE_STATUS_NAMES[to]} to ${CASE_STATUS_NAMES[from]} (${reason})`;
  await tellOfStep(scope, draft, { text, needs });
}

/** It would be paused again at once: what left one side alone is taken back instead. */
function assertTwoSides({ status, parties }: CaseDoc): void {
  if (status !== "in_mediation" || sidesInMediation(parties) > 1) return;
  const left = parties.filter((party) => !isTakingPart(party) && everSigned(party)).map(({ label }) => label);
  throw wrongState(
    `Fewer than two sides are in mediation${left.length > 0 ? `, because ${left.join(" and ")} left` : ""}. Take that step of theirs back, or bring them back into the case, first.`,
  );
}

/** What was mediated since a case came into mediation was mediated: that step was taken. */
async function assertNothingHeld(scope: Scope, draft: CaseDoc): Promise<void> {
  const last = lastStepOf(draft);
  if (last?.to !== "in_mediation") return;
  const number = await sessionBegunSince(scope, draft._id, last.at);
  if (number !== null)
    throw wrongState(`Session ${number} was begun since, so the case was in mediation. Move it on instead.`);
}

/** Where somebody was screened after a case was reopened, it was: its end would stand beside what was found since. */
function assertNobodyScreened(draft: CaseDoc): void {
  const last = lastStepOf(draft);
  if (!last || !isEnd(last.from)) return;
  const screened = draft.parties.filter((party) => isScreened(party) && party.statusSince > last.at);
  if (screened.length === 0) return;
  const were = screened.length === 1 ? "was" : "were";
  throw wrongState(`${labelsOf(screened)} ${were} screened since, so the case was reopened. End it again instead.`);
}

async function correctParty(scope: Scope, draft: CaseDoc, { partyId, reason }: Correction): Promise<void> {
  const party = partyIn(draft, partyId);
  if (party.status === "active" || party.status === "done")
    throw wrongState(`${party.label} came there with the case. Take the step of the case back instead.`);
  const { status } = party;
  // What a screening found is another once they are screened again.
  if (lastStepOf(party)?.to === "not_suitable") await assertScreeningAllows(scope, draft, party, { to: "responded" });
  const attendedOn = await attendanceBefore(scope, draft, party, reason);
  const { from, to, since, at } = takePartyBack(party);
  followCaseSince(draft, party, at);
  if (to === "invited") await strikeInvitation(scope, { ...party, caseId: draft._id }, { since, reason });
  if (attendedOn !== null) party.miamOn = attendedOn;
  if (to === "responded") await countElsewhere(scope, draft, party);
  const isOfScreening = [status, from, to].some((each) => isScreened({ status: each }));
  if (to === "agreement_signed") unsign(draft, partyId, at);
  const place = { domain: draft.domain, region: await practiceRegion(scope.ownerId) };
  const [after, before] = [partyStatusName(place, from), partyStatusName(place, to)];
  const text = `${party.label} corrected: back from ${before} to ${after}`;
  // What a screening found may rest on what somebody else said, so it is not told of by the way.
  if (!isOfScreening) await tellOfParty(scope, draft, { party, text });
  const again = unsettleSides(draft);
  if (again)
    await tellOfStep(scope, draft, { text: `Two sides take part again: case back to ${CASE_STATUS_NAMES[again]}` });
  // What was typed is the practice's: it may say whose step it was instead.
  const needs = isOfScreening ? "screening.read" : null;
  await tellOfStep(scope, draft, { text: `${text}, because: ${reason}`, needs });
}

/** Whoever never left went with their case, wherever it went since this moment; taken back, its steps lead them back too. */
function followCaseSince({ domain, steps }: CaseDoc, party: PartyDoc, since: Date): void {
  for (const { from, to, at, partiesBefore } of steps.filter((step) => step.at > since)) {
    const { partyId, status, statusSince } = party;
    const next = new Map(partiesFollow(from, to)).get(status);
    if (!next) continue;
    partiesBefore?.push({ partyId, status, statusSince });
    Object.assign(party, { status: followedTo(domain, next, party), statusSince: at });
  }
}

/** Strikes what is recorded of the MIAM that the last step says. Gives the day of one before it; null where it says none. */
async function attendanceBefore(
  scope: Scope,
  { _id, domain }: CaseDoc,
  party: PartyDoc,
  reason: string,
): Promise<string | null> {
  const last = lastStepOf(party);
  const { partyId, label, miamOn } = party;
  // Whoever came back after they had attended took that step without another MIAM.
  if (domain !== "family" || last?.to !== "miam_attended" || last.dayBefore === miamOn) return null;
  const hadAttended = Boolean(last.dayBefore);
  return strikeAttended(scope, { caseId: _id, partyId, label, attendedOn: miamOn, hadAttended, reason });
}
