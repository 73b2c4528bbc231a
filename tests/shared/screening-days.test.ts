// On which day a screening was held, and for how long it counts.
import { byDayHeld, dayHeld, isBefore, isOutdated } from "@app/shared/screening-days";
import { expect, test } from "vitest";

const LONDON = "Europe/London";
/** Past midnight in London, and a day earlier in New York. */
const RECORDED = new Date("2026-07-10T23:30:00Z");
const held = (heldOn: string | null, completedAt = RECORDED) => ({ heldOn, completedAt });

test.each([
  ["2026-07-01", LONDON, "2026-07-01"],
  [null, LONDON, "2026-07-11"],
  [null, "America/New_York", "2026-07-10"],
])("dayHeld: of one held on %s, recorded at half past midnight, in %s is %s", (heldOn, zone, day) => {
  expect(dayHeld(held(heldOn), zone)).toBe(day);
});

test.each([
  ["2026-01-01", "2026-06-30", false],
  ["2026-01-01", "2026-07-01", true],
  ["2026-07-01", "2026-07-01", false],
])("isOutdated: held on %s, on %s is %s", (heldOn, today, outdated) => {
  expect(isOutdated(heldOn, today)).toBe(outdated);
});

test("byDayHeld: whatever was recorded when, the one that was held last comes first", () => {
  const late = held("2026-07-01", new Date("2026-07-12T10:00:00Z"));
  const again = held("2026-07-01", new Date("2026-07-13T10:00:00Z"));
  const early = held("2026-06-01", new Date("2026-07-20T10:00:00Z"));
  const old = held(null);
  expect([early, late, old, again].toSorted(byDayHeld(LONDON))).toEqual([old, again, late, early]);
});

test.each<[string, string | null, string, boolean, string?]>([
  ["held after the day of what was written up later", "2026-07-09", "2026-07-12T09:00:00Z", false, "2026-07-08"],
  ["held on the day of what was written up later", "2026-07-09", "2026-07-12T09:00:00Z", true, "2026-07-09"],
  ["held before the day of what was written up later", "2026-07-07", "2026-07-12T09:00:00Z", true, "2026-07-08"],
  ["recorded before the concern", "2026-07-11", "2026-07-11T09:00:00Z", true],
  ["of before days were asked for, recorded after it", null, "2026-07-10T09:00:00Z", false],
  ["held on its day and recorded after it", "2026-07-10", "2026-07-10T09:00:00Z", false],
  ["held before its day, though recorded after it", "2026-07-09", "2026-07-10T09:00:00Z", true],
])("isBefore: a screening %s", (_what, heldOn, concernAt, isEarlier, on = "") => {
  expect(isBefore(held(heldOn), { on, at: new Date(concernAt) }, LONDON)).toBe(isEarlier);
});
