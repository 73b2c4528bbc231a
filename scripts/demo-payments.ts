// What the cases of the invented practice cost: a price list, and invoices in every state and of every kind of payer.
import type { Case } from "@app/shared/cases";
import type { Invoice, InvoiceLine, SplitInvoice } from "@app/shared/invoices";
import type { Payer } from "@app/shared/payer-shares";
import type { PaymentMethod } from "@app/shared/payment-methods";
import type { RecordPayment } from "@app/shared/payments";
import type { PriceFields } from "@app/shared/prices";
import { clock, DAY_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { KEPT_BY_NOBODY, makeOnce } from "@app/server/core/once";
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { contactsOfCase } from "@app/server/features/contacts/contact-links.service";
import { createInvoice, splitInvoice } from "@app/server/features/invoices/invoice-drafts.service";
import { creditInvoice, issueInvoice, voidInvoice } from "@app/server/features/invoices/invoice-issue.service";
import { getInvoice, invoicesOfSplit } from "@app/server/features/invoices/invoice-reading.service";
import { getInvoiceSettings, setInvoiceSettings } from "@app/server/features/invoices/invoice-settings.service";
import { announcePayment, recordPayment } from "@app/server/features/payments/manual-payments";
import { refundPayment } from "@app/server/features/payments/refunds";
import { practiceToday } from "@app/server/features/practices/practices.service";
import { createPrice, setPriceArchived } from "@app/server/features/prices/prices.service";

type Manual = RecordPayment["method"];
type Party = Case["parties"][number];

const price = (
  code: string,
  name: string,
  pounds: number,
  { kind, per }: Pick<PriceFields, "kind" | "per">,
): PriceFields => ({ code, name, amountMinor: pounds * 100, kind, per, vatRateBp: 0, validFrom: "", validTo: "" });

const PRICES = [
  price("MIAM", "Assessment meeting (MIAM)", 120, { kind: "miam", per: "party" }),
  price("SESSION", "Mediation session, 90 minutes", 195, { kind: "session", per: "party" }),
  price("HOUR", "Mediation, each hour", 130, { kind: "session", per: "hour" }),
  price("CHILD", "Meeting with a child", 150, { kind: "session", per: "case" }),
  price("MOU", "Memorandum of understanding", 250, { kind: "document", per: "party" }),
  price("OFS", "Open financial statement", 225, { kind: "document", per: "party" }),
  price("LATE", "Cancelled within two working days", 60, { kind: "cancellation", per: "party" }),
  price("ROOM", "Second room", 40, { kind: "disbursement", per: "case" }),
];
const FORMER = price("MIAM-24", "Assessment meeting (price of 2024)", 110, { kind: "miam", per: "party" });

const line = (description: string, pence: number, kind: InvoiceLine["kind"], qtyMilli = 1000): InvoiceLine => ({
  description,
  kind,
  qtyMilli,
  unitMinor: pence,
  vatRateBp: 0,
  sessionId: null,
});
const MIAM = line("Assessment meeting (MIAM)", 12_000, "miam");

const ofParty = ({ partyId, clientId }: Party): Payer => ({ kind: "party", partyId, clientId });

/** Does something as if it were so many days ago. */
async function daysAgo<Result>(days: number, work: () => Promise<Result>): Promise<Result> {
  const present = clock.now;
  clock.now = () => new Date(present().getTime() - days * DAY_MS);
  try {
    return await work();
  } finally {
    clock.now = present;
  }
}

/** Of the cases that are under way; the first in mediation have something of everything. */
export async function demoPayments(scope: Scope, cases: readonly Case[]): Promise<void> {
  await demoPriceList(scope);
  let singles = 0;
  let helpers = 0;
  for (const { id } of cases) {
    const theCase = await getCase(scope, id);
    const [first, second] = theCase.parties.filter(({ leftAt }) => leftAt === null);
    if (!first || !second) continue;
    if (theCase.status === "in_mediation") await billWhole(scope, theCase, { first, second });
    else if (theCase.status !== "enquiry") await billOne(scope, { theCase, party: first, turn: singles++ });
    if (helpers < 2 && (await billHelper(scope, theCase))) helpers += 1;
  }
}

async function demoPriceList(scope: Scope): Promise<void> {
  for (const each of PRICES) await createPrice(scope, { price: each });
  const { id } = await createPrice(scope, { price: FORMER });
  await setPriceArchived(scope, { ids: [id], isArchived: true });
  const { currency: _currency, nextCreditNumber: _next, ...settings } = await getInvoiceSettings(scope);
  await setInvoiceSettings(scope, {
    ...settings,
    prefix: "QM",
    nextNumber: 1041,
    daysToPay: 14,
    address: "12 Candle Yard\nReading RG1 7ZZ",
    bankDetails: "Quillfeather Mediation\nSort code 00-00-00\nAccount 00000000",
    footer: "Quillfeather Mediation is an invented practice.",
  });
}

interface Bill {
  payer: Payer;
  lines: InvoiceLine[];
  notes?: string;
}

const draft = (scope: Scope, { id: caseId }: Case, { payer, lines, notes = "" }: Bill): Promise<Invoice> =>
  createInvoice(scope, { caseId, payer, lines, notes });

async function issued(scope: Scope, theCase: Case, bill: Bill): Promise<Invoice> {
  const { id, version } = await draft(scope, theCase, bill);
  return issueInvoice(scope, { id, version });
}

async function paid(scope: Scope, { id }: Pick<Invoice, "id">, amountMinor: number, method: Manual) {
  const receivedOn = await practiceToday(scope.ownerId);
  return recordPayment(scope, { invoiceId: id, method, amountMinor, receivedOn, reference: "", keepsRest: true });
}

/** Two who pay by themselves, a scheme that pays for both, and somebody who pays for one. */
async function billWhole(scope: Scope, theCase: Case, { first, second }: { first: Party; second: Party }) {
  await daysAgo(38, async () => {
    const one = await issued(scope, theCase, { payer: ofParty(first), lines: [MIAM] });
    await paid(scope, one, 13_000, "bank_transfer");
    const other = await issued(scope, theCase, { payer: ofParty(second), lines: [MIAM] });
    await paid(scope, other, 6000, "cash");
  });
  const sessions = await daysAgo(9, () => splitSession(scope, theCase, { first, second }));
  const [expected] = sessions;
  if (expected)
    await announcePayment(scope, {
      invoiceId: expected.id,
      method: "bank_transfer",
      amountMinor: expected.dueMinor,
      reference: "",
    });
  await daysAgo(6, async () => {
    const voucher = await issued(scope, theCase, {
      payer: { kind: "voucher" },
      lines: [line("Mediation under the voucher scheme", 50_000, "session")],
    });
    await paid(scope, voucher, 50_000, "voucher");
  });
  await draft(scope, theCase, {
    payer: ofParty(first),
    lines: [line("Memorandum of understanding", 25_000, "document")],
    notes: "As we agreed in the last session.",
  });
}

async function splitSession(
  scope: Scope,
  { id: caseId }: Case,
  { first, second }: { first: Party; second: Party },
): Promise<Invoice[]> {
  const input: SplitInvoice = {
    caseId,
    lines: [line("Mediation, each hour", 13_000, "session", 1500), line("Second room", 4000, "disbursement")],
    notes: "",
    shares: { method: "equal", remainderAt: 0, payers: [{ payer: ofParty(first) }, { payer: ofParty(second) }] },
    isVoucherFirst: false,
  };
  // As somebody of the practice sends it.
  const { items } = await makeOnce(
    scope,
    { id: newId(), what: "invoices.split", input },
    { make: () => splitInvoice(scope, input), look: (id) => invoicesOfSplit(scope, id) },
  );
  const all: Invoice[] = [];
  for (const { id, version } of items) all.push(await issueInvoice(scope, { id, version }));
  return all;
}

/** Whoever helps one of them was sent the wrong thing once, and something else was credited in part. */
async function billHelper(scope: Scope, theCase: Case): Promise<boolean> {
  const [helper] = await contactsOfCase(scope, theCase.id);
  if (!helper) return false;
  const payer: Payer = { kind: "contact", contactId: helper.contactId };
  await daysAgo(20, async () => {
    const wrong = await issued(scope, theCase, { payer, lines: [line("Copies of the file", 1800, "other")] });
    const { id, version } = wrong;
    await voidInvoice(scope, { id, version, reason: "Sent to the wrong firm" });
    const right = await issued(scope, theCase, {
      payer,
      lines: [line("Open financial statement", 22_500, "document")],
    });
    const { version: current } = await getInvoice(scope, right.id);
    await creditInvoice(scope, { id: right.id, version: current, amountMinor: 2500, reason: "Agreed on the phone" });
  });
  return true;
}

const ENDS: readonly { days: number; payer?: Payer; method?: PaymentMethod & Manual; isReturned?: boolean }[] = [
  { days: 30, method: "card_terminal" },
  { days: 5 },
  { days: 24 },
  { days: 12, payer: { kind: "legal_aid" } },
  { days: 18, method: "cheque", isReturned: true },
];

/** An assessment meeting, in one way or another. */
async function billOne(scope: Scope, { theCase, party, turn }: { theCase: Case; party: Party; turn: number }) {
  const { days, payer = ofParty(party), method, isReturned } = ENDS[turn % ENDS.length] ?? { days: 5 };
  await daysAgo(days, async () => {
    const invoice = await issued(scope, theCase, { payer, lines: [MIAM] });
    if (!method) return;
    const { id, amountMinor } = await paid(scope, invoice, invoice.dueMinor, method);
    const back = { id, amountMinor: amountMinor / 2, reason: "The meeting was shorter", creditsInvoice: true };
    if (isReturned) await refundPayment(scope, back, KEPT_BY_NOBODY);
  });
}
