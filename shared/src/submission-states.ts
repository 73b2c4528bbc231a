// The states of what somebody fills in, and the only ways between them. Free of zod.

/** What the practice may look at: what was not sent in yet is still its writer's alone. */
export const SENT_STATUSES = ["submitted", "under_review", "processed", "withdrawn"] as const;
export const SUBMISSION_STATUSES = ["in_progress", ...SENT_STATUSES] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

export const SUBMISSION_STATUS_NAMES = {
  in_progress: "Half done",
  submitted: "Sent in",
  under_review: "Being looked at",
  processed: "Dealt with",
  withdrawn: "Withdrawn",
} as const satisfies Record<SubmissionStatus, string>;

/** The states that somebody of the practice moves answers to; sending them in is their writer's alone. */
export const ANSWERS_MOVED_TO = [
  "under_review",
  "processed",
  "withdrawn",
] as const satisfies readonly SubmissionStatus[];
export type AnswersMovedTo = (typeof ANSWERS_MOVED_TO)[number];

export const SUBMISSION_MOVES: Record<SubmissionStatus, readonly AnswersMovedTo[]> = {
  in_progress: [],
  submitted: ["under_review", "withdrawn"],
  under_review: ["processed", "withdrawn"],
  processed: ["withdrawn"],
  withdrawn: [],
};

export const mayMoveAnswers = (from: SubmissionStatus, to: AnswersMovedTo): boolean =>
  SUBMISSION_MOVES[from].includes(to);

/** Where answers may go from here, in words. */
export function nextOfAnswers(status: SubmissionStatus): string {
  const names = SUBMISSION_MOVES[status].map((to) => `“${SUBMISSION_STATUS_NAMES[to]}”`);
  return names.length > 0 ? names.join(" or ") : "nothing: it ends there";
}
