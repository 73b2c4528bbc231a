import type { Case } from "@app/shared/cases";
import { type Client, preferredPhone } from "@app/shared/clients";
import { z } from "zod";
import { idSchema } from "@app/shared/ids";
import { PREVIEW_KIND_NAMES, type PartyPreview } from "@app/shared/party-preview";
import { sendDownload } from "../../core/download.ts";
import type { Dates } from "../../core/dates.ts";
import { missingWith, notFound } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { definePdf } from "../../core/pdf.ts";
import { fact, gap, heading, paragraph, type PdfDocument, type PdfPart, title } from "../../core/pdf-document.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { practiceDates, practiceNameOf } from "../practices/practices.service.ts";
import { getCase, listCasesOfClient } from "../cases/cases.service.ts";
import { previewOf } from "./party-preview.ts";
import { type ForParty, openFor } from "../visibility/for-party.service.ts";

const draw = definePdf(
  "This record is too long for one document. Open each case of this client, choose “What each party sees”, and download the records of one case at a time.",
);

/** Each is gathered for itself, and whoever asked waits meanwhile. */
const CASES_MAX = 30;

const ofOneCase = z.object({ case: idSchema.optional() });

/**
 * GET /export/clients/:id.pdf: what the practice keeps of one client and may hand to them, and nothing of any other;
 * with `case` only what belongs to that case.
 */
export const clientRecord: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read"],
  asksAgain: true,
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    const of = ofOneCase.safeParse(req.query);
    if (!id.success || !of.success) throw notFound("Client");
    const bytes = await draw(ofPerson(scope), await contentOf(scope, id.data, of.data.case));
    log.info({ event: "client record exported", clientId: id.data }, "audit");
    await sendDownload(asked, { name: "client-record.pdf", type: "application/pdf", content: Buffer.from(bytes) });
  },
};

async function contentOf(scope: Scope, id: string, caseId?: string): Promise<PdfDocument> {
  const client = await getClient(scope, id);
  const all = await (caseId ? onlyCase(scope, id, caseId) : listCasesOfClient(scope, id));
  const practiceName = await practiceNameOf(scope.ownerId);
  const dates = await practiceDates(scope.ownerId);
  const parts = [
    title(client.displayName),
    paragraph(
      `What ${practiceName} can give you at once. It contains nothing about anybody else. Your answers to questions about safety, and notes that are only for the practice, are not in this copy: ask us for them.`,
    ),
    ...detailsOf(client, dates),
    ...(all.length > CASES_MAX ? [paragraph(ofMore(all.length))] : []),
  ];
  for (const theCase of all.slice(0, CASES_MAX)) {
    const own = theCase.parties.find(({ clientId }) => clientId === id);
    if (!own) continue;
    const preview = await previewOf(scope, { caseId: theCase.id, partyId: own.partyId });
    parts.push(...caseFor(id, preview, dates));
  }
  return { title: `Record of ${client.displayName}`, footer: `${practiceName}, confidential`, parts };
}

/** Throws NOT_FOUND where this client is no party to the case, or whoever asks does not see it. */
async function onlyCase(scope: Scope, clientId: string, caseId: string): Promise<Case[]> {
  const theCase = await missingWith("Client", getCase(scope, caseId));
  if (!theCase.parties.some((party) => party.clientId === clientId)) throw notFound("Client");
  return [theCase];
}

const ofMore = (count: number): string =>
  `This is not all: it shows only the newest ${CASES_MAX} of your ${count} cases. Each of the others has a record of its own; ask for it.`;

const detailsOf = (client: Client, { calendarDay }: Dates): PdfPart[] => [
  heading("Details"),
  fact("Name", client.displayName),
  fact("Date of birth", client.dateOfBirth && calendarDay(client.dateOfBirth)),
  fact("Email", client.email),
  fact("Phone", preferredPhone(client.phones)?.number ?? ""),
  fact("Address", [...client.address.lines, client.address.postcode].filter(Boolean).join(", ")),
  fact("Needs", client.needs),
];

const WITHOUT_MESSAGES = "Messages are not part of this copy: whoever made it may not read mail.";

const WITHOUT_INVOICES = "Invoices are not part of this copy: whoever made it may not see payments.";

function caseFor(clientId: string, preview: ForParty<PartyPreview>, dates: Dates): PdfPart[] {
  const { caseRef, items, leftOut, cut } = openFor(preview, { clientId });
  const parts = [heading(caseRef ? `Case ${caseRef}` : "Your case")];
  if (items.length === 0 && leftOut.length === 0) parts.push(paragraph("Nothing is kept that you may see."));
  if (leftOut.includes("message")) parts.push(paragraph(WITHOUT_MESSAGES));
  if (leftOut.includes("invoice")) parts.push(paragraph(WITHOUT_INVOICES));
  parts.push(...cut.map((words) => paragraph(words)));
  for (const [kind, name] of Object.entries(PREVIEW_KIND_NAMES)) {
    const ofKind = items.filter((item) => item.kind === kind);
    if (ofKind.length === 0) continue;
    parts.push(gap(2), paragraph(`${name}:`));
    for (const { title: named, detail, at } of ofKind)
      parts.push(paragraph([at && dates.day(new Date(at)), named, detail].filter(Boolean).join(" · ")));
  }
  return parts;
}
