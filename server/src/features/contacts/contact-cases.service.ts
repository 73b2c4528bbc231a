// Which cases a contact belongs to: the one definition, whether by a link or because a case names them.
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { sidesOfCases } from "../cases/case-sides.service.ts";
import { assertMayLend } from "../cases/case-team.service.ts";
import { placesOfContact } from "./contact-sides.service.ts";
import { type ContactDoc, ContactModel } from "./contacts.model.ts";

type Linked = Pick<ContactDoc, "_id" | "links">;

/** The cases that each of these contacts belongs to now, by the contact's id. */
export async function casesOfContacts(ownerId: string, docs: readonly Linked[]): Promise<Map<string, string[]>> {
  const contactIds = docs.map(({ _id }) => _id);
  const sides = await sidesOfCases(ownerId, { caseIds: [], clientIds: [], contactIds });
  const casesOf = ({ _id, links }: Linked) => placesOfContact({ id: _id, links }, sides).map(({ caseId }) => caseId);
  return new Map(docs.map((doc) => [doc._id, [...new Set(casesOf(doc))]]));
}

/** Call it in the transaction that links these contacts or has a case name them, or no longer, after that is written. */
export async function noteCases(ownerId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const docs = await ContactModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }, { links: 1 }).lean();
  for (const [_id, caseIds] of await casesOfContacts(ownerId, docs))
    await ContactModel.updateOne(
      { ownerId, _id },
      // The step makes two such changes at once collide, even where the second finds nothing to change.
      { ...(caseIds.length > 0 ? { $set: { caseIds } } : {}), $inc: { caseStep: 1 } },
      { timestamps: false },
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
