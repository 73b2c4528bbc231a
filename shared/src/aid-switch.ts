// What legal aid takes over when it begins to pay for somebody in the middle of a case. Free of zod.
import { type Payer, payerKeyOf, payerOf } from "./payer-shares.ts";
import type { Party } from "./cases.ts";
import { invoiceTotals, type RateTotals, totalsByRate } from "./invoice-totals.ts";
import type { PriceKind } from "./prices.ts";

export const COVERS = ["whole_case", "miam", "first_session", "unsaid", "shared", "stays"] as const;
/** Why a line is charged no more, or why it stays. */
export type Cover = (typeof COVERS)[number];
export const COVER_NAMES = {
  whole_case: "Legal aid pays for all of their part, from the beginning of the case",
  miam: "Legal aid pays for both MIAMs",
  first_session: "Legal aid pays for the other participant’s first session",
  unsaid: "Say whether this was the first session",
  shared: "They pay for more than one person. Credit it by hand where legal aid pays for it",
  stays: "Still theirs to pay",
} as const satisfies Record<Cover, string>;

type FundedParty = Pick<Party, "partyId" | "clientId" | "funding" | "leftAt">;

/** Whose part an invoice is: theirs who are to get legal aid, another person's, or of several. */
export type Whose = "own" | "other" | "shared" | "scheme";

/** By what the case says of its funding now, before legal aid begins to pay for this party. */
export function whoseInvoice(payer: Payer, parties: readonly FundedParty[], partyId: string): Whose {
  if (payer.kind === "legal_aid" || payer.kind === "voucher") return "scheme";
  const key = payerKeyOf(payer);
  const paidFor = parties.filter((party) => {
    const own = payerOf({ ...party, leftAt: null });
    return (payer.kind === "party" && payer.partyId === party.partyId) || (own !== null && payerKeyOf(own) === key);
  });
  const isOwn = paidFor.some((party) => party.partyId === partyId);
  if (isOwn) return paidFor.length > 1 ? "shared" : "own";
  // Somebody of whom the funding says nothing, such as an employer, may pay for anybody.
  return payer.kind === "party" || paidFor.length > 0 ? "other" : "shared";
}

export interface Charged {
  kind: PriceKind;
  /** Null where it is not known of which session a line is. */
  isFirstSession: boolean | null;
}

/**
 * Who has legal aid pays nothing for the case, whatever was charged before; of the other, the agency pays the MIAM and the
 * first session, and later ones stay theirs (Legal Aid Agency, family mediation; `domain.md` 1.2).
 */
export function coverOf({ kind, isFirstSession }: Charged, whose: Whose): Cover {
  if (whose === "own") return "whole_case";
  if (whose === "shared") return "shared";
  if (whose === "scheme") return "stays";
  if (kind === "miam") return "miam";
  if (kind !== "session" || isFirstSession === false) return "stays";
  return isFirstSession ? "first_session" : "unsaid";
}

export const isCovered = (cover: Cover): boolean =>
  cover === "whole_case" || cover === "miam" || cover === "first_session";

interface ChargedInvoice {
  /** What credit notes took off before. */
  creditedMinor: number;
  dueMinor: number;
  lines: readonly { qtyMilli: number; unitMinor: number; vatRateBp: number; cover: Cover }[];
}

export interface Relief {
  creditMinor: number;
  /** Of it, what nobody had paid yet. */
  notOwedMinor: number;
  /** Of it, what was paid: kept for the payer until it is given back. */
  toReturnMinor: number;
  /** At each rate of VAT; null where part was credited before, of which lines nobody knows. */
  byRate: RateTotals[] | null;
}

/** What is credited of an invoice. What was credited before counts as a part of it, so that nothing is credited twice. */
export function reliefOf({ creditedMinor, dueMinor, lines }: ChargedInvoice): Relief {
  const covered = lines.filter(({ cover }) => isCovered(cover));
  const creditMinor = Math.max(0, invoiceTotals(covered).grossMinor - creditedMinor);
  const notOwedMinor = Math.min(creditMinor, dueMinor);
  return {
    creditMinor,
    notOwedMinor,
    toReturnMinor: creditMinor - notOwedMinor,
    byRate: creditedMinor === 0 ? totalsByRate(covered) : null,
  };
}
