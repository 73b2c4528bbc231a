import { screened } from "../server/screened.ts";
import { cleared } from "../server/cleared.ts";
import { Readable } from "node:stream";
import { newId, newToken } from "@app/server/core/ids";
import { BookingPairModel, sealLinks } from "@app/server/features/bookings/pairs.model";
import { aCertificate, anAssessment, authoriseStored, daysAgo } from "../server/assessments.ts";
import { inTransaction } from "@app/server/core/database";
import { storeFile } from "@app/server/features/files/files.service";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { openEntry } from "@app/server/features/safeguarding/opened-entries.service";
import { sealForNoParty } from "@app/server/features/visibility/for-party.service";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, PRACTICE_ONLY } from "@app/shared/visibility";
import type { Target } from "./door.ts";
import { aMissedMeeting } from "./missed-meeting.ts";
import { aContact } from "./contacts-access.ts";
import { anImport } from "./imports-access.ts";
import { aFormContent, aFormInput, aFormPage, aShortText } from "../server/forms.ts";
import { addFormFile } from "@app/server/features/submissions/form-files.service";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { aFormLink, aPublishedForm, aSubmission, save } from "../server/submissions.ts";
import { documentsOf, templatesOf } from "./documents-access.ts";
import { aFigureOf } from "./finances-access.ts";
import { invoicesOf } from "./invoices-access.ts";
import { leadsOf } from "./leads-access.ts";
import { aMailingTarget } from "./mailings-access.ts";
import { paymentsOf, statementOf } from "./payments-access.ts";
import { aLink, aPair } from "../server/booked.ts";
import { anEntry } from "../server/safeguarded.ts";
import {
  aCaseInput,
  aClient,
  aMeetingInput,
  aRoom,
  aStaffUser,
  aVisitor,
  ledBy,
  scopeOf,
  type TestPractice,
} from "../server/people.ts";
import { aStoredSignature } from "../server/signing.ts";
import type { TestApp } from "../server/test-app.ts";

/** A word that stands in everything the practice keeps, and in nothing that others may see. */
export const CANARY = "Canarywharf";

/** Ids of nothing that exists. */
export const NOBODY: Target = {
  clientId: "nothing",
  staffId: "nothing",
  invitedId: "nothing",
  deviceId: "nothing",
  caseId: "nothing",
  partyId: "nothing",
  contactId: "nothing",
  taskId: "nothing",
  mailId: "nothing",
  noteId: "nothing",
  savedNoteId: "nothing",
  sessionId: "nothing",
  entryId: "nothing",
  waitingEntryId: "nothing",
  certificateId: "nothing",
  priceId: "nothing",
  invoiceId: "nothing",
  creditNoteId: "nothing",
  draftInvoiceId: "nothing",
  goneInvoiceId: "nothing",
  assessmentId: "nothing",
  screeningId: "nothing",
  linkId: "nothing",
  pairId: "nothing",
  meetingId: "nothing",
  pastMeetingId: "nothing",
  missedMeetingId: "nothing",
  roomId: "nothing",
  otherId: "nothing",
  seriesId: "nothing",
  fileId: "nothing",
  documentId: "nothing",
  documentPictureId: "nothing",
  logoId: "nothing",
  markedDocumentId: "nothing",
  finishedDocumentId: "nothing",
  textId: "nothing",
  renamedTextId: "nothing",
  figureId: "nothing",
  formId: "nothing",
  publishableFormId: "nothing",
  leadFormId: "nothing",
  publishedFormId: "nothing",
  formLinkId: "nothing",
  submissionId: "nothing",
  formFileId: "nothing",
  signatureId: "nothing",
  importId: "nothing",
  checkedImportId: "nothing",
  runningImportId: "nothing",
  doneImportId: "nothing",
  mailingId: "nothing",
  sendingMailingId: "nothing",
  mailingItemId: "nothing",
  suppressionId: "nothing",
  leadId: "nothing",
  readyLeadId: "nothing",
  lostLeadId: "nothing",
  templateId: "nothing",
  owedInvoiceId: "nothing",
  paymentId: "nothing",
  correctedPaymentId: "nothing",
  announcedPaymentId: "nothing",
  statementId: "nothing",
  bankLineId: "nothing",
  ownerId: "nothing",
};

/** Of one party, because the case of the target has no other. */
async function aStoredPair(ownerId: string, caseId: string, partyId: string): Promise<string> {
  const { id: _id, partyIds: _parties, ...fields } = aPair(ownerId, { caseId, partyIds: [] });
  const stored = { ...fields, _id, ownerId, title: CANARY, createdBy: ownerId, createdAt: new Date() };
  await BookingPairModel.create([{ ...stored, ...sealLinks(ownerId, _id, { [partyId]: newToken() }) }]);
  return _id;
}

