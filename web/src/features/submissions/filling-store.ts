// What somebody typed and is not stored yet, beside the state that the server last told of.
import { type Answers, type AnswerValue, answerTo, rowsOf, withAnswer } from "@app/shared/form-answers";
import { mergeRows, rowIdOf, type RowTouch, touchesBetween } from "@app/shared/form-rows";
import { ANSWERED_AGO_MAX_MS } from "@app/shared/submission-limits";
import type { FormPlace, OpenedForm, SaveAnswers, SavedAnswers } from "@app/shared/submissions";

interface Unsaved {
  /** When it was last answered here. */
  since: number;
  /** Of a repeat group: what was done to its rows, and when. */
  rows: ReadonlyMap<string, RowTouch & { since: number }>;
}

export interface FillingStore {
  answers: Answers;
  place: FormPlace;
  number: number;
  revision: number;
  pageId: string | null;
  /** Whether others may fill in the same, by the same address. */
  leadsBack: boolean;
  /** They left by the way that leaves no trace. */
  isLeft: boolean;
  /** By question, what was answered here and not saved yet. */
  unsaved: Map<string, Unsaved>;
}

export const storeOf = (
  { answers, revision, pageId, number, leadsBack }: OpenedForm,
  place: FormPlace,
): FillingStore => ({
  leadsBack,
  isLeft: false,
  answers,
  place,
  number,
  revision,
  pageId,
  unsaved: new Map(),
});

/** Takes an answer as it is typed. */
export function answerIn(store: FillingStore, fieldId: string, value: AnswerValue | null): void {
  const since = performance.now();
  const rows = new Map(store.unsaved.get(fieldId)?.rows);
  const [before, after] = [rowsOf(answerTo(store.answers, fieldId)), rowsOf(value ?? undefined)];
  if ([...before, ...after].every((row) => rowIdOf(row) !== ""))
    for (const touch of touchesBetween(before, after))
      rows.set(`${touch.rowId}.${touch.part ?? ""}`, { ...touch, since });
  store.answers = withAnswer(store.answers, fieldId, value);
  store.unsaved.set(fieldId, { since, rows });
}

const agoMs = (since: number): number =>
  Math.min(ANSWERED_AGO_MAX_MS, Math.max(0, Math.round(performance.now() - since)));

/** What is to be saved now. */
export function savingOf({ answers, place, number, revision, pageId, unsaved }: FillingStore): SaveAnswers {
  const changes = [...unsaved].map(([fieldId, { since, rows }]) => ({
    fieldId,
    answer: answerTo(answers, fieldId) ?? null,
    agoMs: agoMs(since),
    ...(rows.size > 0
      ? { rows: [...rows.values()].map(({ since: at, ...touch }) => ({ ...touch, agoMs: agoMs(at) })) }
      : {}),
  }));
  return { ...place, number, revision, changes, pageId };
}

/** After a save: what was typed since stays to be saved, and what is newer elsewhere is taken over. */
export function takeSaved(
  store: FillingStore,
  sent: ReadonlyMap<string, Unsaved>,
  { revision, newer, resumeId }: SavedAnswers,
): void {
  store.revision = revision;
  if (resumeId !== null) store.place = { ...store.place, userId: resumeId };
  for (const [fieldId, before] of sent) {
    const now = store.unsaved.get(fieldId);
    if (!now || now.since === before.since) store.unsaved.delete(fieldId);
    else store.unsaved.set(fieldId, { ...now, rows: without(now.rows, before.rows) });
  }
  for (const [fieldId, value] of Object.entries(newer)) takeNewer(store, fieldId, value);
}

const without = (now: Unsaved["rows"], saved: Unsaved["rows"]): Unsaved["rows"] =>
  new Map([...now].filter(([key, { since }]) => saved.get(key)?.since !== since));

/** What was typed here and is not saved stays, of a repeat group row by row. */
export function takeNewer(store: FillingStore, fieldId: string, value: AnswerValue | null): void {
  const unsaved = store.unsaved.get(fieldId);
  if (!unsaved) store.answers = withAnswer(store.answers, fieldId, value);
  else if (unsaved.rows.size > 0) {
    const mine = rowsOf(answerTo(store.answers, fieldId));
    const rows = mergeRows(rowsOf(value ?? undefined), mine, [...unsaved.rows.values()]);
    store.answers = withAnswer(store.answers, fieldId, rows.length > 0 ? rows : null);
  }
}

/** Everything as the server holds it; false where something waits to be saved, or nothing is newer. */
export function takeOpened(store: FillingStore, { answers, revision }: OpenedForm): boolean {
  if (store.unsaved.size > 0 || revision <= 0) return false;
  Object.assign(store, { answers, revision });
  return true;
}
