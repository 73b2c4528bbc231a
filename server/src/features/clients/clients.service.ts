import { isDeepStrictEqual } from "node:util";
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import type {
  Client,
  clientPageSchema,
  ClientRow,
  CreateClient,
  listClientsSchema,
  setClientStatusSchema,
  updateClientSchema,
} from "@app/shared/clients";
import { CLIENT_STATUSES, displayName } from "@app/shared/clients";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale } from "../../core/errors.ts";
import { type Candidates, candidatesFor } from "../../core/candidates.ts";
import { type Known } from "../../core/likeness.ts";
import type { Scope } from "../../core/trpc.ts";
import { matchingWords, type Typed } from "../../core/word-search.ts";
import { assertNobodysMailbox } from "../users/email-connection.service.ts";
import { besideAddress } from "./client-addresses.service.ts";
import { recordChange, recordLines } from "./client-history.ts";
import { assertMayRedirect, CHECKED, isKeptByOthers, knowsWhy } from "./client-keepers.service.ts";
import { tellContactFollowers } from "./contact-followers.service.ts";
import { ClientCountModel } from "./client-counts.model.ts";
import {
  type ClientDoc,
  ClientModel,
  KNOWN_FIELDS,
  ROW_FIELDS,
  sortNameOf,
  storedFields,
  toClient,
  toKnown,
  toRow,
} from "./clients.model.ts";

type ListInput = z.output<typeof listClientsSchema>;
type Filter = QueryFilter<ClientDoc>;

const BROAD_SEARCH = 500;
const NAMESAKES_MAX = 20;

/** The clients that this person may see at all. */
export const visibleTo = (scope: Scope): Filter => ({
  ownerId: scope.ownerId,
  ...(scope.isAssignedOnly ? { assignedUserIds: scope.userId } : {}),
});

export function clientFilter(scope: Scope, input: Omit<ListInput, "page">): Filter {
  return {
    ...visibleTo(scope),
    status: input.status,
    ...(input.kind ? { kind: input.kind } : {}),
    ...(input.safety ? { isRestricted: input.safety === "restricted" } : {}),
    ...matchingWords(input.search),
  };
}

const SORT_FIELDS = { name: "sortName", createdAt: "createdAt", updatedAt: "updatedAt" } as const;

/** The order of the list and of its export; ties are broken by id, so that no row moves between pages. */
export function clientSort({ sort, isDescending }: Pick<ListInput, "sort" | "isDescending">) {
  const direction = isDescending ? -1 : 1;
  return { [SORT_FIELDS[sort]]: direction, _id: direction } as const;
}

export async function listClients(scope: Scope, input: ListInput): Promise<z.infer<typeof clientPageSchema>> {
  const sort = clientSort(input);
  const counting = countClients(scope, input);
  const isSortedFirst = !input.search || (await counting).count > BROAD_SEARCH;
  const page = ClientModel.find(clientFilter(scope, input), ROW_FIELDS)
    .sort(sort)
    .skip((input.page - 1) * PAGE_SIZE)
    .limit(PAGE_SIZE)
    .lean();
  // A search that finds few is looked up and then sorted; of many, the first ones are soon met in the sorted order.
  if (isSortedFirst) page.hint({ ownerId: 1, status: 1, [SORT_FIELDS[input.sort]]: 1, _id: 1 });
  const [docs, total] = await Promise.all([page, counting]);
  return {
    items: docs.map(toRow),
    total: Math.min(total.count, total.limit),
    isTotalExact: total.count <= total.limit,
  };
}

/** The first clients that a search finds, in the order of the words it found: neither sorted by name nor counted. */
export async function findClients(scope: Scope, { text, spelling }: Typed, limit: number): Promise<ClientRow[]> {
  const filter: Filter = { ...visibleTo(scope), status: "active", ...matchingWords(text, spelling) };
  const docs = await ClientModel.find(filter, ROW_FIELDS).limit(limit).lean();
  return docs.map(toRow);
}

async function countClients(scope: Scope, input: ListInput): Promise<{ count: number; limit: number }> {
  const isFiltered = Boolean(input.search || input.kind || input.safety || scope.isAssignedOnly);
  if (isFiltered) {
    const count = await ClientModel.countDocuments(clientFilter(scope, input)).limit(COUNT_MAX + 1);
    return { count, limit: COUNT_MAX };
  }
  const counts = await ClientCountModel.findById(scope.ownerId).lean();
  return { count: counts?.[input.status] ?? 0, limit: Infinity };
}

