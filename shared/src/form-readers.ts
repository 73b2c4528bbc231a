// What an answer tells of others: one that is reckoned from another, or asked because of it, lets it be inferred.
import { FORM_END, type FormContent, type FormPage, readersOf } from "./form-content.ts";
import type { Field } from "./form-fields.ts";
import type { Sensitivity } from "./form-limits.ts";
import { type Condition, comparisonsOf } from "./form-logic.ts";

type Answered = Exclude<Field, { type: "statement" }>;

const found = new WeakMap<FormContent, Map<string, readonly Sensitivity[]>>();

/** Whoever reads the answer to this question reads each of these too, and may read it only where they may all of them. */
export function readersAmong(form: FormContent, field: Answered): readonly Sensitivity[] {
  const known = found.get(form) ?? new Map<string, readonly Sensitivity[]>();
  found.set(form, known);
  const readers = known.get(field.id) ?? readersOfAll(form, [field.id]);
  known.set(field.id, readers);
  return readers;
}

/** Whether the whole practice may read the answer to it, and all that this tells of. */
export const isForPractice = (form: FormContent, field: Field): boolean =>
  field.type === "statement" || readersAmong(form, field).every((readers) => readers === "practice");

/** Of what the mediator is told beside a question, also beside one of a repeat group: it says what its rule found. */
export const readersOfFlag = (form: FormContent, fieldId: string): readonly Sensitivity[] =>
  readersOfAll(
    form,
    form.pages.flatMap(({ fields }) =>
      fields.flatMap((field) => {
        const inner = field.type === "repeat_group" ? field.fields : [];
        const marked = [field, ...inner].find(({ id }) => id === fieldId);
        if (!marked) return [];
        const asked = "flag" in marked && marked.flag ? comparisonsOf(marked.flag.when) : [];
        return [field.id, ...asked.map((comparison) => comparison.fieldId)];
      }),
    ),
  );

/** Of these questions and of all that their answers tell of. */
function readersOfAll(form: FormContent, fieldIds: readonly string[]): readonly Sensitivity[] {
  const fields = new Map(
    form.pages.flatMap((page) => page.fields.flatMap((one) => (one.type === "statement" ? [] : [[one.id, one]]))),
  );
  const told = new Set(fieldIds);
  const readers = new Set<Sensitivity>();
  // What is added meanwhile is gone through as well.
  for (const id of told) {
    const field = fields.get(id);
    if (!field) continue;
    readers.add(readersOf(form, field));
    // The answers of a group are one: whoever may not read one of them reads none.
    for (const inner of field.type === "repeat_group" ? field.fields : [])
      if ("sensitivity" in inner && inner.sensitivity) readers.add(inner.sensitivity);
    for (const source of sourcesOf(form, field)) told.add(source);
  }
  return [...readers];
}

function sourcesOf({ pages }: FormContent, field: Answered): string[] {
  const at = pages.findIndex((page) => page.fields.some(({ id }) => id === field.id));
  const inner = field.type === "repeat_group" ? field.fields : [];
  const conditions = [
    // An answer that is missing tells that none was needed.
    ...[field, ...inner].flatMap((one) => ("visibleIf" in one ? [one.visibleIf, one.requiredIf] : [])),
    ...waysTo(pages, at),
  ];
  const terms = field.type === "calculated" ? field.terms : [];
  return [...conditions.flatMap(comparisonsOf), ...terms].map(({ fieldId }) => fieldId);
}

/** What decides whether this page is asked: its own rule, the jumps over it, and what decides whether those are reached. */
function waysTo(pages: readonly FormPage[], at: number): (Condition | null)[] {
  const decided = new Set([at]);
  const conditions: (Condition | null)[] = [];
  // What is added meanwhile is gone through as well.
  for (const page of decided) {
    conditions.push(pages[page]?.visibleIf ?? null);
    for (const [from, { jumps }] of pages.slice(0, page).entries()) {
      const over = jumps.findLastIndex(({ to }) => to === FORM_END || pages.findIndex(({ id }) => id === to) > page);
      if (over === -1) continue;
      // The first that holds is taken: those before it decide too.
      conditions.push(...jumps.slice(0, over + 1).map(({ when }) => when));
      decided.add(from);
    }
  }
  return conditions;
}
