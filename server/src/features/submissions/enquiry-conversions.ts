// An enquiry whose lead becomes a client: what was answered becomes that client's, with what somebody has to read first.
import { cutText } from "@app/shared/cut-text";
import type { FormContent } from "@app/shared/form-content";
import { isForPractice, readersOfFlag } from "@app/shared/form-readers";
import type { AnswerTarget } from "@app/shared/form-targets";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { clientNames } from "../clients/clients.service.ts";
import { formNames } from "../forms/form-names.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { type ConvertedLead, defineLeadConversion } from "../leads/lead-conversions.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { answersOf } from "../screenings/answers-before.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { SCREENING_NEEDS } from "./answer-readers.ts";
import { marksForScreeners } from "./flag-notices.ts";
import { contentOf, SubmissionModel } from "./submissions.model.ts";

defineLeadConversion(async (scope, of) => {
  const { ownerId } = scope;
  const { leadId, clientId, caseId, partyId } = of;
  const doc = await SubmissionModel.findOneAndUpdate(
    { ownerId, leadId, clientId: null },
    { $set: { clientId, caseId, partyId }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) return { isSummaryForPractice: true };
  const form = (await formNames(ownerId, [doc.formId])).get(doc.formId);
  await recordEvent(scope, {
    kind: "client",
    text: `Enquiry given to this client: ${form?.name ?? "a form"}`,
    caseId,
    clientIds: [clientId],
    visibility: PRACTICE_ONLY,
    needs: null,
  });
  const { content } = await getVersion(ownerId, doc.formId, doc.formNumber);
  const marked = marksForScreeners(content, contentOf(doc).answers);
  const isSafety = marked.some(({ fieldId }) => readersOfFlag(content, fieldId).includes("screening"));
  if (marked.length > 0) await askToRead(scope, of, isSafety);
  return { isSummaryForPractice: isSummaryForPractice(content) };
});

/** It says of nobody what they said; that somebody said something of their safety only who may read it learns. */
async function askToRead(
  scope: Scope,
  { clientId, caseId }: Pick<ConvertedLead, "clientId" | "caseId">,
  isSafety: boolean,
): Promise<void> {
  const name = (await clientNames(scope, [clientId])).get(clientId) ?? "this client";
  const title = isSafety
    ? `Safety: read what ${name} said in the enquiry before anything is sent`
    : `Read the answers of ${name} in the enquiry first: something in them is marked`;
  await createTasks(scope, [
    {
      title: cutText(title, TASK_TITLE_MAX_LENGTH),
      dueOn: await practiceToday(scope.ownerId),
      assigneeId: scope.userId,
      caseId,
      clientId,
      ...(isSafety ? { needs: SCREENING_NEEDS, endsWith: answersOf({ clientId, caseId }) } : {}),
    },
  ]);
}

const SUMMARY: readonly AnswerTarget[] = ["lead.domain", "lead.summary"];

/** What a lead says of its matter are the answers to these. */
const isSummaryForPractice = (content: FormContent): boolean =>
  content.pages
    .flatMap(({ fields }) => fields)
    .filter((field) => "mapTo" in field && SUMMARY.some((target) => target === field.mapTo))
    .every((field) => isForPractice(content, field));
