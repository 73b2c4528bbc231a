// What somebody typed and is not stored yet, beside the state that the server last told of.
import { type Answers, answerTo, withAnswer } from "@app/shared/form-answers";
import { ANSWERED_AGO_MAX_MS } from "@app/shared/submission-limits";
import type { FormPlace, OpenedForm, SaveAnswers, SavedAnswers } from "@app/shared/submissions";

export interface FillingStore {
  answers: Answers;
  place: FormPlace;
  number: number;
  revision: number;
  pageId: string | null;
  /** When each question was last answered here, and not saved yet. */
  unsaved: Map<string, number>;
}

export const storeOf = ({ answers, revision, pageId, number }: OpenedForm, place: FormPlace): FillingStore => ({
  answers,
  place,
  number,
  revision,
  pageId,
  unsaved: new Map(),
});

/** What is to be saved now. */
export function savingOf({ answers, place, number, revision, pageId, unsaved }: FillingStore): SaveAnswers {
  const changes = [...unsaved].map(([fieldId, since]) => ({
    fieldId,
    answer: answerTo(answers, fieldId) ?? null,
    agoMs: Math.min(ANSWERED_AGO_MAX_MS, Math.max(0, Math.round(performance.now() - since))),
  }));
  return { ...place, number, revision, changes, pageId };
}

/** After a save: what was typed since stays to be saved, and what is newer elsewhere is taken over. */
export function takeSaved(
  store: FillingStore,
  sent: ReadonlyMap<string, number>,
  { revision, newer, resumeId }: SavedAnswers,
): void {
  store.revision = revision;
  if (resumeId !== null) store.place = { ...store.place, userId: resumeId };
  for (const [fieldId, since] of sent) if (store.unsaved.get(fieldId) === since) store.unsaved.delete(fieldId);
  for (const [fieldId, value] of Object.entries(newer))
    if (!store.unsaved.has(fieldId)) store.answers = withAnswer(store.answers, fieldId, value);
}
