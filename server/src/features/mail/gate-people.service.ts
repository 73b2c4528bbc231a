// Everybody of the practice whom a mail could reach, and who stands against whom: what the outgoing gate judges by.
import type { SafeContact } from "@app/shared/clients";
import { mayGoTo } from "@app/shared/disclosures";
import { mailboxKey, samePerson } from "@app/shared/email-address";
import { foldText } from "@app/shared/text";
import { type CaseSides, sidesOfCases } from "../cases/case-sides.service.ts";
import { type ClientAtAddress, clientsAtAddresses, clientsOnceAt } from "../clients/client-addresses.service.ts";
import { type ContactAtAddress, contactsAtAddresses, contactsOnceAt } from "../contacts/contact-addresses.service.ts";
import { formerSides, placesOfContact, sidesAmong } from "../contacts/contact-sides.service.ts";
import { keptUnasked } from "../ladders/unasked.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { ownMailboxes } from "../users/email-connection.service.ts";

export interface Person {
  kind: "client" | "contact";
  id: string;
  name: string;
  email: string;
  /** Of clients only; a contact may always be mailed. */
  safeContact: SafeContact | null;
  isRestricted: boolean;
  isArchived: boolean;
  /** Found by an address that they left: nobody may learn from it whose it was. */
  isFormer?: true;
  /** On which side of which case; a party of null is on nobody's. */
  places: { caseId: string; partyId: string | null; role: string }[];
  /** Where they stood before. */
  formerSides: { caseId: string; partyId: string }[];
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
  /** Everybody whom mail to this address reaches; where it is nobody's today, whoever had it before. */
  at(address: string): Person[];
  /** Whoever had it before, also where it is somebody else's today. */
  onceAt(address: string): Person[];
  client(id: string): Person | undefined;
  /** The client who is this party; none where the case or the party is gone. */
  clientOfParty(caseId: string, partyId: string): string | undefined;
  /** Whether this person stands, or stood, in a case against one of these clients, and for none of them. */
  isAgainst(person: Person, clientIds: readonly string[]): boolean;
  /** Whether these are all the parties of the case. */
  areAll(caseId: string, partyIds: readonly string[]): boolean;
  /** Whether this party is still in the case: who withdrew from it, or does not go on, has left. */
  takesPart(caseId: string, partyId: string): boolean;
  /** Whether the case ended because somebody died. */
  hasDied(caseId: string): boolean;
  /** Whether this party died, or perhaps did. */
  died(caseId: string, partyId: string): "no" | "perhaps" | "yes";
  /** Whether this party, whom nobody has asked anything yet, is to hear nothing. */
  isKeptUnasked(caseId: string, partyId: string): boolean;
  /** Whether this client is to hear nothing of this case by another one that is between the same people. */
  isKeptFrom(caseId: string, clientId: string): boolean;
  /** Whether all consented, a court ordered or a law requires that this file of this case goes to this address outside it. */
  mayDisclose(caseId: string, going: { fileId: string; address: string }): boolean;
}

