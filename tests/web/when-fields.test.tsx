import { expect, test } from "vitest";
import { checkWhen } from "../../web/src/ui/when-fields.tsx";

test.each([
  ["10:00", "11:30", false],
  ["22:30", "00:15", false],
  ["23:59", "05:59", false],
  ["11:30", "10:00", true],
  ["23:59", "06:00", true],
  ["10:00", "10:00", true],
])("checkWhen: from %s to %s, then it is refused as before the beginning: %s", (from, to, isRefused) => {
  const errors = checkWhen({ day: "2026-11-26", from, to });
  expect(errors).toEqual(isRefused ? { to: "This is before the beginning. Enter a later time." } : {});
});
