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
  const readers = known.get(field.id) ?? [...new Set(toldBy(form, field).map((told) => readersOf(form, told)))];
  known.set(field.id, readers);
  return readers;
}

/** The question itself and all that its answer tells of. */
function toldBy(form: FormContent, field: Answered): Answered[] {
  const fields = new Map(
    form.pages.flatMap((page) => page.fields.flatMap((one) => (one.type === "statement" ? [] : [[one.id, one]]))),
  );
  const told = new Map([[field.id, field]]);
  // What is added meanwhile is gone through as well.
  for (const one of told.values())
    for (const id of sourcesOf(form, one)) {
      const source = fields.get(id);
      if (source) told.set(id, source);
    }
  return [...told.values()];
}

function sourcesOf({ pages }: FormContent, field: Answered): string[] {
  const at = pages.findIndex((page) => page.fields.some(({ id }) => id === field.id));
  const conditions = [
    "visibleIf" in field ? field.visibleIf : null,
    ...(field.type === "repeat_group" ? field.fields.map(({ visibleIf }) => visibleIf) : []),
    pages[at]?.visibleIf ?? null,
    ...jumpsOver(pages, at),
  ];
  const terms = field.type === "calculated" ? field.terms : [];
  return [...conditions.flatMap(comparisonsOf), ...terms].map(({ fieldId }) => fieldId);
}

/** What decides whether this page is passed over. */
const jumpsOver = (pages: readonly FormPage[], at: number): (Condition | null)[] =>
  pages.slice(0, at).flatMap(({ jumps }) => {
    const over = jumps.findLastIndex(({ to }) => to === FORM_END || pages.findIndex(({ id }) => id === to) > at);
    // The first that holds is taken: those before it decide too.
    return jumps.slice(0, over + 1).map(({ when }) => when);
  });
