import mongoose from "mongoose";
import type { z } from "zod";
import type { Assessment } from "@app/shared/assessments";
import { sideOf } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import {
  type Certificate,
  type CertificateChoices,
  type issueCertificateSchema,
  lastDayOf,
  reliedUntil,
} from "@app/shared/certificates";
import { diedOn, hadDied } from "@app/shared/death";
import { hasWord } from "@app/shared/has-word";
import { lateWords, type MiamRules, miamRulesOn, sentenceOf, type Statement } from "@app/shared/miam-rules";
import type { Dates } from "../../core/dates.ts";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getAssessment, standOn } from "../assessments/assessments.service.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { silentParties } from "../casework/invitations.service.ts";
import { ownCertificateWords } from "../documents/certificate-text.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { certifyingPractice, practiceDates, practiceToday } from "../practices/practices.service.ts";
import { factsOf, wordsFor } from "./certificate-facts.ts";
import { notAuthorised, notHere, replacesOf, sign } from "./certificate-signing.ts";
import { type Facts, isAskedOf, judge } from "./certificate-statements.ts";
import type { Judgement } from "./judgements.ts";
import { type CertificateDoc, CertificateModel } from "./certificates.model.ts";

/** Everything that the certificate of one meeting depends on, as it stands now. */
interface Standing {
  scope: Scope;
  assessment: Assessment;
  theCase: Case;
  practice: Awaited<ReturnType<typeof certifyingPractice>>;
  rules: MiamRules | undefined;
  facts: Facts;
  judgements: (Judgement & { statement: Statement })[];
  /** Those that a new one makes void. */
  standing: CertificateDoc[];
  isOrganisation: boolean;
  day: string;
  calendarDay: Dates["calendarDay"];
}

async function standingOf(scope: Scope, assessmentId: string): Promise<Standing> {
  const assessment = await getAssessment(scope, assessmentId);
  const theCase = await getCase(scope, assessment.caseId);
  const { clientId } = requireParty(theCase, assessment.partyId);
  const [practice, facts, standing, day, client, { calendarDay }] = await Promise.all([
    certifyingPractice(scope.ownerId),
    factsOf(scope, theCase, assessment),
    standingCertificates(scope, assessment),
    practiceToday(scope.ownerId),
    getClient(scope, clientId),
    practiceDates(scope.ownerId),
  ]);
  const rules = miamRulesOn(assessment.attendedOn);
  const isOrganisation = client.kind === "organisation";
  return {
    scope,
    assessment,
    theCase,
    practice,
    rules,
    facts,
    judgements: judge(facts),
    standing,
    isOrganisation,
    day,
    calendarDay,
  };
}

/**
 * Those of this meeting, which stand also where they were used, and those of before there were records, which say of no
 * meeting that it is another one.
 */
const standingCertificates = (scope: Scope, { id, caseId, partyId }: Assessment): Promise<CertificateDoc[]> =>
  CertificateModel.find({
    ownerId: scope.ownerId,
    caseId,
    partyId,
    $or: [
      { assessmentId: id, status: mongoose.trusted({ $in: ["issued", "used"] }) },
      { assessmentId: null, mediatedUntil: null, status: "issued" },
    ],
  }).lean();

/** Why nobody can issue a certificate of this meeting; never that its months are over, because it was attended. */
function blockersOf(stand: Standing): string[] {
  const { assessment, theCase, rules, isOrganisation, calendarDay } = stand;
  const party = requireParty(theCase, assessment.partyId);
  if (isOrganisation) return ["An organisation attends no MIAM, so it gets no certificate."];
  if (assessment.status === "struck") return ["This record is struck, so nothing is certified by it."];
  if (assessment.origin === "elsewhere")
    return [
      `${assessment.service} held this MIAM, so only they can certify it. Ask ${assessment.mediatorName} there for the certificate.`,
    ];
  if (hadDied(party, assessment.attendedOn))
    return [
      `${party.label} is recorded as dead since ${calendarDay(diedOn(party))}, which is before this meeting. Correct whichever day is wrong first.`,
    ];
  if (!rules) return ["This meeting was held before 29 April 2024. What was certified then is not certified any more."];
  if (!assessment.isComplete) return ["The record of this meeting is not complete. Fill in what is missing first."];
  if (assessment.lacksRiskAssessment)
    return [
      "What is missing is the risk assessment: the record says that it was not done, or the screening on which it rested was struck, and without it this was no MIAM yet (FPR 3.9). Where a screening was held on or before that day, record it and correct the record. Otherwise screen this person, and hold the MIAM anew.",
    ];
  return [];
}

export async function certificateChoices(scope: Scope, assessmentId: string): Promise<CertificateChoices> {
  const stand = await standingOf(scope, assessmentId);
  const { assessment, theCase, practice, rules, facts, judgements, standing, calendarDay } = stand;
  const elsewhere = notHere(theCase, practice);
  const noted = { warning: "", otherDispute: "", asksFewer: false };
  return {
    attendedOn: assessment.attendedOn,
    attended: elsewhere.length === 0 ? (rules?.attended(calendarDay(assessment.attendedOn)) ?? "") : "",
    mediatorName: assessment.mediatorName,
    minutes: assessment.minutes,
    countsFrom: practice.countsFrom,
    blockers:
      elsewhere.length > 0 ? elsewhere : [...blockersOf(stand), ...(await notAuthorised(scope, theCase, assessment))],
    statements:
      rules && elsewhere.length === 0
        ? judgements
            .filter(({ statement }) => isAskedOf(facts, statement))
            .map((judgement) => ({ ...noted, ...judgement, sentence: sentenceOf(rules, judgement) }))
        : [],
    unanswered: await unansweredIn(stand),
    replaces: replacesOf(standing),
    ownWords: await ownCertificateWords(scope.ownerId),
  };
}

