// A certificate says what was recorded when it was issued. Taken back as recorded in error, it may have been false from the
// start; once somebody answers of whom it said that they do not, it is true no more. Whoever signed it is asked to look.
import mongoose from "mongoose";
import { hasAnswered, sideOf } from "@app/shared/case-states";
import { daysAwayIn } from "@app/shared/death";
import { miamRulesOn, sentenceOf, type Statement } from "@app/shared/miam-rules";
import type { Needs } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { getAssessment } from "../assessments/assessments.service.ts";
import { defineRecordFollower } from "../assessments/record-changes.service.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { defineStrikeFollower } from "../ladders/attempt-followers.service.ts";
import { systemScope } from "../../core/system-scope.ts";
import { defineAgreedTimeFollower } from "../meetings/agreed-times.service.ts";
import { defineSafetyFollower, defineStruckFollower } from "../screenings/screening-followers.service.ts";
import { defineSessionFollower } from "../sessions/session-followers.service.ts";
import { callOff, openTitles } from "../tasks/asked-tasks.service.ts";
import { factsOf, mediatingIn, mediationOf } from "./certificate-facts.ts";
import {
  ANSWERED,
  ask,
  ATTENDED_ELSEWHERE,
  CAME_BACK,
  GOES_ON,
  JOINED,
  NOT_RECORDED,
  REOPENED,
  STRUCK,
} from "./certificate-doubts.ts";
import { reopeningAbout, saidAbout } from "./certificate-tasks.ts";
import { judge } from "./certificate-statements.ts";
import type { Judgement } from "./judgements.ts";
import { type CertificateDoc, CertificateModel } from "./certificates.model.ts";

/** These stand on records of MIAMs alone, those on sessions too; the others on where the case and its parties stand. */
const OF_RECORDS: readonly Statement[] = ["alone", "own_side", "together", "separately"];
const OF_DECISIONS: readonly Statement[] = ["none_willing", "other_stops", "person_stops"];
const OF_SESSIONS: readonly Statement[] = ["broken_down", "unresolved"];
const EVER = new Date(0);
const isOfNobody = (statement: Statement): boolean => statement === "none_willing";
const isOfSessions = (statement: Statement): boolean => OF_SESSIONS.includes(statement);

defineRecordFollower(async (scope, { caseId, origin, status }) => {
  if (origin === "elsewhere" && status === "held")
    return lookAgain(scope, { caseId, since: EVER, isMeant: isOfNobody, because: ATTENDED_ELSEWHERE });
  await lookAgain(scope, { caseId, since: EVER, isMeant: (statement) => OF_RECORDS.includes(statement) });
  await lookNoMore(scope, caseId);
});

defineAgreedTimeFollower((scope, caseId) => lookAgain(scope, { caseId, since: EVER, isMeant: isOfNobody }));

defineStrikeFollower((scope, caseId) => lookAgain(scope, { caseId, since: EVER, isMeant: isOfNobody }));

defineSessionFollower(async (scope, before, after) => {
  const saidIn = ({ status, startedAt, attendance, outcome }: typeof after) =>
    JSON.stringify([status === "struck", startedAt, attendance, outcome?.code]);
  if (saidIn(before) === saidIn(after)) return;
  const { caseId } = after;
  // Nothing that was issued before this session was held rested on it.
  const heldAt = [before, after].flatMap(({ startedAt }) => startedAt?.getTime() ?? []);
  if (heldAt.length > 0)
    await lookAgain(scope, { caseId, since: new Date(Math.min(...heldAt)), isMeant: isOfSessions });
  await lookAtMediated(scope, caseId);
  await lookNoMore(scope, caseId);
});