/** Reads all that a batch of mails is judged by in a few look-ups. */
export async function directoryFor({ ownerId, addresses, clientIds, caseIds }: Asked): Promise<Directory> {
  const wanted = [...new Set(addresses)].filter(Boolean);
  // Alone, because in a transaction the first look must be.
  const practiceName = await practiceNameOf(ownerId);
  const [clients, contacts, onceClients, onceContacts] = await Promise.all([
    clientsAtAddresses(ownerId, { addresses: wanted, ids: clientIds }),
    contactsAtAddresses(ownerId, wanted),
    clientsOnceAt(ownerId, wanted),
    contactsOnceAt(ownerId, wanted),
  ]);
  // A contact who is only linked to a case stands in it as well as one whom it names.
  const linked = [...contacts, ...onceContacts].flatMap(({ links, sides: stood }) => [...links, ...stood]);
  const sides = await sidesOfCases(ownerId, {
    caseIds: [...caseIds, ...linked.map(({ caseId }) => caseId)],
    clientIds: [...clients, ...onceClients].map(({ id }) => id),
    contactIds: [...contacts, ...onceContacts].map(({ id }) => id),
  });
  const { isKept: isKeptUnasked, isKeptFrom } = await keptUnasked(ownerId, sides);
  const people = [...clients.map((one) => ofClient(one, sides)), ...contacts.map((one) => ofContact(one, sides))];
  const byMailbox = Map.groupBy(people, ({ email }) => mailboxKey(email));
  const left = [
    ...onceClients.flatMap((one) => leftBy(ofClient(one, sides), one)),
    ...onceContacts.flatMap((one) => leftBy(ofContact(one, sides), one)),
  ];
  // An address of somebody who works here now is theirs.
  const taken = left.length > 0 ? await ownMailboxes(ownerId) : new Set<string>();
  const byFormer = Map.groupBy(left, ({ mailbox }) => mailbox);
  const formerAt = (mailbox: string): Person[] =>
    taken.has(mailbox) ? [] : (byFormer.get(mailbox) ?? []).map(({ person }) => person);
  const partiesOf = (caseId: string) => sides.find((one) => one.caseId === caseId)?.parties ?? [];
  const partyOf = (caseId: string, partyId: string) => partiesOf(caseId).find((party) => party.partyId === partyId);
  return {
    ownerId,
    practiceName,
    at: (address) => (address === "" ? [] : (byMailbox.get(mailboxKey(address)) ?? formerAt(mailboxKey(address)))),
    onceAt: (address) => (address === "" ? [] : formerAt(mailboxKey(address))),
    client: (id) => people.find((person) => person.kind === "client" && person.id === id),
    clientOfParty: (caseId, partyId) => partyOf(caseId, partyId)?.clientId,
    isAgainst: (person, clientIds) =>
      sidesEver(person).some(
        ({ caseId, partyId }) =>
          !clientIds.includes(partyOf(caseId, partyId)?.clientId ?? "") &&
          partiesOf(caseId).some((party) => party.partyId !== partyId && clientIds.includes(party.clientId)),
      ),
    areAll: (caseId, partyIds) => partiesOf(caseId).every(({ partyId }) => partyIds.includes(partyId)),
    takesPart: (caseId, partyId) => partyOf(caseId, partyId)?.hasLeft === false,
    hasDied: (caseId) => sides.some((one) => one.caseId === caseId && one.hasDied),
    died: (caseId, partyId) => partyOf(caseId, partyId)?.died ?? "no",
    isKeptUnasked,
    isKeptFrom,
    mayDisclose: (caseId, going) => mayGoTo(sides.find((one) => one.caseId === caseId)?.disclosures ?? [], going),
  };
}

const ofClient = (client: ClientAtAddress, sides: CaseSides[]): Person => ({
  ...client,
  kind: "client",
  places: placesOf(client.id, sides),
  // Whoever was a party of a case stays among its parties; whoever is taken out of it was none, and knows of nothing.
  formerSides: [],
});

function ofContact(contact: ContactAtAddress, sides: CaseSides[]): Person {
  const places = placesOfContact(contact, sides);
  return {
    kind: "contact",
    id: contact.id,
    name: contact.name,
    email: contact.email,
    safeContact: null,
    isRestricted: false,
    isArchived: false,
    places,
    formerSides: formerSides(contact.sides, places),
  };
}

const leftBy = (person: Person, { formerMailboxes }: { formerMailboxes: string[] }) =>
  formerMailboxes.map((mailbox) => ({ mailbox, person: { ...person, isFormer: true as const } }));

const placesOf = (clientId: string, sides: readonly CaseSides[]): Person["places"] =>
  sides.flatMap(({ caseId, parties }) =>
    parties.filter((party) => party.clientId === clientId).map(({ partyId }) => ({ caseId, partyId, role: "party" })),
  );

/** Whether these two stand, or stood, on different sides of a case, whatever became of it. */
export const areOpposed = (one: Person, other: Person): boolean =>
  sidesEver(one).some(({ caseId, partyId }) =>
    sidesEver(other).some((side) => side.caseId === caseId && side.partyId !== partyId),
  );

/** On whose side somebody stands or stood, of every case. */
export const sidesEver = ({ places, formerSides: former }: Person) => [...sidesAmong(places), ...former];

/** Whether this person's own mail comes to this address. */
export const isAt = (person: Person, address: string): boolean => samePerson(person.email, address);

/** Of whom the practice knows at this address, their own name: another one, typed beside it, would tell them of somebody else. */
export function nameAt(directory: Directory, { address, name }: { address: string; name: string }): string {
  const known = directory.at(address).filter(({ isFormer }) => !isFormer);
  const isTheirs = known.some((person) => foldText(person.name) === foldText(name));
  return isTheirs ? name : (known[0]?.name ?? name);
}

/** The same for somebody who may not know everybody there: nobody else's address has a name for them, whatever they typed. */
export const nameOfKnown = (directory: Directory, address: string, mayKnow: (person: Person) => boolean): string =>
  directory.at(address).find((person) => !person.isFormer && mayKnow(person))?.name ?? "";