/** How those of another side who did not answer were tried, where not every step was. */
async function unansweredIn({ scope, theCase, assessment }: Standing): Promise<CertificateChoices["unanswered"]> {
  const silences = await silentParties(scope, theCase.id, await wordsFor(scope, theCase, assessment));
  const own = requireParty(theCase, assessment.partyId);
  return theCase.parties.flatMap((party) => {
    const silence = silences.get(party.partyId);
    if (!silence || silence.untried.length === 0) return [];
    if (party.status !== "no_response" || sideOf(party) === sideOf(own)) return [];
    const attempts = silence.attempts.map(({ channel, on, replyBy }) => ({ channel, on, replyBy }));
    return [{ label: party.label, attempts, untried: silence.untried, reason: party.reason }];
  });
}

const expiryOf = ({ assessment: { attendedOn }, practice: { countsFrom }, day }: Standing): string =>
  lastDayOf({ attendedOn, countsFrom }, day);

type Issue = z.output<typeof issueCertificateSchema>;

/** Issues a certificate: signed by an authorised mediator, and saying nothing that the records do not say. */
export async function issueCertificate(scope: Scope, input: Issue): Promise<Certificate> {
  const stand = await standingOf(scope, input.assessmentId);
  const [elsewhere] = notHere(stand.theCase, stand.practice);
  if (elsewhere) throw wrongState(elsewhere);
  const [problem] = await notAuthorised(scope, stand.theCase, stand.assessment);
  if (problem) throw forbidden(problem);
  const [blocker] = blockersOf(stand);
  if (blocker) throw wrongState(blocker);
  assertLate(stand, input);
  const said = saidBy(stand, input);
  const { theCase, assessment, standing } = stand;
  const { partyId, version } = assessment;
  // The version is the one that the facts were read by, unless one that was replaced has just let go of the record.
  const isReleased = standing.some(({ assessmentId }) => assessmentId === assessment.id);
  const signing = {
    theCase,
    partyId,
    standing,
    replaceReason: input.replaceReason,
    hasReadWords: input.hasReadWords === true,
  };
  return sign(scope, signing, said, (id) => standOn(scope.ownerId, assessment.id, version + (isReleased ? 1 : 0), id));
}

function assertLate({ assessment, rules, day, calendarDay }: Standing, { isLateConfirmed }: Issue): void {
  const until = reliedUntil(assessment.attendedOn);
  if (rules && until < day && !isLateConfirmed) throw badField("isLateConfirmed", lateWords(rules, calendarDay(until)));
}

/** What it says, and by which rules. */
function saidBy(stand: Standing, input: Issue): Parameters<typeof sign>[2] {
  const { assessment, practice, rules, judgements, calendarDay, day: issuedOn } = stand;
  if (!rules) throw new Error("a certificate without rules was not refused");
  const asksFewer = assertStatements(stand, input);
  const { attendedOn } = assessment;
  const said = judgements.filter(({ statement }) => input.statements.includes(statement));
  return {
    assessmentId: assessment.id,
    rules: rules.version,
    statements: said.map(({ statement }) => statement),
    sentences: [rules.attended(calendarDay(attendedOn)), ...said.map((judgement) => sentenceOf(rules, judgement))],
    fewerReason: asksFewer ? (input.fewerReason ?? "") : "",
    attendedOn,
    issuedOn,
    countedFrom: practice.countsFrom === "issue" ? issuedOn : attendedOn,
    expiresOn: expiryOf(stand),
    conductedByName: assessment.mediatorName,
    serviceName: practice.serviceName,
  };
}

/** Gives whether one of them needed why fewer attempts were enough. */
function assertStatements({ judgements }: Standing, input: Issue): boolean {
  const { statements, isHarmless, isOtherDispute, fewerReason = "" } = input;
  const said = judgements.filter(({ statement }) => statements.includes(statement));
  const refused = said.filter(({ isAllowed }) => !isAllowed);
  if (refused.length > 0) throw badField("statements", refused.map(({ because }) => because).join(" "));
  const warnings = said.flatMap(({ warning }) => warning ?? []);
  if (warnings.length > 0 && !isHarmless) throw badField("isHarmless", warnings.join(" "));
  const disputes = new Set(said.flatMap(({ otherDispute }) => otherDispute ?? []));
  if (disputes.size > 0 && !isOtherDispute) throw badField("isOtherDispute", [...disputes].join(" "));
  const asksFewer = said.some((each) => each.asksFewer);
  if (asksFewer && !hasWord(fewerReason))
    throw badField("fewerReason", "Not every step of the invitation was tried. Say why fewer were enough.");
  return asksFewer;
}
