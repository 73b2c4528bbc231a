// A mail with an invoice, to whoever pays it and nobody else.
import { formatMoney } from "@app/shared/money";
import { REGIONS } from "@app/shared/regions";
import type { Scope } from "../../core/trpc.ts";
import { type NewMailContent, queueMail } from "../outbox/outbox.service.ts";
import { practiceDates, practiceNameOf, practiceRegion } from "../practices/practices.service.ts";
import { type ForParty, mapFor, openFor } from "../visibility/for-party.service.ts";
import { drawPaper, paperForPayer } from "./invoice-paper.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";
import { payLinkOf } from "./pay-links.service.ts";
import { mailToPayer, type Reached } from "./payer-mail.service.ts";

const MAILS_KEPT = 20;

export type Purpose = "invoice" | "reminder";

interface Prepared {
  doc: InvoiceDoc;
  content: ForParty<NewMailContent>;
  isReminder: boolean;
}

/** With its paper; drawn before the transaction that stores it. */
export async function prepareMail(
  scope: Scope,
  { doc, purpose, to }: { doc: InvoiceDoc; purpose: Purpose; to: Reached },
): Promise<Prepared> {
  const sealed = await paperForPayer(scope, doc);
  const payLink = doc.dueMinor > 0 ? await payLinkOf(scope, doc._id) : null;
  const words = await wordsOf(doc, { purpose, to, payLink });
  const bytes = await drawPaper(scope, openFor(sealed, {}));
  const attachment = { name: `invoice-${doc.number}.pdf`, bytes };
  return {
    doc,
    isReminder: purpose === "reminder",
    content: mapFor(sealed, () => mailToPayer(scope, doc, { to, ...words, attachment })),
  };
}

interface Saying {
  purpose: Purpose;
  to: Reached;
  /** Where it is paid by card; null where it is not. */
  payLink: string | null;
}

async function wordsOf(
  doc: InvoiceDoc,
  { purpose, to: { name }, payLink }: Saying,
): Promise<{ subject: string; text: string }> {
  const { ownerId, number, currency, dueMinor, dueOn } = doc;
  const [practiceName, { calendarDay }, region] = await Promise.all([
    practiceNameOf(ownerId),
    practiceDates(ownerId),
    practiceRegion(ownerId),
  ]);
  const due = formatMoney({ amountMinor: dueMinor, currency }, REGIONS[region].locale);
  const day = calendarDay(dueOn);
  const isPaid = dueMinor === 0;
  const said =
    purpose === "reminder"
      ? `${due} of the attached invoice ${number} was to be paid by ${day}, and has not reached us yet. If you have paid in the meantime, please ignore this message.`
      : isPaid
        ? `attached is invoice ${number}. It is paid: there is nothing left for you to do.`
        : `attached is invoice ${number}. Please pay ${due} by ${day}.`;
  return {
    subject: purpose === "reminder" ? `Reminder: invoice ${number}` : `Invoice ${number}`,
    text: [
      `Dear ${name},`,
      "",
      said,
      "",
      ...(payLink === null
        ? []
        : ["You can pay by card or bank debit on this page, which is yours alone:", payLink, ""]),
      "If you have a question, answer this message or phone us.",
      "",
      practiceName,
    ].join("\n"),
  };
}

/** In a transaction: stores it for delivery, and keeps what it was. */
export async function queueInvoiceMail(scope: Scope, { doc, content, isReminder }: Prepared): Promise<string> {
  const { id } = await queueMail(scope, { purpose: "letter", content });
  await InvoiceModel.updateOne(
    { ownerId: scope.ownerId, _id: doc._id },
    { $push: { mails: { $each: [{ id, isReminder }], $slice: -MAILS_KEPT } } },
  );
  return id;
}
