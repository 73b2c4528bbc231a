import { takeAddressTurns, takeColleaguesTurn } from "../../core/turns.ts";
import { badField } from "../../core/errors.ts";
import { isClientsAddress } from "../clients/client-addresses.service.ts";
import { contactsAtAddresses } from "./contact-addresses.service.ts";

/** Whether mail to this address reaches a client or a contact of the practice. */
export const isKnownAddress = async (ownerId: string, address: string): Promise<boolean> =>
  (await isClientsAddress(ownerId, address)) || (await contactsAtAddresses(ownerId, [address])).length > 0;

/**
 * Throws BAD_REQUEST where mail to one of these addresses reaches a client or a contact. For the transaction that makes
 * them those of somebody who works here.
 */
export async function assertNobodysRecord(
  ownerId: string,
  addresses: readonly string[],
  refusal: { field: string; text: string },
) {
  await takeColleaguesTurn(ownerId);
  await takeAddressTurns(ownerId, addresses);
  for (const address of addresses)
    if (await isKnownAddress(ownerId, address)) throw badField(refusal.field, refusal.text);
}
