// A mail with an invoice, to whoever pays it and nobody else.
import type { Case, Party } from "@app/shared/cases";
import { isRestricted, safeNow } from "@app/shared/clients";
import { cutText } from "@app/shared/cut-text";
import { formatMoney } from "@app/shared/money";
import { REGIONS } from "@app/shared/regions";
import { waysToReach } from "@app/shared/safe-channels";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { getContact } from "../contacts/contacts.service.ts";
import { directoryOf } from "../mail/gate.service.ts";
import { problemsOf } from "../mail/outgoing-gate.service.ts";
import { whyNotByMail } from "../meetings/party-mail.service.ts";
import { type NewMailContent, queueMail } from "../outbox/outbox.service.ts";
import { TOLD_NAMES_MAX_LENGTH } from "../outbox/told-names.service.ts";
import { practiceDates, practiceNameOf, practiceRegion } from "../practices/practices.service.ts";
import { type ForParty, mapFor, openFor } from "../visibility/for-party.service.ts";
import { drawPaper, paperForPayer } from "./invoice-paper.service.ts";
import { type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";
import { payLinkOf } from "./pay-links.service.ts";

const MAILS_KEPT = 20;

export interface Reached {
  name: string;
  email: string;
  /** Why no mail would leave, and by what way to reach them; empty where it would. */
  whyNot: string;
  /** Somebody else may see what arrives. */
  isDiscreet: boolean;
}

/** Where this invoice would go by mail. */
export async function reachedBy(scope: Scope, { payer, caseId, payerName }: InvoiceDoc): Promise<Reached> {
  switch (payer.kind) {
    case "party": {
      const theCase = await getCase(scope, caseId ?? "");
      const party = theCase.parties.find(({ partyId }) => partyId === payer.partyId);
      return party
        ? partyReached(scope, theCase, party)
        : unreached(payerName, "they are no party of this case any more.");
    }
    case "contact":
      return contactReached(scope, payer.contactId);
    case "legal_aid":
    case "voucher":
      return unreached(payerName, "claims to a scheme go by its own way, not by mail.");
    case "visitor":
      return unreached(
        payerName,
        "they booked by a link, and are no client yet. Download the invoice, and send it to them.",
      );
  }
}

const unreached = (name: string, whyNot: string): Reached => ({ name, email: "", whyNot, isDiscreet: false });

async function partyReached(scope: Scope, theCase: Case, party: Party): Promise<Reached> {
  const client = await getClient(scope, party.clientId);
  const isDiscreet = isRestricted(safeNow(client));
  const whyNot = client.isContactUnchecked
    ? `somebody said that a way to reach them is not safe, and nobody has looked at it since. ${waysToReach(safeNow(client))}`
    : await whyNotByMail(scope, theCase, party, client);
  return { name: client.displayName, email: client.email, whyNot, isDiscreet };
}

async function contactReached(scope: Scope, contactId: string): Promise<Reached> {
  const { displayName: name, email } = await getContact(scope, contactId);
  if (email === "") return unreached(name, "no email address is known.");
  const letter = {
    mail: { to: [email], cc: [] },
    clientId: null,
    party: null,
    answers: [],
    senderName: scope.userName,
  };
  const directory = await directoryOf(scope.ownerId, [letter]);
  const isDiscreet = directory.at(email).some(({ isRestricted: isKept }) => isKept);
  const whyNot = problemsOf(directory, letter).length === 0 ? "" : "this address may not be mailed.";
  return { name, email, whyNot, isDiscreet };
}

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
  const attachment = {
    name: `invoice-${doc.number}.pdf`,
    mime: "application/pdf",
    content: Buffer.from(bytes).toString("base64"),
    isBase64: true as const,
  };
  const told =
    doc.payer.kind === "party"
      ? { told: { names: cutText(to.name, TOLD_NAMES_MAX_LENGTH), actorName: scope.userName } }
      : { isWritten: true };
  return {
    doc,
    isReminder: purpose === "reminder",
    content: mapFor(sealed, () => ({
      ...words,
      ...told,
      toName: cutText(to.name, 100),
      to: to.email,
      attachments: [attachment],
    })),
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
