// What a link asks to be paid before a time is booked, as it can be taken now.
import { can } from "@app/shared/access";
import type { z } from "zod";
import { DEPOSIT_MIN_MINOR, type Deposit, type depositChoicesSchema, type DepositSum } from "@app/shared/deposits";
import { PAGE_CHANGED } from "@app/shared/booking-limits";
import type { CreateLink } from "@app/shared/bookings";
import { invoiceTotals } from "@app/shared/invoice-totals";
import type { Price } from "@app/shared/prices";
import { REGIONS } from "@app/shared/regions";
import { formatMoney } from "@app/shared/money";
import { badField } from "../../core/errors.ts";
import { wrongState } from "../../core/visitor-refusals.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { type BookingLine, lineOf } from "../invoices/booking-invoices.service.ts";
import { invoiceSettingsOf } from "../invoices/invoice-settings.service.ts";
import { getPaymentAccount } from "../payment-accounts/payment-accounts.service.ts";
import { getPractice, practiceRegion } from "../practices/practices.service.ts";
import { pricesInForce } from "../prices/prices.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";

export interface DepositNow extends DepositSum {
  line: BookingLine;
}

const takesCards = async (ownerId: string): Promise<boolean> =>
  (await getPaymentAccount(systemScope(ownerId))).state === "ready";

/** Nothing that an invoice could not say: VAT is charged by whoever is registered for it alone. */
async function payablePrices(scope: Scope): Promise<Price[]> {
  const [{ items }, { isVatRegistered }] = await Promise.all([pricesInForce(scope), invoiceSettingsOf(scope.ownerId)]);
  return items.filter(
    (price) => (isVatRegistered || price.vatRateBp === 0) && grossOf(lineOfPrice(price)) >= DEPOSIT_MIN_MINOR,
  );
}

const lineOfPrice = ({ name, kind, amountMinor, vatRateBp }: Price): BookingLine => ({
  description: name,
  kind,
  unitMinor: amountMinor,
  vatRateBp,
});

const grossOf = (line: BookingLine): number => invoiceTotals([lineOf(line)]).grossMinor;

async function lineNow(scope: Scope, deposit: Deposit): Promise<BookingLine | null> {
  if (deposit.kind === "amount")
    return { description: "Payment for a booking", kind: "other", unitMinor: deposit.amountMinor, vatRateBp: 0 };
  const price = (await payablePrices(scope)).find(({ id }) => id === deposit.priceId);
  return price ? lineOfPrice(price) : null;
}

/** Null where the link asks for nothing, or for what cannot be taken now. */
export async function depositNow({ ownerId, deposit }: Pick<BookingLinkDoc, "ownerId" | "deposit">) {
  if (!deposit || !(await takesCards(ownerId))) return null;
  const scope = systemScope(ownerId);
  const [line, { currency }] = await Promise.all([lineNow(scope, deposit), getPractice(scope)]);
  return line && { line, currency, amountMinor: grossOf(line) };
}

export const sumOf = (deposit: DepositNow | null): DepositSum | null =>
  deposit && { amountMinor: deposit.amountMinor, currency: deposit.currency };

/** What cannot be paid for now waits for the practice, so that nobody is turned away and nothing is booked unpaid. */
export const isConfirmedByPractice = (
  { needsConfirmation, deposit }: Pick<BookingLinkDoc, "needsConfirmation" | "deposit">,
  asked: DepositSum | null,
): boolean => needsConfirmation || (Boolean(deposit) && asked === null);

/** Nobody pays another amount than their page said. */
export function assertAsked(asked: DepositSum | null, shown: DepositSum | null): void {
  if (asked?.amountMinor !== shown?.amountMinor || asked?.currency !== shown?.currency) throw wrongState(PAGE_CHANGED);
}

/** What can be asked for, for whoever makes a link. */
export async function depositChoices(scope: Scope): Promise<z.infer<typeof depositChoicesSchema>> {
  const [isTaking, { currency }, prices] = await Promise.all([
    takesCards(scope.ownerId),
    getPractice(scope),
    payablePrices(scope),
  ]);
  // The list of prices is for those who work with payments; others ask for an amount.
  const choices = (can(scope, "payments.read") ? prices : []).map((price) => ({
    id: price.id,
    name: price.name,
    amountMinor: grossOf(lineOfPrice(price)),
    currency,
  }));
  return { takesCards: isTaking, currency, prices: choices };
}

/** Refuses to begin to ask for what cannot be paid; what a link asked for before may stay. */
export async function assertCanAsk(
  scope: Scope,
  { deposit }: Pick<CreateLink, "deposit">,
  before: Deposit | null,
): Promise<void> {
  if (!deposit || isSame(deposit, before)) return;
  if (!(await takesCards(scope.ownerId)))
    throw badField(
      "deposit",
      "Nothing can be paid by card here yet, so a booking cannot wait for a payment. The owner sets that up on the page Payments.",
    );
  if (!(await lineNow(scope, deposit)))
    throw badField("deposit", "This price cannot be asked for: choose one that is in force, of at least 1.00.");
}

const isSame = (one: Deposit, other: Deposit | null): boolean =>
  other !== null &&
  (one.kind === "price"
    ? other.kind === "price" && other.priceId === one.priceId
    : other.kind === "amount" && other.amountMinor === one.amountMinor);

export const moneyOf = async (ownerId: string, sum: DepositSum): Promise<string> =>
  formatMoney(sum, REGIONS[await practiceRegion(ownerId)].locale);
