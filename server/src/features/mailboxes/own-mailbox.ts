import { mailboxKey } from "@app/shared/email-address";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertNobodysRecord } from "../contacts/known-address.service.ts";
import { takeAddressTurns } from "../../core/turns.ts";
import { ownMailboxes } from "../users/email-connection.service.ts";
import {
  addressesOf,
  type Claim,
  claimed,
  isConnectedByColleague,
  readAs,
  type SameHost,
} from "./mailbox-access.service.ts";

const IN_RECORDS =
  "This address, or one that you sign in with at its servers, belongs to somebody else in the practice’s records. Connect your own mailbox.";
const COLLEAGUES =
  "This is a colleague’s address, or you sign in at its servers with one. Connect your own mailbox, or ask them to share theirs.";
const CONNECTED = "Somebody else connected this mailbox already. Ask them to share it with the practice.";

/**
 * Throws BAD_REQUEST where the mailbox, by any of its addresses, is a client’s, a contact’s or a colleague’s. For the
 * transaction that connects it.
 */
export async function assertOwnMailbox(
  { ownerId, userId }: Pick<Scope, "ownerId" | "userId">,
  claim: Claim,
  field = "email",
): Promise<void> {
  await assertNobodysRecord(ownerId, addressesOf(claim), { field, text: IN_RECORDS });
  const colleagues = await ownMailboxes(ownerId, userId);
  if (readAs(claim).some((address) => colleagues.has(mailboxKey(address)))) throw badField(field, COLLEAGUES);
}

/** Throws BAD_REQUEST where a colleague connected it already. For the transaction that connects it: of two at once one does. */
export async function assertNoColleagues(
  scope: Pick<Scope, "ownerId" | "userId">,
  claim: Claim,
  { field = "email", isOneHost }: { field?: string; isOneHost?: SameHost } = {},
): Promise<void> {
  await takeAddressTurns(scope.ownerId, claimed(claim));
  if (await isConnectedByColleague(scope, claim, isOneHost)) throw badField(field, CONNECTED);
}
