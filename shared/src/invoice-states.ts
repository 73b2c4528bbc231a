// What becomes of an invoice, and what of it is owed. Free of zod, because every page of money loads it.

export const INVOICE_STATES = ["draft", "issued", "part_paid", "paid", "void"] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

export const INVOICE_STATE_NAMES = {
  draft: "Draft",
  issued: "Issued",
  part_paid: "Part paid",
  paid: "Paid",
  void: "Void",
} as const satisfies Record<InvoiceState, string>;

/**
 * Money that goes back leads back too. Void is one of which all was credited, and nothing that was paid for it is left.
 * A draft may also be deleted.
 */
export const INVOICE_TRANSITIONS = {
  draft: ["issued"],
  issued: ["part_paid", "paid", "void"],
  part_paid: ["issued", "paid", "void"],
  paid: ["issued", "part_paid", "void"],
  void: [],
} as const satisfies Record<InvoiceState, readonly InvoiceState[]>;

export const nextStates = (state: InvoiceState): readonly InvoiceState[] => INVOICE_TRANSITIONS[state];

export const mayBecome = (from: InvoiceState, to: InvoiceState): boolean =>
  nextStates(from).some((next) => next === to);

/** Why a step is refused, with what could be done instead. */
export function whyNotBecome(from: InvoiceState, to: InvoiceState): string | null {
  if (mayBecome(from, to)) return null;
  const allowed = nextStates(from).map((state) => INVOICE_STATE_NAMES[state].toLowerCase());
  const now = `This invoice is ${INVOICE_STATE_NAMES[from].toLowerCase()}, so it cannot become ${INVOICE_STATE_NAMES[to].toLowerCase()}.`;
  return allowed.length === 0 ? `${now} Nothing follows any more.` : `${now} It can become ${listed(allowed)}.`;
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export interface Owed {
  grossMinor: number;
  /** What credit notes took off. */
  creditedMinor: number;
  /** Money that stands to it. */
  paidMinor: number;
}

export const dueMinorOf = ({ grossMinor, creditedMinor, paidMinor }: Owed): number =>
  grossMinor - creditedMinor - paidMinor;

/** Of an invoice that was issued. */
export function issuedState(owed: Owed): Exclude<InvoiceState, "draft"> {
  if (owed.creditedMinor === owed.grossMinor) return "void";
  if (dueMinorOf(owed) === 0) return "paid";
  return owed.paidMinor > 0 ? "part_paid" : "issued";
}

/** Something is still due after its day. */
export const isOverdue = (
  { state, dueOn, dueMinor }: { state: InvoiceState; dueOn: string; dueMinor: number },
  today: string,
): boolean => (state === "issued" || state === "part_paid") && dueMinor > 0 && dueOn !== "" && dueOn < today;
