import {
  createInvoiceSchema,
  type Invoice,
  type InvoiceLine,
  invoiceLineSchema,
  invoiceLinesSchema,
} from "@app/shared/invoices";
import { type Payer, payerKeyOf } from "@app/shared/payer-shares";
import { validateWith } from "../../core/validate.ts";
import { amountProblem } from "../../ui/amount-field.tsx";
import { plainFields } from "../../ui/version-fields.ts";
import { rateProblem } from "../prices/vat-rate.ts";
import { emptyLine, givenLine, type LineValues, lineText, lineValues } from "./invoice-lines.ts";

/** An invoice as it stands in the form. */
export interface InvoiceValues {
  /** Null until somebody chooses: it decides who sees the invoice. */
  payer: Payer | null;
  lines: LineValues[];
  notes: string;
}

export const emptyInvoice = (vatRate: string): InvoiceValues => ({
  payer: null,
  lines: [emptyLine(vatRate)],
  notes: "",
});

export const invoiceValues = ({ payer, lines, notes, currency }: Invoice): InvoiceValues => ({
  // Nobody writes a draft for whoever booked: that is invoiced once it is paid.
  payer: payer.kind === "visitor" ? null : payer,
  lines: lines.map((line) => lineValues(line, currency)),
  notes,
});

/** What is sent of the lines; call it on those that `lineProblems` finds nothing in. */
export const linesOf = (lines: readonly LineValues[], currency: string): InvoiceLine[] =>
  invoiceLinesSchema.parse(lines.map((line) => givenLine(line, currency)));

const checkLine = validateWith(invoiceLineSchema);
const checkNotes = validateWith(createInvoiceSchema.pick({ notes: true }));

/** Messages by the names of the fields, which are not those of the server: amounts are typed. */
export function lineProblems(lines: readonly LineValues[], currency: string): Record<string, string> {
  const found = lines.flatMap((line, at) =>
    Object.entries(problemsOfLine(line, currency)).map(([field, message]) => [`lines.${at}.${field}`, message]),
  );
  if (found.length > 0) return Object.fromEntries(found);
  const whole = invoiceLinesSchema.safeParse(lines.map((line) => givenLine(line, currency)));
  const [issue] = whole.error?.issues ?? [];
  return issue ? { lines: issue.message } : {};
}

function problemsOfLine(line: LineValues, currency: string): Record<string, string> {
  const { qtyMilli, unitMinor, vatRateBp, ...problems } = checkLine(givenLine(line, currency));
  const unit = amountProblem(line.unit, currency) || unitMinor;
  const vatRate = rateProblem(line.vatRate) || vatRateBp;
  return {
    ...problems,
    ...(qtyMilli ? { quantity: qtyMilli } : {}),
    ...(unit ? { unit } : {}),
    ...(vatRate ? { vatRate } : {}),
  };
}

export const invoiceProblems = ({ payer, lines, notes }: InvoiceValues, currency: string): Record<string, string> => ({
  ...(payer === null ? { payer: "Choose who pays" } : {}),
  ...lineProblems(lines, currency),
  ...checkNotes({ notes }),
});

/** What two versions of a draft are compared by, and in which words. */
export const invoiceFields = (currency: string, nameOf: (payerKey: string) => string) =>
  plainFields<InvoiceValues>(
    { payer: "Payer", lines: "Lines", notes: "Note" },
    {
      payer: (payer) => (payer === null ? "" : nameOf(payerKeyOf(payer))),
      lines: (lines) => lines.map((line) => lineText(line, currency)).join("; "),
    },
  );
