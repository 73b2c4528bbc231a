// What a party last answered to a form for financial disclosure, as far as whoever asks may read it.
import type { Case, Party } from "@app/shared/cases";
import { type AnsweredFinances, figuresIn } from "@app/shared/finance-answers";
import type { FormContent } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { isForPractice } from "@app/shared/form-readers";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { dayIn } from "@app/shared/days";
import { disclosureForms } from "../forms/form-names.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { readsAnswers } from "./answer-readers.ts";
import { contentOf, SubmissionModel } from "./submissions.model.ts";

export interface DisclosureAnswers extends AnsweredFinances {
  submissionId: string;
  formName: string;
  formNumber: number;
  /** The day on which they were sent in. */
  on: string;
  currency: string;
  /** Whether the whole practice may read the answer to this question, or the case's mediators only. */
  isForPractice: (fieldId: string) => boolean;
}

/** The latest of this case, or of no case at all, that stands; null where there is none. */
export async function disclosureAnswers(
  scope: Scope,
  theCase: Case,
  { partyId, clientId }: Pick<Party, "partyId" | "clientId">,
): Promise<DisclosureAnswers | null> {
  const { ownerId } = scope;
  const names = await disclosureForms(ownerId);
  const doc = await SubmissionModel.findOne({
    ownerId,
    clientId,
    formId: mongoose.trusted({ $in: [...names.keys()] }),
    caseId: mongoose.trusted({ $in: [null, theCase.id] }),
    status: mongoose.trusted({ $in: ["submitted" as const, "under_review" as const, "processed" as const] }),
    isSuspect: false,
  })
    .sort({ submittedAt: -1, _id: -1 })
    .lean();
  if (!doc?.submittedAt) return null;
  const { content } = await getVersion(ownerId, doc.formId, doc.formNumber);
  const reads = readsAnswers(scope, theCase, { ...doc, partyId });
  const isReadable = (field: Field) => field.type === "statement" || reads(content, field);
  return {
    ...figuresIn(content, contentOf(doc).answers, isReadable),
    submissionId: doc._id,
    formName: names.get(doc.formId) ?? "A form",
    formNumber: doc.formNumber,
    on: dayIn(await practiceTimeZone(ownerId), doc.submittedAt),
    currency: content.currency,
    isForPractice: (fieldId) => isOfPractice(content, fieldId),
  };
}

function isOfPractice(content: FormContent, fieldId: string): boolean {
  const field = content.pages.flatMap(({ fields }) => fields).find(({ id }) => id === fieldId);
  return field !== undefined && isForPractice(content, field);
}
