// Files that are tried out in the preview: they stay on the page.
import { type Answers, answerTo, filesOf, withAnswer } from "@app/shared/form-answers";
import { makeId } from "../../core/new-id.ts";
import type { FileWays } from "../questions/question-props.ts";

type Change = (next: (before: Answers) => Answers) => void;

export const heldFiles = (change: Change): FileWays => ({
  upload(fieldId, { name, size }) {
    const file = { id: makeId(), name, bytes: size };
    change((before) => withAnswer(before, fieldId, [...filesOf(answerTo(before, fieldId)), file]));
    return { done: Promise.resolve(file), cancel: () => undefined };
  },
  remove(fieldId, id) {
    change((before) => {
      const left = filesOf(answerTo(before, fieldId)).filter((file) => file.id !== id);
      return withAnswer(before, fieldId, left.length > 0 ? left : null);
    });
    return Promise.resolve();
  },
  unkept: new Map(),
});
