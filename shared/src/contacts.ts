import { z } from "zod";
import { CASE_STATUSES } from "./case-states.ts";
import { addressSchema, BULK_MAX, PHONES_MAX, phoneSchema } from "./clients.ts";
import { CONTACT_ROLES } from "./contact-roles.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { searchSchema } from "./search-text.ts";
import {
  optionalEmailSchema,
  lineSchema,
  ORGANISATION_MAX_LENGTH,
  personNameSchema,
  TITLE_MAX_LENGTH,
} from "./text.ts";
import { instantSchema } from "./time.ts";
import { forParty, PRACTICE_ONLY, type Visibility, visibilitySchema } from "./visibility.ts";

export const CONTACT_NOTES_MAX_LENGTH = 2000;
export const CONTACT_LINKS_MAX = 200;

const contactFieldsSchema = z.strictObject({
  roles: z.array(z.enum(CONTACT_ROLES)).min(1, "Choose at least one role").max(CONTACT_ROLES.length),
  title: lineSchema(TITLE_MAX_LENGTH),
  firstName: z.union([z.literal(""), personNameSchema]),
  lastName: z.union([z.literal(""), personNameSchema]),
  organisation: lineSchema(ORGANISATION_MAX_LENGTH),
  email: optionalEmailSchema,
  phones: z.array(phoneSchema).max(PHONES_MAX),
  address: addressSchema,
  /** What they call us or our case by, such as a DX number. */
  reference: lineSchema(60),
  referrerCode: z.enum(["", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11"]),
  notes: z.string().trim().max(CONTACT_NOTES_MAX_LENGTH, `Use at most ${CONTACT_NOTES_MAX_LENGTH} characters`),
});
type ContactFields = z.infer<typeof contactFieldsSchema>;

/** A contact is a person, an organisation, or a person at one. */
function checkContact(contact: ContactFields, context: z.RefinementCtx<ContactFields>) {
  if (contact.lastName || contact.organisation) return;
  context.addIssue({ code: "custom", path: ["lastName"], message: "Enter a last name or an organisation" });
}

export const createContactSchema = contactFieldsSchema.superRefine(checkContact);
export type CreateContact = z.infer<typeof createContactSchema>;

export const updateContactSchema = z.strictObject({
  id: idSchema,
  /** The version that was on the screen; where there is a newer one in the store, nothing is saved. */
  version: z.number().int().min(0),
  contact: createContactSchema,
});

/** What somebody is to a case; with a party, they stand on that party's side, and the other never hears of them. */
export const contactLinkSchema = z.strictObject({
  caseId: idSchema,
  role: z.enum(CONTACT_ROLES),
  partyId: idSchema.nullable(),
});
export type ContactLink = z.infer<typeof contactLinkSchema>;

export const linkContactSchema = z.strictObject({ id: idSchema, ...contactLinkSchema.shape });

/** Who may read that somebody belongs to a case. */
export const linkVisibility = (link: Pick<ContactLink, "partyId">): Visibility =>
  link.partyId === null ? PRACTICE_ONLY : forParty(link.partyId);

const linkedCaseSchema = z.object({
  ...contactLinkSchema.shape,
  caseRef: z.string(),
  status: z.enum(CASE_STATUSES),
  /** On whose page the case is found. */
  clientId: idSchema,
  /** Those on whose side they stand; all parties where it is nobody's. */
  parties: z.array(z.object({ label: z.string(), name: z.string() })),
  visibility: visibilitySchema,
});
export type LinkedCase = z.infer<typeof linkedCaseSchema>;

export const contactSchema = z.object({
  ...contactFieldsSchema.shape,
  id: idSchema,
  displayName: z.string(),
  status: z.enum(["active", "archived"]),
  links: z.array(linkedCaseSchema),
  version: z.number().int(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  /** Who saved last, for whoever edits it at the same time. */
  updatedByName: z.string(),
});
export type Contact = z.infer<typeof contactSchema>;

export const CONTACT_SORTS = ["name", "organisation", "createdAt"] as const;

export const listContactsSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
  status: z.enum(["active", "archived"]).default("active"),
  role: z.enum(CONTACT_ROLES).optional(),
  sort: z.enum(CONTACT_SORTS).default("name"),
  isDescending: z.boolean().default(false),
});
export type ListContacts = z.input<typeof listContactsSchema>;

export const contactRowSchema = z.object({
  id: idSchema,
  displayName: z.string(),
  organisation: z.string(),
  roles: z.array(z.enum(CONTACT_ROLES)),
  email: z.string(),
  phone: z.string(),
  /** In how many cases that the reader may see. */
  caseCount: z.number().int(),
  status: z.enum(["active", "archived"]),
  createdAt: instantSchema,
});
export type ContactRow = z.infer<typeof contactRowSchema>;

export const contactPageSchema = pageOf(contactRowSchema);

export const setContactStatusSchema = z.strictObject({
  ids: z.array(idSchema).min(1).max(BULK_MAX),
  status: z.enum(["active", "archived"]),
});

export const caseContactSchema = z.object({
  contactId: idSchema,
  displayName: z.string(),
  organisation: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.enum(CONTACT_ROLES),
  partyId: idSchema.nullable(),
  visibility: visibilitySchema,
});
export type CaseContact = z.infer<typeof caseContactSchema>;

export const caseContactsSchema = z.object({ items: z.array(caseContactSchema) });

type ContactName = Pick<ContactFields, "firstName" | "lastName" | "organisation">;

/** The person's name; without one, the organisation's. */
export const contactName = ({ firstName, lastName, organisation }: ContactName): string =>
  [firstName, lastName].filter(Boolean).join(" ") || organisation;
