// What is said of lines that legal aid may pay for, and what comes of it.
import { type Cover, coverOf, reliefOf } from "@app/shared/aid-switch";
import type { AidPreview } from "@app/shared/fundings";
import { payerKeyOf } from "@app/shared/payer-shares";

export interface AidValues {
  partyId: string;
  /** By invoice and line: whether it was the first session. */
  answers: Record<string, string>;
}

export const FIRST_CHOICES = { yes: "Yes", no: "No" } as const;

type ChargedInvoice = AidPreview["invoices"][number];
type ChargedLine = ChargedInvoice["lines"][number];

export const answerKey = (invoiceId: string, at: number): string => `${invoiceId} ${at}`;

/** Of a line, once it was said which session it was of; as it came where nothing was to be said. */
export function coverSaid({ kind, cover }: ChargedLine, answer: string | undefined): Cover {
  if (cover !== "unsaid" || !answer) return cover;
  return coverOf({ kind, isFirstSession: answer === "yes" }, "other");
}

const linesSaid = ({ id, lines }: ChargedInvoice, { answers }: AidValues) =>
  lines.map((line, at) => ({ ...line, cover: coverSaid(line, answers[answerKey(id, at)]) }));

export interface PayerRelief {
  key: string;
  payerName: string;
  currency: string;
  creditMinor: number;
  notOwedMinor: number;
  toReturnMinor: number;
}

/** For each payer of whom something is credited. */
export function reliefByPayer({ invoices }: AidPreview, values: AidValues): PayerRelief[] {
  const found = new Map<string, PayerRelief>();
  for (const invoice of invoices) {
    const { creditMinor, notOwedMinor, toReturnMinor } = reliefOf({ ...invoice, lines: linesSaid(invoice, values) });
    if (creditMinor === 0) continue;
    const { payerName, currency } = invoice;
    const key = `${payerKeyOf(invoice.payer)} ${currency}`;
    const before = found.get(key);
    found.set(key, {
      key,
      payerName,
      currency,
      creditMinor: creditMinor + (before?.creditMinor ?? 0),
      notOwedMinor: notOwedMinor + (before?.notOwedMinor ?? 0),
      toReturnMinor: toReturnMinor + (before?.toReturnMinor ?? 0),
    });
  }
  return [...found.values()];
}

export const isUnsaid = ({ invoices }: AidPreview, values: AidValues): boolean =>
  invoices.some((invoice) => linesSaid(invoice, values).some(({ cover }) => cover === "unsaid"));

export const saidOf = ({ id, version, lines }: ChargedInvoice, { answers }: AidValues) => ({
  id,
  version,
  sessions: lines.flatMap(({ cover }, at) =>
    cover === "unsaid" ? [{ at, isFirst: answers[answerKey(id, at)] === "yes" }] : [],
  ),
});
