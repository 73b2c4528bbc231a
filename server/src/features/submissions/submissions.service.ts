// What the practice reads of filled in forms.
import mongoose from "mongoose";
import { answerText } from "@app/shared/answer-texts";
import { type Answers, type AnswerValue, answerTo, filesOf, isSignature } from "@app/shared/form-answers";
import { type FormContent, readersOf } from "@app/shared/form-content";
import { evaluateForm } from "@app/shared/form-evaluation";
import { NOTHING_ENTERED, sumsOfNothing } from "@app/shared/form-sums";
import type { Field } from "@app/shared/form-fields";
import { isForPractice } from "@app/shared/form-readers";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { SENT_STATUSES } from "@app/shared/submission-states";
import type {
  AnswerLine,
  listSubmissionsSchema,
  setSubmissionStatusSchema,
  setSuspectSchema,
  Submission,
  submissionPageSchema,
  SubmissionRow,
} from "@app/shared/submissions";
import {
  type AnswersMovedTo,
  mayMoveAnswers,
  nextOfAnswers,
  SUBMISSION_STATUS_NAMES,
} from "@app/shared/submission-states";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { withdrawContactDoubt } from "../clients/contact-checks.service.ts";
import { clientNames, getClient } from "../clients/clients.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { formNames } from "../forms/form-names.service.ts";
import { setSpam } from "../leads/lead-spam.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { assertKnowsMarks, assertMaySetAside, holdUnsafeContact } from "./contact-answers.ts";
import { assertSees, besidesEnquiries, needsOfKind, readsAnswers, readsFlags, seenBy } from "./answer-readers.ts";
import { tableCells, tableColumns } from "./answers-table.ts";
import { type Around, aroundAnswers } from "./around-answers.ts";
import { leadOfAnswers } from "./enquiries.ts";
import { canMark, endFlagTask, tellOfFlags } from "./flag-notices.ts";
import { answersWithFiles } from "./form-files.service.ts";
import { proposalsOf } from "./proposals.ts";
import { contentOf, isAssignable, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";
import { spanOf } from "./submitted-span.ts";

export async function listSubmissions(
  scope: Scope,
  input: z.output<typeof listSubmissionsSchema>,
): Promise<z.infer<typeof submissionPageSchema>> {
  const filter = await submissionFilter(scope, input);
  const order = input.isOldestFirst ? 1 : -1;
  const [docs, total, columns] = await Promise.all([
    SubmissionModel.find(filter)
      .sort({ submittedAt: order, _id: order })
      .skip((input.page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    SubmissionModel.countDocuments(filter).limit(COUNT_MAX + 1),
    tableColumns(scope, input.formId),
  ]);
  const around = await aroundAnswers(scope, docs);
  const rows = await toRows(scope, docs, around);
  const items = rows.flatMap((row, index) => {
    const doc = docs[index];
    return doc ? [{ ...row, cells: tableCells(scope, doc, around(doc), columns) }] : [];
  });
  return { items, columns, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

export async function submissionFilter(
  scope: Scope,
  {
    formId,
    clientId,
    isUnlinked,
    status,
    isSuspect,
    from,
    until,
  }: Omit<z.output<typeof listSubmissionsSchema>, "page" | "isOldestFirst">,
) {
  if (clientId) await assertSees(scope, { clientId, caseId: null, partyId: null });
  const span = spanOf(await practiceTimeZone(scope.ownerId), { from, until });
  return {
    $and: [
      await seenBy(scope),
      besidesEnquiries(scope),
      { status: status ?? mongoose.trusted({ $in: SENT_STATUSES }) },
    ],
    ownerId: scope.ownerId,
    isSuspect,
    ...(formId ? { formId } : {}),
    ...(clientId ? { clientId } : {}),
    ...(isUnlinked ? { linkId: null } : {}),
    ...(span ? { submittedAt: mongoose.trusted(span) } : {}),
  };
}

async function toRows(
  scope: Scope,
  docs: readonly SubmissionDoc[],
  around: (doc: SubmissionDoc) => Around,
): Promise<SubmissionRow[]> {
  const [forms, names] = await Promise.all([
    formNames(scope.ownerId, [...new Set(docs.map(({ formId }) => formId))]),
    clientNames(scope, [...new Set(docs.flatMap(({ clientId }) => clientId ?? []))]),
  ]);
  const rows: SubmissionRow[] = [];
  for (const doc of docs)
    rows.push({
      id: doc._id,
      formId: doc.formId,
      formName: forms.get(doc.formId)?.name ?? "A form",
      kind: forms.get(doc.formId)?.kind ?? "questionnaire",
      status: doc.status,
      clientId: doc.clientId,
      clientName: names.get(doc.clientId ?? "") ?? "",
      caseId: doc.caseId,
      partyId: doc.partyId,
      isSuspect: doc.isSuspect,
      flags: await flagsFor(scope, doc, around(doc)),
      startedAt: doc.startedAt.toISOString(),
      submittedAt: doc.submittedAt?.toISOString() ?? null,
      version: doc.version,
    });
  return rows;
}

/** What the mediator is told, as far as this person may read it. */
export async function flagsFor(scope: Scope, doc: SubmissionDoc, { content, theCase }: Around): Promise<string[]> {
  if (!content || !canMark(content)) return [];
  const { flags } = evaluateForm(content, await answersWithFiles(doc, content, contentOf(doc).answers));
  const isTold = readsFlags(scope, theCase, doc);
  return flags.filter(({ fieldId }) => isTold(content, fieldId)).map(({ text }) => text);
}

/** One that this person may look at: what was not sent in yet is still its writer's alone. */
export async function findSubmission(scope: Scope, id: string): Promise<SubmissionDoc> {
  const doc = await SubmissionModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc || doc.status === "in_progress") throw notFound("Form");
  return doc;
}

export async function getSubmission(scope: Scope, id: string): Promise<Submission> {
  const doc = await findSubmission(scope, id);
  const theCase = await assertSees(scope, doc);
  const { content, kind } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
  const [row] = await toRows(scope, [doc], () => ({ content, theCase }));
  if (!row) throw notFound("Form");
  const said = contentOf(doc);
  const answers = await answersWithFiles(doc, content, said.answers);
  const mayReadOf = readsAnswers(scope, theCase, doc);
  const isReadable = (field: Field) => field.type === "statement" || mayReadOf(content, field);
  const client = doc.clientId ? await getClient(scope, doc.clientId) : null;
  const fields = content.pages.flatMap((page) => page.fields);
  const readable = new Set(fields.filter(isReadable).map((field) => field.id));
  const isForAll = (field: Field) => needsOfKind(kind) === null && isForPractice(content, field);
  const forFew = new Set(fields.filter((field) => !isForAll(field)).map(({ id: fieldId }) => fieldId));
  const proposals = client ? proposalsOf({ content, said, client, readable }) : [];
  return {
    ...row,
    pages: pagesOf(content, answers, (field) => isReadable(field)),
    proposals: proposals.map((one) => ({ ...one, isForFew: forFew.has(one.fieldId) })),
    // Also of those that were not asked: how many were asked tells what was answered.
    hiddenCount: fields.length - readable.size,
    clientVersion: client?.version ?? null,
    formNumber: doc.formNumber,
    isAssignable: isAssignable(doc),
  };
}

/** What was asked and not answered says so: in a paper that is shown to others, silence reads as nought. */
export function pagesOf(
  form: FormContent,
  answers: Answers,
  isReadable: (field: Field) => boolean,
): Submission["pages"] {
  const { visible } = evaluateForm(form, answers);
  const empty = sumsOfNothing(form, answers);
  return form.pages.flatMap(({ title, fields }) => {
    const lines = fields.flatMap((field) => {
      if (field.type === "statement" || !isReadable(field)) return [];
      const answer = answerTo(answers, field.id);
      if (field.type === "calculated" && empty.has(field.id))
        return answer === undefined ? [] : lineOf(form, field, { answer: undefined, otherwise: NOTHING_ENTERED });
      return lineOf(form, field, { answer, otherwise: visible.has(field.id) ? "Not answered" : "" });
    });
    return lines.length > 0 ? [{ title, lines }] : [];
  });
}

function lineOf(
  form: FormContent,
  field: Exclude<Field, { type: "statement" }>,
  { answer, otherwise }: { answer: AnswerValue | undefined; otherwise: string },
): AnswerLine[] {
  const said = answerText(field, answer, form.currency);
  const text = said || otherwise;
  if (text === "") return [];
  const { id: fieldId, label, type } = field;
  const sensitivity = readersOf(form, field);
  // What was agreed to stands beside it, word for word.
  const agreed =
    (type === "consent" || type === "signature") && said !== "" && field.text !== ""
      ? `${text}\n“${field.text}”`
      : text;
  const strokes = answer !== undefined && isSignature(answer) ? answer.strokes : [];
  return [{ fieldId, label, type, text: agreed, sensitivity, files: type === "file" ? filesOf(answer) : [], strokes }];
}

export async function setStatus(
  scope: Scope,
  { id, version, status: to }: z.output<typeof setSubmissionStatusSchema>,
): Promise<Submission> {
  const doc = await findSubmission(scope, id);
  const theCase = await assertSees(scope, doc);
  if (to === "withdrawn") await assertMaySetAside(scope, theCase, doc);
  else if (to !== "under_review") await assertKnowsMarks(scope, theCase, doc);
  if (doc.isSuspect) throw wrongState("Say first that this is no spam.");
  if (doc.version !== version) throw stale("form");
  assertMove(doc, to);
  await inTransaction(async () => {
    const { modifiedCount } = await SubmissionModel.updateOne(
      { ownerId: scope.ownerId, _id: id, version },
      { $set: { status: to }, $inc: { version: 1 } },
    );
    if (modifiedCount === 0) throw stale("form");
    if (to !== "under_review") await endFlagTask(doc);
  });
  return getSubmission(scope, id);
}

/** Throws PRECONDITION_FAILED with the states that come next where this one does not. */
function assertMove({ status }: Pick<SubmissionDoc, "status">, to: AnswersMovedTo): void {
  if (mayMoveAnswers(status, to)) return;
  const [is, asked] = [SUBMISSION_STATUS_NAMES[status], SUBMISSION_STATUS_NAMES[to]];
  throw wrongState(`Answers that are “${is}” cannot become “${asked}”. Next comes ${nextOfAnswers(status)}.`);
}

export async function setSuspect(
  scope: Scope,
  { id, isSuspect }: z.output<typeof setSuspectSchema>,
): Promise<Submission> {
  const doc = await findSubmission(scope, id);
  const theCase = await assertSees(scope, doc);
  if (isSuspect) await assertMaySetAside(scope, theCase, doc);
  await inTransaction(async () => {
    await SubmissionModel.updateOne({ ownerId: scope.ownerId, _id: id }, { $set: { isSuspect }, $inc: { version: 1 } });
    if (doc.leadId !== null) await setSpam(scope, { ids: [doc.leadId], isSpam: isSuspect });
    if (isSuspect) {
      // What a stranger wrote holds no mail to the client whose it was taken for.
      if (doc.clientId) await withdrawContactDoubt(scope, doc.clientId, id);
      return endFlagTask(doc);
    }
    const form = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
    const { content } = form;
    await holdUnsafeContact(doc, { content, said: contentOf(doc), assigneeId: scope.userId });
    await tellOfFlags({ ...doc, isSuspect }, form, { content, answers: contentOf(doc).answers });
    if (doc.isEnquiry) await leadOfAnswers(await findSubmission(scope, id), content, contentOf(doc));
  });
  return getSubmission(scope, id);
}
