import { mailboxKey } from "@app/shared/email-address";
import { takeAddressTurns, takeColleaguesTurn } from "../../core/turns.ts";
import { badField } from "../../core/errors.ts";
import { clientsAtAddresses, clientsOnceAt, isClientsAddress } from "../clients/client-addresses.service.ts";
import { contactsAtAddresses, contactsOnceAt } from "./contact-addresses.service.ts";

/** Whether mail to this address reaches a client or a contact of the practice. */
export const isKnownAddress = async (ownerId: string, address: string): Promise<boolean> =>
  (await isClientsAddress(ownerId, address)) || (await contactsAtAddresses(ownerId, [address])).length > 0;

/** Those of these addresses that are, or once were, a client's or a contact's: what comes to one that they left may still reach them. */
export async function everKnownAmong(ownerId: string, addresses: readonly string[]): Promise<string[]> {
  const now = [
    ...(await clientsAtAddresses(ownerId, { addresses, ids: [] })),
    ...(await contactsAtAddresses(ownerId, addresses)),
  ];
  const once = [...(await clientsOnceAt(ownerId, addresses)), ...(await contactsOnceAt(ownerId, addresses))];
  const keys = new Set([
    ...now.map(({ email }) => mailboxKey(email)),
    ...once.flatMap(({ formerMailboxes }) => formerMailboxes),
  ]);
  return addresses.filter((address) => keys.has(mailboxKey(address)));
}

export const wasEverKnown = async (ownerId: string, address: string): Promise<boolean> =>
  (await everKnownAmong(ownerId, [address])).length > 0;

/**
 * Throws BAD_REQUEST where mail to one of these addresses reaches a client or a contact. For the transaction that makes
 * them those of somebody who works here.
 */
export async function assertNobodysRecord(
  ownerId: string,
  addresses: readonly string[],
  refusal: { field: string; text: string; isTaken?: typeof isKnownAddress },
) {
  await takeColleaguesTurn(ownerId);
  await takeAddressTurns(ownerId, addresses);
  const { isTaken = isKnownAddress } = refusal;
  for (const address of addresses) if (await isTaken(ownerId, address)) throw badField(refusal.field, refusal.text);
}
