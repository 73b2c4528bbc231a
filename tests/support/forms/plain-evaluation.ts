// What a form makes of answers, said as plainly as it can be: nothing is kept on the way, and each thing is worked out
// anew from the beginning. Slow, and written without a look at the one that is used.
import type { Answers, AnswerValue } from "@app/shared/form-answers";
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { AskedField, Field, InnerField, Term } from "@app/shared/form-fields";
import type { Comparison, Condition } from "@app/shared/form-logic";

interface Known {
  all: readonly Field[];
  answers: ReadonlyMap<string, AnswerValue>;
  /** The pages that were asked so far. */
  pages: readonly FormPage[];
}
type Group = Extract<Field, { type: "repeat_group" }>;

export function plainly(form: FormContent, given: Answers) {
  const all = form.pages.flatMap(({ fields }) => fields);
  const hidden = all.filter(({ type }) => type === "hidden").map(({ id }) => id);
  let known: Known = { all, answers: pick(given, hidden), pages: [] };
  const path: string[] = [];
  const visible: string[] = [];
  const required: string[] = [];
  const rowFlags: string[] = [];
  let index = 0;
  while (index < form.pages.length) {
    const page = form.pages[index];
    if (!page) break;
    if (!truth(page.visibleIf, known)) {
      index += 1;
      continue;
    }
    path.push(page.id);
    known = { ...known, pages: [...known.pages, page] };
    for (const field of page.fields) {
      if (field.type === "calculated" && field.isShown) visible.push(field.id);
      if (field.type === "calculated" || field.type === "hidden" || !truth(field.visibleIf, known)) continue;
      visible.push(field.id);
      if (field.type === "statement") continue;
      if (isNeeded(field, known)) required.push(field.id);
      if (field.type === "repeat_group") {
        const rows = groupRows(field, given[field.id], known);
        visible.push(...rows.flatMap((row) => row.visible));
        required.push(...rows.flatMap((row) => row.required));
        rowFlags.push(...rows.flatMap((row) => row.flags));
        const told = rows.map((row) => row.kept).filter((kept) => Object.values(kept).length > 0);
        if (told.length > 0) known = { ...known, answers: new Map([...known.answers, [field.id, told]]) };
      } else known = { ...known, answers: new Map([...known.answers, ...pick(given, [field.id])]) };
    }
    const jump = page.jumps.filter(({ when }) => truth(when, known))[0];
    index = jump ? placeOf(form.pages, jump.to) : index + 1;
  }
  const sums = all.filter((field) => isReckoned(known, field)).map(({ id }) => [id, amount(known, id)] as const);
  const flags = all.flatMap((field) => [
    ...("flag" in field && field.flag && (isReckoned(known, field) || visible.includes(field.id))
      ? truth(field.flag.when, known)
        ? [field.id]
        : []
      : []),
    ...(field.type === "repeat_group"
      ? field.fields.map(({ id }) => id).filter((id) => rowFlags.includes(`${field.id}/${id}`))
      : []),
  ]);
  return { path, visible, required, flags, answers: Object.fromEntries([...known.answers, ...sums]) };
}

const isReckoned = ({ pages }: Known, { id, type }: Field): boolean =>
  type === "calculated" && pages.some(({ fields }) => fields.some((field) => field.id === id));

const placeOf = (pages: readonly FormPage[], to: string): number => {
  const found = pages.findIndex(({ id }) => id === to);
  return to === "end" || found === -1 ? pages.length : found;
};

const pick = (given: Answers, ids: readonly string[]): Map<string, AnswerValue> =>
  new Map(Object.entries(given).filter(([id, answer]) => ids.includes(id) && !nothing(answer)));

const nothing = (answer: AnswerValue | undefined): boolean =>
  answer === undefined ||
  (typeof answer === "string" && answer.trim().length === 0) ||
  (Array.isArray(answer) && answer.length === 0);

function groupRows(group: Group, given: AnswerValue | undefined, known: Known) {
  const list: unknown[] = Array.isArray(given) ? given : [];
  const rows = list.filter((row) => row !== null && typeof row === "object").slice(0, 20);
  return rows.map((row, at) => {
    const values = new Map<string, AnswerValue>(Object.entries(row ?? {}));
    let within = known;
    const kept: Answers = {};
    const visible: string[] = [];
    const required: string[] = [];
    for (const field of group.fields) {
      if (!truth(field.visibleIf, within)) continue;
      visible.push(`${group.id}.${at}.${field.id}`);
      if (isNeeded(field, within)) required.push(`${group.id}.${at}.${field.id}`);
      const value = values.get(field.id);
      if (value === undefined || nothing(value)) continue;
      kept[field.id] = value;
      within = { ...known, answers: new Map([...within.answers, [field.id, value]]) };
    }
    const isTold = Object.values(kept).length > 0;
    const flags = group.fields
      .filter(
        ({ id, flag }) => isTold && flag && visible.includes(`${group.id}.${at}.${id}`) && truth(flag.when, within),
      )
      .map(({ id }) => `${group.id}/${id}`);
    return { kept, visible, required, flags };
  });
}

