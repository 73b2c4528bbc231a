// The links by which people outside book, as the practice keeps them.
import mongoose from "mongoose";
import type { z } from "zod";
import type {
  BookingLink,
  CreateLink,
  linkPageSchema,
  listLinksSchema,
  setLinkArchivedSchema,
  updateLinkSchema,
} from "@app/shared/bookings";
import { COUNT_MAX } from "@app/shared/pagination";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { PAGE_SIZE } from "@app/shared/product";
import { now } from "../../core/clock.ts";
import { badField, missingWith, notFound, stale } from "../../core/errors.ts";
import { newId, newToken } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleCaseIds } from "../cases/case-places.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible, clientBriefs, visibleClientIds } from "../clients/clients.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { colleagues } from "../users/users.service.ts";
import { type BookingLinkDoc, BookingLinkModel, sealPublicId, toLink } from "./bookings.model.ts";
import { assertCanAsk, depositNow, sumOf } from "./deposit-terms.ts";
import { noteShown } from "./shown-addresses.ts";

definePartyTrace("a booking link of theirs is open (archive it first)", async ({ ownerId }, { caseId, clientId }) =>
  Boolean(await BookingLinkModel.exists({ ownerId, caseId, clientId, isArchived: false })),
);

export async function createLink(scope: Scope, input: CreateLink): Promise<BookingLink> {
  await assertPeople(scope, input);
  await assertCanAsk(scope, input, null);
  await assertStaysParty(scope, input);
  const _id = newId();
  const doc = await BookingLinkModel.create([
    { ...input, _id, ownerId: scope.ownerId, createdAt: now(), ...sealPublicId(scope.ownerId, _id, newToken()) },
  ]);
  if (input.clientId)
    await recordEvent(scope, {
      kind: "meeting",
      text: `Booking link made: ${input.name}`,
      caseId: input.caseId,
      clientIds: [input.clientId],
      visibility: PRACTICE_ONLY,
    });
  return oneOf(
    scope,
    doc.map((one) => one.toObject()),
  );
}

/** Call it in the transaction that keeps the link. */
async function assertStaysParty(scope: Scope, { caseId, clientId }: Pick<CreateLink, "caseId" | "clientId">) {
  if (!caseId) return;
  const party = (await getCase(scope, caseId)).parties.find((one) => one.clientId === clientId);
  await assertStillParties(scope.ownerId, caseId, [party?.partyId ?? null]);
}

/** Whoever got the link keeps it: it is the same one. */
export async function updateLink(
  scope: Scope,
  { id, version, ...input }: z.output<typeof updateLinkSchema>,
): Promise<BookingLink> {
  const before = await requireLink(scope, id);
  await assertPeople(scope, input);
  await assertCanAsk(scope, input, before.deposit ?? null);
  // The same person, or what they were sent would open somebody else's.
  if (before.clientId !== input.clientId || before.caseId !== input.caseId)
    throw badField("clientId", "A personal link stays with its person. Make a new one for somebody else.");
  const saved = await BookingLinkModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id, version },
    { $set: input, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!saved) throw stale("booking link");
  return oneOf(scope, [saved]);
}

/** One that is archived opens nothing, until it is taken back. */
export async function setLinkArchived(
  scope: Scope,
  { id, isArchived }: z.output<typeof setLinkArchivedSchema>,
): Promise<BookingLink> {
  await requireLink(scope, id);
  const saved = await BookingLinkModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id },
    { $set: { isArchived }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!saved) throw notFound("Booking link");
  return oneOf(scope, [saved]);
}

export const getLink = async (scope: Scope, id: string): Promise<BookingLink> =>
  oneOf(scope, [await requireLink(scope, id)]);

/** The newest first; a personal link only for whoever sees its person. */
export async function listLinks(
  scope: Scope,
  { page, isArchived }: z.output<typeof listLinksSchema>,
): Promise<z.infer<typeof linkPageSchema>> {
  const filter = { ownerId: scope.ownerId, isArchived, ...(await ofVisiblePeople(scope)) };
  const [docs, total] = await Promise.all([
    BookingLinkModel.find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    BookingLinkModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return {
    items: await toLinks(scope, docs),
    total: Math.min(total, COUNT_MAX),
    isTotalExact: total <= COUNT_MAX,
  };
}

const ofVisiblePeople = async (scope: Scope) =>
  scope.isAssignedOnly
    ? {
        clientId: mongoose.trusted({ $in: [null, ...(await visibleClientIds(scope))] }),
        caseId: mongoose.trusted({ $in: [null, ...((await visibleCaseIds(scope)) ?? [])] }),
      }
    : {};

async function requireLink(scope: Scope, id: string): Promise<BookingLinkDoc> {
  const doc = await BookingLinkModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Booking link");
  await missingWith("Booking link", assertPersonSeen(scope, doc));
  return doc;
}

/** Throws NOT_FOUND where somebody does not see the person of a link, or their case. */
export async function assertPersonSeen(
  scope: Scope,
  { clientId, caseId }: Pick<BookingLinkDoc, "clientId" | "caseId">,
): Promise<void> {
  if (clientId) await assertClientsVisible(scope, [clientId]);
  if (caseId) await getCase(scope, caseId);
}

async function assertPeople(scope: Scope, { mediatorIds, clientId, caseId }: CreateLink): Promise<void> {
  if (clientId) await assertClientsVisible(scope, [clientId]);
  const active = (await colleagues(scope.ownerId)).filter(({ isActive }) => isActive);
  const known = new Set(active.map(({ userId }) => userId));
  if (mediatorIds.some((id) => !known.has(id))) throw badField("mediatorIds", "Choose somebody of this practice.");
  const theCase = caseId ? await getCase(scope, caseId) : null;
  if (theCase && !theCase.parties.some((party) => party.clientId === clientId))
    throw badField("caseId", "This client is not a party to the case. Choose another case.");
}

async function oneOf(scope: Scope, docs: BookingLinkDoc[]): Promise<BookingLink> {
  const [link] = await toLinks(scope, docs);
  if (!link) throw notFound("Booking link");
  return link;
}

async function toLinks(scope: Scope, docs: BookingLinkDoc[]): Promise<BookingLink[]> {
  const { ownerId, userId } = scope;
  const personal = docs.filter(({ clientId }) => clientId !== null);
  await noteShown(scope, personal, (ids) =>
    BookingLinkModel.updateMany({ ownerId, _id: mongoose.trusted({ $in: ids }) }, { $addToSet: { shownTo: userId } }),
  );
  const [people, clients] = await Promise.all([
    colleagues(scope.ownerId),
    clientBriefs(
      scope,
      docs.flatMap(({ clientId }) => clientId ?? []),
    ),
  ]);
  const staff = new Map(people.map(({ userId, name }) => [userId, name]));
  const asked = await Promise.all(docs.map(async (doc) => sumOf(await depositNow(doc))));
  return docs.map((doc, at) =>
    toLink(doc, {
      asksNow: asked[at] ?? null,
      clientName: doc.clientId ? (clients.get(doc.clientId)?.name ?? "Deleted client") : "",
      mediatorNames: doc.mediatorIds.map((id) => staff.get(id) ?? "Former colleague"),
    }),
  );
}
