// Lines as they are shown: with the invoices that they may be for, and what speaks against that.
import type { BankLine } from "@app/shared/bank-statements";
import { addDays } from "@app/shared/days";
import { INVOICE_STATE_NAMES } from "@app/shared/invoice-states";
import type { Scope } from "../../core/trpc.ts";
import { invoicesLike, type InvoiceToMatch } from "../invoices/invoice-matching.service.ts";
import { invoiceSettingsOf } from "../invoices/invoice-settings.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { paymentsByIds, transfersLike, type TransferLike } from "../payments/transfers.service.ts";
import type { BankLineDoc } from "./bank-statements.model.ts";
import { matchesOf, numbersIn, proposedOf } from "./line-matching.ts";
import { isFromStatement } from "./recorded-lines.ts";

/** So many days may lie between what the bank says and what somebody wrote down. */
const NEAR_DAYS = 4;

export async function shownLines(scope: Scope, docs: readonly BankLineDoc[]): Promise<BankLine[]> {
  const { ownerId } = scope;
  const open = docs.filter(({ paymentId }) => paymentId === "");
  const [{ prefix }, recorded, { calendarDay }] = await Promise.all([
    invoiceSettingsOf(ownerId),
    paymentsByIds(
      ownerId,
      docs.flatMap(({ paymentId }) => paymentId || []),
    ),
    practiceDates(ownerId),
  ]);
  const [invoices, byHand] = await Promise.all([
    invoicesLike(ownerId, {
      numbers: [...new Set(open.flatMap((line) => numbersIn(line, prefix).map(({ number }) => number)))],
      amounts: [...new Set(open.map(({ amountMinor }) => amountMinor))],
    }),
    recordedByHand(ownerId, open),
  ]);
  return docs.map((line): BankLine => {
    const { _id: id, statementId, on, amountMinor, currency, payerName, text, isSetAside, paymentId } = line;
    const shown = { id, statementId, on, amountMinor, currency, payerName, text };
    const nothing = { matches: [], proposedId: null, warnings: [] };
    if (paymentId !== "") return { ...shown, ...nothing, state: "recorded", recorded: recorded.get(paymentId) ?? null };
    const alike = alikeTo(line, byHand);
    const matches = matchesOf(line, { invoices, prefix, isDoubtful: alike.length > 0 });
    return {
      ...shown,
      state: isSetAside ? "set_aside" : "open",
      matches,
      proposedId: alike.length > 0 ? null : proposedOf(matches),
      warnings: [...alike.map((one) => handWords(one, calendarDay)), ...settledWords(line, { invoices, prefix })],
      recorded: null,
    };
  });
}

/** Bank transfers of these amounts that no statement made. */
async function recordedByHand(ownerId: string, lines: readonly BankLineDoc[]): Promise<TransferLike[]> {
  if (lines.length === 0) return [];
  const days = lines.map(({ on }) => on).toSorted();
  const found = await transfersLike(ownerId, {
    amounts: [...new Set(lines.map(({ amountMinor }) => amountMinor))],
    from: addDays(days[0] ?? "", -NEAR_DAYS),
    to: addDays(days.at(-1) ?? "", NEAR_DAYS),
  });
  const known = await isFromStatement(
    ownerId,
    found.map(({ id }) => id),
  );
  return found.filter(({ id }) => !known.has(id));
}

const alikeTo = ({ on, amountMinor, currency }: BankLineDoc, byHand: readonly TransferLike[]): TransferLike[] =>
  byHand.filter(
    (one) =>
      one.amountMinor === amountMinor &&
      one.currency === currency &&
      one.receivedOn >= addDays(on, -NEAR_DAYS) &&
      one.receivedOn <= addDays(on, NEAR_DAYS),
  );

const handWords = (
  { receiptNumber, receivedOn, invoiceNumber, payerName }: TransferLike,
  calendarDay: (day: string) => string,
): string =>
  `The same amount was recorded by hand for ${calendarDay(receivedOn)}: receipt ${receiptNumber}, invoice ${invoiceNumber}, ${payerName}. Set this line aside if it is that payment.`;

/** An invoice that is named, and of which nothing is due. */
const settledWords = (
  line: BankLineDoc,
  { invoices, prefix }: { invoices: readonly InvoiceToMatch[]; prefix: string },
): string[] =>
  numbersIn(line, prefix).flatMap(({ number, isBare }) =>
    invoices
      .filter((invoice) => !isBare && invoice.number === number && invoice.dueMinor === 0)
      .map(({ state }) => `Invoice ${number} is named, and it is ${INVOICE_STATE_NAMES[state].toLowerCase()}.`),
  );
