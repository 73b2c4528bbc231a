import type { z } from "zod";
import { preferredPhone } from "@app/shared/clients";
import { CONTACT_ROLE_NAMES, REFERRER_CODE_NAMES } from "@app/shared/contact-words";
import { listContactsSchema } from "@app/shared/contacts";
import { dayIn } from "@app/shared/days";
import { listExport } from "../../core/list-export.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { type ContactDoc, ContactModel } from "./contacts.model.ts";
import { contactFilter, contactSort } from "./contacts.service.ts";

const BATCH_SIZE = 200;
const FILTER = listContactsSchema.omit({ page: true });
/** Headings that the import knows again. */
const HEADINGS = [
  "Role",
  "Title",
  "First name",
  "Last name",
  "Organisation",
  "Email",
  "Phone",
  "Address",
  "Postcode",
  "Country",
  "Reference",
  "Referral source",
  "Notes",
  "Status",
  "Added",
];

/** GET /export/contacts.csv */
export const contactsExport = listExport({ things: "contacts", filter: FILTER, headings: HEADINGS, rows });

async function* rows(scope: Scope, filter: z.infer<typeof FILTER>): AsyncGenerator<string[]> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const docs = ContactModel.find(await contactFilter(scope, filter))
    .sort(contactSort(filter))
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  for await (const doc of docs) yield cellsOf(doc, timeZone);
}

const cellsOf = (doc: ContactDoc, timeZone: string): string[] => [
  doc.roles.map((role) => CONTACT_ROLE_NAMES[role]).join("; "),
  doc.title,
  doc.firstName,
  doc.lastName,
  doc.organisation,
  doc.email,
  preferredPhone(doc.phones)?.number ?? "",
  doc.address.lines.join(", "),
  doc.address.postcode,
  doc.address.country,
  doc.reference,
  doc.referrerCode === "" ? "" : REFERRER_CODE_NAMES[doc.referrerCode],
  doc.notes,
  doc.status,
  dayIn(timeZone, doc.createdAt),
];
