// How what is saved in one browser meets what was saved in another: by question, whoever answered last.
import type { AnswerChange } from "@app/shared/submissions";
import type { AnswerValue } from "@app/shared/form-answers";
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

/**
 * A question that nobody answered since the sender's state takes what they send. Where somebody did, the later answer
 * stands, so that a phone that was off for an hour destroys nothing.
 */
export function mergeAnswers(
  { answers, edits, ...rest }: SubmissionContent,
  { base, revision, changes, at }: Saving,
): Merged {
  const merged = new Map(Object.entries(answers));
  const times = new Map(Object.entries(edits));
  for (const { fieldId, answer, agoMs } of changes) {
    const before = times.get(fieldId);
    const answeredAt = at - agoMs;
    if (before && before.revision > base && before.at > answeredAt) continue;
    if (answer === null) merged.delete(fieldId);
    else merged.set(fieldId, answer);
    times.set(fieldId, { revision, at: answeredAt });
  }
  const newer = [...times].flatMap(([fieldId, edit]) =>
    edit.revision > base && edit.revision !== revision ? [[fieldId, merged.get(fieldId) ?? null] as const] : [],
  );
  return {
    content: { ...rest, answers: Object.fromEntries(merged), edits: Object.fromEntries(times) },
    newer: Object.fromEntries(newer),
  };
}