const isNeeded = (field: AskedField | InnerField, known: Known): boolean =>
  field.isRequired ||
  (field.type === "repeat_group" && field.atLeast > 0) ||
  (field.requiredIf !== null && truth(field.requiredIf, known));

function truth(condition: Condition | null, known: Known): boolean {
  if (!condition) return true;
  const results = condition.of.map((part) =>
    "of" in part ? truth({ joint: part.joint, of: part.of }, known) : compare(part, known),
  );
  const count = results.filter(Boolean).length;
  return { and: count === results.length, or: count > 0, not: count === 0 }[condition.joint];
}

function compare({ fieldId, operator, value }: Comparison, known: Known): boolean {
  const field = known.all.find(({ id }) => id === fieldId);
  const isCounted = field?.type === "repeat_group" || (field && isReckoned(known, field));
  const answer = isCounted ? amount(known, fieldId) : known.answers.get(fieldId);
  const isThere = answer !== undefined && !nothing(answer);
  const chosen: unknown[] = Array.isArray(answer) ? answer : [];
  const listed: unknown[] = Array.isArray(value) ? value : [];
  const both = listed.filter((one) => chosen.includes(one)).length;
  const [left, right] = [comparable(answer), comparable(value)];
  const canOrder = isThere && typeof left === typeof right && left !== null && right !== null;
  const numbers = canOrder && typeof left === "number";
  const texts = canOrder && typeof left === "string";
  switch (operator) {
    case "is_empty":
      return !isThere;
    case "is_set":
      return isThere;
    case "includes_any":
      return both > 0;
    case "includes_all":
      return both === listed.length;
    case "includes_none":
      return both === 0;
    case "one_of":
      return typeof answer === "string" && listed.includes(answer);
    case "equals":
      return canOrder && left === right;
    case "not_equals":
      return !isThere || (canOrder && left !== right);
    case "contains":
      return texts && String(left).includes(String(right));
    case "starts_with":
      return texts && String(left).startsWith(String(right));
    case "before":
      return texts && String(left) < String(right);
    case "after":
      return texts && String(left) > String(right);
    case "gt":
      return numbers && Number(left) > Number(right);
    case "gte":
      return numbers && Number(left) >= Number(right);
    case "lt":
      return numbers && Number(left) < Number(right);
    case "lte":
      return numbers && Number(left) <= Number(right);
  }
}

const comparable = (value: unknown): string | number | null => {
  if (typeof value === "number") return value;
  return typeof value === "string" ? value.trim().toLowerCase() : null;
};

/** What something counts in a sum. */
function amount(known: Known, fieldId: string): number {
  const field = known.all.find(({ id }) => id === fieldId);
  const answer = known.answers.get(fieldId);
  if (field?.type === "repeat_group") return Array.isArray(answer) ? answer.length : 0;
  if (field?.type !== "calculated") return field ? worth(field, answer) : 0;
  if (!isReckoned(known, field)) return 0;
  return field.terms.reduce((sum, term) => sum + (term.sign === "plus" ? 1 : -1) * termAmount(known, term), 0);
}

function termAmount(known: Known, { fieldId, columnId }: Term): number {
  if (columnId === null) return amount(known, fieldId);
  const group = known.all.find(({ id }) => id === fieldId);
  const column = group?.type === "repeat_group" ? group.fields.find(({ id }) => id === columnId) : undefined;
  const rows: unknown = known.answers.get(fieldId);
  if (!column || !Array.isArray(rows)) return 0;
  const cells = rows.map((row: Answers) => (row[columnId] === undefined ? 0 : worth(column, row[columnId])));
  return cells.reduce((sum, cell) => sum + cell, 0);
}

function worth(field: Field | InnerField, answer: AnswerValue | undefined): number {
  if (typeof answer === "number") return answer;
  const chosen: unknown[] = Array.isArray(answer) ? answer : [answer];
  if (!("options" in field)) return 0;
  const options: readonly { value: string; score: number | null }[] = field.options;
  return options
    .filter(({ value }) => chosen.includes(value))
    .map(({ score }) => score ?? 0)
    .reduce((sum, score) => sum + score, 0);
}
