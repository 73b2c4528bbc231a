// What somebody found or told stands in the way also where nobody has to be screened, whatever else is missing.
import { dangerOf, gapOf } from "@app/server/features/screenings/screening-gaps";
import { expect, test } from "vitest";

const happened = (on: string) => ({ on, at: new Date(`${on}T12:00:00.000Z`) });
const screening = (more: object = {}) => ({
  suitable: "yes" as const,
  heldOn: "2026-01-05",
  completedAt: new Date("2026-01-05T12:00:00.000Z"),
  ...more,
});
const on = (day: string, more: object = {}) => ({
  day,
  timeZone: "Europe/London",
  ended: null,
  left: undefined,
  newcomers: [],
  beside: [],
  concern: undefined,
  ...more,
});
const SOON = "2026-01-20";
const LONG_AFTER = "2027-01-20";

test.each([
  ["nobody screened them", undefined, on(SOON), "none", null],
  ["nobody did, and a review raised a concern", undefined, on(SOON, { concern: happened(SOON) }), "none", "concern"],
  ["their screening is old", screening(), on(LONG_AFTER), "outdated", null],
  ["it is old and raised a risk", screening({ judgement: "needed" }), on(LONG_AFTER), "unjudged", "unjudged"],
  [
    "it is old, and a concern is newer",
    screening(),
    on(LONG_AFTER, { concern: happened(SOON) }),
    "outdated",
    "concern",
  ],
  ["they left since", screening(), on(SOON, { left: happened("2026-01-10") }), "left", null],
  [
    "they left since, and one beside them was found not safe",
    screening(),
    on(SOON, { left: happened("2026-01-10"), beside: [{ label: "P2", ...happened("2026-01-12") }] }),
    "left",
    "beside",
  ],
  ["it found them not safe", screening({ suitable: "no" }), on(LONG_AFTER), "not_safe", "not_safe"],
  ["nothing is wrong", screening(), on(SOON), null, null],
] as const)(
  "when %s, then the first that is missing and the first that is a danger are named",
  (_what, held, moment, gap, danger) => {
    expect(gapOf(held, moment)?.gap ?? null).toBe(gap);
    expect(dangerOf(held, moment)?.gap ?? null).toBe(danger);
  },
);
