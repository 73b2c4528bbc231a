// What belongs to several answers, read once for all of them.
import type { Case } from "@app/shared/cases";
import type { FormContent } from "@app/shared/form-content";
import { isNotFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import type { SubmissionDoc } from "./submissions.model.ts";

type Begun = Pick<SubmissionDoc, "ownerId" | "formId" | "formNumber" | "caseId">;

export interface Around {
  /** What they were begun with. */
  content: FormContent | undefined;
  /** Null where they are of none, or of one that this person does not see. */
  theCase: Case | null;
}

export async function aroundAnswers(scope: Scope, docs: readonly Begun[]): Promise<(doc: Begun) => Around> {
  const caseIds = new Set(docs.flatMap(({ caseId }) => caseId ?? []));
  const [contents, cases] = await Promise.all([
    contentsOf(docs),
    caseIds.size > 0 ? findVisibleCases(scope, [...caseIds]) : [],
  ]);
  return (doc) => ({
    content: contents.get(keyOf(doc)),
    theCase: cases.find(({ id }) => id === doc.caseId) ?? null,
  });
}

const keyOf = ({ formId, formNumber }: Begun): string => `${formId}:${formNumber}`;

async function contentsOf(docs: readonly Begun[]): Promise<Map<string, FormContent>> {
  const contents = new Map<string, FormContent>();
  for (const doc of new Map(docs.map((one) => [keyOf(one), one])).values()) {
    try {
      const { content } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
      contents.set(keyOf(doc), content);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return contents;
}
