// One practice in which each class of data has a word of its own, and the permission that each word needs.
import { Readable } from "node:stream";
import type { Permission } from "@app/shared/access";
import { richTextOf } from "@app/shared/rich-text";
import { MEDIATOR_ONLY, PRACTICE_ONLY } from "@app/shared/visibility";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealFor } from "@app/server/features/visibility/for-party.service";
import mongoose from "mongoose";
import { aTarget } from "../access/access-target.ts";
import { contactFields } from "../access/contacts-access.ts";
import type { Target } from "../access/door.ts";
import { anImport } from "../access/imports-access.ts";
import { aMailingTarget } from "../access/mailings-access.ts";
import { anAssessment } from "../server/assessments.ts";
import { anEntry } from "../server/safeguarded.ts";
import { aScreening, NOT_SAFE, told, withMeasures } from "../server/screened.ts";
import { clientFields, scopeOf, type TestPractice } from "../server/people.ts";
import type { TestApp } from "../server/test-app.ts";

const CLIENTS: readonly Permission[] = ["clients.read"];

interface DataClass {
  /** What shows that something of this class stands in an answer. */
  sign: RegExp;
  /** Whoever has any of these may see it; nobody but the owner where there is none. */
  seenWith: readonly Permission[];
}

/** Every class of what a practice keeps. */
export const CLASSES: Record<string, DataClass> = {
  client: { sign: /Clientquill/i, seenWith: CLIENTS },
  "address of a client": { sign: /Addressquill/i, seenWith: CLIENTS },
  contact: { sign: /Contactquill/i, seenWith: CLIENTS },
  case: { sign: /Casequill/i, seenWith: CLIENTS },
  task: { sign: /Taskquill/i, seenWith: CLIENTS },
  note: { sign: /Notequill/i, seenWith: CLIENTS },
  "note of the mediators": { sign: /Privatequill/i, seenWith: ["notes.private.read"] },
  file: { sign: /Filequill/i, seenWith: CLIENTS },
  invoice: { sign: /Invoicequill/i, seenWith: ["payments.read"] },
  payment: { sign: /Paymentquill/i, seenWith: ["payments.read"] },
  price: { sign: /Pricequill/i, seenWith: ["payments.read"] },
  meeting: { sign: /Meetingquill/i, seenWith: CLIENTS },
  mail: { sign: /Mailquill/i, seenWith: ["mail.read"] },
  mailing: { sign: /Bulkquill/i, seenWith: ["mail.send", "mail.read"] },
  "recipient of a mailing": { sign: /Bulkreader/i, seenWith: CLIENTS },
  "address that gets no mailings": { sign: /stopBulk/i, seenWith: CLIENTS },
  "answers of a screening": { sign: /Answerquill/i, seenWith: ["screening.read"] },
  "reasons of a screening, which open the safeguarding record": {
    sign: /Screenquill/i,
    seenWith: ["screening.read", "safeguarding.read"],
  },
  "that somebody was screened, and what follows": {
    sign: /P\d screened|screening of P\d|Screen P\d|"measures":\[[^\]]/i,
    seenWith: ["screening.read"],
  },
  "day of a party’s last step": { sign: /"on":"2019-03-05"/, seenWith: CLIENTS },
  "day on which an earlier round ended": { sign: /"concludedOn":"2019-04-06"/, seenWith: CLIENTS },
  "child of a meeting": { sign: /Childquill/i, seenWith: CLIENTS },
  "as what somebody was assessed who was not suitable": {
    sign: /"assessedAs":"not_suitable"/,
    seenWith: ["screening.read"],
  },
  "why a session was held without what was agreed for safety": { sign: /Unmetquill/i, seenWith: ["screening.read"] },
  "why a safety review was recorded late": { sign: /Latequill/i, seenWith: ["screening.read"] },
  "what was said at a MIAM": { sign: /Miamquill/i, seenWith: ["screening.read"] },
  "why somebody is not safe to mediate": { sign: /Unsafequill/i, seenWith: ["screening.read"] },
  "that the safeguarding record waits": { sign: /safeguarding entry/i, seenWith: ["safeguarding.read"] },
  "safeguarding record": { sign: /Guardquill/i, seenWith: ["safeguarding.read"] },
  "suspicion of whoever wrote it": { sign: /Tipquill/i, seenWith: [] },
  "file of another's import": { sign: /Importquill/i, seenWith: [] },
  "unsent mail of the product": { sign: /Invitedquill/i, seenWith: [] },
};