/** One of everything that a practice keeps. */
export async function aTarget(app: TestApp, owner: TestPractice): Promise<Target> {
  const client = await owner.api.clients.create.mutate(aClient({ lastName: CANARY }));
  const staff = await aStaffUser(app, owner);
  await owner.api.staff.invite.mutate({
    id: newId(),
    email: `${CANARY}${Math.random()}@example.org`,
    firstName: CANARY,
    lastName: "Invited",
    role: 3,
  });
  const { items } = await owner.api.staff.list.query();
  const [device] = await owner.api.auth.listDevices.query();
  const theCase = await owner.api.casework.create.mutate(
    aCaseInput([client.id], { matter: CANARY, ...ledBy(owner.ownerId) }),
  );
  await cleared(theCase);
  const links = { clientId: client.id, caseId: theCase.id };
  const task = await owner.api.tasks.create.mutate({
    id: newId(),
    ...links,
    title: CANARY,
    dueOn: null,
    assigneeId: owner.ownerId,
  });
  await authoriseStored(owner.ownerId);
  // In a case of its own, because what is recorded there moves its party on.
  const assessed = await owner.api.casework.create.mutate(aCaseInput([client.id], ledBy(owner.ownerId)));
  await screened(assessed);
  const whose = { caseId: assessed.id, partyId: assessed.parties[0]?.partyId ?? "", mediatorId: owner.ownerId };
  const certificate = await aCertificate(owner, whose);
  // No certificate stands on this one, so that it can be corrected and certified.
  const assessment = await owner.api.assessments.record.mutate(
    anAssessment(whose, { attendedOn: daysAgo(33), signposting: CANARY }),
  );
  const partyId = theCase.parties[0]?.partyId ?? "";
  const contactId = await aLinkedContact(owner, theCase.id, partyId);
  const room = await owner.api.rooms.create.mutate(aRoom({ name: CANARY }));
  const meeting = await owner.api.meetings.create.mutate(
    aMeetingInput(owner.ownerId, {
      caseId: theCase.id,
      partyIds: theCase.parties.map(({ partyId }) => partyId),
      title: CANARY,
      rooms: [{ roomId: room.id, partyIds: [] }],
      others: [{ kind: "contact", personId: contactId, role: "observer", partyId, signedOn: "2026-01-02" }],
    }),
  );
  const past = await owner.api.meetings.create.mutate(
    aMeetingInput(owner.ownerId, {
      caseId: theCase.id,
      type: "call",
      startsAt: "2021-03-04T09:00:00.000Z",
      partyIds: theCase.parties.map((party) => party.partyId),
    }),
  );
  const link = await owner.api.bookings.createLink.mutate(aLink(owner.ownerId, { name: CANARY }));
  const entry = await owner.api.safeguarding.add.mutate(anEntry(theCase.id, { concern: CANARY }));
  const series = await owner.api.meetings.create.mutate(
    aMeetingInput(owner.ownerId, { startsAt: "2031-04-01T09:00:00.000Z", repeat: { everyWeeks: 1, times: 3 } }),
  );
  const { id: savedNoteId } = await owner.api.notes.create.mutate({
    ...links,
    id: newId(),
    kind: "file_note",
    visibility: PRACTICE_ONLY,
    body: richTextOf(CANARY),
  });
  await staff.api.notes.update.mutate({ id: savedNoteId, version: 0, saveId: "save", body: richTextOf(CANARY) });
  const file = await storeFile(scopeOf(owner.ownerId), Readable.from([Buffer.from(CANARY)]), {
    name: `${CANARY}.txt`,
    clientId: client.id,
    caseId: null,
    visibility: PRACTICE_ONLY,
  });
  const mail = await queueMail(scopeOf(owner.ownerId), {
    purpose: "letter",
    content: sealForNoParty(
      client.id,
      { toName: CANARY, to: "canary@example.org", subject: CANARY, text: CANARY, attachments: [] },
      [],
    ),
  });
  const template = await owner.api.mailTemplates.create.mutate({
    id: newId(),
    name: CANARY,
    subject: CANARY,
    body: richTextOf(CANARY),
  });
  const aForm = () => owner.api.forms.create.mutate({ id: newId(), ...aFormInput({ name: CANARY }) });
  const [form, publishable] = [await aForm(), await aForm()];
  const leadForm = await owner.api.forms.create.mutate({ id: newId(), ...aFormInput({ name: CANARY, kind: "lead" }) });
  const texts = await templatesOf(owner, CANARY);
  return {
    ownerId: owner.ownerId,
    ...texts,
    figureId: await aFigureOf(owner, { caseId: theCase.id, partyId: theCase.parties[0]?.partyId ?? "" }, CANARY),
    ...(await documentsOf(owner, { caseId: theCase.id, textId: texts.textId })),
    formId: form.id,
    publishableFormId: publishable.id,
    leadFormId: leadForm.id,
    ...(await aFilledForm(app, owner, client.id)),
    caseId: theCase.id,
    partyId: theCase.parties[0]?.partyId ?? "",
    contactId,
    taskId: task.id,
    mailId: mail.id,
    ...(await aSession(owner, theCase.id, theCase.parties[0]?.partyId ?? "")),
    certificateId: certificate.id,
    ...(await invoicesOf(owner, theCase, CANARY)),
    assessmentId: assessment.id,
    screeningId: (await owner.api.screenings.list.query({ caseId: assessed.id })).items.at(-1)?.id ?? "",
    linkId: link.id,
    pairId: await aStoredPair(owner.ownerId, theCase.id, partyId),
    meetingId: meeting.id,
    pastMeetingId: past.id,
    missedMeetingId: await aMissedMeeting(owner, theCase.id, partyId),
    roomId: room.id,
    otherId: contactId,
    entryId: entry.id,
    waitingEntryId: await aWaitingEntry(owner, theCase.id, partyId),
    seriesId: series.id,
    savedNoteId,
    fileId: file.id,
    signatureId: await aStoredSignature(owner.ownerId, theCase, CANARY),
    templateId: template.id,
    ...(await paymentsOf(owner, assessed, CANARY)),
    ...(await statementOf(owner.ownerId, CANARY)),
    importId: await anImport(owner.ownerId, "mapping", CANARY),
    checkedImportId: await anImport(owner.ownerId, "checked", CANARY),
    runningImportId: await anImport(owner.ownerId, "importing", CANARY),
    doneImportId: await anImport(owner.ownerId, "imported", CANARY),
    ...(await aMailingTarget(owner.ownerId, CANARY)),
    ...(await leadsOf(owner, CANARY)),
    clientId: client.id,
    staffId: items.find((user) => user.email === staff.email)?.id ?? "",
    invitedId: items.find((user) => user.status === "invited")?.id ?? "",
    deviceId: device?.id ?? "",
  };
}

