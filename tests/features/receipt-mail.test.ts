// How the receipt of a payment comes to whoever paid: sent by hand, or by itself where the practice chose that.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { sendDueReceipts } from "@app/server/features/payments/receipt-mail";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { INES } from "../support/mail/sending-practice.ts";
import { issuedInvoice } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { clientFields } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { anOwedInvoice, aPaidPractice, aPayLink, aRecord, aRefund, sessionAt } from "../support/stripe/paying.ts";

const smtp = anSmtpForAll();
const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp({ ...stripe.connect, MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPaidPractice(app, stripe));
const log = createLogger("silent");
beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});
beforeEach(async () => {
  stripe.events.waiting.length = 0;
  await connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: 1 });
});

const mails = async () => (await OutboxModel.find({ ownerId: practice.ownerId }).lean()).map(contentOf);
const titles = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);
const byItself = () => practice.api.payments.setReceiptSettings.mutate({ isSentByItself: true });
const send = (id: string, changeId = newId()) => practice.api.payments.sendReceipt.mutate({ id, changeId });
const payment = (id: string) => practice.api.payments.get.query({ id });

async function paidByHand(more: Parameters<typeof aRecord>[1] = {}) {
  const owed = await anOwedInvoice(practice);
  return { ...owed, paid: await practice.api.payments.record.mutate(aRecord(owed.invoice.id, more)) };
}

async function paidByCard(safeContact: Partial<typeof DEFAULT_SAFE_CONTACT> = {}) {
  const owed = await anOwedInvoice(practice);
  const { id, version, firstName, lastName, email } = await practice.api.clients.get.query({ id: owed.p1.clientId });
  const client = clientFields({
    firstName,
    lastName,
    email,
    phones: [],
    safeContact: { ...DEFAULT_SAFE_CONTACT, ...safeContact },
  });
  await practice.api.clients.update.mutate({ id, version, client });
  const link = await aPayLink(practice, owed.invoice.id);
  stripe.pay(await sessionAt(app, link.address));
  await practice.api.payments.reconcile.mutate();
  return { ...owed, ...link, email };
}

test("payments.sendReceipt: it leaves once for whoever paid, with its PDF, and is sent when it has left", async () => {
  const { paid, p1 } = await paidByHand({ amountMinor: 4000 });
  const changeId = newId();
  expect(await send(paid.id, changeId)).toMatchObject({ receiptSentAt: null });
  await send(paid.id, changeId);
  await deliverCaseMail(log);
  const { email } = await practice.api.clients.get.query({ id: p1.clientId });
  expect(smtp.received).toMatchObject([{ to: [email] }]);
  expect(smtp.received[0]?.source).toMatch(/Subject: Receipt R-00001/);
  const [mail] = await mails();
  const words = await wordsOfPdf(new Uint8Array(Buffer.from(mail?.attachments[0]?.content ?? "", "base64")));
  for (const said of ["r-00001", p1.name.toLowerCase(), "£40.00"]) expect(words).toContain(said);
  expect((await payment(paid.id)).receiptSentAt).not.toBeNull();
});

test("payments.sendReceipt: to somebody who must be reached discreetly, nothing on the outside tells what it is", async () => {
  const { paymentId } = await paidByCard({ mayPost: false });
  await send(paymentId);
  await deliverCaseMail(log);
  const [head = ""] = (smtp.received[0]?.source ?? "").split("\r\n\r\n");
  expect(head).not.toBe("");
  expect(head).not.toMatch(/receipt|invoice|quillfeather|mediation/i);
  expect(smtp.received[0]?.source).not.toMatch(/filename.*receipt/i);
});

test("payments.sendReceipt: whoever may not be mailed, a scheme, and what has not come are refused with what to do", async () => {
  const { paymentId, theCase } = await paidByCard({ mayEmail: false });
  expect((await refusal(send(paymentId))).message).toMatch(/may not be emailed. Use phone/);
  const aided = await issuedInvoice(practice, theCase.id, { kind: "legal_aid" });
  const claim = await practice.api.payments.record.mutate(aRecord(aided.id, { method: "legal_aid" }));
  expect((await refusal(send(claim.id))).message).toContain("not by mail");
  const { invoice } = await anOwedInvoice(practice);
  const { paymentId: open } = await aPayLink(practice, invoice.id);
  expect((await refusal(send(open))).message).toMatch("Nothing was received");
  expect(await mails()).toEqual([]);
});

test("payments.sendReceipt: an employer gets their own, and no party is told", async () => {
  const { theCase, p1 } = await anOwedInvoice(practice);
  const contact = await practice.api.contacts.create.mutate(aContact());
  const invoice = await issuedInvoice(practice, theCase.id, { kind: "contact", contactId: contact.id });
  await send((await practice.api.payments.record.mutate(aRecord(invoice.id))).id);
  const [mail] = await mails();
  expect(mail?.to).toBe(contact.email);
  expect(mail?.text).not.toContain(p1.name);
  await deliverCaseMail(log);
  expect(smtp.received).toMatchObject([{ to: [contact.email] }]);
});

test("a card payment: no receipt goes before the practice chose that, and then one, however often it is looked for", async () => {
  await paidByCard();
  await sendDueReceipts(log);
  expect(await mails()).toEqual([]);
  await byItself();
  // What was paid before stays as it was.
  await sendDueReceipts(log);
  expect(await mails()).toEqual([]);
  const { paymentId, email } = await paidByCard();
  await practice.api.payments.reconcile.mutate();
  await Promise.all([sendDueReceipts(log), sendDueReceipts(log)]);
  await sendDueReceipts(log);
  expect(await mails()).toMatchObject([{ to: email, subject: "Receipt R-00002" }]);
  await paidByHand();
  await sendDueReceipts(log);
  expect(await mails()).toHaveLength(1);
  expect((await payment(paymentId)).receiptSentAt).toBeNull();
  await deliverCaseMail(log);
  expect((await payment(paymentId)).receiptSentAt).not.toBeNull();
});

test("a card payment of somebody who is reached discreetly, or not by mail: nothing goes by itself, and a task says how", async () => {
  await byItself();
  await paidByCard({ mayPost: false });
  await paidByCard({ mayEmail: false });
  await sendDueReceipts(log);
  expect(await mails()).toEqual([]);
  expect((await titles()).filter((title) => /^Receipt R-0000[12]: send it to /.test(title))).toHaveLength(2);
});

test("a receipt that waits: when all was returned meanwhile, nobody is thanked", async () => {
  const { paid } = await paidByHand();
  await send(paid.id);
  await practice.api.payments.refund.mutate(aRefund(paid.id));
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
});
