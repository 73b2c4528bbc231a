// Rows of a repeat group as several screens know them: by ids that the page makes, so that what two people add, change
// and take out at the same time is put together row by row. Free of zod.
import { type Answers, type AnswerValue, answerTo, withAnswer } from "./form-answers.ts";
import { OPTIONS_MAX } from "./form-limits.ts";

/** Where a row keeps its id: no question can be called so. */
export const ROW_ID = "#";

/** What was done to a row: one question in it answered, or, where `part` is null, the row added or taken out. */
export interface RowTouch {
  rowId: string;
  part: string | null;
}

/** Empty where it has none, as in answers of before rows had ids. */
export function rowIdOf(row: Answers): string {
  const id = answerTo(row, ROW_ID);
  return typeof id === "string" ? id : "";
}

/** With an id of its own for each: those of before are called by their place, on every screen alike. */
export function withRowIds(rows: readonly Answers[]): Answers[] {
  const given = new Set(rows.map(rowIdOf));
  const taken = new Set<string>();
  return rows.map((row, index) => {
    let id = rowIdOf(row);
    if (id === "" || taken.has(id)) {
      id ||= `row-${index}`;
      while (given.has(id) || taken.has(id)) id += "-";
    }
    taken.add(id);
    return { ...row, [ROW_ID]: id };
  });
}

const byId = (rows: readonly Answers[]): Map<string, Answers> => new Map(rows.map((row) => [rowIdOf(row), row]));

/** What became of the rows between two states of one screen. */
export function touchesBetween(before: readonly Answers[], after: readonly Answers[]): RowTouch[] {
  const [old, now] = [byId(before), byId(after)];
  const goneOrNew = [...old.keys(), ...now.keys()].filter((id) => !old.has(id) || !now.has(id));
  const answered = [...now].flatMap(([rowId, row]) => {
    const known = old.get(rowId);
    // One that came whole, as by an undo, answers nothing anew: words that were put into it elsewhere stand.
    if (!known) return [];
    const parts = new Set([...Object.keys(known), ...Object.keys(row)]);
    parts.delete(ROW_ID);
    return [...parts]
      .filter((part) => !isSame(answerTo(known, part), answerTo(row, part)))
      .map((part) => ({ rowId, part }));
  });
  return [...goneOrNew.map((rowId) => ({ rowId, part: null })), ...answered];
}

const isSame = (one: AnswerValue | undefined, other: AnswerValue | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * The rows that are known, with what was done to those that were sent. A row that was taken out comes back with what was
 * answered in it on a screen that still has it: whether that was later says whoever passes it on.
 */
export function mergeRows(
  known: readonly Answers[],
  sent: readonly Answers[],
  touches: readonly RowTouch[],
): Answers[] {
  const theirs = byId(sent);
  let rows = [...known];
  for (const { rowId, part } of touches) {
    const row = theirs.get(rowId);
    if (row && rows.length < OPTIONS_MAX && !rows.some((one) => rowIdOf(one) === rowId)) rows = placed(rows, row, sent);
    else if (!row && part === null) rows = rows.filter((one) => rowIdOf(one) !== rowId);
  }
  for (const { rowId, part } of touches) {
    if (part === null) continue;
    const given = answerTo(theirs.get(rowId) ?? {}, part) ?? null;
    rows = rows.map((row) => (rowIdOf(row) === rowId ? withAnswer(row, part, given) : row));
  }
  return rows;
}

/** After the nearest row that stands before it where it was added. */
function placed(rows: readonly Answers[], row: Answers, sent: readonly Answers[]): Answers[] {
  const before = sent.slice(0, sent.indexOf(row)).map(rowIdOf);
  const at = rows.findLastIndex((one) => before.includes(rowIdOf(one)));
  const isFirst = sent[0] === row;
  return rows.toSpliced(at >= 0 ? at + 1 : isFirst && sent.length > 1 ? 0 : rows.length, 0, row);
}
