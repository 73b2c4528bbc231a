import { instantOf, instantsOf, wallTimeOf } from "@app/shared/wall-time";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each([
  ["Europe/London", "2026-03-29", "01:30", "2026-03-29T01:30:00.000Z"],
  ["Europe/London", "2026-10-25", "01:30", "2026-10-25T00:30:00.000Z"],
  ["America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30:00.000Z"],
  ["America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00.000Z"],
  ["Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45:00.000Z"],
  ["Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00.000Z"],
  ["Asia/Kathmandu", "2026-06-15", "09:00", "2026-06-15T03:15:00.000Z"],
  ["UTC", "2026-12-31", "23:59", "2026-12-31T23:59:00.000Z"],
])("instantOf: in %s on %s at %s it is %s", (timeZone, day, time, instant) => {
  expect(instantOf(timeZone, { day, time }).toISOString()).toBe(instant);
});

test.each([
  ["Europe/London", "2026-03-29", "01:30", []],
  ["Europe/London", "2026-10-25", "01:30", ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]],
  ["Europe/London", "2026-10-25", "02:00", ["2026-10-25T02:00:00.000Z"]],
  ["America/New_York", "2026-03-08", "02:30", []],
  ["Pacific/Apia", "2011-12-30", "10:00", []],
  ["UTC", "2026-03-29", "01:30", ["2026-03-29T01:30:00.000Z"]],
])("instantsOf: in %s on %s at %s it is each of these", (timeZone, day, time, instants) => {
  expect(instantsOf(timeZone, { day, time }).map((instant) => instant.toISOString())).toEqual(instants);
});

test("instantOf: in every zone and at any time of three years, an instant survives the way to the wall and back", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  const start = Date.UTC(2025, 0, 1) / 60_000;
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: start, max: start + 3 * 366 * 24 * 60 }),
      (timeZone, minute) => {
        const instant = new Date(minute * 60_000);
        const wall = wallTimeOf(timeZone, instant);
        const back = instantOf(timeZone, wall);
        // Only in an hour that comes twice may it be another instant, and then the wall shows the same.
        expect(wallTimeOf(timeZone, back)).toEqual(wall);
        expect(Math.abs(back.getTime() - instant.getTime())).toBeLessThanOrEqual(2 * 3_600_000);
      },
    ),
    { numRuns: 2000 },
  );
});