const MIAM_ON = "2026-01-02";

/** The practice's own things, each with the word of its class. */
export async function aHouseOfCanaries(app: TestApp, owner: TestPractice): Promise<Target> {
  const target = await aTarget(app, owner);
  const { ownerId, clientId, caseId, partyId } = target;
  const { api } = owner;
  await api.staff.invite.mutate({
    id: newId(),
    email: "invitedquill@example.org",
    firstName: "A",
    lastName: "B",
    role: 3,
  });
  await nameTheRecords(owner, target);
  for (const found of [withMeasures("separate_rooms"), NOT_SAFE]) {
    const theCase = { id: caseId, domain: "family" as const };
    const screening = aScreening(theCase, partyId, { ...found, heldOn: MIAM_ON, reasons: "Screenquill" });
    const answers = {
      ...screening.answers,
      police: { ...told("Answerquill"), safeBecause: "Answerquill is far away" },
    };
    await api.screenings.complete.mutate({ ...screening, answers });
  }
  await api.safeguarding.add.mutate(anEntry(caseId, { concern: "Guardquill" }));
  await api.safeguarding.add.mutate(anEntry(caseId, { kind: "suspicious_activity", concern: "Tipquill" }));
  const said = { attendedOn: MIAM_ON, minutes: 30, shortReason: "Miamquill", formsReason: "Miamquill" };
  await api.assessments.record.mutate(anAssessment({ caseId, partyId, mediatorId: ownerId }, said));
  // Case and party stay where they stood, because others look at what stands in the way of the next.
  const before = { status: "ready", version: 0, "parties.$.status": "to_invite", "parties.$.leftAt": null };
  await cases().updateOne(
    { _id: caseId, "parties.partyId": partyId },
    { $set: { ...before, ending: "not_safe", reason: "Unsafequill" } },
  );
  await wasOnItsWay(owner, target);
  const note = (word: string, visibility: typeof PRACTICE_ONLY) =>
    api.notes.create.mutate({
      id: newId(),
      caseId,
      clientId,
      kind: "file_note",
      visibility,
      body: richTextOf(word),
    });
  await note("Notequill", PRACTICE_ONLY);
  await note("Privatequill", MEDIATOR_ONLY);
  const place = { clientId, caseId: null, visibility: PRACTICE_ONLY };
  const content = Readable.from([Buffer.from("Filequill")]);
  const file = await storeFile(scopeOf(ownerId), content, { name: "Filequill.txt", ...place });
  const imported = (status: Parameters<typeof anImport>[1]) => anImport(ownerId, status, "Importquill");
  return {
    ...target,
    fileId: file.id,
    mailId: await aMail(owner, target),
    ...(await aMailing(owner)),
    importId: await imported("mapping"),
    checkedImportId: await imported("checked"),
    runningImportId: await imported("importing"),
    doneImportId: await imported("imported"),
  };
}

/** What a case, its sessions and meetings keep of what went before, or was missing. */
async function wasOnItsWay({ api }: TestPractice, { caseId, partyId, meetingId, sessionId }: Target): Promise<void> {
  const at = new Date("2019-03-05T09:00:00Z");
  const step = { from: "invited", to: "to_invite", at, since: at, reason: "", on: "2019-03-05" };
  const round = {
    status: "concluded",
    ending: null,
    outcome: null,
    reason: "",
    endedAt: at,
    concludedOn: "2019-04-06",
  };
  const inCase = { _id: caseId, "parties.partyId": partyId };
  await cases().updateOne(inCase, { $set: { rounds: [round] } });
  const steps = [{ ...step, from: "responded", to: "not_suitable", on: "2019-03-04" }, step];
  await cases().updateOne(inCase, { $set: { "parties.$.assessedOn": "2019-03-04", "parties.$.steps": steps } });
  const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);
  await stored("meetings").updateOne({ _id: meetingId }, { $set: { childIds: ["Childquill"] } });
  const review = { id: sessionId, changeId: newId(), partyId, hasChanged: false, isSafe: true, doMeasuresFit: true };
  await api.sessions.reviewSafety.mutate({ ...review, note: "Latequill", wasAskedBefore: null });
  const what = [{ text: "Unmetquill was missing.", isSafety: true }];
  const unmet = [{ what, reason: "Unmetquill", at, byId: "somebody", byName: "Somebody" }];
  await stored("sessions").updateOne({ _id: sessionId }, { $set: { unmet } });
}

