import { TRPCError } from "@trpc/server";
import { preferredPhone } from "@app/shared/clients";
import { CONTACT_ROLE_NAMES, REFERRER_CODE_NAMES } from "@app/shared/contact-words";
import { listContactsSchema } from "@app/shared/contacts";
import { dayIn } from "@app/shared/days";
import { csvLine } from "../../core/csv.ts";
import { sendLines } from "../../core/csv-answer.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { type ContactDoc, ContactModel } from "./contacts.model.ts";
import { contactFilter, contactSort } from "./contacts.service.ts";

const BATCH_SIZE = 200;
const BYTE_ORDER_MARK = "\uFEFF";
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

/** GET /export/contacts.csv: exactly the contacts that the list shows for the same filter, in its order. */
export const contactsExport: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "data.export"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope, log } = asked;
    const { descending, ...query } = req.query;
    const input = listContactsSchema.omit({ page: true }).safeParse({ ...query, isDescending: descending === "true" });
    if (!input.success) throw new TRPCError({ code: "BAD_REQUEST", message: "This filter cannot be used." });
    log.info({ event: "contacts exported", filter: { ...input.data, search: undefined } }, "audit");
    await sendLines(asked, "contacts.csv", linesOf(scope, input.data));
  },
};

async function* linesOf(scope: Scope, input: Parameters<typeof contactFilter>[1]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEADINGS);
  const timeZone = await practiceTimeZone(scope.ownerId);
  const docs = ContactModel.find(await contactFilter(scope, input))
    .sort(contactSort(input))
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  for await (const doc of docs) yield csvLine(cellsOf(doc, timeZone));
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
