import { z } from "zod";
import { idSchema } from "./ids.ts";
import { pageOf } from "./pagination.ts";
import { instantSchema } from "./time.ts";

export const SYSTEM_MAIL_STATES = ["queued", "sending", "sent", "failed", "unsent"] as const;

/** A mail of the product itself that did not leave: no mail server is set up, or it refused. */
export const unsentMailSchema = z.object({
  id: idSchema,
  to: z.string(),
  subject: z.string(),
  /** Null once the links in it have expired. */
  text: z.string().nullable(),
  state: z.enum(SYSTEM_MAIL_STATES),
  reason: z.string(),
  createdAt: instantSchema,
});
export type UnsentMail = z.infer<typeof unsentMailSchema>;

export const unsentMailPageSchema = pageOf(unsentMailSchema);
