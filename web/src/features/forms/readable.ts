// What a rule can ask about: whatever people have answered by then.
import type { FormContent } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { OPERATORS_OF } from "@app/shared/form-limits";
import type { Condition } from "@app/shared/form-logic";

interface Standing {
  pageId: string;
  /** The question, or the one in a repeat group, that the rule belongs to; null for a page. */
  fieldId: string | null;
  /** The rule is looked at once the page was answered. */
  isAfterPage?: boolean;
}

const canBeAsked = ({ type }: Field): boolean => OPERATORS_OF[type].length > 0;

export function readableBefore({ pages }: FormContent, { pageId, fieldId, isAfterPage }: Standing): Field[] {
  const at = pages.findIndex(({ id }) => id === pageId);
  const page = pages[at];
  const earlier = pages.slice(0, at).flatMap(({ fields }) => fields);
  const hidden = pages.slice(at).flatMap(({ fields }) => fields.filter(({ type }) => type === "hidden"));
  if (!page) return [];
  if (isAfterPage) return [...new Set([...earlier, ...page.fields, ...hidden])].filter(canBeAsked);
  const index = page.fields.findIndex(
    (field) => field.id === fieldId || (field.type === "repeat_group" && field.fields.some(({ id }) => id === fieldId)),
  );
  const own = page.fields[index];
  const inner = own?.type === "repeat_group" ? own.fields : [];
  const ofRow = inner.slice(
    0,
    Math.max(
      0,
      inner.findIndex(({ id }) => id === fieldId),
    ),
  );
  const onPage = page.fields.slice(0, Math.max(0, index));
  return [...new Set<Field>([...earlier, ...onPage, ...hidden, ...ofRow])].filter(canBeAsked);
}

/** The last of them, because a rule mostly asks about what stands just before. What it is compared with is chosen next. */
export function newCondition(readable: readonly Field[]): Condition | null {
  const field = readable.at(-1);
  const operator = field && OPERATORS_OF[field.type][0];
  return field && operator ? { joint: "and", of: [{ fieldId: field.id, operator, value: null }] } : null;
}
