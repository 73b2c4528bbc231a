// How an invoice comes to whoever pays it: on paper, by mail, and as a reminder.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { inTransaction } from "@app/server/core/database";
import { remindOfInvoices } from "@app/server/features/invoices/invoice-reminders";
import { applyPayment } from "@app/server/features/invoices/invoices.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { beforeAll, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { pdfText, wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { aLine, invoiceSettings, issuedInvoice, partyPayer, registeredForVat } from "../support/server/invoiced.ts";
import { anAnnouncement } from "../support/stripe/paying.ts";
import { aCase, clientFields, PASSWORD } from "../support/server/people.ts";

const { smtp, app, practice } = aSendingPractice();
const log = createLogger("silent");
const DAY_MS = 86_400_000;
beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});

const mails = async () => (await OutboxModel.find({ ownerId: practice.ownerId }).lean()).map(contentOf);
const titles = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

async function reachedLike(id: string, safeContact: Partial<typeof DEFAULT_SAFE_CONTACT>): Promise<void> {
  const { version, firstName, lastName, email } = await practice.api.clients.get.query({ id });
  const client = clientFields({
    firstName,
    lastName,
    email,
    phones: [],
    safeContact: { ...DEFAULT_SAFE_CONTACT, ...safeContact },
  });
  await practice.api.clients.update.mutate({ id, version, client });
}

async function daysLater(days: number): Promise<void> {
  moveTime(days * DAY_MS);
  await practice.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: false });
}

test("GET /export/invoices/:id.pdf: it says what is owed by whom, with VAT by rate, and nothing of the other payer", async () => {
  await registeredForVat(practice);
  await invoiceSettings(practice, { bankDetails: "Account 12345678", footer: "Quillfeather Ltd" });
  const { theCase, p1, p2 } = await aCase(practice);
  await issuedInvoice(practice, theCase.id, partyPayer(p2), { lines: [aLine({ description: "Otherword" })] });
  const { id, version } = await issuedInvoice(practice, theCase.id, partyPayer(p1), {
    lines: [aLine({ qtyMilli: 1500, vatRateBp: 2000 }), aLine({ description: "Room", unitMinor: 999 })],
    notes: "Thank you",
  });
  const text = await pdfText(app, practice, `/export/invoices/${id}.pdf`);
  for (const said of ["0002", p1.name, "1.5", "£159.99", "VAT at 20 %", "£30.00", "£189.99", "GB 123 4567 89"])
    expect(text).toContain(said.toLowerCase());
  for (const said of ["account 12345678", "thank you", "quillfeather ltd", "please pay by"])
    expect(text).toContain(said);
  expect(text).not.toMatch(/otherword|owen|invoice 0001/);
  const credited = await practice.api.invoices.credit.mutate({ id, version, amountMinor: 5000, reason: "Shorter" });
  const note = await pdfText(app, practice, `/export/credit-notes/${credited.creditNotes[0]?.id}.pdf`);
  for (const said of ["cn-0001", "0002", "shorter", "£50.00"]) expect(note).toContain(said);
});

test("GET /export/invoices.csv: each invoice in a line, with amounts as a spreadsheet reads them", async () => {
  const { theCase, p1 } = await aCase(practice);
  await issuedInvoice(practice, theCase.id, partyPayer(p1), { lines: [aLine({ unitMinor: 5 })] });
  const answer = await fetch(`${app.url}/export/invoices.csv`, { headers: { cookie: practice.cookies() } });
  const [, line = ""] = (await answer.text()).split("\r\n");
  expect(line).toMatch(new RegExp(`^0001,Issued,.*,${p1.name},Party,.*,GBP,0.05,0.00,0.05,0.00,0.00,0.05$`));
});

test("invoices.send: it leaves once for whoever pays, with its PDF, and is sent when it has left", async () => {
  const { theCase, p1, first } = await aCase(practice);
  const { id } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  const sending = { id, changeId: newId() };
  expect(await practice.api.invoices.send.mutate(sending)).toMatchObject({ sentAt: null });
  await practice.api.invoices.send.mutate(sending);
  await deliverCaseMail(log);
  expect(smtp.received).toMatchObject([{ to: [first.email] }]);
  expect(smtp.received[0]?.source).toMatch(/Subject: Invoice 0001/);
  expect(smtp.received[0]?.source).toContain("invoice-0001.pdf");
  const [mail] = await mails();
  const pdf = Buffer.from(mail?.attachments[0]?.content ?? "", "base64");
  expect(await wordsOfPdf(new Uint8Array(pdf))).toContain("£100.00");
  expect((await practice.api.invoices.get.query({ id })).sentAt).not.toBeNull();
});

