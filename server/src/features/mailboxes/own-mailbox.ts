import { mailboxKey } from "@app/shared/email-address";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertNobodysRecord } from "../contacts/known-address.service.ts";
import { ownMailboxes } from "../users/email-connection.service.ts";

const IN_RECORDS = "This address stands in the practice’s records as somebody else’s. Connect your own mailbox.";
const COLLEAGUES = "This is a colleague’s address. Connect your own mailbox, or ask them to share theirs.";

/** Throws BAD_REQUEST where the mailbox is a client’s, a contact’s or a colleague’s. For the transaction that connects it. */
export async function assertOwnMailbox(
  { ownerId, userId }: Pick<Scope, "ownerId" | "userId">,
  email: string,
  field = "email",
): Promise<void> {
  await assertNobodysRecord(ownerId, email, { field, text: IN_RECORDS });
  if ((await ownMailboxes(ownerId, userId)).has(mailboxKey(email))) throw badField(field, COLLEAGUES);
}
