import { isClientsAddress } from "../clients/client-addresses.service.ts";
import { contactsAtAddresses } from "./contact-addresses.service.ts";

/** Whether mail to this address reaches a client or a contact of the practice. */
export const isKnownAddress = async (ownerId: string, address: string): Promise<boolean> =>
  (await isClientsAddress(ownerId, address)) || (await contactsAtAddresses(ownerId, [address])).length > 0;
