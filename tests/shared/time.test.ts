import { dayIn } from "@app/shared/days";
import { daySchema, instantSchema, timeZoneSchema } from "@app/shared/time";
import { expect, test } from "vitest";

test.each([
  ["Europe/London", "2026-03-29T00:30:00Z", "2026-03-29"],
  ["Europe/London", "2026-06-30T23:30:00Z", "2026-07-01"],
  ["Australia/Lord_Howe", "2026-04-04T14:30:00Z", "2026-04-05"],
  ["Asia/Kathmandu", "2026-11-20T18:14:59Z", "2026-11-20"],
  ["Asia/Kathmandu", "2026-11-20T18:15:00Z", "2026-11-21"],
  ["America/New_York", "2026-11-01T03:59:00Z", "2026-10-31"],
])("dayIn: in %s, %s is on %s", (timeZone, instant, day) => {
  expect(dayIn(timeZone, new Date(instant))).toBe(day);
});

test("daySchema: a day that is not in the calendar is refused", () => {
  expect(daySchema.safeParse("2026-02-29").success).toBe(false);
  expect(daySchema.parse("2028-02-29")).toBe("2028-02-29");
});

test("instantSchema: only UTC is an instant", () => {
  expect(instantSchema.safeParse("2026-11-20T10:00:00Z").success).toBe(true);
  expect(instantSchema.safeParse("2026-11-20T10:00:00").success).toBe(false);
});

test.each([
  ["Europe/London", true],
  ["Mars/Olympus", false],
  ["", false],
])("timeZoneSchema: %j accepted: %s", (name, isAccepted) => {
  expect(timeZoneSchema.safeParse(name).success).toBe(isAccepted);
});
