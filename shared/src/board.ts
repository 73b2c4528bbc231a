// The board of cases, a column for each state.
import { z } from "zod";
import { CASE_STATUSES } from "./case-states.ts";
import { caseRowSchema } from "./case-rows.ts";

/** One column of the board: how many there are, and those that have waited longest. */
export const boardColumnSchema = z.object({
  status: z.enum(CASE_STATUSES),
  count: z.number().int(),
  cases: z.array(caseRowSchema),
});
export const boardSchema = z.object({
  total: z.number().int(),
  waiting: z.object({ first: z.number().int(), second: z.number().int(), practice: z.number().int() }),
  columns: z.array(boardColumnSchema),
});
export type Board = z.infer<typeof boardSchema>;
