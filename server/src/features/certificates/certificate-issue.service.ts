import mongoose from "mongoose";
import type { z } from "zod";
import type { Assessment } from "@app/shared/assessments";
import type { Case } from "@app/shared/cases";
import type { Certificate, CertificateChoices, issueCertificateSchema } from "@app/shared/certificates";
import { addMonths } from "@app/shared/days";
import { type MiamRules, miamRulesOn, type Statement, STATEMENTS } from "@app/shared/miam-rules";
import { isMediatorOf, mayMediate } from "@app/shared/team-access";
import { now } from "../../core/clock.ts";
import type { Dates } from "../../core/dates.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, conflict, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getAssessment, standOn } from "../assessments/assessments.service.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { caseNumberPrefix, certifyingPractice, practiceDates, practiceToday } from "../practices/practices.service.ts";
import { accreditationOf } from "../users/users.service.ts";
import { factsOf } from "./certificate-facts.ts";
import { type Facts, isAskedOf, type Judgement, judge } from "./certificate-statements.ts";
import { type CertificateDoc, CertificateModel, CertificateNumberModel } from "./certificates.model.ts";
import { getCertificate, makeVoid, tellOfCertificate } from "./certificates.service.ts";

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
      { assessmentId: null, status: "issued" },
    ],
  }).lean();

/** Why nobody can issue a certificate of this meeting now. */
function blockersOf(stand: Standing): string[] {
  const { assessment, theCase, practice, rules, isOrganisation, day, calendarDay } = stand;
  if (theCase.domain !== "family" || practice.region !== "england_wales")
    return ["Only family cases in England and Wales have a MIAM certificate."];
  if (isOrganisation) return ["An organisation attends no MIAM, so it gets no certificate."];
  if (assessment.status === "struck") return ["This record is struck, so nothing is certified by it."];
  if (assessment.origin === "elsewhere")
    return [
      `${assessment.service} held this MIAM, so only they can certify it. Ask ${assessment.mediatorName} there for the certificate.`,
    ];
  if (!rules) return ["This meeting was held before 29 April 2024. What was certified then is not certified any more."];
  const lastDay = expiryOf(stand, day);
  if (lastDay < day)
    return [
      `The ${rules.months} months after this meeting ended on ${calendarDay(lastDay)}, so it is not certified any more. Before another MIAM, look whether something else still counts, such as mediation since then (FPR 3.8).`,
    ];
  if (!assessment.isComplete) return ["The record of this meeting is not complete. Fill in what is missing first."];
  if (assessment.lacksRiskAssessment)
    return [
      "What is missing is the risk assessment: the record says that it was not done, and without it this was no MIAM yet (FPR 3.9). Do it with this person, then correct the record.",
    ];
  return [];
}

/** Why this person cannot sign (FPR 3.2, PD3A paragraph 6: an authorised family mediator does). */
async function signingProblems(scope: Scope, { mediators }: Case): Promise<string[]> {
  if (!mayMediate(scope.role)) return ["Only a mediator may sign this certificate."];
  if (!isMediatorOf(scope, mediators))
    return ["Only a mediator of this case may sign this certificate. Whoever runs the case can add you as one."];
  const { isAccredited, isConfirmed, number } = await accreditationOf(scope);
  if (!isAccredited || number === "")
    return [
      "Only an accredited mediator may sign this certificate. If you are accredited, add your FMC registration number (URN) on your profile.",
    ];
  if (isConfirmed) return [];
  return [
    "The owner of the practice has not confirmed your FMC registration number (URN) yet. They do it under Settings, Staff and permissions.",
  ];
}

export async function certificateChoices(scope: Scope, assessmentId: string): Promise<CertificateChoices> {
  const stand = await standingOf(scope, assessmentId);
  const { assessment, practice, rules, facts, judgements, standing, day, calendarDay } = stand;
  return {
    attendedOn: assessment.attendedOn,
    attended: rules?.attended(calendarDay(assessment.attendedOn)) ?? "",
    mediatorName: assessment.mediatorName,
    minutes: assessment.minutes,
    countsFrom: practice.countsFrom,
    expiresOn: expiryOf(stand, day),
    blockers: [...blockersOf(stand), ...(await signingProblems(scope, stand.theCase))],
    statements: rules
      ? judgements
          .filter(({ statement }) => isAskedOf(facts, statement))
          .map((judgement) => ({ warning: "", ...judgement, sentence: rules.sentences[judgement.statement] }))
      : [],
    replaces: standing.map(({ number, usedOn }) => ({ number, usedOn })),
  };
}

const countedFrom = ({ practice, assessment }: Standing, issuedOn: string): string =>
  practice.countsFrom === "issue" ? issuedOn : assessment.attendedOn;

const expiryOf = (stand: Standing, issuedOn: string): string =>
  addMonths(countedFrom(stand, issuedOn), stand.rules?.months ?? 0);

