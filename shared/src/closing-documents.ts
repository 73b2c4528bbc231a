// What a mediation may leave in the hands of those who were in it, and where each paper of that is.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const CLOSING_DOCUMENTS = ["financial_statement", "memorandum", "parenting_plan"] as const;
export type ClosingDocument = (typeof CLOSING_DOCUMENTS)[number];

export const closingDocumentSchema = z.strictObject({
  kind: z.enum(CLOSING_DOCUMENTS),
  partyIds: z.array(idSchema).min(1).max(PARTIES_MAX),
  /** Which file of the case it is; empty of one that was made outside, and where a case ended before this was asked. */
  fileId: z.union([z.literal(""), idSchema]).default(""),
  isMadeOutside: z.boolean().default(false),
});
