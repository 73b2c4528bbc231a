import { z } from "zod";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { searchSchema } from "./search-text.ts";
import { TASK_DUE } from "./task-due.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const TASK_TITLE_MAX_LENGTH = 200;
export const TASK_STATUSES = ["open", "doing", "done", "cancelled"] as const;

const taskFields = {
  title: lineSchema(TASK_TITLE_MAX_LENGTH).min(1, "Say what is to be done"),
  dueOn: daySchema.nullable(),
  assigneeId: idSchema,
  caseId: idSchema.nullable(),
  clientId: idSchema.nullable(),
};

export const createTaskSchema = z.strictObject(taskFields);
export type CreateTask = z.infer<typeof createTaskSchema>;

export const updateTaskSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  title: taskFields.title,
  dueOn: taskFields.dueOn,
  assigneeId: taskFields.assigneeId,
});

export const setTaskStatusSchema = z.strictObject({ id: idSchema, status: z.enum(TASK_STATUSES) });

export const taskSchema = z.object({
  ...taskFields,
  id: idSchema,
  status: z.enum(TASK_STATUSES),
  /** For somebody's safety: it stands before all others. */
  isSafety: z.boolean(),
  assigneeName: z.string(),
  caseRef: z.string(),
  clientName: z.string(),
  version: z.number().int(),
  createdAt: instantSchema,
});
export type Task = z.infer<typeof taskSchema>;

export const listTasksSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
  /** Only those that still wait, or only those that are over. */
  isOpen: z.boolean().default(true),
  assignee: z.enum(["me", "anyone"]).default("anyone"),
  clientId: idSchema.optional(),
  caseId: idSchema.optional(),
  due: z.enum(TASK_DUE).optional(),
});
export type ListTasks = z.input<typeof listTasksSchema>;
export const taskPageSchema = pageOf(taskSchema);
