import {
  ANSWERS_MOVED_TO,
  type AnswersMovedTo,
  mayMoveAnswers,
  nextOfAnswers,
  SUBMISSION_STATUSES,
  type SubmissionStatus,
} from "@app/shared/submission-states";
import { expect, test } from "vitest";

/** Every way that there is; whatever stands not here is refused. */
const WAYS = new Set([
  "submitted > under_review",
  "under_review > processed",
  "submitted > withdrawn",
  "under_review > withdrawn",
  "processed > withdrawn",
]);
const pairs = SUBMISSION_STATUSES.flatMap((from) =>
  ANSWERS_MOVED_TO.map((to): [SubmissionStatus, AnswersMovedTo] => [from, to]),
);

test.each(pairs)("answers: from %s to %s, when somebody asks, is one of the ways or none", (from, to) => {
  expect(mayMoveAnswers(from, to)).toBe(WAYS.has(`${from} > ${to}`));
});

test("answers: the states that come next, when a move is refused, are named", () => {
  expect(nextOfAnswers("submitted")).toBe("“Being looked at” or “Withdrawn”");
  expect(nextOfAnswers("withdrawn")).toBe("nothing: it ends there");
});
