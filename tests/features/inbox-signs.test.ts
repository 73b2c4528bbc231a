import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { closeConnections } from "@app/server/features/inbox/connections";
import { readMailSigns } from "@app/server/features/inbox/mail-signs.service";
import { OutboxModel } from "@app/server/features/mail/outbox.model";
import { MailingItemModel } from "@app/server/features/mailings/mailings.model";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/dovecot.ts";
import { aMail, layMails } from "../support/imap-mail.ts";
import { connectMailbox } from "../support/mailbox.ts";
import { aCase, aMeetingInput, aPractice, type TestPractice } from "../support/people.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const log = createLogger("silent");

interface Reply {
  from: string;
  attendee?: string;
  uid: string;
  sequence?: number;
  method?: string;
  status?: string;
}

const aReply = ({ from, attendee = from, uid, sequence = 0, method = "REPLY", status = "ACCEPTED" }: Reply) =>
  aMail({
    from,
    headers: ['Content-Type: multipart/alternative; boundary="r"'],
    text: [
      "--r\nContent-Type: text/plain\n\nYes",
      `--r\nContent-Type: text/calendar; method=${method}; charset=utf-8`,
      "",
      `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//x//EN\nMETHOD:${method}\nBEGIN:VEVENT\nUID:${uid}`,
      `SEQUENCE:${sequence}\nDTSTAMP:20300101T000000Z\nDTSTART:20310304T090000Z`,
      `ATTENDEE;PARTSTAT=${status}:MAILTO:${attendee}\nEND:VEVENT\nEND:VCALENDAR\n--r--`,
    ].join("\n"),
  });

const aBounce = (messageId: string, address: string, { status = "5.1.1", action = "failed" } = {}) =>
  aMail({
    from: "Mail Delivery Subsystem <mailer-daemon@example.org>",
    subject: "Undelivered Mail Returned to Sender",
    headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary="r"'],
    text: [
      "--r\nContent-Type: text/plain\n\nIt did not work",
      "--r\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n",
      `Final-Recipient: rfc822; ${address}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; 550 5.1.1 User\n unknown`,
      `--r\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${messageId}\nSubject: Your appointment\n\n--r--`,
    ].join("\n"),
  });

