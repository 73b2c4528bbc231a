// Cases as lists show them.
import { z } from "zod";
import { CASE_STATUSES, PARTY_STATUSES } from "./case-states.ts";
import { CASE_DOMAINS } from "./case-transitions.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { PAGE_SIZE } from "./product.ts";
import { searchSchema } from "./search-text.ts";
import { instantSchema } from "./time.ts";

export const caseRowSchema = z.object({
  id: idSchema,
  caseRef: z.string(),
  domain: z.enum(CASE_DOMAINS),
  status: z.enum(CASE_STATUSES),
  statusSince: instantSchema,
  waitingFor: z.string(),
  waitingSince: instantSchema,
  waitingLabel: z.string(),
  parties: z.array(
    z.object({
      clientId: idSchema,
      partyId: idSchema,
      label: z.string(),
      name: z.string(),
      side: z.string(),
      status: z.enum(PARTY_STATUSES),
    }),
  ),
});
export type CaseRow = z.infer<typeof caseRowSchema>;

export const listCasesSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
  status: z.enum(CASE_STATUSES).optional(),
  clientId: idSchema.optional(),
});
/** Of each client the case that matters now, and in it the task that is due first. */
export const casesOfClientsSchema = z.strictObject({ clientIds: z.array(idSchema).min(1).max(PAGE_SIZE) });
export const clientCaseSchema = z.object({
  clientId: idSchema,
  theCase: caseRowSchema,
  task: z.object({ title: z.string(), dueOn: z.string() }).nullable(),
});
export type ClientCase = z.infer<typeof clientCaseSchema>;

export const casePageSchema = pageOf(caseRowSchema);