const cases = () => mongoose.connection.collection<{ _id: string }>("cases");

async function nameTheRecords({ api }: TestPractice, target: Target): Promise<void> {
  // The screening of a party stands in the way of what comes next.
  const { clientId, caseId, contactId, taskId, meetingId, ownerId } = target;
  const client = clientFields({
    lastName: "Clientquill",
    email: "clientquill@example.org",
    isAddressConfidential: true,
  });
  const address = { lines: ["1 Addressquill Row"], postcode: "LS6 2QX", country: "United Kingdom" };
  await api.clients.update.mutate({ id: clientId, version: 0, client: { ...client, address } });
  const contact = contactFields({ lastName: "Contactquill", email: "contactquill@example.org" });
  await api.contacts.update.mutate({ id: contactId, version: 0, contact });
  await cases().updateOne({ _id: caseId }, { $set: { matter: "Casequill", caseRef: "Casequill", status: "ready" } });
  await api.tasks.update.mutate({ id: taskId, version: 0, title: "Taskquill", dueOn: null, assigneeId: ownerId });
  const meetings = mongoose.connection.collection<{ _id: string }>("meetings");
  await meetings.updateOne({ _id: meetingId }, { $set: { title: "Meetingquill" } });
  await nameTheInvoices(ownerId);
}

async function nameTheInvoices(ownerId: string): Promise<void> {
  const of = (name: string) => mongoose.connection.collection(name);
  await of("invoices").updateMany({ ownerId }, { $set: { "lines.0.description": "Invoicequill" } });
  await of("credit_notes").updateMany({ ownerId }, { $set: { reason: "Invoicequill" } });
  await of("payments").updateMany({ ownerId }, { $set: { reference: "Paymentquill" } });
  await of("prices").updateMany({ ownerId }, { $set: { name: "Pricequill" } });
}

/** A mail to a party, as its case and its preview have it; it did not leave. */
async function aMail({ api, ownerId }: TestPractice, { caseId, partyId }: Target): Promise<string> {
  const theCase = await api.cases.get.query({ id: caseId });
  const party = theCase.parties.find((one) => one.partyId === partyId);
  const { email } = await api.clients.get.query({ id: party?.clientId ?? "" });
  const content = {
    toName: "Mailquill",
    to: email,
    subject: "Mailquill",
    text: "Mailquill",
    attachments: [],
  };
  const mails = mongoose.connection.collection<{ _id: string }>("email_messages");
  const mailThat = async (state: "failed" | "sent") => {
    const sealed = sealFor({ theCase, partyId }, content, []);
    const { id } = await queueMail(scopeOf(ownerId), { purpose: "letter", content: sealed });
    await mails.updateOne({ _id: id }, { $set: { state } });
    return id;
  };
  await mailThat("sent");
  return mailThat("failed");
}

async function aMailing(owner: TestPractice) {
  const made = await aMailingTarget(owner.ownerId, "Bulkquill");
  const items = mongoose.connection.collection("mailing_items");
  const ofThese = { mailingId: { $in: [made.mailingId, made.sendingMailingId] } };
  await items.updateMany(ofThese, { $set: { name: "Bulkreader", address: "bulkreader@example.org" } });
  const suppressions = mongoose.connection.collection("mail_suppressions");
  await suppressions.updateMany({ address: /bulkquill/ }, { $set: { address: "stopbulk@example.org" } });
  return made;
}
