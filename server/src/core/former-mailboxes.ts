// The mailboxes that somebody left: they may still read them, or whoever they left may. Kept as addresses are compared,
// apart from everything that people are searched and shown by.
import { mailboxKey, samePerson } from "@app/shared/email-address";

export const FORMER_MAILBOXES_MAX = 20;

/** Those of somebody whose address becomes this one, the last they left at the end. */
export function formerAfter(
  { email, formerMailboxes = [] }: { email: string; formerMailboxes?: string[] },
  next: string,
): string[] {
  if (email === "" || samePerson(email, next)) return formerMailboxes;
  const left = mailboxKey(email);
  return [...formerMailboxes.filter((one) => one !== left), left].slice(-FORMER_MAILBOXES_MAX);
}
