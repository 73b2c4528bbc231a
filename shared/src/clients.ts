import { z } from "zod";
import { byIdSchema, idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { searchSchema } from "./search-text.ts";
import {
  lineSchema,
  NOTE_MAX_LENGTH,
  optionalEmailSchema,
  ORGANISATION_MAX_LENGTH,
  personNameSchema,
  phoneNumberSchema,
  TITLE_MAX_LENGTH,
} from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const CLIENT_STATUSES = ["active", "archived"] as const;

export const PHONES_MAX = 5;
export const ADDRESS_LINES_MAX = 4;
export const ADDRESS_LINE_MAX_LENGTH = 80;
export const CODE_WORD_MAX_LENGTH = 40;
export const TAGS_MAX = 20;
export const TAG_MAX_LENGTH = 30;
export const BULK_MAX = 100;
const EARLIEST_BIRTH_DAY = "1900-01-01";

const optionalNameSchema = z.union([z.literal(""), personNameSchema]);

export const phoneSchema = z.strictObject({
  type: z.enum(["mobile", "home", "work"]),
  number: phoneNumberSchema,
  isPreferred: z.boolean(),
});

export const addressSchema = z.strictObject({
  lines: z.array(lineSchema(ADDRESS_LINE_MAX_LENGTH)).max(ADDRESS_LINES_MAX),
  postcode: lineSchema(12),
  country: lineSchema(60),
});

/** How this person may be reached without putting them at risk. */
export const safeContactSchema = z.strictObject({
  mayEmail: z.boolean(),
  mayText: z.boolean(),
  mayPhone: z.boolean(),
  mayLeaveVoicemail: z.boolean(),
  mayPost: z.boolean(),
  safeTimes: lineSchema(100),
  codeWord: lineSchema(CODE_WORD_MAX_LENGTH),
  note: z.string().trim().max(NOTE_MAX_LENGTH, `Use at most ${NOTE_MAX_LENGTH} characters`),
});
export type SafeContact = z.infer<typeof safeContactSchema>;

// Voicemail starts off: a message left on a shared phone cannot be taken back.
export const DEFAULT_SAFE_CONTACT: SafeContact = {
  mayEmail: true,
  mayText: true,
  mayPhone: true,
  mayLeaveVoicemail: false,
  mayPost: true,
  safeTimes: "",
  codeWord: "",
  note: "",
};

const clientFieldsSchema = z.strictObject({
  kind: z.enum(["person", "organisation"]),
  title: lineSchema(TITLE_MAX_LENGTH),
  firstName: optionalNameSchema,
  lastName: optionalNameSchema,
  knownAs: lineSchema(60),
  organisation: lineSchema(ORGANISATION_MAX_LENGTH),
  dateOfBirth: z.union([z.literal(""), daySchema]),
  email: optionalEmailSchema,
  phones: z.array(phoneSchema).max(PHONES_MAX),
  address: addressSchema,
  isAddressConfidential: z.boolean(),
  safeContact: safeContactSchema,
  needs: z.string().trim().max(NOTE_MAX_LENGTH, `Use at most ${NOTE_MAX_LENGTH} characters`),
  tags: z.array(lineSchema(TAG_MAX_LENGTH).min(1)).max(TAGS_MAX),
});

type ClientFields = z.infer<typeof clientFieldsSchema>;

/** A person needs both names, an organisation its own; nobody is born in the future. */
function checkClient(client: ClientFields, context: z.RefinementCtx<ClientFields>) {
  const report = (field: keyof ClientFields, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (client.kind === "organisation" && !client.organisation) report("organisation", "Enter the organisation's name");
  if (client.kind === "person" && !client.firstName) report("firstName", "Enter a first name");
  if (client.kind === "person" && !client.lastName) report("lastName", "Enter a last name");
  if (client.dateOfBirth && client.dateOfBirth < EARLIEST_BIRTH_DAY)
    report("dateOfBirth", "Check the year: it is before 1900");
  if (client.dateOfBirth > new Date().toISOString().slice(0, 10)) report("dateOfBirth", "This date is in the future");
}

export const createClientSchema = clientFieldsSchema.superRefine(checkClient);
export type CreateClient = z.infer<typeof createClientSchema>;

export const updateClientSchema = z.strictObject({
  id: idSchema,
  /** The version that was on the screen; where there is a newer one in the store, nothing is saved. */
  version: z.number().int().min(0),
  client: createClientSchema,
});

/** Somebody said that a way of reaching them is not safe, and nobody has looked at what stands here since. */
const contactUncheckedSchema = z.boolean();

/** The version that was on the screen of whoever looked at how somebody may be reached, and found it right. */
export const confirmContactSchema = z.strictObject({ id: idSchema, version: z.number().int().min(0) });

export const clientSchema = z.object({
  ...clientFieldsSchema.shape,
  id: idSchema,
  displayName: z.string(),
  status: z.enum(CLIENT_STATUSES),
  isContactUnchecked: contactUncheckedSchema,
  version: z.number().int(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  /** Who saved last, for whoever edits it at the same time. */
  updatedByName: z.string(),
});
export type Client = z.infer<typeof clientSchema>;

export const CLIENT_SORTS = ["name", "createdAt", "updatedAt"] as const;

export const listClientsSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
  status: z.enum(CLIENT_STATUSES).default("active"),
  kind: z.enum(["person", "organisation"]).optional(),
  safety: z.enum(["restricted", "unrestricted"]).optional(),
  sort: z.enum(CLIENT_SORTS).default("name"),
  isDescending: z.boolean().default(false),
});
export type ListClients = z.input<typeof listClientsSchema>;

export const clientRowSchema = z.object({
  id: idSchema,
  displayName: z.string(),
  kind: z.enum(["person", "organisation"]),
  email: z.string(),
  phone: z.string(),
  safeContact: safeContactSchema.pick({
    mayEmail: true,
    mayText: true,
    mayPhone: true,
    mayLeaveVoicemail: true,
    mayPost: true,
  }),
  hasCodeWord: z.boolean(),
  isContactUnchecked: contactUncheckedSchema,
  tags: z.array(z.string()),
  status: z.enum(CLIENT_STATUSES),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type ClientRow = z.infer<typeof clientRowSchema>;

export const clientPageSchema = pageOf(clientRowSchema);

export const setClientStatusSchema = z.strictObject({
  ids: z.array(byIdSchema.shape.id).min(1).max(BULK_MAX),
  status: z.enum(CLIENT_STATUSES),
});

type ClientName = Pick<ClientFields, "kind" | "firstName" | "lastName" | "organisation">;

export const displayName = (client: ClientName): string =>
  client.kind === "organisation" ? client.organisation : `${client.firstName} ${client.lastName}`;

/** The number to use first: the one that was marked, else the first there is. */
export const preferredPhone = <Phone extends { isPreferred: boolean }>(phones: readonly Phone[]): Phone | undefined =>
  phones.find((phone) => phone.isPreferred) ?? phones[0];

const BY_NO_WAY = { mayEmail: false, mayText: false, mayPhone: false, mayLeaveVoicemail: false, mayPost: false };

/** How somebody may be reached now: by no way until somebody has looked, where they said that one is not safe. */
export const safeNow = ({ safeContact, isContactUnchecked }: SafetyOf): SafeContact =>
  isContactUnchecked ? { ...safeContact, ...BY_NO_WAY } : safeContact;

interface SafetyOf {
  safeContact: SafeContact;
  isContactUnchecked?: boolean | undefined;
}

/** Whether anything but the defaults restricts how this person may be reached. */
export function isRestricted(safe: SafeContact): boolean {
  return !(safe.mayEmail && safe.mayText && safe.mayPhone && safe.mayPost) || Boolean(safe.codeWord || safe.safeTimes);
}
