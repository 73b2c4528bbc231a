// Answers to one form as a table: whose they are and how to reach them first, then what else was asked, in order.
import { answerText } from "@app/shared/answer-texts";
import { answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";
import { type Field, isAsked } from "@app/shared/form-fields";
import type { submissionPageSchema } from "@app/shared/submissions";
import { ANSWER_COLUMNS_SHOWN } from "@app/shared/submission-limits";
import type { z } from "zod";
import { isNotFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getPublished } from "../forms/form-versions.service.ts";
import { mayReadForm, readsAnswers } from "./answer-readers.ts";
import type { Around } from "./around-answers.ts";
import { contentOf, type SubmissionDoc } from "./submissions.model.ts";

type Page = z.infer<typeof submissionPageSchema>;

/** The questions that have a column; none of a form that this person reads no answers to. */
export async function tableColumns(scope: Scope, formId: string | undefined): Promise<Page["columns"]> {
  if (!formId) return [];
  try {
    const { kind, content } = await getPublished(scope.ownerId, formId);
    return mayReadForm(scope, kind) ? columnsOf(content) : [];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

const columnsOf = ({ pages }: FormContent): Page["columns"] =>
  pages
    .flatMap(({ fields }) => fields)
    .filter((field) => isAsked(field) && field.type !== "file")
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, ANSWER_COLUMNS_SHOWN)
    .map(({ id, label }) => ({ fieldId: id, label }));

function rankOf({ type }: Field): number {
  if (type === "name") return 0;
  return type === "email" || type === "phone" ? 1 : 2;
}

/** Of a question that this person may not read, or that this version did not ask, the cell is empty. */
export function tableCells(
  scope: Scope,
  doc: SubmissionDoc,
  { content, theCase }: Around,
  columns: Page["columns"],
): string[] {
  if (columns.length === 0) return [];
  const { answers } = contentOf(doc);
  const reads = readsAnswers(scope, theCase, doc);
  const fields = content?.pages.flatMap((page) => page.fields) ?? [];
  return columns.map(({ fieldId }) => {
    const field = fields.find(({ id }) => id === fieldId);
    if (!content || !field || field.type === "statement" || !reads(content, field)) return "";
    return answerText(field, answerTo(answers, fieldId), content.currency);
  });
}
