import { isAnotherName } from "@app/shared/asked-names";
import { expect, test } from "vitest";

test.each([
  ["Rosalind Dace", "Rosalind Dace", false],
  ["R. Dace", "Rosalind Dace", false],
  ["anna lodz", "Anna Łódź-Nair", false],
  ["Zed wrong", "Rosalind Dace", true],
  ["", "Rosalind Dace", false],
  ["Zed", "", false],
])("isAnotherName: %j of somebody who was asked as %j, then it is %j", (typed, asked, is) => {
  expect(isAnotherName(typed, asked)).toBe(is);
});
