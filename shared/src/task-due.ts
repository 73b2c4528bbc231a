// By when tasks are due. Free of zod.

/** Those before today, or all up to a week from now. */
export const TASK_DUE = ["overdue", "week"] as const;
export type TaskDue = (typeof TASK_DUE)[number];
export const DUE_WITHIN_DAYS = 7;
