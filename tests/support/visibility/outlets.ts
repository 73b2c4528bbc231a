import { now } from "@app/server/core/clock";
import { inTransaction } from "@app/server/core/database";
import { newId, newToken } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { AssessmentModel } from "@app/server/features/assessments/assessments.model";
import { askToConfirm } from "@app/server/features/bookings/pair-letters";
import { type BookingPairDoc, sealLinks } from "@app/server/features/bookings/pairs.model";
import { partyAssessments } from "@app/server/features/assessments/party-assessments.service";
import { previewOf } from "@app/server/features/party-view/party-preview";
import { type ForParty, openFor, partyOf } from "@app/server/features/visibility/for-party.service";
import { readableByParty } from "@app/server/features/visibility/visibility.service";
import { partyFiles } from "@app/server/features/files/party-files.service";
import { findFiles, listFiles } from "@app/server/features/files/file-lists.service";
import { readableFile } from "@app/server/features/files/files.service";
import { FileModel } from "@app/server/features/files/files.model";
import { caseHistory, listHistory } from "@app/server/features/timeline/timeline.service";
import { HistoryModel } from "@app/server/features/history/history.model";
import { getCase } from "@app/server/features/cases/cases.service";
import { chooseFiles } from "@app/server/features/court-packs/court-pack-files";
import { previewCourtPack } from "@app/server/features/court-packs/court-packs.service";
import { paperForPayer } from "@app/server/features/invoices/invoice-paper.service";
import { InvoiceModel } from "@app/server/features/invoices/invoices.model";
import { reachedBy } from "@app/server/features/invoices/payer-mail.service";
import { partyInvoices } from "@app/server/features/invoices/party-invoices.service";
import { outcomeOfPayment } from "@app/server/features/payments/outcomes";
import { PaymentModel } from "@app/server/features/payments/payments.model";
import { receiptMail } from "@app/server/features/payments/receipt-mail";
import { receiptOf } from "@app/server/features/payments/receipts";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { type OutboxDoc, OutboxModel } from "@app/server/features/outbox/outbox.model";
import { partyMeetings } from "@app/server/features/meetings/party-meetings.service";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { TaskModel } from "@app/server/features/tasks/tasks.model";
import { NoteModel } from "@app/server/features/notes/notes.model";
import { getNote, listNotes } from "@app/server/features/notes/notes.service";
import { partyNotes, sessionNotesForParty } from "@app/server/features/notes/party-notes.service";
import { DocumentModel } from "@app/server/features/documents/documents.model";
import { FigureModel } from "@app/server/features/finances/finances.model";
import { getFinances } from "@app/server/features/finances/finances.service";
import { partyFigures } from "@app/server/features/finances/party-figures.service";
import { wordPaperOf } from "@app/server/features/documents/word/word-paper-of";
import { search } from "@app/server/features/search/search.service";
import { partyProposals, partySummary } from "@app/server/features/sessions/session-summary.service";
import { getSession } from "@app/server/features/sessions/sessions.service";
import { pageFor } from "@app/server/features/signatures/open-signings";
import { isParty, type SignatureDoc, SignatureModel } from "@app/server/features/signatures/signatures.model";
import { FormLinkModel } from "@app/server/features/submissions/form-links.model";
import { getVersion } from "@app/server/features/forms/form-versions.service";
import { receiptFor } from "@app/server/features/submissions/receipts";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import type { Case } from "@app/shared/cases";
import mongoose from "mongoose";
import { expect } from "vitest";
import type { CaseIds } from "../access/every-door.ts";
import type { BuiltCase, Secret } from "./random-case.ts";
import { sayableTo } from "./random-documents.ts";

/** A way by which something of a case comes to somebody, and what comes by it, as one text. */
export type Outlets = Record<string, () => Promise<unknown>>;

