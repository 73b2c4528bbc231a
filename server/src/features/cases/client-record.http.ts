import { Router, type Request, type Response } from "express";
import { type Client, preferredPhone } from "@app/shared/clients";
import { idSchema } from "@app/shared/ids";
import type { PartyPreview } from "@app/shared/party-preview";
import { notFound } from "../../core/errors.ts";
import { createPdf, type PdfPage } from "../../core/pdf.ts";
import { type Context, requireExporting, type Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { listCasesOfClient } from "./cases.service.ts";
import { previewOf } from "./party-preview.ts";
import { type ForParty, openFor } from "../visibility/for-party.ts";

/** GET /export/clients/:id.pdf: what the practice keeps of one client and may hand to them, and nothing of any other. */
export function clientRecord(createContext: (req: Request, res: Response) => Promise<Context>): Router {
  const routes = Router();
  routes.get("/clients/:file", async (req, res) => {
    const { actor, log } = await createContext(req, res);
    const { scope } = requireExporting(actor, ["clients.read"]);
    const id = idSchema.safeParse(req.params.file.replace(/\.pdf$/, ""));
    if (!id.success) throw notFound("Client");
    const bytes = await draw(scope, id.data);
    log.info({ event: "client record exported", clientId: id.data }, "audit");
    res.set({ "Content-Type": "application/pdf", "Content-Disposition": 'attachment; filename="client-record.pdf"' });
    res.send(bytes);
  });
  return routes;
}

async function draw(scope: Scope, id: string): Promise<Buffer> {
  const client = await getClient(scope, id);
  const cases = await listCasesOfClient(scope, id);
  const practiceName = await practiceNameOf(scope.ownerId);
  const pdf = createPdf({ title: `Record of ${client.displayName}`, footer: `${practiceName}, confidential` });
  pdf.title(client.displayName);
  pdf.paragraph(`What ${practiceName} keeps of you. Nothing of anybody else stands here.`);
  writeDetails(pdf, client);
  for (const theCase of cases) {
    const own = theCase.parties.find(({ clientId }) => clientId === id);
    if (!own) continue;
    writeCase(pdf, id, await previewOf(scope, { caseId: theCase.id, partyId: own.partyId }));
  }
  return pdf.bytes();
}

function writeDetails(pdf: PdfPage, client: Client): void {
  pdf.heading("Details");
  pdf.fact("Name", client.displayName);
  pdf.fact("Date of birth", client.dateOfBirth);
  pdf.fact("Email", client.email);
  pdf.fact("Phone", preferredPhone(client.phones)?.number ?? "");
  pdf.fact("Address", [...client.address.lines, client.address.postcode].filter(Boolean).join(", "));
  pdf.fact("Needs", client.needs);
}

const KINDS = {
  meeting: "Meetings",
  note: "Notes and proposals",
  file: "Files",
  message: "Messages",
  certificate: "Certificates",
  history: "History",
} as const;

const WITHOUT_MESSAGES = "Messages are not part of this copy: whoever made it may not read mail.";

function writeCase(pdf: PdfPage, clientId: string, preview: ForParty<PartyPreview>): void {
  const { caseRef, items, leftOut } = openFor(preview, { clientId });
  pdf.heading(`Case ${caseRef}`);
  if (items.length === 0 && leftOut.length === 0) pdf.paragraph("Nothing is kept that you may see.");
  if (leftOut.includes("message")) pdf.paragraph(WITHOUT_MESSAGES);
  for (const [kind, name] of Object.entries(KINDS)) {
    const ofKind = items.filter((item) => item.kind === kind);
    if (ofKind.length === 0) continue;
    pdf.gap(2);
    pdf.paragraph(`${name}:`);
    for (const { title, detail, at } of ofKind)
      pdf.paragraph([at?.slice(0, 10), title, detail].filter(Boolean).join(" · "));
  }
}
