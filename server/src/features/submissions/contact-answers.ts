// What somebody answered of how they may be reached: a way that they say is not safe is not used from that moment, though
// their record changes only when somebody of the practice has looked.
import type { Case } from "@app/shared/cases";
import { cutText } from "@app/shared/cut-text";
import { evaluateForm } from "@app/shared/form-evaluation";
import type { FormContent } from "@app/shared/form-content";
import { type Client, displayName } from "@app/shared/clients";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import { forbidden } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { defineContactFollower } from "../clients/contact-followers.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { askToCheckContact } from "../clients/contact-checks.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { contactOf } from "../screenings/screenings.service.ts";
import { isTaskOpenWith } from "../tasks/follow-up-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { readsAnswers, readsFlags } from "./answer-readers.ts";
import { isTightened, tightenedBy } from "./proposals.ts";
import { contentOf, type SubmissionContent, type SubmissionDoc, SubmissionModel } from "./submissions.model.ts";

/** Nobody who cannot read an answer, or did not, says that it is not so: until it was decided on, it holds. */
defineContactFollower(async (scope, { clientId, isUnchecked }) => {
  const answers = isUnchecked ? [] : await doubting(scope, clientId);
  if (answers.length === 0) return;
  await askToCheckContact(scope, clientId, { answers });
  const client = await getClient(systemScope(scope.ownerId), clientId);
  await remind(systemScope(scope.ownerId), { client, caseId: null, assigneeId: scope.userId });
});

const UNDECIDED: SubmissionDoc["status"][] = ["submitted", "under_review", "processed"];

/** Those of their answers by which a way is not safe, and on which nobody has decided. */
async function doubting({ ownerId }: Pick<Scope, "ownerId">, clientId: string): Promise<string[]> {
  const status = mongoose.trusted({ $in: UNDECIDED });
  const docs = await SubmissionModel.find({ ownerId, clientId, status, isSuspect: false }).lean();
  if (docs.length === 0) return [];
  const client = await getClient(systemScope(ownerId), clientId);
  const ids: string[] = [];
  for (const doc of docs) {
    const { content } = await getVersion(ownerId, doc.formId, doc.formNumber);
    if (isTightened({ content, said: contentOf(doc), client })) ids.push(doc._id);
  }
  return ids;
}

const NOT_YOURS =
  "They answered something about their safety that you may not read. Ask the owner to look at this form.";

/** FORBIDDEN where these answers are to be set aside unread by somebody who may not read what is marked in them. Gives what was asked. */
export async function assertKnowsMarks(scope: Scope, theCase: Case | null, doc: SubmissionDoc): Promise<FormContent> {
  const { content } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
  const isTold = readsFlags(scope, theCase, doc);
  const { flags } = evaluateForm(content, contentOf(doc).answers);
  if (!flags.every(({ fieldId }) => isTold(content, fieldId))) throw forbidden(NOT_YOURS);
  return content;
}

/** The same, and of what closes a way to a client. */
export async function assertMaySetAside(scope: Scope, theCase: Case | null, doc: SubmissionDoc): Promise<void> {
  const content = await assertKnowsMarks(scope, theCase, doc);
  if (!doc.clientId) return;
  const client = await getClient(systemScope(doc.ownerId), doc.clientId);
  const closing = tightenedBy({ content, said: contentOf(doc), client });
  const reads = readsAnswers(scope, theCase, doc);
  const fields = content.pages.flatMap((page) => page.fields);
  if (fields.some((field) => closing.includes(field.id) && field.type !== "statement" && !reads(content, field)))
    throw forbidden(NOT_YOURS);
}

/** Call it in the transaction by which the answers become this client's, and in that of each decision on them. */
export async function holdUnsafeContact(
  { _id, ownerId, clientId, caseId }: Pick<SubmissionDoc, "_id" | "ownerId" | "clientId" | "caseId">,
  { content, said, assigneeId }: { content: FormContent; said: SubmissionContent; assigneeId: string },
): Promise<void> {
  if (!clientId) return;
  const scope = systemScope(ownerId);
  const client = await getClient(scope, clientId);
  if (!isTightened({ content, said, client })) return;
  await askToCheckContact(scope, clientId, { answers: [_id] });
  await remind(scope, { client, caseId, assigneeId });
}

interface Reminder {
  client: Client;
  caseId: string | null;
  assigneeId: string;
}

/** Any change of how they are reached ends the task, though other answers may wait for a decision still. */
async function remind(scope: Scope, { client, caseId, assigneeId }: Reminder): Promise<void> {
  const endsWith = contactOf(client.id);
  if (await isTaskOpenWith(scope, endsWith)) return;
  const title = cutText(
    `Safety: enter how ${displayName(client)} may be reached safely, as they answered in a form`,
    TASK_TITLE_MAX_LENGTH,
  );
  const dueOn = await practiceToday(scope.ownerId);
  await createTasks(scope, [{ title, dueOn, assigneeId, caseId, clientId: client.id, endsWith }]);
}