defineCaseFollower(async (scope, before, after) => {
  const caseId = after._id;
  await tellOfAnswers(scope, before, after);
  await tellOfJoiners(scope, before, after);
  await tellOfReopening(scope, before, after);
  const haveMoved = haveSidesChanged(before, after);
  if (haveMoved) await lookAgain(scope, { caseId, since: EVER, isMeant: () => true });
  if (isCorrected(before, after))
    await lookAgain(scope, { caseId, since: EVER, isMeant: (statement) => !OF_RECORDS.includes(statement) });
  const isSigned = isSignedAnew(before, after);
  if (isSigned) await lookAgain(scope, { caseId, since: EVER, isMeant: isOfSessions });
  if (haveMoved || isSigned || haveDaysChanged(before, after)) await lookAtMediated(scope, caseId);
  const since = takenBackAt(before, after);
  // What is taken back as recorded in error is no change of what was so.
  if (after.status === "in_mediation" && before.status !== after.status && since === null)
    await lookAgain(scope, { caseId, since: EVER, isMeant: isOfSessions, because: GOES_ON });
  if (before.parties.some((was) => was.status === "not_suitable" && !isUnsuitableIn(after, was)))
    await lookAtSuitability(scope, caseId);
  if (since !== null)
    await lookAgain(scope, { caseId, since, isMeant: (statement) => !OF_RECORDS.includes(statement) });
  await lookNoMore(scope, caseId);
});

defineSafetyFollower(async (scope, { caseId, isUnsafe }) => {
  if (!isUnsafe) await lookAtSuitability(scope, caseId);
});

/** Whose MIAM rested on what is struck now is recorded as having had none. */
defineStruckFollower(async (asker, { caseId, partyId }) => {
  const scope = systemScope(asker.ownerId);
  for (const certificate of await standingIn(asker, caseId)) {
    if (certificate.partyId !== partyId || !certificate.assessmentId) continue;
    const { lacksRiskAssessment, riskAssessment } = await getAssessment(scope, certificate.assessmentId);
    if (lacksRiskAssessment && riskAssessment === "done") await ask(scope, certificate, STRUCK, "screening.read");
  }
});

const isUnsuitableIn = ({ parties }: CaseDoc, { partyId }: { partyId: string }): boolean =>
  parties.some((party) => party.partyId === partyId && party.status === "not_suitable");

/** What was found of somebody since is for those who may read screenings. */
const lookAtSuitability = (scope: Scope, caseId: string): Promise<void> =>
  lookAgain(scope, {
    caseId,
    since: EVER,
    isMeant: (statement) => statement === "unsuitable",
    because: GOES_ON,
    needs: "screening.read",
  });

/** Whoever joins stands somewhere too: that others were asked before is what was said then. */
const haveSidesChanged = (before: CaseDoc, after: CaseDoc): boolean =>
  before.parties.some((party) => {
    const is = after.parties.find(({ partyId }) => partyId === party.partyId);
    return is !== undefined && sideOf(is) !== sideOf(party);
  });

/** Whether a day of somebody who took no other step is another: an invitation may have come before they answered, or after. */
const isCorrected = (before: CaseDoc, after: CaseDoc): boolean =>
  before.parties.some((was) => {
    const is = after.parties.find(({ partyId }) => partyId === was.partyId);
    return is !== undefined && is.status === was.status && was.respondedOn !== "" && is.respondedOn !== was.respondedOn;
  });

/** Whether somebody who took no other step had signed on another day: their sessions may have been before it. */
const isSignedAnew = (before: CaseDoc, after: CaseDoc): boolean =>
  before.parties.some((was) => {
    const is = after.parties.find(({ partyId }) => partyId === was.partyId);
    return (
      is !== undefined &&
      is.steps.length === was.steps.length &&
      was.agreementSignedOn !== "" &&
      is.agreementSignedOn !== was.agreementSignedOn
    );
  });

/** Whether somebody took part on other days than it was known, as by a step that is of an earlier day. */
const haveDaysChanged = (before: CaseDoc, after: CaseDoc): boolean =>
  before.parties.some((party) => {
    const is = after.parties.find(({ partyId }) => partyId === party.partyId);
    return is !== undefined && JSON.stringify(daysAwayIn(is)) !== JSON.stringify(daysAwayIn(party));
  });

