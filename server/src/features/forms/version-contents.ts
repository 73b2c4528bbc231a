// What a published version asks never changes, so that this process reads it once for all who fill it in.
import type { FormContent } from "@app/shared/form-content";
import { isInTransaction } from "../../core/open-transaction.ts";
import { type FormDoc, FormVersionModel } from "./forms.model.ts";

/** Those that were used last; a content is bounded by what a form may hold. */
const KEPT_MAX = 50;
const kept = new Map<string, FormContent>();

/** Null where there is no such version. */
export async function contentOfVersion(
  { ownerId, _id: formId }: Pick<FormDoc, "ownerId" | "_id">,
  number: number,
): Promise<FormContent | null> {
  const key = `${ownerId}:${formId}:${number}`;
  const known = kept.get(key);
  const content = known ?? (await FormVersionModel.findOne({ ownerId, formId, number }).lean())?.content;
  if (!content) return null;
  // What a transaction sees may be rolled back.
  if (known || !isInTransaction()) keep(key, known ?? frozen(content));
  return content;
}

function keep(key: string, content: FormContent): void {
  kept.delete(key);
  kept.set(key, content);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
}

/** It is one for all, so nobody changes anything of it. */
function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
