// How what is saved in one browser meets what was saved in another: by question, and in a repeat group by row and
// question, whoever answered last.
import type { AnswerChange } from "@app/shared/submissions";
import { type Answers, type AnswerValue, rowsOf } from "@app/shared/form-answers";
import { mergeRows, rowIdOf, type RowTouch, withRowIds } from "@app/shared/form-rows";
import type { SubmissionContent } from "./submissions.model.ts";

interface Saving {
  /** The state that the sender had on the screen. */
  base: number;
  /** The state that this save makes. */
  revision: number;
  changes: readonly AnswerChange[];
  /** Now, in milliseconds. */
  at: number;
}

export interface Merged {
  content: SubmissionContent;
  /** What its sender does not have yet; null where an answer was taken out. */
  newer: Record<string, AnswerValue | null>;
}

type Edits = Map<string, { revision: number; at: number }>;

/** So many rows that were taken out are remembered, so that an older save does not bring them back. */
const ROWS_GONE_MAX = 200;

/**
 * A question that nobody answered since the sender's state takes what they send. Where somebody did, the later answer
 * stands, so that a phone that was off for an hour destroys nothing.
 */
export function mergeAnswers(
  { answers, edits, rowEdits = {}, ...rest }: SubmissionContent,
  { base, revision, changes, at }: Saving,
): Merged {
  const merged = new Map(Object.entries(answers));
  const times: Edits = new Map(Object.entries(edits));
  const rowTimes: Edits = new Map(Object.entries(rowEdits));
  const mixed = new Set<string>();
  const isLate = (before: { revision: number; at: number } | undefined, answeredAt: number): boolean =>
    before !== undefined && before.revision > base && before.at > answeredAt;
  for (const { fieldId, answer, agoMs, rows } of changes) {
    const answeredAt = at - agoMs;
    let next = answer;
    if (rows) {
      const known = withRowIds(rowsOf(merged.get(fieldId)));
      const timely = rows.filter((touch) =>
        rivalsOf(keyOf(fieldId, touch), touch, known, rowTimes).every((edit) => !isLate(edit, at - touch.agoMs)),
      );
      const joined = mergeRows(known, rowsOf(answer ?? undefined), timely);
      for (const touch of timely) rowTimes.set(keyOf(fieldId, touch), { revision, at: at - touch.agoMs });
      next = joined.length > 0 ? joined : null;
      if (JSON.stringify(next) !== JSON.stringify(answer)) mixed.add(fieldId);
    } else if (isLate(times.get(fieldId), answeredAt)) continue;
    if (next === null) merged.delete(fieldId);
    else merged.set(fieldId, next);
    times.set(fieldId, { revision, at: answeredAt });
  }
  const newer = [...times].flatMap(([fieldId, edit]) =>
    mixed.has(fieldId) || (edit.revision > base && edit.revision !== revision)
      ? [[fieldId, merged.get(fieldId) ?? null] as const]
      : [],
  );
  const kept = { answers: Object.fromEntries(merged), edits: Object.fromEntries(times) };
  return {
    content: { ...rest, ...kept, ...(rowTimes.size > 0 ? { rowEdits: standing(rowTimes, merged) } : {}) },
    newer: Object.fromEntries(newer),
  };
}

const keyOf = (fieldId: string, { rowId, part }: RowTouch): string =>
  part === null ? `${fieldId}.${rowId}` : `${fieldId}.${rowId}.${part}`;

/**
 * What else was done that this may come too late for: the same; for an answer in a row that is gone, that it was taken
 * out; for a row that is taken out, each answer in it.
 */
function rivalsOf(key: string, { rowId, part }: RowTouch, known: readonly Answers[], rowTimes: Edits) {
  const isThere = known.some((row) => rowIdOf(row) === rowId);
  const ofRow = part === null ? key : key.slice(0, -part.length - 1);
  const isRival = (one: string) =>
    one === key || (part === null ? one.startsWith(`${key}.`) : !isThere && one === ofRow);
  return [...rowTimes].flatMap(([one, edit]) => (isRival(one) ? [edit] : []));
}

/** Without what was answered in rows that are gone; of those themselves the latest are kept. */
function standing(
  rowTimes: Edits,
  answers: ReadonlyMap<string, AnswerValue>,
): Record<string, { revision: number; at: number }> {
  const there = new Set(
    [...answers].flatMap(([fieldId, answer]) =>
      rowsOf(answer).map((row) => keyOf(fieldId, { rowId: rowIdOf(row), part: null })),
    ),
  );
  const isThere = (key: string) => there.has(key.split(".", 2).join("."));
  const all = [...rowTimes];
  const gone = all.filter(([key]) => !isThere(key) && key.split(".").length === 2);
  return Object.fromEntries([...all.filter(([key]) => isThere(key)), ...gone.slice(-ROWS_GONE_MAX)]);
}