/** When the step was taken that this change took back; null where it took none. */
function takenBackAt(before: CaseDoc, after: CaseDoc): Date | null {
  const pairs = before.parties.map((party) => ({
    had: party.steps,
    has: after.parties.find(({ partyId }) => partyId === party.partyId)?.steps ?? party.steps,
  }));
  const taken = [{ had: before.steps, has: after.steps }, ...pairs].flatMap(({ had, has }) =>
    has.length < had.length ? had.slice(has.length).map(({ at }) => at.getTime()) : [],
  );
  return taken.length > 0 ? new Date(Math.min(...taken)) : null;
}

interface Again {
  caseId: string;
  /** What was issued before said nothing by what is taken back now. */
  since: Date;
  isMeant: (statement: Statement) => boolean;
  /** Why it is looked at again; where left out, what it rests on is not recorded any more. */
  because?: string;
  needs?: Needs;
}

const standingIn = ({ ownerId }: Scope, caseId: string, since = EVER): Promise<CertificateDoc[]> =>
  CertificateModel.find({
    ownerId,
    caseId,
    status: mongoose.trusted({ $in: ["issued", "used"] }),
    createdAt: mongoose.trusted({ $gte: since }),
  }).lean();

async function lookAgain(
  asker: Scope,
  { caseId, since, isMeant, because = NOT_RECORDED, needs = null }: Again,
): Promise<void> {
  const issued = await standingIn(asker, caseId, since);
  const meant = issued.filter(({ statements }) => statements.some(isMeant));
  if (meant.length === 0) return;
  // Who takes something back may know less than whoever signed.
  const scope = systemScope(asker.ownerId);
  for (const certificate of meant) {
    const said = certificate.statements.filter(isMeant);
    if (!(await isStillSaid(scope, certificate, said))) await ask(scope, certificate, because, needs);
  }
}

/** Whether what is recorded now allows these statements of a certificate. */
async function isStillSaid(scope: Scope, certificate: CertificateDoc, said: readonly Statement[]): Promise<boolean> {
  if (!certificate.assessmentId) return true;
  const theCase = await getCase(scope, certificate.caseId);
  const assessment = await getAssessment(scope, certificate.assessmentId);
  // It may have been signed before its sessions had to be locked.
  const facts = await factsOf(scope, theCase, assessment, certificate.createdAt);
  const judgements = judge({ ...facts, toLock: "" });
  return judgements
    .filter(({ statement }) => said.includes(statement))
    .every((judgement) => isSaid(certificate, judgement));
}

/** Whether what is recorded allows what it says, word for word where the words follow the records. */
function isSaid(
  { sentences, attendedOn, fewerReason }: CertificateDoc,
  { isAllowed, asksFewer, ...judgement }: Judgement & { statement: Statement },
): boolean {
  if (asksFewer && !fewerReason) return false;
  if (!isAllowed || judgement.unwilling === undefined) return isAllowed;
  const rules = miamRulesOn(attendedOn ?? "");
  return rules !== undefined && sentences.includes(sentenceOf(rules, judgement));
}

/** Whether those who are certified to have mediated on two days are still recorded as there, and in the same way. */
async function lookAtMediated(asker: Scope, caseId: string): Promise<void> {
  const meant = (await standingIn(asker, caseId)).filter(isOfMediation);
  const scope = systemScope(asker.ownerId);
  for (const certificate of meant)
    if (!(await isStillMediated(scope, certificate))) await ask(scope, certificate, NOT_RECORDED);
}

const isOfMediation = ({ mediatedUntil }: CertificateDoc): boolean => mediatedUntil !== undefined;

