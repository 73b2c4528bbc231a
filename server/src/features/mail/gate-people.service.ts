// Everybody of the practice whom a mail could reach, and who stands against whom: what the outgoing gate judges by.
import type { SafeContact } from "@app/shared/clients";
import { mailboxKey, samePerson } from "@app/shared/email-address";
import { type CaseSides, sidesOfCases } from "../cases/case-sides.service.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { contactsAtAddresses } from "../contacts/contact-addresses.service.ts";
import { placesOfContact } from "../contacts/contact-sides.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";

export interface Person {
  kind: "client" | "contact";
  id: string;
  name: string;
  email: string;
  /** Of clients only; a contact may always be mailed. */
  safeContact: SafeContact | null;
  isRestricted: boolean;
  /** On which side of which case; a party of null is on nobody's. */
  places: { caseId: string; partyId: string | null }[];
}

/** Whom mails are to be judged by. */
export interface Asked {
  ownerId: string;
  addresses: readonly string[];
  clientIds: readonly string[];
  caseIds: readonly string[];
}

export interface Directory {
  ownerId: string;
  practiceName: string;
  /** Everybody whom mail to this address reaches. */
  at(address: string): Person[];
  client(id: string): Person | undefined;
  /** The client who is this party; none where the case or the party is gone. */
  clientOfParty(caseId: string, partyId: string): string | undefined;
}

/** Reads all that a batch of mails is judged by in a few look-ups. */
export async function directoryFor({ ownerId, addresses, clientIds, caseIds }: Asked): Promise<Directory> {
  const wanted = [...new Set(addresses)].filter(Boolean);
  // Alone, because in a transaction the first look must be.
  const practiceName = await practiceNameOf(ownerId);
  const [clients, contacts] = await Promise.all([
    clientsAtAddresses(ownerId, { addresses: wanted, ids: clientIds }),
    contactsAtAddresses(ownerId, wanted),
  ]);
  const sides = await sidesOfCases(ownerId, {
    caseIds,
    clientIds: clients.map(({ id }) => id),
    contactIds: contacts.map(({ id }) => id),
  });
  const people: Person[] = [
    ...clients.map((client): Person => ({ kind: "client", ...client, places: placesOf(client.id, sides) })),
    ...contacts.map((contact): Person => {
      const { id, name, email } = contact;
      const places = placesOfContact(contact, sides);
      return { kind: "contact", id, name, email, safeContact: null, isRestricted: false, places };
    }),
  ];
  const byMailbox = Map.groupBy(people, ({ email }) => mailboxKey(email));
  return {
    ownerId,
    practiceName,
    at: (address) => (address === "" ? [] : (byMailbox.get(mailboxKey(address)) ?? [])),
    client: (id) => people.find((person) => person.kind === "client" && person.id === id),
    clientOfParty: (caseId, partyId) =>
      sides.find((one) => one.caseId === caseId)?.parties.find((party) => party.partyId === partyId)?.clientId,
  };
}

const placesOf = (clientId: string, sides: readonly CaseSides[]): Person["places"] =>
  sides.flatMap(({ caseId, parties }) =>
    parties.filter((party) => party.clientId === clientId).map(({ partyId }) => ({ caseId, partyId })),
  );

/** Whether these two stand on different sides of a case, whatever became of it. */
export const areOpposed = (one: Person, other: Person): boolean =>
  one.places.some(
    ({ caseId, partyId }) =>
      partyId !== null &&
      other.places.some((place) => place.caseId === caseId && place.partyId !== null && place.partyId !== partyId),
  );

/** Whether this person's own mail comes to this address. */
export const isAt = (person: Person, address: string): boolean => samePerson(person.email, address);
