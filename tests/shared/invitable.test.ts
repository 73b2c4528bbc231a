import { isInvitable, isUndecided } from "@app/shared/invitable";
import { PARTY_STATUSES, type PartyStatus } from "@app/shared/case-states";
import { addDays, addMonths } from "@app/shared/days";
import { describe, expect, test } from "vitest";

const DAY = "2026-06-15";
/** The first day of which a word counts beside a meeting of this day still. */
const oldest = (day: string) => addMonths(day, -4);

const party = (partyId: string, more: object) => ({
  partyId,
  label: partyId,
  side: "",
  role: "participant" as const,
  status: "suitable" as PartyStatus,
  statusSince: `${DAY}T09:00:00.000Z`,
  respondedOn: "",
  miamOn: "",
  contactAgreement: null,
  joinedAt: null,
  isInvitationWaiting: false,
  lastStep: null,
  ...more,
});
const said = (to: PartyStatus, on: string, isOwnDecision = true) =>
  party("P2", { status: to, lastStep: { to, on, at: `${DAY}T09:00:00.000Z`, isOwnDecision } });
const caseOf = (one: ReturnType<typeof party>, miamOn: string) => ({
  domain: "family" as const,
  parties: [party("P1", { role: "initiator", miamOn }), one],
  rounds: [],
});

describe("isInvitable", () => {
  test.each(["refused", "withdrawn"] as const)(
    "isInvitable: when somebody has %s, then from when their word counts no more beside the first meeting since, or one of today",
    (status) => {
      const can = (on: string, miamOn: string) => {
        const one = said(status, on);
        return isInvitable(one, caseOf(one, miamOn), DAY);
      };
      const met = addDays(DAY, -20);
      expect(can(oldest(met), met)).toBe(false);
      expect(can(addDays(oldest(met), -1), met)).toBe(true);
      // It is older than four months today, and counts beside that meeting still.
      expect(can(addDays(oldest(DAY), -1), met)).toBe(false);
      const longAgo = addDays(oldest(DAY), -30);
      expect(can(oldest(DAY), longAgo)).toBe(false);
      expect(can(addDays(oldest(DAY), -1), longAgo)).toBe(true);
    },
  );

  test("isInvitable: when nobody kept the day of it, then by the day on which it was recorded", () => {
    const one = said("withdrawn", "");
    expect(isInvitable(one, caseOf(one, ""), DAY)).toBe(false);
    expect(isInvitable(one, caseOf(one, ""), addDays(addMonths(DAY, 4), 1))).toBe(true);
  });

  test("isInvitable: when somebody takes part, was found not safe or died, then never, however long ago", () => {
    const asked: PartyStatus[] = ["to_invite", "invited", "no_response", "refused", "withdrawn"];
    for (const status of PARTY_STATUSES.filter((each) => !asked.includes(each))) {
      const one = said(status, "2025-01-06");
      expect(isInvitable(one, caseOf(one, ""), DAY), status).toBe(false);
    }
  });
});

test("isUndecided: when somebody said no themselves in this round, then they have decided, however long ago", () => {
  expect(isUndecided(said("refused", "2025-01-06"), { rounds: [] })).toBe(false);
  expect(isUndecided(said("refused", DAY, false), { rounds: [] })).toBe(true);
  expect(isUndecided(said("refused", DAY), { rounds: [{ endedAt: `${addDays(DAY, 1)}T09:00:00.000Z` }] })).toBe(true);
});