/** A published form with a link to it, and what was filled in by another link. */
async function aFilledForm(app: TestApp, owner: TestPractice, clientId: string) {
  const needs = aShortText("needs", { mapTo: "client.needs", label: CANARY });
  const { maxLength: _none, ...papers } = aShortText("papers");
  const content = aFormContent([aFormPage("first", [needs, { ...papers, type: "file", atMost: 2 }])]);
  const form = await aPublishedForm(owner, content, { name: CANARY });
  const link = await aFormLink(owner, { formId: form.id, clientId });
  const other = await aFormLink(owner, { formId: form.id, clientId });
  const submissionId = await aSubmission(owner.ownerId, { link: other.id, answers: { needs: CANARY } });
  const formFileId = await aFormFile(app, await aFormLink(owner, { formId: form.id, clientId }));
  return { publishedFormId: form.id, formLinkId: link.id, submissionId, formFileId };
}

/** What came with a form that was sent in. */
async function aFormFile(app: TestApp, { place, id: linkId }: Awaited<ReturnType<typeof aFormLink>>) {
  await save(aVisitor(app), place, { needs: CANARY });
  const papers = { ...place, id: newId(), fieldId: "papers", name: `${CANARY}.txt` };
  const file = await addFormFile({ ip: "127.0.0.1" }, Readable.from([CANARY]), papers);
  await SubmissionModel.updateOne({ linkId }, { $set: { status: "submitted", submittedAt: new Date() } }).setOptions({
    anyOwner: true,
  });
  return file.id;
}

/** As a finding of somebody who may not read the record opens one. */
async function aWaitingEntry({ api, ownerId }: TestPractice, caseId: string, partyId: string): Promise<string> {
  await inTransaction(() =>
    openEntry(scopeOf(ownerId), { caseId, partyId, sessionId: null, screeningId: null, concern: CANARY }),
  );
  const { items } = await api.safeguarding.list.query({ caseId });
  return items.find(({ state }) => state === "to_complete")?.id ?? "";
}

/** The solicitor of a party. */
async function aLinkedContact({ api }: TestPractice, caseId: string, partyId: string): Promise<string> {
  const { id } = await api.contacts.create.mutate(aContact({ lastName: CANARY }));
  await api.contacts.link.mutate({ changeId: newId(), id, caseId, role: "solicitor", partyId });
  return id;
}

/** A session that runs, with a proposal and a note in one party's confidence. */
async function aSession({ api }: TestPractice, caseId: string, partyId: string) {
  const session = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  const visibility = caucusOf(partyId);
  const change = (changeId: string) => ({ id: session.id, changeId });
  await api.sessions.addProposal.mutate({
    ...change("first"),
    proposalId: "proposal",
    issue: CANARY,
    text: CANARY,
    byPartyId: partyId,
    visibility,
    countersId: null,
    release: null,
  });
  const step = { id: "step", text: CANARY, partyId: null, dueOn: null };
  await api.sessions.saveNextStep.mutate({ ...change("second"), step });
  await api.sessions.setAttendance.mutate({ ...change("third"), partyId, state: "present" });
  await api.sessions.update.mutate({ ...change("fourth"), outcome: { code: "broken_off", text: "" } });
  const note = await api.sessions.addNote.mutate({
    sessionId: session.id,
    note: { id: newId(), kind: "caucus", visibility, body: richTextOf(CANARY) },
  });
  return { sessionId: session.id, noteId: note.id };
}