/** Every way to one party. */
export function outletsTo(scope: Scope, { theCase, sessionId }: BuiltCase, partyId: string): Outlets {
  const to = { theCase, partyId };
  const stored = (kind: "note" | "file" | "history") => ({ caseId: theCase.id, ...readableByParty(partyOf(to), kind) });
  const opened = async (value: Promise<ForParty<unknown>>) => openFor(await value, { caseId: theCase.id, partyId });
  return {
    preview: () => opened(previewOf(scope, { caseId: theCase.id, partyId })),
    summary: () => opened(partySummary(scope, { id: sessionId, partyId })),
    files: () => opened(partyFiles(scope, theCase, partyId)),
    history: () => opened(caseHistory(scope, theCase, partyId)),
    meetings: () => opened(partyMeetings(scope, theCase, partyId)),
    assessments: () => opened(partyAssessments(scope, theCase, partyId)),
    notes: () => opened(partyNotes(scope, theCase, partyId)),
    proposals: () => opened(partyProposals(scope, theCase, partyId)),
    "notes of the session": () => opened(sessionNotesForParty(scope, sessionId, to)),
    "stored notes": () => NoteModel.find(stored("note")).setOptions({ anyOwner: true }).lean(),
    "stored files": () => FileModel.find(stored("file")).setOptions({ anyOwner: true }).lean(),
    "stored history": () => HistoryModel.find(stored("history")).setOptions({ anyOwner: true }).lean(),
    mail: () => mailTo(theCase, partyId),
    receipts: () => receiptsFor(theCase, partyId),
    "pages to sign": () => pagesToSign(theCase, partyId),
    figures: () => opened(partyFigures(scope, theCase, partyId)),
    "court pack": () => packFor(scope, theCase.id, partyId),
    "papers for them": () => sayableTo(scope, theCase, partyId),
    invoices: () => opened(partyInvoices(scope, theCase, partyId)),
    "papers of invoices": () => invoicePapersFor(scope, theCase, partyId),
    "pages and receipts of payments": () => paymentsFor(scope, theCase, partyId),
    "letters of a pair": () => pairLetterTo(scope, theCase, partyId),
  };
}

/** What this party is shown of each payment of theirs: the page that they come back to, the receipt, and its mail. */
async function paymentsFor(scope: Scope, theCase: Case, partyId: string) {
  const { ownerId } = scope;
  const docs = await PaymentModel.find({ ownerId, caseId: theCase.id, "payer.partyId": partyId }).lean();
  expect(docs).toHaveLength(1);
  const to = { caseId: theCase.id, partyId };
  return Promise.all(
    docs.map(async (doc) => [
      openFor(await outcomeOfPayment(doc), to),
      openFor(await receiptOf(doc), to),
      openFor(await receiptMail(scope, doc, await reachedBy(scope, doc)), to),
    ]),
  );
}

/** The paper of each invoice that this party has. */
async function invoicePapersFor(scope: Scope, theCase: Case, partyId: string) {
  const { ownerId } = scope;
  const state = mongoose.trusted({ $ne: "draft" as const });
  const docs = await InvoiceModel.find({ ownerId, caseId: theCase.id, "payer.partyId": partyId, state }).lean();
  expect(docs).toHaveLength(1);
  return Promise.all(
    docs.map(async (doc) => openFor(await paperForPayer(scope, doc), { caseId: theCase.id, partyId })),
  );
}

/** What goes into the pack that this party may give to a court; nobody here consented to more than open disclosure. */
async function packFor(scope: Scope, caseId: string, partyId: string) {
  const theCase = await getCase(scope, caseId);
  const { included } = await chooseFiles(scope, theCase, partyId);
  for (const { mark } of included) expect(mark).toEqual({ privilege: "open", isFinancial: true });
  const isThere = theCase.parties.some((party) => party.partyId === partyId && party.leftAt === null);
  const preview = previewCourtPack(scope, { caseId, partyId });
  // Whoever has left gets none.
  if (!isThere)
    return expect(preview)
      .rejects.toThrow("has left this case")
      .then(() => []);
  const { included: named } = await preview;
  return [included.map(({ name }) => name), named];
}

/** Every mail that leaves for this party, with all that is attached. */
async function mailTo(theCase: Case, partyId: string) {
  const docs = await OutboxModel.find({ caseId: theCase.id, partyId }).setOptions({ anyOwner: true }).lean();
  return docs.map(contentOf);
}

/** What this party is asked once a time suits them and another: written, read and taken back. */
async function pairLetterTo({ ownerId, userId }: Scope, theCase: Case, partyId: string) {
  const _id = newId();
  const links = Object.fromEntries(theCase.parties.map((party) => [party.partyId, newToken()]));
  const pair: BookingPairDoc = {
    _id,
    ownerId,
    caseId: theCase.id,
    type: "call",
    title: "A time",
    minutes: 60,
    location: { kind: "video", place: "" },
    mediatorIds: [],
    expiresOn: "",
    ...sealLinks(ownerId, _id, links),
    meetingId: null,
    isEnded: false,
    createdBy: userId,
    createdAt: now(),
  };
  const meetingId = newId();
  const letters: OutboxDoc[] = [];
  const written = inTransaction(async () => {
    await askToConfirm(pair, meetingId, now());
    const docs = await OutboxModel.find({ ownerId, caseId: theCase.id }).lean();
    letters.splice(0, letters.length, ...docs.filter((doc) => contentOf(doc).keptBy === meetingId));
    throw new Error("taken back");
  });
  await expect(written).rejects.toThrow("taken back");
  const theirs = letters.filter((doc) => doc.partyId === partyId).map(contentOf);
  const others = Object.entries(links).filter(([id]) => id !== partyId);
  for (const [, link] of others) expect(JSON.stringify(theirs)).not.toContain(link);
  return theirs;
}