describe.skipIf(whyNoDovecot)("what mail programs say", () => {
  let app: TestApp;
  let dovecot: Dovecot;
  let practice: TestPractice;
  let email: string;
  let count = 0;
  beforeAll(async () => {
    dovecot = await startDovecot();
    app = await startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" });
  });
  afterAll(async () => {
    closeConnections();
    await app.close();
    await dovecot.close();
  });
  beforeEach(async () => {
    practice = await aPractice(app);
    email = `signs${(count += 1)}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
  });
  const came = async (mails: string[]) => {
    await layMails(dovecot, email, mails);
    await readMailSigns(practice.ownerId, log);
  };

  async function aMeeting() {
    const { theCase, first, second, p1, p2 } = await aCase(practice);
    const input = aMeetingInput(practice.ownerId, {
      caseId: theCase.id,
      partyIds: [p1.partyId, p2.partyId],
      isInvitationSent: true,
    });
    const meeting = await practice.api.meetings.create.mutate(input);
    const replies = async () => (await practice.api.meetings.get.query({ id: meeting.id })).replies;
    return { meeting, first, second, p1, p2, replies, uid: `${meeting.id}@evenhand` };
  }

  test("reply: a party's own answer stands at the meeting, and a later one replaces it", async () => {
    const { first, p1, replies, uid } = await aMeeting();
    await came([aReply({ from: first.email, uid: `${uid}-p1` })]);
    expect(await replies()).toEqual([{ partyId: p1.partyId, reply: "accepted" }]);
    await came([aReply({ from: first.email, uid: `${uid}-p1`, status: "DECLINED" })]);
    expect(await replies()).toEqual([{ partyId: p1.partyId, reply: "declined" }]);
  });

  test("reply: an answer for somebody else, to an older invitation, or that is none, changes nothing", async () => {
    const { first, second, replies, uid } = await aMeeting();
    await came([
      aReply({ from: second.email, uid: `${uid}-p1` }),
      aReply({ from: second.email, attendee: first.email, uid: `${uid}-p1` }),
      aReply({ from: first.email, uid: `${uid}-p2` }),
      aReply({ from: first.email, uid: `${uid}-p1`, sequence: -1 }),
      aReply({ from: first.email, uid: `${uid}-p1`, sequence: 7 }),
      aReply({ from: first.email, uid: `${uid}-p1`, method: "REQUEST" }),
      aReply({ from: first.email, uid: `${uid}-p1`, status: "DELEGATED" }),
      aReply({ from: first.email, uid: "something-p1" }),
      aMail({ from: first.email, headers: ["Content-Type: text/calendar; method=REPLY"], text: "no calendar at all" }),
    ]);
    expect(await replies()).toEqual([]);
  });

  test("reply: another practice's meeting cannot be answered by mail to this one", async () => {
    const mine = practice;
    const other = await aPractice(app);
    practice = other;
    const { first, uid, replies } = await aMeeting();
    practice = mine;
    await came([aReply({ from: first.email, uid: `${uid}-p1` })]);
    practice = other;
    expect(await replies()).toEqual([]);
  });

  test("reply: moving the meeting asks again, so the answer to the first invitation is gone", async () => {
    const { meeting, first, uid, replies } = await aMeeting();
    await came([aReply({ from: first.email, uid: `${uid}-p1` })]);
    expect(await replies()).toHaveLength(1);
    await mongoose.connection
      .collection<{ _id: string }>("meetings")
      .updateOne({ _id: meeting.id }, { $inc: { icsSequence: 1 } });
    expect(await replies()).toEqual([]);
  });

  test("bounce: the mail that came back says so with the reason, and the address gets no more mailings", async () => {
    const { first } = await aMeeting();
    const [mail] = await OutboxModel.find({ ownerId: practice.ownerId, clientId: first.id });
    if (!mail) throw new Error("no invitation was written");
    await OutboxModel.updateOne({ ownerId: practice.ownerId, _id: mail._id }, { $set: { state: "sent" } });
    const stateOf = async () => (await practice.api.mail.list.query({ clientId: first.id, page: 1 })).items[0];
    await came([aBounce(mail.messageId, "somebody@else.example"), aBounce("<no@such>", first.email)]);
    await came([aBounce(mail.messageId, first.email, { action: "delayed", status: "4.2.0" })]);
    expect((await stateOf())?.state).toBe("sent");
    await came([aBounce(mail.messageId, first.email)]);
    expect(await stateOf()).toMatchObject({
      state: "bounced",
      reason: `It could not be delivered to ${first.email}: 550 5.1.1 User unknown`,
    });
    const { items } = await practice.api.mailings.listSuppressions.query({ page: 1, search: "" });
    expect(items.map(({ address, reason }) => [address, reason])).toEqual([[first.email, "bounced"]]);
  });

  test("bounce: one mail of a mailing came back, then its recipient counts as not reached", async () => {
    const source = { kind: "csv" as const, csv: "value,label\nowen@example.org,Owen\nann@example.org,Ann" };
    const mailing = { subject: "We move", body: richTextOf("We move."), perMinute: 0, source };
    const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...mailing });
    await MailingItemModel.updateMany({ ownerId: practice.ownerId }, { $set: { state: "sent" } });
    const item = await MailingItemModel.findOne({ ownerId: practice.ownerId, address: "owen@example.org" }).lean();
    const messageId = item?.messageId ?? "";
    await came([aBounce(messageId, "ann@example.org"), aBounce(messageId, "owen@example.org")]);
    const { items } = await practice.api.mailings.listItems.query({ mailingId: id, page: 1, state: "failed" });
    expect(items.map(({ address, reason }) => [address, reason])).toEqual([
      ["owen@example.org", expect.stringContaining("550 5.1.1")],
    ]);
    const suppressed = await practice.api.mailings.listSuppressions.query({ page: 1 });
    expect(suppressed.items.map(({ address }) => address)).toEqual(["owen@example.org"]);
  });

  test("looking: what was looked at once is not looked at again, and a new mailbox begins anew", async () => {
    const position = () =>
      mongoose.connection.collection<{ _id: string }>("mail_positions").findOne({ _id: practice.ownerId });
    await came([aMail(), aMail()]);
    expect(await position()).toMatchObject({ mailbox: email, lastUid: 2 });
    await came([aMail()]);
    expect(await position()).toMatchObject({ lastUid: 3 });
    await mongoose.connection
      .collection<{ _id: string }>("email_credentials")
      .updateOne({ _id: practice.ownerId }, { $set: { email: `new-${email}`, "imap.user": `new-${email}` } });
    await layMails(dovecot, `new-${email}`, [aMail()]);
    await readMailSigns(practice.ownerId, log);
    expect(await position()).toMatchObject({ mailbox: `new-${email}`, lastUid: 1 });
  });
});
