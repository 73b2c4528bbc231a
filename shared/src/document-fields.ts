// What a document may say of its case: all that a mail may say, what is on paper alone, and what is told for each
// participant or child.
import { MERGE_FIELDS } from "./merge-fields.ts";

export const DOCUMENT_FIELDS = {
  ...MERGE_FIELDS,
  "client.address": "Postal address",
  "otherParty.firstName": "Other participant’s first name",
  "otherParty.fullName": "Other participant’s full name",
  "parties.names": "Names of all participants",
  "children.names": "Names of the children",
  "case.sessionsHeld": "Number of sessions held",
  "case.firstSession": "Day of the first session",
  "case.lastSession": "Day of the last session",
} as const;
export type DocumentField = keyof typeof DOCUMENT_FIELDS;
export type DocumentValues = Partial<Record<DocumentField, string>>;

/** In the order in which they are offered. */
export const DOCUMENT_FIELD_GROUPS = [
  { name: "Addressee", of: ["client.", "otherParty."] },
  { name: "Everybody", of: ["parties.", "children."] },
  { name: "Case", of: ["case.", "invitation.", "meeting."] },
  { name: "Practice", of: ["practice.", "mediator.", "sender.", "today"] },
] as const;

export const DOCUMENT_PATHS = Object.keys(DOCUMENT_FIELDS).filter(isDocumentField);

export function isDocumentField(path: string): path is DocumentField {
  return Object.hasOwn(DOCUMENT_FIELDS, path);
}

/** For whom or what a part of a document is written again, and what can be said of each. */
export const REPEATS = {
  parties: { name: "participant", fields: { "each.fullName": "Full name", "each.firstName": "First name" } },
  children: { name: "child", fields: { "each.firstName": "First name", "each.age": "Age" } },
} as const;
export type RepeatOver = keyof typeof REPEATS;

const EACH_FIELDS: Record<string, string> = { ...REPEATS.parties.fields, ...REPEATS.children.fields };
export type EachField = keyof typeof REPEATS.parties.fields | keyof typeof REPEATS.children.fields;
export type EachValues = Partial<Record<EachField, string>>;
export type RepeatValues = Partial<Record<RepeatOver, readonly EachValues[]>>;

export const isRepeatOver = (over: string): over is RepeatOver => Object.hasOwn(REPEATS, over);

/** What a field is called: that of each one is named by what it says of them. */
export function fieldName(path: string): string {
  if (isDocumentField(path)) return DOCUMENT_FIELDS[path];
  return EACH_FIELDS[path] ?? `“${path}”, which is no field`;
}