async function isStillMediated(scope: Scope, certificate: CertificateDoc): Promise<boolean> {
  const { caseId, partyId, mediatedFrom: firstOn = "", mediatedUntil: lastOn = "" } = certificate;
  const sessions = await mediationOf(scope, await getCase(scope, caseId), partyId);
  const isRecorded = [firstOn, lastOn].every((day) => sessions.some(({ heldOn }) => heldOn === day));
  return isRecorded && mediatingIn(sessions, { firstOn, lastOn }) === (certificate.mediating ?? "together");
}

/** What was not recorded any more, and is again, is looked at no more. */
async function lookNoMore({ ownerId }: Scope, caseId: string): Promise<void> {
  const scope = systemScope(ownerId);
  for (const certificate of await standingIn(scope, caseId)) {
    const asked = { ownerId, caseId, abouts: [saidAbout(certificate)] };
    if ((await openTitles(asked)).length === 0) continue;
    const isRecorded = isOfMediation(certificate)
      ? await isStillMediated(scope, certificate)
      : await isStillSaid(scope, certificate, certificate.statements);
    if (isRecorded) await callOff(asked);
  }
}

/** Whether somebody answered, or came to a first meeting, of whom neither was known; also where they have left since. */
const hasComeAfterAll = (was: CaseDoc["parties"][number], is: CaseDoc["parties"][number]): boolean =>
  !hasAnswered(was) && (hasAnswered(is) || (was.miamOn === "" && is.miamOn !== ""));

/** Of somebody of another side, by a step that leads on: one that leads back is a correction. */
async function tellOfAnswers(asker: Scope, before: CaseDoc, after: CaseDoc): Promise<void> {
  const answered = after.parties.filter((party) => {
    const was = before.parties.find(({ partyId }) => partyId === party.partyId);
    return was && hasComeAfterAll(was, party) && party.steps.length >= was.steps.length;
  });
  if (answered.length === 0) return;
  const scope = systemScope(asker.ownerId);
  for (const certificate of await standingIn(asker, after._id)) {
    const { statements, partyId } = certificate;
    const own = after.parties.find((party) => party.partyId === partyId);
    const isOther = answered.some((party) => !own || sideOf(party) !== sideOf(own));
    const isThemself = answered.some((party) => party.partyId === partyId);
    if (isOther && statements.includes("none_willing")) await ask(scope, certificate, ANSWERED);
    const stopping = [
      ...(isThemself ? (["person_stops"] as const) : []),
      ...(isOther ? (["other_stops"] as const) : []),
    ];
    const said = stopping.filter((statement) => statements.includes(statement));
    // Where another one stopped too, it is true still.
    if (said.length > 0 && !(await isStillSaid(scope, certificate, said))) await ask(scope, certificate, CAME_BACK);
  }
}

/** Somebody of another side came into the case, of whom nobody knows yet whether they are willing. */
async function tellOfJoiners(asker: Scope, before: CaseDoc, after: CaseDoc): Promise<void> {
  const joined = after.parties.filter(({ partyId }) => before.parties.every((was) => was.partyId !== partyId));
  if (joined.length === 0) return;
  const scope = systemScope(asker.ownerId);
  for (const certificate of await standingIn(asker, after._id)) {
    const own = after.parties.find(({ partyId }) => partyId === certificate.partyId);
    const isOther = joined.some((party) => !own || sideOf(party) !== sideOf(own));
    if (isOther && certificate.statements.includes("none_willing")) await ask(scope, certificate, JOINED);
  }
}

/** What somebody decided before counts no more: they may say something else now. Taken back, nothing is asked by it. */
async function tellOfReopening(asker: Scope, before: CaseDoc, after: CaseDoc): Promise<void> {
  if (before.rounds.length === after.rounds.length) return;
  const scope = systemScope(asker.ownerId);
  for (const certificate of await standingIn(asker, after._id)) {
    if (!certificate.statements.some((statement) => OF_DECISIONS.includes(statement))) continue;
    if (after.rounds.length > before.rounds.length) await ask(scope, certificate, REOPENED);
    else await callOff({ ownerId: scope.ownerId, caseId: after._id, abouts: [reopeningAbout(certificate)] });
  }
}
