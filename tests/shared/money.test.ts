import { fractionDigits } from "@app/shared/currency-digits";
import { formatMoney } from "@app/shared/money";
import { moneySchema } from "@app/shared/money-schema";
import { expect, test } from "vitest";

test.each([
  ["GBP", 2],
  ["JPY", 0],
  ["KWD", 3],
])("fractionDigits: %s has %i", (currency, digits) => {
  expect(fractionDigits(currency)).toBe(digits);
});

test.each([
  [12550, "GBP", "en-GB", "£125.50"],
  [0, "EUR", "en-IE", "€0.00"],
  [125, "JPY", "en-GB", "JP¥125"],
  [-500, "USD", "en-US", "-$5.00"],
])("formatMoney: %i of %s in %s reads %s", (amountMinor, currency, locale, text) => {
  expect(formatMoney({ amountMinor, currency }, locale)).toBe(text);
});

test.each([{ amountMinor: 12.5, currency: "GBP" }, { amountMinor: 12, currency: "gbp" }, { amountMinor: 12 }])(
  "moneySchema: %j is refused",
  (money) => {
    expect(moneySchema.safeParse(money).success).toBe(false);
  },
);
