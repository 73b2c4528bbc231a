import type { FormContent } from "@app/shared/form-content";
import { isNotFound } from "../../core/errors.ts";
import { getVersion } from "../forms/form-versions.service.ts";
import type { SubmissionDoc } from "./submissions.model.ts";

type Begun = Pick<SubmissionDoc, "ownerId" | "formId" | "formNumber">;

const keyOf = ({ formId, formNumber }: Begun): string => `${formId}:${formNumber}`;

/** What each of these was begun with: every version is read once. */
export async function formContents(docs: readonly Begun[]): Promise<(doc: Begun) => FormContent | undefined> {
  const contents = new Map<string, FormContent>();
  for (const doc of new Map(docs.map((one) => [keyOf(one), one])).values()) {
    try {
      const { content } = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
      contents.set(keyOf(doc), content);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return (doc) => contents.get(keyOf(doc));
}