type Issue = z.output<typeof issueCertificateSchema>;

/** Issues a certificate: signed by an authorised mediator, and saying nothing that the records do not say. */
export async function issueCertificate(scope: Scope, input: Issue): Promise<Certificate> {
  const stand = await standingOf(scope, input.assessmentId);
  const [problem] = await signingProblems(scope, stand.theCase);
  if (problem) throw forbidden(problem);
  const [blocker] = blockersOf(stand);
  if (blocker) throw wrongState(blocker);
  assertDays(stand, input);
  assertStatements(stand, input);
  if (stand.standing.length > 0 && !input.replaceReason)
    throw badField(
      "replaceReason",
      `${stand.standing.map(({ number }) => number).join(" and ")} stands, and a new certificate makes it void. Say why.`,
    );
  try {
    return await inTransaction(() => store(stand, input));
  } catch (error) {
    if (isDuplicateKey(error))
      throw conflict("A certificate of this meeting was issued a moment ago. Look at it before you issue another one.");
    throw error;
  }
}

function assertDays(stand: Standing, { issuedOn, statements }: Issue): void {
  const { assessment, day, calendarDay } = stand;
  if (issuedOn > day) throw badField("issuedOn", "This day is in the future.");
  if (issuedOn < assessment.attendedOn) throw badField("issuedOn", "The meeting was held after this day.");
  const lastDay = expiryOf(stand, issuedOn);
  if (lastDay < day)
    throw badField("issuedOn", `Issued on this day, its last day would have been ${calendarDay(lastDay)}.`);
  if (statements.length > 0 && issuedOn !== day)
    throw badField(
      "issuedOn",
      "What it says beyond attendance holds as of today, so a certificate that says it is issued today.",
    );
}

function assertStatements({ judgements }: Standing, { statements, isHarmless }: Issue): void {
  const said = judgements.filter(({ statement }) => statements.includes(statement));
  const refused = said.filter(({ isAllowed }) => !isAllowed);
  if (refused.length > 0) throw badField("statements", refused.map(({ because }) => because).join(" "));
  const warnings = said.flatMap(({ warning }) => warning ?? []);
  if (warnings.length > 0 && !isHarmless) throw badField("isHarmless", warnings.join(" "));
}

async function store(stand: Standing, { issuedOn, statements, replaceReason }: Issue): Promise<Certificate> {
  const { scope, assessment, theCase, practice, rules, standing, calendarDay } = stand;
  if (!rules) throw new Error("a certificate without rules was not refused");
  const { ownerId } = scope;
  const { number: accreditationNumber } = await accreditationOf(scope);
  const { clientId, name: personName } = requireParty(theCase, assessment.partyId);
  const number = await nextNumber(ownerId);
  for (const old of standing) await replace(scope, old, `Replaced by ${number}: ${replaceReason}`);
  const said = STATEMENTS.filter((statement) => statements.includes(statement));
  const [doc] = await CertificateModel.create([
    {
      ownerId,
      caseId: theCase.id,
      partyId: assessment.partyId,
      clientId,
      assessmentId: assessment.id,
      number,
      status: "issued",
      rules: rules.version,
      statements: said,
      sentences: [
        rules.attended(calendarDay(assessment.attendedOn)),
        ...said.map((statement) => rules.sentences[statement]),
      ],
      attendedOn: assessment.attendedOn,
      issuedOn,
      countedFrom: countedFrom(stand, issuedOn),
      expiresOn: expiryOf(stand, issuedOn),
      issuedBy: scope.userId,
      mediatorName: scope.userName,
      accreditationNumber,
      conductedByName: assessment.mediatorName,
      serviceName: practice.serviceName,
      personName,
      createdAt: now(),
    },
  ]);
  if (!doc) throw new Error("the certificate that was just stored is missing");
  // The version is the one that the facts were read by, unless one that was replaced has just let go of the record.
  const isReleased = standing.some(({ assessmentId }) => assessmentId === assessment.id);
  await standOn(ownerId, assessment.id, assessment.version + (isReleased ? 1 : 0), doc._id);
  await tellOfCertificate(scope, doc, `Certificate ${number} issued`);
  return getCertificate(scope, doc._id);
}

async function replace(scope: Scope, { _id }: CertificateDoc, voidReason: string): Promise<void> {
  if (!(await makeVoid(scope, _id, voidReason)))
    throw conflict("The certificate that this one replaces was changed a moment ago. Look at it, and try again.");
}

async function nextNumber(ownerId: string): Promise<string> {
  const prefix = await caseNumberPrefix(ownerId);
  const counter = await CertificateNumberModel.findOneAndUpdate(
    { _id: ownerId },
    { $inc: { last: 1 } },
    { upsert: true, returnDocument: "after", lean: true },
  );
  return [prefix, "C", String(counter?.last ?? 1).padStart(4, "0")].filter(Boolean).join("-");
}
