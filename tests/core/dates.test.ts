import { datesIn } from "@app/server/core/dates";
import { expect, test } from "vitest";

const instant = new Date("2026-12-10T14:30:00Z");

test.each([
  ["england_wales", "Europe/London", "Thursday 10 December 2026, 14:30", "United Kingdom Time"],
  ["ireland", "Europe/Dublin", "Thursday 10 December 2026, 14:30", "Ireland Time"],
  ["united_states", "America/New_York", "Thursday, December 10, 2026, 9:30 AM", "Eastern Time"],
  ["other", "Australia/Sydney", "Friday 11 December 2026, 01:30", "Australian Eastern Time"],
  ["other", "UTC", "Thursday 10 December 2026, 14:30", "UTC"],
] as const)(
  "dates of %s in %s: when somebody reads an instant, then as it is written there",
  (region, timeZone, when, zone) => {
    const dates = datesIn(region, timeZone);
    expect(dates.dateTime(instant)).toBe(when);
    expect(dates.zone(instant)).toBe(zone);
  },
);

test("dates: when a calendar day is written, then it is that day in every zone", () => {
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
    expect(datesIn("scotland", timeZone).calendarDay("2026-12-10")).toBe("10 December 2026");
});
