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

/** What the list itself is to blame for: everything else tells of whom an address belongs to. */
export const OF_THE_LIST = {
  twice: "Stands on the list twice: one mail is enough.",
  noAddress: "This is no email address: correct it in the list.",
  noRow: "There is no address in this row.",
  noName: "The mail uses a name, and there is none for this address.",
};
export const WITHHELD = "Gets no mail by this mailing. Ask the owner of the practice why.";

export function assertNotTooMany(count: number): void {
  if (count > MAILING_RECIPIENTS_MAX)
    throw badField(
      "source",
      `These are more than ${MAILING_RECIPIENTS_MAX.toLocaleString("en-GB")} people. Send to them in parts.`,
    );
}
