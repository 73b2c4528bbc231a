// A certificate says what was recorded when it was issued. Where that is taken back as recorded in error, it may have been
// false from the start: whoever signed it is asked to look.
import mongoose from "mongoose";
import type { Statement } from "@app/shared/miam-rules";
import type { Scope } from "../../core/trpc.ts";
import { defineRecordFollower, getAssessment } from "../assessments/assessments.service.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { systemScope } from "../../core/system-scope.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { factsOf } from "./certificate-facts.ts";
import { judge } from "./certificate-statements.ts";
import { type CertificateDoc, CertificateModel } from "./certificates.model.ts";

/** These stand on records of MIAMs alone; the others on where the case and its parties stand. */
const OF_RECORDS: readonly Statement[] = ["alone", "own_side", "together", "separately"];

defineRecordFollower((scope, { caseId }) =>
  lookAgain(scope, { caseId, since: new Date(0), isMeant: (statement) => OF_RECORDS.includes(statement) }),
);

defineCaseFollower(async (scope, before, after) => {
  const since = takenBackAt(before, after);
  if (since === null) return;
  await lookAgain(scope, { caseId: after._id, since, isMeant: (statement) => !OF_RECORDS.includes(statement) });
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
}

async function lookAgain({ ownerId }: Scope, { caseId, since, isMeant }: Again): Promise<void> {
  const issued = await CertificateModel.find({
    ownerId,
    caseId,
    status: mongoose.trusted({ $in: ["issued", "used"] }),
    createdAt: mongoose.trusted({ $gte: since }),
    assessmentId: mongoose.trusted({ $ne: null }),
  }).lean();
  const meant = issued.filter(({ statements }) => statements.some(isMeant));
  if (meant.length === 0) return;
  // Who takes something back may know less than whoever signed.
  const scope = systemScope(ownerId);
  const theCase = await getCase(scope, caseId);
  for (const certificate of meant) {
    const assessment = await getAssessment(scope, certificate.assessmentId ?? "");
    const judgements = judge(await factsOf(scope, theCase, assessment));
    const isDoubtful = judgements.some(
      ({ statement, isAllowed }) => !isAllowed && isMeant(statement) && certificate.statements.includes(statement),
    );
    if (isDoubtful) await ask(scope, certificate);
  }
}

async function ask(scope: Scope, { number, caseId, clientId, issuedBy }: CertificateDoc): Promise<void> {
  const title = `Look again at certificate ${number}: what it says is not recorded any more. If it was never so, declare it void`;
  const dueOn = await practiceToday(scope.ownerId);
  await createTasks(scope, [{ title, dueOn, assigneeId: issuedBy, caseId, clientId }]);
}
