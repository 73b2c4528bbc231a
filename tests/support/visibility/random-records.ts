// Random records of a case that belong to one party: a MIAM with its certificate, and solicitors.
import type { Scope } from "@app/server/core/trpc";
import { FileModel } from "@app/server/features/files/files.model";
import { recordAssessment } from "@app/server/features/assessments/assessments.service";
import { issueCertificate } from "@app/server/features/certificates/certificate-issue.service";
import { linkContact } from "@app/server/features/contacts/contact-links.service";
import { createInvoice } from "@app/server/features/invoices/invoice-drafts.service";
import { issueInvoice } from "@app/server/features/invoices/invoice-issue.service";
import { recordPayment } from "@app/server/features/payments/manual-payments";
import { createContacts } from "@app/server/features/contacts/contacts.service";
import type { Case } from "@app/shared/cases";
import type { Payer } from "@app/shared/payer-shares";
import { forParty, PRACTICE_ONLY } from "@app/shared/visibility";
import { aContact } from "../access/contacts-access.ts";
import { anAssessment, daysAgo } from "../server/assessments.ts";
import { aLine, partyPayer } from "../server/invoiced.ts";
import { aRecord } from "../stripe/paying.ts";
import { storeSignature } from "../server/signing.ts";
import type { RandomCase, Secret } from "./random-case.ts";

export const asOf = (since: Date) => ({ since, changedAt: since });

/** The MIAM of the first party, and its certificate, known by its number. */
export async function certify(scope: Scope, theCase: Case, name: string): Promise<Secret[]> {
  const partyId = theCase.parties[0]?.partyId ?? "";
  const where = `${name}miamroomend`;
  const said = `${name}miamsaidend`;
  const whose = { caseId: theCase.id, partyId, mediatorId: scope.userId };
  const { id: _id, ...details } = anAssessment(whose, { attendedOn: daysAgo(30), where, formsReason: said });
  const { id: assessmentId } = await recordAssessment(scope, details);
  const issued = { assessmentId, statements: [], replaceReason: "" };
  const { number } = await issueCertificate(scope, issued);
  const own = { visibility: forParty(partyId), readers: new Set([partyId]), ...asOf(new Date()) };
  return [
    { canary: number.toLowerCase(), kind: "certificate", ...own },
    { canary: where.toLowerCase(), kind: "assessment", ...own },
    // What was said there is the practice's: not even its own party reads it.
    {
      canary: said.toLowerCase(),
      kind: "practice",
      visibility: PRACTICE_ONLY,
      readers: new Set(),
      ...asOf(new Date()),
    },
  ];
}

/** Solicitors, each on one party's side. */
export async function represent(
  scope: Scope,
  theCase: Case,
  { represented }: RandomCase,
  name: string,
): Promise<Secret[]> {
  const sides = represented.flatMap((index) => theCase.parties[index]?.partyId ?? []);
  const canaries = sides.map((_, index) => `${name}solicitor${index}end`);
  const contacts = await createContacts(
    scope,
    canaries.map((lastName) => aContact({ lastName, phones: [] })),
  );
  for (const [index, { id }] of contacts.entries())
    await linkContact(scope, { id, caseId: theCase.id, role: "solicitor", partyId: sides[index] ?? null });
  return sides.map((partyId, index) => ({
    canary: (canaries[index] ?? "").toLowerCase(),
    kind: "contact",
    visibility: forParty(partyId),
    readers: new Set([partyId]),
    ...asOf(new Date()),
  }));
}

/** An invoice of each party and of legal aid, and a draft that nobody has yet. */
export async function bill(scope: Scope, theCase: Case, name: string): Promise<Secret[]> {
  const bills = [...theCase.parties.map(partyPayer), { kind: "legal_aid" } as const];
  const secrets: Secret[] = [];
  for (const [index, payer] of bills.entries()) {
    const canary = `${name}bill${index}end`.toLowerCase();
    const { id } = await createInvoice(scope, billed(theCase, payer, canary));
    await issueInvoice(scope, { id, version: 0 });
    await recordPayment(scope, aRecord(id, { amountMinor: 100, reference: canary }));
    const reader = payer.kind === "party" ? payer.partyId : null;
    const visibility = reader === null ? PRACTICE_ONLY : forParty(reader);
    const readers = new Set(reader === null ? [] : [reader]);
    secrets.push({ canary, kind: "invoice", visibility, readers, ...asOf(new Date()) });
  }
  const [first] = theCase.parties;
  if (!first) return secrets;
  const canary = `${name}draftbillend`.toLowerCase();
  await createInvoice(scope, billed(theCase, partyPayer(first), canary));
  const visibility = forParty(first.partyId);
  return [...secrets, { canary, kind: "document", visibility, readers: new Set(), ...asOf(new Date()) }];
}

const billed = ({ id: caseId }: Case, payer: Payer, description: string) => ({
  caseId,
  payer,
  lines: [aLine({ description })],
  notes: "",
});

/** Every file of the case is sent out to be signed by all, also where not all may read it. */
export async function askToSignAll({ ownerId }: Scope, { id: caseId, parties: signers }: Case): Promise<void> {
  for (const file of await FileModel.find({ ownerId, caseId }).lean())
    await storeSignature(ownerId, { caseId, file, signers });
}
