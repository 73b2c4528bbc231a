// Whose addresses somebody is not to meet who works on some cases only: where a mail names one of them, it is not theirs.
import { mailboxKey } from "@app/shared/email-address";
import type { Scope } from "../../core/trpc.ts";
import { clientsAtAddresses, clientsOnceAt } from "../clients/client-addresses.service.ts";
import { visibleAmong } from "../clients/clients.service.ts";
import { contactsAtAddresses, contactsOnceAt } from "./contact-addresses.service.ts";
import { unseenContacts } from "./contacts.service.ts";

interface At {
  id: string;
  email: string;
  formerMailboxes?: string[];
}

/** Whether one of these is, or was, the address of a client or contact whom this person does not see. */
export async function hiddenAddresses(
  scope: Scope,
  addresses: readonly string[],
): Promise<(address: string) => boolean> {
  const asked = [...new Set(addresses)].filter(Boolean);
  if (!scope.isAssignedOnly || asked.length === 0) return () => false;
  const { ownerId } = scope;
  const [clients, clientsOnce, contacts, contactsOnce] = await Promise.all([
    clientsAtAddresses(ownerId, { addresses: asked, ids: [] }),
    clientsOnceAt(ownerId, asked),
    contactsAtAddresses(ownerId, asked),
    contactsOnceAt(ownerId, asked),
  ]);
  const ofClients: At[] = [...clients, ...clientsOnce];
  const ofContacts: At[] = [...contacts, ...contactsOnce];
  const seen = await visibleAmong(scope, idsOf(ofClients));
  const unseen = new Set(await unseenContacts(scope, idsOf(ofContacts)));
  const hidden = new Set(
    [...ofClients.filter(({ id }) => !seen.has(id)), ...ofContacts.filter(({ id }) => unseen.has(id))].flatMap(
      ({ email, formerMailboxes = [] }) => [mailboxKey(email), ...formerMailboxes],
    ),
  );
  return (address) => address !== "" && hidden.has(mailboxKey(address));
}

const idsOf = (people: readonly At[]): string[] => [...new Set(people.map(({ id }) => id))];
