import { z } from "zod";
import { idSchema } from "./ids.ts";
import { instantSchema } from "./time.ts";

export const previewSchema = z.strictObject({ caseId: idSchema, partyId: idSchema });

const PREVIEW_KINDS = ["meeting", "note", "file", "message", "certificate", "history"] as const;

/** One thing that this party may see, in the words in which they get it. */
export const previewItemSchema = z.object({
  kind: z.enum(PREVIEW_KINDS),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  at: instantSchema.nullable(),
});
export type PreviewItem = z.infer<typeof previewItemSchema>;

/** Everything of a case that one party may see; nothing else may ever leave for them. */
export const partyPreviewSchema = z.object({
  partyId: idSchema,
  label: z.string(),
  name: z.string(),
  /** How the case stands, in what may be told to everybody in it. */
  caseRef: z.string(),
  items: z.array(previewItemSchema),
  /** What this party sees too, but not whoever looks: they lack the permission to read it. */
  leftOut: z.array(z.enum(PREVIEW_KINDS)),
});
export type PartyPreview = z.infer<typeof partyPreviewSchema>;
