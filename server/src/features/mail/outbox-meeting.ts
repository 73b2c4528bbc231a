// The meeting whose calendar entry goes with a mail, looked at again when it leaves: it may have been moved meanwhile.
import { stillComes } from "../meetings/meeting-invitations.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";
import type { MailContent } from "./outbox.service.ts";

/** Throws an Error that says what to do where the entry is not true any more. */
export async function assertEntryStands({ ownerId, partyId }: OutboxDoc, { meeting }: MailContent): Promise<void> {
  if (!meeting || (partyId && (await stillComes(ownerId, meeting, partyId)))) return;
  throw new Error("The appointment has changed since this was written. Look at the calendar, and write again.");
}
