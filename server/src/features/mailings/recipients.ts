import { z } from "zod";
import { MAILING_RECIPIENTS_MAX } from "@app/shared/mailings";
import { badField } from "../../core/errors.ts";

export const recipientSchema = z.object({
  address: z.string(),
  name: z.string(),
  clientId: z.string().nullable(),
  /** Why this one gets nothing; empty for everybody else. */
  reason: z.string(),
});
export type Recipient = z.infer<typeof recipientSchema>;

export function assertNotTooMany(count: number): void {
  if (count > MAILING_RECIPIENTS_MAX)
    throw badField(
      "source",
      `These are more than ${MAILING_RECIPIENTS_MAX.toLocaleString("en-GB")} people. Send to them in parts.`,
    );
}
