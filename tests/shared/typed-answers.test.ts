import { monthIn } from "@app/shared/day-words";
import { amountHint, amountIn } from "@app/shared/typed-amounts";
import { expect, test } from "vitest";

test.each<[string, number | null]>([
  ["1250", 1250],
  ["£1,250.00", 1250],
  ["1 250", 1250],
  ["1\u00A0250.5", 1250.5],
  ["1,234,567.89", 1_234_567.89],
  ["-12.5", -12.5],
  [".5", 0.5],
  ["12.", 12],
  ["١٢٥٠", 1250],
  // A comma before just as many digits as there are pence can be nothing else than a point.
  ["12,50", 12.5],
  ["1.234,56", 1234.56],
  ["1 234,56", 1234.56],
  // These may be two amounts, or none.
  ["1,5", null],
  ["1.234", null],
  ["1.234,5", null],
  ["1,25,000", null],
  ["12,3456", null],
  ["1,2.5", null],
  ["12 5", null],
  ["12.505", null],
  ["ten", null],
  ["£", null],
])("amountIn: %s, when there are pence, is read as %s", (typed, amount) => {
  expect(amountIn(typed, 2)).toBe(amount);
});

test.each<[string, number | null, number | null]>([
  ["12,50", 0, null],
  ["1,250", 0, 1250],
  ["12.5", 0, null],
  ["1,250", 3, 1250],
  ["12.345", 3, 12.345],
  ["1.2345", null, 1.2345],
  ["1,234", null, 1234],
  ["12,5", null, null],
])("amountIn: %s, when there are %s digits, is read as %s", (typed, digits, amount) => {
  expect(amountIn(typed, digits)).toBe(amount);
});

test.each([
  ["Feb", "2"],
  ["february", "2"],
  ["Sept", "9"],
  ["Dec.", "12"],
  ["03", "03"],
  ["٣", "3"],
  ["Ju", "ju"],
  ["", ""],
])("monthIn: %s is read as %s", (typed, month) => {
  expect(monthIn(typed)).toBe(month);
});

test.each([
  ["£400", "GBP", 400],
  ["€400", "GBP", null],
  ["$400", "GBP", null],
  ["₹400", "GBP", null],
  ["€400", "EUR", 400],
  ["400", "GBP", 400],
])("amountIn: %s, when the question is in %s, is read as %s", (typed, currency, amount) => {
  expect(amountIn(typed, 2, currency)).toBe(amount);
  if (amount === null)
    expect(amountHint(typed, 2, currency)).toBe("Enter the amount in British pounds, not in another currency");
});
