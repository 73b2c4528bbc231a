// The conflict check of an enquiry: of whoever asks, and of the other person whom they name.
import type { ConflictTerm } from "@app/shared/conflicts";
import type { Enquiry } from "@app/shared/leads";
import { now } from "../../core/clock.ts";
import { systemScope } from "../../core/system-scope.ts";
import { searchConflictsOfAll } from "../conflicts/conflicts.service.ts";
import { enquiryOf } from "./lead-mapping.ts";
import { type LeadConflictDoc, type LeadDoc, LeadModel } from "./leads.model.ts";

/** Who is looked for. */
export function termsOf({ other, organisation, ...enquirer }: Enquiry): ConflictTerm[] {
  const people = [{ ...enquirer, organisation }, ...(other ? [{ ...other, organisation: "" }] : [])];
  return people.map(({ firstName, lastName, organisation: named, email, phone, dateOfBirth }) => ({
    firstName,
    lastName,
    knownAs: "",
    organisation: named,
    email,
    phones: phone === "" ? [] : [phone],
    dateOfBirth,
  }));
}

/** What the practice's records hold of these people now. */
export async function findConflicts(doc: LeadDoc): Promise<LeadConflictDoc> {
  const { items, isCut } = await searchConflictsOfAll(systemScope(doc.ownerId), termsOf(enquiryOf(doc)));
  return { hits: items, isCut, checkedAt: now(), lookedAt: null, lookedByName: "" };
}

/** Looks anew, unless somebody else is named by then: whoever named them looks too. */
export async function checkConflicts(ownerId: string, id: string): Promise<void> {
  const doc = await LeadModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) return;
  const conflict = await findConflicts(doc);
  await LeadModel.updateOne({ ownerId, _id: id, termsStep: doc.termsStep }, { $set: { conflict } });
}
