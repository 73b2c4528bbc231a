// What became of the enquiries of a time.
import { z } from "zod";
import { REFERRAL_SOURCES } from "./cases.ts";
import { LOST_REASONS } from "./lead-states.ts";
import { daySchema } from "./time.ts";

export const leadReportInputSchema = z
  .strictObject({ from: daySchema, until: daySchema })
  .refine(({ from, until }) => from <= until, { path: ["until"], message: "The end is before the beginning" });

const funnelSchema = z.object({
  enquiries: z.number().int(),
  contacted: z.number().int(),
  converted: z.number().int(),
  firstParty: z.number().int(),
  secondParty: z.number().int(),
  mediating: z.number().int(),
  agreed: z.number().int(),
  lost: z.number().int(),
});
export type Funnel = z.infer<typeof funnelSchema>;

export const leadReportSchema = z.object({
  rows: z.array(funnelSchema.extend({ source: z.enum(REFERRAL_SOURCES) })),
  total: funnelSchema,
  /** Why those who were lost were, the most frequent first. */
  lostReasons: z.array(z.object({ reason: z.enum(LOST_REASONS), count: z.number().int() })),
  /** More came in that time than are counted. */
  isCut: z.boolean(),
});
export type LeadReport = z.infer<typeof leadReportSchema>;