test("invoices.send: to somebody who must be reached discreetly, nothing on the outside tells what it is", async () => {
  const { theCase, p1, first } = await aCase(practice);
  await reachedLike(first.id, { mayPost: false });
  const { id } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await practice.api.invoices.send.mutate({ id, changeId: newId() });
  await deliverCaseMail(log);
  const [head = ""] = (smtp.received[0]?.source ?? "").split("\r\n\r\n");
  expect(head).not.toBe("");
  expect(head).not.toMatch(/invoice|quillfeather|mediation/i);
  expect(smtp.received[0]?.source).not.toMatch(/filename.*invoice/i);
});

test("invoices.send: whoever may not be mailed, a scheme and a draft are refused with what to do", async () => {
  const { theCase, p1, first } = await aCase(practice);
  await reachedLike(first.id, { mayEmail: false });
  const { id } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  const refused = await refusal(practice.api.invoices.send.mutate({ id, changeId: newId() }));
  expect(refused.message).toMatch(/may not be emailed. Use phone/);
  const aided = await issuedInvoice(practice, theCase.id, { kind: "legal_aid" });
  const toScheme = await refusal(practice.api.invoices.send.mutate({ id: aided.id, changeId: newId() }));
  expect(toScheme.message).toContain("not by mail");
  expect(await mails()).toEqual([]);
});

test("invoices.send: an employer gets their own, on no party's page", async () => {
  const { theCase, p1, first } = await aCase(practice);
  const { id: contactId } = await practice.api.contacts.create.mutate(aContact());
  const { id } = await issuedInvoice(practice, theCase.id, { kind: "contact", contactId });
  await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await practice.api.invoices.send.mutate({ id, changeId: newId() });
  await deliverCaseMail(log);
  expect(smtp.received).toMatchObject([{ to: [aContact().email] }]);
  expect((await practice.api.outbox.list.query({ clientId: first.id })).items).toEqual([]);
  expect((await practice.api.invoices.get.query({ id })).sentAt).not.toBeNull();
});

test("reminders: one that is overdue is reminded of by mail on the days that the practice chose, each once", async () => {
  await invoiceSettings(practice, { daysToPay: 10, reminderDays: [3, 10] });
  const { theCase, p1, first } = await aCase(practice);
  const { id } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await daysLater(12);
  await remindOfInvoices(log);
  expect(await mails()).toEqual([]);
  await daysLater(14);
  await remindOfInvoices(log);
  await remindOfInvoices(log);
  expect(await mails()).toMatchObject([{ to: first.email, subject: "Reminder: invoice 0001" }]);
  await daysLater(21);
  await remindOfInvoices(log);
  expect(await mails()).toHaveLength(2);
  await daysLater(90);
  await remindOfInvoices(log);
  expect(await mails()).toHaveLength(2);
  const money = { invoiceId: id, paymentId: newId(), method: "cash", amountMinor: 10_000, on: "2027-01-01" } as const;
  await inTransaction(() => applyPayment(practice.ownerId, money));
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
  const states = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
  expect(states.map(({ state }) => state)).toEqual(["superseded", "superseded"]);
});

test("reminders: one that waits stays where somebody said meanwhile that the money is on its way", async () => {
  await invoiceSettings(practice, { daysToPay: 10, reminderDays: [3] });
  const { theCase, p1 } = await aCase(practice);
  const { id } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await daysLater(14);
  await remindOfInvoices(log);
  expect(await mails()).toHaveLength(1);
  await practice.api.payments.announce.mutate(anAnnouncement(id));
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
  expect(await OutboxModel.find({ ownerId: practice.ownerId }).lean()).toMatchObject([{ state: "superseded" }]);
});

test("reminders: switched on late, a long overdue invoice is reminded of once, not once for each day that passed", async () => {
  const { theCase, p1 } = await aCase(practice);
  await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await daysLater(100);
  await invoiceSettings(practice, { reminderDays: [3, 10, 20] });
  await remindOfInvoices(log);
  await remindOfInvoices(log);
  expect(await mails()).toHaveLength(1);
});

test.each([
  ["who may not be mailed", { mayEmail: false }, "may not be emailed. Use phone"],
  ["who must be reached discreetly", { mayPost: false }, "Use email, phone"],
])("reminders: somebody %s is not mailed; it is a task that says how, until it is paid", async (_who, safe, how) => {
  await invoiceSettings(practice, { reminderDays: [1] });
  const { theCase, p1, first } = await aCase(practice);
  await reachedLike(first.id, safe);
  const { id } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
  await daysLater(20);
  await remindOfInvoices(log);
  expect(await mails()).toEqual([]);
  expect(await titles()).toEqual([expect.stringMatching(/^Invoice 0001, £100.00 due since .*: remind Priya/)]);
  expect((await titles())[0]).toContain(how);
  const money = { invoiceId: id, paymentId: newId(), method: "cash", amountMinor: 10_000, on: "2027-01-01" } as const;
  await inTransaction(() => applyPayment(practice.ownerId, money));
  expect(await titles()).toEqual([]);
});
