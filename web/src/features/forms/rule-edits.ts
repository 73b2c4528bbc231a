// What becomes of the rules where something that they ask about goes away, or is copied.
import type { FormContent } from "@app/shared/form-content";
import type { Field, InnerField } from "@app/shared/form-fields";
import { type Comparison, comparisonsOf, type Condition, type ConditionPart } from "@app/shared/form-logic";
import { formRules, type SaidRule } from "@app/shared/form-words";

type Change = (condition: Condition) => Condition | null;

/** Every condition of a form put through `change`; a rule whose condition is gone goes too. */
export const changeRules = (content: FormContent, change: Change): FormContent => ({
  ...content,
  pages: content.pages.map((page) => ({
    ...page,
    visibleIf: page.visibleIf && change(page.visibleIf),
    jumps: page.jumps.flatMap((jump) => {
      if (jump.when === null) return [jump];
      const when = change(jump.when);
      return when ? [{ ...jump, when }] : [];
    }),
    fields: page.fields.map((field) => changeRulesOf(field, change)),
  })),
});

/** The same of one question, and of those in it. */
export function changeRulesOf<One extends Field | InnerField>(field: One, change: Change): One {
  const when = (condition: Condition | null) => condition && change(condition);
  const flagged = "flag" in field && field.flag ? when(field.flag.when) : null;
  return {
    ...field,
    ...("visibleIf" in field ? { visibleIf: when(field.visibleIf) } : {}),
    ...("requiredIf" in field ? { requiredIf: when(field.requiredIf) } : {}),
    ...("flag" in field && field.flag ? { flag: flagged && { ...field.flag, when: flagged } } : {}),
    ...(field.type === "repeat_group" ? { fields: field.fields.map((inner) => changeRulesOf(inner, change)) } : {}),
  };
}

/** A condition without some of its comparisons; null where none is left. */
function without(condition: Condition, isGone: (comparison: Comparison) => boolean): Condition | null {
  const of = condition.of.flatMap((part): ConditionPart[] => {
    if (!("of" in part)) return isGone(part) ? [] : [part];
    const inner = part.of.filter((comparison) => !isGone(comparison));
    return inner.length > 0 ? [{ ...part, of: inner }] : [];
  });
  return of.length > 0 ? { ...condition, of } : null;
}

/** Takes out what rules ask of these questions, and what sums add of them. */
export function forgetFields(content: FormContent, ids: readonly string[]): FormContent {
  const left = changeRules(content, (condition) => without(condition, ({ fieldId }) => ids.includes(fieldId)));
  const pages = left.pages.map((page) => ({
    ...page,
    fields: page.fields.map((field) =>
      field.type === "calculated"
        ? {
            ...field,
            terms: field.terms.filter(
              ({ fieldId, columnId }) => !ids.includes(fieldId) && (columnId === null || !ids.includes(columnId)),
            ),
          }
        : field,
    ),
  }));
  return { ...left, pages };
}

/** Takes an answer that is not offered any more out of the rules that asked about it. */
export function forgetAnswer(content: FormContent, fieldId: string, answer: string): FormContent {
  const asksOnly = ({ value }: Comparison) => value === answer || (Array.isArray(value) && value.join() === answer);
  return changeRules(content, (condition) => {
    const left = without(condition, (one) => one.fieldId === fieldId && asksOnly(one));
    return (
      left &&
      mapComparisons(left, (one) =>
        one.fieldId === fieldId && Array.isArray(one.value)
          ? { ...one, value: one.value.filter((value) => value !== answer) }
          : one,
      )
    );
  });
}

export const mapComparisons = (condition: Condition, change: (comparison: Comparison) => Comparison): Condition => ({
  ...condition,
  of: condition.of.map((part) => ("of" in part ? { ...part, of: part.of.map(change) } : change(part))),
});

/** The rules that ask about these questions, but for their own. */
export const rulesAbout = (content: FormContent, ids: readonly string[]): SaidRule[] =>
  formRules(content).filter(
    ({ condition, fieldId }) =>
      !(fieldId !== null && ids.includes(fieldId)) &&
      comparisonsOf(condition).some((comparison) => ids.includes(comparison.fieldId)),
  );
