// The lines of an invoice as somebody types them, and what they come to meanwhile; the server reckons anew when it stores.
import { moneyText } from "@app/shared/answer-texts";
import { invoiceTotals, lineTotals, type Totals } from "@app/shared/invoice-totals";
import type { Invoice, InvoiceLine } from "@app/shared/invoices";
import type { Price, PriceKind } from "@app/shared/prices";
import { amountIn } from "@app/shared/typed-amounts";
import { readAmount, typedAmount } from "../../ui/amount-field.tsx";
import { readRate, typedRate } from "../prices/vat-rate.ts";
import { quantityText } from "./invoice-words.ts";

export interface LineValues {
  description: string;
  kind: PriceKind;
  quantity: string;
  unit: string;
  vatRate: string;
  sessionId: string | null;
}

/** `vatRate` is empty where the practice has to choose one. */
export const emptyLine = (vatRate: string): LineValues => ({
  description: "",
  kind: "other",
  quantity: "1",
  unit: "",
  vatRate,
  sessionId: null,
});

export const isUntouched = ({ description, unit }: LineValues): boolean => description === "" && unit === "";

export const lineOfPrice = ({ name, kind, amountMinor, vatRateBp, currency }: Price): LineValues => ({
  description: name,
  kind,
  quantity: "1",
  unit: typedAmount(amountMinor, currency),
  vatRate: typedRate(vatRateBp),
  sessionId: null,
});

type StoredLine = Invoice["lines"][number];

export const lineValues = (line: Pick<StoredLine, keyof InvoiceLine>, currency: string): LineValues => ({
  description: line.description,
  kind: line.kind,
  quantity: String(line.qtyMilli / 1000),
  unit: typedAmount(line.unitMinor, currency),
  vatRate: typedRate(line.vatRateBp),
  sessionId: line.sessionId,
});

/** Thousandths; null for what is no number. */
export function readQuantity(typed: string): number | null {
  const quantity = amountIn(typed, 3);
  return typed.trim() === "" || quantity === null ? null : Math.round(quantity * 1000);
}

/** As it is sent; null stands where what is typed cannot be read. */
export const givenLine = ({ quantity, unit, vatRate, ...line }: LineValues, currency: string) => ({
  ...line,
  qtyMilli: readQuantity(quantity),
  unitMinor: readAmount(unit, currency),
  vatRateBp: readRate(vatRate),
});

/** Null while something of it cannot be read. */
export function readLine(line: LineValues, currency: string) {
  const { description, kind, qtyMilli, unitMinor, vatRateBp } = givenLine(line, currency);
  if (qtyMilli === null || unitMinor === null || vatRateBp === null) return null;
  return { description, kind, qtyMilli, unitMinor, vatRateBp };
}

/** Without VAT; null while it cannot be said. */
export function lineNet(line: LineValues, currency: string): number | null {
  const priced = readLine(line, currency);
  return priced && lineTotals(priced).netMinor;
}

/** Of the lines that can be reckoned already. */
export const totalsOf = (lines: readonly LineValues[], currency: string): Totals =>
  invoiceTotals(lines.flatMap((line) => readLine(line, currency) ?? []));

/** A line in one, for whoever compares two versions. */
export function lineText(line: LineValues, currency: string): string {
  const { qtyMilli, unitMinor } = givenLine(line, currency);
  const count = qtyMilli === null ? line.quantity : quantityText(qtyMilli);
  const price = unitMinor === null ? line.unit : moneyText(unitMinor, currency);
  return `${count} × ${line.description} at ${price}${line.vatRate === "0" ? "" : `, VAT ${line.vatRate} %`}`;
}
