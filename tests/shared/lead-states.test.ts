import { LEAD_STATUSES, LEAD_TRANSITIONS, type LeadStatus, nextStatesOf, stepBetween } from "@app/shared/lead-states";
import { responseDue } from "@app/shared/lead-response";
import { expect, test } from "vitest";

/** Every way that there is; whatever stands not here is refused. */
const WAYS: Record<string, string> = {
  "new > contacted": "move",
  "contacted > qualified": "move",
  "qualified > awaiting_p2": "move",
  "awaiting_p2 > converted": "convert",
  "new > lost": "lose",
  "contacted > lost": "lose",
  "qualified > lost": "lose",
  "awaiting_p2 > lost": "lose",
  "lost > new": "reopen",
};
const pairs = LEAD_STATUSES.flatMap((from) => LEAD_STATUSES.map((to): [LeadStatus, LeadStatus] => [from, to]));

test.each(pairs)("a lead: from %s to %s, when somebody asks, is one of the ways or none", (from, to) => {
  expect(stepBetween(from, to)).toBe(WAYS[`${from} > ${to}`] ?? null);
});

test("a lead: the states that come next, when a step is refused, are named", () => {
  expect(nextStatesOf("new")).toBe("Contacted or Lost");
  expect(nextStatesOf("lost")).toBe("New (reopened)");
  expect(nextStatesOf("converted")).toBe("nothing: it ends there");
  expect(LEAD_TRANSITIONS.converted).toEqual([]);
});

test.each([
  ["on a Tuesday", "2026-11-24T14:24:00Z", "2026-11-25T14:24:00.000Z"],
  ["on a Friday", "2026-11-27T14:24:00Z", "2026-11-30T14:24:00.000Z"],
  ["on a Saturday", "2026-11-28T14:24:00Z", "2026-12-01T09:00:00.000Z"],
  ["on a Sunday at night", "2026-11-29T23:59:00Z", "2026-12-01T09:00:00.000Z"],
  ["on the Friday before the clocks go forward", "2026-03-27T14:00:00Z", "2026-03-30T13:00:00.000Z"],
])("an enquiry: the first answer, when it came %s, is due a working day later", (_when, came, due) => {
  expect(responseDue("Europe/London", new Date(came)).toISOString()).toBe(due);
});
