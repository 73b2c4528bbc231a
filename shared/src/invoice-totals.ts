// What the lines of an invoice come to, in whole minor units. Reckoned by the server alone; the page shows it beforehand.

export interface Priced {
  qtyMilli: number;
  unitMinor: number;
  vatRateBp: number;
}

export interface LineTotals {
  netMinor: number;
  vatMinor: number;
}

export interface Totals extends LineTotals {
  grossMinor: number;
}

/** A quotient of whole numbers of 0 or more, rounded half up, without a fraction ever being held. */
export function roundedQuotient(dividend: number, divisor: number): number {
  const rest = dividend % divisor;
  return (dividend - rest) / divisor + (2 * rest >= divisor ? 1 : 0);
}

export const netOf = ({ qtyMilli, unitMinor }: Pick<Priced, "qtyMilli" | "unitMinor">): number =>
  roundedQuotient(qtyMilli * unitMinor, 1000);
export const vatOf = (netMinor: number, vatRateBp: number): number => roundedQuotient(netMinor * vatRateBp, 10_000);

export function lineTotals(line: Priced): LineTotals {
  const netMinor = netOf(line);
  return { netMinor, vatMinor: vatOf(netMinor, line.vatRateBp) };
}

export function invoiceTotals(lines: readonly Priced[]): Totals {
  const totals = lines.map(lineTotals);
  const netMinor = totals.reduce((sum, line) => sum + line.netMinor, 0);
  const vatMinor = totals.reduce((sum, line) => sum + line.vatMinor, 0);
  return { netMinor, vatMinor, grossMinor: netMinor + vatMinor };
}

export interface RateTotals extends LineTotals {
  vatRateBp: number;
}

/** What the lines come to at each rate of VAT, the lowest rate first. */
export function totalsByRate(lines: readonly Priced[]): RateTotals[] {
  return [...Map.groupBy(lines, ({ vatRateBp }) => vatRateBp)]
    .map(([vatRateBp, same]) => ({ vatRateBp, ...sumOf(same.map(lineTotals)) }))
    .toSorted((one, other) => one.vatRateBp - other.vatRateBp);
}

const sumOf = (parts: readonly LineTotals[]): LineTotals => ({
  netMinor: parts.reduce((sum, { netMinor }) => sum + netMinor, 0),
  vatMinor: parts.reduce((sum, { vatMinor }) => sum + vatMinor, 0),
});

/**
 * What a credit of this amount takes off at each rate: of each as much as is still there in proportion, the VAT that is
 * in it, and never more than is there. A credit of all that is left takes exactly that.
 */
export function creditByRate(left: readonly RateTotals[], amountMinor: number): RateTotals[] {
  const grosses = left.map(({ netMinor, vatMinor }) => netMinor + vatMinor);
  return allocated(amountMinor, grosses)
    .map((gross, at) => partOf(left[at], gross))
    .filter(({ netMinor, vatMinor }) => netMinor + vatMinor > 0);
}

function partOf(rate: RateTotals | undefined, gross: number): RateTotals {
  if (!rate) return { vatRateBp: 0, netMinor: gross, vatMinor: 0 };
  const { vatRateBp } = rate;
  const whole = rate.netMinor + rate.vatMinor;
  const inProportion = whole === 0 ? 0 : Number(roundedBig(BigInt(gross) * BigInt(rate.vatMinor), BigInt(whole)));
  // No more net than is there, nor more VAT.
  const vatMinor = Math.min(rate.vatMinor, Math.max(inProportion, gross - rate.netMinor));
  return { vatRateBp, netMinor: gross - vatMinor, vatMinor };
}

const roundedBig = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** An amount in parts by these weights, in whole units that make it up exactly; what is left over goes to the largest rest. */
export function allocated(amountMinor: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (whole === 0n) return weights.map(() => 0);
  const shares = weights.map((weight, at) => {
    const product = BigInt(amountMinor) * BigInt(weight);
    return { at, part: Number(product / whole), rest: product % whole };
  });
  let left = amountMinor - shares.reduce((sum, { part }) => sum + part, 0);
  const byRest = shares.toSorted((one, other) =>
    one.rest === other.rest ? one.at - other.at : one.rest < other.rest ? 1 : -1,
  );
  for (const share of byRest) {
    if (left === 0) break;
    share.part += 1;
    left -= 1;
  }
  return shares.map(({ part }) => part);
}
