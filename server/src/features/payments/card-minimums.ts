/** Less than this no card is charged. */
const CARD_MINIMUMS: Readonly<Record<string, number>> = { GBP: 30, EUR: 50, USD: 50 };
const CARD_MINIMUM = 50;
export const cardMinimum = (currency: string): number => CARD_MINIMUMS[currency] ?? CARD_MINIMUM;
