// A certificate on paper: of one party, naming no other.
import type { Party } from "@app/shared/cases";
import type { Certificate } from "@app/shared/certificates";
import type { DocumentContent } from "@app/shared/document-content";
import { OLD_MIAM_RULES } from "@app/shared/miam-rules-2014-04-22";
import type { Dates } from "../../core/dates.ts";
import { wrongState } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { definePdf } from "../../core/pdf.ts";
import { fact, gap, heading, paragraph, type PdfDocument, type PdfPart, title } from "../../core/pdf-document.ts";
import type { Scope } from "../../core/trpc.ts";
import { letterheadOf, LOGO } from "../letterheads/letterheads.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { type ForParty, openFor } from "../visibility/for-party.service.ts";
import { certificateForParty } from "./certificates.service.ts";

const draw = definePdf("This certificate is too long to print. Shorten the names on it.");

/** The certificate as a PDF. Throws PRECONDITION_FAILED for one that is void. */
export async function drawCertificate(scope: Scope, id: string): Promise<{ number: string; bytes: Uint8Array }> {
  const { name: practiceName, logo } = await letterheadOf(scope.ownerId);
  const dates = await practiceDates(scope.ownerId);
  const { number, content } = contentOf(await certificateForParty(scope, id), { practiceName, logo, dates });
  return { number, bytes: await draw(ofPerson(scope), content) };
}

interface Letterhead {
  practiceName: string;
  logo: Uint8Array<ArrayBuffer> | null;
  dates: Dates;
}

/** As it was issued; those of before there was a template are printed as they were then. */
function contentOf(
  sealed: ForParty<{ certificate: Certificate; party: Party; text: DocumentContent | null }>,
  { practiceName, logo, dates: { calendarDay } }: Letterhead,
): { number: string; content: PdfDocument } {
  const { certificate, party, text } = openFor(sealed, {});
  const { number } = certificate;
  if (certificate.status === "void") throw wrongState("This certificate is void, so it is not printed.");
  const { serviceName } = certificate;
  const own = { title: `Certificate ${number}`, footer: `${serviceName || practiceName}, ${number}` };
  if (text) {
    const head = { name: serviceName || practiceName, mark: "", ...(logo && { logo: LOGO }) };
    const images = new Map(logo ? [[LOGO, logo] as const] : []);
    return { number, content: { ...own, head, images, parts: [{ kind: "content", content: text }] } };
  }
  const parts = [
    title(certificate.mediatedUntil ? "Attendance at mediation" : "Mediation information and assessment meeting"),
    paragraph(`Certificate ${number}, given by ${serviceName || practiceName}`),
    ...(certificate.rules === OLD_MIAM_RULES
      ? oldContent(certificate, party, calendarDay)
      : ownContent(certificate, calendarDay)),
    gap(18),
    paragraph("Signature of the mediator: ______________________________"),
  ];
  return { number, content: { ...own, parts } };
}

type Days = Dates["calendarDay"];

/** What the court's form asks of it stands in it: the mediator's URN, the service, the days. */
const ownContent = (certificate: Certificate, calendarDay: Days): PdfPart[] => [
  heading("Person"),
  fact("Name", certificate.personName),
  heading("Certified"),
  ...certificate.sentences.map((sentence) => paragraph(sentence)),
  ...(certificate.mediatedUntil
    ? mediationContent(certificate, calendarDay)
    : meetingContent(certificate, calendarDay)),
  heading("Signed by"),
  fact("Mediator", certificate.mediatorName),
  ...(certificate.accreditationNumber ? [fact("FMC registration number (URN)", certificate.accreditationNumber)] : []),
  fact("Mediation service", certificate.serviceName),
  fact("Issued on", calendarDay(certificate.issuedOn)),
  fact("Last day for an application", calendarDay(certificate.expiresOn)),
  ...(certificate.expiresOn < certificate.issuedOn
    ? [paragraph("That day had passed when this was issued: an application made after it cannot rely on this.")]
    : []),
];

const meetingContent = ({ attendedOn, conductedByName }: Certificate, calendarDay: Days): PdfPart[] => [
  heading("Meeting"),
  fact("Attended on", calendarDay(attendedOn)),
  fact("Conducted by", conductedByName),
];

const mediationContent = ({ mediatedFrom, mediatedUntil }: Certificate, calendarDay: Days): PdfPart[] => [
  heading("Mediation"),
  fact("First session", calendarDay(mediatedFrom)),
  fact("Last session", calendarDay(mediatedUntil)),
];

/** One of the old rules, as it was printed then. */
const oldContent = (certificate: Certificate, party: Party, calendarDay: Days): PdfPart[] => [
  heading("Applicant"),
  fact("Name", party.name),
  fact("Assessment meeting", certificate.attendedOn && calendarDay(certificate.attendedOn)),
  heading("Certified"),
  ...certificate.sentences.map((sentence) => paragraph(sentence)),
  heading("Mediator"),
  fact("Name", certificate.mediatorName),
  fact("FMC accreditation", certificate.accreditationNumber),
  fact("Issued on", calendarDay(certificate.issuedOn)),
  fact("Valid for an application until", calendarDay(certificate.expiresOn)),
];