export async function getClient(scope: Scope, id: string): Promise<Client> {
  const doc = await ClientModel.findOne({ ...visibleTo(scope), _id: id }).lean();
  if (!doc) throw notFound("Client");
  return toClient(doc);
}

export async function createClient(scope: Scope, client: CreateClient): Promise<Client> {
  const [created] = await createClients(scope, [client]);
  if (!created) throw new Error("the client that was just stored is missing");
  return created;
}

/** Stores all of these clients or, where one cannot be stored, none. */
export async function createClients(scope: Scope, clients: CreateClient[]): Promise<Client[]> {
  const docs = clients.map((client) => ({
    ...storedFields(client),
    ownerId: scope.ownerId,
    assignedUserIds: [scope.userId],
    keptByUserIds: [scope.userId],
    emailSetBy: scope.userId,
    createdBy: scope.userId,
    updatedBy: scope.userId,
    updatedByName: scope.userName,
  }));
  return inTransaction(async () => {
    await assertNobodysMailbox(
      scope.ownerId,
      clients.map(({ email }) => email),
    );
    const stored = await ClientModel.insertMany(docs);
    await ClientCountModel.updateOne({ _id: scope.ownerId }, { $inc: { active: stored.length } }, { upsert: true });
    return stored.map((doc) => toClient(doc.toObject()));
  });
}

/** What those clients are called whom this person sees, and who have the name of one of these. */
export async function namesakes(scope: Scope, people: readonly CreateClient[]): Promise<string[]> {
  const docs = await ClientModel.find(
    {
      ...visibleTo(scope),
      status: mongoose.trusted({ $in: [...CLIENT_STATUSES] }),
      sortName: mongoose.trusted({ $in: people.map(sortNameOf) }),
    },
    { kind: 1, firstName: 1, lastName: 1, organisation: 1 },
  )
    .limit(NAMESAKES_MAX)
    .lean();
  return [...new Set(docs.map(displayName))];
}

/** Saves where the version is still the one on the screen. */
export async function updateClient(
  scope: Scope,
  { id, version, client }: z.infer<typeof updateClientSchema>,
): Promise<Client> {
  const saved = await inTransaction(async () => {
    await assertNobodysMailbox(scope.ownerId, [client.email]);
    const address = await besideAddress(scope, id, client.email);
    const changes = { ...storedFields(client), ...address, updatedBy: scope.userId, updatedByName: scope.userName };
    const onScreen = { ...visibleTo(scope), _id: id, version };
    const before = await ClientModel.findOne(onScreen).lean();
    const isContactSaved =
      before !== null && !isDeepStrictEqual(before.safeContact, client.safeContact) && knowsWhy(scope, before);
    const after = await ClientModel.findOneAndUpdate(
      onScreen,
      { $set: { ...changes, ...(isContactSaved && CHECKED) }, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    );
    if (!before || !after) return null;
    assertMayRedirect(isKeptByOthers(scope, before), before, after);
    await recordChange(scope, toClient(before), toClient(after));
    if (isContactSaved) await tellContactFollowers(scope, { clientId: id, isUnchecked: false });
    return after;
  });
  if (saved) return toClient(saved);
  await getClient(scope, id);
  throw stale("client");
}

/** Archives or brings back; ids of clients that are already so, or not this practice's, are passed over. */
export async function setClientStatus(
  scope: Scope,
  { ids, status }: z.infer<typeof setClientStatusSchema>,
): Promise<{ changed: number }> {
  const { ownerId } = scope;
  const before = status === "archived" ? "active" : "archived";
  return inTransaction(async () => {
    const those: Filter = { ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }), status: before };
    const docs = await ClientModel.find(those, { _id: 1 }).lean();
    const { modifiedCount: changed } = await ClientModel.updateMany(those, {
      $set: { status, updatedBy: scope.userId, updatedByName: scope.userName },
      $inc: { version: 1 },
    });
    await recordLines(
      scope,
      docs.map(({ _id }) => _id),
      status === "archived" ? "Archived" : "Taken out of the archive",
    );
    await ClientCountModel.updateOne(
      { _id: ownerId },
      { $inc: { [status]: changed, [before]: -changed } },
      { upsert: true },
    );
    return { changed };
  });
}

