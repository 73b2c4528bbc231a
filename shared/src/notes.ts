import { z } from "zod";
import type { CaseDomain } from "./case-transitions.ts";
import { apartName, APART_SHAREABLE } from "./confidences.ts";
import { idSchema, ofNewThing } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { richTextSchema } from "./rich-text.ts";
import { searchSchema } from "./search-text.ts";
import { lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";
import { isCaucus, PARTIES_MAX, type Visibility, visibilitySchema } from "./visibility.ts";

export const CONSENT_HOW_MAX_LENGTH = 200;
/** A save this long after the last one keeps the text before it as a version. */
export const VERSION_AFTER_MINUTES = 5;

export const NOTE_KINDS = ["file_note", "caucus", "separate", "phone", "supervision", "private"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

const KIND_NAMES = {
  file_note: "File note",
  separate: APART_SHAREABLE,
  phone: "Phone note",
  supervision: "Supervision note",
  private: "Private note",
} as const satisfies Record<Exclude<NoteKind, "caucus">, string>;

/** What a note is called in a case of this kind; null for one of no case. */
export const noteKindName = (kind: NoteKind, domain: CaseDomain | null): string =>
  kind === "caucus" ? `${apartName(domain)} note` : KIND_NAMES[kind];

const versionSchema = z.number().int().min(0);

const noteFields = { kind: z.enum(NOTE_KINDS), visibility: visibilitySchema, body: richTextSchema };

interface KindAndVisibility {
  kind: NoteKind;
  visibility: Visibility;
}

/** A caucus is somebody's, and what is private or for supervision is the mediator's alone. */
function checkKind({ kind, visibility }: KindAndVisibility, context: z.RefinementCtx) {
  const report = (message: string) => context.addIssue({ code: "custom", path: ["kind"], message });
  if (kind === "separate" && visibility.aboutPartyIds.length > 0)
    report("What can be shared is in nobody’s confidence. Choose other readers, or another kind of note");
  if (kind === "caucus" && visibility.aboutPartyIds.length === 0) report("Choose whose words these are");
  else if (kind === "caucus" && !isCaucus(visibility))
    report(
      "No party reads what was said in confidence. Choose the team or the mediators as its readers, or another kind of note",
    );
  if ((kind === "private" || kind === "supervision") && visibility.scope !== "mediator")
    report("This kind of note is for the mediator only");
}

export const createNoteSchema = z
  .strictObject({
    ...noteFields,
    caseId: idSchema.nullable(),
    clientId: idSchema.nullable(),
    /** The record of the MIAM at which it was said: whatever was agreed since, it is private to whoever attended. */
    assessmentId: idSchema.optional(),
  })
  .superRefine((note, context) => {
    checkKind(note, context);
    if (note.caseId === null && note.clientId === null)
      context.addIssue({ code: "custom", path: ["clientId"], message: "Choose a client or a case" });
  });
export type CreateNote = z.infer<typeof createNoteSchema>;

/** A note of a session, under the id that its sender chose. */
export const sessionNoteSchema = z.strictObject({ ...ofNewThing, ...noteFields }).superRefine(checkKind);
export type SessionNote = z.infer<typeof sessionNoteSchema>;

export const updateNoteSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  /** Made by the sender for this save: the same save that comes again is no edit conflict. */
  saveId: idSchema,
  body: richTextSchema.optional(),
  visibility: visibilitySchema.optional(),
  isPinned: z.boolean().optional(),
});
export type UpdateNote = z.infer<typeof updateNoteSchema>;

/** What a party said when they let something out of their confidence. */
const grantSchema = z.strictObject({
  grantedByPartyId: idSchema,
  at: instantSchema,
  how: lineSchema(CONSENT_HOW_MAX_LENGTH).min(1, "Say how they agreed, such as: in the room, in their own words"),
});
export const consentSchema = grantSchema.extend({
  /** Of what several have together: the consent of each of the others. */
  others: z.array(grantSchema).max(PARTIES_MAX).exactOptional(),
});
export type Consent = z.infer<typeof consentSchema>;

/** Of what somebody let out: their consent is to these words, or to this name, and to no others. */
export const RELEASED_AS_IT_IS =
  "This was released with a party’s consent to it as it is, so it stays so. Release what it comes from anew, with their consent to what is said then.";

export const noteSchema = z.object({
  ...noteFields,
  id: idSchema,
  caseId: idSchema.nullable(),
  clientId: idSchema.nullable(),
  sessionId: idSchema.nullable(),
  /** The record of the MIAM at which it was said. */
  assessmentId: idSchema.nullable(),
  /** Whose confidence it is, where it is one party's. */
  partyId: idSchema.nullable(),
  isPinned: z.boolean(),
  /** Written in a session that is locked: it cannot change any more. */
  isLocked: z.boolean(),
  releasedFromId: idSchema.nullable(),
  consent: consentSchema.nullable(),
  createdByName: z.string(),
  updatedByName: z.string(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  version: versionSchema,
});
export type Note = z.infer<typeof noteSchema>;

/** Those of a case, those that were written on a client without one, or both; or those of one session. */
export const listNotesSchema = z.strictObject({
  ...pageInputSchema.shape,
  clientId: idSchema.optional(),
  caseId: idSchema.optional(),
  sessionId: idSchema.optional(),
  search: searchSchema,
});
export type ListNotes = z.input<typeof listNotesSchema>;
/** A note as it is listed, with what was let out of it and whoever lists it may read. */
export const listedNoteSchema = noteSchema.extend({
  releases: z.array(noteSchema.pick({ id: true, visibility: true, createdAt: true, createdByName: true })),
});
export type ListedNote = z.infer<typeof listedNoteSchema>;
export const notePageSchema = pageOf(listedNoteSchema);

export const noteVersionSchema = z.object({
  version: versionSchema,
  body: richTextSchema,
  savedAt: instantSchema,
  savedByName: z.string(),
});
export type NoteVersion = z.infer<typeof noteVersionSchema>;

export const listNoteVersionsSchema = z.strictObject({ ...pageInputSchema.shape, id: idSchema });
export const noteVersionPageSchema = pageOf(noteVersionSchema);

export const restoreNoteVersionSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  restored: versionSchema,
  saveId: idSchema,
});

export const releaseNoteSchema = z.strictObject({
  id: idSchema,
  /** Chosen by the sender for what this makes. */
  newId: idSchema,
  /** What the party agreed to say; need not be all of it. */
  body: richTextSchema,
  consent: consentSchema,
});
export type ReleaseNote = z.infer<typeof releaseNoteSchema>;
