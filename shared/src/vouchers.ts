// The voucher scheme for family mediation in England and Wales pays a part of it, once for a family. Free of zod.
import type { CasePlace } from "./case-states.ts";
import { hasMiams } from "./case-states.ts";
import { moneyText } from "./answer-texts.ts";
import { invoiceTotals, netOf, type Priced, vatOf } from "./invoice-totals.ts";
import type { PriceKind } from "./prices.ts";

/** With its VAT (Ministry of Justice, Family Mediation Voucher Scheme: up to 500 pounds for a family). */
export const VOUCHER_CAP_MINOR = 50_000;

/** About a child, or about finances where there is also a dispute about a child. */
export const isForVoucher = ({ issueScope, ...place }: CasePlace & { issueScope: string }): boolean =>
  hasMiams(place) && (issueScope === "child_only" || issueScope === "all_issues");

interface Cap {
  capMinor: number;
  /** By other invoices of this family. */
  usedMinor: number;
  currency: string;
}

export const voucherLeft = ({ capMinor, usedMinor }: Pick<Cap, "capMinor" | "usedMinor">): number =>
  Math.max(0, capMinor - usedMinor);

/** Why the scheme does not pay these lines; null where it does. */
export function whyNotByVoucher(lines: readonly (Priced & { kind: PriceKind })[], cap: Cap): string | null {
  const miam = lines.findIndex(({ kind }) => kind === "miam");
  if (miam >= 0) return `The voucher scheme pays for no MIAM. Take line ${miam + 1} out, or choose another payer.`;
  const leftMinor = voucherLeft(cap);
  if (invoiceTotals(lines).grossMinor <= leftMinor) return null;
  const most = moneyText(cap.capMinor, cap.currency);
  return `The voucher pays at most ${most} for a family, with VAT, and ${moneyText(leftMinor, cap.currency)} of it is left. Charge the rest to another payer.`;
}

/** What stands on both invoices. */
const withNet = <Line extends Priced>(line: Line, unitMinor: number): Line[] =>
  unitMinor === 0 ? [] : [{ ...line, qtyMilli: 1000, unitMinor }];

/**
 * The voucher pays line after line, as far as it goes, but for MIAMs; what is left of each is for others to share. Both
 * parts of a line make it up exactly without VAT.
 */
export function voucherFirst<Line extends Priced & { kind: PriceKind }>(
  lines: readonly Line[],
  leftMinor: number,
): { byVoucher: Line[]; rest: Line[] } {
  let left = leftMinor;
  const byVoucher: Line[] = [];
  const rest: Line[] = [];
  for (const line of lines) {
    const net = netOf(line);
    const paid = line.kind === "miam" ? 0 : Math.min(net, netWithin(left, line.vatRateBp));
    left -= paid + vatOf(paid, line.vatRateBp);
    byVoucher.push(...(paid === net && paid > 0 ? [line] : withNet(line, paid)));
    rest.push(...(paid === 0 ? [line] : withNet(line, net - paid)));
  }
  return { byVoucher, rest };
}

/** The most without VAT that comes to no more than this with it. */
function netWithin(grossMinor: number, vatRateBp: number): number {
  let net = Math.ceil((grossMinor * 10_000) / (10_000 + vatRateBp));
  while (net > 0 && net + vatOf(net, vatRateBp) > grossMinor) net -= 1;
  return net;
}