/** What this party may keep of the forms that they sent in. */
async function receiptsFor(theCase: Case, partyId: string) {
  const docs = await SubmissionModel.find({ caseId: theCase.id, partyId }).setOptions({ anyOwner: true }).lean();
  return Promise.all(
    docs.map(async (doc) => {
      const form = await getVersion(doc.ownerId, doc.formId, doc.formNumber);
      return openFor(await receiptFor(doc, form), { caseId: theCase.id, partyId });
    }),
  );
}

/** What this party is shown of the documents that they are to sign, and the documents themselves by their names. */
async function pagesToSign(theCase: Case, partyId: string) {
  const docs = await SignatureModel.find({ caseId: theCase.id, "signers.partyId": partyId })
    .setOptions({ anyOwner: true })
    .lean<SignatureDoc[]>();
  const to = { caseId: theCase.id, partyId };
  const shown = docs
    .flatMap((doc) => doc.signers.filter(isParty).map((signer) => ({ doc, signer })))
    .filter(({ signer }) => signer.partyId === partyId);
  // Whoever may not read it any more is shown nothing.
  return Promise.all(
    shown.map(async (signing) =>
      pageFor(signing, "").then(
        (page) => openFor(page, to),
        () => null,
      ),
    ),
  );
}

/** Every way by which this person of the practice sees what is kept of a case. */
export function outletsToStaff(scope: Scope, { theCase, sessionId }: BuiltCase, secrets: Secret[]): Outlets {
  const caseId = theCase.id;
  const [client] = theCase.parties;
  const files = secrets.filter(({ kind }) => kind === "file");
  return {
    notes: () => listNotes(scope, { caseId, page: 1, search: "" }),
    files: () => listFiles(scope, { clientId: client?.clientId ?? "", page: 1, search: "" }),
    history: () => listHistory(scope, { caseId, page: 1 }),
    session: () => getSession(scope, sessionId),
    finances: () => getFinances(scope, { caseId }),
    search: () => Promise.all(files.map(({ canary }) => search(scope, canary))),
    "found files": () =>
      Promise.all(files.map(({ canary }) => findFiles(scope, { text: canary, spelling: "near" }, 5))),
    "each note": () => eachThatOpens(NoteModel.find({ caseId }), (id) => getNote(scope, id)),
    "each draft for Word": () => eachThatOpens(DocumentModel.find({ caseId }), (id) => wordPaperOf(scope, id)),
    "each file": () => eachThatOpens(FileModel.find({ caseId }), (id) => readableFile(scope, id)),
  };
}

/** The ids of all that a case has, by the kind of thing that a door asks for. */
export async function idsOf({ theCase, sessionId }: BuiltCase): Promise<CaseIds> {
  const of = async (stored: Stored) => (await stored.setOptions({ anyOwner: true }).lean()).map(({ _id }) => _id);
  const caseId = theCase.id;
  return {
    caseId: [caseId],
    sessionId: [sessionId],
    clientId: theCase.parties.map(({ clientId }) => clientId),
    partyId: theCase.parties.map(({ partyId }) => partyId),
    noteId: await of(NoteModel.find({ caseId })),
    savedNoteId: await of(NoteModel.find({ caseId })),
    fileId: await of(FileModel.find({ caseId })),
    mailId: await of(OutboxModel.find({ caseId })),
    meetingId: await of(MeetingModel.find({ caseId })),
    invoiceId: await of(InvoiceModel.find({ caseId, state: mongoose.trusted({ $ne: "draft" as const }) })),
    draftInvoiceId: await of(InvoiceModel.find({ caseId, state: "draft" })),
    certificateId: await of(CertificateModel.find({ caseId })),
    assessmentId: await of(AssessmentModel.find({ caseId })),
    taskId: await of(TaskModel.find({ caseId })),
    formLinkId: await of(FormLinkModel.find({ caseId })),
    submissionId: await of(SubmissionModel.find({ caseId })),
    signatureId: await of(SignatureModel.find({ caseId })),
    figureId: await of(FigureModel.find({ caseId })),
    documentId: await of(DocumentModel.find({ caseId })),
  };
}

interface Stored {
  setOptions(options: { anyOwner: true }): { lean(): Promise<{ _id: string }[]> };
}

/** What opens by its id, and the words of the refusal of what does not. */
async function eachThatOpens(stored: Stored, open: (id: string) => Promise<unknown>): Promise<unknown[]> {
  const docs = await stored.setOptions({ anyOwner: true }).lean();
  return Promise.all(docs.map(({ _id }) => open(_id).catch((error: Error) => error.message)));
}