/** The names of those of these clients whom this person sees, by id; whoever sees a case sees its parties. */
export async function clientNames(scope: Scope, ids: string[]): Promise<Map<string, string>> {
  const docs = await ClientModel.find(
    { ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }) },
    { kind: 1, firstName: 1, lastName: 1, organisation: 1 },
  ).lean();
  return new Map(docs.map((doc) => [doc._id, displayName(doc)]));
}

/** The clients of every practice, by its id: for what is brought into another shape as a whole. */
export async function clientIdsOfAll(): Promise<Map<string, string[]>> {
  const docs = await ClientModel.find({}, { ownerId: 1 }).setOptions({ anyOwner: true }).lean();
  const byOwner = Map.groupBy(docs, ({ ownerId }) => ownerId);
  return new Map([...byOwner].map(([ownerId, own]) => [ownerId, own.map(({ _id }) => _id)]));
}

/** The ids of clients that this search finds, at most `limit`, as far as this person sees them. */
export async function findClientIds(scope: Scope, { text, spelling }: Typed, limit: number): Promise<string[]> {
  // Both, because the index of what may be typed is kept by status.
  const status = mongoose.trusted({ $in: [...CLIENT_STATUSES] });
  const docs = await ClientModel.find({ ...visibleTo(scope), status, ...matchingWords(text, spelling) }, { _id: 1 })
    .limit(limit)
    .lean();
  return docs.map(({ _id }) => _id);
}

/** The ids of all clients that this person sees. */
export const visibleClientIds = (scope: Scope): Promise<string[]> => ClientModel.distinct("_id", visibleTo(scope));

/** Who entered the address that this client has. */
export async function whoEnteredAddress(scope: Scope, id: string): Promise<string> {
  const doc = await ClientModel.findOne({ ...visibleTo(scope), _id: id }, { emailSetBy: 1, createdBy: 1 }).lean();
  return doc?.emailSetBy ?? doc?.createdBy ?? "";
}

/** Those of these clients that this person sees. */
export async function visibleAmong(scope: Scope, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set(await ClientModel.distinct("_id", { ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }) }));
}

/** Throws where one of these is missing, or not for this person's eyes. */
export async function assertClientsVisible(scope: Scope, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const found = await ClientModel.countDocuments({ ...visibleTo(scope), _id: mongoose.trusted({ $in: wanted }) });
  if (found < wanted.length) throw notFound("Client");
}

export interface Likely {
  kind: "client";
  id: string;
  name: string;
  known: Known;
}

/** The clients of the practice who may be this person, archived ones too: what was once a party stays one. */
export async function likelyClients(ownerId: string, term: Known): Promise<Candidates<Likely>> {
  const { found, isCut } = await candidatesFor(term, (filter, options) =>
    ClientModel.find({ ownerId, ...filter }, KNOWN_FIELDS, options).lean(),
  );
  return {
    found: found.map((doc) => ({ kind: "client", id: doc._id, name: displayName(doc), known: toKnown(doc) })),
    isCut,
  };
}

/** What the conflict check looks for when it looks for these clients. */
export async function clientTerms(ownerId: string, ids: string[]): Promise<Known[]> {
  const docs = await ClientModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }, KNOWN_FIELDS)
    .sort({ _id: 1 })
    .lean();
  return docs.map(toKnown);
}

export interface ClientBrief {
  name: string;
  /** They may only be reached in a certain way. */
  isRestricted: boolean;
}

/** What a calendar tells of these clients, in one look at them. */
export async function clientBriefs(scope: Scope, ids: string[]): Promise<Map<string, ClientBrief>> {
  const docs = await ClientModel.find(
    { ownerId: scope.ownerId, _id: mongoose.trusted({ $in: ids }) },
    { kind: 1, firstName: 1, lastName: 1, organisation: 1, isRestricted: 1 },
  ).lean();
  return new Map(docs.map((doc) => [doc._id, { name: displayName(doc), isRestricted: doc.isRestricted }]));
}
