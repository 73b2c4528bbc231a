import { z } from "zod";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { instantSchema } from "./time.ts";
import { visibilitySchema } from "./visibility.ts";

export const EVENT_TEXT_MAX_LENGTH = 300;

export const HISTORY_KINDS = [
  "client",
  "case",
  "meeting",
  "session",
  "note",
  "file",
  "task",
  "mail",
  "payment",
  "import",
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];
/** Where these name a party, they tell what was done with that party alone, and not what happened in the case. */
export const OWN_LINE_KINDS: readonly HistoryKind[] = ["case", "mail", "payment"];

/** The history of a client, or of the case that the client is in. */
export const listHistorySchema = z.strictObject({
  ...pageInputSchema.shape,
  clientId: idSchema.optional(),
  caseId: idSchema.optional(),
  kind: z.enum(HISTORY_KINDS).optional(),
});
export type ListHistory = z.input<typeof listHistorySchema>;

export const historyEventSchema = z.object({
  id: idSchema,
  at: instantSchema,
  kind: z.enum(HISTORY_KINDS),
  text: z.string(),
  actorName: z.string(),
  caseId: idSchema.nullable(),
  clientIds: z.array(idSchema),
  visibility: visibilitySchema,
});
export type HistoryEvent = z.infer<typeof historyEventSchema>;

export const historyPageSchema = pageOf(historyEventSchema);
