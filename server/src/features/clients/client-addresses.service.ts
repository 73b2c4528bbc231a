// Clients as mail knows them: by whom an address reaches.
import mongoose from "mongoose";
import { DEFAULT_SAFE_CONTACT, displayName, isRestricted, safeNow, type SafeContact } from "@app/shared/clients";
import { mailboxKey, samePerson } from "@app/shared/email-address";
import { formerAfter } from "../../core/former-mailboxes.ts";
import { now } from "../../core/clock.ts";
import { emailKey } from "../../core/likeness.ts";
import type { Scope } from "../../core/trpc.ts";
import { type ClientDoc, ClientModel } from "./clients.model.ts";

export interface ClientAtAddress {
  id: string;
  name: string;
  email: string;
  /** As they may be reached now. */
  safeContact: SafeContact;
  isRestricted: boolean;
  isArchived: boolean;
}

const FIELDS = {
  kind: 1,
  firstName: 1,
  lastName: 1,
  organisation: 1,
  email: 1,
  safeContact: 1,
  isContactUnchecked: 1,
  status: 1,
} as const;

const toClient = (doc: Pick<ClientDoc, "_id" | keyof typeof FIELDS>): ClientAtAddress => ({
  id: doc._id,
  name: displayName(doc),
  email: doc.email,
  safeContact: safeNow(doc),
  isRestricted: isRestricted(safeNow(doc)),
  isArchived: doc.status === "archived",
});

/** Every client of the practice, archived ones too, whom mail to one of these addresses reaches, and these themselves. */
export async function clientsAtAddresses(
  ownerId: string,
  { addresses, ids }: { addresses: readonly string[]; ids: readonly string[] },
): Promise<ClientAtAddress[]> {
  const byAddress = { matchKeys: mongoose.trusted({ $in: addresses.map(emailKey) }) };
  const found = await Promise.all([
    addresses.length === 0 ? [] : ClientModel.find({ ownerId, ...byAddress }, FIELDS).lean(),
    ids.length === 0 ? [] : ClientModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }, FIELDS).lean(),
  ]);
  return [...new Map(found.flat().map((doc) => [doc._id, toClient(doc)])).values()];
}

/** How this client may be reached by what is recorded, and now. */
export async function safetyOf(ownerId: string, id: string): Promise<{ recorded: SafeContact; now: SafeContact }> {
  const doc = await ClientModel.findOne({ ownerId, _id: id }, { safeContact: 1, isContactUnchecked: 1 }).lean();
  return doc
    ? { recorded: doc.safeContact, now: safeNow(doc) }
    : { recorded: DEFAULT_SAFE_CONTACT, now: DEFAULT_SAFE_CONTACT };
}

/** Every client of the practice who had one of these addresses, whatever theirs is now. */
export async function clientsOnceAt(
  ownerId: string,
  addresses: readonly string[],
): Promise<(ClientAtAddress & { formerMailboxes: string[] })[]> {
  if (addresses.length === 0) return [];
  const docs = await ClientModel.find(
    { ownerId, formerMailboxes: mongoose.trusted({ $in: addresses.map(mailboxKey) }) },
    { ...FIELDS, formerMailboxes: 1 },
  ).lean();
  return docs.map((doc) => ({ ...toClient(doc), formerMailboxes: doc.formerMailboxes ?? [] }));
}

interface KnownPerson {
  email: string;
  /** Who may have entered this address. */
  enteredBy: string[];
}

/** Those clients of the practice at one of these addresses whom this person sees. */
export async function clientsKnownTo(scope: Scope, addresses: readonly string[]): Promise<KnownPerson[]> {
  const { ownerId, userId, isAssignedOnly } = scope;
  if (addresses.length === 0) return [];
  const docs = await ClientModel.find(
    {
      ownerId,
      ...(isAssignedOnly ? { assignedUserIds: userId } : {}),
      matchKeys: mongoose.trusted({ $in: addresses.map(emailKey) }),
    },
    { email: 1, emailSetBy: 1, createdBy: 1 },
  ).lean();
  return docs.map(({ email, emailSetBy, createdBy }) => ({
    email,
    enteredBy: [emailSetBy ?? createdBy],
  }));
}

/** Whether mail to this address reaches a client of the practice. */
export const isClientsAddress = async (ownerId: string, address: string): Promise<boolean> =>
  (await clientsAtAddresses(ownerId, { addresses: [address], ids: [] })).some(({ email }) =>
    samePerson(email, address),
  );

/** Who entered the address of this client, where that was after this moment; empty where it stood there before. */
export async function addressEnteredBy(ownerId: string, id: string, after: Date): Promise<string> {
  const doc = await ClientModel.findOne({ ownerId, _id: id }, { emailSetBy: 1, emailEnteredAt: 1 }).lean();
  return doc?.emailEnteredAt && doc.emailEnteredAt > after ? (doc.emailSetBy ?? "") : "";
}

/** What is stored beside an address that somebody saves: who entered it and which one they left, unless it stands there already. */
export async function besideAddress(
  { ownerId, userId }: Pick<Scope, "ownerId" | "userId">,
  id: string,
  email: string,
): Promise<{ emailSetBy?: string; emailEnteredAt?: Date; formerMailboxes?: string[] }> {
  const before = await ClientModel.findOne({ ownerId, _id: id }, { email: 1, formerMailboxes: 1 }).lean();
  if (!before || before.email === email) return {};
  return { emailSetBy: userId, emailEnteredAt: now(), formerMailboxes: formerAfter(before, email) };
}
