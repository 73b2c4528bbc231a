// What an import needs of clients: many at once, and back out again.
import mongoose from "mongoose";
import { type CreateClient, displayName } from "@app/shared/clients";
import { now } from "../../core/clock.ts";
import { emailKey, exactKeys } from "../../core/likeness.ts";
import { inTransaction } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { removeEventsOfClients } from "../history/history-use.service.ts";
import { ClientCountModel } from "./client-counts.model.ts";
import { visibleTo } from "./clients.service.ts";
import { ClientModel, KNOWN_FIELDS, sortNameOf, storedFields, toKnown } from "./clients.model.ts";

type Twin = Pick<
  CreateClient,
  "kind" | "firstName" | "lastName" | "organisation" | "email" | "phones" | "dateOfBirth"
> & { _id: string; name: string };

/** The clients who have an email, a phone number or the whole name in common with one of these, as far as this person may see them. */
export async function clientTwins(scope: Scope, clients: CreateClient[]): Promise<Twin[]> {
  const keys = new Set(clients.flatMap((client) => exactKeys({ ...toKnown(client), dateOfBirth: "" })));
  // By birth date alone a large practice has too many; the name says enough.
  const names = clients.filter(({ kind, dateOfBirth }) => kind === "organisation" || dateOfBirth).map(sortNameOf);
  const [byKey, byName] = await Promise.all([
    ClientModel.find({ ...visibleTo(scope), matchKeys: mongoose.trusted({ $in: [...keys] }) }, KNOWN_FIELDS).lean(),
    ClientModel.find(
      {
        ...visibleTo(scope),
        status: mongoose.trusted({ $in: ["active", "archived"] }),
        sortName: mongoose.trusted({ $in: names }),
      },
      KNOWN_FIELDS,
    ).lean(),
  ]);
  return [...byKey, ...byName].map((doc) => ({ ...doc, name: displayName(doc) }));
}

/** Stores these clients and gives their ids. */
export async function importClients({ ownerId, userId, userName }: Scope, clients: CreateClient[]): Promise<string[]> {
  const at = now();
  const docs = clients.map((client) => ({
    ...storedFields(client),
    _id: newId(),
    ownerId,
    status: "active" as const,
    assignedUserIds: [userId],
    keptByUserIds: [userId],
    emailSetBy: userId,
    createdBy: userId,
    updatedBy: userId,
    updatedByName: userName,
    createdAt: at,
    updatedAt: at,
    version: 0,
  }));
  return inTransaction(async () => {
    // They were made by the schema of this very moment, whole: a document object for each would take as long again.
    await ClientModel.insertMany(docs, { lean: true });
    await ClientCountModel.updateOne({ _id: ownerId }, { $inc: { active: docs.length } }, { upsert: true });
    return docs.map(({ _id }) => _id);
  });
}

/** The names of these clients, and whether each was changed since it was stored. */
export async function importedClients(
  { ownerId }: Scope,
  ids: string[],
): Promise<Map<string, { name: string; isChanged: boolean }>> {
  const docs = await ClientModel.find(
    { ownerId, _id: mongoose.trusted({ $in: ids }) },
    { kind: 1, firstName: 1, lastName: 1, organisation: 1, version: 1, status: 1 },
  ).lean();
  return new Map(docs.map((doc) => [doc._id, { name: displayName(doc), isChanged: doc.version > 0 }]));
}

/** Takes clients back that nobody changed, with their history; call it in the transaction that made sure of it. */
export async function removeClients({ ownerId }: Scope, ids: string[]): Promise<void> {
  await removeEventsOfClients(ownerId, ids);
  const { deletedCount } = await ClientModel.deleteMany({ ownerId, _id: mongoose.trusted({ $in: ids }), version: 0 });
  if (deletedCount > 0) await ClientCountModel.updateOne({ _id: ownerId }, { $inc: { active: -deletedCount } });
}

type Called = Pick<CreateClient, "kind" | "firstName" | "lastName" | "organisation" | "email"> & { _id: string };

/** The clients who have one of these email addresses or sorted names, as far as this person may see them. */
export const clientsCalled = (
  scope: Scope,
  { emails, sortNames }: { emails: string[]; sortNames: string[] },
): Promise<Called[]> =>
  ClientModel.find(
    {
      ...visibleTo(scope),
      $or: [
        { matchKeys: mongoose.trusted({ $in: emails.map(emailKey) }) },
        {
          ownerId: scope.ownerId,
          status: mongoose.trusted({ $in: ["active", "archived"] }),
          sortName: mongoose.trusted({ $in: sortNames }),
        },
      ],
    },
    { kind: 1, firstName: 1, lastName: 1, organisation: 1, email: 1 },
  ).lean();
