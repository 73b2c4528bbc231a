import { Router, type Request, type Response } from "express";
import type { Party } from "@app/shared/cases";
import { type Certificate, CERTIFICATE_REASON_NAMES } from "@app/shared/certificates";
import { idSchema } from "@app/shared/ids";
import { notFound, wrongState } from "../../core/errors.ts";
import { createPdf } from "../../core/pdf.ts";
import { type Context, requirePermitted } from "../../core/trpc.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { type ForParty, openFor } from "../visibility/for-party.ts";
import { certificateForParty } from "./certificates.service.ts";

/** GET /export/certificates/:id.pdf: the certificate of one party, which names no other. */
export function certificatePdf(createContext: (req: Request, res: Response) => Promise<Context>): Router {
  const routes = Router();
  routes.get("/certificates/:file", async (req, res) => {
    const { actor, log } = await createContext(req, res);
    const { scope } = requirePermitted(actor, ["clients.read"]);
    const id = idSchema.safeParse(req.params.file.replace(/\.pdf$/, ""));
    if (!id.success) throw notFound("Certificate");
    const practiceName = await practiceNameOf(scope.ownerId);
    const { number, bytes } = draw(await certificateForParty(scope, id.data), practiceName);
    log.info({ event: "certificate downloaded", certificate: number }, "audit");
    res.set({
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="certificate-${number.replace(/[^\w-]/g, "")}.pdf"`,
    });
    res.send(bytes);
  });
  return routes;
}

function draw(
  sealed: ForParty<{ certificate: Certificate; party: Party }>,
  practiceName: string,
): { number: string; bytes: Buffer } {
  const { certificate, party } = openFor(sealed, {});
  if (certificate.status === "void") throw wrongState("This certificate is void, so it is not printed.");
  const pdf = createPdf({
    title: `Certificate ${certificate.number}`,
    footer: `${practiceName}, ${certificate.number}`,
  });
  pdf.title("Mediation information and assessment meeting");
  pdf.paragraph(`Certificate ${certificate.number}, given by ${practiceName}`);
  pdf.heading("Applicant");
  pdf.fact("Name", party.name);
  pdf.fact("Assessment meeting", party.miamOn);
  pdf.heading("Certified");
  pdf.paragraph(`${CERTIFICATE_REASON_NAMES[certificate.reason]}.`);
  pdf.heading("Mediator");
  pdf.fact("Name", certificate.mediatorName);
  pdf.fact("FMC accreditation", certificate.accreditationNumber);
  pdf.fact("Issued on", certificate.issuedOn);
  pdf.fact("Valid for an application until", certificate.expiresOn);
  pdf.gap(18);
  pdf.paragraph("Signature of the mediator: ______________________________");
  return { number: certificate.number, bytes: pdf.bytes() };
}
