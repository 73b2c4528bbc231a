// Clients as a mailing needs them.
import mongoose from "mongoose";
import { displayName, isRestricted, safeNow } from "@app/shared/clients";
import { mailboxKey } from "@app/shared/email-address";
import type { Scope } from "../../core/trpc.ts";
import { type ClientDoc, ClientModel } from "./clients.model.ts";
import { clientsAtAddresses } from "./client-addresses.service.ts";
import { clientFilter, visibleAmong, visibleTo } from "./clients.service.ts";

export interface ClientRecipient {
  id: string;
  displayName: string;
  firstName: string;
  lastName: string;
  email: string;
  mayEmail: boolean;
  /** Somebody else may see what arrives: nothing on the outside may tell what it is about. */
  isRestricted: boolean;
}

const FIELDS = {
  kind: 1,
  firstName: 1,
  lastName: 1,
  organisation: 1,
  email: 1,
  safeContact: 1,
  isContactUnchecked: 1,
} as const;
type Doc = Pick<ClientDoc, "_id" | keyof typeof FIELDS>;

const READ_AT_ONCE = 500;

const toRecipient = (doc: Doc): ClientRecipient => ({
  id: doc._id,
  displayName: displayName(doc),
  firstName: doc.firstName,
  lastName: doc.lastName,
  email: doc.email,
  mayEmail: safeNow(doc).mayEmail,
  isRestricted: isRestricted(safeNow(doc)),
});

/** All clients that the list shows for this filter, up to a limit. */
export async function recipientsByFilter(
  scope: Scope,
  filter: Parameters<typeof clientFilter>[1],
  limit: number,
): Promise<ClientRecipient[]> {
  const docs = await ClientModel.find(clientFilter(scope, filter), FIELDS)
    .sort({ sortName: 1, _id: 1 })
    .limit(limit)
    // So many documents in one answer would keep everybody else waiting for the database.
    .batchSize(READ_AT_ONCE)
    .lean();
  return docs.map(toRecipient);
}

/** These clients of the practice; whoever may send a mailing later need not be who wrote it. */
export async function recipientsByIds(ownerId: string, ids: string[]): Promise<ClientRecipient[]> {
  const docs = await ClientModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }, FIELDS).lean();
  return docs.map(toRecipient);
}

/** The addresses of all clients that this person sees, but for those that are also of somebody whom they do not see. */
export async function addressesOfClients(scope: Scope): Promise<string[]> {
  const addresses = await ClientModel.distinct("email", visibleTo(scope));
  const all = await clientsAtAddresses(scope.ownerId, { addresses, ids: [] });
  const ids = all.map(({ id }) => id);
  const seen = await visibleAmong(scope, ids);
  const hidden = new Set(all.filter(({ id }) => !seen.has(id)).map(({ email }) => mailboxKey(email)));
  return addresses.filter((address) => !hidden.has(mailboxKey(address)));
}
