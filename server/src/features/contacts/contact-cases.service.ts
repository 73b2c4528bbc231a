// Which cases a contact belongs to: the one definition, whether by a link or because a case names them.
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { sidesOfCases } from "../cases/case-sides.service.ts";
import { assertMayLend } from "../cases/case-team.service.ts";
import { type ContactPlace, placesOfContact, sidesAmong } from "./contact-sides.service.ts";
import { type ContactDoc, ContactModel, type ContactSide } from "./contacts.model.ts";

type Linked = Pick<ContactDoc, "_id" | "links">;

/** Where each of these contacts has a place now, by the contact's id. */
async function placesOfContacts(ownerId: string, docs: readonly Linked[]): Promise<Map<string, ContactPlace[]>> {
  const contactIds = docs.map(({ _id }) => _id);
  const sides = await sidesOfCases(ownerId, { caseIds: [], clientIds: [], contactIds });
  return new Map(docs.map(({ _id, links }) => [_id, placesOfContact({ id: _id, links }, sides)]));
}

const casesAmong = (places: readonly ContactPlace[]): string[] => [...new Set(places.map(({ caseId }) => caseId))];

/** The cases that each of these contacts belongs to now, by the contact's id. */
export async function casesOfContacts(ownerId: string, docs: readonly Linked[]): Promise<Map<string, string[]>> {
  const found = await placesOfContacts(ownerId, docs);
  return new Map([...found].map(([id, places]) => [id, casesAmong(places)]));
}

/** On whose sides each of these contacts stands now, by the contact's id. */
export async function sidesOfContacts(ownerId: string, docs: readonly Linked[]): Promise<Map<string, ContactSide[]>> {
  const found = await placesOfContacts(ownerId, docs);
  return new Map([...found].map(([id, places]) => [id, sidesAmong(places)]));
}

/** Call it in the transaction that links these contacts or has a case name them, or no longer, after that is written. */
export async function noteCases(ownerId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const docs = await ContactModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }, { links: 1 }).lean();
  for (const [_id, places] of await placesOfContacts(ownerId, docs))
    await ContactModel.updateOne(
      { ownerId, _id },
      {
        ...(places.length > 0 ? { $set: { caseIds: casesAmong(places) } } : {}),
        $addToSet: { sides: { $each: sidesAmong(places) } },
        // The step makes two such changes at once collide, even where the second finds nothing to change.
        $inc: { caseStep: 1 },
      },
      { timestamps: false },
    );
}

/** Notes that somebody stood on this side, beside what their places say. */
export async function noteSide(ownerId: string, contactId: string, side: ContactSide): Promise<void> {
  await ContactModel.updateOne({ ownerId, _id: contactId }, { $addToSet: { sides: side } }, { timestamps: false });
}

/** A party was never in the case: nobody stands on their side, nor ever stood there. */
export async function dropSide(ownerId: string, side: ContactSide): Promise<void> {
  const linked = await ContactModel.find({ ownerId, links: mongoose.trusted({ $elemMatch: side }) }, { _id: 1 }).lean();
  await ContactModel.updateMany(
    {
      ownerId,
      $or: [{ links: mongoose.trusted({ $elemMatch: side }) }, { sides: mongoose.trusted({ $elemMatch: side }) }],
    },
    { $pull: { links: side, sides: side } },
    { timestamps: false },
  );
  await noteCases(
    ownerId,
    linked.map(({ _id }) => _id),
  );
}

/** Throws where this person may not bring one of these contacts into this case; an empty id is a case that opens. */
export async function assertContactsLent(scope: Scope, ids: string[], caseId: string): Promise<void> {
  if (!scope.isAssignedOnly || ids.length === 0) return;
  const docs = await ContactModel.find(
    { ownerId: scope.ownerId, _id: mongoose.trusted({ $in: ids }) },
    { createdBy: 1, caseIds: 1 },
  ).lean();
  await assertMayLend(
    scope,
    docs.map(({ createdBy, caseIds }) => ({ createdBy, caseIds: caseIds.filter((id) => id !== caseId) })),
  );
}
