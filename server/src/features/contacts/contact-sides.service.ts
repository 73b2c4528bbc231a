// On whose side of a case somebody stands who is no party: by their link to it, or because it names them.
import mongoose from "mongoose";
import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import { CONTACT_LINKS_MAX, type ContactLink, contactName } from "@app/shared/contacts";
import type { CaseSides } from "../cases/case-sides.service.ts";
import { type ContactDoc, ContactModel, type ContactSide } from "./contacts.model.ts";

export interface ContactPlace {
  caseId: string;
  /** Null for nobody's side. */
  partyId: string | null;
  /** In words, such as “solicitor” or “payer”. */
  role: string;
}

const REPRESENTING: readonly string[] = [
  "representative" satisfies CaseSides["helpers"][number]["role"],
  CONTACT_ROLE_NAMES.solicitor.toLowerCase(),
  CONTACT_ROLE_NAMES.counsel.toLowerCase(),
];
/** Whether somebody with this place speaks for the party on whose side it is. */
export const isRepresenting = (role: ContactPlace["role"]): boolean => REPRESENTING.includes(role);

/** Every place of a contact, as far as these cases go; their links say where else they are known. */
export const placesOfContact = (
  { id, links }: { id: string; links: readonly ContactLink[] },
  cases: readonly CaseSides[],
): ContactPlace[] => [
  ...links.map(({ caseId, partyId, role }) => ({ caseId, partyId, role: CONTACT_ROLE_NAMES[role].toLowerCase() })),
  ...cases.flatMap(({ caseId, helpers }) =>
    helpers.filter(({ contactId }) => contactId === id).map(({ partyId, role }) => ({ caseId, partyId, role })),
  ),
];

/** Those of these places in which somebody stands on a side. */
export const sidesAmong = (places: readonly ContactPlace[]): ContactSide[] =>
  places.flatMap(({ caseId, partyId }) => (partyId === null ? [] : [{ caseId, partyId }]));

/**
 * Where somebody stood before, in cases in which they stand on no side now: what they know of it they know. Who stands on
 * another side by now, or pays for all, was there by mistake, or has changed it.
 */
export function formerSides(ever: readonly ContactSide[], places: readonly ContactPlace[]): ContactSide[] {
  const settled = places.filter(({ partyId, role }) => partyId !== null || role === PAYER);
  const now = new Set(settled.map(({ caseId }) => caseId));
  return ever.filter(({ caseId }) => !now.has(caseId));
}

const PAYER = "payer" satisfies CaseSides["helpers"][number]["role"];

export interface ContactInCase extends ContactPlace {
  id: string;
  name: string;
  email: string;
}

/** On whose sides of a case contacts stand or stood, by the contact's id; null is for nobody's. */
export async function sidesInCase(ownerId: string, theCase: CaseSides): Promise<Map<string, (string | null)[]>> {
  const { caseId } = theCase;
  const among = mongoose.trusted({ $in: theCase.helpers.map(({ contactId }) => contactId) });
  const docs = await ContactModel.find(
    { ownerId, $or: [{ "links.caseId": caseId }, { "sides.caseId": caseId }, { _id: among }] },
    { links: 1, sides: 1 },
  ).lean();
  return new Map(
    docs.map((doc) => {
      const places = placesOfContact({ id: doc._id, links: doc.links }, [theCase]).filter(
        (one) => one.caseId === caseId,
      );
      const stood = formerSides(doc.sides ?? [], places).filter((one) => one.caseId === caseId);
      return [doc._id, [...places, ...stood].map(({ partyId }) => partyId)];
    }),
  );
}

/**
 * Everybody in these cases who is no party, by the case: one side after the other and nobody's last; within a side by
 * name.
 */
export async function contactsInCases(
  ownerId: string,
  cases: readonly CaseSides[],
): Promise<Map<string, ContactInCase[]>> {
  const caseIds = cases.map(({ caseId }) => caseId);
  const ids = cases.flatMap(({ helpers }) => helpers.map(({ contactId }) => contactId));
  const either = [
    { "links.caseId": mongoose.trusted({ $in: caseIds }) },
    { _id: mongoose.trusted({ $in: [...new Set(ids)] }) },
  ];
  const docs = await ContactModel.find({ ownerId, $or: either })
    .sort({ sortName: 1, _id: 1 })
    .limit(CONTACT_LINKS_MAX * cases.length)
    .lean();
  return new Map(cases.map((theCase) => [theCase.caseId, placedIn(theCase, docs)]));
}

function placedIn(theCase: CaseSides, docs: readonly ContactDoc[]): ContactInCase[] {
  const { caseId, parties } = theCase;
  const found = docs.flatMap((doc) =>
    placesOfContact({ id: doc._id, links: doc.links }, [theCase])
      .filter((place) => place.caseId === caseId)
      .map((place) => ({ ...place, id: doc._id, name: contactName(doc), email: doc.email })),
  );
  const order = [...parties.map(({ partyId }) => partyId), null];
  return found.toSorted((one, other) => order.indexOf(one.partyId) - order.indexOf(other.partyId));
}
