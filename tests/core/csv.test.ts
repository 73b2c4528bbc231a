import { csvLine } from "@app/server/core/csv";
import { expect, test } from "vitest";

test.each([
  ["=1+1", "'=1+1"],
  ["+44 7700 900142", "'+44 7700 900142"],
  ["-5", "'-5"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["＝cmd", "'＝cmd"],
  ['","=cmd', '""",""=cmd"'],
  ["two\nlines", '"two\nlines"'],
  [" padded ", '" padded "'],
  ["plain", "plain"],
])("csvLine: %j is written as %j", (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});
