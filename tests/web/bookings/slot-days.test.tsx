import { expect, test } from "vitest";
import { monthWords } from "../../../web/src/features/bookings/slot-days.ts";

test.each([
  ["of one month", "2026-11-23", "2026-11-27", "November 2026"],
  ["over the end of a month", "2026-11-30", "2026-12-04", "November and December 2026"],
  ["over the end of a year", "2026-12-30", "2027-01-03", "December 2026 and January 2027"],
])("the days to choose from: %s, when they are headed, are named by their months", (_when, first, last, words) => {
  expect(monthWords([{ day: first }, { day: last }], "en-GB")).toBe(words);
});
