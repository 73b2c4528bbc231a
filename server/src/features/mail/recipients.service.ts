import { cutText } from "@app/shared/cut-text";
import { emailSchema, RECIPIENTS_MAX } from "@app/shared/text";
import { badField } from "../../core/errors.ts";

// Whatever a mail program could take for the end of a line.
const LINE_BREAKS = /[\r\n\0\u0085\u2028\u2029]/;
const SHOWN_MAX = 60;

/**
 * Addresses separated by commas, each checked and once only. Throws BAD_REQUEST naming the first that is no address:
 * nothing that a server could read as a second recipient or as a header gets past this.
 */
export function recipientsOf(field: "to_email" | "cc" | "bcc", text: string): string[] {
  if (LINE_BREAKS.test(text)) throw badField(field, "Write the addresses in one line, with commas between them.");
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length > RECIPIENTS_MAX) throw badField(field, `Write at most ${RECIPIENTS_MAX} addresses.`);
  return [...new Set(parts.map((part) => addressOf(field, part)))];
}

/** The same where there must be one at least. */
export function requiredRecipientsOf(text: string): string[] {
  const found = recipientsOf("to_email", text);
  if (found.length === 0) throw badField("to_email", "Add the address of whoever gets this mail.");
  return found;
}

function addressOf(field: string, part: string): string {
  const parsed = emailSchema.safeParse(part);
  if (parsed.success && !LINE_BREAKS.test(parsed.data)) return parsed.data;
  throw badField(field, `“${cutText(part, SHOWN_MAX)}” is no email address. It should look like name@example.org.`);
}
