// What of a case may be put before a court: one PDF of open papers alone.
import { z } from "zod";
import { idSchema } from "./ids.ts";

export const COURT_PACK_FILES_MAX = 60;
export const COURT_PACK_MAX_BYTES = 80 * 1024 * 1024;

/** Whose certificate goes with it; nobody's where it is left out. */
export const courtPackSchema = z.strictObject({ caseId: idSchema, partyId: idSchema.nullable() });
export type CourtPackInput = z.infer<typeof courtPackSchema>;

export const courtPackPreviewSchema = z.object({
  included: z.array(z.object({ id: idSchema, name: z.string(), note: z.string() })),
  /** Of what whoever asks may read: why it does not go. */
  leftOut: z.array(z.object({ id: idSchema, name: z.string(), why: z.string() })),
});
export type CourtPackPreview = z.infer<typeof courtPackPreviewSchema>;
