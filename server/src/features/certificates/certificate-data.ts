// What a certificate says, field by field, for the template of the practice.
import type { DocumentData } from "@app/shared/document-merge";
import { practiceDates, practiceNameOf } from "../practices/practices.service.ts";
import type { CertificateDoc } from "./certificates.model.ts";

const LATE = "That day had passed when this was issued: an application made after it cannot rely on this.";

type Said = Pick<
  CertificateDoc,
  | "number"
  | "personName"
  | "sentences"
  | "conductedByName"
  | "mediatorName"
  | "accreditationNumber"
  | "serviceName"
  | "issuedOn"
  | "expiresOn"
> &
  Partial<Pick<CertificateDoc, "attendedOn" | "mediatedFrom" | "mediatedUntil">>;

/** What the court's form asks of it stands in it: the mediator's URN, the service, the days (PD3A). */
export async function certificateData(ownerId: string, said: Said): Promise<DocumentData> {
  const { calendarDay } = await practiceDates(ownerId);
  const { attendedOn, mediatedFrom, mediatedUntil, issuedOn, expiresOn } = said;
  const isOfMediation = Boolean(mediatedUntil);
  const dayOf = (day: string | undefined) => (day ? calendarDay(day) : "");
  return {
    values: {
      "certificate.number": said.number,
      "certificate.person": said.personName,
      "certificate.attendedOn": isOfMediation ? "" : dayOf(attendedOn),
      "certificate.conductedBy": isOfMediation ? "" : said.conductedByName,
      "certificate.firstSession": isOfMediation ? dayOf(mediatedFrom) : "",
      "certificate.lastSession": isOfMediation ? dayOf(mediatedUntil) : "",
      "certificate.signedBy": said.mediatorName,
      "certificate.urn": said.accreditationNumber,
      "certificate.service": said.serviceName || (await practiceNameOf(ownerId)),
      "certificate.issuedOn": dayOf(issuedOn),
      "certificate.lastDay": dayOf(expiresOn),
      "certificate.late": expiresOn < issuedOn ? LATE : "",
    },
    repeats: { "certificate.statements": said.sentences.map((sentence) => ({ "each.statement": sentence })) },
  };
}
